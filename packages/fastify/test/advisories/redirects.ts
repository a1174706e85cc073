import type { Browser, BrowserResponse } from '@postern/testkit'
import { cpuTime } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import { fewInTurn } from '../selections.ts'
import { cookieNames, origin, signInByForm, start } from '../start.ts'
import type { Replay } from './replay.ts'

/** Every address that a response sends to or remembers. */
function getAddresses({ location, setCookies }: BrowserResponse): readonly string[] {
  const remembered = setCookies.find(({ name }) => name === cookieNames.callbackUrl)?.value
  const found = [location ?? '', remembered ? decodeURIComponent(remembered) : ''].filter(Boolean)
  const nested = found.flatMap((address) => new URL(address, origin).searchParams.getAll('callbackUrl'))
  return [...found, ...nested]
}

type Ask = (browser: Browser, url: string) => Promise<BrowserResponse>

const requested = (url: string): string => new URLSearchParams({ callbackUrl: url }).toString()

const right = { username: 'ada', password: 'lovelace' }

/** The routes that redirect, with every parameter that can contain the URL. */
const methods: Readonly<Record<string, Ask>> = {
  'GET signin': (browser, url) => browser.open(`/api/auth/signin?${requested(url)}`),
  'HEAD signin': (browser, url) => browser.request('HEAD', `/api/auth/signin?${requested(url)}`),
  'GET signout': (browser, url) => browser.open(`/api/auth/signout?${requested(url)}`),
  'GET error': (browser, url) => browser.open(`/api/auth/error?error=Callback&${requested(url)}`),
  'POST signin/email, body': (browser, url) =>
    browser.submit('/api/auth/signin/email', { email: 'ada@example.com', callbackUrl: url }),
  'POST callback/credentials, body': (browser, url) =>
    browser.submit('/api/auth/callback/credentials', { ...right, callbackUrl: url }),
  'POST callback/credentials, query': (browser, url) =>
    browser.submit(`/api/auth/callback/credentials?${requested(url)}`, right),
  'POST callback/credentials, refused': (browser, url) =>
    browser.submit('/api/auth/callback/credentials', { username: 'ada', password: 'wrong', callbackUrl: url }),
  'POST signout, cookie': async (browser, url) => {
    browser.cookies.set(cookieNames.callbackUrl, encodeURIComponent(url), { secure: true })
    return browser.submit('/api/auth/signout', {})
  },
  'POST signout without a token': (browser, url) => browser.post(`/api/auth/signout?${requested(url)}`, requested(url)),
  'POST signin of no one': (browser, url) =>
    browser.submit(`/api/auth/signin/unknown?${requested(url)}`, { callbackUrl: url })
}

/** Some routes for each URL in `npm test`, the next ones for the next URL; all in the long run. */
const fewMethods = fewInTurn(4)

/** No URL of the list is redirected to, on any route. @param hasAll - Whether each URL is sent to each route in `npm test`, too. */
function stays(urls: readonly string[], hasAll: boolean = isLong): Replay[2] {
  return async (t) => {
    const { browser } = await start(t, { rateLimit: false, session: { strategy: 'jwt' } })
    const all = Object.entries(methods)
    for (const url of urls) {
      for (const [method, ask] of hasAll ? all : fewMethods(all)) {
        const response = await ask(browser, url)
        const outside = getAddresses(response).filter((address) => !`${address}/`.startsWith(`${origin}/`))
        if (outside.length > 0 || response.status >= 500)
          t.fail(`${method} with ${JSON.stringify(url)}: ${response.status} ${outside.join()}`)
      }
    }
    t.pass()
  }
}

const withCase = (scheme: string): readonly string[] => [
  scheme,
  scheme.toUpperCase(),
  ` ${scheme}`,
  `\t${scheme}`,
  `${scheme.slice(0, 3)}\n${scheme.slice(3)}`
]
const scripts = ['javascript:', 'data:', 'vbscript:', 'blob:'].flatMap(withCase)

