import { AuthError } from '../errors/auth-error.ts'
import type { RequestInfo } from '../model/request-info.ts'

/** A sign-in, a verification or a request to a feature that was refused, or that failed. */
export interface Refusal {
  /** The error code. Codes of the application that are not plain words are `'Other'`, as they may contain anything. */
  readonly code: string
  /** What exactly happened, of codes that have several reasons. */
  readonly reason: string | null
  /**
   * - `sign-in`: the start or the callback of a sign-in, or `app.postern.signIn`.
   * - `verification`: an interruption, such as a second factor, or authenticating again.
   * - `request`: a route of a feature.
   */
  readonly kind: 'sign-in' | 'verification' | 'request'
  /** The path of the route below the base path, without the values of its parameters: `/callback/:provider`. */
  readonly route: string
  /** The configured provider. */
  readonly provider: string | null
  /** The user whom it concerns; `null` if unknown. That user did not necessarily cause it. */
  readonly userId: string | null
  readonly request: RequestInfo
}

/** Reports a refusal to the features. Never throws. */
export type OnRefusal = (refusal: Refusal) => void

/** A code that is safe to store: the message of an error of the application may be its code. */
const toStoredCode = (code: string): string => (/^[A-Za-z][\w.-]{0,63}$/.test(code) ? code : 'Other')

/** What a refusal is about, apart from its error. */
export type RefusedRequest = Pick<Refusal, 'kind' | 'route' | 'provider' | 'request'>

/** Reports the error of a request to the features, if any of them asked for that. */
export function reportRefusal(error: unknown, refused: RefusedRequest, onRefusal: OnRefusal | null): void {
  if (!onRefusal) return
  const { code, reason, userId } = error instanceof AuthError ? error : { code: 'Callback', reason: null, userId: null }
  onRefusal({ ...refused, code: toStoredCode(code), reason, userId })
}

/** Reports a form without a valid CSRF token. */
export function reportForgedForm(refused: RefusedRequest, onRefusal: OnRefusal | null): void {
  onRefusal?.({ ...refused, code: 'CsrfTokenInvalid', reason: null, userId: null })
}
