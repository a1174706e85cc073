import { memoryAdapter } from '@postern/adapters/memory'
import type { PosternOptions } from '@postern/core'
import { decode } from '@postern/core/jwt'
import t, { type Test } from 'tap'
import { createLog, origin, secret, startPostern } from '../postern.ts'
import { startTestSite, type TestOptions } from '../ways.ts'

const cookie = '__Secure-next-auth.session-token'
const json = '/api/auth/session'

interface Row {
  readonly option: string
  readonly works: (t: Test) => Promise<unknown>
}

/** A session that was started with a form under these options. */
async function startSignIn(t: Test, overrides: TestOptions) {
  const site = await startTestSite(t, overrides)
  const browser = site.browser()
  const response = await site.byForm(browser)
  return { methods: site, browser, reply: response }
}

const getLifetime = (header: readonly string[], name: string): number | null => {
  const seconds = /Max-Age=(\d+)/.exec(header.find((text) => text.startsWith(name)) ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds)
}

const setBy = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string[] =>
  [headers['set-cookie'] ?? []].flat().map(String)

const person = { id: '1', name: 'Ada' }
const form = { id: 'people', name: 'People', type: 'credentials' as const, authorize: () => person }

const pages: readonly Row[] = (['signIn', 'signOut', 'error', 'verifyRequest'] as const).map((page) => ({
  option: `pages.${page}`,
  works: async (t) => {
    const path = {
      signIn: 'signin',
      signOut: 'signout',
      error: 'error?error=AccessDenied',
      verifyRequest: 'verify-request'
    }
    const app = await startPostern(t, { providers: [form], pages: { [page]: '/mine' } })
    const response = await app.browser().open(`/api/auth/${path[page]}`)
    t.match(response.location, new RegExp(`^${origin}/mine`))
  }
}))

const cookies: readonly Row[] = (
  ['sessionToken', 'callbackUrl', 'csrfToken', 'state', 'pkceCodeVerifier', 'nonce'] as const
).map((name) => ({
  option: `cookies.${name}`,
  works: async (t) => {
    const options = {
      httpOnly: true,
      sameSite: 'strict' as const,
      path: '/api',
      secure: true,
      domain: 'app.test',
      maxAge: 77
    }
    const site = await startTestSite(t, { cookies: { [name]: { name: 'mine', options } } })
    const browser = site.browser()
    const csrf = await browser.open('/api/auth/csrf')
    const started = await browser.submit('/api/auth/signin/demo', { callbackUrl: '/there' })
    const response = await browser.submit('/api/auth/callback/people', {})
    const own = [csrf, started, response].flatMap(setBy).filter((text) => text.startsWith('mine='))
    t.ok(own.length > 0)
    for (const text of own)
      t.match(
        text,
        /^mine=.+; Max-Age=7[67]; Expires=.+; Domain=app\.test; Path=\/api; HttpOnly; Secure; SameSite=Strict$/
      )
  }
}))

const callbacks: readonly Row[] = [
  {
    option: 'callbacks.signIn',
    works: async (t) => {
      const { reply: response } = await startSignIn(t, { callbacks: { signIn: ({ user }) => user.name !== 'Ada' } })
      t.match(response.location, /error=AccessDenied/)
    }
  },
  {
    option: 'callbacks.redirect',
    works: async (t) => {
      const { reply: response } = await startSignIn(t, {
        callbacks: { redirect: ({ baseUrl }) => `${baseUrl}/always` }
      })
      t.equal(response.location, origin, 'nothing was requested, so the callback does not run')
      const { methods: site } = await startSignIn(t, {
        callbacks: { redirect: ({ url, baseUrl }) => `${baseUrl}/always?for=${url}` }
      })
      const mailResponse = await site
        .browser()
        .submit('/api/auth/callback/people', { callbackUrl: 'https://elsewhere.test/' })
      t.equal(mailResponse.location, `${origin}/always?for=https://elsewhere.test/`)
    }
  },
  {
    option: 'callbacks.jwt',
    works: async (t) => {
      const { browser } = await startSignIn(t, {
        callbacks: { jwt: ({ token, user }) => ({ ...token, ...(user ? { role: 'admin' } : {}) }) }
      })
      t.match(await decode({ token: browser.cookies.get(cookie) ?? '', secret }), { role: 'admin', sub: 'ada' })
    }
  },
  {
    option: 'callbacks.session',
    works: async (t) => {
      const { browser } = await startSignIn(t, {
        callbacks: { session: ({ session, token }) => ({ ...session, id: token?.sub }) }
      })
      t.match(await browser.json(json), { id: 'ada' })
    }
  }
]

