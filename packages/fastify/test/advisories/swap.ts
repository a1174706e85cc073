import type { Browser, BrowserResponse } from '@postern/testkit'
import { fewInTurn } from '../selections.ts'
import { cookieNames, fromAfar, getSession, origin, type Started, signInByForm, start } from '../start.ts'
import { someStrategies } from './linking-setup.ts'
import type { Replay } from './replay.ts'

const ada = 'ada@example.com'

/** A parameter that accepts an issued value: `works` is whether the sign-in or the form succeeded. */
interface ReplayCase {
  /** What is issued for this place. */
  readonly own: string
  /** @param value - What is put there; `null` leaves the right one. */
  readonly works: (started: Started, value: string | null) => Promise<boolean>
}

function put({ cookies }: Browser, name: string, value: string | null): void {
  if (value !== null) cookies.set(name, encodeURIComponent(value), { secure: true })
}

async function isIn(browser: Browser, response: BrowserResponse): Promise<boolean> {
  const isGiven = response.setCookies.some(
    ({ name, value }) => name.startsWith(cookieNames.sessionToken) && value !== ''
  )
  return isGiven || Object.keys(await getSession(browser)).length > 0
}

/** Each contains a third of what is encrypted. */
const stateCookies = [cookieNames.state, cookieNames.pkceCodeVerifier, cookieNames.nonce] as const

/** Comes back from the provider, with one parameter exchanged, or what its cookies contain. */
async function throughProvider(
  { newBrowser, issuer }: Started,
  change: { readonly parameter?: string; readonly value: string | null }
): Promise<boolean> {
  const browser = newBrowser()
  const response = await browser.submit('/api/auth/signin/demo', {})
  const callback = new URL(await issuer.authorize(response.location ?? ''))
  const { parameter, value } = change
  if (parameter && value !== null) callback.searchParams.set(parameter, value)
  else if (value !== null) {
    const length = Math.ceil(value.length / stateCookies.length)
    for (const [at, name] of stateCookies.entries()) put(browser, name, value.slice(at * length, (at + 1) * length))
  }
  return isIn(browser, await browser.open(callback.href, { headers: fromAfar }))
}

async function asking({ newBrowser, mailbox }: Started): Promise<{ browser: Browser; url: URL; code: string }> {
  const browser = newBrowser()
  await browser.submit('/api/auth/signin/email', { email: ada })
  const { url, code } = mailbox.last()
  return { browser, url: new URL(url), code }
}

const places: Readonly<Record<string, ReplayCase>> = {
  'the session cookie': {
    own: 'session cookie',
    works: async ({ newBrowser }, value) => {
      const browser = newBrowser()
      await signInByForm(browser)
      put(browser, cookieNames.sessionToken, value)
      const { status } = await browser.request('GET', '/me')
      return status === 200 || Object.keys(await getSession(browser)).length > 0
    }
  },
  'the anti-forgery cookie': {
    own: 'anti-forgery cookie',
    works: async ({ newBrowser }, value) => {
      const browser = newBrowser()
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      put(browser, cookieNames.csrfToken, value)
      const token = value === null ? csrfToken : (value.split('|')[0] ?? '')
      return !(await browser.submit('/api/auth/signout', { csrfToken: token })).location?.includes('csrf=true')
    }
  },
  'the anti-forgery field': {
    own: 'anti-forgery token',
    works: async ({ newBrowser }, value) => {
      const browser = newBrowser()
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      return !(await browser.submit('/api/auth/signout', { csrfToken: value ?? csrfToken })).location?.includes(
        'csrf=true'
      )
    }
  },
  'the cookies of a sign-in': {
    own: 'sign-in cookies',
    works: (started, value) => throughProvider(started, { value })
  },
  'the state parameter': {
    own: 'state',
    works: (started, value) => throughProvider(started, { parameter: 'state', value })
  },
  'the code of the provider': {
    own: 'authorization code',
    works: (started, value) => throughProvider(started, { parameter: 'code', value })
  },
  'the cookie of the mails that were requested, with the link': {
    own: 'mail cookie',
    works: async (started, value) => {
      const { browser, url } = await asking(started)
      put(browser, cookieNames.emailRequest, value)
      if (value !== null)
        browser.cookies.set(cookieNames.emailRequest, encodeURIComponent(value), { secure: true, path: '/api/auth' })
      return isIn(browser, await browser.open(url.href, { headers: fromAfar }))
    }
  },
  'the cookie of the mails that were requested, with the code': {
    own: 'mail cookie',
    works: async (started, value) => {
      const { browser, code } = await asking(started)
      if (value !== null)
        browser.cookies.set(cookieNames.emailRequest, encodeURIComponent(value), { secure: true, path: '/api/auth' })
      return isIn(browser, await browser.submit('/api/auth/callback/email', { code }))
    }
  },
  'the token of a link': {
    own: 'link token',
    works: async (started, value) => {
      const { browser, url } = await asking(started)
      const token = value ?? url.searchParams.get('token') ?? ''
      return isIn(browser, await browser.submit('/api/auth/callback/email', { token, email: ada }))
    }
  },
  'the address of a link': {
    own: 'address',
    works: async (started, value) => {
      const { browser, url } = await asking(started)
      const token = url.searchParams.get('token') ?? ''
      return isIn(browser, await browser.submit('/api/auth/callback/email', { token, email: value ?? ada }))
    }
  },
  'the code of a mail': {
    own: 'code',
    works: async (started, value) => {
      const { browser, code } = await asking(started)
      return isIn(browser, await browser.submit('/api/auth/callback/email', { code: value ?? code }))
    }
  }
}

