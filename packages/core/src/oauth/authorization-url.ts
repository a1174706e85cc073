import { type Fields, getText } from '../http/body.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { sha256 } from '../tokens/hash.ts'
import type { Metadata } from './metadata.ts'

/** The parameters of one sign-in. */
export interface AuthorizationUrlParameters {
  readonly redirectUri: string
  readonly state: string
  readonly codeChallenge: string | null
  readonly nonce: string | null
  /** Parameters that this sign-in requires; nothing replaces them. */
  readonly required: Readonly<Record<string, string>>
}

/**
 * Adds parameters of the sign-in request's query to an authorization request. Only allowed parameters that occur once
 * are used. Values that the operator configured in `params`, in the URL or in the metadata are kept. `scope` is
 * extended, and keeps every configured value.
 */
function addFromQuery(parameters: URLSearchParams, query: Fields, allowed: readonly string[]): void {
  for (const name of allowed) {
    const value = getText(query, name)
    if (value === null) continue
    if (name === 'scope') parameters.set(name, extendedScope(parameters.get(name) ?? '', value))
    else if (!parameters.has(name)) parameters.set(name, value)
  }
}

function extendedScope(configured: string, requested: string): string {
  const known = configured.split(' ')
  const added = requested.split(/\s+/).filter((scope) => scope !== '' && !known.includes(scope))
  return [configured, ...new Set(added)].filter(Boolean).join(' ')
}

/**
 * Builds the authorization request URL (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1).
 *
 * The security parameters are set last, so that neither the provider's configuration nor a query can replace them.
 *
 * @param query - The query of the sign-in request; untrusted.
 */
export function authorizationUrl(
  metadata: Metadata,
  { clientId, authorization, allowedAuthorizationParams }: OAuthProvider,
  query: Fields,
  { redirectUri, state, codeChallenge, nonce, required }: AuthorizationUrlParameters
): string | null {
  if (!metadata.authorization_endpoint) return null
  const url = new URL(metadata.authorization_endpoint)
  const configured = {
    client_id: clientId,
    scope: url.searchParams.get('scope') ?? 'openid',
    response_type: 'code',
    redirect_uri: redirectUri,
    ...authorization.params
  }
  const protection = {
    ...required,
    state,
    ...(codeChallenge ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
    ...(nonce ? { nonce } : {})
  }
  for (const [name, value] of Object.entries(configured)) url.searchParams.set(name, value)
  addFromQuery(url.searchParams, query, allowedAuthorizationParams)
  for (const [name, value] of Object.entries(protection)) url.searchParams.set(name, value)
  return url.href
}

/** Derives the code challenge of a code verifier: its SHA-256 in base64url (RFC 7636 §4.2). */
export async function codeChallenge(verifier: string): Promise<string> {
  return sha256(verifier, 'base64url')
}
