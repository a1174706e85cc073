import type { FastifyPluginAsync } from 'fastify'
import { load } from './load.ts'
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

const fp: typeof import('fastify-plugin').default = load('fastify-plugin')

/**
 * Sign-in for Fastify: `await app.register(postern, { providers: [...] })`.
 *
 * @throws ConfigError at registration, every mistake at once, each with its mend.
 */
const postern: FastifyPluginAsync<PosternPluginOptions> = fp(plugin, {
  name: '@postern/fastify',
  fastify: '^5.12.0',
  // Nothing has to be registered before: plugins that are needed are registered for our routes.
  dependencies: []
})

export default postern
