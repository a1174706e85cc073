import { createServer } from 'node:http'
import { ConfigError } from '@postern/core'
import Fastify, { type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import postern, { type PosternPluginOptions } from '../../src/index.ts'
import { people, secret } from '../start.ts'
import type { Replay } from './replay.ts'

/** The addresses of the reverse proxies, as `inject` shows them. */
const trustProxy = '127.0.0.1'
const options: PosternPluginOptions = { secret, trustHost: ['app.test'], providers: [people] }

/** The responses of an application in production, behind a proxy that terminates TLS. */
interface Visit {
  readonly problems: readonly string[]
  readonly cookies: string
  readonly links: string
}

async function visit(t: Test, server: object, changes: Partial<PosternPluginOptions> = {}): Promise<Visit> {
  const { env } = process
  const { NEXTAUTH_URL: _, AUTH_URL: __, ...others } = env
  process.env = { ...others, NODE_ENV: 'production' }
  t.teardown(() => {
    process.env = env
  })
  const made: FastifyServerOptions = server
  const app = Fastify(made)
  t.teardown(() => app.close())
  try {
    await app.register(postern, { logger: { warn: () => undefined }, ...options, ...changes })
    const headers = { host: 'app.test', 'x-forwarded-proto': 'https' }
    const page = await app.inject({ url: '/api/auth/csrf', headers })
    const { body } = await app.inject({ url: '/api/auth/providers', headers })
    return { problems: [], cookies: String(page.headers['set-cookie']), links: body }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { problems: error.problems.map(({ option, message }) => `${option}: ${message}`), cookies: '', links: '' }
  } finally {
    process.env = env
  }
}

const refused = /^trustHost: .*trustProxy.*https:\/\/app\.example\.com/

export const origins: readonly Replay[] = [
  [
    'P11a',
    'a server behind a TLS proxy does not know that visitors use https',
    async (t) => {
      for (const trustHost of [['app.test'], ['localhost:3000', 'app.test'], true]) {
        const { problems, cookies } = await visit(t, {}, { trustHost })
        t.match(problems, [refused], String(trustHost))
        t.equal(problems.length, 1)
        t.equal(cookies, '')
      }
      t.match((await visit(t, {}, { trustHost: ['app.test'], useSecureCookies: true })).problems, [refused], 'links')
      t.match((await visit(t, { https: null, trustProxy: false })).problems, [refused])
      const serverFactory = createServer
      t.match((await visit(t, { serverFactory: (handler: () => void) => serverFactory(handler) })).problems, [refused])
      const all = await visit(t, {}, { secret: 'short', basePath: 'auth', theme: { logo: 5 }, texts: 5 } as object)
      for (const option of ['secret', 'basePath', 'theme.logo', 'texts', 'trustHost'])
        t.ok(
          all.problems.some((problem) => problem.startsWith(`${option}: `)),
          `${option} is reported with the others`
        )
    }
  ],
  [
    'P11b',
    'a server that knows the protocol issues secure cookies and https links',
    async (t) => {
      const secure = {
        problems: [],
        cookies: /__Host-next-auth\.csrf-token=.*; Secure/,
        links: /"https:\/\/app\.test\//
      }
      t.match(await visit(t, { trustProxy }), secure)
      t.match(await visit(t, { trustProxy }, { trustHost: true }), secure)
      t.match(await visit(t, {}, { trustHost: ['https://app.test'] }), secure, 'an entry with a scheme')
      t.match(await visit(t, {}, { trustHost: ['localhost:3000', 'https://APP.test'] }), secure)
      t.match(await visit(t, {}, { trustHost: undefined, url: 'https://app.test' }), secure)
      for (const server of [{ https: {} }, { https: {}, http2: true }])
        t.same((await visit(t, server)).problems, [], 'a server that speaks https')
      const plain = await visit(t, {}, { useSecureCookies: false })
      t.match(plain, { problems: [], links: /"http:\/\/app\.test\// }, 'http is intended')
      t.same((await visit(t, {}, { trustHost: ['localhost:3000', '[::1]:3000', '127.0.0.1'] })).problems, [])
    }
  ]
]
