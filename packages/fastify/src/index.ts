import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { plugin } from './plugin.ts'
import type { PosternPluginOptions } from './types.ts'

export { type CountingSettings, type CountingStore, limiterOn } from './limiter.ts'
export type {
  Guard,
  GuardOptions,
  PosternInterface,
  PosternPluginOptions,
  PosternSessions,
  RequireSession
} from './types.ts'

/**
 * Sign-in for Fastify: `await app.register(postern, { providers: [...] })`.
 *
 * @throws ConfigError at registration, every mistake at once, each with its mend.
 */
const postern: FastifyPluginAsync<PosternPluginOptions> = fp(plugin, { name: '@postern/fastify', fastify: '^5.12.0' })

export default postern
