import { BodyError, type Postern } from '@postern/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerParsers } from './body.ts'
import { load } from './load.ts'
import { type RequestLogs, requestForLog } from './logger.ts'
import { send } from './reply.ts'
import { toAuthRequest } from './request.ts'
import { schemaOf } from './schemas.ts'

/** What the routes are registered with. */
export interface RouteSettings {
  /** The base path below the prefix of the surrounding scope. */
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

/** What the router finds in the paths of our routes. */
interface Named {
  Params: { readonly provider?: string; readonly hash?: string; readonly '*'?: string }
}

/** A route's own words for its path, filled in: what the router decoded, never what the URL spelled. */
function pathsOf(pattern: string): (request: FastifyRequest<Named>) => string {
  const [plain = ''] = pattern.split(':', 1)
  return ({ params: { provider, hash, '*': rest } }) => {
    if (rest !== undefined) return `/${rest}`
    const named = provider ?? hash
    return named === undefined ? pattern : plain + named
  }
}

/**
 * The schemas of our routes tell readers what to expect. What comes in is read by the core, which answers every input,
 * and answers leave it as text: a compiled serialiser is no faster on them, and slower to start.
 */
function describeOnly(scope: FastifyInstance): void {
  scope.setValidatorCompiler(() => () => true)
  scope.setSerializerCompiler(() => (data) => JSON.stringify(data))
}

/** Registers every row of the action table, and an answer for what no row fits, in a scope of their own. */
export function registerRoutes(scope: FastifyInstance, auth: Postern, settings: RouteSettings): void {
  const { path, bodyLimit, logs } = settings
  describeOnly(scope)
  registerParsers(scope, bodyLimit)
  // Its decorators without its hooks: our actions read and write cookies by themselves, and nobody pays for it twice.
  if (!scope.hasRequestDecorator('cookies')) {
    const cookies: typeof import('@fastify/cookie').default = load('@fastify/cookie')
    scope.register(cookies, { hook: false })
  }
  scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) request.log.error(error)
    return sendText(reply, status, status < 500 ? error.message : 'something went wrong')
  })
  const handlerOf = (pattern: string) => {
    const pathOf = pathsOf(pattern)
    return async (request: FastifyRequest<Named>, reply: FastifyReply) => {
      let id: string | null = null
      try {
        const asked = toAuthRequest(request, pathOf(request))
        id = asked.id
        logs.set(id, request.log)
        return send(reply, await auth.answer(asked))
      } catch (error) {
        if (error instanceof BodyError) return sendText(reply, error.status, error.message)
        throw error
      } finally {
        if (id !== null) logs.delete(id)
      }
    }
  }
  const route = (method: string | string[], pattern: string): void => {
    const handler = handlerOf(pattern)
    const schema = schemaOf(Array.isArray(method) ? 'GET' : method, pattern)
    scope.route<Named>({
      method,
      url: path + pattern,
      exposeHeadRoute: false,
      bodyLimit,
      logSerializers,
      schema,
      handler
    })
  }
  for (const { method, path: pattern } of auth.routes) route(method === 'GET' ? ['GET', 'HEAD'] : method, pattern)
  for (const pattern of ['', '/*']) route([...scope.supportedMethods], pattern)
}
