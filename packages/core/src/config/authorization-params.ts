import type { ProviderDraft } from './provider-draft.ts'

/** Parameters that affect how users sign in, but not who may. */
const defaultParameters: readonly string[] = ['login_hint', 'prompt', 'ui_locales']

/** Parameters that determine the recipient, the form or the content of the response: a query must never set them. */
const protocolParameters: readonly string[] = [
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'request',
  'request_uri',
  'registration',
  'claims',
  'grant_type',
  'dpop_jkt',
  'iss',
  'id_token',
  'access_token',
  'id_token_hint'
]

/** @returns The parameters of an authorization request that the query of a sign-in request may add. */
export function resolveAllowedParameters({ merged, note }: ProviderDraft): readonly string[] {
  const { allowedAuthorizationParams: allowed } = merged
  if (!Array.isArray(allowed)) return defaultParameters
  const names = allowed.filter((name): name is string => typeof name === 'string')
  const refused = protocolParameters.filter((known) => names.some((name) => name.trim().toLowerCase() === known))
  if (refused.length > 0) {
    const got = `got ${refused.join(', ')}, which Postern sets`
    note('allowedAuthorizationParams', 'INVALID_VALUE', `expected parameters that a query may set, ${got}; omit them`)
  }
  return names
}
