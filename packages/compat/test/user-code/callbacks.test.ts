import { memoryAdapter } from '@postern/adapters/memory'
import type { Browser, BrowserResponse } from '@postern/testkit'
import t, { type Test } from 'tap'
import { patience } from '../postern.ts'
import { type SignInMethods, startTestSite, type TestOptions } from '../ways.ts'
import { formatLog, someFaults } from './faults.ts'

const constants = { callbackTimeoutMilliseconds: patience, mailTimeoutMilliseconds: patience }

type SignInMethod = 'byIssuer' | 'byMail' | 'byForm'

/** A function of the application's or of a provider's, and how a sign-in ends that it spoils. */
interface Case {
  readonly name: string
  /** Puts the function where it belongs. */
  readonly with: (call: () => never) => TestOptions
  readonly methods: readonly SignInMethod[]
  readonly error: RegExp
  /** Values that it must not answer. */
  readonly invalid: readonly unknown[]
}

const database = { session: { strategy: 'database' as const } }
const plain = { type: 'oauth' as const, issuer: undefined, idToken: false }
const endpoints = {
  ...plain,
  authorization: 'https://issuer.test/authorize?scope=openid',
  token: 'https://issuer.test/token',
  userinfo: 'https://issuer.test/userinfo'
}
const noObjects = [null, undefined, 'text', 42]

const cases: readonly Case[] = [
  {
    name: 'callbacks.signIn',
    with: (signIn) => ({ callbacks: { signIn } }),
    methods: ['byIssuer', 'byMail', 'byForm'],
    // One that never answers is an outage; what is not an error is a crash.
    error: /AccessDenied|boom|Callback|^503/,
    invalid: [null, undefined, '', 42, {}, [], 'http://['] as const
  },
  {
    name: 'callbacks.jwt',
    with: (jwt) => ({ callbacks: { jwt }, session: { strategy: 'jwt' } }),
    methods: ['byIssuer', 'byMail', 'byForm'],
    error: /Callback/,
    invalid: [...noObjects, []]
  },
  {
    name: 'providers.people.authorize',
    with: (authorize) => ({ credentials: { authorize } }),
    methods: ['byForm'],
    // An authorize that never answers is an outage, not a wrong password.
    error: /CredentialsSignin|boom|Callback|^503/,
    invalid: ['text', 42, {}, { id: '' }, { id: null }, { id: {} }, [], true]
  },
  {
    name: 'providers.demo.profile',
    with: (profile) => ({ oauth: { profile } }),
    methods: ['byIssuer'],
    error: /OAuthCallback/,
    invalid: [...noObjects, {}, { id: '' }, { id: {} }, { id: Number.NaN }]
  },
  {
    name: 'providers.demo.account',
    with: (account) => ({ oauth: { ...Object.fromEntries([['account', account]]) } }),
    methods: ['byIssuer'],
    error: /OAuthCallback/,
    invalid: ['text', 42]
  },
  {
    name: 'providers.demo.token.request',
    with: (request) => ({ oauth: { ...endpoints, token: { url: endpoints.token, request } } }),
    methods: ['byIssuer'],
    error: /OAuthCallback/,
    invalid: [...noObjects, {}, { tokens: null }, { tokens: 'text' }, { tokens: {} }, { tokens: { access_token: 42 } }]
  },
  {
    name: 'providers.demo.token.request',
    with: (request) => ({ oauth: { token: { request } } }),
    methods: ['byIssuer'],
    error: /OAuthCallback/,
    invalid: [{ tokens: { access_token: 'a' } }, { tokens: { access_token: 'a', id_token: 'text' } }]
  },
  {
    name: 'providers.demo.userinfo.request',
    with: (request) => ({ oauth: { ...endpoints, userinfo: { url: endpoints.userinfo, request } } }),
    methods: ['byIssuer'],
    error: /OAuthCallback/,
    invalid: [...noObjects, []]
  },
  {
    name: 'providers.demo.token.conform',
    with: (conform) => ({ oauth: { token: { ...Object.fromEntries([['conform', conform]]) } } }),
    methods: ['byIssuer'],
    error: /OAuthCallback/,
    invalid: ['text', 42, {}]
  },
  {
    name: 'providers.demo[customFetch]',
    with: (fetch) => ({ oauth: { [Symbol('custom-fetch')]: fetch, httpOptions: { timeout: patience } } }),
    methods: ['byIssuer'],
    error: /OAuthSignin/,
    invalid: [...noObjects, {}, []]
  },
  {
    name: 'providers.email.sendVerificationRequest',
    with: (sendVerificationRequest) => ({ email: { sendVerificationRequest } }),
    methods: ['byMail'],
    error: /EmailSignin/,
    invalid: []
  },
  {
    name: 'providers.email.generateVerificationToken',
    with: (generateVerificationToken) => ({ email: { generateVerificationToken } }),
    methods: ['byMail'],
    error: /EmailSignin/,
    invalid: [...noObjects, '', {}].filter((value) => value !== 'text')
  },
  {
    name: 'providers.email.normalizeIdentifier',
    with: (normalizeIdentifier) => ({ email: { normalizeIdentifier } }),
    methods: ['byMail'],
    error: /EmailSignin/,
    invalid: [null, undefined, '', 42, {}]
  },
  {
    name: 'session.generateSessionToken',
    with: (generateSessionToken) => ({ session: { strategy: 'database', generateSessionToken } }),
    methods: ['byIssuer', 'byMail', 'byForm'],
    error: /Callback/,
    invalid: [null, undefined, '', 42, {}]
  },
  {
    name: 'jwt.encode',
    with: (encode) => ({ jwt: { encode }, session: { strategy: 'jwt' } }),
    methods: ['byIssuer', 'byMail', 'byForm'],
    error: /Callback/,
    invalid: [null, undefined, '', 42, {}]
  }
]

async function isSignedOut(
  t: Test,
  { log }: SignInMethods,
  browser: Browser,
  response: BrowserResponse,
  { name, error }: Case
): Promise<void> {
  t.match(`${response.status} ${response.location}`, error, 'an error code')
  t.notOk(
    browser.cookies.all().some((cookie) => cookie.name.includes('session-token')),
    'no session cookie'
  )
  t.same(await browser.json('/api/auth/session'), {}, 'nobody')
  t.ok(formatLog(log).includes(name), `the log names it: ${formatLog(log)}`)
  t.notOk(formatLog(log).includes('a token that no log may have'), 'and keeps what was thrown to itself')
}

for (const { one: corrupted, fault } of someFaults(cases, ({ name }) => name)) {
  t.test(`${corrupted.name} ${fault.title}`, async (t) => {
    const call: () => never = Object(fault.call)
    const site = await startTestSite(t, { adapter: memoryAdapter(), ...database, constants, ...corrupted.with(call) })
    for (const method of corrupted.methods) {
      const browser = site.browser()
      await isSignedOut(t, site, browser, await site[method](browser), corrupted)
    }
  })
}
