import type { UserVersionMethods } from '../methods.ts'
import { type Store, toVersion } from './store.ts'

/** The methods for the rows that say what may sign in as a user. */
export function userVersionMethods({ versions }: Store): Pick<UserVersionMethods, 'getUserVersion'> {
  return {
    getUserVersion: async (userId) => {
      const row = versions.get(userId)
      return row && toVersion(row)
    }
  }
}
