import { createPostern, defaults, type Postern } from '@postern/core'
import type { FastifyInstance } from 'fastify'
import { assertCallbackUrl, assertRequest } from './assert-arguments.ts'
import { checkProtocol } from './check-protocol.ts'
import { closeAdapter } from './close-adapter.ts'
import { createWithPages } from './create-with-pages.ts'
import { isGroup, withFastifyDefaults } from './fastify-defaults.ts'
import { checkRouteHooks, checkScopeHooks, refuseLateGuards } from './guard-hooks.ts'
import { requireSession } from './guards.ts'
import type { RequestLogs } from './logger.ts'
import { logMissingLogos } from './logo-hints.ts'
import { createNodeRuntime } from './node-runtime.ts'
import { awaitStore } from './readiness.ts'
import { type Registration, registration, type SessionReader } from './registration.ts'
import { rejectEarlyUse } from './reject-early-use.ts'
import { createRequestInterface } from './request-interface.ts'
import { registerRoutes } from './routes.ts'
import { refusePrefix, registerCookies, registerScope } from './scopes.ts'
import { decorateSession } from './session.ts'
import type { PosternInterface, PosternPluginOptions } from './types.ts'

function createInterface(auth: Postern, sessions: SessionReader): PosternInterface {
  return {
    basePath: auth.basePath,
    signInUrl: (callbackUrl) => {
      assertCallbackUrl(callbackUrl)
      const path = `${auth.configFor('')?.base ?? auth.basePath}/signin`
      return callbackUrl === undefined ? path : `${path}?${new URLSearchParams({ callbackUrl })}`
    },
    linkUrl: (provider, callbackUrl) => {
      if (!auth.configFor('')?.providers.has(provider) && auth.configFor(''))
        throw new TypeError(`linkUrl: there is no provider with the id ${provider}`)
      assertCallbackUrl(callbackUrl)
      const path = `${auth.configFor('')?.base ?? auth.basePath}/signin/${encodeURIComponent(provider)}`
      return `${path}?${new URLSearchParams({ link: 'true', ...(callbackUrl === undefined ? {} : { callbackUrl }) })}`
    },
    getSession: async (request) => {
      assertRequest('getSession', request)
      return (await sessions.read(request)).session
    },
    getToken: async (request) => {
      assertRequest('getToken', request)
      return (await sessions.read(request)).token
    },
    updateSession: (request, patch) => sessions.update(request, patch),
    sessions: sessions.sessions,
    events: auth.events,
    accounts: auth.accounts,
    unlink: auth.unlink,
    deleteUser: auth.deleteUser,
    invite: auth.invite,
    exportUser: auth.exportUser,
    getAccessToken: auth.getAccessToken,
    reencrypt: auth.reencrypt,
    oneTimeTokens: auth.oneTimeTokens,
    ...createRequestInterface(auth, sessions),
    features: auth.features
  }
}

/** Registers sign-in: decorators in the surrounding scope, routes in a scope of their own. */
export async function plugin(app: FastifyInstance, options: PosternPluginOptions): Promise<void> {
  // A value that is not an object cannot be merged with defaults; the core reports it.
  if (!isGroup(options)) createPostern(options)
  refusePrefix(options)
  registerScope(app)
  // Covers an instance that was created before this module was imported.
  rejectEarlyUse(app)
  const out = createNodeRuntime()
  app.addHook('onClose', out.close)
  const logs: RequestLogs = new Map()
  const { languages, texts, screens, script, ...others } = options
  const pages = { languages, texts, screens, script }
  const surrounded = withFastifyDefaults(app, others, out, logs)
  const auth = await createWithPages(surrounded, pages, checkProtocol(app, surrounded))
  // Fastify runs onClose hooks in reverse order, so the adapter is closed last.
  closeAdapter(app, options.adapter)
  app.addHook('onClose', auth.close)
  registerCookies(app, auth)
  const now = options.runtime?.now ?? Date.now
  const sessions = decorateSession(app, auth, now)
  const guarded: Registration = { auth, sessions, logs, now, hasOwnRoutes: false }
  app.decorate(registration, guarded)
  app.decorate('requireSession', requireSession)
  refuseLateGuards(app)
  app.addHook('onRoute', checkRouteHooks)
  app.addHook('onReady', async () => checkScopeHooks(app))
  app.decorate('postern', createInterface(auth, sessions))
  const { pathPrefix = '' } = options
  const path = auth.basePath.slice(pathPrefix.length + app.prefix.length)
  const bodyLimit = options.constants?.bodyLimitBytes ?? defaults.bodyLimitBytes
  await app.register(async (scope) => {
    scope.decorate(registration, { ...guarded, hasOwnRoutes: true })
    registerRoutes(scope, auth, { path, bodyLimit, logs })
  })
  app.addHook('onReady', () => awaitStore(surrounded))
  // A server is not ready later because of a provider, and an application under test (`inject`) calls none.
  app.addHook('onListen', async () => auth.checkProviders())
  app.addHook('onReady', async () => {
    for (const [provider, redirectUri] of Object.entries(auth.redirectUris ?? {})) {
      app.log.info(
        { provider, redirectUri },
        `${provider}: register this redirect URI with the provider: ${redirectUri}`
      )
    }
    if (process.env['NODE_ENV'] !== 'production' && !options.renderer) await logMissingLogos(auth, app.log)
  })
}
