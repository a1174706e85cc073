import type * as oauth from 'oauth4webapi'
import { keySetFrom } from '../http/outbound.ts'
import { madeFor } from '../model/made-for.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { equalInConstantTime } from '../tokens/hash.ts'
import { decodeJws } from '../tokens/jws.ts'
import { KeySets, SignatureError } from '../tokens/key-set.ts'
import { verifyWithKeys, verifyWithSecret } from '../tokens/static-keys.ts'
import { base64Url } from '../tokens/random.ts'
import type { Metadata } from './metadata.ts'
import type { OAuthTools } from './context.ts'

/** A claim that does not hold. */
export class ClaimError extends Error {
  override readonly name: string = 'ClaimError'
}

/** An ID Token is minted while we wait for it; a much older one is somebody else's. Seconds. */
const oldestIdToken = 24 * 60 * 60

/** What a provider signs for us. */
type Signed = 'ID Token' | 'userinfo'

/** Who has to have signed it, and what it is. */
interface Signer {
  readonly provider: OAuthProvider
  readonly metadata: Metadata
  /** @defaultValue `'ID Token'` */
  readonly signed?: Signed
}

/** The algorithms that count: as registered, as the metadata says, else RS256; never `none`, and no shared secret. */
function signingAlgorithms(registered: string | undefined, offered: readonly string[] = ['RS256']): readonly string[] {
  const named = registered ? [registered] : offered
  return named.filter((algorithm) => /^(RS|PS|ES)(256|384|512)$|^(Ed25519|EdDSA)$/.test(algorithm))
}

/** Those of each Postern, made for the first token: a start does without them. */
const keySetsOf = madeFor((tools: OAuthTools) => new KeySets(tools.keyTimes, tools.runtime.now))

/**
 * Verifies the signature of a token with the keys that its issuer publishes.
 *
 * @throws SignatureError
 */
export async function verifySignature(
  token: string,
  { provider, metadata, signed = 'ID Token' }: Signer,
  tools: OAuthTools
): Promise<void> {
  const { id_token_signed_response_alg, userinfo_signed_response_alg } = provider.client
  const { id_token_signing_alg_values_supported, userinfo_signing_alg_values_supported } = metadata
  const [registered, offered] =
    signed === 'ID Token'
      ? [id_token_signed_response_alg, id_token_signing_alg_values_supported]
      : [userinfo_signed_response_alg, userinfo_signing_alg_values_supported]
  // A shared secret counts only where the client is registered for it: no token can choose it.
  if (registered?.startsWith('HS')) return verifyWithSecret(token, registered, provider.clientSecret ?? '')
  const algorithms = signingAlgorithms(registered, offered)
  if (!algorithms.includes(decodeJws(token)?.algorithm ?? ''))
    throw new SignatureError(`expected a signature by ${algorithms.join(' or ')}`)
  if (provider.keys) return verifyWithKeys(token, algorithms, provider.keys)
  const uri = metadata.jwks_uri
  if (!uri) throw new SignatureError(`${provider.id}: expected a jwks_uri`)
  await keySetsOf(tools).verify(token, algorithms, uri, keySetFrom(uri, provider, tools))
}

/** `at_hash`: the left half of the access token's hash (OpenID Connect Core §3.1.3.6). */
async function accessTokenHash(accessToken: string, algorithm: string): Promise<string | null> {
  const size =
    /(256|384|512)$/.exec(algorithm)?.[1] ?? (algorithm === 'EdDSA' || algorithm === 'Ed25519' ? '512' : null)
  if (!size) return null
  const digest = new Uint8Array(await crypto.subtle.digest(`SHA-${size}`, new TextEncoder().encode(accessToken)))
  return base64Url(digest.subarray(0, digest.length / 2))
}

/**
 * The checks that OpenID Connect leaves to the client, beside those of oauth4webapi.
 *
 * @param now - Seconds.
 * @throws ClaimError
 */
export async function checkClaims(
  claims: oauth.IDToken,
  tokens: { readonly id_token: string; readonly access_token: string },
  { clientId }: OAuthProvider,
  { now, tolerance }: { readonly now: number; readonly tolerance: number }
): Promise<void> {
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw new ClaimError('sub: expected 1 to 255 ASCII characters')
  if (claims.azp !== undefined && claims.azp !== clientId) throw new ClaimError('azp: expected our client_id')
  if (claims.iat > now + tolerance) throw new ClaimError('iat: the token is from the future; compare the clocks')
  if (claims.iat < now - oldestIdToken) throw new ClaimError('iat: the token is older than a day')
  const hash = claims['at_hash']
  if (hash === undefined) return
  const expected = await accessTokenHash(tokens.access_token, decodeJws(tokens.id_token)?.algorithm ?? '')
  if (typeof hash !== 'string' || expected === null || !equalInConstantTime(hash, expected)) {
    throw new ClaimError('at_hash: does not belong to the access token')
  }
}
