import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, PosternOptions } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import email from '@postern/core/providers/email'
import { type Browser, type Clock, createBrowser, createClock, createIssuer, createMailbox, fromInject, type Issuer, type Mailbox } from '@postern/testkit'
import Fastify, { type FastifyInstance } from 'fastify'
import postern from '../src/index.ts'

export const origin = 'https://app.test'
export const secret = 'a secret of the tests, 32 characters or more'

export interface Started {
  readonly app: FastifyInstance
  readonly browser: Browser
  readonly newBrowser: () => Browser
  readonly mailbox: Mailbox
  readonly issuer: Issuer
  readonly clock: Clock
  readonly adapter: Adapter | undefined
  /** Every line that was logged. */
  readonly log: string[]
}

export interface StartOptions extends Partial<PosternOptions> {
  readonly store?: 'none' | 'memory' | 'sqlite'
  readonly issuerOptions?: Parameters<typeof createIssuer>[0]
}

interface Test {
  teardown(work: () => unknown): unknown
}

function adapterOf(store: StartOptions['store']): Adapter | undefined {
  if (store === 'none') return undefined
  return store === 'sqlite' ? sqliteAdapter({ file: ':memory:' }) : memoryAdapter()
}

export function demoIssuer(issuer: Issuer) {
  return {
    id: 'demo',
    name: 'Demo',
    type: 'oidc' as const,
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

/** An application with all three ways in, and a browser in front of it. */
export async function start(t: Test, { store = 'memory', issuerOptions, ...options }: StartOptions = {}): Promise<Started> {
  const clock = createClock()
  const mailbox = createMailbox()
  const issuer = createIssuer({ clock, redirectUris: [`${origin}/api/auth/callback/demo`], ...issuerOptions })
  const adapter = options.adapter ?? adapterOf(store)
  const log: string[] = []
  const app = Fastify({ logger: { level: 'trace', stream: { write: (line: string) => void log.push(line) } } })
  const mails = adapter ? [email({ server: 'smtp://mail.test', from: 'App <no-reply@app.test>' })] : []
  await app.register(postern, {
    url: origin,
    secret,
    adapter,
    providers: [demoIssuer(issuer), ...mails, people],
    runtime: { now: clock.now, fetch: (url, init) => issuer.fetch(url, init), sendMail: mailbox.sendMail },
    ...options
  })
  app.get('/', async (request) => ({ session: await request.getSession() }))
  app.get('/me', { onRequest: app.requireSession }, async (request) => ({ user: request.auth?.user }))
  t.teardown(() => app.close())
  const newBrowser = (): Browser => createBrowser({ origin, send: fromInject(app), clock })
  return { app, browser: newBrowser(), newBrowser, mailbox, issuer, clock, adapter, log }
}

/** Signs in at the issuer, through every redirect, back to the application. */
export async function signInAtIssuer({ issuer }: Started, browser: Browser, person?: Parameters<Issuer['authorize']>[1], fields: Record<string, string> = {}) {
  const begun = await browser.submit('/api/auth/signin/demo', fields)
  const callback = await issuer.authorize(begun.location ?? '', person)
  return browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
}
