import { createServer } from 'node:http'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, PosternOptions } from '@postern/core'
import { type Browser, createIssuer, type Issuer } from '@postern/testkit'
import type { NextAuthOptions } from 'next-auth'
import { startNextAuth } from '../next-auth.ts'
import { type Started, startPostern, type Test } from '../postern.ts'
import { fourteen } from '../user-code/faults.ts'

/** Serves an issuer on a port: next-auth's client uses HTTP. */
export async function serve(t: Test): Promise<Issuer> {
  let issuer: Issuer | null = null
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const { method = 'GET', url = '/', headers } = request
    const body = method === 'POST' ? Buffer.concat(chunks).toString() : null
    const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    const reply = await issuer?.fetch(`${issuer.issuer}${url}`, { method, headers: Object.fromEntries(fields), body })
    response.writeHead(reply?.status ?? 500, Object.fromEntries(reply?.headers ?? []))
    response.end(await reply?.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  issuer = createIssuer({ issuer: `http://127.0.0.1:${port}`, alg: 'RS256' })
  return issuer
}

/** One side of a comparison. */
export interface Side extends Started {
  readonly name: 'next-auth' | 'Postern'
  readonly issuer: Issuer
  readonly adapter: Adapter
  /** The links that were mailed. */
  readonly links: readonly string[]
  /** The calls of the application's callbacks and listeners, in order. */
  readonly calls: readonly (readonly [name: string, parameters: unknown])[]
}

export interface TestOptions {
  readonly strategy?: 'jwt' | 'database'
  readonly withAdapter?: boolean
  readonly pages?: { readonly [page in 'signIn' | 'signOut' | 'error' | 'verifyRequest' | 'newUser']?: string }
  /** Whether the application has a `redirect` callback, which answers like the default one. */
  readonly hasRedirect?: boolean
  /** The result of `signIn`. */
  readonly signIn?: () => boolean | string
  readonly authorize?: () => { id: string; name: string; email: string; image: string } | null
}

const person = { id: '1', name: 'Ada', email: 'ada@form.test', image: 'https://app.test/ada.png' }

const stay = ({ url, baseUrl }: { readonly url: string; readonly baseUrl: string }): string =>
  url.startsWith('/') ? `${baseUrl}${url}` : url.startsWith(`${baseUrl}/`) ? url : baseUrl

/** The same options for both: what next-auth v4 calls them, and what it takes. */
function getOptions(
  issuer: Issuer,
  { strategy, withAdapter = true, pages = {}, hasRedirect, signIn, authorize }: TestOptions
) {
  const calls: [string, unknown][] = []
  const links: string[] = []
  const reported =
    <R>(name: string, result: (question: never) => R) =>
    async (question: never): Promise<R> => {
      calls.push([name, structuredClone(question)])
      return result(question)
    }
  const memory = memoryAdapter()
  const adapter = Object.fromEntries(
    fourteen.map((method) => [
      method,
      (...args: never[]): unknown => Reflect.apply(Object(memory)[method], memory, args)
    ])
  )
  const event = (name: string) => ({ [name]: reported(`events.${name}`, () => undefined) })
  const options = {
    providers: [
      {
        id: 'demo',
        name: 'Demo',
        type: 'oauth',
        wellKnown: `${issuer.issuer}/.well-known/openid-configuration`,
        clientId: issuer.clientId,
        clientSecret: issuer.clientSecret ?? '',
        authorization: { params: { scope: 'openid email profile' } },
        idToken: true,
        checks: ['pkce', 'state', 'nonce'],
        profile: ({ sub, name, email, picture }: Record<string, string>) => ({ id: sub, name, email, image: picture })
      },
      {
        id: 'people',
        name: 'People',
        type: 'credentials',
        credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
        authorize: reported('authorize', () => (authorize ? authorize() : person))
      },
      ...(withAdapter
        ? [
            {
              id: 'email',
              name: 'Email',
              type: 'email',
              server: 'smtp://mail.test',
              from: 'a@app.test',
              maxAge: 3600,
              // Our rule asks another browser than the one that asked; v4's does not.
              confirm: 'never',
              sendVerificationRequest: async ({ url }: { url: string }) => void links.push(url)
            }
          ]
        : [])
    ],
    ...(withAdapter ? { adapter } : {}),
    session: { ...(strategy ? { strategy } : {}) },
    pages,
    callbacks: {
      ...(hasRedirect ? { redirect: reported('redirect', stay) } : {}),
      signIn: reported('signIn', () => (signIn ? signIn() : true)),
      jwt: reported('jwt', ({ token }: { token: object }) => token),
      session: reported('session', ({ session }: { session: object }) => session)
    },
    events: Object.assign({}, ...['signIn', 'signOut', 'createUser', 'updateUser', 'linkAccount', 'session'].map(event))
  }
  return { options, calls, links, adapter }
}

/** Starts next-auth and Postern with the same options. */
export async function startPair(
  t: Test,
  overrides: TestOptions = {}
): Promise<readonly [nextAuth: Side, postern: Side]> {
  const issuer = await serve(t)
  const [v4, v5] = [getOptions(issuer, overrides), getOptions(issuer, overrides)]
  const nextAuth = await startNextAuth(t, Object(v4.options) satisfies NextAuthOptions)
  const postern = await startPostern(t, {
    ...(Object(v5.options) satisfies PosternOptions),
    runtime: { fetch: (url, init) => issuer.fetch(url, init) }
  })
  return [
    { ...nextAuth, ...v4, name: 'next-auth', issuer },
    { ...postern, ...v5, name: 'Postern', issuer }
  ]
}

/** Signs in at the issuer, through every redirect. */
export async function byIssuer({ issuer }: Side, browser: Browser) {
  const response = await browser.submit('/api/auth/signin/demo', {})
  return browser.open(await issuer.authorize(response.location ?? ''), { headers: { 'sec-fetch-site': 'cross-site' } })
}

const random = new Set(['id', 'sub', 'userId', 'access_token', 'refresh_token', 'id_token', 'jti', 'sessionToken'])
const times = new Set(['iat', 'exp', 'nbf', 'auth_time', 'expires_at'])
const other = new Set(['csrfToken', 'at_hash', 'nonce', 'token', 'cookie', 'headers'])

/** @returns A value in which everything that differs each time is replaced by its name. */
export function plain(value: unknown, name: string = ''): unknown {
  if (value instanceof Date) return '<date>'
  if (Array.isArray(value)) return value.map((item) => plain(item))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, field]) => field !== undefined)
    if (name === 'headers') return '<headers>'
    return Object.fromEntries(entries.map(([key, field]) => [key, plain(field, key)]).sort())
  }
  if (random.has(name) && typeof value === 'string' && value.length > 12) return `<${name}>`
  if (times.has(name) && typeof value === 'number') return '<time>'
  if (typeof value === 'string' && (other.has(name) || /^\d{4}-\d\d-\d\dT/.test(value))) return `<${name}>`
  return value
}
