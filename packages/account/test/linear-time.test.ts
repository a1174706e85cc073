import type { AuthRequest } from '@postern/core/feature'
import credentials from '@postern/core/providers/credentials'
import { findSlowTexts } from '@postern/testkit/linear-time'
import { isLong } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { openAuditApplication } from './audit-log-application.ts'
import { type Application, base, createUser, getCookies, origin } from './password-application.ts'

/** The most characters of a body, and of the headers and the URL together, which Node limits to 16 KiB. */
const [ofBody, ofHeader] = [99_000, 16_000]

/** The parts of a request, by name, in which a client sends text. */
type Part = 'body' | 'query' | 'headers' | 'cookies'

type Names = Readonly<Record<Part, Set<string>>>

/** Notes which members are read. */
function recording<T extends object>(values: T, names: Set<string>): T {
  const note = (name: string | symbol): void => void (typeof name === 'string' && names.add(name))
  return new Proxy(values, {
    get: (target, name) => {
      note(name)
      return Reflect.get(target, name)
    },
    has: (target, name) => {
      note(name)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor: (target, name) => {
      note(name)
      return Reflect.getOwnPropertyDescriptor(target, name)
    }
  })
}

/** Notes which cookies are read. */
class RecordedCookies extends Map<string, string> {
  readonly #names: Set<string>

  constructor(values: ReadonlyMap<string, string>, names: Set<string>) {
    super()
    this.#names = names
    for (const [name, value] of values) super.set(name, value)
  }

  override get(name: string): string | undefined {
    this.#names.add(name)
    return super.get(name)
  }
}

/** Values with which a form gets as far as the field that is tried. */
const plausible: Readonly<Record<string, string>> = {
  email: 'eve@example.com',
  password: 'a long sentence to remember',
  credential: '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{}}'
}

interface Visit {
  readonly method: string
  readonly path: string
}

/** A form of a signed-in user, with one text in one place. */
function createRequest({ method, path }: Visit, cookies: ReadonlyMap<string, string>, csrfToken: string): AuthRequest {
  return {
    ...{ method, path, origin, cookies, client: '192.0.2.1', clientsBehindIp: 1, id: 'linear-time' },
    query: {},
    body: method === 'GET' ? {} : { csrfToken },
    headers: { accept: 'text/html', origin, 'sec-fetch-site': 'same-origin', 'x-csrf-token': csrfToken }
  }
}

/** Finds what a route reads, by reading what it asks for next once it has something in what it read before. */
async function findNames({ auth }: Application, request: AuthRequest): Promise<Names> {
  const names: Names = { body: new Set(), query: new Set(), headers: new Set(), cookies: new Set() }
  const fill = (part: Set<string>): object =>
    Object.fromEntries([...part].filter((name) => name !== 'json').map((name) => [name, plausible[name] ?? 'a']))
  for (let before = -1, size = 0; size > before; ) {
    before = size
    await auth.respond({
      ...request,
      query: recording({ ...fill(names.query), ...request.query }, names.query),
      body: recording({ ...fill(names.body), ...request.body }, names.body),
      headers: recording({ ...request.headers }, names.headers),
      cookies: new RecordedCookies(request.cookies, names.cookies)
    })
    size = Object.values(names).reduce((sum, { size }) => sum + size, 0)
  }
  return names
}

/** Headers and cookies that were tried: all routes read them in the same way. */
const tried = new Set<string>()

const isNew = (what: string): boolean => !tried.has(what) && tried.add(what).has(what)

/** Everything of a request that a client may replace by a text, by its place. */
function createVariants(request: AuthRequest, names: Names): ReadonlyMap<string, (text: string) => AuthRequest> {
  const variants = new Map<string, (text: string) => AuthRequest>()
  const form = Object.fromEntries([...names.body].flatMap((name) => (plausible[name] ? [[name, plausible[name]]] : [])))
  for (const name of names.query)
    variants.set(`query ${name}`, (text) => ({ ...request, query: { ...request.query, [name]: text } }))
  for (const name of names.body)
    variants.set(`body ${name}`, (text) => ({ ...request, body: { ...form, ...request.body, [name]: text } }))
  for (const name of names.headers)
    if (isNew(`headers ${name}`))
      variants.set(`headers ${name}`, (text) => ({ ...request, headers: { ...request.headers, [name]: text } }))
  for (const name of names.cookies)
    if (isNew(`cookies ${name}`))
      variants.set(`cookies ${name}`, (text) => ({ ...request, cookies: new Map([...request.cookies, [name, text]]) }))
  if (isNew('client')) variants.set('client', (text) => ({ ...request, client: text }))
  if (request.path.includes('/x')) {
    const [start = ''] = request.path.split('/x', 1)
    variants.set('path', (text) => ({ ...request, path: `${start}/${text}` }))
  }
  return variants
}

let users = 0

/** @returns The places of the request that were tried. */
async function checkRoute(t: Test, app: Application, visit: Visit): Promise<readonly string[]> {
  const browser = await createUser(app, `user${users++}@example.com`)
  const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
  const cookies = new Map([...getCookies(browser)].map(([name, value]) => [name, decodeURIComponent(value)]))
  const request = createRequest(visit, cookies, csrfToken)
  const names = await findNames(app, request)
  const variants = createVariants(request, names)
  for (const [place, create] of variants) {
    const maxLength = place.startsWith('body') ? ofBody : ofHeader
    const work = async (text: string): Promise<unknown> => app.auth.respond(create(text))
    t.same(await findSlowTexts(work, { maxLength, rounds: [0, 40] }), [], place)
  }
  return [...variants.keys()]
}

const people = credentials({ credentials: { username: {}, password: { type: 'password' } }, authorize: () => null })

const limiter = { consume: async () => 0, refund: async () => undefined }
const options = { passkey: { signUp: true }, rateLimit: { limiter }, providers: [people] }

t.test('a field of one route that is twice as long takes at most three times as long (CWE-1333)', async (t) => {
  const app = await openAuditApplication(t, 'database', options)
  const places = await checkRoute(t, app, { method: 'POST', path: '/callback/credentials' })
  t.ok(places.includes('body username'))
})

if (isLong) {
  t.test('a field of a route that is twice as long takes at most three times as long (CWE-1333)', async (t) => {
    tried.clear()
    const app = await openAuditApplication(t, 'database', options)
    const providers = Object.keys(await app.newBrowser().json<object>(`${base}/providers`))
    t.ok(providers.length > 4)
    const places = new Set<string>()
    for (const { method, path } of app.auth.routes) {
      const paths = path.includes(':provider') ? providers.map((id) => path.replace(':provider', id)) : [path]
      for (const one of paths)
        await t.test(`${method} ${one}`, async (t) => {
          const found = await checkRoute(t, app, { method, path: one.replaceAll(/:\w+/g, 'x') })
          for (const place of found) places.add(place)
        })
    }
    const known = [
      'body logout_token',
      'body credential',
      'body email',
      'body callbackUrl',
      'query token',
      'query code'
    ]
    for (const place of [...known, 'headers user-agent', 'headers accept-language', 'client', 'path'])
      t.ok(places.has(place), place)
  })
}
