import { type AuthRequest, BodyError, type HttpResponse, type Postern } from '@postern/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerParsers } from './body.ts'
import { isPromise } from './is-promise.ts'
import { load } from './load.ts'
import { type RequestLogs, requestForLog } from './logger.ts'
import { send } from './reply.ts'
import { isProxySuspected, toAuthRequest } from './request.ts'
import { getRouteSchema } from './schemas.ts'

/** The settings of the routes. */
export interface RouteSettings {
  /** The base path, relative to the prefix of the surrounding scope. */
  readonly path: string
  /** Bytes of a request body. */
  readonly bodyLimit: number
  readonly logs: RequestLogs
}

const logSerializers = { req: requestForLog }
const plain = { 'cache-control': 'private, no-cache, no-store', 'x-content-type-options': 'nosniff' }

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).headers(plain).type('text/plain; charset=utf-8').send(`Error: ${text}`)
}

/** The path parameters of Postern's routes, by name; `*` is the rest of a path. */
interface Named {
  Params: Readonly<Record<string, string>>
}

/** Returns the decoded text with its last slash encoded again if the URL has no slash there: it ends no path. */
function keepEncodedSlash(decoded: string, { url }: FastifyRequest<Named>): string {
  const isEncoded = decoded.endsWith('/') && !url.split('?', 1)[0]?.endsWith('/')
  return isEncoded ? `${decoded.slice(0, -1)}%2F` : decoded
}

/** Fills the parameters of a route into its path, as decoded by the router and not as spelled in the URL. */
function createPathReader(pattern: string): (request: FastifyRequest<Named>) => string {
  if (pattern.endsWith('*')) return (request) => keepEncodedSlash(`/${request.params['*']}`, request)
  if (!pattern.includes(':')) return () => pattern
  const parts = pattern.split('/')
  return (request) =>
    keepEncodedSlash(
      parts.map((part) => (part.startsWith(':') ? request.params[part.slice(1)] : part)).join('/'),
      request
    )
}

/**
 * The schemas only document the routes. The core validates the input, and the body is already a string: a compiled
 * serializer is no faster for it, and slower to start.
 */
function describeOnly(scope: FastifyInstance): void {
  scope.setValidatorCompiler(() => () => true)
  scope.setSerializerCompiler(() => (data) => JSON.stringify(data))
}

/** The pattern of a route, and whether its page is at a path of the application. */
interface Handled {
  readonly pattern: string
  readonly isMoved: boolean
}

/** Logs one warning if every client seems to have the same private address. */
function createProxyWarning({ log }: FastifyInstance): (request: FastifyRequest<Named>) => void {
  let isWarned = false
  return (request) => {
    if (isWarned || request.headers['x-forwarded-for'] === undefined || !isProxySuspected(request)) return
    isWarned = true
    log.warn('requests come through a proxy, but trustProxy is off: rate limits count all users behind it together')
  }
}

function toRequest(request: FastifyRequest<Named>, path: string, isMoved: boolean): AuthRequest | BodyError {
  try {
    return toAuthRequest(request, path, isMoved)
  } catch (error) {
    if (error instanceof BodyError) return error
    throw error
  }
}

type Respond = (authRequest: AuthRequest, request: FastifyRequest<Named>, reply: FastifyReply) => void

/** Creates what all routes respond with. */
function createRespond(auth: Postern, logs: RouteSettings['logs']): Respond {
  const wait = async (response: Promise<HttpResponse>, id: string, reply: FastifyReply): Promise<void> => {
    try {
      send(reply, await response)
    } catch (error) {
      reply.send(error)
    } finally {
      logs.delete(id)
    }
  }
  return (authRequest, { log }, reply) => {
    const { id } = authRequest
    logs.set(id, log)
    let isWaiting = false
    try {
      const response = auth.respond(authRequest)
      isWaiting = isPromise(response)
      if (isPromise(response)) wait(response, id, reply)
      else send(reply, response)
    } finally {
      if (!isWaiting) logs.delete(id)
    }
  }
}

/** @param warnOfProxy - The warning that all routes share. */
function createRouteHandler(
  { pattern, isMoved }: Handled,
  respond: Respond,
  warnOfProxy: ReturnType<typeof createProxyWarning>
) {
  const getPath = createPathReader(pattern)
  // Not async: Fastify would wait for the reply that it returns as for any promise.
  return (request: FastifyRequest<Named>, reply: FastifyReply): void => {
    warnOfProxy(request)
    const authRequest = toRequest(request, getPath(request), isMoved)
    if (authRequest instanceof BodyError) sendText(reply, authRequest.status, authRequest.message)
    else respond(authRequest, request, reply)
  }
}

/** Registers every route, and a response for unknown paths, in a scope of their own. */
export function registerRoutes(scope: FastifyInstance, auth: Postern, settings: RouteSettings): void {
  const { path, bodyLimit, logs } = settings
  const warnOfProxy = createProxyWarning(scope)
  const respond = createRespond(auth, logs)
  describeOnly(scope)
  registerParsers(scope, bodyLimit)
  // The cookie plugin is registered without its hooks: Postern reads and writes cookies itself.
  if (!scope.hasRequestDecorator('cookies')) {
    const cookies: typeof import('@fastify/cookie').default = load('@fastify/cookie')
    scope.register(cookies, { hook: false })
  }
  scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) request.log.error(error)
    return sendText(reply, status, status < 500 ? error.message : 'something went wrong')
  })
  const route = (method: string | string[], pattern: string, movedTo?: string): void => {
    const isWellKnown = pattern.startsWith('/.well-known/')
    // A site has one of each: the first registration has it, or the application.
    if (isWellKnown && scope.hasRoute({ method: 'GET', url: scope.prefix + pattern })) return
    const own = isWellKnown ? pattern : path + pattern
    const schema = getRouteSchema(Array.isArray(method) ? 'GET' : method, pattern)
    scope.route<Named>({
      method,
      url: movedTo === undefined ? own : movedTo.slice(scope.prefix.length),
      exposeHeadRoute: false,
      bodyLimit,
      logSerializers,
      schema,
      handler: createRouteHandler({ pattern, isMoved: movedTo !== undefined }, respond, warnOfProxy)
    })
  }
  for (const { method, path: pattern, movedTo } of auth.routes)
    route(method === 'GET' ? ['GET', 'HEAD'] : method, pattern, movedTo)
  for (const pattern of ['', '/*']) route([...scope.supportedMethods], pattern)
}
