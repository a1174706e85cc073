import type { Adapter } from '@postern/core'
import { type CallMethods, performAllNow } from '../../calls.ts'
import type { Connection } from './connection.ts'

/** Thrown to undo a transaction that is to have no effect. */
class Undone extends Error {}

/** The method that makes several calls in one transaction. */
export function batchMethods(
  { transaction }: Connection,
  operations: CallMethods
): Required<Pick<Adapter, 'atomically'>> {
  return {
    atomically: async (calls) => {
      try {
        await transaction(() => {
          if (!performAllNow(operations, calls)) throw new Undone('a one-time token was not there')
        })
        return true
      } catch (error) {
        if (error instanceof Undone) return false
        throw error
      }
    }
  }
}
