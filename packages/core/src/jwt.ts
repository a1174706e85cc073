import { type RevocationStore, revocationMethods } from './adapter/revocation.ts'
import { toRevocations } from './adapter/wrap-adapter.ts'
import { defaults } from './config/defaults.ts'
import { readChunked } from './cookies/chunks.ts'
import { parseCookies } from './cookies/parse.ts'
import { isObject } from './model/json-object.ts'
import type { Logger } from './model/logger.ts'
import type { Token } from './model/session.ts'
import { getSubjects, RevocationCache } from './sessions/revocation-list.ts'
import { toRevocables } from './sessions/token-claims.ts'
import { isAcceptedBy } from './tokens/application.ts'
import { authJsReader } from './tokens/auth-js.ts'
import { decryptText, encryptText } from './tokens/jwe.ts'
import { sessionKeyRing } from './tokens/keys.ts'
import { hasValidTimes, isToken, withTimes } from './tokens/session-jwt.ts'

export type { Token } from './model/session.ts'

/** The options of {@link encode}. */
export interface EncodeOptions {
  readonly token?: Token | undefined
  /** The first secret of a list encrypts. */
  readonly secret: string | readonly string[]
  /** Seconds. @defaultValue 30 days */
  readonly maxAge?: number | undefined
  /** @defaultValue none */
  readonly salt?: string | undefined
}

/** The options of {@link decode}. */
export interface DecodeOptions {
  readonly token?: string | undefined
  /** Every secret of a list is tried. */
  readonly secret: string | readonly string[]
  readonly salt?: string | undefined
}

const listed = (secret: string | readonly string[]): readonly string[] =>
  typeof secret === 'string' ? [secret] : secret

/** Encrypts a session token as next-auth v4 does: a compact JWE, `dir`, `A256GCM`. */
export async function encode({
  token = {},
  secret,
  maxAge = defaults.sessionMaxAge,
  salt = ''
}: EncodeOptions): Promise<string> {
  return encryptText(sessionKeyRing(listed(secret), salt), JSON.stringify(withTimes(token, maxAge, Date.now())))
}

/**
 * Decrypts a session token of Postern or next-auth v4.
 *
 * @returns The claims, or `null` if there is no token.
 * @throws TypeError if the token is damaged, expired or was not issued with this secret.
 */
export async function decode({ token, secret, salt = '' }: DecodeOptions): Promise<Token | null> {
  if (!token) return null
  const text = await decryptText(sessionKeyRing(listed(secret), salt), token)
  const claims: unknown = text === null ? null : JSON.parse(text)
  if (!isToken(claims) || !hasValidTimes(claims, { now: Date.now, tolerance: defaults.clockTolerance })) {
    throw new TypeError('the session token is invalid, foreign or expired')
  }
  return claims
}

/** A request of any framework: its headers as an object or as web `Headers`. */
export interface TokenRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The options of {@link getToken}. */
export interface GetTokenOptions {
  readonly req: TokenRequest
  /** @defaultValue `NEXTAUTH_SECRET`, then `AUTH_SECRET` */
  readonly secret?: string | readonly string[] | undefined
  /** Selects one of the two names of the cookie. @defaultValue both are checked */
  readonly secureCookie?: boolean | undefined
  readonly cookieName?: string | undefined
  readonly salt?: string | undefined
  /** Whether to return the token itself instead of its claims. */
  readonly raw?: boolean | undefined
  /**
   * Where revocations are looked up: the adapter of the registration, or its `session.revocations`. `'unchecked'`
   * accepts the tokens of ended sessions. Required for tokens of registrations that store revocations.
   */
  readonly revocations?: RevocationSource | undefined
  /**
   * Whether to accept session cookies of Auth.js v5, by their own names, if there is no valid cookie of Postern.
   * @defaultValue `false`
   */
  readonly readAuthJsCookies?: boolean | undefined
  readonly decode?: ((options: DecodeOptions) => Promise<Token | null> | Token | null) | undefined
  /**
   * The application whose tokens are accepted: the option of the same name, or the base path with the prefix of its
   * Fastify scope. Tokens that name no application are accepted too; `raw` returns any token. @defaultValue `/api/auth`
   */
  readonly applicationId?: string | undefined
}

/** The source of revocations: an adapter, another store, or none. */
export type RevocationSource = Partial<RevocationStore> | 'unchecked'

/** Returns whether the token with these claims was revoked. @throws AuthError `StoreUnavailable` */
type RevocationCheck = (claims: Token) => Promise<boolean>

const choices =
  'pass revocations: adapter (the adapter, or the session.revocations, of the registration), or ' +
  "revocations: 'unchecked' to accept tokens of sessions that were ended"

/** Errors are thrown to the caller, so nothing is logged. */
const silent: Logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

function isStore(source: unknown): source is RevocationStore {
  return isObject(source) && revocationMethods.every((name) => name in source)
}

/**
 * A token with a version comes from a registration that stores revocations: accepting it unchecked must be explicit.
 */
async function requireChoice(claims: Token): Promise<boolean> {
  if (!('session_version' in claims)) return false
  throw new TypeError(`getToken: the session of this token may have been ended; ${choices}`)
}

