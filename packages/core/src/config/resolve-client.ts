import type { ClientAuthMethod, ClientKey, ClientMetadata, Jwk, OAuthProvider } from '../model/provider.ts'
import { environmentName } from './endpoints.ts'
import { told } from './kinds.ts'
import { isPlain, textOrNull } from './merge.ts'
import type { Draft, ProviderSurroundings } from './resolve-provider.ts'

const authMethods: Readonly<Record<ClientAuthMethod, true>> = {
  client_secret_basic: true,
  client_secret_post: true,
  client_secret_jwt: true,
  private_key_jwt: true,
  none: true
}

const isAuthMethod = (value: string): value is ClientAuthMethod => Object.hasOwn(authMethods, value)

/** Who we are to the provider, and how we prove it. */
export type Client = Pick<OAuthProvider, 'clientId' | 'clientSecret' | 'client' | 'authMethod' | 'clientKey' | 'keys'>

const isKey = (value: unknown): value is Jwk => isPlain(value) && typeof value['kty'] === 'string'

/** The keys of `jwks`: next-auth v4 signs client assertions with private ones; public ones are the provider's own. */
function keysOf({ merged, note }: Draft): { readonly own: Jwk | null; readonly theirs: Client['keys'] } {
  const { jwks } = merged
  if (jwks === undefined) return { own: null, theirs: null }
  const keys: unknown = isPlain(jwks) ? jwks['keys'] : null
  if (!Array.isArray(keys) || !keys.every(isKey)) {
    note('jwks', `expected {keys: […]} with JSON Web Keys, got ${told(jwks)}`)
    return { own: null, theirs: null }
  }
  const theirs = keys.filter(({ d, k }) => d === undefined && k === undefined)
  return { own: keys.find(({ d }) => d !== undefined) ?? null, theirs: theirs.length > 0 ? theirs : null }
}

/** A private key as PEM; line feeds that a variable of the environment has spelled out count as such. */
const isPem = (value: unknown): boolean => typeof value === 'string' && value.includes('-----BEGIN PRIVATE KEY-----')

const isPrivateKey = (value: unknown): boolean => value instanceof CryptoKey || isPem(value)

function isClientKey(value: unknown): value is ClientKey {
  return isPrivateKey(value) || (isPlain(value) && isPrivateKey(value['key'])) || isKey(value)
}

const keyForms = 'a CryptoKey, a private key as PEM (PKCS #8), {key, kid} with one of them, or a JSON Web Key'

/** Auth.js has the key at the token endpoint. */
function clientKeyOf({ merged, note }: Draft, client: ClientMetadata, own: Jwk | null): ClientKey | null {
  const atEndpoint = isPlain(merged['token']) ? merged['token']['clientPrivateKey'] : undefined
  const given = client['privateKey'] ?? atEndpoint ?? own
  if (given === undefined || given === null) return null
  if (isClientKey(given)) return given
  note('client.privateKey', `expected ${keyForms}, got ${told(given)}`)
  return null
}

function authMethodOf({ client_id, response_types, token_endpoint_auth_method: method }: ClientMetadata, draft: Draft) {
  const { note } = draft
  if (client_id !== undefined) note('client.client_id', 'set clientId instead')
  if (response_types !== undefined && String(response_types) !== 'code')
    note('client.response_types', "expected ['code']: nothing but a code is taken from a callback")
  if (method === undefined) return null
  if (isAuthMethod(method)) return method
  note('client.token_endpoint_auth_method', `expected ${Object.keys(authMethods).join(', ')}, got ${told(method)}`)
  return null
}

/** What of the client is missing for the way that it proves itself. */
function checkProof(
  { authMethod, clientSecret, clientKey }: Omit<Client, 'keys' | 'client'>,
  { merged, note }: Draft
): void {
  if (authMethod === 'private_key_jwt' && clientKey === null)
    note('client.privateKey', 'expected the key that private_key_jwt signs with, got nothing')
  const isMade = isPlain(merged['hooks']) && merged['hooks']['clientSecret'] !== undefined
  const hasSecret = authMethod?.startsWith('client_secret_') ?? false
  if (hasSecret && clientSecret === null && !isMade)
    note('clientSecret', `expected text for ${authMethod}, got nothing`)
}

/** The client as the provider registered it; clientId and clientSecret may come from the environment. */
export function clientOf(draft: Draft, { environment }: ProviderSurroundings): Client {
  const { id, merged, note } = draft
  const name = `AUTH_${environmentName(id)}`
  const clientId = textOrNull(merged['clientId']) ?? textOrNull(environment[`${name}_ID`])
  if (!clientId) note('clientId', `expected text, got ${told(merged['clientId'])}; pass clientId or set ${name}_ID`)
  const clientSecret = textOrNull(merged['clientSecret']) ?? textOrNull(environment[`${name}_SECRET`])
  const client: ClientMetadata = isPlain(merged['client']) ? merged['client'] : {}
  const { own, theirs } = keysOf(draft)
  const authMethod = authMethodOf(client, draft)
  const clientKey = clientKeyOf(draft, client, own)
  checkProof({ clientId: clientId ?? '', clientSecret, authMethod, clientKey }, draft)
  return { clientId: clientId ?? '', clientSecret, client, authMethod, clientKey, keys: theirs }
}
