import type { Store } from '../adapter/store.ts'
import type { CookieBudget } from '../cookies/budget.ts'
import { authJsCookie, type CookieTable } from '../cookies/names.ts'
import { stringCallback } from '../errors/user-code.ts'
import { DatabaseSessionReader } from '../sessions/database-session-reader.ts'
import { DatabaseSessions } from '../sessions/database-sessions.ts'
import { JwtSessionReader } from '../sessions/jwt-session-reader.ts'
import { JwtSessions } from '../sessions/jwt-sessions.ts'
import type { SessionSettings } from '../sessions/strategy.ts'
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

function createSettings({ cookies, services, options }: SiteContext): SessionSettings {
  const { session = {} } = options
  const { application, constants, runtime, hooks, emit, logger, tokenMaxAge } = services
  return {
    application,
    cookie: cookies.sessionToken,
    authJsCookie: session.readAuthJsCookies ? authJsCookie(cookies.sessionToken) : null,
    chunkSize: constants.cookieChunkSize,
    lifetime: resolveSessionLifetime(session, tokenMaxAge, constants),
    hasAuthJsFormat: session.format === 'auth-js',
    hooks,
    emit,
    logger,
    now: runtime.now
  }
}

function databaseSessions(store: Store, site: SiteContext): Sessions {
  const { cookies, services, options } = site
  const { runtime, constants, features, userVersions } = services
  const { session = {} } = options
  const { generateSessionToken: given } = session
  const storage = session.storage ?? 'hashed'
  const timeout = constants.callbackTimeoutMilliseconds
  const sessionProof = { cookie: cookies.sessionProof, keys: options.sessionProofKeys }
  const settings = {
    ...createSettings(site),
    storage,
    keys: options.sessionTokenKeys,
    tags: options.sessionTags,
    proof: storage === 'plain' ? sessionProof : null,
    plainProof: storage === 'both' ? sessionProof : null,
    generateToken: given ? stringCallback('session.generateSessionToken', given.bind(session), timeout) : null,
    randomBytes: runtime.randomBytes,
    hasClaims: features.hasClaims
  }
  const sessionReader = new DatabaseSessionReader(store, settings)
  return { sessionReader, sessions: new DatabaseSessions(sessionReader, userVersions, settings) }
}

function tokenSessions(site: SiteContext): Sessions {
  const { cookieBudget: budget, services, options } = site
  const { constants, runtime, hooks, logger, secrets, tokenMaxAge, revocations, jwtSessionRegistry } = services
  const { jwt = {} } = options
  const common = createSettings(site)
  const { cookie, authJsCookie: authJs, hasAuthJsFormat } = common
  const { maxAge } = common.lifetime
  const clock = { now: runtime.now, tolerance: constants.clockTolerance }
  const own = typeof jwt.secret === 'string' ? [jwt.secret] : (jwt.secret ?? secrets)
  const timeout = constants.callbackTimeoutMilliseconds
  const salt = hasAuthJsFormat ? cookie.name : ''
  const settings = {
    ...common,
    codec: resolveJwtCodec(jwt, { secrets: own, salt, ...clock, maxAge, timeout, logger }),
    readAuthJsToken: authJs ? authJsReader(own, authJs.name, clock) : async () => null,
    tolerance: clock.tolerance,
    tokenMaxAge,
    budget,
    isSessionObserved: () => hooks.session !== null || Boolean(options.events?.session)
  }
  const sessionReader = new JwtSessionReader(revocations, settings)
  const sessions = new JwtSessions(sessionReader, jwtSessionRegistry, services.userVersions, settings)
  return { sessionReader, sessions }
}

/** Creates the reader and the strategy of an origin's sessions. */
export function createSiteSessions(site: SiteContext): Sessions {
  const { store, isDatabaseSession } = site.services
  return isDatabaseSession && store ? databaseSessions(store, site) : tokenSessions(site)
}
