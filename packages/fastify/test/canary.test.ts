import { inspect } from 'node:util'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import {
  type Browser,
  type BrowserResponse,
  createBrowser,
  createClock,
  createIssuer,
  fromInject,
  type Person
} from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern from '../src/index.ts'
import { cookieNames, demoIssuer, fromAfar, lastMethodCookie, mails, origin, type Started, start } from './start.ts'

const turns = turnsOf(['jwt', 'database'] as const, t)

/** What no one may ever read, each a separate marker. */
const fixed = {
  'the secret': 'canary-secret-of-the-application-0123456789',
  'the old secret': 'canary-old-secret-of-the-application-012345',
  'the client secret': 'canary-client-secret-1',
  'the password of the mail server': 'canary-smtp-password-2',
  'the password of the visitor': 'canary-password-3'
} as const

const password = fixed['the password of the visitor']

/** What is made in the course of a run, with the only places where it may be read. */
type Made = Map<string, { readonly title: string; readonly where: RegExp | null }>

const form = credentials({
  credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize: (given: { username: string; password: string }) => {
    if (given.username === 'system')
      throw Object.assign(new Error(`select failed, params: ${given.username}, ${given.password}`), {
        code: 'ECONNRESET'
      })
    if (given.username === 'careless') throw new Error(`${given.password} is wrong`)
    return given.username === 'ada' && given.password === password
      ? { id: '1', name: 'Ada', email: 'ada@example.com' }
      : null
  }
})

/** An adapter whose errors quote what it was called with, as database libraries do. */
function quoting(adapter: Adapter, isBroken: (method: string) => boolean): Adapter {
  return new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string') return method
      return async (...args: readonly unknown[]) => {
        if (isBroken(name)) {
          const cause = Object.assign(new Error(`Key (${JSON.stringify(args)}) exists`), {
            detail: JSON.stringify(args),
            params: args
          })
          throw Object.assign(new Error(`Failed query: ${name}\nparams: ${JSON.stringify(args)}`, { cause }), {
            params: args
          })
        }
        return Reflect.apply(method, target, args)
      }
    }
  })
}

/** A run: what was answered, logged and thrown. */
interface Run extends Started {
  readonly responses: readonly BrowserResponse[]
  readonly thrown: readonly unknown[]
  /** What the provider issued. */
  readonly tokens: readonly string[]
}

async function play(t: Test, strategy: 'jwt' | 'database'): Promise<Run> {
  const tokens: string[] = []
  const thrown: unknown[] = []
  const responses: BrowserResponse[] = []
  const clock = createClock()
  const issuer = createIssuer({ clock, clientSecret: fixed['the client secret'] })
  const broken = new Set<string>()
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await issuer.fetch(url, init)
    if (url.endsWith('/token') && response.ok) tokens.push(...getTexts(await response.clone().json()))
    return response
  }
  const started = await start(t, {
    adapter: quoting(memoryAdapter(), (method) => broken.has(method)),
    secret: [fixed['the secret'], fixed['the old secret']],
    session: { strategy, updateAge: 0 },
    debug: true,
    clientLog: true,
    rateLimit: { mailPerIdentifier: { points: 12, seconds: 900 }, mailPerClient: { points: 100, seconds: 900 } },
    providers: [
      demoIssuer(issuer),
      mails({ server: `smtp://app:${fixed['the password of the mail server']}@mail.test` }),
      form
    ],
    runtime: { now: clock.now, fetch },
    before: (app) => {
      app.addHook('onError', async (_request, _reply, error) => void thrown.push(error))
    }
  })
  const run = { ...started, issuer, responses, thrown, tokens }
  for (const [name, step] of steps) {
    const browser = createBrowser({ origin, send: fromInject(started.app), clock })
    const note = (response: BrowserResponse): BrowserResponse => {
      responses.push(response)
      return response
    }
    const watched: Browser = {
      ...browser,
      open: async (...args) => note(await browser.open(...args)),
      submit: async (...args) => note(await browser.submit(...args)),
      post: async (...args) => note(await browser.post(...args)),
      request: async (...args) => note(await browser.request(...args)),
      fill: async (...args) => note(await browser.fill(...args))
    }
    const before = started.log.length
    await step({ ...run, browser: watched, broken })
    clock.advance(1)
    t.ok(started.log.length > before, `${name}: is in the log`)
    broken.clear()
    started.mailbox.fail(null)
    Object.assign(issuer.faults, noFaults)
  }
  return run
}

