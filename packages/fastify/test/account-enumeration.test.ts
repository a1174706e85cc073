import credentials from '@postern/core/providers/credentials'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { isLong, times, turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { mails, type Started, signInAtIssuer, signInByMail, start } from './start.ts'

const turns = turnsOf(['jwt', 'database'] as const, t)

const form = '/api/auth/callback/credentials'
const mail = '/api/auth/signin/email'

/** A response without what is different in every response: tokens, the id of the request, the time. */
function visible({ status, headers, body, setCookies }: BrowserResponse): unknown {
  const { date: _, 'set-cookie': __, location, ...others } = headers
  return {
    status,
    others,
    location: String(location).replace(/([?&])ref=[\w-]+/, '$1ref='),
    body: body.replaceAll(/[0-9a-f]{64}/g, 'token').replaceAll(/[0-9a-f]{6}-req-\w+/g, 'ref'),
    cookies: setCookies.map(({ text: ___, value, expires: ____, ...rest }) => ({ ...rest, length: value.length > 0 }))
  }
}

/** Passwords are looked up and compared in the same time, whether there is such a user or not: that is the application's part. */
const people = credentials({
  credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize: async ({ username, password }: { username: string; password: string }) => {
    const expected = username === 'known' ? 'lovelace' : 'no one has this one'
    return password === expected ? { id: '1', name: username, email: 'known@example.com' } : null
  }
})

async function application(t: Parameters<typeof start>[0], strategy: 'jwt' | 'database'): Promise<Started> {
  const started = await start(t, {
    session: { strategy },
    rateLimit: false,
    runtime: { sendMail: async () => undefined },
    providers: [mails(), people]
  })
  await started.newBrowser().submit(form, { username: 'known', password: 'lovelace' })
  if (strategy === 'jwt') await started.adapter?.createUser?.({ email: 'known@example.com', emailVerified: null })
  return started
}

/** Pairs of requests that must get the same response: for a known user, and for an unknown one. */
const pairs: Readonly<Record<string, (browser: Browser, isKnown: boolean) => Promise<BrowserResponse>>> = {
  'a mail that is requested': (browser, isKnown) =>
    browser.submit(mail, { email: isKnown ? 'known@example.com' : 'other@example.com' }),
  'a mail that a script asks for': (browser, isKnown) =>
    browser.submit(mail, { email: isKnown ? 'known@example.com' : 'other@example.com', json: 'true' }),
  'a wrong password': (browser, isKnown) =>
    browser.submit(form, { username: isKnown ? 'known' : 'other', password: 'wrong' }),
  'a wrong password, as JSON': (browser, isKnown) =>
    browser.submit(form, { username: isKnown ? 'known' : 'other', password: 'wrong', json: 'true' }, { json: true }),
  'a link with a token of chance': (browser, isKnown) =>
    browser.open(`/api/auth/callback/email?token=${'f'.repeat(64)}&email=${isKnown ? 'known' : 'other'}@example.com`)
}

for (const { value: strategy, test } of turns()) {
  for (const [name, ask] of Object.entries(pairs)) {
    test(`privacy-1: ${strategy}: ${name} does not reveal whether there is such a user`, async (t) => {
      const { newBrowser, adapter } = await application(t, strategy)
      t.ok(await adapter?.getUserByEmail?.('known@example.com'), 'one is there')
      t.notOk(await adapter?.getUserByEmail?.('other@example.com'), 'the other is not')
      const existing = newBrowser()
      const unknown = newBrowser()
      const first = visible(await ask(existing, true))
      t.same(visible(await ask(unknown, false)), first)
      const after = async (browser: Browser): Promise<unknown> => {
        const page = await browser.open('/api/auth/verify-request?provider=email&type=email')
        return { ...(visible(page) as object), body: page.html().text.replaceAll(/(known|other)@/g, '@') }
      }
      t.same(await after(unknown), await after(existing), 'nor does the page that follows')
    })
  }
}

t.test('an address that belongs to another user does not name the way that they sign in', async (t) => {
  const started = await start(t)
  const { browser, newBrowser } = started
  await signInByMail(started, browser, 'ada@example.com')
  const stranger = newBrowser()
  const refused = await signInAtIssuer(started, stranger)
  t.match(refused.location, /error=OAuthAccountNotLinked/)
  const page = await stranger.followAll(refused)
  t.notMatch(page.html().text, /ada@example\.com/)
  const other = await start(t, { session: { strategy: 'database' } })
  await signInAtIssuer(other, other.browser)
  const form = await other
    .newBrowser()
    .submit('/api/auth/callback/credentials', { username: 'ada', password: 'lovelace' })
  t.match(form.location, /error=OAuthAccountNotLinked/)
  t.notMatch(form.location, /demo/i)
})

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** How unlikely it is that two lists of times are of one kind: the standard score of the Mann–Whitney U. */
function mannWhitney(left: readonly number[], right: readonly number[]): number {
  const all = [...left.map((time) => ({ time, isLeft: true })), ...right.map((time) => ({ time, isLeft: false }))]
  const ranks = all
    .toSorted((a, b) => a.time - b.time)
    .reduce((sum, { isLeft }, index) => sum + (isLeft ? index + 1 : 0), 0)
  const [n, m] = [left.length, right.length]
  const u = ranks - (n * (n + 1)) / 2
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}

if (isLong) t.setTimeout(0)

type Ask = (typeof pairs)[keyof typeof pairs]

/** Medians in milliseconds of responses for a user who exists and for one who does not, in turn. */
async function measure(
  ask: Ask,
  browser: Browser,
  rounds: number
): Promise<{ existing: number; unknown: number; score: number }> {
  const times = { existing: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < rounds + 20; round++) {
    for (const isKnown of round % 2 === 0 ? [true, false] : [false, true]) {
      const startedAt = performance.now()
      await ask(browser, isKnown)
      // The first requests are slower because their code is not compiled yet.
      if (round >= 20) times[isKnown ? 'existing' : 'unknown'].push(performance.now() - startedAt)
    }
  }
  return {
    existing: median(times.existing),
    unknown: median(times.unknown),
    score: mannWhitney(times.existing, times.unknown)
  }
}

t.test('the response time does not reveal whether a user exists', async (t) => {
  const rounds = times(30, 1000)
  for (const [name, ask] of Object.entries(pairs)) {
    const { newBrowser } = await application(t, 'database')
    const browser = newBrowser()
    await browser.open('/api/auth/csrf')
    let isAlike = false
    // Other work on the machine slows single measurements; a lookup or a hash that is left out would show in each.
    for (let attempt = 0; attempt < 5 && !isAlike; attempt++) {
      const { existing, unknown, score } = await measure(ask, browser, rounds)
      console.log(
        `${name}: median ${existing.toFixed(3)} ms for a user who exists, ${unknown.toFixed(3)} ms otherwise, Mann-Whitney z = ${score.toFixed(2)}, ${rounds} each`
      )
      isAlike = Math.abs(existing - unknown) < Math.max(2, 0.5 * unknown)
    }
    t.ok(isAlike, name)
  }
})
