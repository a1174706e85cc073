import type { Shape } from './kinds.ts'

const common: Shape = {
  id: 'text',
  name: 'text',
  type: 'text',
  options: 'object',
  signinUrl: 'text',
  callbackUrl: 'text'
}

const endpoint: Shape = { url: 'text', params: 'object', request: 'function' }
const encrypted = { refused: 'encrypted answers are not supported; register the client without encryption' }
const requests = { refused: 'request objects are not supported; register the client without them' }

/** Client metadata (RFC 7591 §2): what we act on, what we cannot do, and what only the provider needs to know. */
const client: Shape = {
  token_endpoint_auth_method: 'text',
  id_token_signed_response_alg: 'text',
  userinfo_signed_response_alg: 'text',
  default_max_age: 'count',
  require_auth_time: 'flag',
  privateKey: { oneOf: ['object', 'text'] },
  client_id: 'text',
  response_types: { oneOf: ['texts', 'text'] },
  id_token_encrypted_response_alg: encrypted,
  id_token_encrypted_response_enc: encrypted,
  userinfo_encrypted_response_alg: encrypted,
  userinfo_encrypted_response_enc: encrypted,
  authorization_signed_response_alg: { refused: 'signed authorization answers (JARM) are not supported' },
  authorization_encrypted_response_alg: encrypted,
  authorization_encrypted_response_enc: encrypted,
  request_object_signing_alg: requests,
  request_object_encryption_alg: requests,
  request_object_encryption_enc: requests,
  token_endpoint_auth_signing_alg: { refused: 'leave it out: the algorithm follows from the key' },
  tls_client_certificate_bound_access_tokens: { refused: 'client certificates are not supported' },
  ...Object.fromEntries(
    [
      ...['application_type', 'backchannel_logout_session_required', 'backchannel_logout_uri', 'client_name'],
      ...['client_uri', 'contacts', 'default_acr_values', 'grant_types', 'initiate_login_uri', 'jwks', 'jwks_uri'],
      ...['logo_uri', 'policy_uri', 'post_logout_redirect_uris', 'redirect_uris', 'scope', 'sector_identifier_uri'],
      ...['introspection_endpoint_auth_method', 'revocation_endpoint_auth_method', 'software_id', 'software_version'],
      ...['subject_type', 'tos_uri']
    ].map((name) => [name, 'any' as const])
  )
}

/** What factories of next-auth v4 and Auth.js take beside, and have used up when they return. */
const ofFactories: Shape = Object.fromEntries(
  [
    ...['accountID', 'apiBaseUrl', 'apiVersion', 'baseUrl', 'connection', 'enterprise', 'platformType'],
    ...['primaryUserFlow', 'profilePhotoSize', 'redirectUri', 'scope', 'tenantId'],
    // Left over from OAuth 1.0a and from next-auth v3: no version reads them for OAuth 2.
    ...['accessTokenUrl', 'authorizationUrl', 'encoding', 'headers', 'params', 'profileUrl', 'region'],
    ...['requestTokenUrl', 'tokenUrl']
  ].map((name) => [name, 'any' as const])
)

const oauth: Shape = {
  ...common,
  ...ofFactories,
  clientId: 'text',
  clientSecret: 'text',
  wellKnown: 'text',
  issuer: 'text',
  authorization: { oneOf: ['text', { url: 'text', params: 'object' }] },
  token: { oneOf: ['text', { ...endpoint, conform: 'function', clientPrivateKey: { oneOf: ['object', 'text'] } }] },
  userinfo: { oneOf: ['text', endpoint] },
  jwks_endpoint: 'text',
  jwks: 'object',
  checks: { oneOf: ['text', 'texts'] },
  client,
  expectNoNonce: 'flag',
  idToken: 'flag',
  profile: 'function',
  account: 'function',
  style: { oneOf: ['object', 'text'] },
  allowDangerousEmailAccountLinking: 'flag',
  verifiesEmail: 'flag',
  allowInsecureRequests: 'flag',
  allowInsecure: 'flag',
  httpOptions: {
    timeout: 'milliseconds',
    agent: { refused: 'an agent belongs to a fetch of your own: pass runtime.fetch, or customFetch to the provider' }
  },
  hooks: 'object',
  version: 'text',
  redirectProxyUrl: { refused: 'not supported; register the redirect URI of every deployment with the provider' }
}

const email: Shape = {
  ...common,
  server: { oneOf: ['text', 'object'] },
  from: 'text',
  maxAge: 'seconds',
  confirm: ['auto', 'always', 'never'],
  code: [true, false, 'only'],
  sendVerificationRequest: 'function',
  generateVerificationToken: 'function',
  normalizeIdentifier: 'function',
  internationalDomains: 'flag',
  deliver: 'function',
  needs: 'texts',
  secret: { refused: 'leave it out: tokens are hashed with a key that is made of the secret of all' },
  // For senders that call a service instead of a mail server.
  apiKey: 'text',
  region: 'text',
  transactionalId: 'text'
}

/** The options of each kind of provider. */
export const providerShapes: Readonly<Record<'oauth' | 'email' | 'credentials', Shape>> = {
  oauth,
  email,
  credentials: { ...common, credentials: 'object', authorize: 'function' }
}
