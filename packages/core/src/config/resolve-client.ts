import type { ClientAuthMethod, ClientKey, ClientMetadata, Jwk, OAuthProvider } from '../model/provider.ts'
import { describeType } from '../schema/schema.ts'
import { environmentName } from './endpoints.ts'
import { isPlain, textOrNull } from './merge.ts'
import type { ProviderContext, ProviderDraft } from './provider-draft.ts'

const authMethods: Readonly<Record<ClientAuthMethod, true>> = {
  client_secret_basic: true,
  client_secret_post: true,
  client_secret_jwt: true,
  private_key_jwt: true,
  none: true
}

const isAuthMethod = (value: string): value is ClientAuthMethod => Object.hasOwn(authMethods, value)

/** The client's credentials, and how it authenticates. */
export type Client = Pick<OAuthProvider, 'clientId' | 'clientSecret' | 'client' | 'authMethod' | 'clientKey' | 'keys'>

const isKey = (value: unknown): value is Jwk => isPlain(value) && typeof value['kty'] === 'string'

/**
 * Splits the keys of `jwks`: next-auth v4 signs client assertions with the private ones; public ones belong to the
 * provider.
 */
function resolveKeys({ merged, note }: ProviderDraft): { readonly own: Jwk | null; readonly theirs: Client['keys'] } {
  const { jwks } = merged
  if (jwks === undefined) return { own: null, theirs: null }
  const keys: unknown = isPlain(jwks) ? jwks['keys'] : null
  if (!Array.isArray(keys) || !keys.every(isKey)) {
    note('jwks', 'INVALID_TYPE', `expected {keys: […]} with JSON Web Keys, got ${describeType(jwks)}`)
    return { own: null, theirs: null }
  }
  const theirs = keys.filter(({ d, k }) => d === undefined && k === undefined)
  return { own: keys.find(({ d }) => d !== undefined) ?? null, theirs: theirs.length > 0 ? theirs : null }
}

/** A private key in PEM; line feeds that an environment variable contains as `\n` are accepted. */
const isPem = (value: unknown): boolean => typeof value === 'string' && value.includes('-----BEGIN PRIVATE KEY-----')

const isPrivateKey = (value: unknown): boolean => value instanceof CryptoKey || isPem(value)

function isClientKey(value: unknown): value is ClientKey {
  return isPrivateKey(value) || (isPlain(value) && isPrivateKey(value['key'])) || isKey(value)
}

const keyForms = 'a CryptoKey, a private key as PEM (PKCS #8), {key, kid} with one of them, or a JSON Web Key'

/** Auth.js configures the key at the token endpoint. */
function resolveClientKey({ merged, note }: ProviderDraft, client: ClientMetadata, own: Jwk | null): ClientKey | null {
  const atEndpoint = isPlain(merged['token']) ? merged['token']['clientPrivateKey'] : undefined
  const given = client['privateKey'] ?? atEndpoint ?? own
  if (given === undefined || given === null) return null
  if (isClientKey(given)) return given
  note('client.privateKey', 'INVALID_TYPE', `expected ${keyForms}, got ${describeType(given)}`)
  return null
}

function resolveAuthMethod(
  { client_id, response_types, token_endpoint_auth_method: method }: ClientMetadata,
  draft: ProviderDraft
) {
  const { note } = draft
  if (client_id !== undefined) note('client.client_id', 'UNSUPPORTED_OPTION', 'set clientId instead')
  if (response_types !== undefined && String(response_types) !== 'code')
    note('client.response_types', 'INVALID_VALUE', "expected ['code']: a callback accepts only a code")
  if (method === undefined) return null
  if (isAuthMethod(method)) return method
  note(
    'client.token_endpoint_auth_method',
    'INVALID_VALUE',
    `expected ${Object.keys(authMethods).join(', ')}, got ${describeType(method)}`
  )
  return null
}

/** Notes a problem if the client lacks what its authentication method requires. */
function checkProof(
  { authMethod, clientSecret, clientKey }: Omit<Client, 'keys' | 'client'>,
  { id, merged, note }: ProviderDraft
): void {
  if (authMethod === 'private_key_jwt' && clientKey === null)
    note('client.privateKey', 'CLIENT_SECRET_MISSING', 'expected the key that private_key_jwt signs with, got nothing')
  const isCreated = isPlain(merged['hooks']) && merged['hooks']['clientSecret'] !== undefined
  if (clientSecret !== null || isCreated || authMethod === 'none' || authMethod === 'private_key_jwt') return
  // The function authenticates the client itself.
  if (authMethod === null && isPlain(merged['token']) && merged['token']['request'] !== undefined) return
  const expected = `expected a string${authMethod === null ? '' : ` for ${authMethod}`}, got nothing`
  const hint = `pass clientSecret or set AUTH_${environmentName(id)}_SECRET`
  const isPublic = "; for a public client, set client: { token_endpoint_auth_method: 'none' }"
  note('clientSecret', 'CLIENT_SECRET_MISSING', `${expected}; ${hint}${authMethod === null ? isPublic : ''}`)
}

/** The bytes of a key for each HMAC: at least those of the hash (RFC 7518 §3.2). */
const hmacKeySizes = new Map([
  ['HS256', 32],
  ['HS384', 48],
  ['HS512', 64]
])

/** Warns of a client secret that others can guess from a token, which it signs with an HMAC (OpenID Connect Core §10.1). */
function warnOfShortSecret(
  { clientSecret, client, authMethod }: Pick<Client, 'clientSecret' | 'client' | 'authMethod'>,
  { warn }: ProviderDraft
): void {
  if (clientSecret === null) return
  const { id_token_signed_response_alg: idToken = '', userinfo_signed_response_alg: userinfo = '' } = client
  const size = new TextEncoder().encode(clientSecret).length
  const check = (algorithm: string, use: string): void => {
    const needed = hmacKeySizes.get(algorithm) ?? 0
    if (size < needed)
      warn('clientSecret', `expected at least ${needed} bytes for client.${use}, got ${size} (RFC 7518 §3.2)`)
  }
  // oauth4webapi signs client assertions with HS256.
  if (authMethod === 'client_secret_jwt') check('HS256', "token_endpoint_auth_method: 'client_secret_jwt'")
  check(idToken, `id_token_signed_response_alg: '${idToken}'`)
  check(userinfo, `userinfo_signed_response_alg: '${userinfo}'`)
}

/** Resolves the registered client; clientId and clientSecret may come from the environment. */
export function resolveClient(draft: ProviderDraft, { environment }: ProviderContext): Client {
  const { id, merged, note } = draft
  const name = `AUTH_${environmentName(id)}`
  const clientId = textOrNull(merged['clientId']) ?? textOrNull(environment[`${name}_ID`])
  if (!clientId)
    note(
      'clientId',
      'CLIENT_ID_MISSING',
      `expected a string, got ${describeType(merged['clientId'])}; pass clientId or set ${name}_ID`
    )
  const clientSecret = textOrNull(merged['clientSecret']) ?? textOrNull(environment[`${name}_SECRET`])
  const client: ClientMetadata = isPlain(merged['client']) ? merged['client'] : {}
  const { own, theirs } = resolveKeys(draft)
  const authMethod = resolveAuthMethod(client, draft)
  const clientKey = resolveClientKey(draft, client, own)
  checkProof({ clientId: clientId ?? '', clientSecret, authMethod, clientKey }, draft)
  warnOfShortSecret({ clientSecret, client, authMethod }, draft)
  return { clientId: clientId ?? '', clientSecret, client, authMethod, clientKey, keys: theirs }
}
