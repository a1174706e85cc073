// A separate process: signs in with each store that is named, closes, and has to exit without process.exit().
import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { withRedisSessions } from '@postern/adapters/redis'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { createBrowser, fromFetch } from '@postern/testkit'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import postern from '../src/index.ts'
import { people, secret } from './providers.ts'

const open = {
  none: () => undefined,
  memory: memoryAdapter,
  sqlite: () => sqliteAdapter({ file: ':memory:' }),
  postgres: () => postgresAdapter({ url: 'postgres://postgres@127.0.0.1:5432/test' }),
  mysql: () => mysqlAdapter({ url: 'mysql://root@127.0.0.1:3306/test' }),
  redis: (client: Redis) => withRedisSessions(memoryAdapter(), { client })
}
const isStore = (name: string): name is keyof typeof open => name in open

/** @returns Who signed in, and the timers that are left. */
async function signInAndClose(store: keyof typeof open): Promise<object> {
  const before = process.getActiveResourcesInfo()
  const redis = new Redis('redis://127.0.0.1:6379', { lazyConnect: true })
  const app = Fastify()
  const adapter = open[store](redis)
  await app.register(postern, { secret, providers: [people], adapter })
  // The client of Redis is the application's own.
  app.addHook('onClose', async () => {
    if (redis.status === 'ready') await redis.quit()
    else redis.disconnect()
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = createBrowser({ origin, send: fromFetch(fetch) })
  await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  const { user } = await browser.json<{ user?: { name?: string } }>('/api/auth/session')
  await app.close()
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' && !before.includes(kind))
  return { store, signedIn: user?.name, left: timers }
}

const results: object[] = []
for (const store of process.argv.slice(2)) {
  if (!isStore(store)) throw new TypeError(`expected one of ${Object.keys(open).join(', ')}, got ${store}`)
  results.push(await signInAndClose(store))
}
console.log(JSON.stringify(results))
