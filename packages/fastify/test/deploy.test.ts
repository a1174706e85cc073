import { memoryAdapter } from '@postern/adapters/memory'
import type { Browser, BrowserRequest, Send } from '@postern/testkit'
import { createBrowser, fromInject } from '@postern/testkit'
import { some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { fromAfar, getSession, origin, type Started, signInAtIssuer, signInByForm, start } from './start.ts'

const [old, fresh] = ['the old secret of the tests, 32 characters', 'the new secret of the tests, 32 characters']

/** Two processes in the middle of a deployment, and browsers whose requests go to them in turn. */
async function deploying(t: Test, secrets: readonly [string[], string[]], strategy: 'jwt' | 'database') {
  const adapter = memoryAdapter()
  const options = { adapter, session: { strategy }, instances: 1, rateLimit: false } as const
  const one = await start(t, { ...options, secret: secrets[0] })
  const runtime = { now: one.clock.now, fetch: one.issuer.fetch, sendMail: one.mailbox.sendMail }
  const other = await start(t, { ...options, secret: secrets[1], runtime })
  const sends = [fromInject(one.app), fromInject(other.app)]
  const newBrowser = (first: number): Browser => {
    let count = first
    const send: Send = (request: BrowserRequest) => (sends[count++ % 2] ?? fromInject(one.app))(request)
    return createBrowser({ origin, send, clock: one.clock })
  }
  return { one, other, newBrowser }
}

/** A sign-in whose steps go from one process to the other. */
async function byLink({ mailbox }: Started, browser: Browser): Promise<string | null> {
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  return (await browser.open(mailbox.last().url, { headers: fromAfar })).location
}

const steps: readonly (readonly [string, [string[], string[]]])[] = [
  ['the new secret is read', [[old], [old, fresh]]],
  [
    'the new secret writes',
    [
      [old, fresh],
      [fresh, old]
    ]
  ],
  ['the old secret is dropped', [[fresh, old], [fresh]]]
]

const strategies = ['jwt', 'database'] as const
/** In `npm test`, JWT sessions, which the secret encrypts, meet every step, and sessions in the store one. */
const deployments = some(
  strategies.flatMap((strategy) => steps.map(([title, secrets]) => ({ strategy, title, secrets }))),
  ({ strategy, title }) => [strategy === 'jwt' ? title : strategy],
  1
)

for (const strategy of strategies) {
  for (const { title, secrets } of deployments.filter((one) => one.strategy === strategy)) {
    t.test(`${strategy}, a deployment in which ${title}: both processes accept what either started`, async (t) => {
      const { one, newBrowser } = await deploying(t, secrets, strategy)
      for (const first of [0, 1]) {
        t.equal((await signInAtIssuer(one, newBrowser(first))).location, origin, 'at the provider')
        t.equal(await byLink(one, newBrowser(first)), origin, 'by a link')
        const browser = newBrowser(first)
        t.equal((await signInByForm(browser)).location, origin, 'by the form')
        for (let count = 0; count < 4; count++) t.match(await getSession(browser), { user: { name: 'grace' } })
      }
    })
  }

  t.test(`${strategy}, a secret that is replaced at once: old sessions have no user, and cause no error`, async (t) => {
    const { one, other } = await deploying(t, [[old], [fresh]], strategy)
    const browser = one.newBrowser()
    await signInByForm(browser)
    t.match(await getSession(browser), { user: { name: 'grace' } })
    const moved = createBrowser({ origin, send: fromInject(other.app), clock: one.clock, cookies: browser.cookies })
    t.same(await getSession(moved), {})
    t.equal((await signInByForm(moved)).location, origin)
    t.match(await getSession(moved), { user: { name: 'grace' } })
  })
}

t.test('clocks: ten seconds apart from the provider, and no more', async (t) => {
  const started = await start(t, { instances: 1 })
  const { issuer, newBrowser, log } = started
  const shifted = (seconds: number) => {
    issuer.faults.idTokenClaims = (claims) => ({
      ...claims,
      iat: (claims.iat ?? 0) + seconds,
      exp: (claims.iat ?? 0) + seconds + (seconds < 0 ? 1 - seconds : 60)
    })
  }
  for (const seconds of [0, 9, -9]) {
    shifted(seconds)
    t.equal((await signInAtIssuer(started, newBrowser())).location, origin, `${seconds} s`)
  }
  shifted(60)
  t.match((await signInAtIssuer(started, newBrowser())).location, /error=OAuthCallback/, 'a token of the future')
  t.ok(
    log.some((line) => /clock/i.test(line) || /iat/.test(line)),
    'the log contains the reason'
  )
  issuer.faults.idTokenClaims = (claims) => ({ ...claims, exp: (claims.iat ?? 0) - 60 })
  t.match((await signInAtIssuer(started, newBrowser())).location, /error=OAuthCallback/, 'a token that has ended')
})

for (const strategy of ['jwt', 'database'] as const) {
  t.test(`${strategy}: processes whose clocks are ten seconds apart are one application`, async (t) => {
    const { one, other, newBrowser } = await deploying(t, [[old], [old]], strategy)
    const skewed = await start(t, {
      adapter: one.adapter,
      secret: old,
      session: { strategy },
      instances: 1,
      runtime: { now: () => one.clock.now() + 10_000, fetch: one.issuer.fetch, sendMail: one.mailbox.sendMail }
    })
    const sends = [fromInject(other.app), fromInject(skewed.app)]
    let count = 0
    const browser = createBrowser({
      origin,
      clock: one.clock,
      send: (request) => (sends[count++ % 2] ?? fromInject(one.app))(request)
    })
    t.equal(await byLink(one, browser), origin)
    for (let times = 0; times < 4; times++) t.match(await getSession(browser), { user: { email: 'ada@example.com' } })
    const bob = { sub: 'bob', email: 'bob@example.com' }
    t.equal((await signInAtIssuer(one, newBrowser(1), bob)).location, origin)
  })
}
