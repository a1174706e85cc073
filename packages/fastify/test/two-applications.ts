import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import {
  type Browser,
  type Clock,
  createBrowser,
  createClock,
  createIssuer,
  createMailbox,
  fromInject,
  type Issuer,
  type Mailbox
} from '@postern/testkit'
import Fastify, { type FastifyInstance } from 'fastify'
import postern, { type PosternPluginOptions } from '../src/index.ts'
import { demoIssuer, fromAfar, mails, origin, people, secret } from './start.ts'
import { type StoreProbe, watch } from './store-probe.ts'

export type Name = 'shop' | 'admin'

/** `/shop` and `/admin` on one server: the same secret, the same store, different ways to sign in. */
export interface TwoApplications {
  readonly app: FastifyInstance
  readonly store: StoreProbe
  readonly issuer: Issuer
  readonly mailbox: Mailbox
  readonly clock: Clock
  readonly newBrowser: (name: Name) => Browser
}

export interface TwoOptions {
  readonly strategy: 'jwt' | 'database'
  /** Options of both. */
  readonly both?: Partial<PosternPluginOptions>
  readonly shop?: Partial<PosternPluginOptions>
  readonly admin?: Partial<PosternPluginOptions>
  readonly adapter?: Adapter
}

interface Test {
  teardown(work: () => unknown): unknown
}

/** The session cookie of each application. */
export const sessionCookies = { shop: '__Secure-shop', admin: '__Secure-admin' } as const

const getCookies = (name: Name): PosternPluginOptions['cookies'] => ({
  sessionToken: {
    name: sessionCookies[name],
    options: { httpOnly: true, sameSite: 'lax', path: `/${name}`, secure: true }
  }
})

/** Starts a server with both applications; `/shop/me` and `/admin/me` are guarded. */
export async function startTwo(
  t: Test,
  { strategy, both, shop, admin, adapter }: TwoOptions
): Promise<TwoApplications> {
  const clock = createClock()
  const issuer = createIssuer({ clock })
  const mailbox = createMailbox()
  const store = watch(adapter ?? memoryAdapter())
  const app = Fastify()
  t.teardown(() => app.close())
  const common: PosternPluginOptions = {
    url: origin,
    secret,
    adapter: store.adapter,
    session: { strategy },
    rateLimit: false,
    providers: [],
    runtime: { now: clock.now, fetch: (url, init) => issuer.fetch(url, init), sendMail: mailbox.sendMail },
    ...both
  }
  const applications = {
    shop: { ...common, providers: [people, demoIssuer(issuer), mails()], cookies: getCookies('shop'), ...shop },
    admin: { ...common, providers: [demoIssuer(issuer), mails()], cookies: getCookies('admin'), ...admin }
  }
  for (const name of ['shop', 'admin'] as const) {
    const register = async (scope: FastifyInstance): Promise<void> => {
      await scope.register(postern, applications[name])
      scope.get('/me', { onRequest: scope.requireSession }, async ({ auth }) => ({ user: auth?.user }))
    }
    await app.register(register, { prefix: `/${name}` })
  }
  await app.ready()
  const newBrowser = (name: Name): Browser =>
    createBrowser({ origin, send: fromInject(app), clock, basePath: `/${name}/api/auth` })
  return { app, store, issuer, mailbox, clock, newBrowser }
}

/** Signs in at `/shop` with a password, at `/admin` at the issuer. @returns The session cookie's value. */
export async function signInAt(name: Name, { newBrowser, issuer }: TwoApplications): Promise<string> {
  const browser = newBrowser(name)
  const base = `/${name}/api/auth`
  if (name === 'shop') await browser.submit(`${base}/callback/credentials`, { username: 'grace', password: 'lovelace' })
  else {
    const response = await browser.submit(`${base}/signin/demo`, {})
    await browser.open(await issuer.authorize(response.location ?? ''), { headers: fromAfar })
  }
  const value = browser.cookies.get(sessionCookies[name])
  if (value === null) throw new Error(`expected a session of /${name}`)
  return value
}

/** A browser whose session cookie of this application has this value. */
export function browserWith(name: Name, value: string, { newBrowser }: Pick<TwoApplications, 'newBrowser'>): Browser {
  const browser = newBrowser(name)
  browser.cookies.set(sessionCookies[name], value, {
    ...{ secure: true, httpOnly: true, sameSite: 'Lax' },
    path: `/${name}`
  })
  return browser
}
