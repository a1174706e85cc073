import { accountPages } from '@postern/account/pages'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, EventRecord, Renderer } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import email from '@postern/core/providers/email'
import postern, { type PosternPluginOptions } from '@postern/fastify'
import {
  type Browser,
  type BrowserResponse,
  type Clock,
  createBrowser,
  createClock,
  fromInject
} from '@postern/testkit'
import Fastify, { type FastifyInstance } from 'fastify'
import { pin } from '../src/pin.ts'

export const origin = 'https://app.test'
export type Strategy = 'jwt' | 'database'

interface Test {
  teardown(work: () => unknown): unknown
}

export interface Application {
  readonly app: FastifyInstance
  readonly adapter: Adapter
  readonly clock: Clock
  readonly newBrowser: () => Browser
  /** The links that were mailed, the newest last. */
  readonly links: readonly string[]
  readonly events: (type: string) => Promise<readonly EventRecord[]>
}

export interface ApplicationOptions extends Partial<PosternPluginOptions> {
  readonly renderer?: Renderer
  readonly pinOptions?: Parameters<typeof pin>[0]
}

/** The users of the form: the password is the name, backwards. */
export const people = credentials({
  credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize: ({ username, password }) =>
    password === [...username].reverse().join('')
      ? { id: username, name: username, email: `${username}@form.example` }
      : null
})

/** An application with the feature, account pages, a form and mails. */
export async function openApplication(
  t: Test,
  strategy: Strategy,
  { pinOptions, features = [], ...options }: ApplicationOptions = {}
): Promise<Application> {
  const [adapter, clock, links]: [Adapter, Clock, string[]] = [memoryAdapter(), createClock(), []]
  const app = Fastify({ forceCloseConnections: true })
  const mails = email({ sendVerificationRequest: ({ url }) => void links.push(url) })
  await app.register(postern, {
    url: origin,
    secret: 'a secret of the tests, 32 characters or more',
    adapter,
    session: { strategy },
    runtime: { now: clock.now },
    rateLimit: false,
    providers: [people, mails, pin(pinOptions)],
    features: [accountPages(), ...features],
    ...options
  })
  t.teardown(() => app.close())
  return {
    app,
    adapter,
    clock,
    links,
    newBrowser: () => createBrowser({ origin, send: fromInject(app), clock }),
    events: async (type) => (await adapter.listEvents?.({ type, limit: 100 })) ?? []
  }
}

export const signInByForm = (browser: Browser, name: string): Promise<BrowserResponse> =>
  browser.submit('/api/auth/callback/credentials', {
    username: name,
    password: [...name].reverse().join(''),
    callbackUrl: '/after'
  })

export async function signInByMail(
  { links }: Application,
  browser: Browser,
  address: string
): Promise<BrowserResponse> {
  await browser.submit('/api/auth/signin/email', { email: address, callbackUrl: '/after' })
  return browser.open(links.at(-1) ?? '')
}

export const signInByPass = (browser: Browser, pass: string): Promise<BrowserResponse> =>
  browser.submit('/api/auth/callback/pass', { pass, callbackUrl: '/after' })

export const savePin = (browser: Browser, value: string): Promise<BrowserResponse> =>
  browser.submit('/api/auth/pin', { pin: value })

export const enterPin = (browser: Browser, value: string): Promise<BrowserResponse> =>
  browser.submit('/api/auth/verify/pin', { pin: value })

/** The name or the address of the signed-in user, or `null`. */
export async function getUser(browser: Browser): Promise<string | null> {
  const session = await browser.json<{ user?: { name?: string; email?: string } }>('/api/auth/session')
  return session.user?.email ?? null
}
