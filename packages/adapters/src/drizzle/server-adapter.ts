import type { RevocationStore } from '@postern/core'
import { authenticatorMethods } from '../authenticators.ts'
import type * as parts from '../methods.ts'
import type { UserRow } from '../user-columns.ts'
import type { ServerAdapter } from './adapter-type.ts'
import { describeNotes } from './database-problems.ts'
import type { QueryRunner } from './retry.ts'
import { accountEvidenceMethods } from './server/account-evidence.ts'
import type { ServerConnection } from './server/connection.ts'
import { encryptedRowMethods } from './server/encrypted-rows.ts'
import { eventLookUp, eventMethods } from './server/events.ts'
import { factorMethods } from './server/factors.ts'
import { recordMethods } from './server/records.ts'
import { ticketMethods } from './server/tickets.ts'
import { type TakeToken, verificationTokenMethods } from './server/verification-tokens.ts'
import { type FourTables, type Naming, type ResolvedTables, resolveTables, type SchemaChoice } from './table-options.ts'
import { createTransact } from './transact.ts'
import type { Transaction } from './transaction.ts'

/** Some of the methods of a server adapter. */
type Part<Methods> = Pick<ServerAdapter<UserRow>, keyof Methods & keyof ServerAdapter<UserRow>>

/** The parts that every client has. */
interface Reached<Db> {
  readonly runOnce: QueryRunner['runOnce']
  readonly transaction: Transaction<Db>
  readonly ready: () => Promise<void>
}

/** The functions for the methods that a transaction may also contain. */
interface TransactionServer<Connection> {
  readonly userMethods: (connection: Connection) => Part<parts.UserMethods>
  readonly accountMethods: (connection: Connection) => Part<parts.AccountMethods>
  readonly sessionMethods: (connection: Connection) => Part<parts.SessionMethods>
  /** Creates the function that deletes a one-time token and returns it, to one caller only. */
  readonly takeToken: (connection: Connection) => TakeToken
  readonly revocationMethods: (connection: Connection) => Part<RevocationStore>
  readonly userVersionMethods: (connection: Connection) => Part<parts.UserVersionMethods>
}

/** The functions that differ between database servers. */
export interface Server<Options, Tables, Client, Connection, Access, Db> extends TransactionServer<Connection> {
  /** @throws ConfigError with every problem in the options. */
  readonly check: (options: unknown) => void
  readonly defineTables: (naming: Naming) => Tables
  readonly openClient: (options: Options) => Client
  readonly connect: (client: Client, resolved: ResolvedTables<Tables>, isMigrated: boolean) => Access
  /** The same connection inside a transaction. */
  readonly within: (connection: Connection, db: Db) => Connection
  readonly userIdMethods: (connection: Connection) => Part<parts.UserIdMethods>
  readonly deletionMethods: (connection: Access) => Part<parts.DeletionMethods>
  readonly leaseMethods: (connection: Access) => Part<parts.LeaseMethods>
  readonly expiredMethods: (connection: Access) => Part<parts.ExpiredMethods>
}

/** Creates the adapter for a database server. */
export function createServerAdapter<
  Options extends SchemaChoice,
  Tables extends FourTables,
  Client extends { readonly close: () => Promise<void> },
  Connection extends ServerConnection,
  Access extends Connection & Reached<Db>,
  Db
>(options: Options, server: Server<Options, Tables, Client, Connection, Access, Db>): ServerAdapter<UserRow> {
  server.check(options)
  const resolved = resolveTables(options, server.defineTables)
  const client = server.openClient(options)
  const access = server.connect(client, resolved, options.migrate ?? true)
  const methods = createTransactionMethods(server, access)
  const transact = createTransact(access, (db: Db) => createTransactionMethods(server, server.within(access, db)), {
    ...methods,
    hasEvent: eventLookUp(access)
  })
  const ready = async (): Promise<void> => {
    await access.ready()
    // Without it, for the tables of Postern beside another adapter, these columns are not used.
    if (resolved.notes.unreadable) throw resolved.notes.unreadable.error
  }
  const started = ready().catch(() => undefined)
  return {
    ...methods,
    ...server.userIdMethods(access),
    ...server.deletionMethods(access),
    findProblems: async () => [...(await methods.findProblems()), ...describeNotes(resolved.notes)],
    ...authenticatorMethods(methods),
    ...server.leaseMethods(access),
    ...encryptedRowMethods(access),
    ...server.expiredMethods(access),
    transact,
    ready,
    close: async () => {
      await started
      await client.close()
    },
    // The row and the revocation of the user change together.
    advanceUser: (advance) => transact([{ method: 'advanceUser', args: [advance] }])
  }
}

/** Creates the methods that a transaction may also contain. */
function createTransactionMethods<Connection extends ServerConnection>(
  server: TransactionServer<Connection>,
  connection: Connection
) {
  return {
    ...server.userMethods(connection),
    ...server.accountMethods(connection),
    ...server.sessionMethods(connection),
    ...verificationTokenMethods(connection, server.takeToken(connection)),
    ...accountEvidenceMethods(connection),
    ...ticketMethods(connection),
    ...factorMethods(connection),
    ...eventMethods(connection),
    ...recordMethods(connection),
    ...server.revocationMethods(connection),
    ...server.userVersionMethods(connection)
  }
}
