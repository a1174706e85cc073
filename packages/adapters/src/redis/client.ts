import { DatabaseError } from '../database-error.ts'
import { withTimeout } from '../with-timeout.ts'

/** The method of ioredis' `Redis` or `Cluster` that the adapter uses. */
export interface RedisClient {
  call(command: string, ...args: (string | number)[]): Promise<unknown>
}

/** Sends a command. Each uses one key, or keys of one slot, so that a single cluster node can run it. */
export type Send = (command: string, ...args: (string | number)[]) => Promise<unknown>

/** Milliseconds after which Redis counts as unavailable. */
const limit = 5000

/** Creates a function that sends commands, and removes their arguments from errors. */
export function createSend(client: RedisClient): Send {
  return async (command, ...args) => {
    try {
      return await withTimeout(limit, () => client.call(command, ...args), 'redis')
    } catch (error) {
      if (error instanceof DatabaseError) throw error
      const message = error instanceof Error ? error.message : 'a value that is not an Error was thrown'
      throw new DatabaseError(getCode(error), `redis: ${command}: ${message}`)
    }
  }
}

/** The code of the client, or the one with which a reply begins, such as `OOM`. Any other error is one of the connection. */
function getCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error.name !== 'ReplyError') return 'ECONNRESET'
  return /^[A-Z]+/.exec(error.message)?.[0] ?? error.name
}
