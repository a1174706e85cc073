import type { UserVersionMethods } from '../methods.ts'
import type { createOperations } from './operations.ts'
import { type Store, toVersion } from './store.ts'

/** The methods for the rows that say what may sign in as a user. */
export function userVersionMethods(
  { versions }: Store,
  { requireUserVersion, requireAddress, advanceUser }: ReturnType<typeof createOperations>
): UserVersionMethods {
  return {
    getUserVersion: async (userId) => {
      const row = versions.get(userId)
      return row && toVersion(row)
    },
    requireUserVersion: async (userId, version) => requireUserVersion(userId, version),
    requireAddress: async (userId, email) => requireAddress(userId, email),
    advanceUser: async (advance) => advanceUser(advance)
  }
}
