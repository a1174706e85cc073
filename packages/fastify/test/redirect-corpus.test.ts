import { createPostern, type Route } from '@postern/core'
import type { Browser } from '@postern/testkit'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { hostileUrls } from './hostile-urls.ts'
import { cookieNames, fromAfar, origin, type Started, secret, signInByForm, start } from './start.ts'

/** Every URL that a response redirects to, with the requested URL and the route. */
const led = new Map<string, string>()

const carriers = ['query', 'body', 'cookie'] as const

/** All URLs on all routes with all parameters take minutes. Except in the long run, each URL is tried on some routes. */
const share = isLong ? 1 : 30
/** Except in the long run, sign-ins try one URL in 24, and so do clients that follow redirects themselves. */
const someShare = isLong ? 1 : 24
if (isLong) t.setTimeout(0)

/** The addresses that a response names: its redirect, what that carries on, and what is remembered. */
function getAddresses(location: string | null, remembered: string | undefined): readonly string[] {
  const found = [location, remembered].filter((address) => typeof address === 'string')
  const nested = found.flatMap((address) =>
    URL.canParse(address) ? new URL(address).searchParams.getAll('callbackUrl') : []
  )
  return [...found, ...nested]
}

function note(response: Awaited<ReturnType<Browser['open']>>, title: string): void {
  const remembered = response.setCookies.find(({ name }) => name === cookieNames.callbackUrl)?.value
  const json = response.headers['content-type']?.includes('json') ? response.json<{ url?: unknown }>().url : null
  const location = response.location ?? (typeof json === 'string' ? json : null)
  for (const address of getAddresses(location, remembered && decodeURIComponent(remembered))) {
    led.set(address.replace(/[?&]ref=[\w-]+$/, ''), title)
  }
  const page = response.headers['content-type']?.includes('text/html') ? response.html() : null
  for (const element of page?.querySelectorAll('a[href], form[action], input[name=callbackUrl]') ?? []) {
    led.set(
      element.getAttribute('href') ?? element.getAttribute('action') ?? element.getAttribute('value') ?? '',
      title
    )
  }
}

/** Sends a URL in one of the parameters of a request. */
async function requested(
  { browser }: Pick<Started, 'browser'>,
  { method, path }: Route,
  url: string,
  carrier: (typeof carriers)[number],
  more: Readonly<Record<string, string>> = {}
): Promise<void> {
  browser.cookies.delete(cookieNames.callbackUrl)
  if (carrier === 'cookie') browser.cookies.set(cookieNames.callbackUrl, encodeURIComponent(url), { secure: true })
  const query = carrier === 'query' ? `?${new URLSearchParams({ callbackUrl: url })}` : ''
  const fields = carrier === 'body' ? { ...more, callbackUrl: url } : more
  const response =
    method === 'GET'
      ? await browser.open(`/api/auth${path}${query}`)
      : await browser.submit(`/api/auth${path}${query}`, fields)
  note(response, `${method} ${path} by ${carrier}: ${JSON.stringify(url.slice(0, 80))}`)
}

const { routes } = createPostern({ providers: [], url: origin, secret }, {})
const providers = ['demo', 'email', 'credentials', 'unknown']
const concrete = routes.flatMap(({ method, path }): Route[] =>
  path.includes(':provider')
    ? providers.map((id) => ({ method, path: path.replace(':provider', id) }))
    : [{ method, path }]
)

const stays = 'they try thousands of addresses, which no store sees'

const variants = {
  'the built-in pages': {},
  'pages of the application': {
    pages: { signIn: '/login', signOut: '/bye', error: '/oops', verifyRequest: '/check', newUser: '/welcome' }
  }
} as const

