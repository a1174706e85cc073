import { SignInError } from './auth-error.ts'

/** Longer messages are those of libraries, such as a query that failed. */
const maxLength = 100

/**
 * Whether an application threw a value to refuse something, as next-auth documents it: `throw new Error('message')`.
 *
 * Everything else is a crash, whose message may contain queries, values and paths: an error of a class of its own (`TypeError`,
 * those of database drivers and of other realms), of the system (with `code` or `errno`), with a cause, or with a message of
 * several lines or more than 100 characters.
 */
export function isRefusal(thrown: unknown): boolean {
  if (thrown instanceof SignInError) return true
  if (!(thrown instanceof Error) || Object.getPrototypeOf(thrown) !== Error.prototype) return false
  if ('cause' in thrown || 'code' in thrown || 'errno' in thrown) return false
  return thrown.message.length <= maxLength && !/[\p{Cc}\u2028\u2029]/u.test(thrown.message)
}
