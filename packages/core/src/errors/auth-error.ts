import type { SetCookies } from '../model/cookie.ts'
import type { Reason } from '../model/page.ts'
import { catalogue, type Entry, type ErrorCode, knownCode } from './error-codes.ts'

const none: SetCookies = new Map()
const unknown: Entry = { screen: 'error', status: 403 }

export interface AuthErrorDetails {
  readonly cause?: unknown
  readonly reason?: Reason | null
  /** Cookies that are due in spite of the failure: a spent attempt is spent. */
  readonly cookies?: SetCookies
  /** Seconds until another try makes sense. */
  readonly retryAfter?: number | null
  /** Instead of the status that the catalogue gives the code. */
  readonly status?: number
}

/**
 * A sign-in that did not succeed, or a store that does not answer.
 *
 * `code` is what the visitor's URL shows; `message` is for operators and never holds a secret; `cause` is the evidence.
 */
export class AuthError extends Error {
  override readonly name: string = 'AuthError'
  readonly code: string
  readonly entry: Entry
  readonly reason: Reason | null
  /** Cookies that are due in spite of the failure. */
  cookies: SetCookies
  readonly retryAfter: number | null

  constructor(code: ErrorCode, message: string, details?: AuthErrorDetails)
  /** A code that the application chose, or the message that it threw. */
  constructor(code: string, message: string, details?: AuthErrorDetails)
  constructor(code: string, message: string, details: AuthErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    const known = knownCode(code)
    this.code = known ?? code
    const entry = known ? catalogue[known] : unknown
    this.entry = details.status === undefined ? entry : { ...entry, status: details.status }
    this.reason = details.reason ?? null
    this.cookies = details.cookies ?? none
    this.retryAfter = details.retryAfter ?? null
  }

  /** @returns This error, which also spends what these cookies stood for. */
  spending(cookies: SetCookies): this {
    this.cookies = new Map([...cookies, ...this.cookies])
    return this
  }

  /** The HTTP status, where a framework asks an error for it. */
  get statusCode(): number {
    return this.entry.status
  }
}

/**
 * Thrown by an application's `authorize` or `signIn` to refuse with a code that it has a text for.
 *
 * The code reaches the URL (`?error=<code>`); the message goes to the log only.
 */
export class SignInError extends Error {
  override readonly name: string = 'SignInError'
  readonly code: string

  constructor(code: string, message: string = code) {
    super(message)
    this.code = code
  }
}
