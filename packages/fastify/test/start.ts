import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, OAuthConfig } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import email, { type EmailOptions } from '@postern/core/providers/email'
import {
  type Browser,
  type BrowserResponse,
  type Clock,
  createBrowser,
  createClock,
  createIssuer,
  createMailbox,
  fromInject,
  type Issuer,
  type Mailbox,
  type Person,
  type Send
} from '@postern/testkit'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import postern, { type PosternPluginOptions } from '../src/index.ts'
import { memoryLimiter } from '../src/limiter.ts'
import { collectBodies, collectCookies, refuseLeaks } from './leaks.ts'
import { type StoreProbe, watch } from './store-probe.ts'

export const origin = 'https://app.test'
export const secret = 'a secret of the tests, 32 characters or more'

/** The cookies of an application on https, by next-auth v4's keys. */
export const cookieNames = {
  sessionToken: '__Secure-next-auth.session-token',
  callbackUrl: '__Secure-next-auth.callback-url',
  csrfToken: '__Host-next-auth.csrf-token',
  pkceCodeVerifier: '__Secure-next-auth.pkce.code_verifier',
  state: '__Secure-next-auth.state',
  nonce: '__Secure-next-auth.nonce',
  emailRequest: '__Secure-postern.email'
} as const

/** All but the one that is no secret. */
const sealedCookies = Object.values(cookieNames).filter((name) => name !== cookieNames.callbackUrl)

export interface Started {
  readonly app: FastifyInstance
  readonly browser: Browser
  readonly newBrowser: () => Browser
  /** How browsers reach it. */
  readonly send: Send
  readonly mailbox: Mailbox
  readonly issuer: Issuer
  readonly clock: Clock
  readonly adapter: Adapter | undefined
  /** Watches the adapter, and breaks it. */
  readonly store: StoreProbe
  /** Every line that was logged. */
  readonly log: string[]
}

export interface StartOptions extends Partial<PosternPluginOptions> {
  readonly store?: 'none' | 'memory' | 'sqlite'
  readonly adapter?: Adapter | undefined
  readonly issuerOptions?: Parameters<typeof createIssuer>[0]
  /** Changes to the OpenID Provider's entry. */
  readonly demo?: Partial<OAuthConfig>
  /** Changes to the e-mail provider's entry. */
  readonly mail?: EmailOptions
  readonly server?: FastifyServerOptions
  /** 1 where a test is about what one process remembers. @defaultValue POSTERN_INSTANCES */
  readonly instances?: number
  /** What the application does before it registers the plugin. */
  readonly before?: (app: FastifyInstance) => unknown
}

interface Test {
  teardown(work: () => unknown): unknown
}

function adapterOf(store: StartOptions['store']): Adapter | undefined {
  if (store === 'none') return undefined
  return store === 'sqlite' ? sqliteAdapter({ file: ':memory:' }) : memoryAdapter()
}

export function demoIssuer(issuer: Issuer): OAuthConfig {
  return {
    id: 'demo',
    name: 'Demo',
    type: 'oidc',
    issuer: issuer.issuer,
    clientId: issuer.clientId,
    clientSecret: issuer.clientSecret ?? undefined,
    authorization: { params: { scope: 'openid email profile' } }
  }
}

export const people = credentials({
  credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize: ({ username, password }) =>
    password === 'lovelace' ? { id: `id-${username}`, name: username, email: `${username}@example.com` } : null
})

/** The mails of the application: a server that the mailbox stands in for. */
export function mails(options: EmailOptions = {}) {
  return email({ server: 'smtp://mail.test', from: 'App <no-reply@app.test>', ...options })
}

/**
 * How many instances an application has; each request goes to any of them. With POSTERN_INSTANCES=2 every test shows
 * besides that nothing that matters is in the memory of one.
 */
const allInstances = Number(process.env['POSTERN_INSTANCES'] ?? 1)

/** What instances count together; a single one counts as it does by default. */
function sharedLimits({ rateLimit }: Partial<PosternPluginOptions>): Pick<PosternPluginOptions, 'rateLimit'> {
  if (allInstances === 1 || rateLimit === false || rateLimit?.limiter) return {}
  return { rateLimit: { ...rateLimit, limiter: memoryLimiter() } }
}

