import type { PosternOptions } from '@postern/core'
import postern from '@postern/fastify'
import { type Browser, type CookieJar, createBrowser, fromInject, type Send } from '@postern/testkit'
import Fastify, { type FastifyInstance } from 'fastify'

export const origin = 'https://app.test'
export const secret = 'a secret of the tests, 32 characters or more'

export interface Test {
  teardown(work: () => unknown): unknown
}

/** One line of the log. */
export interface Line {
  readonly level: 'error' | 'warn' | 'debug'
  readonly code: string
  readonly metadata: unknown
}

export interface Started {
  readonly app: FastifyInstance
  /** A browser in front of the application, with cookies of its own or with those of another. */
  readonly browser: (cookies?: CookieJar) => Browser
  readonly log: readonly Line[]
}

/** Keeps what is logged. */
export function createLog() {
  const lines: Line[] = []
  const write =
    (level: Line['level']) =>
    (code: string, metadata?: unknown): void => {
      lines.push({ level, code, metadata })
    }
  return { lines, logger: { error: write('error'), warn: write('warn'), debug: write('debug') } }
}

/** With `POSTERN_CLUSTER=1` each request goes to either of two instances; what they share is what the test gives. */
const count = process.env['POSTERN_CLUSTER'] ? 2 : 1

/** What one instance revoked counts at once, not within five seconds. */
const atOnce = { revocationRefresh: 0 }

/** An application of ours. */
export async function startPostern(
  t: Test,
  options: Omit<PosternOptions, 'secret'> & { secret?: PosternOptions['secret'] }
): Promise<Started> {
  const { lines, logger } = createLog()
  const startInstance = async (): Promise<FastifyInstance> => {
    const app = Fastify()
    await app.register(postern, {
      url: origin,
      secret,
      logger,
      ...options,
      ...(count > 1 ? { constants: { ...atOnce, ...options.constants } } : {})
    })
    app.get('/who', async (request) => ({ session: await request.getSession() }))
    t.teardown(() => app.close())
    return app
  }
  const app = await startInstance()
  const others = await Promise.all(Array.from({ length: count - 1 }, startInstance))
  const sends = [app, ...others].map(fromInject)
  const send: Send = (request) => (sends[Math.floor(Math.random() * sends.length)] ?? fromInject(app))(request)
  const browser: Started['browser'] = (cookies) => createBrowser({ origin, send, ...(cookies ? { cookies } : {}) })
  return { app, browser, log: lines }
}
