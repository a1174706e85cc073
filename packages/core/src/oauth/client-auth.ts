import * as oauth from 'oauth4webapi'
import { isIssuerTemplate } from '../model/issuer.ts'
import type { ClientAuthMethod, ClientKey, Jwk, OAuthProvider } from '../model/provider.ts'
import { importPem, importSigningKey } from '../tokens/static-keys.ts'
import type { OAuthContext } from './context.ts'
import { type Metadata, unknownIssuer } from './metadata.ts'

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
  if (authMethod === 'private_key_jwt')
    return oauth.PrivateKeyJwt(await privateKey(id, clientKey), assertionOptions(metadata))
  if (clientSecret === null)
    throw new TypeError(`${id}: expected a clientSecret for ${authMethod ?? 'client_secret_basic'}`)
  switch (authMethod) {
    case 'client_secret_post':
      return oauth.ClientSecretPost(clientSecret)
    case 'client_secret_jwt':
      return oauth.ClientSecretJwt(clientSecret, assertionOptions(metadata))
    default:
      return clientSecretBasic(clientSecret)
  }
}

/**
 * The form encoding of RFC 6749 §2.3.1 and appendix B. Like next-auth 4, it leaves `-_.!~*'()`, which no decoder changes:
 * servers that compare without decoding accept an id that is a UUID, and a secret in base64url.
 */
const formEncode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+')

/** HTTP Basic (RFC 6749 §2.3.1). */
const clientSecretBasic =
  (clientSecret: string): oauth.ClientAuth =>
  (_server, { client_id }, _body, headers) =>
    headers.set('authorization', `Basic ${btoa(`${formEncode(client_id)}:${formEncode(clientSecret)}`)}`)

/**
 * An assertion is for the authorization server (RFC 7523 §3). Without one known issuer, the token endpoint identifies it
 * (OpenID Connect Core §9).
 */
function assertionOptions({ issuer, token_endpoint }: Metadata): oauth.ModifyAssertionOptions {
  const isKnown = issuer !== unknownIssuer && !isIssuerTemplate(issuer)
  if (isKnown || token_endpoint === undefined) return {}
  return {
    [oauth.modifyAssertion]: (_header, payload) => {
      payload['aud'] = token_endpoint
    }
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
