import { type PasskeyOptions, passkey } from '@postern/account/passkey'
import type { Authentication } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import {
  type Application,
  type ApplicationOptions,
  ada,
  base,
  createUser,
  findUser,
  getAddress,
  getCookies,
  openApplication as openWithPasswords,
  origin,
  type Strategy,
  strategies
} from './password-application.ts'
import {
  type Authenticator,
  type Changes,
  type CreationOptions,
  createAuthenticator
} from './software-authenticator.ts'

export { type Application, ada, base, createUser, findUser, getAddress, origin, type Strategy, strategies }

export interface PasskeyApplicationOptions extends ApplicationOptions {
  readonly passkey?: PasskeyOptions
}

/** An application with passkeys, passwords, and sign-in by email. */
export function openApplication(
  t: Parameters<typeof openWithPasswords>[0],
  strategy: Strategy,
  { passkey: options, providers = [], ...others }: PasskeyApplicationOptions = {}
): Promise<Application> {
  return openWithPasswords(t, strategy, { ...others, providers: [passkey(options), ...providers] })
}

/** Where a passkey of `origin` is neither added nor used. */
export const wrongOrigins: readonly string[] = [
  ...['https://evil.test', 'https://evil.app.test', 'https://app.test@evil.test', 'https://app.test.evil.test'],
  ...['http://app.test', 'https://app.test.', 'https://APP.test', 'https://app.test:443', 'https://app.test:8443'],
  ...['https://app.test/', 'null', '', 'android:apk-key-hash:x']
]
/** A value of the page's form, which the script reads. */
export const readOptions = <T>(page: BrowserResponse): T =>
  JSON.parse(
    page.html().querySelector('input[name=options]')?.getAttribute('value')?.replaceAll('&quot;', '"') ?? 'null'
  )

/** Adds a passkey on the page of the signed-in user, as its script does. */
export async function addPasskey(
  browser: Browser,
  authenticator: Authenticator,
  changes: Changes = {}
): Promise<BrowserResponse> {
  const page = await browser.open(`${base}/passkeys`)
  const credential = authenticator.create(readOptions<CreationOptions>(page), changes)
  return browser.fill(page, `${base}/passkeys`, { credential })
}

/** What the script of the sign-in page loads. */
export const loadOptions = (
  browser: Browser
): Promise<{ readonly challenge: string; readonly rpId: string; readonly userVerification: string }> =>
  browser.json(`${base}/passkey/options`)

/** Signs in as the script of the sign-in page does. */
export async function signInWithPasskey(
  browser: Browser,
  authenticator: Authenticator,
  changes: Changes = {}
): Promise<BrowserResponse> {
  const credential = authenticator.get(await loadOptions(browser), changes)
  return browser.submit(`${base}/callback/passkey`, { credential })
}

export const canSignIn = async (
  browser: Browser,
  authenticator: Authenticator,
  changes?: Changes
): Promise<boolean> => {
  await signInWithPasskey(browser, authenticator, changes)
  return (await getAddress(browser)) !== null
}

/** An application whose user Ada has a passkey, in the browser that is signed in. */
export async function openWithPasskey(
  t: Parameters<typeof openWithPasswords>[0],
  strategy: Strategy,
  options: PasskeyApplicationOptions & {
    readonly authenticator?: Partial<Parameters<typeof createAuthenticator>[0]>
  } = {}
): Promise<
  Application & { readonly browser: Browser; readonly authenticator: Authenticator; readonly userId: string }
> {
  const { authenticator: model = {}, ...others } = options
  const app = await openApplication(t, strategy, others)
  const browser = await createUser(app)
  const authenticator = createAuthenticator({ origin, ...model })
  await addPasskey(browser, authenticator)
  const userId = (await findUser(app, ada))?.id ?? ''
  return { ...app, browser, authenticator, userId }
}

/** How the user of a browser was authenticated. */
export async function getAuthentication({ auth }: Application, browser: Browser): Promise<Authentication | null> {
  return (await auth.readSession({ origin, cookies: getCookies(browser) })).getAuthentication()
}
