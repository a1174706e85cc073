import type { RevocationStore } from '@postern/core'
import type * as parts from '../methods.ts'
import type { UserRow } from '../rows.ts'
import type { ServerAdapter } from './adapter-type.ts'
import type { Attempts } from './retry.ts'
import { serverMethods } from './server-methods.ts'
import { type FourTables, type Naming, type ResolvedTables, resolveTables, type SchemaChoice } from './table-options.ts'
import type { Transaction } from './transaction.ts'

/** Some of the methods, as an adapter of a server has them. */
type Part<Methods> = Pick<ServerAdapter<UserRow>, keyof Methods & keyof ServerAdapter<UserRow>>

/** What every way to a server has. */
interface Reached<Db> {
  readonly once: Attempts['once']
  readonly transaction: Transaction<Db>
  readonly ready: () => Promise<void>
}

/** What a database that is a server is asked with: its language, and the methods in it. */
export interface Server<Options, Tables, Client, Connection, Access, Db> {
  /** @throws ConfigError with every mistake in the options. */
  readonly check: (options: unknown) => void
  readonly defineTables: (naming: Naming) => Tables
  readonly openClient: (options: Options) => Client
  readonly connect: (client: Client, resolved: ResolvedTables<Tables>, isMigrated: boolean) => Access
  /** The same database in the middle of a transaction. */
  readonly within: (connection: Connection, db: Db) => Connection
  readonly userMethods: (connection: Connection) => Part<parts.UserMethods>
  readonly accountMethods: (connection: Connection) => Part<parts.AccountMethods>
  readonly sessionMethods: (connection: Connection) => Part<parts.SessionMethods>
  readonly verificationTokenMethods: (connection: Connection) => Part<parts.VerificationTokenMethods>
  readonly leaseMethods: (connection: Access) => Part<parts.LeaseMethods>
  readonly recordMethods: (connection: Access) => Part<parts.RecordMethods>
  readonly revocationMethods: (connection: Access) => Part<RevocationStore>
  readonly expiredMethods: (connection: Access) => Part<parts.ExpiredMethods>
}

/** Makes the adapter of a server. */
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
  /** The methods that may be called in a transaction, too. */
  const methodsOn = (connection: Connection) => ({
    ...server.userMethods(connection),
    ...server.accountMethods(connection),
    ...server.sessionMethods(connection),
    ...server.verificationTokenMethods(connection)
  })
  const methods = methodsOn(access)
  const { once, transaction, ready } = access
  return {
    ...methods,
    ...server.leaseMethods(access),
    ...server.recordMethods(access),
    ...server.revocationMethods(access),
    ...server.expiredMethods(access),
    ...serverMethods(client, {
      once,
      transaction,
      ready,
      methodsOn: (db) => methodsOn(server.within(access, db)),
      lookUps: methods
    })
  }
}
