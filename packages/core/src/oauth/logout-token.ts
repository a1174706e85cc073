import { isObject } from '../model/json-object.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import type { OAuthContext } from './context.ts'
import { ClaimError, verifySignature } from './id-token.ts'
import type { Metadata } from './metadata.ts'

/** Identifies the sessions that a provider ends. */
export interface LogoutRequest {
  readonly jti: string
  readonly subject: string | null
  readonly sessionId: string | null
  /** Milliseconds since 1970 when the token expires. */
  readonly expiresAt: number
}

/** A logout token with plausible claims, whose signature is not verified. */
export interface ParsedLogoutToken {
  readonly token: string
  readonly issuer: unknown
  readonly request: LogoutRequest
}

// The paragraphs are those of OpenID Connect Back-Channel Logout 1.0 with errata set 1.

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** The maximum age of a logout token in seconds; it is issued for the request. */
const oldest = 300

type Claims = Readonly<Record<string, unknown>>

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function refuse(what: string): never {
  throw new ClaimError(what)
}

/**
 * `iat` is required (§2.4). `exp` was optional before errata set 1, so that servers still omit it: the maximum age replaces it.
 *
 * @returns When the token expires, in seconds; it must have been issued recently.
 */
function computeExpiresAt({ iat, exp }: Claims, now: number, tolerance: number): number {
  if (typeof iat !== 'number' || iat > now + tolerance || iat < now - oldest) refuse('iat: expected a recent time')
  const latest = iat + oldest + 1
  if (exp === undefined) return latest
  if (typeof exp !== 'number' || exp <= now - tolerance) refuse('exp: expected a time in the future')
  return Math.min(exp + tolerance, latest)
}

/** The types of logout tokens; `JWT` says nothing of the kind of a token, as a missing type (RFC 7519 §5.1). */
const explicitTypes: readonly (string | null)[] = ['logout+jwt', 'application/logout+jwt']
const generalTypes: readonly (string | null)[] = [null, 'jwt', 'application/jwt']

/** The explicit type is recommended (§2.4), and that of another token is not allowed (RFC 8725 §3.11). */
function checkType(type: string | null, { requireLogoutTokenType }: OAuthProvider): void {
  if (explicitTypes.includes(type) || (!requireLogoutTokenType && generalTypes.includes(type))) return
  refuse('typ: expected logout+jwt')
}

/** §2.6 step 3, OpenID Connect Core §3.1.3.7 step 3. */
function checkAudience({ aud }: Claims, { clientId }: OAuthProvider): void {
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!audience.includes(clientId)) refuse('aud: expected the client_id')
}

/** §2.6 steps 6 and 7. */
function checkEvent({ events, nonce }: Claims): void {
  const content = isObject(events) && Object.hasOwn(events, event) ? events[event] : null
  if (!isObject(content)) refuse('events: expected a back-channel logout')
  // An ID Token must not pass for a logout token.
  if (nonce !== undefined) refuse('nonce: not allowed in a logout token')
}

/** @returns Whether the issuer may be the provider's: it is configured, or on the server of the metadata document. */
function mayHaveIssued(issuer: unknown, provider: OAuthProvider): boolean {
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return false
  const { origin } = new URL(issuer)
  const known = [provider.issuer, provider.wellKnown]
  return known.some((address) => address !== null && URL.canParse(address) && new URL(address).origin === origin)
}

/**
 * Parses a logout token without verifying its signature and its exact issuer. It makes no request, so an invalid token
 * is rejected before the metadata is fetched.
 *
 * @throws ClaimError
 */
export function parseLogoutToken(
  token: string,
  provider: OAuthProvider,
  oauthContext: OAuthContext
): ParsedLogoutToken {
  const decoded = decodeJws(token)
  if (!decoded) return refuse('expected a signed JWT')
  const { type, claims } = decoded
  if (!mayHaveIssued(claims['iss'], provider)) refuse('iss: expected the issuer of the provider')
  checkAudience(claims, provider)
  checkType(type, provider)
  checkEvent(claims)
  const ends = computeExpiresAt(claims, Math.floor(oauthContext.runtime.now() / 1000), oauthContext.clockTolerance)
  // `jti`, and one of `sub` and `sid`, are required (§2.4).
  const jti = text(claims['jti']) ?? refuse('jti: expected an id')
  const [subject, sessionId] = [text(claims['sub']), text(claims['sid'])]
  if (!subject && !sessionId) refuse('expected sub or sid')
  return { token, issuer: claims['iss'], request: { jti, subject, sessionId, expiresAt: ends * 1000 } }
}

/**
 * Verifies issuer and signature of a parsed logout token.
 *
 * @throws ClaimError, SignatureError
 * @see OpenID Connect Back-Channel Logout 1.0 §2.6
 */
export async function verifyLogoutToken(
  { token, issuer, request }: ParsedLogoutToken,
  provider: OAuthProvider,
  metadata: Metadata,
  oauthContext: OAuthContext
): Promise<LogoutRequest> {
  if (issuer !== metadata.issuer) refuse('iss: expected the issuer of the provider')
  await verifySignature(token, { provider, metadata }, oauthContext)
  return request
}
