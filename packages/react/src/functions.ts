import type { Session } from '@postern/core'
import { client } from './client.ts'
import type {
  ClientSafeProvider,
  CtxOrReq,
  GetSessionParams,
  LiteralUnion,
  RedirectableProviderType,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse
} from './types.ts'

/**
 * Reads the session; a `SessionProvider` on the page shows what it finds.
 *
 * Reads at the same moment are one request, in a browser. On a server `req` brings the visitor's cookies.
 *
 * @returns `null` for nobody, and where the server could not be asked, which is logged to the console.
 */
export function getSession(params?: GetSessionParams): Promise<Session | null> {
  return client.getSession(params)
}

/**
 * Reads the anti-forgery token that the routes want with every POST.
 *
 * @returns `undefined` where the server could not be asked.
 */
export function getCsrfToken(params?: CtxOrReq): Promise<string | undefined> {
  return client.getCsrfToken(params)
}

/**
 * Reads the ways to sign in, by id.
 *
 * @returns `null` where there are none, or the server could not be asked.
 */
export function getProviders(): Promise<Record<LiteralUnion<RedirectableProviderType>, ClientSafeProvider> | null> {
  return client.getProviders()
}

/**
 * Starts a sign-in, or goes to the sign-in page where no known provider is named.
 *
 * @param options - The fields of the form, and `callbackUrl` and `redirect`.
 * @param authorizationParams - Further parameters of the authorization request of an OAuth provider.
 * @returns How it ended with `redirect: false`, for e-mail and credentials; otherwise the browser leaves the page.
 * @throws Error the server could not be asked.
 */
export function signIn<P extends RedirectableProviderType | undefined = undefined>(
  provider?: LiteralUnion<P extends RedirectableProviderType ? P | RedirectableProviderType : RedirectableProviderType>,
  options?: SignInOptions,
  authorizationParams?: SignInAuthorizationParams
): Promise<P extends RedirectableProviderType ? SignInResponse | undefined : undefined>
export function signIn(
  provider?: string,
  options?: SignInOptions,
  parameters?: SignInAuthorizationParams
): Promise<SignInResponse | undefined> {
  return client.signIn(provider, options, parameters)
}

/**
 * Ends the session.
 *
 * @returns Where to go, with `redirect: false`; otherwise the browser leaves the page.
 * @throws Error the server could not be asked.
 */
export function signOut<R extends boolean = true>(
  options?: SignOutParams<R>
): Promise<R extends true ? undefined : SignOutResponse>
export function signOut(options?: SignOutParams<boolean>): Promise<SignOutResponse | undefined> {
  return client.signOut(options)
}
