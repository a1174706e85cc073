import * as oauth from 'oauth4webapi'
import type { OAuthProvider } from '../model/provider.ts'

/** How we prove at the token endpoint that we are the client (RFC 6749 §2.3, OpenID Connect Core §9). */
export async function clientAuth({ id, authMethod, clientSecret, client }: OAuthProvider): Promise<oauth.ClientAuth> {
  if (authMethod === 'none' || (authMethod === null && clientSecret === null)) return oauth.None()
  if (authMethod === 'private_key_jwt') return oauth.PrivateKeyJwt(await privateKey(id, client['privateKey']))
  if (clientSecret === null)
    throw new TypeError(`${id}: expected a clientSecret for ${authMethod ?? 'client_secret_basic'}`)
  return authMethod === 'client_secret_post'
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret)
}

async function privateKey(id: string, key: unknown): Promise<oauth.PrivateKey> {
  if (key instanceof CryptoKey) return { key }
  if (typeof key === 'object' && key !== null && 'key' in key && key.key instanceof CryptoKey) {
    return { key: key.key, ...('kid' in key && typeof key.kid === 'string' ? { kid: key.kid } : {}) }
  }
  throw new TypeError(`${id}: expected client.privateKey as a CryptoKey, or as {key, kid}`)
}
