import {
  AccountError,
  AuthError,
  type Postern,
  parseCookies,
  type RequestCookies,
  type SessionRequest,
  type SessionResult,
  type SetCookies
} from '@postern/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assertPatch, assertRequest, replySymbol } from './assert-arguments.ts'
import { isPromise } from './is-promise.ts'
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

/**
 * The reading of one registration. Several registrations may read one request, and their sessions must stay separate. It is a
 * property, as an entry of a `WeakMap` for each request costs the garbage collector.
 */
interface Reading {
  readonly auth: Postern
  readonly result: SessionResult | Promise<SessionResult>
  readonly others: Reading | null
}

const readings: unique symbol = Symbol('postern.readings')

declare module 'fastify' {
  interface FastifyRequest {
    [replySymbol]: FastifyReply | null
    [earlyReads]: EarlyReads | null
    [readings]: Reading | null
  }
}

function findReading(request: FastifyRequest, auth: Postern): Reading['result'] | null {
  let reading = request[readings]
  while (reading && reading.auth !== auth) reading = reading.others
  return reading?.result ?? null
}

/** @returns The readings of the other registrations. */
function withoutReading(reading: Reading | null, auth: Postern): Reading | null {
  if (!reading) return null
  const others = withoutReading(reading.others, auth)
  return reading.auth === auth ? others : { ...reading, others }
}

function keepCookies(request: FastifyRequest, cookies: SetCookies, auth: Postern): void {
  if (cookies.size === 0) return
  const [reply, setCookies] = [request[replySymbol], auth.setCookieHeaders(cookies)]
  if (reply) addCookies(reply, setCookies)
  else request[earlyReads]?.setCookies.push(...setCookies)
}

/** Whether the scope of the request's route belongs to this registration. */
function isOwnRequest({ server }: FastifyRequest, auth: Postern): boolean {
  return server[registration]?.auth === auth
}

/** @returns A promise if sessions were read earlier: their cookies must be added to the reply. */
function setReply(request: FastifyRequest, reply: FastifyReply): Promise<unknown> | null {
  if (request[replySymbol]) return null
  request[replySymbol] = reply
  const early = request[earlyReads]
  return early && Promise.allSettled(early.reads).then(() => addCookies(reply, early.setCookies))
}

/** Reads the part of a request that identifies its session. */
type ReadTarget = (request: FastifyRequest) => SessionRequest

function createSessionsInterface(auth: Postern, { target, issue }: IssuedCookies): PosternSessions {
  const { list, revoke, revokeOthers, revokeAll } = auth.sessions
  return {
    list: async (userId, request, options) => {
      if (request !== undefined) assertRequest('sessions.list', request)
      return list(userId, request && target(request), options)
    },
    revoke,
    revokeOthers: async (request) => {
      assertRequest('sessions.revokeOthers', request)
      const cookies = await revokeOthers(target(request)).catch((error: unknown) => {
        // The session may have a new token already.
        if (error instanceof AuthError) issue(request, error.cookies)
        throw error
      })
      issue(request, cookies)
    },
    revokeAll
  }
}

/** The cookies of a browser after the response: those of the request, with the ones that were set since. */
function withSetCookies(cookies: RequestCookies, set: SetCookies): RequestCookies {
  const all = new Map(cookies)
  for (const [name, { value }] of set)
    if (value === '') all.delete(name)
    else all.set(name, value)
  return all
}

/** The cookies that were set in the course of a request. */
interface IssuedCookies {
  readonly target: ReadTarget
  /** Sets cookies on the reply. What follows in the request reads them, as the browser will send them. */
  readonly issue: (request: FastifyRequest, cookies: SetCookies) => void
}

function createIssuedCookies(auth: Postern): IssuedCookies {
  const issued = new WeakMap<FastifyRequest, SetCookies>()
  return {
    target: (request) => {
      const cookies = parseCookies(request.headers.cookie)
      const set = issued.get(request)
      return { origin: getOrigin(request), cookies: set ? withSetCookies(cookies, set) : cookies }
    },
    issue: (request, cookies) => {
      if (cookies.size > 0) issued.set(request, new Map([...(issued.get(request) ?? []), ...cookies]))
      keepCookies(request, cookies, auth)
    }
  }
}

/** Decorates requests with functions that read the session. */
function decorateRequests(app: FastifyInstance, auth: Postern, read: SessionReader['read']): void {
  app.decorateRequest(replySymbol, null)
  app.decorateRequest(earlyReads, null)
  app.decorateRequest(readings, null)
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
}

/** Creates what reads the session of a request: once, unless it is forgotten. */
function createReading(auth: Postern, { target, issue }: IssuedCookies) {
  const keep = (request: FastifyRequest, reading: SessionResult): SessionResult => {
    if (isOwnRequest(request, auth)) request.auth = reading.session
    issue(request, reading.cookies)
    return reading
  }
  const readOnce = (request: FastifyRequest, load: () => Reading['result']): Reading['result'] => {
    // Without a reply, the cookies are kept until there is one.
    if (!request[replySymbol]) request[earlyReads] ??= { reads: [], setCookies: [] }
    const loaded = load()
    const result = isPromise(loaded) ? loaded.then((later) => keep(request, later)) : keep(request, loaded)
    if (!request[replySymbol] && isPromise(result)) request[earlyReads]?.reads.push(result)
    request[readings] = { auth, result, others: withoutReading(request[readings], auth) }
    return result
  }
  const read = (request: FastifyRequest, reply?: FastifyReply): Reading['result'] => {
    if (reply) setReply(request, reply)
    return findReading(request, auth) ?? readOnce(request, () => auth.readSession(target(request)))
  }
  const readNow = (request: FastifyRequest, reply: FastifyReply): SessionResult | null => {
    const reading = setReply(request, reply) ? null : read(request)
    return reading && !isPromise(reading) ? reading : null
  }
  return { readOnce, read, readNow }
}

/**
 * Decorates requests with `auth` and `getSession()`.
 *
 * A request that does not read the session costs one assignment: the reply that refreshed cookies are set on.
 */
export function decorateSession(app: FastifyInstance, auth: Postern, now: () => number): SessionReader {
  const issued = createIssuedCookies(auth)
  const { target, issue } = issued
  const { readOnce, read, readNow } = createReading(auth, issued)
  decorateRequests(app, auth, read)
  app.addHook('onRequest', (request, reply, done) => {
    // A hook that the application added earlier may have read the session; its cookies are still pending.
    const early = setReply(request, reply)
    if (!early) return done()
    early.then(() => done())
  })
  return {
    read,
    readNow,
    sessions: createSessionsInterface(auth, issued),
    target,
    now,
    getReply: (request) => request[replySymbol],
    setCookies: async (request, reply, cookies) => {
      // The cookies of earlier reads come first: the last one of a name counts.
      await setReply(request, reply)
      issue(request, cookies)
    },
    forget: (request) => {
      request[readings] = withoutReading(request[readings], auth)
      if (isOwnRequest(request, auth)) request.auth = null
    },
    update: async (request, patch) => {
      assertRequest('updateSession', request)
      assertPatch(patch)
      return (await readOnce(request, () => auth.updateSession(target(request), patch))).session
    }
  }
}
