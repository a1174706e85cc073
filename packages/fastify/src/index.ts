import type { FastifyPluginAsync } from 'fastify'
import { load } from './load.ts'
import { plugin } from './plugin.ts'
import type { PosternPluginOptions } from './types.ts'

export { requireCsrfToken } from './csrf-guard.ts'
export { requireSession } from './guards.ts'
export { type CountingSettings, type CountingStore, limiterOn } from './limiter.ts'
export type {
  Guard,
  GuardOptions,
  PosternEvents,
  PosternInstance,
  PosternInterface,
  PosternPluginOptions,
  PosternRequest,
  PosternSessions,
  PosternUsers,
  RequireSession
} from './types.ts'

const fp: typeof import('fastify-plugin').default = load('fastify-plugin')

/**
 * Sign-in for Fastify: `await app.register(postern, { providers: [...] })`.
 *
 * @throws ConfigError at registration, with every configuration error and a fix for each.
 */
const postern: FastifyPluginAsync<PosternPluginOptions> = fp(plugin, {
  name: '@postern/fastify',
  fastify: '^5.12.0',
  // The plugin has no dependencies; it registers the plugins that its routes need.
  dependencies: []
})

export default postern
