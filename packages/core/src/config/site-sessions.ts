import type { Store } from '../adapter/store.ts'
import type { CookieBudget } from '../cookies/budget.ts'
import { authJsCookie, type CookieTable } from '../cookies/names.ts'
import { stringCallback } from '../errors/user-code.ts'
import { DatabaseSessionReader } from '../sessions/database-session-reader.ts'
import { DatabaseSessions } from '../sessions/database-sessions.ts'
import { JwtSessionReader } from '../sessions/jwt-session-reader.ts'
import { type JwtSessionDeps, JwtSessions } from '../sessions/jwt-sessions.ts'
import type { ApplicationTags } from '../tokens/application-tag.ts'
import { authJsReader } from '../tokens/auth-js.ts'
import type { KeyRing } from '../tokens/keys.ts'
import type { Config, Services } from './config.ts'
import type { PosternOptions } from './options.ts'
import { resolveJwtCodec } from './resolve-jwt-codec.ts'
import { resolveSessionLifetime } from './session-limits.ts'

/** What the sessions of an origin are created from, in addition to the services. */
export interface SiteSessionOptions extends PosternOptions {
  readonly sessionTokenKeys: KeyRing
  readonly sessionProofKeys: KeyRing
  /** Tags of stored session tokens; none for JWT sessions. */
  readonly sessionTags: ApplicationTags
}

interface SiteContext {
  readonly cookies: CookieTable
  readonly cookieBudget: CookieBudget
  readonly services: Services
  readonly options: SiteSessionOptions
}

type Sessions = Pick<Config, 'sessionReader' | 'sessions'>

/** What both session strategies depend on. */
type Common = Pick<
  JwtSessionDeps,
  | 'application'
  | 'cookie'
  | 'budget'
  | 'chunkSize'
  | 'hasAuthJsFormat'
  | 'lifetime'
  | 'hooks'
  | 'emit'
  | 'isSessionObserved'
  | 'logger'
  | 'now'
>

function createCommonDeps({ cookies, cookieBudget: budget, services, options }: SiteContext): Common {
  const { session = {} } = options
  const { application, constants, runtime, hooks, emit, logger, tokenMaxAge } = services
  const lifetime = resolveSessionLifetime(session, tokenMaxAge, constants)
  const { cookieChunkSize: chunkSize } = constants
  const hasAuthJsFormat = session.format === 'auth-js'
  const common = { application, cookie: cookies.sessionToken, budget, chunkSize, lifetime, hasAuthJsFormat }
  // Listeners may be added later.
  const isSessionObserved = (): boolean => hooks.session !== null || Boolean(options.events?.session)
  return { ...common, hooks, emit, isSessionObserved, logger, now: runtime.now }
}

function databaseSessions(store: Store, site: SiteContext): Sessions {
  const { cookies, services, options } = site
  const { runtime, constants } = services
  const { session = {} } = options
  const { generateSessionToken: given } = session
  const storage = session.storage ?? 'hashed'
  const timeout = constants.callbackTimeoutMilliseconds
  const sessionProof = { cookie: cookies.sessionProof, keys: options.sessionProofKeys }
  const deps = {
    ...createCommonDeps(site),
    authJsCookie: session.readAuthJsCookies ? authJsCookie(cookies.sessionToken) : null,
    store,
    storage,
    keys: options.sessionTokenKeys,
    tags: options.sessionTags,
    proof: storage === 'plain' ? sessionProof : null,
    plainProof: storage === 'both' ? sessionProof : null,
    hasClaims: services.features.hasClaims,
    endSession: services.userVersions.endSession,
    generateToken: given ? stringCallback('session.generateSessionToken', given.bind(session), timeout) : null,
    randomBytes: runtime.randomBytes
  }
  const sessionReader = new DatabaseSessionReader(deps)
  return { sessionReader, sessions: new DatabaseSessions(sessionReader, deps) }
}

function tokenSessions(site: SiteContext): Sessions {
  const { cookies, services, options } = site
  const { constants, runtime, logger, secrets, store, tokenMaxAge, revocations, jwtSessionRegistry, userVersions } =
    services
  const { session = {}, jwt = {} } = options
  const common = createCommonDeps(site)
  const clock = { now: runtime.now, tolerance: constants.clockTolerance }
  const own = typeof jwt.secret === 'string' ? [jwt.secret] : (jwt.secret ?? secrets)
  const { maxAge } = common.lifetime
  const timeout = constants.callbackTimeoutMilliseconds
  const salt = common.hasAuthJsFormat ? common.cookie.name : ''
  const authJs = session.readAuthJsCookies ? authJsCookie(cookies.sessionToken) : null
  const deps = {
    ...common,
    codec: resolveJwtCodec(jwt, { secrets: own, salt, ...clock, maxAge, timeout, logger }),
    authJsCookie: authJs && { cookie: authJs, read: authJsReader(own, authJs.name, clock) },
    tolerance: clock.tolerance,
    tokenMaxAge,
    store,
    revocations,
    jwtSessionRegistry,
    endSession: userVersions.endSession
  }
  const sessionReader = new JwtSessionReader(deps)
  return { sessionReader, sessions: new JwtSessions(sessionReader, deps) }
}

/** Creates the reader and the strategy of an origin's sessions. */
export function createSiteSessions(site: SiteContext): Sessions {
  const { store, isDatabaseSession } = site.services
  return isDatabaseSession && store ? databaseSessions(store, site) : tokenSessions(site)
}
