import type { UserRow } from '../user-columns.ts'
import type { ServerAdapter } from './adapter-type.ts'
import { createTransact, type TransactDeps } from './transact.ts'

/** The functions of a database server. */
interface Server<Db> extends TransactDeps<Db> {
  readonly ready: () => Promise<void>
}

type ServerMethods = Pick<ServerAdapter<UserRow>, 'transact' | 'ready' | 'close'>

/** The methods that do not depend on the SQL dialect: connecting, transactions and closing. */
export function serverMethods<Db>(
  client: { readonly close: () => Promise<void> },
  { ready, ...atomic }: Server<Db>
): ServerMethods {
  const started = ready().catch(() => undefined)
  return {
    transact: createTransact(atomic),
    ready,
    close: async () => {
      await started
      await client.close()
    }
  }
}
