import type { CredentialsConfig, OAuthConfig, PosternOptions } from '@postern/core'
import { type Browser, createIssuer, type Person } from '@postern/testkit'
import type { Test } from 'tap'
import { requireSession } from '../../src/index.ts'
import {
  demoIssuer,
  people as form,
  fromAfar,
  mails,
  origin,
  type Started,
  type StartOptions,
  start
} from '../start.ts'

export const strategies = ['jwt', 'database'] as const
export type Strategy = (typeof strategies)[number]

export const address = 'vera@example.com'
export const vera: Person = { sub: 'vera', name: 'Vera', email: address, email_verified: true }
export const mallory: Person = { sub: 'mallory', name: 'M', email: 'mallory@evil.test', email_verified: true }

/** A client that accepts no page, so that a guard replies with a status. */
export const script = { accept: 'application/json' }

/** Shows the id of the user in the session. */
export const withId: NonNullable<PosternOptions['callbacks']> = {
  session: ({ session, token, user }) => ({
    ...session,
    user: { ...session.user, id: user?.id ?? String(token?.['sub']) }
  })
}

interface Options extends StartOptions {
  /** Changes to the entry of the provider `loose`. */
  readonly loose?: Partial<OAuthConfig>
  /** The form. */
  readonly people?: CredentialsConfig
}

/** An application with two entries of one issuer, `demo` and `loose`, mails and a form; sessions show the user's id. */
export function startAccounts(
  t: Test,
  { demo, loose, mail, people = form, ...options }: Options = {}
): Promise<Started> {
  const entry = demoIssuer(createIssuer())
  return start(t, {
    instances: 1,
    rateLimit: false,
    callbacks: withId,
    providers: [{ ...entry, ...demo }, { ...entry, id: 'loose', ...loose }, mails(mail), people],
    issuerOptions: { redirectUris: ['demo', 'loose'].map((id) => `${origin}/api/auth/callback/${id}`) },
    ...options
  })
}

/** Starts a sign-in at a provider. @returns What finishes it. */
export async function begin(
  { issuer }: Started,
  browser: Browser,
  person: Person,
  { provider = 'demo', link = '' }: { readonly provider?: string; readonly link?: string } = {}
) {
  const { location } = await browser.submit(`/api/auth/signin/${provider}`, { link })
  const callback = await issuer.authorize(location ?? '', person)
  return { callback, finish: () => browser.open(callback, { headers: fromAfar }) }
}

/** Signs in at a provider. */
export async function signIn(
  started: Started,
  browser: Browser,
  person: Person,
  options?: Parameters<typeof begin>[3]
) {
  return (await begin(started, browser, person, options)).finish()
}

/** The id of the user whose session a browser has, or `null`. */
export async function idIn(browser: Browser): Promise<string | null> {
  const { user } = await browser.json<{ user?: { id: string } }>('/api/auth/session')
  return user?.id ?? null
}

/** The id of the user that an account leads to, or `null`. */
export async function idOf({ adapter }: Started, sub: string, provider = 'demo'): Promise<string | null> {
  const user = await adapter?.getUserByAccount?.({ provider, providerAccountId: sub })
  return user?.id ?? null
}

/** Provider and id of each account of a user. */
export async function accountsOf({ adapter }: Started, userId: string): Promise<readonly string[]> {
  const accounts = (await adapter?.getAccounts?.(userId)) ?? []
  return accounts.map(({ provider, providerAccountId }) => `${provider} ${providerAccountId}`).toSorted()
}

/** Creates a user as the sign-up form of the application does. */
export async function signUp({ adapter }: Started, email: string | null = address): Promise<string> {
  const user = await adapter?.createUser?.({ name: null, email, emailVerified: null })
  return user?.id ?? ''
}

/** Sets a cookie in a browser, as a page of the same site or a thief would. */
export const put = (browser: Browser, name: string, value: string | null, path: string = '/api/auth'): void =>
  browser.cookies.set(name, value ?? '', { secure: true, httpOnly: true, sameSite: 'Lax', path })

/** The status with which a client that accepts no page is answered. */
export const getStatus = async (browser: Browser, path: string): Promise<number> =>
  (await browser.request('GET', path, { headers: script })).status

interface GuardedOptions extends Options {
  /** Seconds since the sign-in that the guard of `/money` allows. @defaultValue `60` */
  readonly freshWithin?: number
}

/** An application with guards: `/money` requires a recent sign-in, `/password` and `/vault` an `amr`, `/gold` an `acr`. */
export async function startGuarded(t: Test, { freshWithin = 60, ...options }: GuardedOptions = {}) {
  const started = await startAccounts(t, {
    before: (app) => {
      app.after(() => {
        app.get('/money', { onRequest: requireSession.with({ freshWithin }) }, async () => 'money')
        app.get('/password', { onRequest: requireSession.with({ amr: ['pwd'] }) }, async () => 'password')
        app.get('/vault', { onRequest: requireSession.with({ amr: ['mfa'] }) }, async () => 'vault')
        app.get('/gold', { onRequest: requireSession.with({ acr: ['gold'] }) }, async () => 'gold')
        app.get('/who', { onRequest: requireSession }, async (request) => request.getAuthentication())
        app.get('/token', async (request) => app.postern.getToken(request))
      })
    },
    ...options
  })
  return { ...started, seconds: () => Math.floor(started.clock.now() / 1000) }
}
