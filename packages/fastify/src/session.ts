import {
  AccountError,
  type Postern,
  parseCookies,
  type Reading,
  type Session,
  type SessionRequest,
  type SetCookies
} from '@postern/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { expectPatch, expectRequest, replyOf } from './expect.ts'
import { addCookies } from './reply.ts'
import { originOf } from './request.ts'
import type { PosternSessions } from './types.ts'

const readingOf: unique symbol = Symbol('postern.reading')

declare module 'fastify' {
  interface FastifyRequest {
    [replyOf]: FastifyReply | null
    [readingOf]: Promise<Reading> | null
  }
}

/** Reads the session once in the life of a request. */
export interface SessionReader {
  read(request: FastifyRequest): Promise<Reading>
  update(request: FastifyRequest, patch: unknown): Promise<Session | null>
  /** The sessions of users, for requests of Fastify. */
  readonly sessions: PosternSessions
}

function keepCookies(request: FastifyRequest, cookies: SetCookies, auth: Postern): void {
  const reply = request[replyOf]
  if (reply && cookies.size > 0) addCookies(reply, auth.setCookieHeaders(cookies))
}

function keep(request: FastifyRequest, reading: Reading, auth: Postern): Reading {
  request.auth = reading.session
  keepCookies(request, reading.cookies, auth)
  return reading
}

const target = (request: FastifyRequest): SessionRequest => ({
  origin: originOf(request),
  cookies: parseCookies(request.headers.cookie)
})

function sessionsOf(auth: Postern): PosternSessions {
  const { list, revoke, revokeOthers, revokeAll } = auth.sessions
  return {
    list: async (userId, request) => {
      if (request !== undefined) expectRequest('sessions.list', request)
      return list(userId, request && target(request))
    },
    revoke,
    revokeOthers: async (request) => {
      expectRequest('sessions.revokeOthers', request)
      keepCookies(request, await revokeOthers(target(request)), auth)
    },
    revokeAll
  }
}

/**
 * Decorates requests with `auth` and `getSession()`.
 *
 * A request that nobody asks pays for one assignment: the reply, which refreshed cookies are written to.
 */
export function decorateSession(app: FastifyInstance, auth: Postern): SessionReader {
  const read = (request: FastifyRequest): Promise<Reading> => {
    request[readingOf] ??= auth.readSession(target(request)).then((reading) => keep(request, reading, auth))
    return request[readingOf]
  }
  app.decorateRequest(replyOf, null)
  app.decorateRequest(readingOf, null)
  app.decorateRequest('auth', null)
  app.decorateRequest('getSession', async function getSession(this: FastifyRequest) {
    return (await read(this)).session
  })
  app.decorateRequest('getAccessToken', async function getAccessToken(this: FastifyRequest, provider, options) {
    const { signedIn } = await read(this)
    if (!signedIn) throw new AccountError('SIGNED_OUT', 'expected somebody who is signed in')
    return auth.getAccessToken(signedIn.userId, provider, options)
  })
  app.addHook('onRequest', (request, reply, done) => {
    request[replyOf] = reply
    const early = request[readingOf]
    if (!early) return done()
    // A hook that the application added before ours has asked already: the cookies that were due are due still.
    early
      .then(
        (reading) => keep(request, reading, auth),
        () => null
      )
      .then(() => done())
  })
  return {
    read,
    sessions: sessionsOf(auth),
    update: async (request, patch) => {
      expectRequest('updateSession', request)
      expectPatch(patch)
      request[readingOf] = auth.updateSession(target(request), patch).then((reading) => keep(request, reading, auth))
      return (await request[readingOf]).session
    }
  }
}
