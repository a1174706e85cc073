import Fastify from 'fastify'
import t from 'tap'
import { withFastifyDefaults } from '../src/fastify-defaults.ts'
import { createNodeRuntime } from '../src/node-runtime.ts'

const out = createNodeRuntime()
const surround = (options: object) => withFastifyDefaults(Fastify(), { providers: [], ...options }, out, new Map())

t.test('a logger that is an instance of a class is called as one', async (t) => {
  class Log {
    readonly lines: string[] = []
    error(code: string): void {
      this.lines.push(`error ${code}`)
    }
    warn(code: string): void {
      this.lines.push(`warn ${code}`)
    }
    debug(code: string): void {
      this.lines.push(`debug ${code}`)
    }
  }
  const log = new Log()
  const { logger } = surround({ logger: log })
  logger?.error?.('A', null)
  logger?.warn?.('B')
  logger?.debug?.('C', null)
  t.same(log.lines, ['error A', 'warn B', 'debug C'])
})

t.test('a level that the application does not give goes to Fastify’s log', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(JSON.parse(line).msg) } } })
  const { logger } = withFastifyDefaults(app, { providers: [], logger: { warn: () => undefined } }, out, new Map())
  logger?.warn?.('TO_THE_APPLICATION')
  logger?.error?.('TO_FASTIFY', null)
  t.same(lines, ['TO_FASTIFY'])
})

t.test('a part of the runtime that is undefined is Node’s, and calls stay guarded', async (t) => {
  const { runtime } = surround({ runtime: { fetch: undefined, sendMail: undefined, now: () => 7 } })
  t.equal(runtime?.fetch, out.runtime.fetch)
  t.equal(runtime?.sendMail, out.runtime.sendMail)
  t.equal(runtime?.now?.(), 7)
})

t.test('a limiter without its methods is left for the core to look over', async (t) => {
  const limiter = { consume: async () => 0 }
  const { rateLimit } = surround({ rateLimit: { limiter } })
  t.equal(rateLimit ? rateLimit.limiter : null, limiter)
})

t.test('a mail whose sending begins as the application closes leaves no connection behind', async (t) => {
  const { runtime, close } = createNodeRuntime()
  const message = { to: 'ada@app.test', from: 'a@app.test', subject: 'a', text: 'a', html: 'a' }
  const sending = runtime.sendMail?.('smtp://127.0.0.1:1', message, { timeout: 100 })
  await close()
  await t.rejects(sending ?? Promise.resolve(), /the application was closed before the mail was sent/)
})
