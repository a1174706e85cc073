import { type Fields, getText } from '../http/body.ts'
import type { MaybePromise } from '../model/awaitable.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { sha256 } from '../tokens/hash.ts'
import type { Metadata } from './metadata.ts'

/** The parameters of one sign-in; `state`, `codeChallenge` and `nonce` are in base64url. */
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

/** The part of an authorization request that is the same for all sign-ins at a redirect URI. */
interface FixedUrl {
  readonly provider: OAuthProvider
  readonly redirectUri: string
  /** Ends with the last parameter. `null` if parameters cannot be appended: the URL has a fragment, or a parameter of a sign-in. */
  readonly text: string | null
}

/** The last one by its metadata. */
const fixedUrls = new WeakMap<Metadata, FixedUrl>()

const signInParameters = ['state', 'code_challenge', 'code_challenge_method', 'nonce'] as const

function createFixedUrl(endpoint: string, { clientId, authorization }: OAuthProvider, redirectUri: string): URL {
  const url = new URL(endpoint)
  const configured = {
    client_id: clientId,
    scope: url.searchParams.get('scope') ?? 'openid',
    response_type: 'code',
    redirect_uri: redirectUri,
    ...authorization.params
  }
  for (const [name, value] of Object.entries(configured)) url.searchParams.set(name, value)
  return url
}

function getFixedText(
  metadata: Metadata,
  endpoint: string,
  provider: OAuthProvider,
  redirectUri: string
): string | null {
  const known = fixedUrls.get(metadata)
  if (known?.provider === provider && known.redirectUri === redirectUri) return known.text
  const url = createFixedUrl(endpoint, provider, redirectUri)
  // An empty fragment has no hash, but its mark ends the URL.
  const isOpen = !url.href.includes('#') && !signInParameters.some((name) => url.searchParams.has(name))
  const text = isOpen ? url.href : null
  fixedUrls.set(metadata, { provider, redirectUri, text })
  return text
}

/** Appends the parameters of a sign-in; those in base64url need no encoding. */
function append(text: string, { state, codeChallenge, nonce }: AuthorizationUrlParameters): string {
  const pkce = codeChallenge ? `&code_challenge=${codeChallenge}&code_challenge_method=S256` : ''
  return `${text}&state=${state}${pkce}${nonce ? `&nonce=${nonce}` : ''}`
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
  provider: OAuthProvider,
  query: Fields,
  parameters: AuthorizationUrlParameters
): string | null {
  const { authorization_endpoint: endpoint } = metadata
  if (!endpoint) return null
  const { allowedAuthorizationParams } = provider
  const { redirectUri, state, codeChallenge, nonce, required } = parameters
  const isUsual = Object.keys(required).length === 0 && !allowedAuthorizationParams.some((name) => name in query)
  const fixed = isUsual ? getFixedText(metadata, endpoint, provider, redirectUri) : null
  if (fixed !== null) return append(fixed, parameters)
  const url = createFixedUrl(endpoint, provider, redirectUri)
  const protection = {
    ...required,
    state,
    ...(codeChallenge ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
    ...(nonce ? { nonce } : {})
  }
  addFromQuery(url.searchParams, query, allowedAuthorizationParams)
  for (const [name, value] of Object.entries(protection)) url.searchParams.set(name, value)
  return url.href
}

/** Derives the code challenge of a code verifier: its SHA-256 in base64url (RFC 7636 §4.2). */
export function codeChallenge(verifier: string): MaybePromise<string> {
  return sha256(verifier, 'base64url')
}
