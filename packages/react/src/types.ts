import type { Session } from '@postern/core'
import type { ReactNode } from 'react'

/** Some texts by name, and any other text as well. */
export type LiteralUnion<T extends U, U = string> = T | (U & Record<never, never>)

/** The ways in that `signIn` can finish without leaving the page. */
export type RedirectableProviderType = 'email' | 'credentials'

/** A way to sign in, as a visitor may know it. */
export interface ClientSafeProvider {
  id: LiteralUnion<RedirectableProviderType>
  name: string
  type: 'oauth' | 'oidc' | 'email' | 'credentials'
  signinUrl: string
  callbackUrl: string
}

/** The request that is answered: on a server, its cookies say whose session it is. */
export interface IncomingRequest {
  headers?: { cookie?: string | undefined } | undefined
}

/** Where the request is found, in the shapes of a route, a page and `getInitialProps`. */
export interface CtxOrReq {
  req?: IncomingRequest | undefined
  ctx?: { req?: IncomingRequest | undefined } | undefined
}

/** What `getSession` takes. */
export interface GetSessionParams extends CtxOrReq {
  /** Accepted for next-auth's sake; it changes nothing. */
  event?: 'storage' | 'timer' | 'hidden' | LiteralUnion<string> | undefined
  /** Accepted for next-auth's sake; it changes nothing. */
  triggerEvent?: boolean | undefined
  /** Whether other tabs are told of a user that they may not know yet. @defaultValue `true` */
  broadcast?: boolean | undefined
}

/** What `signIn` takes: fields of the form, and where to go. */
export interface SignInOptions extends Record<string, unknown> {
  /** Where the visitor goes afterwards. @defaultValue the page they are on */
  callbackUrl?: string | undefined
  /** `false` stays on the page and answers with a {@link SignInResponse}; e-mail and credentials only. @defaultValue `true` */
  redirect?: boolean | undefined
}

/** How a sign-in without leaving the page ended. */
export interface SignInResponse {
  /** The error code, or `null`. */
  error: string | null
  status: number
  ok: boolean
  /** Where the visitor would go next; `null` after an error. */
  url: string | null
}

/** More parameters of the authorization request: whatever `new URLSearchParams()` takes. */
export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** What `signOut` takes. */
export interface SignOutParams<R extends boolean = true> {
  /** Where the visitor goes afterwards. @defaultValue the page they are on */
  callbackUrl?: string | undefined
  /** `false` stays on the page and answers with a {@link SignOutResponse}. @defaultValue `true` */
  redirect?: R | undefined
  /**
   * Whether to sign out at the identity provider too, where it can: at the one of this name, or with `true` at the one
   * that the visitor signed in with. The address to go to is the provider's then. @defaultValue `false`
   */
  provider?: boolean | string | undefined
}

/** How a sign-out without leaving the page ended. */
export interface SignOutResponse {
  /** Where the visitor would go next. */
  url: string
}

/** What `useSession` takes. */
export interface UseSessionOptions<R extends boolean> {
  /** Whether a visitor without a session is sent away, to the sign-in page or by `onUnauthenticated`. */
  required: R
  /** Called instead of going to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined
}

/**
 * Sends data to the session's callbacks on the server, and shows the session that comes of it.
 *
 * @returns The new session; `null` if the server did not answer with one; `undefined`, without asking it, while nobody
 * is signed in or the session is being read.
 */
export type UpdateSession = (data?: unknown) => Promise<Session | null | undefined>

interface Authenticated {
  readonly update: UpdateSession
  readonly data: Session
  readonly status: 'authenticated'
}

interface Loading {
  readonly update: UpdateSession
  /** The session as it was while `update` is under way; `null` before the first answer. */
  readonly data: Session | null
  readonly status: 'loading'
}

interface Unauthenticated {
  readonly update: UpdateSession
  readonly data: null
  readonly status: 'unauthenticated'
}

/** What `useSession` answers; a required session is never `unauthenticated`. */
export type SessionContextValue<R extends boolean = false> = R extends true
  ? Authenticated | Loading
  : Authenticated | Loading | Unauthenticated

/** When a mounted provider reads the session again. */
export interface Refetching {
  /** Seconds between reads while somebody is signed in; 0 for none. @defaultValue `0` */
  refetchInterval?: number | undefined
  /** Whether to read when the page becomes visible, at most once a minute. @defaultValue `true` */
  refetchOnWindowFocus?: boolean | undefined
  /** `false` leaves out the reads of `refetchInterval` while the device is offline. */
  refetchWhenOffline?: false | undefined
}

/** The props of `SessionProvider`. */
export interface SessionProviderProps extends Refetching {
  children?: ReactNode
  /** The session, if the server put it into the page; `null` for nobody. Without it the provider reads it. */
  session?: Session | null | undefined
  /** Accepted for next-auth's sake, where it is unused too; see `configure`. */
  baseUrl?: string | undefined
  /** The base path of the routes, as `configure` takes it. */
  basePath?: string | undefined
}
