import { memoryAdapter } from '@postern/adapters/memory'
import type { OAuthConfig, RateLimiter } from '@postern/core'
import { encode, getToken } from '@postern/core/jwt'
import credentials from '@postern/core/providers/credentials'
import { createBrowser, fromInject } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import postern, { type PosternPluginOptions, requireSession } from '../../src/index.ts'
import { memoryLimiter } from '../../src/limiter.ts'
import {
  cookieNames,
  fromAfar,
  getSession,
  origin,
  people,
  secret,
  signInAtIssuer,
  signInByForm,
  start
} from '../start.ts'
import { sessionCookies, startTwo } from '../two-applications.ts'
import { browserAt } from '../visitor.ts'
import { someStrategies } from './linking-setup.ts'
import {
  form,
  getAddress,
  getOptions,
  inProduction,
  signInScope,
  startGuessing,
  startScopes,
  statusWith
} from './perimeter-setup.ts'
import type { Replay } from './replay.ts'

const script = { accept: 'application/json' }
const { sessionToken } = cookieNames

const invoke = (work: () => unknown): never => Reflect.apply(work, null, []) as never

export const perimeter: readonly Replay[] = [
  [
    'R1',
    'keys of object prototypes, other content types and query parameters add guesses',
    async (t) => {
      const bodies: readonly (readonly [type: string, body: (csrf: string, count: number) => string])[] = [
        ...['__proto__', 'constructor', 'prototype'].map(
          (key) =>
            [
              'application/json',
              (csrf: string, count: number) =>
                `{"csrfToken":"${csrf}","${key}":{"username":"u${count}"},"password":"x"}`
            ] as const
        ),
        ['application/json; charset=utf-16', (csrf) => `{"csrfToken":"${csrf}","username":"ada","password":"x"}`],
        [
          'application/x-www-form-urlencoded; charset=utf-7',
          (csrf, count) => `csrfToken=${csrf}&username=ada&__proto__[username]=u${count}&password=x`
        ]
      ]
      for (const [type, body] of bodies) {
        const { checks, app, clock } = await startGuessing(t, { username: {} })
        const browser = browserAt(app, clock, '8.8.8.8')
        const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
        for (let count = 0; count < times(13, 20); count++) {
          const path = `${form}${count % 2 ? '/' : ''}?username=query${count}&identifier=${count}`
          await browser.post(path, body(csrfToken, count), { 'content-type': type })
        }
        // Names that change prototypes are refused.
        t.equal(checks(), type === 'application/json' ? 0 : 10, type)
      }
      const other = await startGuessing(t, { username: {} })
      for (const path of ['/api/auth/signin/credentials', `${form}//`, '/api/auth/callback/Credentials'])
        await other.guess({ username: 'ada' }, '8.8.8.8', path)
      t.equal(other.checks(), 0, 'no other route checks a password')
    }
  ],
  [
    'R3',
    'many usernames push a counter out of memory, or a refund that fails keeps a user out',
    async (t) => {
      const limiter = memoryLimiter()
      const rule = { points: 1, seconds: 900 }
      await limiter.consume('ada', rule)
      for (let count = 0; count < times(12_000, 20_000); count++) await limiter.consume(`user${count}`, rule)
      t.ok((await limiter.consume('ada', rule)) > 0)
      for (const refund of [() => Promise.reject(new Error('down')), () => new Promise<never>(() => undefined)]) {
        const { browser } = await start(t, { instances: 1, rateLimit: { limiter: { consume: async () => 0, refund } } })
        t.equal((await signInByForm(browser)).location, origin)
      }
    }
  ],
  [
    'R5',
    'a session of one of three registrations works in another, or one of next-auth in several',
    async (t) => {
      const other = 'another secret of these tests, long enough'
      // Other tests of this process may have registrations with the common secret that nobody has collected yet.
      const alone = 'a secret that no other test of this process has'
      const setups: readonly (readonly [
        what: string,
        Readonly<Record<string, Partial<PosternPluginOptions>>>,
        number[]
      ])[] = [
        ['by default', { a: {}, b: {}, c: {} }, [401, 401, 401]],
        ['one accepts it', { a: { acceptUnbound: true }, b: {}, c: {} }, [200, 401, 401]],
        ['a secret is rotated', { a: {}, b: { secret: other }, c: { secret: [other, secret] } }, [401, 401, 401]],
        ['jwt.secret is shared', { a: {}, b: { secret: other, jwt: { secret } } }, [401, 401]],
        ['alone', { a: { secret: alone } }, [200]]
      ]
      for (const [title, registrations, expected] of setups) {
        const app = await startScopes(t, registrations)
        const names = Object.keys(registrations)
        const old = await encode({ token: { sub: '1', name: 'Ada' }, secret: title === 'alone' ? alone : secret })
        for (const [index, name] of names.entries())
          t.equal(await statusWith(app, name, old), expected[index], `${title}: next-auth at ${name}`)
        for (const from of names) {
          const { token } = await signInScope(app, from)
          for (const to of names)
            t.equal(await statusWith(app, to, token), from === to ? 200 : 401, `${title}: ${from} at ${to}`)
        }
        await app.close()
      }
    }
  ],
  [
    'R6',
    'a session token without its tag, in chunks or with the second cookie works at another registration',
    async (t) => {
      for (const [strategy, storage] of [
        ['jwt', 'hashed'],
        ['database', 'hashed'],
        ['database', 'both'],
        ['database', 'plain']
      ] as const) {
        const session = { strategy, storage }
        const two = await startTwo(t, { strategy, both: { session, acceptUnbound: true } })
        const browser = two.newBrowser('shop')
        const path = '/shop/api/auth/callback/credentials'
        await browser.submit(path, { username: 'grace', password: 'lovelace' })
        t.equal((await browser.open('/shop/me')).status, 200)
        const value = browser.cookies.get(sessionCookies.shop) ?? ''
        const [first = '', second = '', ...rest] = value.split('.')
        const forms = [
          value,
          rest.join('.'),
          `${first}.${second}`,
          `p0.${second}.${rest.join('.')}`,
          `"${value}"`,
          ` ${value}`
        ]
        for (const [index, text] of forms.entries()) {
          for (const isChunked of [false, true]) {
            const other = two.newBrowser('admin')
            for (const cookie of browser.cookies.all()) other.cookies.set(cookie.name, cookie.value, { secure: true })
            const pieces = isChunked ? [text.slice(0, 20), text.slice(20)] : [text]
            for (const [number, piece] of pieces.entries()) {
              const name = isChunked ? `${sessionCookies.admin}.${number}` : sessionCookies.admin
              other.cookies.set(name, piece, { secure: true, path: '/admin' })
            }
            t.equal((await other.open('/admin/me')).status, 302, `${strategy}, ${storage}, form ${index}`)
          }
        }
      }
    }
  ],
  [
    'R7',
    'application ids that look alike are one application',
    async (t) => {
      const pairs = ['a A', 'a a/', '\u00e9 e\u0301', '1 01', 'a:b a.b', 'constructor __proto__', 'a a\u0000']
      for (const pair of pairs) {
        for (const strategy of someStrategies()) {
          const [one = '', other = ''] = pair.split(' ')
          const more = { session: { strategy }, adapter: memoryAdapter() }
          const app = await startScopes(t, {
            one: { ...more, applicationId: one },
            other: { ...more, applicationId: other }
          })
          const { token } = await signInScope(app, 'one')
          t.equal(await statusWith(app, 'one', token), 200)
          t.equal(await statusWith(app, 'other', token), 401, `${JSON.stringify(pair)}, ${strategy}`)
          await app.close()
        }
      }
    }
  ],
  [
    'R8',
    'a cookie of another purpose is a session',
    async (t) => {
      const { browser, newBrowser, mailbox } = await start(t, { session: { strategy: 'jwt' }, instances: 1 })
      await browser.submit('/api/auth/signin/demo', {})
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      t.equal(mailbox.mails.length, 1)
      const cookies = browser.cookies.all()
      t.ok(cookies.length >= 5)
      for (const { name, value } of cookies) {
        const thief = newBrowser()
        thief.cookies.set(sessionToken, value, { secure: true })
        t.same(await getSession(thief), {}, name)
        t.equal(await getToken({ req: { headers: { cookie: `${sessionToken}=${value}` } }, secret }), null, name)
      }
    }
  ],
  [
    'R9',
    'odd options of a guard, or an odd result of authorized, let a visitor pass',
    async (t) => {
      class Rules {
        authorized(): boolean {
          return false
        }
      }
      const denied = (): boolean => false
      const options: readonly object[] = [
        new Rules(),
        Object.create({ authorized: denied }),
        Object.defineProperty({}, 'authorized', { value: denied, enumerable: false }),
        {
          get authorized() {
            return denied
          }
        },
        new Proxy({ authorized: denied }, { ownKeys: () => [] }),
        { authorized: () => Object(true) },
        { authorized: () => ({ ok: true }) },
        { authorized: () => 1 },
        {
          async *authorized() {
            yield true
          }
        },
        {
          authorized: async () => {
            throw true
          }
        },
        { authorized: () => Promise.reject(null) }
      ]
      const { browser } = await start(t, {
        instances: 1,
        before: (app) => {
          for (const [index, given] of options.entries()) {
            const guard = Reflect.apply(requireSession.with, requireSession, [given])
            app.get(`/odd/${index}`, { onRequest: guard }, async () => ({ secret: 7 }))
          }
          app.get('/even', { onRequest: requireSession.with({ authorized: () => true }) }, async () => ({ secret: 7 }))
        }
      })
      await signInByForm(browser)
      t.equal((await browser.request('GET', '/even', { headers: script })).status, 200)
      for (const index of options.keys()) {
        const { status, body } = await browser.request('GET', `/odd/${index}`, { headers: script })
        t.ok(status === 403 || status === 500, `${index}: ${status}`)
        t.notMatch(body, /secret/)
      }
    }
  ],
  [
    'R10',
    'a guard of the whole application is passed by methods, spellings of the path or an error handler',
    async (t) => {
      const app = Fastify()
      t.teardown(() => app.close())
      let isReached = false
      const handler = async (): Promise<object> => {
        isReached = true
        return { secret: 7 }
      }
      app.addHook('onRequest', requireSession)
      app.setErrorHandler(async () => ({ recovered: true }))
      app.register(postern, { url: origin, secret, providers: [people] })
      app.get('/p', handler)
      app.options('/p', handler)
      app.all('/any/*', handler)
      app.setNotFoundHandler(handler)
      const urls = ['/p', '/P', '//p', '/p/', '/%70', '/p?x', '/p%00', '/any/x', '/any//x', '/nowhere', '/api/authx']
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE'] as const) {
        for (const url of urls) {
          const { statusCode } = await app.inject({ method, url, headers: { host: 'app.test' } })
          t.equal(statusCode, 401, `${method} ${url}`)
        }
      }
      for (const headers of [{ host: 'evil.test' }, { host: 'app.test', cookie: '%%%;;==' }])
        t.equal((await app.inject({ url: '/p', headers })).statusCode, 401)
      t.notOk(isReached)
      t.equal((await app.inject({ url: '/api/auth/csrf', headers: { host: 'app.test' } })).statusCode, 200)
    }
  ],
  [
    'R11',
    'another plugin sets request.auth or replaces what the guard reads',
    async (t) => {
      const user = { user: { name: 'root' } }
      const { browser } = await start(t, {
        instances: 1,
        before: (app) => {
          app.addHook('onRequest', async (request) => {
            Object.assign(request, { auth: user, getSession: async () => user })
          })
          app.get('/private', { preHandler: requireSession }, async () => ({ secret: 7 }))
        }
      })
      t.equal((await browser.request('GET', '/private', { headers: script })).status, 401)
      await signInByForm(browser)
      t.equal((await browser.request('GET', '/private', { headers: script })).status, 200)
      for (const decorate of [
        (app: FastifyInstance) => app.decorateRequest('auth', null),
        (app: FastifyInstance) =>
          app.decorateRequest(
            'getSession',
            invoke(() => async () => user)
          ),
        (app: FastifyInstance) =>
          app.decorate(
            'requireSession',
            invoke(() => async () => undefined)
          )
      ]) {
        const app = Fastify()
        t.teardown(() => app.close().catch(() => undefined))
        await t.rejects(async () => {
          decorate(app)
          await app.register(postern, { url: origin, secret, providers: [people] })
        })
      }
    }
  ],
  [
    'R12',
    'an old session of next-auth v4 counts as a recent sign-in',
    async (t) => {
      const guard = (app: FastifyInstance): void => {
        app.get('/fresh', { onRequest: requireSession.with({ freshWithin: 60 }) }, async () => ({ secret: 7 }))
      }
      const statuses = async (
        started: Awaited<ReturnType<typeof start>>,
        token: string
      ): Promise<readonly number[]> => {
        const browser = started.newBrowser()
        browser.cookies.set(sessionToken, token, { secure: true })
        const status = async (path: string) => (await browser.request('GET', path, { headers: script })).status
        return [await status('/me'), await status('/fresh')]
      }
      const signed = await start(t, { instances: 1, store: 'none', before: guard })
      await signInByForm(signed.browser)
      t.equal((await signed.browser.request('GET', '/fresh', { headers: script })).status, 200)
      const now = Math.floor(signed.clock.now() / 1000)
      for (const claims of [{}, { iat: now }, { iat: now + 100_000 }, { authenticatedAt: now }]) {
        const token = await encode({ token: { sub: '1', ...claims }, secret, maxAge: 10 * 365 * 86_400 })
        t.same(await statuses(signed, token), [200, 401], JSON.stringify(claims))
      }
      for (const storage of ['plain', 'both'] as const) {
        for (const days of [1, 30, 300]) {
          const stored = await start(t, { instances: 1, session: { strategy: 'database', storage }, before: guard })
          const user = await stored.adapter?.createUser?.({ id: '1', name: 'Ada', email: null, emailVerified: null })
          const token = 'a-session-token-of-next-auth-version-4'
          const expires = new Date(stored.clock.now() + days * 86_400_000)
          await stored.adapter?.createSession?.({ sessionToken: token, userId: user?.id ?? '', expires })
          t.same(await statuses(stored, token), [200, 401], `${storage}, ${days} days`)
        }
      }
    }
  ],
  [
    'R13',
    'the Host header or X-Forwarded-* change the origin in production',
    async (t) => {
      const app = Fastify({ trustProxy: true })
      t.teardown(() => app.close())
      await inProduction(async () => app.register(postern, { secret, trustHost: ['app.test'], providers: [people] }))
      const linksFor = async (headers: Record<string, string>): Promise<string> => {
        const { statusCode, body } = await app.inject({ url: '/api/auth/providers', headers })
        return statusCode === 200 ? body : String(statusCode)
      }
      const https = { 'x-forwarded-proto': 'https' }
      for (const host of ['app.test', 'APP.test', 'app.test:443'])
        t.match(await linksFor({ host, ...https }), '"https://app.test/', host)
      const hosts = [
        ...['evil.test', 'app.test.', 'app.test:8080', 'app.test@evil.test', 'evil.test#app.test', 'app.test/evil', ''],
        ...['evil.test\\@app.test', 'app.test ', 'app.test,evil.test', 'app.test?', '\uff41pp.test', 'app%2etest']
      ]
      for (const host of hosts) t.equal(await linksFor({ host, ...https }), '400', host)
      for (const protocol of ['javascript', 'https://evil.test/', 'ftp'])
        t.equal(await linksFor({ host: 'app.test', 'x-forwarded-proto': protocol }), '400', protocol)
      for (const forwarded of ['evil.test', 'app.test, evil.test'])
        t.equal(await linksFor({ host: 'app.test', 'x-forwarded-host': forwarded, ...https }), '400', forwarded)
    }
  ],
  [
    'R14',
    'a name that looks like a loopback address may use http in production',
    async (t) => {
      const hosts = [
        '127.0.0.1.evil.test',
        'localhost.evil.test',
        '0.0.0.0',
        '10.0.0.5',
        'localhost@evil.test',
        '127.evil.test'
      ]
      const startWith = (options: Partial<PosternPluginOptions>): Promise<unknown> =>
        inProduction(async () => {
          const app = Fastify()
          t.teardown(() => app.close().catch(() => undefined))
          await app.register(postern, { secret, providers: [people], ...options })
        })
      for (const host of hosts) {
        await t.rejects(startWith({ trustHost: [host] }), { code: 'POSTERN_CONFIG' }, `trustHost ${host}`)
        await t.rejects(startWith({ trustHost: [`http://${host}`] }), { code: 'POSTERN_CONFIG' })
        await t.rejects(startWith({ url: `http://${host}` }), { code: 'POSTERN_CONFIG' }, `url ${host}`)
      }
      await startWith({ trustHost: ['localhost:3000', '127.0.0.1'] })
      await startWith({ url: 'http://localhost:3000' })
    }
  ],
  [
    'R15',
    'parameters of the protocol in the discovery document replace those of the sign-in',
    async (t) => {
      const { browser, issuer } = await start(t, { instances: 1 })
      const names = [
        'redirect_uri',
        'client_id',
        'response_type',
        'state',
        'nonce',
        'code_challenge',
        'code_challenge_method',
        'scope'
      ]
      const evil = names.map((name) => `${name}=evil&${name}=twice`).join('&')
      issuer.faults.metadata = (metadata) => ({
        ...metadata,
        authorization_endpoint: `https://issuer.test/authorize?${evil}`
      })
      const { location } = await browser.submit('/api/auth/signin/demo', {})
      const sent = new URL(location ?? '').searchParams
      for (const name of names) t.equal(sent.getAll(name).length, 1, name)
      t.notMatch(location, /evil|twice/)
      await browser.open(await issuer.authorize(location ?? ''), { headers: fromAfar })
      t.match(await getSession(browser), { user: { email: 'ada@example.com' } }, 'and the sign-in completes')
    }
  ],
  [
    'R16',
    'an encoded value or name in the query adds parameters',
    async (t) => {
      const { newBrowser } = await start(t, { instances: 1 })
      const ask = async (query: string): Promise<URLSearchParams> => {
        const { location } = await newBrowser().submit(`/api/auth/signin/demo?${query}`, {})
        return new URL(location ?? '').searchParams
      }
      const usual = [...(await ask('')).keys()].sort()
      const injected = await ask('prompt=none%26redirect_uri=https://evil.test%23')
      t.equal(injected.get('redirect_uri'), `${origin}/api/auth/callback/demo`)
      t.equal(injected.get('prompt'), 'none&redirect_uri=https://evil.test#')
      for (const query of [
        'login_hint[]=a',
        'LOGIN_HINT=a',
        'login_hint%00=a',
        'login_hint=a&login_hint=b',
        ' prompt=a'
      ])
        t.same([...(await ask(query)).keys()].sort(), usual, query)
    }
  ],
  [
    'R17',
    'authorize returns an id that is text only once it is converted',
    async (t) => {
      const ids: readonly unknown[] = [
        { toString: () => 'admin' },
        { toJSON: () => 'admin' },
        ['admin'],
        Object('admin'),
        Object(7),
        true,
        7n,
        '',
        undefined,
        Symbol('admin'),
        Promise.resolve('admin'),
        'admin\u0000',
        '\ud800'
      ]
      for (const strategy of someStrategies()) {
        for (const id of ids) {
          const provider = credentials({
            credentials: { password: { type: 'password' } },
            authorize: () => ({ id: invoke(() => id), name: 'Eve' })
          })
          const { browser } = await start(t, { instances: 1, session: { strategy }, providers: [provider] })
          const { location } = await browser.submit(form, { password: 'x' })
          t.match(location, /error=CredentialsSignin/, `${strategy}, ${typeof id}`)
          t.same(await getSession(browser), {})
        }
      }
    }
  ],
  [
    'R18',
    'getToken accepts an ended session with an odd store, or a token for an odd application',
    async (t) => {
      const adapter = memoryAdapter()
      const { browser } = await start(t, {
        adapter,
        session: { strategy: 'jwt' },
        runtime: { now: Date.now },
        instances: 1
      })
      await signInByForm(browser)
      const token = browser.cookies.get(sessionToken) ?? ''
      const ask = (more: object): Promise<unknown> =>
        Reflect.apply(getToken, null, [{ req: { headers: { cookie: `${sessionToken}=${token}` } }, secret, ...more }])
      t.match(await ask({ revocations: adapter }), { sub: 'id-grace' })
      for (const applicationId of ['/api/auth/', '/API/AUTH', '', '/admin/api/auth', ['/api/auth'], 5])
        t.equal(await ask({ revocations: adapter, applicationId }), null, String(applicationId))
      await browser.submit('/api/auth/signout', {})
      const { getRevocations: _, ...incomplete } = memoryAdapter()
      const stores = [undefined, null, false, true, {}, [], 'UNCHECKED', 'unchecked ', () => [], incomplete]
      for (const revocations of stores)
        await t.rejects(ask({ revocations }), { name: 'TypeError' }, String(revocations))
      t.equal(await ask({ revocations: Object.create(adapter) }), null)
      const broken = { ...adapter, getRevocations: async () => Promise.reject(new Error('down')) }
      await t.rejects(ask({ revocations: broken }), { code: 'StoreUnavailable' })
    }
  ],
  [
    'R19',
    'logout tokens with unknown keys call the provider each time, or keep a new key from being found',
    async (t) => {
      const { issuer, clock, newBrowser, browser, ...started } = await start(t, { instances: 1 })
      const post = async (kid: string): Promise<void> => {
        const iat = Math.floor(clock.now() / 1000)
        const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
        const claims = { iss: issuer.issuer, aud: issuer.clientId, iat, exp: iat + 120, jti: kid, sub: 'ada', events }
        const token = await issuer.sign(claims, { typ: 'logout+jwt', kid })
        await newBrowser().post('/api/auth/backchannel-logout/demo', `logout_token=${token}`)
      }
      for (let count = 0; count < times(20, 100); count++) await post(`first${count}`)
      t.ok(issuer.requests.length <= 3, `${issuer.requests.length} calls`)
      for (let minute = 0; minute < 5; minute++) {
        clock.advance(10)
        for (let count = 0; count < times(4, 20); count++) await post(`later${minute}.${count}`)
      }
      t.ok(issuer.requests.length <= 5, `${issuer.requests.length} calls in a minute`)
      await issuer.rotateKeys()
      clock.advance(30)
      t.equal((await signInAtIssuer({ ...started, issuer }, browser)).location, origin, 'a new key is found')
    }
  ],
  [
    'R20',
    'a discovery hook that never ends keeps every later sign-in out',
    async (t) => {
      let calls = 0
      const discoveryResponse = async (response: Response): Promise<Response> => {
        if (calls++ === 0) await new Promise(() => undefined)
        return response
      }
      const { newBrowser, clock } = await start(t, {
        instances: 1,
        constants: { callbackTimeoutMilliseconds: 100, outboundTimeoutMilliseconds: 100 },
        demo: { hooks: { discoveryResponse } }
      })
      t.match((await newBrowser().submit('/api/auth/signin/demo', {})).location, /error=OAuthSignin/)
      clock.advance(5)
      t.match((await newBrowser().submit('/api/auth/signin/demo', {})).location, /^https:\/\/issuer\.test\/authorize/)
    }
  ],
  [
    'R21',
    'a member __proto__ of userinfo gives the profile an id or a verified address',
    async (t) => {
      const demo = {
        type: 'oauth',
        issuer: undefined,
        idToken: false,
        authorization: { url: 'https://issuer.test/authorize', params: { scope: 'openid' } },
        token: 'https://issuer.test/token',
        userinfo: 'https://issuer.test/userinfo'
      } as const
      const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })
      const profile = (raw: { id?: string; email?: string; email_verified?: boolean }) => {
        const { id = '', email = null, email_verified: emailVerified = null } = raw
        return { id, email, emailVerified }
      }
      const one = await start(t, { instances: 1, demo: { ...demo, profile } })
      one.issuer.faults.userinfo = () => json('{"__proto__":{"id":"admin"},"name":"Eve"}')
      t.match((await signInAtIssuer(one, one.browser)).location, /error=OAuthCallback/)
      const two = await start(t, { instances: 1, session: { strategy: 'database' }, demo: { ...demo, profile } })
      two.issuer.faults.userinfo = () =>
        json('{"id":"eve","__proto__":{"email":"ada@example.com","email_verified":true}}')
      t.equal((await signInAtIssuer(two, two.browser)).location, origin)
      t.notOk((await getSession(two.browser)).user?.email)
    }
  ],
  [
    'R22',
    'a guard of one server accepts a session of another server in the process',
    async (t) => {
      const [one, two] = [Fastify(), Fastify()]
      for (const app of [one, two]) t.teardown(() => app.close())
      await one.register(postern, getOptions('same'))
      await two.register(postern, getOptions('same', { applicationId: 'two' }))
      two.get('/private', { onRequest: one.requireSession }, async () => ({ secret: 7 }))
      const send = async (app: FastifyInstance, cookie: string): Promise<number> =>
        (await app.inject({ url: '/private', headers: { host: 'app.test', cookie } })).statusCode
      const cookieAt = async (app: FastifyInstance): Promise<string> => {
        const browser = createBrowser({ origin, send: fromInject(app) })
        await browser.submit(form, { username: 'ada', password: 'lovelace' })
        return `__Secure-same=${browser.cookies.get('__Secure-same')}`
      }
      t.equal(await send(two, await cookieAt(one)), 401)
      t.equal(await send(two, await cookieAt(two)), 200, 'the registration of the route decides')
    }
  ],
  [
    'R31',
    'a second form checks the same passwords with a separate limit',
    async (t) => {
      const one = await startGuessing(t, { username: {} }, {}, ['web', 'mobile'])
      for (let count = 0; count < 20; count++) {
        for (const id of ['web', 'mobile']) await one.guess({ username: 'ada' }, '8.8.8.8', `/api/auth/callback/${id}`)
      }
      t.equal(one.checks(), 10, 'ten wrong passwords for one username from one client')
    }
  ],
  [
    'R35',
    'a limiter that returns no number switches the limits off in silence',
    async (t) => {
      for (const result of [undefined, null, -1, '5']) {
        const consume: RateLimiter['consume'] = async () => JSON.parse(JSON.stringify({ result })).result
        const { checks, guess, log } = await startGuessing(
          t,
          { username: {} },
          { rateLimit: { limiter: { consume, refund: async () => undefined } } }
        )
        const tries = times(12, 20)
        for (let count = 0; count < tries; count++) await guess({ username: 'ada' })
        t.ok(checks() < tries, `${String(result)}: the stand-in counts`)
        t.ok(
          log.some((line) => line.includes('RATE_LIMITER_DOWN')),
          `${String(result)}: and it is logged`
        )
      }
    }
  ],
  [
    'R43',
    'a normalizeIdentifier that keeps case gives one mailbox many limits',
    async (t) => {
      const { app, clock, mailbox } = await start(t, { instances: 1, mail: { normalizeIdentifier: (text) => text } })
      const spellings = ['ada@example.com', 'ADA@example.com', 'Ada@example.com', 'ada@Example.com', 'ada@EXAMPLE.com']
      for (let count = 0; count < times(9, 20); count++) {
        const email = spellings[count % spellings.length] ?? ''
        await browserAt(app, clock, getAddress(count)).submit('/api/auth/signin/email', { email })
      }
      t.equal(mailbox.mails.length, 5)
    }
  ],
  [
    'R36',
    'a guard accepts a session of another registration whose API has read the request before',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const method of ['getToken', 'updateSession'] as const) {
          const adapter = memoryAdapter()
          const more = { adapter, session: { strategy } }
          const admin: { scope?: FastifyInstance } = {}
          const app = await startScopes(t, { admin: more, shop: more }, (scope, name) => {
            if (name === 'admin') admin.scope = scope
            else scope.addHook('onRequest', async (request) => void (await admin.scope?.postern[method](request, {})))
          })
          const { browser } = await signInScope(app, 'admin')
          const { status } = await browser.request('GET', '/shop/me', { headers: script })
          t.equal(status, 401, `${strategy}, ${method}: the guard of the shop wants a session of the shop`)
        }
      }
    }
  ],
  [
    'R37',
    'app.postern of one registration returns the session and the token of another',
    async (t) => {
      const admin: { scope?: FastifyInstance } = {}
      const app = await startScopes(t, { admin: {}, shop: {} }, (scope, name) => {
        if (name === 'admin') admin.scope = scope
        else
          scope.get('/ask', async (request) => ({
            session: await admin.scope?.postern.getSession(request),
            token: await admin.scope?.postern.getToken(request)
          }))
      })
      const { browser } = await signInScope(app, 'shop')
      t.same(await browser.json('/shop/ask'), { session: null, token: null })
    }
  ],
  [
    'R38',
    'a session callback ends a session as next-auth v4 allows, by an empty object, and the guard lets it pass',
    async (t) => {
      for (const strategy of someStrategies()) {
        const { browser } = await start(t, {
          instances: 1,
          session: { strategy },
          callbacks: { session: ({ session: { expires: _, user: __, ...none } }) => JSON.parse(JSON.stringify(none)) }
        })
        await signInByForm(browser)
        t.same(await getSession(browser), {}, 'the browser gets an empty session')
        t.equal((await browser.request('GET', '/me', { headers: script })).status, 401, `${strategy}: so is the guard`)
      }
    }
  ],
  [
    'R40',
    'production with trustHost issues http links and cookies without Secure',
    async (t) => {
      const servers: readonly (readonly [title: string, server: object, headers: object])[] = [
        ['no proxy is trusted: a list', { trustProxy: [] }, { 'x-forwarded-proto': 'https' }],
        ['no proxy is trusted: a function', { trustProxy: () => false }, { 'x-forwarded-proto': 'https' }],
        ['the proxy sends no protocol', { trustProxy: true }, {}],
        ['the client used http', { trustProxy: true }, { 'x-forwarded-proto': 'http' }]
      ]
      for (const [title, server, headers] of servers) {
        const app = Fastify(server)
        t.teardown(() => app.close())
        const options = { secret, trustHost: ['app.test'], providers: [people] }
        const cookies = await inProduction(async () => {
          try {
            await app.register(postern, options)
          } catch {
            return 'refused'
          }
          const page = await app.inject({ url: '/api/auth/csrf', headers: { host: 'app.test', ...headers } })
          return page.statusCode === 200 ? String(page.headers['set-cookie']) : 'refused'
        })
        t.match(cookies, /refused|; Secure/, title)
      }
    }
  ],
  [
    'R39',
    'guard options in a Map, or under a symbol, are ignored',
    async (t) => {
      const denied = (): boolean => false
      const given: readonly object[] = [
        new Map([['authorized', denied]]),
        { [Symbol('authorized')]: denied },
        new Date()
      ]
      for (const options of given) t.throws(() => requireSession.with(options), String(Object.keys(options)))
    }
  ],
  [
    'R45',
    'a guard in a hook that runs after the handler guards nothing, or never ends',
    async (t) => {
      // Requests without a session: 200 with onResponse and onError; with the other two the process runs out of memory.
      for (const hook of ['onResponse', 'onError', 'preSerialization', 'onSend']) {
        const app = Fastify()
        t.teardown(() => app.close())
        await app.register(postern, { url: origin, secret, providers: [people] })
        t.throws(() => app.get('/private', { [hook]: requireSession }, async () => ({ secret: 7 })), hook)
        t.throws(() => app.get('/two', { [hook]: [requireSession.with({})] }, async () => ({ secret: 7 })), hook)
      }
      const wrapped = (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => requireSession(request, reply)
      for (const hook of ['preSerialization', 'onSend']) {
        const app = Fastify()
        t.teardown(() => app.close())
        await app.register(postern, { url: origin, secret, providers: [people] })
        t.throws(() => Reflect.apply(app.addHook, app, [hook, requireSession]), `${hook} of a scope`)
        Reflect.apply(app.addHook, app, [hook, wrapped])
        app.get('/private', async () => ({ secret: 7 }))
        const { statusCode, body } = await app.inject({ url: '/private', headers: { host: 'app.test' } })
        t.ok(statusCode === 500 || statusCode === 401, `${hook}: refused, and it ends`)
        t.notMatch(body, 'secret')
      }
    }
  ],
  [
    'R44',
    'two numbers in a profile that are not integers are one account',
    async (t) => {
      const plain: Partial<OAuthConfig> = {
        type: 'oauth',
        issuer: undefined,
        idToken: false,
        authorization: { url: 'https://issuer.test/authorize', params: { scope: 'openid' } },
        token: 'https://issuer.test/token',
        userinfo: 'https://issuer.test/userinfo',
        profile: ({ id }: { id: number }) => ({ id: String(id) })
      }
      for (const [number, rounded] of [
        ['7.0000000000000001', '7'],
        ['9007199254740990.6', '9007199254740991'],
        ['1e-400', '0']
      ] as const) {
        const started = await start(t, { session: { strategy: 'database' }, demo: plain })
        started.issuer.faults.userinfo = () =>
          new Response(`{"id":${number}}`, { headers: { 'content-type': 'application/json' } })
        await signInAtIssuer(started, started.browser, { sub: 'eve' })
        const key = { provider: 'demo', providerAccountId: rounded }
        t.notOk(await started.adapter?.getUserByAccount?.(key), `${number} is not the account ${rounded}`)
      }
    }
  ],
  [
    'R41',
    'a replaced cookie of an https application lacks Secure without a warning',
    async (t) => {
      const lines: string[] = []
      const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } })
      t.teardown(() => app.close())
      const cookies: PosternPluginOptions['cookies'] = {
        sessionToken: { name: 'session', options: { httpOnly: true, sameSite: 'lax', path: '/' } }
      }
      await inProduction(async () => app.register(postern, { url: origin, secret, providers: [people], cookies }))
      t.ok(
        lines.some((line) => /cookies\.sessionToken.*secure/i.test(line)),
        'a warning'
      )
    }
  ],
  [
    'R47',
    'two application ids that differ in half a character are one application',
    async (t) => {
      const more = (applicationId: string) => ({ applicationId, session: { strategy: 'database' } as const, adapter })
      const adapter = memoryAdapter()
      try {
        const app = await startScopes(t, { shop: more('\ud800'), admin: more('\ud801') })
        const { token } = await signInScope(app, 'shop')
        const headers = { host: 'app.test', cookie: `__Secure-admin=${token}` }
        t.not((await app.inject({ url: '/admin/me', headers })).statusCode, 200)
      } catch (error) {
        t.match(error, { code: 'POSTERN_CONFIG' }, 'or such an id is refused')
      }
    }
  ]
]
