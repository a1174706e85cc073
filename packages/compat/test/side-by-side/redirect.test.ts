import type { Browser } from '@postern/testkit'
import t from 'tap'
import { byIssuer, type Side, startPair } from './pair.ts'

const requested = '/wished'

type Ask = (side: Side, browser: Browser) => Promise<unknown>

const get =
  (path: string): Ask =>
  (_, browser) =>
    browser.open(`/api/auth${path}`)

const post =
  (path: string, fields: Readonly<Record<string, string>> = {}): Ask =>
  (_, browser) =>
    browser.submit(`/api/auth${path}`, fields)

const pages = ['/session', '/csrf', '/providers', '/signin', '/signout', '/error', '/verify-request']

/** Where the requested URL is sent, and with which request. */
const asking: readonly (readonly [title: string, ask: Ask, isRemembered: boolean])[] = [
  ...pages.flatMap((page): (readonly [string, Ask, boolean])[] => [
    [`GET ${page} with a query`, get(`${page}?callbackUrl=${encodeURIComponent(requested)}`), false],
    [`GET ${page} with a cookie`, get(page), true],
    [`GET ${page} with neither`, get(page), false]
  ]),
  ['POST /session with a body', post('/session', { callbackUrl: requested, data: 'new' }), false],
  ['POST /session with a cookie', post('/session', { data: 'new' }), true],
  ['POST /signin/demo with a body', post('/signin/demo', { callbackUrl: requested }), false],
  ['POST /signin/demo with a cookie', post('/signin/demo'), true],
  ['POST /signin/email with a body', post('/signin/email', { email: 'a@mail.test', callbackUrl: requested }), false],
  ['POST /callback/people with a body', post('/callback/people', { username: 'ada', callbackUrl: requested }), false],
  ['POST /callback/people with a cookie', post('/callback/people', { username: 'ada' }), true],
  ['POST /signout with a body', post('/signout', { callbackUrl: requested }), false],
  ['POST /signout with a cookie', post('/signout'), true],
  ['a sign-in at a provider, from its button to its end', byIssuer, true]
]

/** The URLs that the callback received since then, each once. */
function requests({ calls }: Side, since: number): readonly string[] {
  const urls = calls
    .slice(since)
    .flatMap(([name, question]) => (name === 'redirect' ? [String(Object(question).url)] : []))
  return [...new Set(urls.map((url) => new URL(url, 'https://app.test').pathname))].sort()
}

for (const [title, ask, isRemembered] of asking) {
  t.test(title, async (t) => {
    const [nextAuth, postern] = await startPair(t, { hasRedirect: true })
    const found = []
    for (const side of [nextAuth, postern]) {
      const browser = side.browser()
      if (isRemembered) await browser.open(`/api/auth/signin?callbackUrl=${encodeURIComponent(requested)}`)
      const since = side.calls.length
      await ask(side, browser)
      found.push(requests(side, since))
    }
    t.same(found[1], found[0], 'the redirect callback receives the same URLs as in next-auth')
  })
}
