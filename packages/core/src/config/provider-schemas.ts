import { maxSeconds, type Shape } from '../schema/schema.ts'

const common: Shape = {
  id: 'string',
  name: 'string',
  type: 'string',
  options: 'object',
  signinUrl: 'string',
  callbackUrl: 'string'
}

const endpoint: Shape = { url: 'string', params: 'object', request: 'function' }
const encrypted = { refused: 'encrypted responses are not supported; register the client without encryption' }
const requests = { refused: 'request objects are not supported; register the client without them' }

/** Client metadata (RFC 7591 §2): the supported, the unsupported, and those that only the provider needs. */
const client: Shape = {
  token_endpoint_auth_method: 'string',
  id_token_signed_response_alg: 'string',
  userinfo_signed_response_alg: 'string',
  default_max_age: 'nonNegativeInteger',
  require_auth_time: 'boolean',
  privateKey: { oneOf: ['object', 'string'] },
  client_id: 'string',
  response_types: { oneOf: ['strings', 'string'] },
  id_token_encrypted_response_alg: encrypted,
  id_token_encrypted_response_enc: encrypted,
  userinfo_encrypted_response_alg: encrypted,
  userinfo_encrypted_response_enc: encrypted,
  authorization_signed_response_alg: { refused: 'signed authorization responses (JARM) are not supported' },
  authorization_encrypted_response_alg: encrypted,
  authorization_encrypted_response_enc: encrypted,
  request_object_signing_alg: requests,
  request_object_encryption_alg: requests,
  request_object_encryption_enc: requests,
  token_endpoint_auth_signing_alg: { refused: 'omit it: the algorithm follows from the key' },
  tls_client_certificate_bound_access_tokens: { refused: 'client certificates are not supported' },
  ...Object.fromEntries(
    [
      'application_type',
      'backchannel_logout_session_required',
      'backchannel_logout_uri',
      'client_name',
      'client_uri',
      'contacts',
      'default_acr_values',
      'grant_types',
      'initiate_login_uri',
      'jwks',
      'jwks_uri',
      'logo_uri',
      'policy_uri',
      'post_logout_redirect_uris',
      'redirect_uris',
      'scope',
      'sector_identifier_uri',
      'introspection_endpoint_auth_method',
      'revocation_endpoint_auth_method',
      'software_id',
      'software_version',
      'subject_type',
      'tos_uri'
    ].map((name) => [name, 'any' as const])
  )
}

/** Options that factories of next-auth v4 and Auth.js accept, and have already applied when they return. */
const ofFactories: Shape = Object.fromEntries(
  [
    'accountID',
    'apiBaseUrl',
    'apiKey',
    'apiVersion',
    'baseUrl',
    'connection',
    'enterprise',
    'platformType',
    'primaryUserFlow',
    'profilePhotoSize',
    'redirectUri',
    'scope',
    'tenantId',
    // Options of OAuth 1.0a and next-auth v3, which no version reads for OAuth 2.
    'accessTokenUrl',
    'authorizationUrl',
    'encoding',
    'headers',
    'params',
    'profileUrl',
    'region',
    'requestTokenUrl',
    'tokenUrl'
  ].map((name) => [name, 'any' as const])
)

const oauth: Shape = {
  ...common,
  ...ofFactories,
  clientId: 'string',
  clientSecret: 'string',
  wellKnown: 'string',
  issuer: 'string',
  authorization: { oneOf: ['string', { url: 'string', params: 'object' }] },
  allowedAuthorizationParams: 'strings',
  token: { oneOf: ['string', { ...endpoint, conform: 'function', clientPrivateKey: { oneOf: ['object', 'string'] } }] },
  userinfo: { oneOf: ['string', endpoint] },
  jwks_endpoint: 'string',
  jwks: 'object',
  checks: { oneOf: ['string', 'strings'] },
  client,
  expectNoNonce: 'boolean',
  idToken: 'boolean',
  profile: 'function',
  account: 'function',
  style: { oneOf: ['object', 'string'] },
  allowDangerousEmailAccountLinking: 'boolean',
  verifiesEmail: { oneOf: ['boolean', 'strings'] },
  requires: { acr: { oneOf: ['string', 'strings'] }, amr: 'strings', maxAge: { min: 0, max: maxSeconds } },
  assumeFresh: 'boolean',
  requireLogoutTokenType: 'boolean',
  allowInsecureRequests: 'boolean',
  allowInsecure: 'boolean',
  httpOptions: {
    timeout: 'milliseconds',
    agent: { refused: 'an agent requires a custom fetch: pass runtime.fetch, or customFetch to the provider' }
  },
  hooks: 'object',
  needs: 'strings',
  version: 'string',
  redirectProxyUrl: { refused: 'not supported; register the redirect URI of every deployment with the provider' }
}

const email: Shape = {
  ...common,
  server: { oneOf: ['string', 'object'] },
  from: 'string',
  maxAge: 'seconds',
  confirm: ['auto', 'always', 'never'],
  code: [true, false, 'only'],
  sendVerificationRequest: 'function',
  generateVerificationToken: 'function',
  normalizeIdentifier: 'function',
  signUp: { oneOf: ['boolean', 'function'] },
  captcha: { script: 'string', attributes: 'object', verify: 'function' },
  deliver: 'function',
  needs: 'strings',
  secret: { refused: 'omit it: tokens are hashed with a key that is derived from secret' },
  // For senders that call an API instead of a mail server.
  apiKey: 'string',
  region: 'string',
  transactionalId: 'string'
}

/** The options of each kind of provider. */
export const providerShapes: Readonly<Record<'oauth' | 'email' | 'credentials', Shape>> = {
  oauth,
  email,
  credentials: {
    ...common,
    credentials: 'object',
    identifier: 'string',
    amr: 'strings',
    normalizeIdentifier: 'function',
    authorize: 'function'
  }
}
