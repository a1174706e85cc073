import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, OAuthConfig } from '@postern/core'
import type { EmailOptions } from '@postern/core/providers/email'
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
import { notice } from '@postern/testkit/remote'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { PosternPluginOptions } from '../src/index.ts'
import { memoryLimiter } from '../src/limiter.ts'
import type { Setup } from './application.ts'
import type { Backends, Environment } from './cluster/environment.ts'
import { anyOf, openInstances } from './cluster/instances.ts'
import { isClustered, note } from './cluster/notes.ts'
import { refuseLeaks } from './leaks.ts'
import { mails, origin, people, secret } from './providers.ts'
import { type StoreProbe, watch } from './store-probe.ts'

export { cookieNames, lastMethodCookie } from './application.ts'
export { mails, origin, people, secret } from './providers.ts'

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
  /** What its instances have in common, with POSTERN_CLUSTER. */
  readonly environment: Environment | null
  /** Every line that was logged. */
  readonly log: string[]
}

export interface StartOptions extends Partial<PosternPluginOptions> {
  readonly store?: 'none' | 'memory' | 'sqlite'
  readonly adapter?: Adapter | undefined
  readonly issuerOptions?: Parameters<typeof createIssuer>[0]
  /** Changes to the OpenID Provider's entry. */
  readonly demo?: Partial<OAuthConfig>
  /** Changes to the email provider's entry. */
  readonly mail?: EmailOptions
  readonly server?: FastifyServerOptions
  /** 1 where a test is about what one process remembers. @defaultValue POSTERN_INSTANCES */
  readonly instances?: number
  /** Why instances on PostgreSQL and Redis would not show what the test is about. */
  readonly stays?: string
  /** Another application's, of which this one is an instance. */
  readonly environment?: Environment | null
  /** A module whose `setUp` adds to the application, before the plugin is registered: each instance loads it. */
  readonly routes?: string
  /** What the application does before it registers the plugin, in this process. */
  readonly before?: (app: FastifyInstance) => unknown
}

interface Test {
  teardown(work: () => unknown): unknown
}

function getAdapter(store: StartOptions['store']): Adapter | undefined {
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
    authorization: { params: { scope: 'openid email profile' } },
    // What the issuer states as verified is proven.
    hooks: { isEmailAuthority: () => true }
  }
}

/**
 * How many instances an application has; each request goes to any of them. With POSTERN_INSTANCES=2 every test shows
 * also that no necessary state is in the memory of one process. With POSTERN_CLUSTER=1 all but the first run in a separate process
 *, and each has a separate adapter and a limiter, on PostgreSQL and Redis.
 */
const allInstances = Number(process.env['POSTERN_INSTANCES'] ?? (isClustered ? 2 : 1))

/** Why an application does not run on PostgreSQL and Redis, with POSTERN_CLUSTER. */
function reasonToStay({ stays, adapter, store, instances }: StartOptions): string | null {
  if (stays !== undefined) return stays
  if (instances === 1) return 'they are about what one process remembers'
  if (adapter) return 'they bring a separate adapter'
  return store === 'sqlite' ? 'they are about SQLite' : null
}

/** What instances count together; a single one counts as it does by default. */
function sharedLimits({ rateLimit }: Partial<PosternPluginOptions>): Pick<PosternPluginOptions, 'rateLimit'> {
  if (allInstances === 1 || rateLimit === false || rateLimit?.limiter) return {}
  return { rateLimit: { ...rateLimit, limiter: memoryLimiter() } }
}

/** A busy machine is not an outage of the store; and what one instance revoked counts at once, not within a second. */
const constantsOfInstances = { limiterTimeoutMilliseconds: 10_000, revocationRefresh: 0 }

/** Another's ground, or its own one. */
async function getEnvironment(t: Test, { environment }: StartOptions): Promise<Environment> {
  return environment ?? (await import('./cluster/environment.ts')).createEnvironment(t)
}

async function openBackendsOn(t: Test, environment: Environment, now: () => number): Promise<Backends> {
  const backends = (await import('./cluster/environment.ts')).openBackends(environment, now)
  t.teardown(backends.close)
  return backends
}

