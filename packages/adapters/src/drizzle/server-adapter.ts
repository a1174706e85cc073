import type { AdapterCall } from '@postern/core'
import { authenticatorMethods } from '../authenticators.ts'
import { performEach } from '../calls.ts'
import type * as parts from '../methods.ts'
import type { UserRow } from '../user-columns.ts'
import type { ServerAdapter } from './adapter-type.ts'
import { describeNotes } from './database-problems.ts'
import { encryptedRowMethods } from './operations/encrypted-rows.ts'
import { eventLookUp } from './operations/events.ts'
import { createOperations, createQueries } from './operations/operations.ts'
import { type UserConditions, userLookUpMethods } from './operations/user-look-ups.ts'
import { createRecoveries } from './recoveries.ts'
import type { ServerConnection } from './server/connection.ts'
import { type FourTables, type Naming, type ResolvedTables, resolveTables, type SchemaChoice } from './table-options.ts'
import { createTransact } from './transact.ts'
import type { Transaction } from './transaction.ts'

/** The methods that need statements of a dialect: of those that a transaction may contain, all that are not operations. */
type DialectMethod =
  | Exclude<AdapterCall['method'], keyof ReturnType<typeof createOperations>>
  | 'updateSession'
  | 'createUserWithAccount'

/** The parts that every client has. */
interface Reached<Db> {
  readonly transaction: Transaction<Db>
  readonly ready: () => Promise<void>
}

/** The functions that differ between database servers. */
export interface Server<Options, Tables, Client, Connection, Access, Db> {
  /** @throws ConfigError with every problem in the options. */
  readonly check: (options: unknown) => void
  readonly defineTables: (naming: Naming) => Tables
  readonly openClient: (options: Options) => Client
  readonly connect: (client: Client, resolved: ResolvedTables<Tables>, isMigrated: boolean) => Access
  /** The same connection inside a transaction. */
  readonly within: (connection: Connection, db: Db) => Connection
  readonly userConditions: (connection: Connection) => UserConditions
  /** They replace operations of the same name. */
  readonly methods: (connection: Connection) => Pick<ServerAdapter<UserRow>, DialectMethod>
  /** The methods that no transaction contains. */
  readonly accessMethods: (
    access: Access
  ) => parts.UserIdMethods & parts.DeletionMethods & parts.LeaseMethods & parts.ExpiredMethods
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
  const methods = {
    ...runOperations(access),
    ...userLookUpMethods(access, server.userConditions(access), access.retryIdempotent),
    ...server.methods(access)
  }
  const hasEvent = eventLookUp(access)
  const transact = createTransact(
    access,
    (db: Db) => {
      const connection = server.within(access, db)
      return { ...createOperations(connection), ...server.methods(connection) }
    },
    { ...methods, hasEvent: (id) => access.retryIdempotent(() => hasEvent(id)) }
  )
  const ready = async (): Promise<void> => {
    await access.ready()
    // Without it, for the tables of Postern beside another adapter, these columns are not used.
    if (resolved.notes.unreadable) throw resolved.notes.unreadable.error
  }
  const started = ready().catch(() => undefined)
  return {
    ...methods,
    ...server.accessMethods(access),
    findProblems: async () => [...(await methods.findProblems()), ...describeNotes(resolved.notes)],
    ...authenticatorMethods(methods),
    ...encryptedRowMethods(access, access.retryIdempotent, access.retryIdempotent),
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

/** Runs each operation alone: one that must take effect once is looked up after a lost connection, any other one is repeated. */
function runOperations(connection: ServerConnection) {
  const { retryIdempotent, runOnce } = connection
  const recoveries = createRecoveries(connection)
  const operations = { ...createQueries(connection), ...createOperations(connection) }
  return performEach(operations, (operation, name, args) => {
    const recover = recoveries[name]
    return recover ? runOnce(operation, (error) => recover(error, ...args)) : retryIdempotent(operation)
  })
}
