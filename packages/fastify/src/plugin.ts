import { createPostern, defaults, type Postern } from '@postern/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeWith } from './close-adapter.ts'
import { createWithPages } from './create-with-pages.ts'
import { expectCallbackUrl, expectRequest } from './expect.ts'
import { createGuards } from './guards.ts'
import type { RequestLogs } from './logger.ts'
import { outside } from './node-runtime.ts'
import { awaitStore } from './readiness.ts'
import { registered } from './registered.ts'
import { isProxySuspected } from './request.ts'
import { registerRoutes } from './routes.ts'
import { claimScope, refusePrefix } from './scopes.ts'
import { decorateSession, type SessionReader } from './session.ts'
import { isGroup, withSurroundings } from './fastify-defaults.ts'
import type { PosternInterface, PosternPluginOptions } from './types.ts'

function interfaceOf(auth: Postern, sessions: SessionReader): PosternInterface {
  return {
    basePath: auth.basePath,
    signInUrl: (callbackUrl) => {
      expectCallbackUrl(callbackUrl)
      const path = `${auth.configFor('')?.base ?? auth.basePath}/signin`
      return callbackUrl === undefined ? path : `${path}?${new URLSearchParams({ callbackUrl })}`
    },
    getSession: async (request) => {
      expectRequest('getSession', request)
      return request.getSession()
    },
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
  // What is no group of options has nothing to be merged with: the core tells what it is.
  if (!isGroup(options)) createPostern(options)
  refusePrefix(options)
  claimScope(app)
  const out = outside()
  app.addHook('onClose', out.close)
  const logs: RequestLogs = new Map()
  const { languages, texts, screens, script, ...others } = options
  const pages = { languages, texts, screens, script }
  const surrounded = withSurroundings(app, others, out, logs)
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
