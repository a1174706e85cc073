import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import postern, { limiterOn } from '../src/index.ts'
import { origin, people, secret } from './start.ts'

// One process of an application that runs in several, with limits in Redis: it sends its parent its port.
const [, , url = '', prefix = ''] = process.argv
const redis = new Redis(url)
const app = Fastify()

await app.register(postern, {
  url: origin,
  secret,
  providers: [people],
  rateLimit: {
    limiter: limiterOn(
      (settings) => new RateLimiterRedis({ storeClient: redis, ...settings, keyPrefix: prefix + settings.keyPrefix })
    )
  },
  // A busy machine is not an outage of the store.
  constants: { limiterTimeoutMilliseconds: 10_000 }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' ? address?.port : null)
process.on('disconnect', () => process.exit(0))
