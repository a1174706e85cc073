import t from 'tap'
import { rateRules } from '../../src/config/defaults.ts'
import type { RateLimiter, RateRule } from '../../src/model/rate-limiter.ts'
import { consumeTurn, credentialPauses, mailPauses, type Pauses } from '../../src/sign-in-methods/growing-delay.ts'

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

/** Tries once a second for a day. @returns The allowed events, and the longest time to wait. */
async function tryForADay(rule: RateRule, pauses: Pauses) {
  let now = 0
  let allowed = 0
  let longest = 0
  const limiter = createLimiter(() => now)
  for (; now < 86_400; now++) {
    const isExceeded = (await limiter.consume('vera', rule)) > 0
    const wait = isExceeded ? await consumeTurn('vera', rule, pauses, limiter) : 0
    longest = Math.max(longest, wait)
    if (wait === 0) allowed++
  }
  return { allowed, longest }
}

t.test('one account is guessed at most 5520 times a day, and no pause is longer than 30 seconds', async (t) => {
  const { allowed, longest } = await tryForADay(rateRules.credentialsPerIdentifier, credentialPauses)
  t.ok(allowed > 2400 && allowed <= 5520, `${allowed}`)
  t.ok(longest > 20 && longest <= 30, `${longest}`)
})

t.test('one address gets at most 960 mails a day, ten in 15 minutes', async (t) => {
  const { allowed, longest } = await tryForADay(rateRules.mailPerIdentifier, mailPauses)
  t.ok(allowed > 480 && allowed <= 960, `${allowed}`)
  t.ok(longest > 200 && longest <= 300, `${longest}`)
})

t.test('many attempts at once get one turn', async (t) => {
  let now = 0
  const limiter = createLimiter(() => now)
  const take = () => consumeTurn('vera', { points: 100, seconds: 3600 }, credentialPauses, limiter)
  const turns: number[] = []
  for (let round = 0; round < 40; round++) {
    const waits = await Promise.all(Array.from({ length: 50 }, take))
    turns.push(waits.filter((wait) => wait === 0).length)
    now += 30
  }
  t.ok(turns[0] === 0 && turns.every((count) => count <= 1), String(turns))
})
