import type { Adapter } from '@postern/core'
import { type CallMethods, performAllNow } from '../../calls.ts'
import type { Connection } from './connection.ts'

/** Thrown to roll back a transaction without an error. */
class Rollback extends Error {}

/** The method that makes several calls in one transaction. */
export function batchMethods(
  { transaction }: Connection,
  operations: CallMethods
): Required<Pick<Adapter, 'transact'>> {
  return {
    transact: async (calls) => {
      try {
        await transaction(() => {
          if (!performAllNow(operations, calls)) throw new Rollback('a one-time token or a ticket does not exist')
        })
        return true
      } catch (error) {
        if (error instanceof Rollback) return false
        throw error
      }
    }
  }
}