/** Everything that one visitor is issued on the sign-in methods, and what is stored of it. */
async function issued(started: Started): Promise<Readonly<Record<string, string>>> {
  const { browser, issuer, mailbox, store } = started
  const response = await browser.submit('/api/auth/signin/demo', { callbackUrl: '/me' })
  const authorization = new URL(response.location ?? '').searchParams
  const callback = new URL(await issuer.authorize(response.location ?? '')).searchParams
  await browser.submit('/api/auth/signin/email', { email: 'donor@example.com' })
  const { url, code } = mailbox.last()
  const cookie = (name: string): string => decodeURIComponent(browser.cookies.get(name) ?? '')
  const attempt = {
    'sign-in cookies': stateCookies.map(cookie).join(''),
    'mail cookie': cookie(cookieNames.emailRequest)
  }
  const signedIn = started.newBrowser()
  await signInByForm(signedIn, 'donor')
  const { csrfToken } = await signedIn.json<{ csrfToken: string }>('/api/auth/csrf')
  const rows = store.calls
    .filter(({ method }) => method === 'createVerificationToken' || method === 'createSession')
    .map(({ args: [row] }) => row as { token?: string; identifier?: string; sessionToken?: string })
  const stored = rows
    .flatMap(({ token, identifier, sessionToken }) => [token, identifier, sessionToken])
    .filter((text) => text !== undefined)
  return {
    ...attempt,
    'session cookie': decodeURIComponent(signedIn.cookies.get(cookieNames.sessionToken) ?? ''),
    'anti-forgery cookie': decodeURIComponent(signedIn.cookies.get(cookieNames.csrfToken) ?? ''),
    'anti-forgery token': csrfToken,
    'callback-url cookie': cookie(cookieNames.callbackUrl),
    state: authorization.get('state') ?? '',
    nonce: authorization.get('nonce') ?? '',
    'code challenge': authorization.get('code_challenge') ?? '',
    'authorization code': callback.get('code') ?? '',
    'link token': new URL(url).searchParams.get('token') ?? '',
    address: 'donor@example.com',
    link: url,
    code,
    ...Object.fromEntries(stored.map((text, index) => [`stored ${index}`, text]))
  }
}

/** In `npm test` each place is given some of the values, the next place the next ones. */
const someValues = fewInTurn(4)

export const swap: readonly Replay[] = [
  [
    'A10',
    'what is issued for one place is put in every other',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy }, rateLimit: false })
        const values = Object.entries(await issued(started))
        t.ok(
          values.every(([, value]) => value !== ''),
          'everything was issued'
        )
        for (const [name, { own, works }] of Object.entries(places)) {
          t.ok(await works(started, null), `${strategy}: ${name} works with what belongs there`)
          for (const [kind, value] of someValues(values)) {
            if (kind === own) continue
            if (await works(started, value)) t.fail(`${strategy}: ${name} takes the ${kind}`)
          }
        }
        t.comment(`${strategy}: ${values.length} values, ${Object.keys(places).length} places`)
      }
    }
  ],
  [
    'A37',
    'an encrypted value is read for another purpose',
    async (t) => {
      const started = await start(t, { session: { strategy: 'jwt' }, rateLimit: false })
      const values = await issued(started)
      const encrypted = ['session cookie', 'sign-in cookies', 'mail cookie'].map((kind) => values[kind] ?? '')
      t.equal(
        new Set(encrypted.map((text) => text.split('.')[0])).size,
        1,
        'all have the same form, so only their keys differ'
      )
      for (const value of encrypted.slice(1)) {
        const browser = started.newBrowser()
        browser.cookies.set(cookieNames.sessionToken, value, { secure: true })
        t.same(await getSession(browser), {})
        t.equal((await browser.open(`${origin}/me`)).status, 302)
      }
    }
  ]
]
