// One instance of the application, in its own process. Shared state is in PostgreSQL and Redis.

import { createApp } from 'demo/app'
import { gallery } from 'demo/gallery'
import { createRedisStore } from './last-provider.ts'
import { serve } from './serve.ts'
import { fromEnvironment } from './settings.ts'
import { openShared } from './shared.ts'

const { database, redis, prefix, ...settings } = fromEnvironment(process.env)
const shared = openShared({ database, redis, prefix })

const app = await createApp({
  ...settings,
  adapter: shared.adapter,
  methods: createRedisStore(shared.redis, prefix),
  logLevel: process.env['LOG_LEVEL'] ?? 'warn',
  isBehindProxy: true,
  limiter: shared.limiter
})
await app.register(gallery, { origin: settings.url })
await shared.ready()
await serve(app, shared.close)