const events: readonly Row[] = (
  ['signIn', 'signOut', 'createUser', 'updateUser', 'linkAccount', 'session'] as const
).map((event) => ({
  option: `events.${event}`,
  works: async (t) => {
    let count = 0
    const site = await startTestSite(t, { adapter: memoryAdapter(), events: { [event]: () => void count++ } })
    const browser = site.browser()
    await site.byMail(browser)
    await site.byMail(browser)
    await site.byIssuer(browser)
    await browser.json(json)
    await browser.submit('/api/auth/signout', {})
    t.ok(count > 0)
  }
}))

const theme: readonly Row[] = [
  ['colorScheme', 'dark'],
  ['logo', 'https://app.test/logo.png'],
  ['brandColor', '#123456'],
  ['buttonText', '#fedcba']
].map(([name = '', value = '']) => ({
  option: `theme.${name}`,
  works: async (t) => {
    let seen: unknown
    const site = await startTestSite(t, {
      adapter: memoryAdapter(),
      theme: { [name]: value },
      email: {
        sendVerificationRequest: ({ theme }) => {
          seen = theme
        }
      }
    })
    await site.browser().submit('/api/auth/signin/email', { email: 'ada@mail.test' })
    t.match(seen, { [name]: value }, 'mails receive it')
  }
}))

const logger: readonly Row[] = (['error', 'warn', 'debug'] as const).map((level) => ({
  option: `logger.${level}`,
  works: async (t) => {
    const lines: string[] = []
    const write = (code: string): void => void lines.push(code)
    const app = await startPostern(t, {
      providers: [{ ...form, authorize: () => null }],
      adapter: { ...memoryAdapter(), getSessionAndUser: () => Promise.reject(new Error('down')) },
      debug: level === 'debug',
      logger: { [level]: write }
    })
    const browser = app.browser()
    await browser.submit('/api/auth/callback/people', {})
    browser.cookies.set(cookie, 'something', { secure: true })
    await browser.open(json)
    const expected = {
      error: 'adapter_error_getSessionAndUser',
      warn: 'CREDENTIALS_SIGNIN_ERROR',
      debug: 'adapter_getSessionAndUser'
    }
    t.ok(lines.includes(expected[level]), lines.join())
  }
}))

