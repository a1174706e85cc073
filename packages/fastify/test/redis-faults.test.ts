import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { type Judged, startJudged } from './judged.ts'
import { type OwnRedis, startRedis, until, withoutProgram } from './redis-server.ts'
import { cookieNames, origin, type Started, type StartOptions } from './start.ts'

const skip = withoutProgram
const form = '/api/auth/callback/credentials'
const wrong = { username: 'ada', password: 'guess' }

async function startOn(t: Test, { adapter, limiter }: OwnRedis, options: StartOptions = {}): Promise<Started & Judged> {
  return startJudged(t, {
    adapter,
    session: { strategy: 'database' },
    rateLimit: { limiter },
    stays: 'they break a separate Redis',
    instances: 1,
    ...options
  })
}

/** A busy machine is not an outage of Redis. */
const patient = { constants: { limiterTimeoutMilliseconds: 10_000 } }

const getToken = ({ cookies }: Browser): string | null => cookies.get(cookieNames.sessionToken) ?? null

/** The session response of a browser: never another user's, and the cookie remains if the store fails. */
async function ask(browser: Browser): Promise<{ readonly status: number; readonly name: string | null }> {
  const response = await browser.open('/api/auth/session')
  const name = response.status === 200 ? (response.json<{ user?: { name: string } }>().user?.name ?? null) : null
  return { status: response.status, name }
}

// @first: the tests wait for time limits and connections.

t.test('Redis that is busy for two seconds: limits do not wait for it, sessions do', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { getBrowser, newBrowser, log, signIn, settle } = await startOn(t, redis)
  const browser = getBrowser('grace')
  await signIn(browser, 'grace', 'the form')
  const asleep = redis.admin.call('DEBUG', 'SLEEP', '2')
  t.equal((await newBrowser().submit(form, wrong)).status, 302, 'a guess is looked at')
  t.equal(log.filter((line) => line.includes('RATE_LIMITER_DOWN')).length, 1)
  t.same(await ask(browser), { status: 200, name: 'grace' })
  await asleep
  t.equal(log.filter((line) => line.includes('adapter_error')).length, 0)
  await settle(t, 'Redis asleep for two seconds')
})

t.test('Redis that is slower than five seconds: 503, and no user is signed out', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { getBrowser, newBrowser, log, signIn, settle } = await startOn(t, redis)
  const browser = getBrowser('grace')
  await signIn(browser, 'grace', 'the form')
  const token = getToken(browser)
  await redis.admin.call('CLIENT', 'PAUSE', '7000', 'ALL')
  const startedSignIn = performance.now()
  const [session, page, signingIn, guess] = await Promise.all([
    ask(browser),
    browser.open('/me'),
    signIn(getBrowser('bob'), 'bob', 'the form'),
    newBrowser().submit(form, wrong)
  ])
  const took = performance.now() - startedSignIn
  t.same([session.status, page.status, signingIn.status, guess.status], [503, 503, 503, 302])
  t.ok(took > 4900 && took < 20_000, `given up after ${Math.round(took)} ms`)
  t.ok(log.some((line) => line.includes('adapter_error_getSessionAndUser')))
  t.equal(getToken(browser), token, 'the cookie remains')
  t.same(await ask(browser), { status: 200, name: 'grace' }, 'the same session remains valid')
  await settle(t, 'Redis paused for seven seconds', ['503'])
})

/** Users whose sessions Redis evicts, down to a half. */
const visitors = times(12, 60)

for (const policy of ['allkeys-random', 'volatile-ttl']) {
  t.test(
    `Redis that evicts, ${policy}: a sign-out, never an error and never another's session`,
    { skip },
    async (t) => {
      const redis = await startRedis(t)
      const { getBrowser, ledger, signIn, settle, log } = await startOn(t, redis, patient)
      const names = Array.from({ length: visitors }, (_, index) => `person-${index}`)
      const people = names.map((name) => ({ name, browser: getBrowser(name) }))
      for (const { name, browser } of people) await signIn(browser, name, 'the form')
      await redis.admin.config('SET', 'maxmemory-policy', policy)
      const used = Number(/used_memory:(\d+)/.exec(await redis.admin.info('memory'))?.[1])
      await redis.admin.config('SET', 'maxmemory', used + 200_000)
      const sessions = async (): Promise<number> => (await redis.admin.keys('sessions session:*')).length
      let filled = 0
      await until(async () => {
        await redis.admin.set(`filling ${filled++}`, 'x'.repeat(5000), 'EX', 1_000_000_000)
        return (await sessions()) < visitors / 2
      })
      await redis.admin.config('SET', 'maxmemory', 0)
      // Whose session no longer exists is for Redis to say, and is compared below.
      for (const cookie of ledger.cookies.keys()) ledger.change(cookie, 'unknown')
      const reported = { stored: 0, gone: 0 }
      for (const { name, browser } of people) {
        const found = await ask(browser)
        t.equal(found.status, 200)
        if (found.name === null) reported.gone += 1
        else if (found.name === name) reported.stored += 1
        else t.fail(`${name} is ${found.name}`)
      }
      t.same(reported, { stored: await sessions(), gone: visitors - (await sessions()) })
      for (const { name, browser } of people) {
        t.equal((await signIn(browser, name, 'the form')).location, origin, 'and in again')
        t.same(await ask(browser), { status: 200, name })
      }
      await settle(t, `Redis evicted, ${policy}`)
      t.notOk(log.some((line) => /adapter_error|RATE_LIMITER_DOWN/.test(line)))
    }
  )
}

