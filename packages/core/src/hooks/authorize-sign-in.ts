import { AuthError, SignInError } from '../errors/auth-error.ts'
import { errorCodes, knownCode } from '../errors/error-codes.ts'
import { redacted } from '../errors/redact.ts'
import { isRefusal } from '../errors/refusal.ts'
import { isTransientError } from '../errors/transient-errors.ts'
import { describeKind } from '../errors/user-code.ts'
import type { Hooks, SignInCallbackInput } from './hooks.ts'

/** Continue, or redirect to the URL that the `signIn` callback returned. */
export type Permission = { readonly kind: 'granted' } | { readonly kind: 'elsewhere'; readonly location: string }

/** Whether the message of a refusal may be the code that the user sees. */
export type ThrownErrors = 'message' | 'code'

/** What becomes of the message of an error that a callback throws. */
export interface ThrownErrorPolicy {
  /** `none`: an error that is no `SignInError` is a crash. */
  readonly mode: ThrownErrors | 'none'
  /** Called if a message that is not a known code becomes the code that the user sees. */
  readonly onMessage: (callee: string) => void
}

/** Features refuse with a `SignInError` only. */
export const signInErrorsOnly: ThrownErrorPolicy = { mode: 'none', onMessage: () => undefined }

/** The code of an error of Auth.js' class `CredentialsSignin`, or of one that extends it. */
function getCredentialsCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('type' in thrown) || thrown.type !== 'CredentialsSignin') return null
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null
}

/** What a callback threw, and what its message becomes. */
export interface ThrownContext {
  /** The code of a refusal whose message must not be shown. */
  readonly fallback: 'AccessDenied' | 'CredentialsSignin'
  /** The name of the callback, for the log. */
  readonly callee: string
  /** Texts that neither the log nor the URL may contain. @defaultValue none */
  readonly secrets?: readonly string[]
}

/**
 * Converts a value thrown by `signIn` or `authorize` to an `AuthError`: a refusal, an outage (`StoreUnavailable`), or a crash
 * (`Callback`), which the log contains as an error.
 */
export function thrownError(
  thrown: unknown,
  { mode, onMessage }: ThrownErrorPolicy,
  { fallback, callee, secrets = [] }: ThrownContext
): AuthError {
  const cause = redacted(thrown, secrets)
  if (cause instanceof AuthError) return cause
  // An outage is no refusal: it must not be counted or shown as a wrong password.
  if (isTransientError(thrown)) return new AuthError('StoreUnavailable', `${callee} did not respond`, { cause })
  const { status } = errorCodes[fallback]
  if (thrown instanceof SignInError) {
    const code = secrets.some((secret) => thrown.code.includes(secret)) ? fallback : thrown.code
    const message = cause instanceof Error ? cause.message : code
    return new AuthError(code, `the application refused: ${message}`, { cause, status, userId: thrown.userId })
  }
  const credentialsCode = getCredentialsCode(cause)
  if (credentialsCode !== null)
    return new AuthError('CredentialsSignin', `${callee} refused`, { cause, credentialsCode })
  // Whether it is a refusal is decided by what was thrown: a redacted copy is always a plain error.
  if (mode === 'none' || !isRefusal(thrown))
    return new AuthError('Callback', `${callee} failed`, { cause, status: 500 })
  const code = (mode === 'message' && cause instanceof Error && cause.message) || fallback
  if (knownCode(code) === null) onMessage(callee)
  return new AuthError(code, `${callee} threw`, { cause, status })
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
  signIn: NonNullable<Hooks['signIn']>,
  errors: ThrownErrorPolicy
): Promise<Permission> {
  let result: unknown
  try {
    result = await signIn(question)
  } catch (thrown) {
    throw thrownError(thrown, errors, { fallback: 'AccessDenied', callee: 'callbacks.signIn' })
  }
  if (typeof result === 'string' && result !== '' && URL.canParse(result, anywhere))
    return { kind: 'elsewhere', location: result }
  if (result === true) return { kind: 'granted' }
  const why = result === false ? 'refused' : `returned ${describeKind(result)}, expected true, false or a URL`
  throw new AuthError('AccessDenied', `${question.account.provider}: callbacks.signIn ${why}`)
}
