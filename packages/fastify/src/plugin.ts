import { defaults, type Logger, type Postern, type PosternOptions, type RateLimiter } from '@postern/core'
import { createMailer, type Mailer, nodeRuntime } from '@postern/core/node'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeWith } from './close-with.ts'
import { createWithPages } from './create-with-pages.ts'
import { createGuards } from './guards.ts'
import { insured } from './insured-limiter.ts'
import { memoryLimiter } from './limiter.ts'
import { fastifyLogger, type RequestLogs } from './logger.ts'
import { awaitStore } from './readiness.ts'
import { registered } from './registered.ts'
import { isProxySuspected } from './request.ts'
import { registerRoutes } from './routes.ts'
import { claimScope, refusePrefix } from './scopes.ts'
import { decorateSession, type SessionReader } from './session.ts'
import type { PosternInterface, PosternPluginOptions } from './types.ts'

/** What Fastify and Node bring, where the application says nothing else. */
function withSurroundings(
  app: FastifyInstance,
  options: PosternOptions,
  { sendMail }: Mailer,
  logs: RequestLogs
): PosternOptions {
  const { rateLimit, logger, runtime, basePath, debug } = options
  const prefixed = app.prefix === '' ? basePath : app.prefix + (basePath ?? defaults.basePath)
  const own = fastifyLogger(app.log, logs)
  // What is no group of options is left for the core to refuse.
  const isGroup = rateLimit === undefined || typeof rateLimit === 'object'
  const log = { ...own, ...(debug ? {} : { debug: () => undefined }), ...logger }
  return {
    ...options,
    basePath: prefixed,
    runtime: { ...nodeRuntime, sendMail, ...runtime },
    logger: log,
    rateLimit: isGroup ? { ...rateLimit, limiter: limiterOf(options, log) } : rateLimit
  }
}

const isLimiter = ({ take, giveBack }: RateLimiter): boolean =>
  typeof take === 'function' && typeof giveBack === 'function'

/** Counts in memory, or where the application says; then with a stand-in for when that fails. */
function limiterOf({ rateLimit, constants }: PosternOptions, logger: Partial<Logger>): RateLimiter {
  const given = rateLimit ? rateLimit.limiter : undefined
  const timeout = constants?.limiterTimeoutMilliseconds ?? defaults.limiterTimeoutMilliseconds
  if (!given) return memoryLimiter()
  return isLimiter(given) ? insured(given, { warn: (...args) => logger.warn?.(...args) }, timeout) : given
}

function interfaceOf(auth: Postern, sessions: SessionReader): PosternInterface {
  return {
    basePath: auth.basePath,
    signInUrl: (callbackUrl) => {
      const path = `${auth.configFor('')?.base ?? auth.basePath}/signin`
      return callbackUrl === undefined ? path : `${path}?${new URLSearchParams({ callbackUrl })}`
    },
    getSession: (request) => request.getSession(),
    updateSession: (request, patch) => sessions.update(request, patch),
    sessions: sessions.sessions,
    unlink: auth.unlink,
    deleteUser: auth.deleteUser
  }
}

/** One warning where every visitor seems to come from one private address. */
function warnOfProxy(scope: FastifyInstance): void {
  let isTold = false
  scope.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    if (!isTold && request.headers['x-forwarded-for'] !== undefined && isProxySuspected(request)) {
      isTold = true
      scope.log.warn(
        'requests come through a proxy, but trustProxy is off: limits count all visitors behind it together'
      )
    }
    done()
  })
}

/** Registers sign-in: decorators in the surrounding scope, routes in a scope of their own. */
export async function plugin(app: FastifyInstance, options: PosternPluginOptions): Promise<void> {
  refusePrefix(options)
  claimScope(app)
  const mailer = createMailer()
  app.addHook('onClose', mailer.close)
  const logs: RequestLogs = new Map()
  const { languages, texts, screens, script, ...others } = options
  const pages = { languages, texts, screens, script }
  const surrounded = withSurroundings(app, others, mailer, logs)
  const auth = await createWithPages(surrounded, pages)
  // Hooks of this kind run the last one first: the adapter is closed when nothing uses it any more.
  closeWith(app, options.adapter)
  app.addHook('onClose', auth.close)
  const sessions = decorateSession(app, auth)
  app.decorate('requireSession', createGuards({ auth, sessions, logs, now: options.runtime?.now ?? Date.now }))
  const postern = interfaceOf(auth, sessions)
  registered.set(postern, auth)
  app.decorate('postern', postern)
  const path = auth.basePath.slice(app.prefix.length)
  const bodyLimit = options.constants?.bodyLimitBytes ?? defaults.bodyLimitBytes
  await app.register(async (scope) => {
    warnOfProxy(scope)
    registerRoutes(scope, auth, { path, bodyLimit, logs })
  })
  app.addHook('onReady', () => awaitStore(surrounded))
  app.addHook('onReady', async () => {
    for (const [provider, redirectUri] of Object.entries(auth.redirectUris ?? {})) {
      app.log.info(
        { provider, redirectUri },
        `${provider}: register this redirect URI with the provider: ${redirectUri}`
      )
    }
  })
}
