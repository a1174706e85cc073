import { setTimeout as delay } from 'node:timers/promises'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import credentials from '@postern/core/providers/credentials'
import postern from '@postern/fastify'
import Fastify from 'fastify'
import { serve } from '../src/serve.ts'

// One instance of an application without Redis. A sign-in takes as long as a slow password hash, without its load.
const { STORE = '', ORIGIN = '', SIGN_IN_MILLISECONDS = '0' } = process.env

const adapter = STORE.startsWith('postgres:') ? postgresAdapter({ url: STORE }) : sqliteAdapter({ file: STORE })
const app = Fastify({ trustProxy: true })
await app.register(postern, {
  url: ORIGIN,
  secret: 'the secret that all instances of a test share',
  adapter,
  session: { strategy: 'database' },
  rateLimit: false,
  providers: [
    credentials({
      credentials: { username: {}, password: { type: 'password' } },
      authorize: async ({ username }) => {
        await delay(Number(SIGN_IN_MILLISECONDS))
        return { id: username, name: username }
      }
    })
  ]
})
await serve(app)
