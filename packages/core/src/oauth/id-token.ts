import type * as oauth from 'oauth4webapi'
import type { OAuthProvider } from '../model/provider.ts'
import { weakMemoize } from '../model/weak-memoize.ts'
import { equalInConstantTime, sha2 } from '../tokens/hash.ts'
import { decodeJws } from '../tokens/jws.ts'
import { KeySets, SignatureError } from '../tokens/key-set.ts'
import { base64Url } from '../tokens/random.ts'
import { verifyWithKeys, verifyWithSecret } from '../tokens/static-keys.ts'
import type { OAuthContext } from './context.ts'
import { keySetFrom } from './key-set-request.ts'
import type { Metadata } from './metadata.ts'

/** A claim is invalid. */
export class ClaimError extends Error {
  override readonly name: string = 'ClaimError'
}

/** An ID Token is issued during the sign-in; an older one is a replay (OpenID Connect Core §3.1.3.7 step 10). Seconds. */
const maxIdTokenAge = 24 * 60 * 60

/** The kinds of signed data. */
type Signed = 'ID Token' | 'userinfo'

/** The expected signer, and the kind of data. */
interface Signer {
  readonly provider: OAuthProvider
  readonly metadata: Metadata
  /** @defaultValue `'ID Token'` */
  readonly signed?: Signed
}

/**
 * The allowed algorithms: the registered one, else those of the metadata, else RS256 (OpenID Connect Core §3.1.3.7 step 7); never
 * `none` or an HMAC (RFC 8725 §3.1).
 */
function signingAlgorithms(registered: string | undefined, offered: readonly string[] = ['RS256']): readonly string[] {
  const named = registered ? [registered] : offered
  return named.filter((algorithm) => /^(RS|PS|ES)(256|384|512)$|^(Ed25519|EdDSA)$/.test(algorithm))
}

/** One cache per instance, created for the first token, which keeps startup fast. */
const getKeySets = weakMemoize(
  (oauthContext: OAuthContext) => new KeySets(oauthContext.keyTimes, oauthContext.runtime.now)
)

/**
 * Verifies the signature of a token with the issuer's published keys.
 *
 * @throws SignatureError
 */
export async function verifySignature(
  token: string,
  { provider, metadata, signed = 'ID Token' }: Signer,
  oauthContext: OAuthContext
): Promise<void> {
  const decoded = decodeJws(token)
  // jose and oauth4webapi accept padding, whitespace and leftover bits.
  if (!decoded) throw new SignatureError('expected a compact JWS in canonical base64url (RFC 7515 §2)')
  const { id_token_signed_response_alg, userinfo_signed_response_alg } = provider.client
  const { id_token_signing_alg_values_supported, userinfo_signing_alg_values_supported } = metadata
  const [registered, offered] =
    signed === 'ID Token'
      ? [id_token_signed_response_alg, id_token_signing_alg_values_supported]
      : [userinfo_signed_response_alg, userinfo_signing_alg_values_supported]
  // An HMAC is only accepted if the client is registered for it: the token cannot choose it.
  if (registered?.startsWith('HS')) return verifyWithSecret(token, registered, provider.clientSecret ?? '')
  const algorithms = signingAlgorithms(registered, offered)
  if (!algorithms.includes(decoded.algorithm))
    throw new SignatureError(`expected a signature by ${algorithms.join(' or ')}`)
  if (provider.keys) return verifyWithKeys(token, algorithms, provider.keys)
  const uri = metadata.jwks_uri
  if (!uri) throw new SignatureError(`${provider.id}: expected a jwks_uri`)
  // Providers have separate entries, because each may have its own `fetch`: the failure of one must not affect another.
  const key = `${provider.id} ${uri}`
  await getKeySets(oauthContext).verify(token, algorithms, key, keySetFrom(uri, provider, oauthContext))
}

/** `at_hash`: the left half of the access token's hash (OpenID Connect Core §3.1.3.6). */
async function accessTokenHash(accessToken: string, algorithm: string): Promise<string | null> {
  const isEdwards = algorithm === 'EdDSA' || algorithm === 'Ed25519'
  const size = isEdwards ? 512 : ([256, 384, 512] as const).find((bits) => algorithm.endsWith(String(bits)))
  if (size === undefined) return null
  const digest = await sha2(size, accessToken)
  return base64Url(digest.subarray(0, digest.length / 2))
}

/**
 * Checks the claims that OpenID Connect leaves to the client, in addition to those that oauth4webapi checks: `iss`, `aud`, `exp`,
 * `iat` and `nonce` (Core §3.1.3.7 steps 2, 3, 9 and 11). `azp` and `at_hash` are optional, and compared if they are there.
 *
 * @param now - Seconds.
 * @throws ClaimError
 */
export async function checkClaims(
  claims: oauth.IDToken,
  token: { readonly algorithm: string; readonly accessToken: string },
  { clientId }: OAuthProvider,
  { now, tolerance }: { readonly now: number; readonly tolerance: number }
): Promise<void> {
  // Core §2.
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw new ClaimError('sub: expected 1 to 255 ASCII characters')
  // §3.1.3.7 step 5.
  if (claims.azp !== undefined && claims.azp !== clientId) throw new ClaimError('azp: expected the client_id')
  // §3.1.3.7 step 10.
  if (claims.iat > now + tolerance) throw new ClaimError('iat: the token was issued in the future; check the clocks')
  if (claims.iat < now - maxIdTokenAge) throw new ClaimError('iat: the token is older than a day')
  // §3.1.3.8.
  const hash = claims['at_hash']
  if (hash === undefined) return
  const expected = await accessTokenHash(token.accessToken, token.algorithm)
  if (typeof hash !== 'string' || expected === null || !equalInConstantTime(hash, expected)) {
    throw new ClaimError('at_hash: does not match the access token')
  }
}
