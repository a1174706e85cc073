import { defaults } from './config/defaults.ts'
import { readChunked } from './cookies/chunks.ts'
import { parseCookies } from './cookies/parse.ts'
import type { Token } from './model/session.ts'
import { authJsReader } from './tokens/auth-js.ts'
import { sessionKeyRing } from './tokens/keys.ts'
import { openText, sealText } from './tokens/seal.ts'
import { isTimely, isToken, withTimes } from './tokens/session-jwt.ts'

export type { Token } from './model/session.ts'

export interface EncodeOptions {
  readonly token?: Token | undefined
  /** The first of a list writes. */
  readonly secret: string | readonly string[]
  /** Seconds. @defaultValue 30 days */
  readonly maxAge?: number | undefined
  /** @defaultValue none */
  readonly salt?: string | undefined
}

export interface DecodeOptions {
  readonly token?: string | undefined
  /** Each of a list is tried. */
  readonly secret: string | readonly string[]
  readonly salt?: string | undefined
}

const listed = (secret: string | readonly string[]): readonly string[] =>
  typeof secret === 'string' ? [secret] : secret

/** Writes a session token as next-auth v4 does: a compact JWE, `dir`, `A256GCM`. */
export async function encode({
  token = {},
  secret,
  maxAge = defaults.tokenMaxAge,
  salt = ''
}: EncodeOptions): Promise<string> {
  return sealText(sessionKeyRing(listed(secret), salt), JSON.stringify(withTimes(token, maxAge, Date.now())))
}

/**
 * Reads a session token of Postern or next-auth v4.
 *
 * @returns The claims, or `null` for no token.
 * @throws TypeError a token that is damaged, foreign or over.
 */
export async function decode({ token, secret, salt = '' }: DecodeOptions): Promise<Token | null> {
  if (!token) return null
  const text = await openText(sessionKeyRing(listed(secret), salt), token)
  const claims: unknown = text === null ? null : JSON.parse(text)
  if (!isToken(claims) || !isTimely(claims, { now: Date.now, tolerance: defaults.clockTolerance })) {
    throw new TypeError('the session token is damaged, foreign or over')
  }
  return claims
}

/** A request of any framework: its headers as an object or as web `Headers`. */
export interface TokenRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface GetTokenOptions {
  readonly req: TokenRequest
  /** @defaultValue `NEXTAUTH_SECRET`, then `AUTH_SECRET` */
  readonly secret?: string | readonly string[] | undefined
  /** Which of the two names the cookie has. @defaultValue both are looked for */
  readonly secureCookie?: boolean | undefined
  readonly cookieName?: string | undefined
  readonly salt?: string | undefined
  /** Whether to return the token itself, unread. */
  readonly raw?: boolean | undefined
  /** Whether session cookies of Auth.js v5 count too, by their own names, where none of ours does. @defaultValue `false` */
  readonly readAuthJsCookies?: boolean | undefined
  readonly decode?: ((options: DecodeOptions) => Promise<Token | null> | Token | null) | undefined
}

function headerOf({ headers }: TokenRequest, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

function bearerOf(request: TokenRequest): string | null {
  const [scheme, text] = (headerOf(request, 'authorization') ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !text) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function namesOf(name: string, { secureCookie }: GetTokenOptions): readonly string[] {
  const names = [`__Secure-${name}`, name]
  return secureCookie === undefined ? names : names.slice(secureCookie ? 0 : 1, secureCookie ? 1 : 2)
}

function candidates(options: GetTokenOptions): readonly string[] {
  const { req, cookieName } = options
  const names = cookieName ? [cookieName] : namesOf('next-auth.session-token', options)
  const cookies = parseCookies(headerOf(req, 'cookie'))
  const bearer = bearerOf(req)
  return [...names.flatMap((name) => readChunked(cookies, name)), ...(bearer ? [bearer] : [])]
}

/** @returns The claims of a token, or `null` for one that does not count, whatever the reader makes of it. */
async function claimsOf(
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

/** @returns The token of an Auth.js cookie, unread with `raw`; each cookie has a key of its own, made of its name. */
async function authJsToken(secrets: readonly string[], options: GetTokenOptions): Promise<Token | string | null> {
  const cookies = parseCookies(headerOf(options.req, 'cookie'))
  const clock = { now: Date.now, tolerance: defaults.clockTolerance }
  for (const name of namesOf('authjs.session-token', options)) {
    const read = authJsReader(secrets, name, clock)
    for (const token of readChunked(cookies, name)) {
      const found = options.raw ? token : await read(token)
      if (found) return found
    }
  }
  return null
}

export function getToken(options: GetTokenOptions & { readonly raw: true }): Promise<string | null>
export function getToken(options: GetTokenOptions): Promise<Token | null>
/**
 * Reads the session token of a request: the cookie (chunked or not), else `Authorization: Bearer`. It asks no store: a
 * token that was revoked counts here until it ends.
 *
 * @returns The claims (with `raw` the token), or `null` where there is none that counts. Never throws for what a request holds.
 */
export async function getToken(options: GetTokenOptions): Promise<Token | string | null> {
  const { NEXTAUTH_SECRET = '', AUTH_SECRET = '' } = globalThis.process?.env ?? {}
  const secret = options.secret ?? [NEXTAUTH_SECRET, AUTH_SECRET].filter((text) => text !== '')
  for (const token of candidates(options)) {
    if (options.raw) return token
    const claims = await claimsOf(token, secret, options)
    if (claims) return claims
  }
  return options.readAuthJsCookies ? authJsToken(listed(secret).filter(Boolean), options) : null
}