export const redirects: readonly Replay[] = [
  [
    'A03',
    'another origin as the place to go afterwards',
    stays(['https://evil.test', 'http://evil.test/', 'https://evil.test/path?a=b#c'])
  ],
  [
    'A05',
    'an address that cannot be parsed',
    async (t) => {
      const { browser } = await start(t, { rateLimit: false, session: { strategy: 'jwt' } })
      const urls = [
        '%',
        'http://[',
        'http://[::',
        '\u0000',
        'https://%zz',
        '['.repeat(1000),
        'a'.repeat(2900),
        '%'.repeat(1000)
      ]
      const repeated = ['callbackUrl=a&callbackUrl=b', 'callbackUrl[]=a', 'callbackUrl[a]=b', 'callbackUrl', '&&&=&=']
      for (const url of urls) {
        for (const [method, ask] of fewMethods(Object.entries(methods))) {
          const signIn = cpuTime()
          const { status } = await ask(browser, url)
          if (status >= 500 || cpuTime() - signIn > 1000)
            t.fail(`${method} with ${JSON.stringify(url.slice(0, 20))}: ${status}`)
        }
      }
      for (const query of repeated) {
        t.ok((await browser.open(`/api/auth/signin?${query}`)).status < 500, query)
        t.ok((await browser.post('/api/auth/signout', query)).status < 500, query)
      }
      const huge = await browser.post('/api/auth/signin/email', requested('a'.repeat(100_000)))
      t.ok(huge.status < 500, `100 kB: ${huge.status}`)
    }
  ],
  [
    'A20',
    'a URL that is checked by one method only',
    stays(['https://evil.test', '//evil.test', 'javascript:alert(1)'], true)
  ],
  [
    'A21',
    'addresses that begin like a path and are none',
    stays([
      '//evil.test',
      '/\\evil.test',
      '\\\\evil.test',
      '/%2fevil.test/..//',
      '/\t/evil.test',
      '\t//evil.test',
      '///evil.test',
      'https:evil.test',
      'https:/evil.test',
      'https:///evil.test',
      '/\n/evil.test'
    ])
  ],
  [
    'A22',
    'origins that resemble the application’s',
    stays([
      'https://app.test.evil.test',
      'https://app.testevil.test',
      'https://app.test@evil.test',
      'https://evil.test#app.test',
      'https://evil.test/?app.test',
      'https://app.test:444',
      'http://app.test',
      'https://APP.TEST.evil.test',
      'https://app.test%2eevil.test',
      'https://evil.test\\@app.test'
    ])
  ],
  [
    'A23',
    'other origins whose pages may post to us are no place to go afterwards',
    async (t) => {
      const { browser } = await start(t, { allowedOrigins: ['https://www.app.test'], session: { strategy: 'jwt' } })
      for (const url of [
        'https://www.app.test',
        'https://www.app.test.evil.test',
        'https://evil.test/https://www.app.test'
      ]) {
        const response = await browser.submit('/api/auth/signout', { callbackUrl: url })
        t.equal(response.location, origin, url)
      }
    }
  ],
  [
    'A43',
    'an address that is a script',
    stays([...scripts.map((scheme) => `${scheme}alert(1)//`), 'javascript://app.test/%0aalert(1)'])
  ],
  [
    'A90',
    'the way out of an error leads elsewhere',
    async (t) => {
      const { browser } = await start(t, { rateLimit: false })
      const paths = [
        'signin?error=OAuthSignin&',
        'error?error=AccessDenied&',
        'error?error=Signin&',
        'callback/demo?error=access_denied&state=x&',
        'callback/email?',
        'callback/unknown?',
        'nothing?'
      ]
      for (const path of paths) {
        for (const url of ['https://evil.test', '//evil.test', 'javascript:alert(1)']) {
          const response = await browser.open(`/api/auth/${path}${requested(url)}`)
          const page = await browser.followAll(response)
          const links = page.headers['content-type']?.includes('html')
            ? page
                .html()
                .querySelectorAll('a[href], form[action]')
                .map((element) => element.getAttribute('href') ?? element.getAttribute('action') ?? '')
            : []
          const outside = [...getAddresses(response), ...links].filter(
            (link) => new URL(link, origin).origin !== origin
          )
          t.same(outside, [], `${path} ${url}`)
        }
      }
    }
  ],
  [
    'A99',
    'a pattern as the place to go afterwards',
    stays([
      'https://*.app.test',
      'https://*',
      '*',
      'https://app.test*.evil.test',
      'https://*@evil.test',
      '/*//evil.test/..'
    ])
  ],
  [
    'A30',
    'a route that takes the id of something that belongs to another user',
    async (t) => {
      const { browser, newBrowser, adapter } = await start(t, { session: { strategy: 'database' } })
      await signInByForm(browser, 'ada')
      const victim = await adapter?.getUserByEmail?.('ada@example.com')
      const stranger = newBrowser()
      await signInByForm(stranger, 'mallory')
      for (const path of ['session', 'signout', 'callback/credentials', 'signin/email', 'providers']) {
        const query = new URLSearchParams({ id: victim?.id ?? '', userId: victim?.id ?? '', user: victim?.id ?? '' })
        await stranger.open(`/api/auth/${path}/${victim?.id}?${query}`)
        await stranger.submit(`/api/auth/${path}/${victim?.id}?${query}`, Object.fromEntries(query))
      }
      t.equal((await adapter?.listSessions?.(victim?.id ?? ''))?.length, 1)
      t.equal((await adapter?.getAccounts?.(victim?.id ?? ''))?.length, 1)
    }
  ],
  [
    'A38',
    'the server encrypts what a visitor chose',
    async (t) => {
      const { browser } = await start(t, { session: { strategy: 'jwt' } })
      await signInByForm(browser, 'ada')
      const marker = { sub: 'id-victim', role: 'admin', chosen: 'x'.repeat(50) }
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const before = browser.cookies.get(cookieNames.sessionToken)?.length ?? 0
      await browser.post('/api/auth/session', JSON.stringify({ csrfToken, data: marker }), {
        'content-type': 'application/json'
      })
      const after = browser.cookies.get(cookieNames.sessionToken)?.length ?? 0
      t.ok(before > 0 && Math.abs(after - before) < 20, 'the token has not grown by what was sent')
      t.match(await browser.json('/api/auth/session'), { user: { name: 'ada', email: 'ada@example.com' } })
    }
  ]
]
