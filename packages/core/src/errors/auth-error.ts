import type { SetCookies } from '../model/cookie.ts'
import type { Reason } from '../model/page.ts'
import { type Entry, type ErrorCode, errorCodes, knownCode } from './error-codes.ts'

const none: SetCookies = new Map()
const unknown: Entry = { screen: 'error', status: 403 }

/** A reason that the sign-in page explains, or `spent` for a code that was wrong too often. */
export type ErrorReason = Reason | 'spent'

/** Optional properties of an {@link AuthError}. */
export interface AuthErrorDetails {
  readonly cause?: unknown
  readonly reason?: ErrorReason | null
  /** Cookies to set despite the error: a consumed sign-in attempt stays consumed. */
  readonly cookies?: SetCookies
  /** Seconds until a retry is useful. */
  readonly retryAfter?: number | null
  /** The `code` of Auth.js' `CredentialsSignin`, which appears in the URL. */
  readonly credentialsCode?: string | null
  /** Replaces the status of the error code. */
  readonly status?: number
  /** The user whom the refusal concerns, for the audit log; never shown. */
  readonly userId?: string | null
}

/**
 * A sign-in failed, or the store did not respond.
 *
 * `code` appears in the URL; `message` is for operators and never contains a secret; `cause` is the underlying error.
 */
export class AuthError extends Error {
  override readonly name: string = 'AuthError'
  readonly code: string
  readonly entry: Entry
  readonly reason: ErrorReason | null
  /** Cookies to set despite the error. */
  cookies: SetCookies
  readonly retryAfter: number | null
  readonly credentialsCode: string | null
  /** The user whom the refusal concerns, for the audit log; `null` if unknown. Not enumerable, so that logs omit it. */
  declare readonly userId: string | null

  constructor(code: ErrorCode, message: string, details?: AuthErrorDetails)
  /** For a code that the application chose, or the message that it threw. */
  constructor(code: string, message: string, details?: AuthErrorDetails)
  constructor(code: string, message: string, details: AuthErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    const known = knownCode(code)
    this.code = known ?? code
    const entry = known ? errorCodes[known] : unknown
    this.entry = details.status === undefined ? entry : { ...entry, status: details.status }
    this.reason = details.reason ?? null
    this.cookies = details.cookies ?? none
    this.retryAfter = details.retryAfter ?? null
    this.credentialsCode = details.credentialsCode ?? null
    Object.defineProperty(this, 'userId', { value: details.userId ?? null, configurable: true })
  }

  /** @returns This error, which concerns a user unless it names one. */
  withUser(userId: string | null): this {
    if (this.userId === null) Object.defineProperty(this, 'userId', { value: userId, configurable: true })
    return this
  }

  /** @returns This error, which also sets these cookies. */
  withCookies(cookies: SetCookies): this {
    this.cookies = new Map([...cookies, ...this.cookies])
    return this
  }

  /** The HTTP status, as frameworks read it from errors. */
  get statusCode(): number {
    return this.entry.status
  }
}

/**
 * Thrown by an application's `authorize` or `signIn` to refuse a sign-in with a code of its own.
 *
 * The code appears in the URL (`?error=<code>`); the message is only logged. `userId` names the user whom it concerns, for
 * the audit log alone.
 */
export class SignInError extends Error {
  override readonly name: string = 'SignInError'
  readonly code: string
  declare readonly userId: string | null

  constructor(code: string, message: string = code, { userId = null }: { readonly userId?: string | null } = {}) {
    super(message)
    this.code = code
    Object.defineProperty(this, 'userId', { value: userId })
  }
}