/** An application with all three sign-in methods, and a browser in front of it. */
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
    stays: _,
    environment: __,
    routes = null,
    ...options
  } = given
  const clock = createClock()
  const mailbox = createMailbox()
  const issuer = createIssuer({ clock, redirectUris: [`${origin}/api/auth/callback/demo`], ...issuerOptions })
  const reason = reasonToStay(given)
  const environment = isClustered && reason === null ? await getEnvironment(t, given) : null
  const backends = environment ? await openBackendsOn(t, environment, clock.now) : null
  const probe = watch(backends?.adapter ?? options.adapter ?? getAdapter(store) ?? {})
  const hasStore = store !== 'none' || options.adapter !== undefined
  const log: string[] = []
  const cookieValues = new Set<string>()
  const bodies = new Set<string>()
  const omitted = () => [
    ...[options.secret ?? secret].flat(),
    issuer.clientSecret,
    ...mailbox.mails.flatMap(({ codes }) => codes),
    ...cookieValues
  ]
  const linkTokens = () =>
    mailbox.mails.flatMap(({ links }) => links.map((link) => new URL(link).searchParams.get('token')))
  t.teardown(() => refuseLeaks({ log, secrets: () => [...omitted(), ...linkTokens()], bodies, omitted }))
  const setup: Setup = {
    options: {
      url: origin,
      secret,
      providers: [{ ...demoIssuer(issuer), ...demo }, ...(hasStore ? [mails(mail)] : []), people],
      runtime: {
        now: clock.now,
        fetch: (url, init) => issuer.fetch(url, init),
        sendMail: mailbox.sendMail,
        ...runtime
      },
      ...options,
      ...(instances > 1 ? { constants: { ...constantsOfInstances, ...options.constants } } : {}),
      ...(environment ? {} : sharedLimits(options)),
      adapter: hasStore && !environment ? probe.adapter : undefined
    },
    server: server ?? {},
    listeners: {
      line: notice((line: string) => void log.push(line)),
      cookie: notice((value: string) => void cookieValues.add(value)),
      body: notice((text: string) => void bodies.add(text))
    },
    routes
  }
  const opened = await openInstances(t, { count: instances, setup, before, environment, backends, probe, hasStore })
  const { first: app } = opened
  note(t, opened.how, opened.reason ?? reason)
  const send: Send = (request) => fromInject(anyOf(app, request.url))(request)
  const newBrowser = (): Browser => createBrowser({ origin, send, clock })
  const adapter = hasStore ? probe.adapter : undefined
  return {
    app,
    browser: newBrowser(),
    newBrowser,
    send,
    mailbox,
    issuer,
    clock,
    adapter,
    store: probe,
    environment,
    log
  }
}

/** Signs in at the issuer, through every redirect, back to the application. A signed-in user links the account. */
export async function signInAtIssuer(
  { issuer }: Pick<Started, 'issuer'>,
  browser: Browser,
  person?: Person,
  fields: Readonly<Record<string, string>> = {}
): Promise<BrowserResponse> {
  const response = await browser.submit('/api/auth/signin/demo', { link: 'true', ...fields })
  const callback = await issuer.authorize(response.location ?? '', person)
  return browser.open(callback, { headers: fromAfar })
}

/** Follows the return from a provider to the page that asks a signed-in user whether to link the account. */
export async function openLinkPage(browser: Browser, response: BrowserResponse): Promise<BrowserResponse> {
  const { status, location } = response
  if (status !== 302 || !location?.endsWith('/api/auth/verify?error=VerificationRequired'))
    throw new Error(`expected an interruption, got ${status} ${location ?? ''}`)
  const page = await browser.followAll(response)
  if (page.status !== 200 || !page.url.endsWith('/api/auth/verify/link'))
    throw new Error(`expected the page, got ${page.status} ${page.url}`)
  return page
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

/** The session as a visitor sees it; `{}` for no one. */
export async function getSession(browser: Browser): Promise<{
  readonly user?: { readonly name?: string; readonly email?: string; readonly image?: string }
  readonly expires?: string
}> {
  return browser.json('/api/auth/session')
}
