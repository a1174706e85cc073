import { randomUUID } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import { withRedisSessions } from '@postern/adapters/redis'
import { newProxy } from '@postern/testkit'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import t from 'tap'
import { limiterOn } from '../src/index.ts'
import { withoutServer } from './databases.ts'
import { cookieNames, origin, sessionOf, signInByForm, start } from './start.ts'

const redisPort = 6379
const withoutRedis = await withoutServer('Redis', redisPort)

t.test(
  'Redis goes away: stricter limits, told once; sessions are 503, and nobody is signed out',
  { skip: withoutRedis },
  async (t) => {
    const proxy = await newProxy(t, redisPort)
    await proxy.up()
    const options = { maxRetriesPerRequest: 0, retryStrategy: () => 50 }
    const redis = new Redis(proxy.port, '127.0.0.1', options)
    redis.on('error', () => undefined)
    const prefix = `postern-test-${randomUUID()}:`
    t.teardown(async () => {
      const keys = await redis.keys(`${prefix}*`)
      if (keys.length > 0) await redis.del(keys)
      redis.disconnect()
    })
    const limiter = limiterOn(
      (rule) => new RateLimiterRedis({ storeClient: redis, ...rule, keyPrefix: prefix + rule.keyPrefix })
    )
    const adapter = withRedisSessions(memoryAdapter(), { client: redis, prefix })
    const { browser, newBrowser, log } = await start(t, {
      adapter,
      session: { strategy: 'database' },
      rateLimit: { limiter },
      instances: 1
    })
    t.equal((await signInByForm(browser)).location, origin)
    const token = browser.cookies.get(cookieNames.sessionToken)

    await proxy.down()
    for (const path of ['/api/auth/session', '/me']) {
      const answer = await browser.open(path)
      t.same({ status: answer.status, cookies: answer.setCookies }, { status: 503, cookies: [] }, path)
    }
    t.equal((await signInByForm(newBrowser())).status, 503, 'nobody is signed in')
    const guesses = []
    for (let count = 0; count < 12; count++) {
      const wrong = { username: 'ada', password: `guess ${count}` }
      guesses.push((await newBrowser().submit('/api/auth/callback/credentials', wrong)).status)
    }
    const looked = guesses.filter((status) => status !== 429).length
    t.ok(looked >= 1 && looked < 10, `${looked} guesses were looked at, of ten that Redis would allow`)
    t.equal(log.filter((line) => line.includes('RATE_LIMITER_DOWN')).length, 1)

    await proxy.up()
    await new Promise((resolve) => setTimeout(resolve, 1200))
    t.equal(browser.cookies.get(cookieNames.sessionToken), token)
    t.match(await sessionOf(browser), { user: { name: 'grace' } }, 'the same session')
    t.equal((await signInByForm(newBrowser(), 'bob')).location, origin)
    t.ok(log.some((line) => line.includes('RATE_LIMITER_BACK')))
  }
)
