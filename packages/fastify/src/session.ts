import {
  AccountError,
  type Postern,
  parseCookies,
  type SessionRequest,
  type SessionResult,
  type SetCookies
} from '@postern/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assertPatch, assertRequest, replyOf } from './assert-arguments.ts'
import { registration, type SessionReader } from './registration.ts'
import { addCookies } from './reply.ts'
import { getOrigin } from './request.ts'
import type { PosternSessions } from './types.ts'

/** Sessions that were read before the plugin's hook ran, by any registration; their cookies wait for the reply. */
interface EarlyReads {
  readonly reads: Promise<unknown>[]
  readonly setCookies: string[]
}

const earlyReads: unique symbol = Symbol('postern.earlyReads')

declare module 'fastify' {
  interface FastifyRequest {
    [replyOf]: FastifyReply | null
    [earlyReads]: EarlyReads | null
  }
}

function keepCookies(request: FastifyRequest, cookies: SetCookies, auth: Postern): void {
  if (cookies.size === 0) return
  const [reply, setCookies] = [request[replyOf], auth.setCookieHeaders(cookies)]
  if (reply) addCookies(reply, setCookies)
  else request[earlyReads]?.setCookies.push(...setCookies)
}

/** Whether the scope of the request's route belongs to this registration. */
function isOwnRequest({ server }: FastifyRequest, auth: Postern): boolean {
  return server[registration]?.auth === auth
}

function keep(request: FastifyRequest, reading: SessionResult, auth: Postern): SessionResult {
  if (isOwnRequest(request, auth)) request.auth = reading.session
  keepCookies(request, reading.cookies, auth)
  return reading
}

/** @returns A promise if sessions were read earlier: their cookies must be added to the reply. */
function setReply(request: FastifyRequest, reply: FastifyReply): Promise<unknown> | null {
  if (request[replyOf]) return null
  request[replyOf] = reply
  const early = request[earlyReads]
  return early && Promise.allSettled(early.reads).then(() => addCookies(reply, early.setCookies))
}

/** Tracks a read. Without a reply, the cookies are kept until there is one. */
function track(request: FastifyRequest, read: () => Promise<SessionResult>): Promise<SessionResult> {
  if (request[replyOf]) return read()
  request[earlyReads] ??= { reads: [], setCookies: [] }
  const reading = read()
  request[earlyReads].reads.push(reading)
  return reading
}

const target = (request: FastifyRequest): SessionRequest => ({
  origin: getOrigin(request),
  cookies: parseCookies(request.headers.cookie)
})

function createSessionsInterface(auth: Postern): PosternSessions {
  const { list, revoke, revokeOthers, revokeAll } = auth.sessions
  return {
    list: async (userId, request) => {
      if (request !== undefined) assertRequest('sessions.list', request)
      return list(userId, request && target(request))
    },
    revoke,
    revokeOthers: async (request) => {
      assertRequest('sessions.revokeOthers', request)
      keepCookies(request, await revokeOthers(target(request)), auth)
    },
    revokeAll
  }
}

/**
 * Decorates requests with `auth` and `getSession()`.
 *
 * A request that does not read the session costs one assignment: the reply that refreshed cookies are set on.
 */
export function decorateSession(app: FastifyInstance, auth: Postern): SessionReader {
  // Each registration has its own map: several registrations may read one request, and their sessions must stay
  // separate.
  const readings = new WeakMap<FastifyRequest, Promise<SessionResult>>()
  const readOnce = (request: FastifyRequest, load: () => Promise<SessionResult>): Promise<SessionResult> => {
    const reading = track(request, () => load().then((loaded) => keep(request, loaded, auth)))
    readings.set(request, reading)
    return reading
  }
  const read = (request: FastifyRequest, reply?: FastifyReply): Promise<SessionResult> => {
    if (reply) setReply(request, reply)
    return readings.get(request) ?? readOnce(request, () => auth.readSession(target(request)))
  }
  app.decorateRequest(replyOf, null)
  app.decorateRequest(earlyReads, null)
  app.decorateRequest('auth', null)
  app.decorateRequest('getSession', async function getSession(this: FastifyRequest) {
    return (await read(this)).session
  })
  app.decorateRequest('getAuthentication', async function getAuthentication(this: FastifyRequest) {
    return (await read(this)).getAuthentication()
  })
  app.decorateRequest('getAccessToken', async function getAccessToken(this: FastifyRequest, provider, options) {
    const { principal } = await read(this)
    if (!principal) throw new AccountError('SIGNED_OUT', 'expected a signed-in user')
    return auth.getAccessToken(principal.userId, provider, options)
  })
  app.addHook('onRequest', (request, reply, done) => {
    // A hook that the application added earlier may have read the session; its cookies are still pending.
    const early = setReply(request, reply)
    if (!early) return done()
    early.then(() => done())
  })
  return {
    read,
    sessions: createSessionsInterface(auth),
    update: async (request, patch) => {
      assertRequest('updateSession', request)
      assertPatch(patch)
      return (await readOnce(request, () => auth.updateSession(target(request), patch))).session
    }
  }
}