function getTexts(fields: unknown): readonly string[] {
  const values = Object.entries(fields as Readonly<Record<string, unknown>>)
  return values.flatMap(([name, value]) =>
    typeof value === 'string' && !['token_type', 'scope'].includes(name) ? [value] : []
  )
}

interface Step extends Started {
  readonly browser: Browser
  /** The adapter's methods that fail. */
  readonly broken: Set<string>
}

const noFaults = {
  tokenError: null,
  badSignature: false,
  unreachable: false,
  callbackError: null,
  userinfoStatus: null,
  wrongNonce: false
} as const

async function throughProvider({ browser, issuer }: Step, person?: Person): Promise<BrowserResponse> {
  const response = await browser.submit('/api/auth/signin/demo', { callbackUrl: '/me' })
  return browser.open(await issuer.authorize(response.location ?? '', person), { headers: fromAfar })
}

async function askForMail({ browser, mailbox }: Step): Promise<{ url: string; code: string }> {
  await browser.submit('/api/auth/signin/email', { email: `person-${mailbox.mails.length}@example.com` })
  return mailbox.last()
}

const signInMethods: Readonly<Record<string, (step: Step) => Promise<unknown>>> = {
  'the provider': (step) => throughProvider(step),
  'the link': async (step) => step.browser.open((await askForMail(step)).url, { headers: fromAfar }),
  'the code': async (step) => step.browser.submit('/api/auth/callback/email', { code: (await askForMail(step)).code }),
  'the form': ({ browser }) => browser.submit('/api/auth/callback/credentials', { username: 'ada', password })
}

const methods = [
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'createUser',
  'createUserWithAccount',
  'updateUser',
  'updateAccount',
  'linkAccount',
  'getAccounts',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken',
  'getVerificationToken'
] as const

