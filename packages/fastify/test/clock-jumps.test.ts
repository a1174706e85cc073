import { parseSetCookie } from '@postern/testkit'
import { rowsByAdapter } from '@postern/testkit/consistency-checker'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { judged, type SignInMethod } from './judged.ts'
import { cookieNames, lastMethodCookie, origin } from './start.ts'
import { isSignedIn, signInWithRecords, startWithRecords, thief } from './start-with-session-records.ts'

const [minute, hour, day] = [60, 3600, 86_400]
const methods: readonly SignInMethod[] = ['the provider', 'the link', 'the form']

/** Collects the cookies of every response. */
function listenTo(app: FastifyInstance, cookies: string[]): void {
  app.addHook('onSend', async (_request, reply) => {
    for (const text of [reply.getHeader('set-cookie') ?? []].flat()) cookies.push(String(text))
  })
}

for (const strategy of ['jwt', 'database'] as const) {
  const options = { session: { strategy }, rateLimit: false } as const

  t.test(`${strategy}: however the clock jumps, a user who signed out stays out, and others come in`, async (t) => {
    const cookies: string[] = []
    const started = await startWithRecords(t, { ...options, before: (app) => listenTo(app, cookies) })
    const { clock, adapter } = started
    const { getBrowser, signIn, settle } = judged(started, async ({ entries }) => {
      const people = [...entries.values()].map(({ person }) => person)
      const rows = await rowsByAdapter(adapter, people)
      return strategy === 'jwt' ? { ...rows, sessions: null } : rows
    })
    await signInWithRecords(started.browser)
    const copy = thief(started, started.browser)
    const token = copy.cookies.get(cookieNames.sessionToken) ?? ''
    await started.browser.submit('/api/auth/signout', {})
    for (const jump of [10, -10, -hour, 2 * hour, -day, 3 * day, -5 * day, 3 * day - hour]) {
      clock.advance(jump)
      copy.cookies.set(cookieNames.sessionToken, token, { secure: true })
      t.notOk(await isSignedIn(copy), `${jump} s: who signed out is out`)
      for (const method of methods) {
        const person = `came-by-${method.slice(4)}-after-${jump}`
        const browser = getBrowser(person)
        t.equal((await signIn(browser, person, method)).location, origin, person)
        t.ok(await isSignedIn(browser), person)
      }
    }
    // Which method was used last is kept for a year, and says nothing of a session.
    const ages = cookies.flatMap((text) => {
      const { name, maxAge } = parseSetCookie(text)
      return name === lastMethodCookie ? [] : [maxAge]
    })
    t.ok(ages.length > 50)
    t.ok(
      ages.every((age) => age === null || (age >= 0 && age <= 30 * day)),
      'no age is negative, and none beyond the longest'
    )
    if (strategy === 'database') await settle(t, `${strategy}, a clock that jumps`)
  })
}

t.test('a session in the store that was met after its end does not come back with the time', async (t) => {
  const started = await startWithRecords(t, { session: { strategy: 'database' } })
  const { browser, clock, getId, adapter } = started
  await signInWithRecords(browser)
  const copy = thief(started, browser)
  const token = copy.cookies.get(cookieNames.sessionToken) ?? ''
  clock.advance(31 * day)
  browser.cookies.set(cookieNames.sessionToken, token, { secure: true })
  t.notOk(await isSignedIn(browser))
  clock.advance(-31 * day)
  copy.cookies.set(cookieNames.sessionToken, token, { secure: true })
  t.notOk(await isSignedIn(copy))
  t.same(await adapter.listSessions?.(await getId()), [])
})

t.test('a link that was refused as too old does not come back with the time', async (t) => {
  const started = await startWithRecords(t, { session: { strategy: 'database' } })
  const { browser, clock, mailbox } = started
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  const { url } = mailbox.last()
  for (const jump of [2 * day, -2 * day]) {
    clock.advance(jump)
    t.match((await browser.open(url)).location, /error=Verification/)
  }
})

t.test('a clock that jumps in the middle of a sign-in: it succeeds, or the next one does', async (t) => {
  for (const jump of [-day, -minute, minute, hour]) {
    const started = await startWithRecords(t, { session: { strategy: 'database' } })
    const { getBrowser, begin, signIn, settle } = judged(started, ({ entries }) =>
      rowsByAdapter(
        started.adapter,
        [...entries.values()].map(({ person }) => person)
      )
    )
    for (const method of methods) {
      const person = `in-by-${method.slice(4)}`
      const browser = getBrowser(person)
      const finish = await begin(browser, person, method)
      started.clock.advance(jump)
      const { status, location } = await finish()
      t.ok(status < 500, `${method}, ${jump} s: ${status} ${location}`)
      t.equal((await signIn(browser, person, method)).location, origin, 'the next one')
      started.clock.advance(-jump)
    }
    await settle(t, `a clock that jumps ${jump} s in the middle`, ['error OAuthCallback', 'error 400'])
  }
})
