import * as oauth from 'oauth4webapi'
import type { ClientAuthMethod, ClientKey, Jwk, OAuthProvider } from '../model/provider.ts'
import { importPem, importSigningKey } from '../tokens/static-keys.ts'
import type { OAuthContext } from './context.ts'
import type { Metadata } from './metadata.ts'

/** The configured method; otherwise HTTP Basic, unless the server only accepts the secret in the body. */
function chooseAuthMethod({ authMethod }: OAuthProvider, metadata: Metadata): ClientAuthMethod | null {
  const offered = metadata.token_endpoint_auth_methods_supported ?? []
  const isBodyOnly = offered.includes('client_secret_post') && !offered.includes('client_secret_basic')
  return authMethod ?? (isBodyOnly ? 'client_secret_post' : null)
}

/** Creates the client authentication for the token endpoint (RFC 6749 §2.3, OpenID Connect Core §9). */
export async function clientAuth(
  provider: OAuthProvider,
  metadata: Metadata,
  { runtime }: OAuthContext
): Promise<oauth.ClientAuth> {
  const { id, clientKey, hooks } = provider
  const authMethod = chooseAuthMethod(provider, metadata)
  const clientSecret = (await hooks.clientSecret?.(provider, runtime.now())) ?? provider.clientSecret
  if (authMethod === 'none' || (provider.authMethod === null && clientSecret === null)) return oauth.None()
  if (authMethod === 'private_key_jwt') return oauth.PrivateKeyJwt(await privateKey(id, clientKey))
  if (clientSecret === null)
    throw new TypeError(`${id}: expected a clientSecret for ${authMethod ?? 'client_secret_basic'}`)
  switch (authMethod) {
    case 'client_secret_post':
      return oauth.ClientSecretPost(clientSecret)
    case 'client_secret_jwt':
      return oauth.ClientSecretJwt(clientSecret)
    default:
      return oauth.ClientSecretBasic(clientSecret)
  }
}

async function privateKey(id: string, key: ClientKey | null): Promise<oauth.PrivateKey> {
  if (key === null) throw new TypeError(`${id}: expected the key that private_key_jwt signs with`)
  if (typeof key === 'string') return { key: await importPem(key) }
  if (key instanceof CryptoKey) return { key }
  if (isJwk(key)) return importSigningKey(key)
  return { ...key, key: typeof key.key === 'string' ? await importPem(key.key) : key.key }
}

const isJwk = (key: Exclude<ClientKey, string>): key is Jwk => 'kty' in key