const steps: readonly (readonly [name: string, step: (step: Step) => Promise<unknown>])[] = [
  ...Object.entries(signInMethods),
  ...Object.entries(signInMethods).map(
    ([name, signInMethod]) =>
      [
        `${name}, then everything that a visitor can do`,
        async (step: Step) => {
          await signInMethod(step)
          for (const path of [
            '/',
            '/me',
            '/api/auth/session',
            '/api/auth/signout',
            '/api/auth/signin',
            '/api/auth/providers'
          ])
            await step.browser.open(path)
          await step.browser.submit('/api/auth/session', { data: 'x' })
          await step.browser.submit('/api/auth/signout', {})
        }
      ] as const
  ),
  ...methods.flatMap((method) =>
    Object.entries(signInMethods).map(
      ([name, signInMethod]) =>
        [
          `${name} while ${method} fails`,
          async (step: Step) => {
            step.broken.add(method)
            await signInMethod(step).catch(() => undefined)
            for (const path of ['/', '/me', '/api/auth/session']) await step.browser.open(path)
            await step.browser.submit('/api/auth/signout', {}).catch(() => undefined)
          }
        ] as const
    )
  ),
  [
    'the wrong password',
    ({ browser }) => browser.submit('/api/auth/callback/credentials', { username: 'grace', password })
  ],
  [
    'an error of the system',
    ({ browser }) => browser.submit('/api/auth/callback/credentials', { username: 'system', password })
  ],
  [
    'an error that contains the password',
    ({ browser }) => browser.submit('/api/auth/callback/credentials', { username: 'careless', password })
  ],
  [
    'a password in the query',
    ({ browser }) =>
      browser.submit(`/api/auth/callback/credentials?password=${password}`, { username: 'ada', password: 'wrong' })
  ],
  [
    'a mail server that refuses',
    async ({ browser, mailbox }) => {
      mailbox.fail(
        Object.assign(new Error('535 5.7.8 authentication failed'), { code: 'EAUTH', command: 'AUTH PLAIN' })
      )
      await browser.submit('/api/auth/signin/email', { email: 'refused@example.com' })
    }
  ],
  [
    'a link in another browser, pressed',
    async (step) => {
      const { url } = await askForMail(step)
      step.browser.cookies.clear()
      await step.browser.fill(await step.browser.open(url, { headers: fromAfar }), '/api/auth/callback/email')
    }
  ],
  [
    'a link twice, and by HEAD',
    async (step) => {
      const { url } = await askForMail(step)
      await step.browser.request('HEAD', url)
      await step.browser.open(url)
      await step.browser.open(url)
    }
  ],
  [
    'wrong codes',
    async (step) => {
      await askForMail(step)
      for (let count = 0; count < 6; count++)
        await step.browser.submit('/api/auth/callback/email', { code: 'BCDFGHJK' })
    }
  ],
  [
    'too many mails',
    async (step) => {
      for (let count = 0; count < 14; count++)
        await step.browser.submit('/api/auth/signin/email', { email: 'often@example.com' })
    }
  ],
  [
    'a token endpoint that refuses and echoes',
    async (step) => {
      step.issuer.faults.tokenError = {
        status: 400,
        body: { error: 'invalid_grant', error_description: `${fixed['the client secret']} code` }
      }
      await throughProvider(step)
    }
  ],
  [
    'a token endpoint that responds invalid data',
    async (step) => {
      step.issuer.faults.tokenError = { status: 200, body: `<html>${fixed['the client secret']}` }
      await throughProvider(step)
    }
  ],
  ...(['badSignature', 'unreachable', 'wrongNonce'] as const).map(
    (fault) =>
      [
        `a provider with ${fault}`,
        async (step: Step) => {
          const response = await step.browser.submit('/api/auth/signin/demo', {})
          const callback = await step.issuer.authorize(response.location ?? '')
          step.issuer.faults[fault] = true
          await step.browser.open(callback, { headers: fromAfar })
        }
      ] as const
  ),
  [
    'a visitor who cancels',
    async (step) => {
      step.issuer.faults.callbackError = 'access_denied'
      await throughProvider(step)
    }
  ],
  [
    'a callback without an attempt, and by POST',
    async (step) => {
      const response = await step.browser.submit('/api/auth/signin/demo', {})
      const callback = new URL(await step.issuer.authorize(response.location ?? ''))
      step.browser.cookies.clear()
      await step.browser.open(callback.href, { headers: fromAfar })
      await step.browser.post('/api/auth/callback/demo', callback.search.slice(1), { 'sec-fetch-site': 'cross-site' })
    }
  ],
  [
    'cookies that Postern did not issue',
    async ({ browser }) => {
      for (const name of Object.values(cookieNames).filter((cookie) => cookie !== cookieNames.callbackUrl))
        browser.cookies.set(name, fixed['the password of the visitor'], { secure: true })
      for (const path of [
        '/',
        '/api/auth/session',
        '/api/auth/signin',
        '/api/auth/callback/demo?state=x',
        '/api/auth/verify-request?provider=email'
      ])
        await browser.open(path)
    }
  ],
  [
    'the log of browsers',
    ({ browser }) => browser.post('/api/auth/_log', `level=error&code=A&message=${'m'.repeat(900)}`)
  ],
  [
    'a body that is malformed',
    ({ browser }) =>
      browser.post('/api/auth/signin/email', `{"password":"${password}`, { 'content-type': 'application/json' })
  ],
  [
    'a path that is none',
    ({ browser }) => browser.post(`/api/auth/nothing?password=${password}`, `password=${password}`)
  ]
]

