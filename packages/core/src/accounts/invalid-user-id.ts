import { StoreError } from '../adapter/store.ts'
import { AccountError } from '../errors/account-error.ts'

/** Whether the store refused a value because of the type of its column, such as a user id that is not a UUID. */
export function isInvalidUserId(error: unknown): boolean {
  return error instanceof StoreError && error.isInvalidValue
}

/**
 * Runs an operation on a user whose id the application passed.
 *
 * @throws AccountError `INVALID_USER_ID` if the store refuses the id.
 */
export async function withUserId<T>(callee: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isInvalidUserId(error)) throw error
    const message = `${callee}: expected the id of a user, got one that does not have the type of the adapter's column`
    throw new AccountError('INVALID_USER_ID', message, error)
  }
}
