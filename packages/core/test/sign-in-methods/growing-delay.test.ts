import t from 'tap'
import { rateRules } from '../../src/config/defaults.ts'
import type { RateLimiter, RateRule } from '../../src/model/rate-limiter.ts'
import type { RateLimitCounter } from '../../src/sign-in-methods/client-key.ts'
import { consumeDelayed, credentialDelays, type Delays, mailDelays } from '../../src/sign-in-methods/growing-delay.ts'

/** Fixed windows that follow a clock in seconds. */
function createLimiter(now: () => number): RateLimiter {
  const counts = new Map<string, { points: number; readonly ends: number }>()
  const find = (key: string, { seconds }: RateRule) => {
    const known = counts.get(key)
    const current = known && known.ends > now() ? known : { points: 0, ends: now() + seconds }
    counts.set(key, current)
    return current
  }
  return {
    consume: async (key, rule) => {
      const count = find(key, rule)
      count.points++
      return count.points > rule.points ? count.ends - now() : 0
    },
    refund: async (key, rule) => {
      const count = find(key, rule)
      count.points = Math.max(0, count.points - 1)
    }
  }
}

/** Tries for a day, every five seconds until an event has to wait: each delay is a multiple of it. @returns The allowed events, the most in 15 minutes, and the longest time to wait. */
async function tryForADay(rule: RateRule, delays: Delays) {
  let now = 0
  let longest = 0
  const allowed: number[] = []
  const limiter = createLimiter(() => now)
  for (; now < 86_400; now += 5) {
    for (let wait = 0; wait === 0; ) {
      const isExceeded = (await limiter.consume('vera', rule)) > 0
      wait = isExceeded ? await consumeDelayed([['vera', rule]], delays, limiter) : 0
      longest = Math.max(longest, wait)
      if (wait === 0) allowed.push(now)
    }
  }
  const inWindow = allowed.map((start) => allowed.filter((time) => time >= start && time < start + 900).length)
  return { count: allowed.length, most: Math.max(...inWindow), longest }
}

const window = { points: 100, seconds: 3600 }
const limitOf = (key: string): RateLimitCounter => [key, window]

t.test(
  'limit-1: one account is guessed at most 5430 times a day, and no delay is longer than 30 seconds',
  async (t) => {
    const { count, longest } = await tryForADay(rateRules.credentialsPerIdentifier, credentialDelays)
    t.ok(count > 5000 && count <= 5430, `${count}`)
    t.ok(longest > 20 && longest <= 30, `${longest}`)
  }
)

t.test('one address gets at most ten mails in 15 minutes', async (t) => {
  const { most, longest } = await tryForADay(rateRules.mailPerIdentifier, mailDelays)
  t.ok(most > 5 && most <= 10, `${most}`)
  t.ok(longest > 200 && longest <= 300, `${longest}`)
})

t.test('the delay grows', async (t) => {
  let now = 0
  const limiter = createLimiter(() => now)
  const take = () => consumeDelayed([limitOf('vera')], credentialDelays, limiter)
  const waits: number[] = []
  for (let round = 0; round < 6; round++) {
    const wait = await take()
    waits.push(wait)
    now += wait
    t.equal(await take(), 0, 'the next one is allowed')
  }
  t.same(waits, [5, 10, 20, 30, 30, 30])
})

t.test('of many attempts at once one is allowed', async (t) => {
  let now = 0
  const limiter = createLimiter(() => now)
  const take = () => consumeDelayed([limitOf('vera')], credentialDelays, limiter)
  const counts: number[] = []
  for (let round = 0; round < 40; round++) {
    const waits = await Promise.all(Array.from({ length: 50 }, take))
    counts.push(waits.filter((wait) => wait === 0).length)
    now += 30
  }
  t.same(counts, [0, ...Array.from({ length: 39 }, () => 1)])
})

t.test('an attempt with two usernames has to wait for one of them: it starts no delay of the other', async (t) => {
  let now = 0
  const limiter = createLimiter(() => now)
  const take = (...keys: readonly string[]) => consumeDelayed(keys.map(limitOf), credentialDelays, limiter)
  for (const name of ['ada', 'vera']) await take(name)
  now += 5
  t.equal(await take('vera'), 0)
  for (let attempt = 0; attempt < 5; attempt++) t.equal(await take('ada', 'vera'), 10, 'vera was tried')
  t.equal(await take('ada'), 0, 'ada was not')
})
