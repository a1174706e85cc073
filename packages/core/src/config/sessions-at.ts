import type { Store } from '../adapter/store.ts'
import { authJsCookie, type CookieTable } from '../cookies/names.ts'
import { textual } from '../errors/user-code.ts'
import { DatabaseSessions } from '../sessions/database-sessions.ts'
import { StoredSessionFinder } from '../sessions/stored-session-finder.ts'
import { timedToken } from '../sessions/session-token-storage.ts'
import { TokenSessionFinder } from '../sessions/token-session-finder.ts'
import { type TokenSessionRules, TokenSessions } from '../sessions/token-sessions.ts'
import { authJsReader } from '../tokens/auth-js.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { randomBase64Url } from '../tokens/random.ts'
import { resolveCodec } from './resolve-jwt-codec.ts'
import type { Config, Foundation } from './config.ts'
import type { PosternOptions } from './options.ts'

/** What the sessions of an origin are made of, beside the foundation. */
export interface SessionOptions extends PosternOptions {
  readonly sessionTokenKeys: KeyRing
  readonly sessionProofKeys: KeyRing
}

interface Place {
  readonly cookies: CookieTable
  readonly foundation: Foundation
  readonly options: SessionOptions
}

type Sessions = Pick<Config, 'finder' | 'sessions'>

/** What either way of keeping sessions is made with. */
type Common = Pick<TokenSessionRules, 'cookie' | 'chunkSize' | 'lifetime' | 'hooks' | 'tell' | 'logger' | 'now'>

function commonOf({ cookies, foundation, options: { session = {} } }: Place): Common {
  const { constants, runtime, hooks, tell, logger, tokenMaxAge } = foundation
  const lifetime = {
    maxAge: session.maxAge ?? constants.sessionMaxAge,
    // What does not live that long is renewed in the middle of its life, so that nobody is signed out while at work.
    updateAge: session.updateAge ?? Math.min(constants.sessionUpdateAge, Math.floor(tokenMaxAge / 2)),
    absoluteMaxAge: session.absoluteMaxAge ?? null
  }
  const { cookieChunkSize: chunkSize } = constants
  return { cookie: cookies.sessionToken, chunkSize, lifetime, hooks, tell, logger, now: runtime.now }
}

function databaseSessions(store: Store, place: Place): Sessions {
  const { cookies, foundation, options } = place
  const { runtime, constants } = foundation
  const { session = {} } = options
  const { generateSessionToken: given } = session
  const storage = session.storage ?? 'hashed'
  const timeout = constants.callbackTimeoutMilliseconds
  const builtIn = (): string => timedToken(randomBase64Url(runtime.randomBytes, 32), runtime.now())
  const rules = {
    ...commonOf(place),
    foreign: session.readAuthJsCookies ? authJsCookie(cookies.sessionToken) : null,
    store,
    storage,
    keys: options.sessionTokenKeys,
    proof: storage === 'plain' ? { cookie: cookies.sessionProof, keys: options.sessionProofKeys } : null,
    generateToken: given ? textual('session.generateSessionToken', given.bind(session), timeout) : builtIn
  }
  const finder = new StoredSessionFinder(rules)
  return { finder, sessions: new DatabaseSessions(finder, rules) }
}

function tokenSessions(place: Place): Sessions {
  const { cookies, foundation, options } = place
  const { constants, runtime, logger, secrets, store, tokenMaxAge, revocations, register } = foundation
  const { session = {}, jwt = {} } = options
  const common = commonOf(place)
  const clock = { now: runtime.now, tolerance: constants.clockTolerance }
  const own = typeof jwt.secret === 'string' ? [jwt.secret] : (jwt.secret ?? secrets)
  const { maxAge } = common.lifetime
  const timeout = constants.callbackTimeoutMilliseconds
  const authJs = session.readAuthJsCookies ? authJsCookie(cookies.sessionToken) : null
  const rules = {
    ...common,
    codec: resolveCodec(jwt, { secrets: own, ...clock, maxAge, timeout, logger }),
    foreign: authJs && { cookie: authJs, read: authJsReader(own, authJs.name, clock) },
    tokenMaxAge,
    store,
    revocations,
    register
  }
  const finder = new TokenSessionFinder(rules)
  return { finder, sessions: new TokenSessions(finder, rules) }
}

/** What finds the sessions of an origin, and what begins, reads and ends them. */
export function sessionsAt(place: Place): Sessions {
  const { store, isDatabaseSession } = place.foundation
  return isDatabaseSession && store ? databaseSessions(store, place) : tokenSessions(place)
}
