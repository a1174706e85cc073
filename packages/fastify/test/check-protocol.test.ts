import Fastify, { type FastifyServerOptions } from 'fastify'
import t from 'tap'
import postern, { type PosternPluginOptions } from '../src/index.ts'
import { people, secret } from './providers.ts'

type Case = readonly [title: string, server: FastifyServerOptions, options: Partial<PosternPluginOptions>]

const accepted: readonly Case[] = [
  ['the server trusts its proxy', { trustProxy: '127.0.0.1' }, { trustHost: ['app.test'] }],
  ['the entries have a scheme', {}, { trustHost: ['https://app.test'] }],
  ['the address is configured', {}, { url: 'https://app.test' }],
  ['http is intended', {}, { trustHost: ['app.test'], useSecureCookies: false }]
]

async function startInProduction(server: FastifyServerOptions, options: Partial<PosternPluginOptions>): Promise<void> {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  const app = Fastify(server)
  try {
    await app.register(postern, { secret, providers: [people], ...options })
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
    await app.close()
  }
}

t.test(
  'origin-1: production does not start with trustHost if the server would see every request as http',
  async (t) => {
    await t.rejects(startInProduction({}, { trustHost: ['app.test'] }), {
      code: 'POSTERN_CONFIG',
      problems: [{ option: 'trustHost', code: 'HTTPS_REQUIRED' }]
    })
    for (const [title, server, options] of accepted) await t.resolves(startInProduction(server, options), title)
  }
)