const rows: readonly Row[] = [
  {
    option: 'providers',
    works: async (t) => {
      const app = await startPostern(t, {
        providers: [form, { ...form, id: 'b', name: 'B' }, { ...form, id: 'a', name: 'A' }]
      })
      t.same(Object.keys(await app.browser().json<object>('/api/auth/providers')), ['people', 'b', 'a'])
      const page = (await app.browser().open('/api/auth/signin')).body
      const places = ['/callback/people', '/callback/b', '/callback/a'].map((action) => page.indexOf(action))
      t.ok(
        places.every((position, index) => position > (places[index - 1] ?? 0)),
        'in their order'
      )
    }
  },
  {
    option: 'secret',
    works: async (t) => {
      const own = 'a separate secret, which is quite long enough'
      const { browser } = await startSignIn(t, { secret: own })
      t.match(await decode({ token: browser.cookies.get(cookie) ?? '', secret: own }), { sub: 'ada' })
    }
  },
  {
    option: 'session.strategy',
    works: async (t) => {
      const kinds: readonly [TestOptions, RegExp][] = [
        [{}, /^eyJ/],
        [{ adapter: memoryAdapter() }, /^(?!eyJ)/],
        [{ adapter: memoryAdapter(), session: { strategy: 'jwt' } }, /^eyJ/],
        [{ adapter: memoryAdapter(), session: { strategy: 'database' } }, /^(?!eyJ)/]
      ]
      for (const [overrides, value] of kinds)
        t.match((await startSignIn(t, overrides)).browser.cookies.get(cookie), value)
    }
  },
  {
    option: 'session.maxAge',
    works: async (t) => {
      for (const adapter of [undefined, memoryAdapter()]) {
        const { reply: response } = await startSignIn(t, { adapter, session: { maxAge: 5000 } })
        t.equal(getLifetime(setBy(response), cookie), 5000)
      }
      t.equal(getLifetime(setBy((await startSignIn(t, {})).reply), cookie), 2_592_000, 'the default')
    }
  },
  {
    option: 'session.updateAge',
    works: async (t) => {
      for (const adapter of [undefined, memoryAdapter()]) {
        let later = 0
        const runtime = { now: () => Date.now() + later * 1000 }
        const { browser } = await startSignIn(t, { adapter, runtime, session: { updateAge: 100 } })
        later = 50
        t.same(setBy(await browser.open(json)), [])
        later = 150
        t.equal(getLifetime(setBy(await browser.open(json)), cookie), 2_592_000)
      }
    }
  },
  {
    option: 'session.generateSessionToken',
    works: async (t) => {
      const session = { generateSessionToken: async () => 'a-token-of-our-own-making' }
      const { browser } = await startSignIn(t, { adapter: memoryAdapter(), session })
      t.match(
        browser.cookies.get(cookie),
        /^p1\.[\w-]{16}\.a-token-of-our-own-making$/,
        'after the tag of the application'
      )
      t.match(await browser.json(json), { user: { name: 'Ada' } })
    }
  },
  {
    option: 'jwt.secret',
    works: async (t) => {
      const own = 'a separate secret, which is quite long enough'
      const { browser } = await startSignIn(t, { jwt: { secret: own } })
      t.match(await decode({ token: browser.cookies.get(cookie) ?? '', secret: own }), { sub: 'ada' })
      await t.rejects(decode({ token: browser.cookies.get(cookie) ?? '', secret }))
    }
  },
  {
    option: 'jwt.maxAge',
    works: async (t) => {
      const { browser, reply: response } = await startSignIn(t, { jwt: { maxAge: 5000 } })
      const token = await decode({ token: browser.cookies.get(cookie) ?? '', secret })
      t.equal(Number(token?.['exp']) - Number(token?.['iat']), 5000)
      t.equal(getLifetime(setBy(response), cookie), 2_592_000, 'the cookie lasts as long as the session')
    }
  },
  {
    option: 'jwt.encode',
    works: async (t) => {
      let requested: object = {}
      const jwt = {
        encode: (parameters: object) => {
          requested = parameters
          return 'written'
        },
        decode: () => ({ sub: 'ada', name: 'Ada' })
      }
      let time = Date.now()
      // The time goes on while the session is written.
      const { browser } = await startSignIn(t, { jwt, runtime: { now: () => time++ } })
      t.match(requested, { token: { sub: 'ada', name: 'Ada' }, secret, maxAge: 2_592_000 })
      t.notHas(requested, 'salt')
      t.equal(browser.cookies.get(cookie), 'written')
    }
  },
  {
    option: 'jwt.decode',
    works: async (t) => {
      const requests: object[] = []
      const jwt = {
        encode: () => 'written',
        decode: (parameters: object) => {
          requests.push(parameters)
          return { sub: 'ada', name: 'Somebody' }
        }
      }
      const { browser } = await startSignIn(t, { jwt, secret: [secret, 'an older one'] })
      t.match(await browser.json(json), { user: { name: 'Somebody' } })
      t.match(requests[0], { token: 'written', secret })
    }
  },
  ...pages,
  {
    option: 'pages.newUser',
    works: async (t) => {
      const site = await startTestSite(t, { adapter: memoryAdapter(), pages: { newUser: '/hello?a=b' } })
      const first = await site.byIssuer(site.browser())
      t.equal(first.location, `${origin}/hello?a=b&callbackUrl=${encodeURIComponent(origin)}`)
      t.equal((await site.byIssuer(site.browser())).location, origin, 'only once')
    }
  },
  ...callbacks,
  ...events,
  {
    option: 'adapter',
    works: async (t) => {
      const adapter = memoryAdapter()
      const site = await startTestSite(t, { adapter })
      await site.byIssuer(site.browser())
      t.match(await adapter.getUserByEmail?.('ada@example.com'), { name: 'Ada Lovelace' })
    }
  },
  {
    option: 'debug',
    works: async (t) => {
      for (const debug of [true, false]) {
        const { lines, logger } = createLog()
        const app = await startPostern(t, { providers: [form], adapter: memoryAdapter(), debug, logger })
        await app.browser().submit('/api/auth/callback/people', {})
        t.equal(
          lines.some(({ level }) => level === 'debug'),
          debug
        )
      }
    }
  },
  ...logger,
  ...theme,
  {
    option: 'useSecureCookies',
    works: async (t) => {
      for (const [useSecureCookies, name] of [
        [true, '__Host-next-auth.csrf-token'],
        [false, 'next-auth.csrf-token'],
        [undefined, '__Host-next-auth.csrf-token']
      ] as const) {
        const app = await startPostern(t, { providers: [form], useSecureCookies })
        t.match(setBy(await app.browser().open('/api/auth/csrf'))[0], new RegExp(`^${name}=`))
      }
      const app = await startPostern(t, { providers: [form], url: 'http://app.test' })
      const response = await app.app.inject('/api/auth/csrf')
      t.match(setBy(response)[0], /^next-auth\.csrf-token=/, 'as the URL sets it')
    }
  },
  ...cookies
]