for (const [name, options] of Object.entries(variants)) {
  t.test(`A04 no route leads elsewhere: ${name}`, async (t) => {
    const started = await start(t, { ...options, stays, rateLimit: false, session: { strategy: 'jwt' } })
    const { csrfToken } = await started.browser.json<{ csrfToken: string }>('/api/auth/csrf')
    for (const [turn, route] of concrete.entries()) {
      const preferences = hostileUrls.filter((_, index) => index % share === turn % share)
      const usable = carriers.filter((carrier) => route.method === 'POST' || carrier !== 'body')
      let sent = 0
      for (const [index, url] of preferences.entries()) {
        for (const carrier of isLong ? usable : usable.slice(index % usable.length).slice(0, 1)) {
          await requested(started, route, url, carrier, { csrfToken })
          sent += 1
        }
      }
      t.ok(sent >= preferences.length, `${route.method} ${route.path}`)
    }
  })

  t.test(`no sign-in ends elsewhere: ${name}`, async (t) => {
    const started = await start(t, {
      ...options,
      stays,
      rateLimit: false,
      session: { strategy: 'jwt' },
      mail: { confirm: 'never' }
    })
    const { browser, mailbox, issuer } = started
    // Where the application has its own pages the same code decides. Every URL is sent to a route by the test before.
    const distance = 'pages' in options ? share : someShare
    const preferences = hostileUrls.filter((_, index) => index % distance === 0)
    for (const [index, url] of preferences.entries()) {
      const carrier = carriers[index % carriers.length] ?? 'query'
      await requested(started, { method: 'POST', path: '/callback/credentials' }, url, carrier, {
        username: 'grace',
        password: 'lovelace'
      })
      await requested(started, { method: 'POST', path: '/signin/email' }, url, carrier, {
        email: `person-${index}@example.com`
      })
      const link = new URL(mailbox.last().url)
      for (const address of getAddresses(link.href, undefined))
        led.set(address, `the mailed link: ${JSON.stringify(url.slice(0, 80))}`)
      link.searchParams.set('callbackUrl', url)
      note(await browser.open(link.href), `GET /callback/email: ${JSON.stringify(url.slice(0, 80))}`)
      await requested(started, { method: 'POST', path: '/signout' }, url, carrier)
      if (index % 4 !== 0) continue
      const response = await browser.submit('/api/auth/signin/demo', { callbackUrl: url })
      const callback = new URL(await issuer.authorize(response.location ?? '', { sub: `person-${index}` }))
      callback.searchParams.set('callbackUrl', url)
      note(
        await browser.open(callback.href, { headers: fromAfar }),
        `GET /callback/demo: ${JSON.stringify(url.slice(0, 80))}`
      )
    }
    t.equal(mailbox.mails.length, preferences.length, 'every mail was sent')
  })
}

t.test('clients that follow redirects themselves, and the guard of a route, get the same URL', async (t) => {
  const { browser } = await start(t, { rateLimit: false, session: { strategy: 'jwt' } })
  await signInByForm(browser)
  for (const url of hostileUrls.filter((_, index) => index % someShare === someShare - 1)) {
    note(
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com', callbackUrl: url, json: 'true' }),
      'json'
    )
    const headers = { 'x-auth-return-redirect': '1' }
    note(
      await browser.submit(
        '/api/auth/callback/credentials',
        { callbackUrl: url, username: 'ada', password: 'no' },
        { headers }
      ),
      'header'
    )
    note(await browser.submit('/api/auth/signout', { callbackUrl: url }, { headers }), 'header')
    const path = `/me${url.startsWith('/') ? url : `/${url}`}`
    if (URL.canParse(path, origin) && new URL(path, origin).origin === origin) note(await browser.open(path), 'guard')
  }
  t.ok(led.size > 100)
})

t.test('every URL of those responses is the application’s, or the requested provider’s', async (t) => {
  const how = isLong ? 'each by every carrier' : 'the carriers in turn'
  console.log(`redirect corpus: ${hostileUrls.length} URLs through ${concrete.length} routes, ${how}`)
  t.ok(hostileUrls.length >= 300, 'at least 300 hostile URLs')
  for (const [address, title] of led) {
    const target = URL.canParse(address, origin) ? new URL(address, origin) : null
    const isOurs = target?.origin === origin && target.username === '' && target.password === ''
    const isProvider =
      target?.href.startsWith('https://issuer.test/authorize?') && title.startsWith('POST /signin/demo')
    if (!isOurs && !isProvider) t.fail(`${title} leads to ${address}`)
    if (/[\r\n\t\\]/.test(address))
      t.fail(`${title} leads to what a browser reads in another way: ${JSON.stringify(address)}`)
  }
  t.pass()
})

t.test('Chromium reads every one of them as we do', { skip: withoutChromium }, async (t) => {
  const chromium = await openChromium()
  const page = await chromium.newPage()
  const read = (urls: readonly string[]): Promise<readonly string[]> =>
    page.evaluate(`(() => {
      const parsed = new DOMParser().parseFromString('<base href="${origin}/">', 'text/html')
      return ${JSON.stringify(urls).replaceAll('\u2028', '\\u2028')}.map((url) => {
        const anchor = parsed.createElement('a')
        anchor.setAttribute('href', url)
        return anchor.protocol + '//' + anchor.host
      })
    })()`)
  const addresses = [...led.keys()]
  const origins = await read(addresses)
  for (const [index, address] of addresses.entries()) {
    const seen = origins[index]
    if (seen !== origin && seen !== 'https://issuer.test') t.fail(`${led.get(address)}: Chromium goes to ${seen}`)
  }
  const preferences = await read(hostileUrls)
  const elsewhere = preferences.filter((seen) => seen !== origin).length
  t.ok(elsewhere > 200, `${elsewhere} of the URLs would have led Chromium elsewhere`)
  for (const [index, url] of hostileUrls.entries()) {
    if (!/^https?:/.test(preferences[index] ?? '')) continue
    const own = URL.canParse(url, origin) ? new URL(url, origin) : null
    if (own && `${own.protocol}//${own.host}` !== preferences[index])
      t.fail(`${JSON.stringify(url)}: ${own.origin} for us, ${preferences[index]} for Chromium`)
  }
  t.pass()
})
