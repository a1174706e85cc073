import type { Browser, BrowserResponse } from '@postern/testkit'
import {
  type Application,
  base,
  openApplication,
  origin,
  type PasskeyApplicationOptions,
  readOptions,
  type Strategy
} from './passkey-application.ts'
import {
  type Authenticator,
  type Changes,
  type CreationOptions,
  createAuthenticator
} from './software-authenticator.ts'

export const signUpPage = `${base}/passkey/sign-up`
export const callback = `${base}/callback/passkey-sign-up`

/** An application in which visitors create accounts with passkeys. */
export function openForSignUps(
  t: Parameters<typeof openApplication>[0],
  strategy: Strategy,
  { passkey, ...options }: PasskeyApplicationOptions = {}
): Promise<Application> {
  return openApplication(t, strategy, { ...options, passkey: { signUp: true, ...passkey } })
}

/** Signs up as the script of the page does. */
export async function signUpWithPasskey(
  browser: Browser,
  email: string,
  authenticator: Authenticator = createAuthenticator({ origin }),
  changes: Changes = {}
): Promise<BrowserResponse> {
  const page = await browser.open(signUpPage)
  const credential = authenticator.create(readOptions<CreationOptions>(page), changes)
  return browser.fill(page, signUpPage, { email, credential })
}

/** Confirms the mailed link in a browser that creates a passkey there if the page asks for one. */
export async function confirm(
  browser: Browser,
  url: string,
  authenticator: Authenticator = createAuthenticator({ origin }),
  changes: Changes = {}
): Promise<BrowserResponse> {
  const page = await browser.open(url)
  const options = readOptions<CreationOptions | null>(page)
  return browser.fill(page, 'form', options ? { credential: authenticator.create(options, changes) } : {})
}

export const getToken = (url: string): string => new URL(url).searchParams.get('token') ?? ''