/** Every option of next-auth v4, as its reference lists them. */
const reference = [
  ...['providers', 'secret', 'session.strategy', 'session.maxAge', 'session.updateAge', 'session.generateSessionToken'],
  ...['jwt.secret', 'jwt.maxAge', 'jwt.encode', 'jwt.decode'],
  ...['pages.signIn', 'pages.signOut', 'pages.error', 'pages.verifyRequest', 'pages.newUser'],
  ...['callbacks.signIn', 'callbacks.redirect', 'callbacks.jwt', 'callbacks.session'],
  ...[
    'events.signIn',
    'events.signOut',
    'events.createUser',
    'events.updateUser',
    'events.linkAccount',
    'events.session'
  ],
  ...['adapter', 'debug', 'logger.error', 'logger.warn', 'logger.debug'],
  ...['theme.colorScheme', 'theme.logo', 'theme.brandColor', 'theme.buttonText', 'useSecureCookies'],
  ...[
    'cookies.sessionToken',
    'cookies.callbackUrl',
    'cookies.csrfToken',
    'cookies.pkceCodeVerifier',
    'cookies.state',
    'cookies.nonce'
  ]
]

t.test('every option is walked', async (t) => {
  t.same(rows.map(({ option }) => option).sort(), [...reference].sort())
})

for (const { option, works } of rows) t.test(option, works)

t.test('a session cookie that is not Secure, on a site that is', async (t) => {
  const cookies = {
    sessionToken: { name: 'sid', options: { httpOnly: true, sameSite: 'lax', path: '/', secure: false } }
  }
  for (const storage of ['hashed', 'plain'] as const) {
    const { browser } = await startSignIn(t, {
      adapter: memoryAdapter(),
      cookies: Object(cookies),
      session: { storage }
    })
    t.ok(browser.cookies.get('sid'))
    t.match(await browser.json(json), { user: { name: 'Ada' } })
  }
})

t.test('undefined is ignored in every option', async (t) => {
  const nothing = Object.fromEntries(reference.map((name) => [name.split('.')[0] ?? '', undefined]))
  const inside = {
    session: { maxAge: undefined },
    jwt: { encode: undefined },
    pages: { signIn: undefined },
    callbacks: { jwt: undefined }
  }
  for (const options of [nothing, inside] satisfies Partial<PosternOptions>[]) {
    const app = await startPostern(t, { ...options, secret, providers: [form], logger: createLog().logger })
    t.equal((await app.browser().submit('/api/auth/callback/people', {})).location, origin)
  }
})
