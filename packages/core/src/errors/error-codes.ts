import type { ScreenCode, SignInCode } from '../model/page.ts'

/** How a code is shown: the screen that explains it, and the HTTP status. */
export interface Entry {
  readonly screen: 'signin' | 'error'
  readonly status: number
}

/** A code that the sign-in or error screen explains. */
export type ErrorCode = SignInCode | Exclude<ScreenCode, 'Default'> | 'SessionTooLarge'

/** The HTTP status and the screen of each code. */
export const errorCodes: { readonly [C in ErrorCode]: Entry } = {
  Signin: { screen: 'signin', status: 200 },
  OAuthSignin: { screen: 'signin', status: 200 },
  OAuthCallback: { screen: 'signin', status: 200 },
  OAuthCreateAccount: { screen: 'signin', status: 200 },
  EmailCreateAccount: { screen: 'signin', status: 200 },
  Callback: { screen: 'signin', status: 200 },
  OAuthAccountNotLinked: { screen: 'signin', status: 200 },
  EmailSignin: { screen: 'signin', status: 200 },
  CredentialsSignin: { screen: 'signin', status: 401 },
  SessionRequired: { screen: 'signin', status: 401 },
  UnmetRequirements: { screen: 'signin', status: 401 },
  DifferentUser: { screen: 'signin', status: 401 },
  Configuration: { screen: 'error', status: 500 },
  AccessDenied: { screen: 'error', status: 403 },
  PermissionRequired: { screen: 'error', status: 403 },
  Verification: { screen: 'error', status: 403 },
  ImpersonationForbidden: { screen: 'error', status: 403 },
  UserSuspended: { screen: 'error', status: 403 },
  RateLimited: { screen: 'error', status: 429 },
  SessionTooLarge: { screen: 'error', status: 500 },
  StoreConflict: { screen: 'error', status: 409 },
  UserReferenced: { screen: 'error', status: 409 },
  StoreUnavailable: { screen: 'error', status: 503 },
  NotFound: { screen: 'error', status: 404 }
}

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorCodes, text)
const byLowerCase = new Map(
  Object.keys(errorCodes)
    .filter(isCode)
    .map((code) => [code.toLowerCase(), code])
)

/** @returns The known code that equals `text` ignoring case, or `null`. */
export function knownCode(text: string): ErrorCode | null {
  return byLowerCase.get(text.toLowerCase()) ?? null
}

/**
 * @returns The text if it may be a code of the application: `SignInError` accepts any code, screens explain short ones.
 */
export function ownCode(text: string | null): string | null {
  return text !== null && knownCode(text) === null && /^[\w.-]{1,64}$/.test(text) ? text : null
}

export function isSignInCode(code: ErrorCode): code is SignInCode {
  return errorCodes[code].screen === 'signin'
}
