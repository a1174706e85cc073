import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import { type Adapter, createPostern } from '@postern/core'
import type { AnyFeature } from '@postern/core/feature'
import email from '@postern/core/providers/email'
import { answer } from './password-server.ts'

const [address = '', kind = 'transactional', strategy = 'database', origin = ''] = process.argv.slice(2)

/** A request that stops before one of its writes. */
interface Interruption {
  left: number
  isHeld: boolean
}

const interruptions = new AsyncLocalStorage<Interruption>()

/** Stops forever: the parent kills the process. */
function hold(interruption: Interruption): Promise<never> {
  if (!interruption.isHeld) process.send?.({ isHeld: true })
  interruption.isHeld = true
  return new Promise(() => undefined)
}

/** The time of the newest request that states one, in milliseconds since 1970. */
let stated: number | null = null

const isWrite = (name: string): boolean =>
  !/^(get|list|read|is|deleteExpired|deleteEvents|close|ready|withLease)/.test(name)

function withHold(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || !isWrite(name)) return method
      const counted = async (...args: readonly unknown[]): Promise<unknown> => {
        const interruption = interruptions.getStore()
        if (interruption && interruption.left-- <= 0) await hold(interruption)
        return Reflect.apply(method, target, args)
      }
      return Object.assign(counted, { ...method })
    }
  })
}

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
    adapter: withHold(await openAdapter()),
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
    const at = request.headers['x-hold-at']
    const interruption = at === undefined ? undefined : { left: Number(at), isHeld: false }
    const now = request.headers['x-now']
    if (now !== undefined) stated = Number(now)
    const respond = () =>
      answer(request, response, {
        origin,
        fetch: auth.fetch,
        beforeResponse: () => interruption && hold(interruption)
      })
    await (interruption ? interruptions.run(interruption, respond) : respond())
  })
  server.listen(0, '127.0.0.1', () => {
    const bound = server.address()
    process.send?.({ port: typeof bound === 'object' ? bound?.port : null })
  })
  process.on('disconnect', () => process.exit(0))
}