/** Reads the value of every cookie, of every mail and of every response of the provider as a secret. */
function collect(run: Pick<Run, 'mailbox' | 'issuer' | 'store' | 'responses' | 'tokens'>): Made {
  const made: Made = new Map()
  const add = (value: string | null | undefined, title: string, where: RegExp | null = null): void => {
    if (value && value.length >= 8) made.set(value, { title, where })
  }
  for (const { setCookies } of run.responses) {
    for (const { name, value } of setCookies) {
      const plain = decodeURIComponent(value)
      // The id of a sign-in method is on every sign-in page.
      if (name === cookieNames.callbackUrl || name === lastMethodCookie) continue
      if (name === cookieNames.csrfToken) {
        const [token, hash] = plain.split('|')
        add(token, 'an anti-forgery token', /"csrfToken":|name="csrfToken"/)
        add(hash, 'the hash of an anti-forgery token')
      } else add(plain, `the cookie ${name}`)
    }
  }
  for (const { url, code } of run.mailbox.mails) {
    add(new URL(url).searchParams.get('token'), 'the token of a link', /name="token"/)
    add(code, 'the code of a mail')
  }
  for (const { body } of run.issuer.requests) {
    add(new URLSearchParams(String(body ?? '')).get('code_verifier'), 'a PKCE verifier')
    add(new URLSearchParams(String(body ?? '')).get('code'), 'a code of the provider')
  }
  for (const token of run.tokens) add(token, 'a token of the provider')
  for (const { method, args } of run.store.calls) {
    const [row] = args as readonly { readonly token?: string; readonly sessionToken?: string }[]
    if (method === 'createVerificationToken' && (row?.token?.length ?? 0) > 8)
      add(row?.token, 'what is stored of a link')
    if (method === 'createSession') add(row?.sessionToken, 'what is stored of a session')
  }
  return made
}

for (const { value: strategy, test } of turns()) {
  test(`A07 no secret of a whole run is in a log line, a page, a header or an error: ${strategy}`, async (t) => {
    const run = await play(t, strategy)
    const made = collect(run)
    const everywhere = new Map([
      ...Object.entries(fixed).map(([title, value]) => [value, { title, where: null }] as const),
      ...made
    ])
    t.ok(made.size > 300, `${everywhere.size} secrets`)
    const log = run.log.join('')
    const errors = run.thrown.map((error) => inspect(error, { depth: 10 })).join('')
    t.equal(run.thrown.length > 0, strategy === 'database', 'errors of the store reached the application')
    const shown = run.responses.map(({ headers, body, request }) => {
      const { 'set-cookie': _, location, ...others } = headers
      // The redirect to the provider carries what belongs there, and a form_post is turned into a GET with its own fields.
      const isProvider =
        typeof location === 'string' &&
        /^https:\/\/(issuer\.test\/authorize|app\.test\/api\/auth\/callback\/demo)\?/.test(location)
      return { body, request, headers: JSON.stringify({ ...others, location: isProvider ? null : location }) }
    })
    for (const [value, { title, where }] of everywhere) {
      for (const text of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
        if (log.includes(text)) t.fail(`${title} is in the log: ${run.log.find((line) => line.includes(text))}`)
        if (errors.includes(text))
          t.fail(`${title} is in an error: ${errors.slice(errors.indexOf(text) - 300, errors.indexOf(text))}`)
        for (const { body, headers, request } of shown) {
          if (headers.includes(text)) t.fail(`${title} is in a header of ${request.method} ${request.url}: ${headers}`)
          if (body.includes(text) && !where?.test(body))
            t.fail(`${title} is in the body of ${request.method} ${request.url}`)
        }
      }
    }
    console.log(
      `canaries: ${everywhere.size} secrets, ${run.log.length} log lines, ${run.responses.length} answers, ${run.thrown.length} errors`
    )
  })
}

t.test('A07 configuration errors do not contain the configured values', async (t) => {
  const canary = 'canary-option'
  const wrong: readonly Readonly<Record<string, unknown>>[] = [
    { secret: canary },
    { url: canary, secret: `${canary}\0` },
    { providers: canary },
    { providers: [{ id: canary, type: canary, clientSecret: canary }] },
    {
      providers: [{ id: 'a', type: 'oauth', clientSecret: { canary }, clientId: 1, authorization: `ftp://${canary}` }]
    },
    { providers: [mails({ server: `${canary}://`, from: canary, maxAge: -1 })], adapter: { [canary]: canary } },
    { jwt: { secret: { canary } } },
    { cookies: { sessionToken: { name: `__Host-${canary} ` } } },
    { rateLimit: canary },
    { trustHost: [`https://${canary}/`] }
  ]
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  t.teardown(() => {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  })
  for (const options of wrong) {
    const app = Fastify()
    t.teardown(() => app.close())
    const error: unknown = await Promise.resolve(
      app.register(postern, { providers: [form], ...options }).after()
    ).catch((thrown: unknown) => thrown)
    t.match(error, { code: 'POSTERN_CONFIG' })
    t.notMatch(inspect(error).replaceAll(/canary-option(?=[.:])/g, ''), canary, Object.keys(options).join())
  }
})
