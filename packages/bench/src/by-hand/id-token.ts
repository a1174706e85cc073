import { hash, type KeyObject, verify } from 'node:crypto'
import { type Fields, parseFields, readNumber, readOptionalText, readText } from './fields.ts'
import { isEqual } from './forms.ts'

/** What an ID Token must be about. */
export interface Expected {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  readonly accessToken: string
  /** Seconds. */
  readonly now: number
}

/** Seconds that clocks may differ. */
const tolerance = 10

const decode = (part: string): Fields => parseFields(Buffer.from(part, 'base64url').toString())

function isFor(audience: unknown, clientId: string): boolean {
  return audience === clientId || (Array.isArray(audience) && audience.includes(clientId))
}

/** The checks of OpenID Connect Core §3.1.3.7. @throws Error */
function checkClaims(claims: Fields, { issuer, clientId, nonce, accessToken, now }: Expected): void {
  const party = readOptionalText(claims, 'azp')
  const isMeant = claims['iss'] === issuer && isFor(claims['aud'], clientId) && (party === null || party === clientId)
  if (!isMeant) throw new Error('the ID Token is of another issuer, or for another client')
  if (readNumber(claims, 'exp') <= now - tolerance) throw new Error('the ID Token has expired')
  const age = now - readNumber(claims, 'iat')
  if (age < -tolerance || age > 24 * 60 * 60) throw new Error('the ID Token is of another time')
  if (!isEqual(readText(claims, 'nonce'), nonce)) throw new Error('the ID Token is of another sign-in')
  const tokenHash = readOptionalText(claims, 'at_hash')
  if (tokenHash === null) return
  const half = hash('sha256', accessToken, 'buffer').subarray(0, 16).toString('base64url')
  if (!isEqual(tokenHash, half)) throw new Error('the access token is another')
}

/**
 * Verifies an ID Token, with RS256.
 *
 * @param findKey - Finds a key of the provider by its id.
 * @returns The claims.
 * @throws Error the token is not valid.
 */
export async function verifyIdToken(
  token: string,
  findKey: (id: string) => Promise<KeyObject>,
  expected: Expected
): Promise<Fields> {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.')
  const { alg, kid } = decode(header)
  if (alg !== 'RS256' || typeof kid !== 'string' || rest.length > 0) throw new Error('expected RS256 with a kid')
  const signed = Buffer.from(`${header}.${payload}`, 'latin1')
  if (!verify('sha256', signed, await findKey(kid), Buffer.from(signature, 'base64url')))
    throw new Error('the signature of the ID Token is wrong')
  const claims = decode(payload)
  checkClaims(claims, expected)
  return claims
}
