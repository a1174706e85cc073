import type { UserRow } from '../rows.ts'
import type { ServerAdapter } from './adapter-type.ts'
import { type Atomic, createAtomically } from './atomically.ts'

/** What a database is that is a server. */
interface Server<Db> extends Atomic<Db> {
  readonly ready: () => Promise<void>
}

type ServerMethods = Pick<ServerAdapter<UserRow>, 'atomically' | 'ready' | 'close'>

/** The methods of a database that is a server, whatever its language: it is reached at once, and left when it was. */
export function serverMethods<Db>(
  client: { readonly close: () => Promise<void> },
  { ready, ...atomic }: Server<Db>
): ServerMethods {
  const started = ready().catch(() => undefined)
  return {
    atomically: createAtomically(atomic),
    ready,
    close: async () => {
      await started
      await client.close()
    }
  }
}
