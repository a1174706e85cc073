import { withRedisSessions } from '@postern/adapters/redis'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { newProxy } from '@postern/testkit'
import { rowsByAdapter, rowsBySql } from '@postern/testkit/consistency-checker'
import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import t from 'tap'
import { limiterOn } from '../src/index.ts'
import { openRedis, redisPort, withoutServer } from './databases.ts'
import { judged } from './judged.ts'
import { cookieNames, getSession, origin, start } from './start.ts'

const withoutRedis = await withoutServer('Redis', redisPort)

t.test(
  'Redis goes away: stricter limits, logged once; sessions are 503, and no user is signed out',
  { skip: withoutRedis },
  async (t) => {
    const proxy = await newProxy(t, redisPort)
    await proxy.up()
    const options = { maxRetriesPerRequest: 0, retryStrategy: () => 50 }
    const { redis, prefix } = openRedis(t, new Redis(proxy.port, '127.0.0.1', options))
    redis.on('error', () => undefined)
    const limiter = limiterOn(
      (rule) => new RateLimiterRedis({ storeClient: redis, ...rule, keyPrefix: prefix + rule.keyPrefix })
    )
    const database = new Database(':memory:')
    t.teardown(() => database.close())
    const adapter = withRedisSessions(sqliteAdapter({ db: database }), { client: redis, prefix })
    const started = await start(t, {
      adapter,
      session: { strategy: 'database' },
      rateLimit: { limiter },
      instances: 1
    })
    const { log } = started
    const { getBrowser, signIn, settle } = judged(started, async ({ entries }) => {
      const { sessions } = await rowsByAdapter(
        adapter,
        [...entries.values()].map(({ person }) => person)
      )
      return { ...(await rowsBySql((sql) => database.prepare<[], unknown>(sql).all())), sessions }
    })
    const browser = getBrowser('grace')
    t.equal((await signIn(browser, 'grace', 'the form')).location, origin)
    const token = browser.cookies.get(cookieNames.sessionToken)

    await proxy.down()
    for (const path of ['/api/auth/session', '/me']) {
      const response = await browser.open(path)
      t.same({ status: response.status, cookies: response.setCookies }, { status: 503, cookies: [] }, path)
    }
    t.equal((await signIn(getBrowser('carol'), 'carol', 'the form')).status, 503, 'no user is signed in')
    const guesses = []
    for (let count = 0; count < 12; count++) {
      const wrong = { username: 'ada', password: `guess ${count}` }
      guesses.push((await started.newBrowser().submit('/api/auth/callback/credentials', wrong)).status)
    }
    const looked = guesses.filter((status) => status !== 429).length
    t.ok(looked >= 1 && looked < 10, `${looked} guesses were looked at, of ten that Redis would allow`)
    t.equal(log.filter((line) => line.includes('RATE_LIMITER_DOWN')).length, 1)

    await proxy.up()
    await new Promise((resolve) => setTimeout(resolve, 1200))
    t.equal(browser.cookies.get(cookieNames.sessionToken), token)
    t.match(await getSession(browser), { user: { name: 'grace' } }, 'the same session')
    t.equal((await signIn(getBrowser('bob'), 'bob', 'the form')).location, origin)
    t.ok(log.some((line) => line.includes('RATE_LIMITER_BACK')))
    await settle(t, 'Redis away')
  }
)
