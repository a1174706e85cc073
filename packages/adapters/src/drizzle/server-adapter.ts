import type { RevocationStore } from '@postern/core'
import { authenticatorMethods } from '../authenticators.ts'
import type * as parts from '../methods.ts'
import type { UserRow } from '../user-columns.ts'
import type { ServerAdapter } from './adapter-type.ts'
import { describeNotes } from './database-problems.ts'
import type { QueryRunner } from './retry.ts'
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
  readonly verificationTokenMethods: (connection: Connection) => Part<parts.VerificationTokenMethods>
  readonly accountEvidenceMethods: (connection: Connection) => Part<parts.AccountEvidenceMethods>
  readonly ticketMethods: (connection: Connection) => Part<parts.TicketMethods>
  readonly factorMethods: (connection: Connection) => Part<parts.FactorMethods>
  readonly eventMethods: (connection: Connection) => Part<parts.EventMethods>
  readonly recordMethods: (connection: Connection) => Part<parts.RecordMethods>
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
  /** Returns the function that checks whether an event with an id exists. */
  readonly eventLookUp: (connection: Access) => (id: string) => Promise<boolean>
  readonly leaseMethods: (connection: Access) => Part<parts.LeaseMethods>
  readonly encryptedRowMethods: (connection: Access) => Part<parts.EncryptedRowMethods>
  readonly expiredMethods: (connection: Access) => Part<parts.ExpiredMethods>
}

/** Creates the adapter for a database server. */
export function createServerAdapter<
  Options extends SchemaChoice,
  Tables extends FourTables,
  Client extends { readonly close: () => Promise<void> },
  Connection,
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
    hasEvent: server.eventLookUp(access)
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
    ...server.encryptedRowMethods(access),
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
function createTransactionMethods<Connection>(server: TransactionServer<Connection>, connection: Connection) {
  return {
    ...server.userMethods(connection),
    ...server.accountMethods(connection),
    ...server.sessionMethods(connection),
    ...server.verificationTokenMethods(connection),
    ...server.accountEvidenceMethods(connection),
    ...server.ticketMethods(connection),
    ...server.factorMethods(connection),
    ...server.eventMethods(connection),
    ...server.recordMethods(connection),
    ...server.revocationMethods(connection),
    ...server.userVersionMethods(connection)
  }
}
