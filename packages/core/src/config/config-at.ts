import { authJsCookie, type CookieTable, cookieTable } from '../cookies/names.ts'
import { textual } from '../errors/foreign.ts'
import { defaultRedirect } from '../hooks/hooks.ts'
import { policyOf } from '../http/header-options.ts'
import { plainRenderer } from '../http/plain-renderer.ts'
import { contentSecurityPolicy, type Presentation } from '../http/response.ts'
import type { Choice } from '../model/page.ts'
import type { Provider } from '../model/provider.ts'
import type { AttemptRules } from '../oauth/attempts.ts'
import { DatabaseSessions } from '../sessions/database-sessions.ts'
import { StoredSessionFinder } from '../sessions/stored-session-finder.ts'
import { timedToken } from '../sessions/stored-token.ts'
import { TokenSessionFinder } from '../sessions/token-session-finder.ts'
import { TokenSessions } from '../sessions/token-sessions.ts'
import { authJsReader } from '../tokens/auth-js.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { Memo } from '../tokens/memo.ts'
import { randomBase64Url } from '../tokens/random.ts'
import { resolveCodec } from './codec.ts'
import type { Config, Foundation } from './config.ts'
import type { PosternOptions } from './options.ts'

/** What the configuration of an origin is made of, beside the foundation. */
export interface SiteOptions extends PosternOptions {
  readonly attemptKeys: AttemptRules['keys']
  readonly sessionTokenKeys: KeyRing
  readonly sessionProofKeys: KeyRing
}

function choiceOf(provider: Provider, basePath: string): Choice {
  const { id, name } = provider
  switch (provider.kind) {
    case 'oauth':
      return { type: 'oauth', id, name, action: `${basePath}/signin/${id}`, style: provider.style }
    case 'email':
      return { type: 'email', id, name, action: `${basePath}/signin/${id}` }
    case 'credentials':
      return { type: 'credentials', id, name, action: `${basePath}/callback/${id}`, fields: provider.fields }
  }
}

/** What finds sessions, and what begins, reads and ends them. */
function sessionsOf(
  cookies: CookieTable,
  foundation: Foundation,
  options: SiteOptions
): Pick<Config, 'finder' | 'sessions'> {
  const { constants, runtime, hooks, tell, logger, store, isDatabaseSession, secrets } = foundation
  const { tokenMaxAge, revocations, register } = foundation
  const { session = {}, jwt = {} } = options
  const timeout = constants.callbackTimeoutMilliseconds
  const maxAge = session.maxAge ?? constants.sessionMaxAge
  const lifetime = {
    maxAge,
    // What does not live that long is renewed in the middle of its life, so that nobody is signed out while at work.
    updateAge: session.updateAge ?? Math.min(constants.sessionUpdateAge, Math.floor(tokenMaxAge / 2)),
    absoluteMaxAge: session.absoluteMaxAge ?? null
  }
  const common = {
    cookie: cookies.sessionToken,
    chunkSize: constants.cookieChunkSize,
    lifetime,
    hooks,
    tell,
    logger,
    now: runtime.now
  }
  const authJs = session.readAuthJsCookies ? authJsCookie(cookies.sessionToken) : null
  if (isDatabaseSession && store) {
    const builtIn = (): string => timedToken(randomBase64Url(runtime.randomBytes, 32), runtime.now())
    const given = session.generateSessionToken
    const generateToken = given ? textual('session.generateSessionToken', given.bind(session), timeout) : builtIn
    const storage = session.storage ?? 'hashed'
    const rules = {
      ...common,
      foreign: authJs,
      store,
      storage,
      keys: options.sessionTokenKeys,
      proof: storage === 'plain' ? { cookie: cookies.sessionProof, keys: options.sessionProofKeys } : null,
      generateToken
    }
    const finder = new StoredSessionFinder(rules)
    return { finder, sessions: new DatabaseSessions(finder, rules) }
  }
  const own = typeof jwt.secret === 'string' ? [jwt.secret] : (jwt.secret ?? secrets)
  const { now } = runtime
  const codec = resolveCodec(jwt, { secrets: own, now, tolerance: constants.clockTolerance, maxAge, timeout, logger })
  const clock = { now, tolerance: constants.clockTolerance }
  const foreign = authJs && { cookie: authJs, read: authJsReader(own, authJs.name, clock) }
  const rules = { ...common, codec, foreign, tokenMaxAge, register }
  const finder = new TokenSessionFinder({ ...rules, revocations })
  return { finder, sessions: new TokenSessions(finder, rules) }
}

function presentationOf(origin: string, foundation: Foundation, options: SiteOptions): Presentation {
  const { renderer } = options
  const { basePath, runtime, theme } = foundation
  const frame = { basePath, origin, siteName: theme.name || new URL(origin).host, theme }
  const policy = (isScripted: boolean): string =>
    policyOf(contentSecurityPolicy(frame, isScripted), options.contentSecurityPolicy)
  return {
    renderer: renderer ?? plainRenderer,
    frame,
    contentSecurityPolicy: { scripted: policy(true), plain: policy(false) },
    headers: options.headers ?? {},
    now: runtime.now
  }
}

/** Characters of anti-forgery cookies that are kept: some 1 MB, or five thousand browsers. */
const csrfCharacters = 1_000_000

/** Everything that depends on where the application lives; made once for each origin. */
export function configAt(origin: string, foundation: Foundation, options: SiteOptions): Config {
  const { basePath, constants, runtime, logger, hooks, secrets, providers } = foundation
  const secure = options.useSecureCookies ?? origin.startsWith('https:')
  const cookies = cookieTable(secure, basePath, options.cookies ?? {})
  return Object.freeze({
    ...foundation,
    origin,
    base: origin + basePath,
    cookies,
    csrf: {
      cookie: cookies.csrfToken,
      secrets,
      known: new Memo(csrfCharacters),
      size: constants.csrfTokenBytes,
      randomBytes: runtime.randomBytes
    },
    attempts: {
      state: cookies.state,
      pkce: cookies.pkceCodeVerifier,
      nonce: cookies.nonce,
      keys: options.attemptKeys,
      maxAge: cookies.state.options.maxAge ?? constants.checksMaxAge,
      most: constants.mostAttempts,
      now: runtime.now
    },
    redirects: {
      origin,
      basePath,
      redirect: hooks.redirect,
      isOwn: hooks.redirect !== defaultRedirect,
      cookie: cookies.callbackUrl,
      longest: constants.callbackUrlLength,
      logger
    },
    ...sessionsOf(cookies, foundation, options),
    choices: [...providers.values()].map((provider) => choiceOf(provider, basePath)),
    presentation: presentationOf(origin, foundation, options)
  })
}
