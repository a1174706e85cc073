import { createServer } from 'node:http'
import { type Adapter, createPostern } from '@postern/core'
import type { AnyFeature } from '@postern/core/feature'
import email from '@postern/core/providers/email'
import { holdResponse, runRequest, withHeldWrites } from '@postern/testkit/hold-writes'
import { answer } from './password-server.ts'

const [address = '', kind = 'transactional', strategy = 'database', origin = ''] = process.argv.slice(2)

/** The time of the newest request that states one, in milliseconds since 1970. */
let stated: number | null = null

/** Loads the adapter that is used: the tests start the process many times. */
async function openAdapter(): Promise<Adapter> {
  if (address.startsWith('postgres:')) {
    const { postgresAdapter } = await import('@postern/adapters/postgres')
    return postgresAdapter({ url: address })
  }
  if (address.startsWith('mysql:')) {
    const { mysqlAdapter } = await import('@postern/adapters/mysql')
    return mysqlAdapter({ url: address })
  }
  const { sqliteAdapter } = await import('@postern/adapters/sqlite')
  const adapter: Adapter = sqliteAdapter({ file: address })
  if (kind === 'transactional') return adapter
  const { transact: _, ...others } = adapter
  return others
}

/**
 * Serves an application with these features, and with sign-in by email. A request with `x-hold-at` stops before its write of this
 * number, or before the response if it makes fewer, until the process is killed. The header `x-now` sets the clock.
 */
export async function serveWithKills(features: readonly AnyFeature[]): Promise<void> {
  const auth = createPostern({
    url: origin,
    secret: 'a secret of the tests, 32 characters or more',
    adapter: withHeldWrites(await openAdapter()),
    session: { strategy: strategy === 'jwt' ? 'jwt' : 'database' },
    rateLimit: false,
    logger: { error: console.error, warn: () => undefined, debug: () => undefined },
    runtime: {
      now: () => stated ?? Date.now(),
      sendMail: async (_server, { text }) => void process.send?.({ text })
    },
    providers: [...features, email({ server: 'smtp://mail.test', from: 'mail@app.test' })]
  })

  const server = createServer(async (request, response) => {
    const now = request.headers['x-now']
    if (now !== undefined) stated = Number(now)
    await runRequest(request.headers['x-hold-at'], () =>
      answer(request, response, { origin, fetch: auth.fetch, beforeResponse: holdResponse })
    )
  })
  server.listen(0, '127.0.0.1', () => {
    const bound = server.address()
    process.send?.({ port: typeof bound === 'object' ? bound?.port : null })
  })
  process.on('disconnect', () => process.exit(0))
}
