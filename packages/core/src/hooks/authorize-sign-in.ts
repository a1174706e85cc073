import { AuthError, SignInError } from '../errors/auth-error.ts'
import { errorCodes, knownCode } from '../errors/error-codes.ts'
import { describeKind } from '../errors/user-code.ts'
import type { Hooks, SignInCallbackInput } from './hooks.ts'

/** Continue, or redirect to the URL that the `signIn` callback returned. */
export type Permission = { readonly kind: 'granted' } | { readonly kind: 'elsewhere'; readonly location: string }

/** Whether the message of an error may be the code that the user sees. */
export type ThrownErrors = 'message' | 'code'

/** What becomes of the message of an error that a callback throws. */
export interface ThrownErrorPolicy {
  readonly mode: ThrownErrors
  /** Called if a message that is not a known code becomes the code that the user sees. */
  readonly onMessage: (callee: string) => void
}

/** Only codes that were thrown as such are shown. */
export const codesOnly: ThrownErrorPolicy = { mode: 'code', onMessage: () => undefined }

/** The message of a system error (a refused connection, a missing file) is never shown to users. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof SignInError) && ('code' in error || 'errno' in error)
}

/** The code of an error of Auth.js' class `CredentialsSignin`, or of one that extends it. */
function getCredentialsCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('type' in thrown) || thrown.type !== 'CredentialsSignin') return null
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null
}

/**
 * Converts a value thrown by `signIn` or `authorize` to an `AuthError`.
 *
 * @param fallback - The code if the message must not be shown.
 * @param callee - The name of the callback, for the log.
 */
export function thrownError(
  thrown: unknown,
  { mode, onMessage }: ThrownErrorPolicy,
  fallback: 'AccessDenied' | 'CredentialsSignin',
  callee: string
): AuthError {
  if (thrown instanceof AuthError) return thrown
  const status = errorCodes[fallback].status
  if (thrown instanceof SignInError)
    return new AuthError(thrown.code, `the application refused: ${thrown.message}`, {
      ...{ cause: thrown, status },
      userId: thrown.userId
    })
  const credentialsCode = getCredentialsCode(thrown)
  if (credentialsCode !== null)
    return new AuthError('CredentialsSignin', `${callee} refused`, { cause: thrown, credentialsCode })
  const isShown = thrown instanceof Error && thrown.message && !isSystemError(thrown) && mode === 'message'
  const message = isShown ? thrown.message : fallback
  if (knownCode(message) === null) onMessage(callee)
  return new AuthError(message, `${callee} threw`, { cause: thrown, status })
}

/** The base for resolving relative URLs, in place of the application's origin. */
const anywhere = 'https://origin.invalid'

/**
 * Calls the application's `signIn` callback.
 *
 * @throws AuthError `AccessDenied`, or the code that the callback chose.
 */
export async function authorizeSignIn(
  question: SignInCallbackInput,
  signIn: Hooks['signIn'],
  errors: ThrownErrorPolicy
): Promise<Permission> {
  let result: unknown
  try {
    result = await signIn(question)
  } catch (thrown) {
    throw thrownError(thrown, errors, 'AccessDenied', 'callbacks.signIn')
  }
  if (typeof result === 'string' && result !== '' && URL.canParse(result, anywhere))
    return { kind: 'elsewhere', location: result }
  if (result === true) return { kind: 'granted' }
  const why = result === false ? 'refused' : `returned ${describeKind(result)}, expected true, false or a URL`
  throw new AuthError('AccessDenied', `${question.account.provider}: callbacks.signIn ${why}`)
}
