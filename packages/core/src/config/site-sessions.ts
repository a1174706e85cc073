import type { Store } from '../adapter/store.ts'
import type { CookieBudget } from '../cookies/budget.ts'
import { authJsCookie, type CookieTable } from '../cookies/names.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { stringCallback, TimeoutError, wrapCallback } from '../errors/user-code.ts'
import { isObject } from '../model/json-object.ts'
import { DatabaseSessionReader } from '../sessions/database-session-reader.ts'
import { DatabaseSessions } from '../sessions/database-sessions.ts'
import { JwtSessionReader } from '../sessions/jwt-session-reader.ts'
import { JwtSessions } from '../sessions/jwt-sessions.ts'
import type { SessionReader, SessionSettings, SessionStrategy } from '../sessions/strategy.ts'
import type { ApplicationTags } from '../tokens/application-tag.ts'
import { authJsReader } from '../tokens/auth-js.ts'
import { type KeyRing, sessionKeyRing } from '../tokens/keys.ts'
import { type SessionTokenCodec, sessionTokenCodec } from '../tokens/session-jwt.ts'
import type { Services } from './config.ts'
import type { PosternOptions } from './options.ts'
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

/** What reads the sessions of an origin, and what begins, changes and ends them. */
interface SiteSessions {
  readonly sessionReader: SessionReader
  readonly sessions: SessionStrategy
}

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

function databaseSessions(store: Store, site: SiteContext): SiteSessions {
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

/**
 * Returns the built-in codec, or the application's functions, which receive next-auth v4's arguments.
 *
 * @param salt - What the application's functions receive as `salt`.
 * @param maxAge - That of sessions, in seconds.
 */
function createCodec(
  secrets: readonly string[],
  { salt, maxAge }: { readonly salt: string; readonly maxAge: number },
  { services, options: { jwt = {} } }: SiteContext
): SessionTokenCodec {
  const { constants, logger, runtime } = services
  const { callbackTimeoutMilliseconds: timeout, clockTolerance: tolerance } = constants
  const { now } = runtime
  const encode = jwt.encode && stringCallback('jwt.encode', jwt.encode.bind(jwt), timeout)
  const decode = jwt.decode && wrapCallback('jwt.decode', jwt.decode.bind(jwt), timeout)
  const builtIn = sessionTokenCodec(sessionKeyRing(secrets), { now, tolerance })
  const [secret = ''] = secrets
  return {
    encode: encode ? async (token, lifetime) => encode({ token, secret, salt, maxAge: lifetime }) : builtIn.encode,
    decode: decode
      ? async (text) => {
          for (const candidate of secrets) {
            const token = await decode({ token: text, secret: candidate, salt }).catch((error: unknown) => {
              // A timeout does not make the token invalid: the user must not be signed out.
              if (error instanceof TimeoutError) throw error
              logger.warn('JWT_SESSION_ERROR', serializeError(error))
              return null
            })
            // Third-party tokens may lack `exp`; the session's maximum age applies.
            if (isObject(token)) return { exp: Math.floor(now() / 1000) + maxAge, ...token }
          }
          return null
        }
      : builtIn.decode
  }
}

function tokenSessions(site: SiteContext): SiteSessions {
  const { cookieBudget: budget, services, options } = site
  const { constants, runtime, hooks, secrets, tokenMaxAge, revocations, jwtSessionRegistry } = services
  const { jwt = {} } = options
  const common = createSettings(site)
  const { cookie, authJsCookie: authJs, hasAuthJsFormat } = common
  const clock = { now: runtime.now, tolerance: constants.clockTolerance }
  const own = typeof jwt.secret === 'string' ? [jwt.secret] : (jwt.secret ?? secrets)
  const salt = hasAuthJsFormat ? cookie.name : ''
  const settings = {
    ...common,
    codec: createCodec(own, { salt, maxAge: common.lifetime.maxAge }, site),
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
export function createSiteSessions(site: SiteContext): SiteSessions {
  const { store, isDatabaseSession } = site.services
  return isDatabaseSession && store ? databaseSessions(store, site) : tokenSessions(site)
}