/**
 * Creates the check for tokens that are read without a registration. It queries the store for each token.
 *
 * @param timeout - Milliseconds that the store may take.
 * @throws TypeError if the source has no such method.
 */
function createRevocationCheck(source: RevocationSource | undefined, timeout: number): RevocationCheck {
  if (source === undefined) return requireChoice
  if (source === 'unchecked') return async () => false
  if (!isStore(source))
    throw new TypeError(`getToken: expected a store with the methods ${revocationMethods.join(', ')}; ${choices}`)
  const store = toRevocations(source, silent, { isDebugging: false, timeout })
  return async (claims) => {
    const tokens = toRevocables(claims)
    const found = new RevocationCache(await store.getRevocations([...new Set(tokens.flatMap(getSubjects))]))
    return tokens.some((token) => found.has(token))
  }
}

function getHeader({ headers }: TokenRequest, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

function getBearerToken(request: TokenRequest): string | null {
  const [scheme, text] = (getHeader(request, 'authorization') ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !text) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function getCookieNames(name: string, { secureCookie }: GetTokenOptions): readonly string[] {
  const names = [`__Secure-${name}`, name]
  return secureCookie === undefined ? names : names.slice(secureCookie ? 0 : 1, secureCookie ? 1 : 2)
}

/** A token of a request, and the function that reads its claims. */
interface Candidate {
  readonly token: string
  readonly readClaims: () => Promise<Token | null>
}

function ownCandidates(secret: string | readonly string[], options: GetTokenOptions): readonly Candidate[] {
  const { req, cookieName } = options
  const names = cookieName ? [cookieName] : getCookieNames('next-auth.session-token', options)
  const cookies = parseCookies(getHeader(req, 'cookie'))
  const bearer = getBearerToken(req)
  const tokens = [...names.flatMap((name) => readChunked(cookies, name)), ...(bearer ? [bearer] : [])]
  return tokens.map((token) => ({ token, readClaims: () => readClaims(token, secret, options) }))
}

/** @returns The claims of a token, or `null` if it is not valid, whatever error the reader throws. */
async function readClaims(
  token: string,
  secret: string | readonly string[],
  { decode: read = decode, salt }: GetTokenOptions
): Promise<Token | null> {
  try {
    return await read({ token, secret, salt })
  } catch {
    return null
  }
}

/** The tokens of Auth.js cookies. The key of each cookie is derived from its name. */
function authJsCandidates(secrets: readonly string[], options: GetTokenOptions): readonly Candidate[] {
  const cookies = parseCookies(getHeader(options.req, 'cookie'))
  const clock = { now: Date.now, tolerance: defaults.clockTolerance }
  return getCookieNames('authjs.session-token', options).flatMap((name) => {
    const read = authJsReader(secrets, name, clock)
    return [...readChunked(cookies, name)].map((token) => ({ token, readClaims: () => read(token) }))
  })
}

/**
 * @returns The claims, or with `raw` the token, or `null` if the token is not valid. Without a revocation check, `raw` also
 * returns a token that cannot be decrypted.
 */
async function acceptedToken(
  { token, readClaims }: Candidate,
  { raw = false, revocations }: GetTokenOptions,
  isRefused: RevocationCheck
): Promise<Token | string | null> {
  if (raw && revocations === 'unchecked') return token
  const claims = await readClaims()
  if (claims && (await isRefused(claims))) return null
  if (!raw) return claims
  return claims || revocations === undefined ? token : null
}

export function getToken(options: GetTokenOptions & { readonly raw: true }): Promise<string | null>
export function getToken(options: GetTokenOptions): Promise<Token | null>
/**
 * Reads the session token of a request: the cookie (chunked or not), else `Authorization: Bearer`. With `revocations`,
 * it queries the store once per token; `getToken` of a registration caches the result for some seconds.
 *
 * @returns The claims (with `raw` the token), or `null` if there is no valid token. The content of a request never
 * causes an error, except a token of a registration that stores revocations while `revocations` is missing.
 * @throws TypeError if `revocations` is required but missing, or cannot be queried.
 * @throws AuthError `StoreUnavailable` if the store cannot tell whether the session was ended.
 */
export async function getToken(options: GetTokenOptions): Promise<Token | string | null> {
  const { NEXTAUTH_SECRET = '', AUTH_SECRET = '' } = globalThis.process?.env ?? {}
  const application = { id: options.applicationId ?? defaults.basePath, acceptsUnbound: true }
  const secret = options.secret ?? [NEXTAUTH_SECRET, AUTH_SECRET].filter((text) => text !== '')
  const isRevoked = createRevocationCheck(options.revocations, defaults.callbackTimeoutMilliseconds)
  const isRefused = async (claims: Token): Promise<boolean> =>
    !isAcceptedBy(application, claims['session_app']) || isRevoked(claims)
  const others = options.readAuthJsCookies ? authJsCandidates(listed(secret).filter(Boolean), options) : []
  for (const candidate of [...ownCandidates(secret, options), ...others]) {
    const found = await acceptedToken(candidate, options, isRefused)
    if (found) return found
  }
  return null
}
