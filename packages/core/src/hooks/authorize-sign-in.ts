import { AuthError, SignInError } from '../errors/auth-error.ts'
import { catalogue } from '../errors/error-codes.ts'
import { kindOf } from '../errors/user-code.ts'
import type { Hooks, SignInQuestion } from './hooks.ts'

/** Go on, or go elsewhere: the address that the `signIn` callback returned. */
export type Permission = { readonly kind: 'granted' } | { readonly kind: 'elsewhere'; readonly location: string }

/** Whether a thrown message may be the code that a visitor sees. */
export type ThrownErrors = 'message' | 'code'

/** An error of the system (a refused connection, a missing file) says nothing to visitors. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof SignInError) && ('code' in error || 'errno' in error)
}

/**
 * The error that a thrown value of `signIn` or `authorize` stands for.
 *
 * @param fallback - The code where the message must not be shown.
 * @param callee - Who threw it, for the log.
 */
export function thrownError(
  thrown: unknown,
  errors: ThrownErrors,
  fallback: 'AccessDenied' | 'CredentialsSignin',
  callee: string
): AuthError {
  if (thrown instanceof AuthError) return thrown
  const status = catalogue[fallback].status
  if (thrown instanceof SignInError)
    return new AuthError(thrown.code, `the application refused: ${thrown.message}`, { cause: thrown, status })
  const message =
    thrown instanceof Error && thrown.message && !isSystemError(thrown) && errors === 'message'
      ? thrown.message
      : fallback
  return new AuthError(message, `${callee} threw`, { cause: thrown, status })
}

/** Stands in for our origin, which an address may be relative to. */
const anywhere = 'https://origin.invalid'

/**
 * Asks the application whether this sign-in may go on.
 *
 * @throws AuthError `AccessDenied`, or the code that the callback chose.
 */
export async function allow(
  question: SignInQuestion,
  signIn: Hooks['signIn'],
  errors: ThrownErrors
): Promise<Permission> {
  let answer: unknown
  try {
    answer = await signIn(question)
  } catch (thrown) {
    throw thrownError(thrown, errors, 'AccessDenied', 'callbacks.signIn')
  }
  if (typeof answer === 'string' && answer !== '' && URL.canParse(answer, anywhere))
    return { kind: 'elsewhere', location: answer }
  if (answer === true) return { kind: 'granted' }
  const why = answer === false ? 'refused' : `returned ${kindOf(answer)}, which is neither true or false nor an address`
  throw new AuthError('AccessDenied', `${question.account.provider}: callbacks.signIn ${why}`)
}
