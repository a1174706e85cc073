import type { OAuthProvider } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import { ClaimError, verifySignature } from './id-token.ts'
import type { Metadata } from './metadata.ts'
import type { OAuthTools } from './context.ts'

/** Whose sessions a provider ends. */
export interface LogoutRequest {
  readonly jti: string
  readonly subject: string | null
  readonly sessionId: string | null
  /** Milliseconds since 1970 after which the token says nothing any more. */
  readonly ends: number
}

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** A logout token is made while we wait for it. Seconds. */
const oldest = 300

type Claims = Readonly<Record<string, unknown>>

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function refuse(what: string): never {
  throw new ClaimError(what)
}

/** @returns Until when the token is taken, in seconds; it must have been made a moment ago. */
function endOf({ iat, exp }: Claims, now: number, tolerance: number): number {
  if (typeof iat !== 'number' || iat > now + tolerance || iat < now - oldest) refuse('iat: expected a moment ago')
  if (typeof exp !== 'number' || exp <= now - tolerance) refuse('exp: expected an end that is not over')
  return Math.min(exp + tolerance, iat + oldest + 1)
}

function checkAddressee({ iss, aud }: Claims, { clientId }: OAuthProvider, { issuer }: Metadata): void {
  if (iss !== issuer) refuse('iss: expected the issuer of the provider')
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!audience.includes(clientId)) refuse('aud: expected our client_id')
}

function checkEvent({ events, nonce }: Claims): void {
  const named = typeof events === 'object' && events !== null && event in events ? Object.entries(events) : []
  const content = named.find(([name]) => name === event)?.[1]
  if (typeof content !== 'object' || content === null) refuse('events: expected a back-channel logout')
  // An ID Token must not pass for a logout token.
  if (nonce !== undefined) refuse('nonce: a logout token has none')
}

/**
 * Reads a logout token, its signature verified.
 *
 * @throws ClaimError, SignatureError
 * @see OpenID Connect Back-Channel Logout 1.0 §2.6
 */
export async function readLogoutToken(
  token: string,
  provider: OAuthProvider,
  metadata: Metadata,
  tools: OAuthTools
): Promise<LogoutRequest> {
  const decoded = decodeJws(token)
  if (!decoded) return refuse('expected a signed token')
  const { type, claims } = decoded
  if (type !== null && type !== 'logout+jwt' && type !== 'application/logout+jwt') refuse('typ: expected logout+jwt')
  await verifySignature(token, { provider, metadata }, tools)
  const now = Math.floor(tools.runtime.now() / 1000)
  checkAddressee(claims, provider, metadata)
  checkEvent(claims)
  const ends = endOf(claims, now, tools.clockTolerance)
  const jti = text(claims['jti']) ?? refuse('jti: expected an id')
  const [subject, sessionId] = [text(claims['sub']), text(claims['sid'])]
  if (!subject && !sessionId) refuse('expected sub or sid')
  return { jti, subject, sessionId, ends: ends * 1000 }
}
