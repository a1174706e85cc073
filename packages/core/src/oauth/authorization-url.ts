import type { OAuthProvider } from '../model/provider.ts'
import { sha256 } from '../tokens/hash.ts'
import type { Metadata } from './metadata.ts'

/** What one attempt adds to the request. */
export interface AttemptParameters {
  readonly redirectUri: string
  readonly state: string
  readonly codeChallenge: string | null
  readonly nonce: string | null
}

/** Parameters that a sign-in form's query may add; the others decide who answers, and to whom. */
const visitorParameters = new Set([
  'access_type',
  'acr_values',
  'audience',
  'claims_locales',
  'connection',
  'display',
  'domain_hint',
  'hd',
  'id_token_hint',
  'include_granted_scopes',
  'invitation',
  'kc_idp_hint',
  'login_hint',
  'max_age',
  'organization',
  'prompt',
  'scope',
  'screen_hint',
  'ui_locales'
])

/** @returns The texts of a query that may go into an authorization request. */
export function permittedParameters(query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(query).filter(
    (entry): entry is [string, string] => visitorParameters.has(entry[0]) && typeof entry[1] === 'string'
  )
  return Object.fromEntries(entries)
}

/**
 * The authorization request as a URL (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1).
 *
 * What protects the attempt is set last, so that no parameter of a provider or a visitor can replace it.
 */
export function authorizationUrl(
  metadata: Metadata,
  { clientId, authorization }: OAuthProvider,
  query: Readonly<Record<string, string>>,
  { redirectUri, state, codeChallenge, nonce }: AttemptParameters
): string | null {
  if (!metadata.authorization_endpoint) return null
  const url = new URL(metadata.authorization_endpoint)
  const parameters = {
    client_id: clientId,
    scope: url.searchParams.get('scope') ?? 'openid',
    response_type: 'code',
    redirect_uri: redirectUri,
    ...authorization.params,
    ...query,
    state,
    ...(codeChallenge ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
    ...(nonce ? { nonce } : {})
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The challenge of a code verifier: its SHA-256 in base64url (RFC 7636 §4.2). */
export async function codeChallenge(verifier: string): Promise<string> {
  return sha256(verifier, 'base64url')
}