t.test('Redis closes the connections repeatedly: a successful sign-in has a session', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { getBrowser, signIn, settle } = await startOn(t, redis, patient)
  const rounds = times(8, 40)
  let kills = 0
  let isOver = false
  const killing = (async () => {
    while (!isOver) {
      await delay(5 + Math.random() * 20)
      kills += Number(await redis.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'))
    }
  })()
  for (let round = 0; round < rounds || kills <= rounds; round++) {
    await Promise.all(
      (['the provider', 'the link', 'the form'] as const).map(async (method, index) => {
        const name = `person-${round}-${index}`
        const browser = getBrowser(name)
        const { status, location } = await signIn(browser, name, method)
        if (status === 302 && location === origin) await ask(browser)
      })
    )
  }
  isOver = true
  await killing
  t.ok(kills > rounds, `${kills} connections were ended`)
  // A link whose response was lost is requested again by ioredis, and is used by then.
  await settle(t, `Redis ended ${kills} connections`, ['error Verification', '503'])
})

t.test('limits that Redis has evicted restart, and nothing else changes', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { newBrowser } = await startOn(t, redis, patient)
  const guess = async (): Promise<number> => (await newBrowser().submit(form, wrong)).status
  for (let count = 0; count < 10; count++) t.equal(await guess(), 302)
  t.equal(await guess(), 429)
  const keys = await redis.admin.keys('limits *')
  t.ok(keys.length > 0)
  await redis.admin.del(keys)
  t.equal(await guess(), 302)
})

t.test('Redis that is full and evicts nothing: 503 for new sign-ins, existing sessions remain', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { getBrowser, log, signIn, settle } = await startOn(t, redis)
  const browser = getBrowser('grace')
  await signIn(browser, 'grace', 'the form')
  await redis.admin.config('SET', 'maxmemory', 1)
  t.equal((await signIn(getBrowser('bob'), 'bob', 'the form')).status, 503)
  t.same(await ask(browser), { status: 200, name: 'grace' })
  t.ok(log.some((line) => line.includes('RATE_LIMITER_DOWN')))
  await redis.admin.config('SET', 'maxmemory', 0)
  t.equal((await signIn(getBrowser('bob'), 'bob', 'the form')).location, origin)
  await settle(t, 'Redis full', ['503'])
})

t.test('Redis that became a replica: reads succeed, writes are 503, limits are stricter', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { getBrowser, newBrowser, log, signIn, settle } = await startOn(t, redis)
  const browser = getBrowser('grace')
  await signIn(browser, 'grace', 'the form')
  const token = getToken(browser)
  await redis.admin.replicaof('127.0.0.1', 1)
  t.same(await ask(browser), { status: 200, name: 'grace' }, 'sessions are read')
  t.equal((await signIn(getBrowser('bob'), 'bob', 'the form')).status, 503, 'no user is signed in')
  const guesses = []
  for (let count = 0; count < 12; count++) guesses.push((await newBrowser().submit(form, wrong)).status)
  const looked = guesses.filter((status) => status !== 429).length
  t.ok(looked >= 1 && looked < 10, `${looked} guesses were looked at, of ten that Redis would allow`)
  t.equal(log.filter((line) => line.includes('RATE_LIMITER_DOWN')).length, 1)
  t.equal(getToken(browser), token)
  await redis.admin.replicaof('NO', 'ONE')
  t.same(await ask(browser), { status: 200, name: 'grace' }, 'the same session remains valid')
  t.equal((await signIn(getBrowser('bob'), 'bob', 'the form')).location, origin)
  await settle(t, 'Redis a replica', ['503'])
})

t.test('requests beyond the limit do not extend the waiting time', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { newBrowser } = await startOn(t, redis, patient)
  const guess = async (): Promise<{ readonly status: number; readonly wait: number }> => {
    const { status, headers } = await newBrowser().submit(form, wrong)
    return { status, wait: Number(headers['retry-after']) }
  }
  for (let count = 0; count < 10; count++) await guess()
  const keys = await redis.admin.keys('limits *10/900*')
  t.ok(keys.length > 0, 'the window is known')
  for (const key of keys) await redis.admin.pexpire(key, 1500)
  let last = 1500
  for (let count = 0; count < 20; count++) {
    const { status, wait } = await guess()
    if (status !== 429) break
    t.ok(wait <= 2, `again in ${wait} s`)
    const left = Math.max(...(await Promise.all(keys.map((key) => redis.admin.pttl(key)))))
    t.ok(left <= last, `${left} ms are left, after ${last}`)
    last = left
  }
  await until(async () => (await redis.admin.exists(...keys)) === 0)
  t.equal((await guess()).status, 302, 'and then it is over')
})
