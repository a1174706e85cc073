import {
  type Browser,
  type BrowserResponse,
  type Clock,
  createBrowser,
  createClock,
  createIssuer,
  fromFetch,
  type Issuer,
  type IssuerOptions
} from '@postern/testkit'
import type { PosternOptions } from '../../src/config/options.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { createPostern, type Postern } from '../../src/postern.ts'
import credentials from '../../src/providers/credentials.ts'

export const origin = 'https://app.test'
export const secret = 'a secret of the tests, 32 characters or more'
export const sessionCookie = '__Secure-next-auth.session-token'
export const checkCookies = ['state', 'pkce.code_verifier', 'nonce'].map((name) => `__Secure-next-auth.${name}`)

/** The log entries. */
export interface Line {
  readonly level: 'error' | 'warn'
  readonly code: string
  readonly metadata: unknown
}

export interface Started {
  readonly auth: Postern
  readonly browser: Browser
  readonly newBrowser: () => Browser
  readonly issuer: Issuer
  readonly clock: Clock
  readonly log: readonly Line[]
}

export interface StartOptions extends Partial<PosternOptions> {
  readonly issuerOptions?: IssuerOptions
  /** Options of the provider, in addition to those that the issuer needs. */
  readonly provider?: Partial<OAuthConfig>
  readonly environment?: Readonly<Record<string, string>>
}

/** A provider that is the issuer of the tests. */
export function demoProvider(
  { issuer, clientId, clientSecret }: Issuer,
  fields: Partial<OAuthConfig> = {}
): OAuthConfig {
  const isPublic = clientSecret === null
  return {
    ...{ id: 'demo', name: 'Demo', type: 'oidc', issuer, clientId },
    ...(isPublic ? { client: { token_endpoint_auth_method: 'none' } } : { clientSecret }),
    authorization: { params: { scope: 'openid email profile' } },
    // What the issuer states as verified is proven.
    hooks: { isEmailAuthority: () => true },
    ...fields
  }
}

/** The application's own form: everyone's password is the same. */
export const people = credentials({
  credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize: ({ username, password }) =>
    password === 'lovelace' ? { id: `id-${username}`, name: username, email: `${username}@Example.com` } : null
})

/** Sign-in without a framework and without a store, and a browser in front of it. */
export function start({ issuerOptions, provider, environment = {}, ...options }: StartOptions = {}): Started {
  const clock = createClock()
  const issuer = createIssuer({ clock, ...issuerOptions })
  const log: Line[] = []
  const write = (level: Line['level']) => (code: string, metadata?: unknown) => void log.push({ level, code, metadata })
  const auth = createPostern(
    {
      url: origin,
      secret,
      providers: [demoProvider(issuer, provider), people],
      runtime: { now: clock.now, fetch: (url, init) => issuer.fetch(url, init) },
      logger: { error: write('error'), warn: write('warn'), debug: () => undefined },
      ...options
    },
    environment
  )
  const newBrowser = (): Browser => createBrowser({ origin, send: fromFetch(auth.fetch), clock })
  return { auth, browser: newBrowser(), newBrowser, issuer, clock, log }
}

/** Starts a sign-in. @returns The URL of the redirect. */
export async function begin(
  browser: Browser,
  fields: Readonly<Record<string, string>> = {},
  path: string = '/api/auth/signin/demo'
): Promise<string> {
  const { status, location } = await browser.submit(path, fields)
  if (status !== 302 || !location || location.startsWith(origin))
    throw new Error(`expected to be sent to the issuer, got ${status} ${location}`)
  return location
}

/** Returns from another site. */
export function comeBack(browser: Browser, callback: string): Promise<BrowserResponse> {
  return browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
}

/** Signs in at the issuer, there and back. */
export async function signIn(
  { issuer }: Pick<Started, 'issuer'>,
  browser: Browser,
  fields: Readonly<Record<string, string>> = {}
): Promise<BrowserResponse> {
  return comeBack(browser, await issuer.authorize(await begin(browser, fields)))
}

/** @returns The session as the browser sees it. */
export function getSession(browser: Browser): Promise<{ user?: { name?: string; email?: string }; expires?: string }> {
  return browser.json('/api/auth/session')
}

/** @returns The paths that the issuer was requested since then, in order. */
export function requested({ issuer, requests }: Issuer, since: number = 0): readonly string[] {
  return requests.slice(since).map(({ url }) => url.slice(issuer.length).replace(/\?.*/, ''))
}

/** @returns A parameter of the address that a response redirects to. */
export function parameter({ location }: BrowserResponse, name: string): string | null {
  return location === null ? null : new URL(location, origin).searchParams.get(name)
}
