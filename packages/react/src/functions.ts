import type { Session } from '@postern/core'
import { client } from './client.ts'
import type {
  AddPasskeyOptions,
  AddPasskeyResponse,
  ClientSafeProvider,
  CtxOrReq,
  GetSessionParams,
  LiteralUnion,
  RedirectableProviderType,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
  SignUpWithPasskeyOptions,
  SignUpWithPasskeyResponse
} from './types.ts'

/**
 * Reads the session, and updates the `SessionProvider` of the page.
 *
 * Concurrent calls in a browser share one request. On a server, `req` supplies the user's cookies.
 *
 * @returns `null` if the user is signed out, or if the request failed, which is logged to the console.
 */
export function getSession(params?: GetSessionParams): Promise<Session | null> {
  return client.getSession(params)
}

/**
 * Reads the CSRF token, which the routes require with every POST.
 *
 * @returns `undefined` if the request failed.
 */
export function getCsrfToken(params?: CtxOrReq): Promise<string | undefined> {
  return client.getCsrfToken(params)
}

/**
 * Reads the sign-in options, by id.
 *
 * @returns `null` if there are none, or the request failed.
 */
export function getProviders(): Promise<Record<LiteralUnion<RedirectableProviderType>, ClientSafeProvider> | null> {
  return client.getProviders()
}

/**
 * Starts a sign-in, or opens the sign-in page if no known provider is named.
 *
 * @param options - The fields of the form, and `callbackUrl` and `redirect`.
 * @param authorizationParams - Additional parameters of an OAuth provider's authorization request; limited to its
 * `allowedAuthorizationParams`.
 * @returns The result with `redirect: false`, for email, credentials and passkeys, and if no passkey was used
 * (`PasskeyCancelled`, `PasskeyWrongDomain`, `PasskeyUnsupported`, `PasskeyFailed`); otherwise the browser leaves the page.
 * @throws Error if the request failed.
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
 * @returns The URL to navigate to, with `redirect: false`; otherwise the browser leaves the page.
 * @throws Error if the request failed.
 */
export function signOut<R extends boolean = true>(
  options?: SignOutParams<R>
): Promise<R extends true ? undefined : SignOutResponse>
export function signOut(options?: SignOutParams<boolean>): Promise<SignOutResponse | undefined> {
  return client.signOut(options)
}

/**
 * Adds a passkey to the signed-in user, with `passkey()` of `@postern/account` on the server. Call it when the user presses a
 * button: browsers ask for one.
 *
 * A user who has not signed in within the last 10 minutes is sent to authenticate again, and returns.
 *
 * @throws Error if a request failed.
 */
export async function addPasskey(options?: AddPasskeyOptions): Promise<AddPasskeyResponse> {
  return (await import('./passkey.ts')).addPasskey(options)
}

/**
 * Creates a passkey and sends a mail that confirms the address, with `passkey({ signUp: true })` of `@postern/account` on the
 * server. Call it when the user presses a button: browsers ask for one.
 *
 * There is no account before the link of the mail is opened in this browser, or its code is entered. The result is the same if
 * the address has an account, whose owner gets a mail that says so.
 *
 * @throws Error if a request failed.
 */
export async function signUpWithPasskey(options: SignUpWithPasskeyOptions): Promise<SignUpWithPasskeyResponse> {
  return (await import('./passkey.ts')).signUpWithPasskey(options)
}