/** An application with all three ways in, and a browser in front of it. */
export async function start(t: Test, given: StartOptions = {}): Promise<Started> {
  const {
    store = 'memory',
    issuerOptions,
    demo,
    mail,
    server,
    before,
    runtime,
    instances = allInstances,
    ...options
  } = given
  const clock = createClock()
  const mailbox = createMailbox()
  const issuer = createIssuer({ clock, redirectUris: [`${origin}/api/auth/callback/demo`], ...issuerOptions })
  const probe = watch(options.adapter ?? adapterOf(store) ?? {})
  const adapter = store === 'none' && !options.adapter ? undefined : probe.adapter
  const log: string[] = []
  const logger = { level: 'trace', stream: { write: (line: string) => void log.push(line) } }
  const limits = sharedLimits(options)
  const cookieValues = new Set<string>()
  const bodies = new Set<string>()
  const unsaid = () => [
    ...[options.secret ?? secret].flat(),
    issuer.clientSecret,
    ...mailbox.mails.flatMap(({ codes }) => codes),
    ...cookieValues
  ]
  const linkTokens = () =>
    mailbox.mails.flatMap(({ links }) => links.map((link) => new URL(link).searchParams.get('token')))
  t.teardown(() => refuseLeaks({ log, secrets: () => [...unsaid(), ...linkTokens()], bodies, unsaid }))
  const startInstance = async (): Promise<FastifyInstance> => {
    const app = Fastify({ logger, ...server })
    t.teardown(() => app.close())
    collectCookies(app, sealedCookies, cookieValues)
    collectBodies(app, '/api/auth', bodies)
    await before?.(app)
    await app.register(postern, {
      url: origin,
      secret,
      providers: [{ ...demoIssuer(issuer), ...demo }, ...(adapter ? [mails(mail)] : []), people],
      runtime: {
        now: clock.now,
        fetch: (url, init) => issuer.fetch(url, init),
        sendMail: mailbox.sendMail,
        ...runtime
      },
      ...options,
      ...limits,
      adapter
    })
    app.get('/', async (request) => ({ session: await request.getSession() }))
    app.get('/me', { onRequest: app.requireSession }, async (request) => ({ user: request.auth?.user }))
    return app
  }
  const app = await startInstance()
  const others = await Promise.all(Array.from({ length: instances - 1 }, startInstance))
  const sends = [app, ...others].map(fromInject)
  // Routes that a test adds are those of the first one only.
  const send: Send = (request) => {
    const isOfAll = /^\/(api\/auth\b|me\b|\?|$)/.test(request.url)
    return (sends[isOfAll ? Math.floor(Math.random() * sends.length) : 0] ?? fromInject(app))(request)
  }
  const newBrowser = (): Browser => createBrowser({ origin, send, clock })
  return { app, browser: newBrowser(), newBrowser, send, mailbox, issuer, clock, adapter, store: probe, log }
}

/** Signs in at the issuer, through every redirect, back to the application. */
export async function signInAtIssuer(
  { issuer }: Pick<Started, 'issuer'>,
  browser: Browser,
  person?: Person,
  fields: Readonly<Record<string, string>> = {}
): Promise<BrowserResponse> {
  const begun = await browser.submit('/api/auth/signin/demo', fields)
  const callback = await issuer.authorize(begun.location ?? '', person)
  return browser.open(callback, { headers: fromAfar })
}

/** A visitor who comes from another site: from the provider, or from a mail that was opened on the web. */
export const fromAfar = { 'sec-fetch-site': 'cross-site' } as const

/** Asks for a mail and opens its link in the same browser. */
export async function signInByMail(
  { mailbox }: Pick<Started, 'mailbox'>,
  browser: Browser,
  address: string = 'ada@example.com'
): Promise<BrowserResponse> {
  await browser.submit('/api/auth/signin/email', { email: address })
  return browser.open(mailbox.last().url, { headers: fromAfar })
}

/** Signs in through the application's own form. */
export async function signInByForm(browser: Browser, username: string = 'grace'): Promise<BrowserResponse> {
  return browser.submit('/api/auth/callback/credentials', { username, password: 'lovelace' })
}

/** The session as a visitor sees it; `{}` for nobody. */
export async function sessionOf(browser: Browser): Promise<{
  readonly user?: { readonly name?: string; readonly email?: string; readonly image?: string }
  readonly expires?: string
}> {
  return browser.json('/api/auth/session')
}
