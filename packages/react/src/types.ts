import type { Session } from '@postern/core'
import type { ReactNode } from 'react'

/** Known string literals, and any other string. */
export type LiteralUnion<T extends U, U = string> = T | (U & Record<never, never>)

/** The providers that `signIn` can use without leaving the page. */
export type RedirectableProviderType = 'email' | 'credentials' | 'passkey'

/** The public data of a provider. */
export interface ClientSafeProvider {
  id: LiteralUnion<RedirectableProviderType>
  name: string
  type: 'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn'
  signinUrl: string
  callbackUrl: string
}

/** The current request: on a server, its cookies identify the session. */
export interface IncomingRequest {
  headers?: { cookie?: string | undefined } | undefined
}

/** Contains the request, in the shapes of a route, a page and `getInitialProps`. */
export interface CtxOrReq {
  req?: IncomingRequest | undefined
  ctx?: { req?: IncomingRequest | undefined } | undefined
}

/** The options of `getSession`. */
export interface GetSessionParams extends CtxOrReq {
  /** Accepted for compatibility with next-auth; it has no effect. */
  event?: 'storage' | 'timer' | 'hidden' | LiteralUnion<string> | undefined
  /** Accepted for compatibility with next-auth; it has no effect. */
  triggerEvent?: boolean | undefined
  /** Whether to notify other tabs of a user that they may not know yet. @defaultValue `true` */
  broadcast?: boolean | undefined
}

/** The options of `signIn`: fields of the form, and the callback URL. */
export interface SignInOptions extends Record<string, unknown> {
  /** The URL after the sign-in. @defaultValue the current page */
  callbackUrl?: string | undefined
  /**
   * `false` stays on the page and returns a {@link SignInResponse}; email, credentials and passkeys only.
   *
   * @defaultValue `true`
   */
  redirect?: boolean | undefined
}

/** The result of a sign-in without leaving the page. */
export interface SignInResponse {
  /** The error code, or `null`. */
  error: string | null
  /** The `code` of the `CredentialsSignin` that `authorize` threw. */
  code?: string
  status: number
  ok: boolean
  /** The URL to navigate to; `null` after an error. */
  url: string | null
}

/** The options of `addPasskey`. */
export interface AddPasskeyOptions {
  /** What the user calls it, up to 64 characters. @defaultValue the name of the authenticator, otherwise "Passkey" in the language of each page */
  name?: string | undefined
  /** The code that POST `passkeys/code` has mailed, so that the passkey is a second factor too. @defaultValue none */
  mailCode?: string | undefined
  /** Where a user who has to authenticate again returns to. @defaultValue the current page */
  callbackUrl?: string | undefined
  /** Whether a user who has to authenticate again goes to that page. @defaultValue `true` */
  redirect?: boolean | undefined
}

/** The result of `addPasskey`. */
export interface AddPasskeyResponse {
  ok: boolean
  /**
   * `null`, or why no passkey was added: `PasskeyCancelled` by the user, or by the end of the time; `PasskeyExists` on this device;
   * `PasskeyWrongDomain` if the domain of the page has no passkeys of this application; `PasskeyUnsupported` by the browser or the
   * device; `PasskeyFailed`; `SessionRequired` if the user has to sign in or authenticate again; `unverified` if their address is not verified; `mailWrong` if `mailCode` is wrong;
   * or another reason.
   */
  error: string | null
  /** The page on which the user authenticates again; otherwise `null`. */
  url: string | null
}

/** The options of `signUpWithPasskey`. */
export interface SignUpWithPasskeyOptions {
  /** The address of the new account. */
  email: string
  /** Whether the browser goes to the page on which the code of the mail is entered. @defaultValue `true` */
  redirect?: boolean | undefined
}

/** The result of `signUpWithPasskey`. */
export interface SignUpWithPasskeyResponse {
  ok: boolean
  /**
   * `null`, or why no mail was sent: a reason of `addPasskey` that begins with `Passkey`; `emailInvalid`; `RateLimited`; `EmailSignin` if the mail could
   * not be sent; or another reason.
   */
  error: string | null
  /** The page on which the code of the mail is entered; `null` after an error. */
  url: string | null
}

/** Additional parameters of the authorization request, in any form that `new URLSearchParams()` accepts. */
export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** The options of `signOut`. */
export interface SignOutParams<R extends boolean = true> {
  /** The URL after the sign-out. @defaultValue the current page */
  callbackUrl?: string | undefined
  /** `false` stays on the page and returns a {@link SignOutResponse}. @defaultValue `true` */
  redirect?: R | undefined
  /**
   * Whether to sign out at the identity provider too, if it supports that: at the provider with this id, or with `true`
   * at the one that the user signed in with. The returned URL is then the provider's. @defaultValue `false`
   */
  provider?: boolean | string | undefined
}

/** The result of a sign-out without leaving the page. */
export interface SignOutResponse {
  /** The URL to navigate to. */
  url: string
}

/** The options of `useSession`. */
export interface UseSessionOptions<R extends boolean> {
  /** Whether a user without a session is redirected to the sign-in page, or passed to `onUnauthenticated`. */
  required: R
  /** Called instead of redirecting to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined
}

/**
 * Sends data to the session's callbacks on the server, and shows the resulting session.
 *
 * @returns The new session; `null` if the server did not return one; `undefined`, without a request, while the user is
 * signed out or the session is loading.
 */
export type UpdateSession = (data?: unknown) => Promise<Session | null | undefined>

interface Authenticated {
  readonly update: UpdateSession
  readonly data: Session
  readonly status: 'authenticated'
}

interface Loading {
  readonly update: UpdateSession
  /**
   * `undefined` before the first response, the previous session while `update` is pending, and `null` if a required
   * session is missing.
   */
  readonly data: Session | null | undefined
  readonly status: 'loading'
}

interface Unauthenticated {
  readonly update: UpdateSession
  readonly data: null
  readonly status: 'unauthenticated'
}

/** The result of `useSession`; a required session is never `unauthenticated`. */
export type SessionContextValue<R extends boolean = false> = R extends true
  ? Authenticated | Loading
  : Authenticated | Loading | Unauthenticated

/** When a mounted provider reads the session again. */
export interface Refetching {
  /** Seconds between reads while a user is signed in; 0 disables them. @defaultValue `0` */
  refetchInterval?: number | undefined
  /** Whether to read when the page becomes visible. @defaultValue `true` */
  refetchOnWindowFocus?: boolean | undefined
  /** The minimum seconds between a read and one that the page becoming visible causes. @defaultValue `0` */
  focusThrottleInterval?: number | undefined
  /** `false` skips the reads of `refetchInterval` while the device is offline. */
  refetchWhenOffline?: false | undefined
}

/** The props of `SessionProvider`. */
export interface SessionProviderProps extends Refetching {
  children?: ReactNode
  /** The session, if the server rendered it into the page; `null` for signed out. If unset, the provider reads it. */
  session?: Session | null | undefined
  /** Accepted for compatibility with next-auth, which ignores it too; see `configure`. */
  baseUrl?: string | undefined
  /** The path prefix of the routes, as in `configure`. */
  basePath?: string | undefined
}
