import { memoryAdapter } from '@postern/adapters/memory'
import type { Browser, BrowserResponse } from '@postern/testkit'
import t, { type Test } from 'tap'
import { patience } from '../postern.ts'
import { startWays, type Ways, type Wishes } from '../ways.ts'
import { answering, failures, told } from './faults.ts'

const constants = { callbackTimeoutMilliseconds: patience, mailTimeoutMilliseconds: patience }

type Way = 'byIssuer' | 'byMail' | 'byForm'

/** A function of the application's or of a provider's, and how a sign-in ends that it spoils. */
interface Case {
  readonly name: string
  /** Puts the function where it belongs. */
  readonly with: (call: () => never) => Wishes
  readonly ways: readonly Way[]
  readonly error: RegExp
  /** Values that it must not answer. */
  readonly nonsense: readonly unknown[]
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
    ways: ['byIssuer', 'byMail', 'byForm'],
    error: /AccessDenied|boom/,
    nonsense: [null, undefined, '', 42, {}, [], 'http://['] as const
  },
  {
    name: 'callbacks.jwt',
    with: (jwt) => ({ callbacks: { jwt }, session: { strategy: 'jwt' } }),
    ways: ['byIssuer', 'byMail', 'byForm'],
    error: /Callback/,
    nonsense: [...noObjects, []]
  },
  {
    name: 'providers.people.authorize',
    with: (authorize) => ({ credentials: { authorize } }),
    ways: ['byForm'],
    error: /CredentialsSignin|boom/,
    nonsense: ['text', 42, {}, { id: '' }, { id: null }, { id: {} }, [], true]
  },
  {
    name: 'providers.demo.profile',
    with: (profile) => ({ oauth: { profile } }),
    ways: ['byIssuer'],
    error: /OAuthCallback/,
    nonsense: [...noObjects, {}, { id: '' }, { id: {} }, { id: Number.NaN }]
  },
  {
    name: 'providers.demo.account',
    with: (account) => ({ oauth: { ...Object.fromEntries([['account', account]]) } }),
    ways: ['byIssuer'],
    error: /OAuthCallback/,
    nonsense: ['text', 42]
  },
  {
    name: 'providers.demo.token.request',
    with: (request) => ({ oauth: { ...endpoints, token: { url: endpoints.token, request } } }),
    ways: ['byIssuer'],
    error: /OAuthCallback/,
    nonsense: [...noObjects, {}, { tokens: null }, { tokens: 'text' }, { tokens: {} }, { tokens: { access_token: 42 } }]
  },
  {
    name: 'providers.demo.token.request',
    with: (request) => ({ oauth: { token: { request } } }),
    ways: ['byIssuer'],
    error: /OAuthCallback/,
    nonsense: [{ tokens: { access_token: 'a' } }, { tokens: { access_token: 'a', id_token: 'text' } }]
  },
  {
    name: 'providers.demo.userinfo.request',
    with: (request) => ({ oauth: { ...endpoints, userinfo: { url: endpoints.userinfo, request } } }),
    ways: ['byIssuer'],
    error: /OAuthCallback/,
    nonsense: [...noObjects, []]
  },
  {
    name: 'providers.demo.token.conform',
    with: (conform) => ({ oauth: { token: { ...Object.fromEntries([['conform', conform]]) } } }),
    ways: ['byIssuer'],
    error: /OAuthCallback/,
    nonsense: ['text', 42, {}]
  },
  {
    name: 'providers.demo[customFetch]',
    with: (fetch) => ({ oauth: { [Symbol('custom-fetch')]: fetch, httpOptions: { timeout: patience } } }),
    ways: ['byIssuer'],
    error: /OAuthSignin/,
    nonsense: [...noObjects, {}, []]
  },
  {
    name: 'providers.email.sendVerificationRequest',
    with: (sendVerificationRequest) => ({ email: { sendVerificationRequest } }),
    ways: ['byMail'],
    error: /EmailSignin/,
    nonsense: []
  },
  {
    name: 'providers.email.generateVerificationToken',
    with: (generateVerificationToken) => ({ email: { generateVerificationToken } }),
    ways: ['byMail'],
    error: /EmailSignin/,
    nonsense: [...noObjects, '', {}].filter((value) => value !== 'text')
  },
  {
    name: 'providers.email.normalizeIdentifier',
    with: (normalizeIdentifier) => ({ email: { normalizeIdentifier } }),
    ways: ['byMail'],
    error: /EmailSignin/,
    nonsense: [null, undefined, '', 42, {}]
  },
  {
    name: 'session.generateSessionToken',
    with: (generateSessionToken) => ({ session: { strategy: 'database', generateSessionToken } }),
    ways: ['byIssuer', 'byMail', 'byForm'],
    error: /Callback/,
    nonsense: [null, undefined, '', 42, {}]
  },
  {
    name: 'jwt.encode',
    with: (encode) => ({ jwt: { encode }, session: { strategy: 'jwt' } }),
    ways: ['byIssuer', 'byMail', 'byForm'],
    error: /Callback/,
    nonsense: [null, undefined, '', 42, {}]
  }
]

async function isNobody(
  t: Test,
  { log }: Ways,
  browser: Browser,
  answer: BrowserResponse,
  { name, error }: Case
): Promise<void> {
  t.match(`${answer.status} ${answer.location}`, error, 'an error code')
  t.notOk(
    browser.cookies.all().some((cookie) => cookie.name.includes('session-token')),
    'no session cookie'
  )
  t.same(await browser.json('/api/auth/session'), {}, 'nobody')
  t.ok(told(log).includes(name), `the log names it: ${told(log)}`)
  t.notOk(told(log).includes('a token that no log may have'), 'and keeps what was thrown to itself')
}

for (const spoiled of cases) {
  for (const fault of [...failures, ...spoiled.nonsense.map(answering)]) {
    t.test(`${spoiled.name} ${fault.what}`, async (t) => {
      const call: () => never = Object(fault.call)
      const ways = await startWays(t, { adapter: memoryAdapter(), ...database, constants, ...spoiled.with(call) })
      for (const way of spoiled.ways) {
        const browser = ways.browser()
        await isNobody(t, ways, browser, await ways[way](browser), spoiled)
      }
    })
  }
}
