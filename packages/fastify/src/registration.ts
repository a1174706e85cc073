import type { Postern, Session, SessionRequest, SessionResult, SetCookies } from '@postern/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestLogs } from './logger.ts'
import type { PosternSessions } from './types.ts'

/** The decorator that holds the registration of a scope. Scopes inherit it from their parent scopes. */
export const registration: unique symbol = Symbol('postern.registration')

/** Reads the session once in the life of a request. */
export interface SessionReader {
  /** @param reply - Where cookies are written to, for hooks that run before the one of the plugin. */
  read(request: FastifyRequest, reply?: FastifyReply): SessionResult | Promise<SessionResult>
  /** @returns The session; `null` if it, or the cookies of an earlier reading, are still to come. */
  readNow(request: FastifyRequest, reply: FastifyReply): SessionResult | null
  update(request: FastifyRequest, patch: unknown): Promise<Session | null>
  /** The sessions of users, for requests of Fastify. */
  readonly sessions: PosternSessions
  /** Milliseconds since 1970. */
  now(): number
  /** The reply of a request; `null` before the hook of the plugin. */
  getReply(request: FastifyRequest): FastifyReply | null
  /** The origin and the cookies of a request, with the cookies that were set since. */
  target(request: FastifyRequest): SessionRequest
  /** Sets cookies on the reply; what follows in this request reads them. */
  setCookies(request: FastifyRequest, reply: FastifyReply, cookies: SetCookies): Promise<void>
  /** Reads the session again when it is needed, because another user has signed in. */
  forget(request: FastifyRequest): void
}

/** What guards need of a registration. */
export interface Registration {
  readonly auth: Postern
  readonly sessions: SessionReader
  readonly logs: RequestLogs
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether the scope is the one of Postern's own routes. */
  readonly hasOwnRoutes: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly [registration]?: Registration
  }
}

/** Thrown if a guard requires what the adapter cannot store. The route does not run. */
export class AuthenticationNotStoredError extends Error {
  readonly code = 'AUTHENTICATION_NOT_STORED'
  readonly statusCode = 500

  constructor(message: string) {
    super(message)
    this.name = 'AuthenticationNotStoredError'
  }
}

/** Thrown if a guard is used in a scope that Postern is not registered in. The route does not run. */
export class NotRegisteredError extends Error {
  readonly code = 'POSTERN_NOT_REGISTERED'
  readonly statusCode = 500

  constructor(message: string) {
    super(message)
    this.name = 'NotRegisteredError'
  }
}
