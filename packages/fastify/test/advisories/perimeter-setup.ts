import type { CredentialInput } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { type Browser, createBrowser, fromInject } from '@postern/testkit'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import postern, { type PosternPluginOptions } from '../../src/index.ts'
import { origin, people, type Started, type StartOptions, secret, start } from '../start.ts'
import { browserAt } from '../visitor.ts'

export const form = '/api/auth/callback/credentials'
export const password: CredentialInput = { label: 'Password', type: 'password' }

type Fields = Readonly<Record<string, string>>

export interface Guessing extends Started {
  /** How often `authorize` checked a password. */
  readonly checks: () => number
  /** Posts fields from an address. */
  readonly guess: (fields: Fields, address?: string, path?: string) => Promise<number>
}

/** An application with one form. The limit of callbacks is out of the way, so that only the password limits decide. */
export async function startGuessing(
  t: Test,
  fields: Readonly<Record<string, CredentialInput>>,
  options: StartOptions = {},
  ids: readonly string[] = ['credentials']
): Promise<Guessing> {
  let count = 0
  const authorize = (given: Fields) => {
    count++
    return given['password'] === 'lovelace' ? { id: 'mallory', name: 'Mallory' } : null
  }
  const rateLimit = { callbackPerClient: { points: 1_000_000, seconds: 60 } }
  const started = await start(t, {
    providers: ids.map((id) => credentials({ id, credentials: { ...fields, password }, authorize })),
    rateLimit,
    session: { strategy: 'jwt' },
    instances: 1,
    ...options
  })
  const browsers = new Map<string, { readonly browser: Browser; readonly csrfToken: string }>()
  const open = async (address: string) => {
    const browser = browserAt(started.app, started.clock, address)
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const opened = { browser, csrfToken }
    browsers.set(address, opened)
    return opened
  }
  const guess: Guessing['guess'] = async (given, address = '8.8.8.8', path = form) => {
    const { browser, csrfToken } = browsers.get(address) ?? (await open(address))
    return (await browser.submit(path, { password: 'wrong', ...given, csrfToken })).status
  }
  return { ...started, checks: () => count, guess }
}

/** A separate client for each number. */
export const getAddress = (index: number): string => `8.7.${(index >> 8) & 255}.${index & 255}`

const getCookie = (name: string): PosternPluginOptions['cookies'] => ({
  sessionToken: { name: `__Secure-${name}`, options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true } }
})

/** Options of a registration whose session cookie is `__Secure-<name>` for every path. */
export const getOptions = (name: string, more: Partial<PosternPluginOptions> = {}): PosternPluginOptions => ({
  url: origin,
  secret,
  providers: [people],
  cookies: getCookie(name),
  ...more
})

/** A server with a scope `/<name>` for each registration; `/<name>/me` is guarded. */
export async function startScopes(
  t: Test,
  registrations: Readonly<Record<string, Partial<PosternPluginOptions>>>,
  add: (scope: FastifyInstance, name: string) => unknown = () => undefined
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  for (const [name, more] of Object.entries(registrations)) {
    const register = async (scope: FastifyInstance): Promise<void> => {
      await add(scope, name)
      await scope.register(postern, getOptions(name, more))
      scope.get('/me', { preHandler: scope.requireSession }, async ({ auth }) => ({ user: auth?.user }))
    }
    await app.register(register, { prefix: `/${name}` })
  }
  await app.ready()
  return app
}

/** Signs in with a password in the scope of this name. @returns The browser, and its session token. */
export async function signInScope(
  app: FastifyInstance,
  name: string
): Promise<{ readonly browser: Browser; readonly token: string }> {
  const browser = createBrowser({ origin, send: fromInject(app), basePath: `/${name}/api/auth` })
  await browser.submit(`/${name}/api/auth/callback/credentials`, { username: 'ada', password: 'lovelace' })
  const token = browser.cookies.get(`__Secure-${name}`)
  if (token === null) throw new Error(`expected a session of /${name}`)
  return { browser, token }
}

/** The status of a guarded route for a session cookie. */
export async function statusWith(app: FastifyInstance, name: string, token: string): Promise<number> {
  const headers = { host: 'app.test', cookie: `__Secure-${name}=${token}` }
  return (await app.inject({ url: `/${name}/me`, headers })).statusCode
}

/** Runs work with `NODE_ENV=production` and no address in the environment. */
export async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const { env } = process
  const { NEXTAUTH_URL: _, AUTH_URL: __, ...others } = env
  process.env = { ...others, NODE_ENV: 'production' }
  try {
    return await work()
  } finally {
    process.env = env
  }
}
