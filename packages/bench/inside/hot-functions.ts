import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { ada, getUser, secret } from '@postern/bench/subjects/subject'
import { type AuthRequest, createPostern, type Page, type PageContext, type Postern, parseCookies } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import github from '@postern/core/providers/github'
import google from '@postern/core/providers/google'
import { createPlainRenderer, renderer } from '@postern/pages'
import { serializeCookies } from '../../core/dist/cookies/serialize.js'
import { CsrfTokens } from '../../core/dist/csrf/csrf-token.js'
import { keyedHash } from '../../core/dist/tokens/hash.js'
import { decryptText, encryptText } from '../../core/dist/tokens/jwe.js'
import { keyRing, sessionKeyRing } from '../../core/dist/tokens/keys.js'
import { sessionTokenCodec } from '../../core/dist/tokens/session-jwt.js'

/** One call of a hot function. */
export type Work = () => unknown

export interface HotFunctions {
  /** By a name that stays, so that figures of another day can be compared. */
  readonly works: Readonly<Record<string, Work>>
  close(): Promise<void>
}

const origin = 'http://127.0.0.1:3000'
const csrfCookie = { name: 'next-auth.csrf-token', options: { path: '/', httpOnly: true, sameSite: 'lax' } } as const

interface Seen {
  readonly page: Page
  readonly frame: PageContext
}

/** An application of three ways in, and the sign-in page as its renderer is given it. */
function createApplication(): { readonly auth: Postern; readonly seen: Seen[] } {
  const seen: Seen[] = []
  const key = { clientId: 'client', clientSecret: 'secret' }
  const form = credentials({
    id: 'people',
    credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
    authorize: (fields) => getUser(fields)
  })
  const auth = createPostern({
    url: origin,
    secret,
    providers: [github(key), google(key), form],
    renderer: {
      ...renderer,
      page: (page, frame) => {
        seen.push({ page, frame })
        return renderer.page(page, frame)
      }
    }
  })
  return { auth, seen }
}

function getRequest(path: string, cookie: string): AuthRequest {
  const headers = { host: '127.0.0.1:3000', accept: '*/*', cookie }
  const cookies = parseCookies(cookie)
  return {
    method: 'GET',
    origin,
    path,
    query: {},
    body: {},
    headers,
    cookies,
    client: '127.0.0.1',
    clientsBehindIp: 1,
    id: 'bench'
  }
}

async function tokenWorks(): Promise<Record<string, Work>> {
  const keys = sessionKeyRing([secret])
  const codec = sessionTokenCodec(keys, { now: Date.now, tolerance: 10 })
  const claims = { sub: ada.id, name: ada.name, email: ada.email, picture: ada.image }
  const token = await codec.encode(claims, 3600)
  const text = JSON.stringify({ ...claims, iat: 1, exp: 2, jti: crypto.randomUUID() })
  const ring = keyRing([secret], 'session token')
  return {
    'token: open': () => decryptText(keys, token),
    'token: open, known': () => codec.decode(token),
    'token: write': () => encryptText(keys, text),
    'session token: hash': () => keyedHash(ring, token)
  }
}

async function cookieWorks(): Promise<Record<string, Work>> {
  const randomBytes = (size: number): Uint8Array => new Uint8Array(size).fill(0xaa)
  const create = (): CsrfTokens => new CsrfTokens(csrfCookie, [secret], randomBytes, 32)
  const known = create()
  const issued = await known.issue()
  const value = issued.cookies.get(csrfCookie.name)?.value ?? ''
  const cookies = new Map([[csrfCookie.name, value]])
  const header = `theme=dark; next-auth.csrf-token=${encodeURIComponent(value)}; next-auth.session-token=${'x'.repeat(400)}`
  const expires = new Date(Date.now() + 3_600_000)
  const due = new Map([
    ['next-auth.session-token', { value: 'x'.repeat(400), attributes: csrfCookie.options, expires }]
  ])
  return {
    'cookies: parse': () => parseCookies(header),
    'cookies: write': () => serializeCookies(due, Date.now()),
    'csrf: check': () => create().read(cookies),
    'csrf: check, known': () => known.read(cookies),
    'csrf: make': () => known.issue()
  }
}

async function applicationWorks(): Promise<Record<string, Work>> {
  const { auth, seen } = createApplication()
  const opened = await auth.openSession({ ...ada }, origin)
  const session = [...opened].map(([name, { value }]) => `${name}=${value}`).join('; ')
  await auth.respond(getRequest('/signin', ''))
  const [first] = seen
  if (!first) throw new Error('expected the sign-in page to be rendered')
  const { page, frame } = first
  const sessionRequest = getRequest('/session', session)
  const csrfRequest = getRequest('/csrf', '')
  return {
    'page: fill': () => renderer.page(page, frame),
    'page: render': () => createPlainRenderer().page(page, frame),
    'core: session': () => auth.respond(sessionRequest),
    'core: csrf, new': () => auth.respond(csrfRequest)
  }
}

/** Every hot function with what it works on. */
export async function hotFunctions(): Promise<HotFunctions> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-micro-'))
  const adapter = sqliteAdapter({ file: join(folder, 'micro.db') })
  const user = await adapter.createUser({ name: ada.name, email: ada.email, image: ada.image, emailVerified: null })
  const sessionToken = 'h1.a token as it is stored'
  await adapter.createSession({ sessionToken, userId: user.id, expires: new Date(Date.now() + 3_600_000) })
  const stored = { 'sqlite: session and user': () => adapter.getSessionAndUser(sessionToken) }
  return {
    works: { ...(await cookieWorks()), ...(await tokenWorks()), ...(await applicationWorks()), ...stored },
    close: async () => {
      await adapter.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
