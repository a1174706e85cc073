import { DatabaseError } from '../database-error.ts'
import { within } from '../with-timeout.ts'

/** What is asked of ioredis' `Redis` or `Cluster`. */
export interface RedisClient {
  call(command: string, ...args: (string | number)[]): Promise<unknown>
}

/** Sends a command. Each names one key, or keys of one slot, so that one node of a cluster has what it needs. */
export type Send = (command: string, ...args: (string | number)[]) => Promise<unknown>

/** Milliseconds after which Redis counts as out of order. */
const limit = 5000

/** Makes a function that sends commands, and tells every failure without what the command held. */
export function createSend(client: RedisClient): Send {
  return async (command, ...args) => {
    try {
      return await within(limit, () => client.call(command, ...args), 'redis')
    } catch (error) {
      if (error instanceof DatabaseError) throw error
      const message = error instanceof Error ? error.message : 'something that is no error was thrown'
      throw new DatabaseError(codeOf(error), `redis: ${command}: ${message}`)
    }
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
