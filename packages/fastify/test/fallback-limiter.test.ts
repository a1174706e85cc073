import t from 'tap'
import { withFallbackLimiter } from '../src/fallback-limiter.ts'

const rule = { points: 8, seconds: 60 }

t.test('limit-1: what is counted is given back where it was counted', async (t) => {
  const counts = new Map<string, number>()
  const add = (key: string, points: number): void => void counts.set(key, (counts.get(key) ?? 0) + points)
  let isDown = true
  const shared = {
    consume: async (key: string) => {
      if (isDown) throw new Error('the store is down')
      add(key, 1)
      return 0
    },
    refund: async (key: string) => add(key, -1)
  }
  let now = 0
  const realNow = Date.now
  Date.now = () => now
  t.teardown(() => {
    Date.now = realNow
  })
  const limiter = withFallbackLimiter(shared, { warn: () => undefined }, 1000)
  t.equal(await limiter.consume('ada', rule), 0, 'counted here')
  await limiter.refund('ada', rule)
  t.same([...counts], [], 'and given back here')
  await limiter.consume('ada', rule)
  isDown = false
  now += 2000
  await limiter.consume('ada', rule)
  await limiter.refund('ada', rule)
  t.same([...counts], [['ada', 0]], 'after the outage there, whatever had failed meanwhile')
})
