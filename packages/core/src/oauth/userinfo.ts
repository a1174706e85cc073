import * as oauth from 'oauth4webapi'
import type { Profile } from '../model/identity.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import type { GetJson } from '../model/provider-config.ts'
import type { Runtime } from '../model/runtime.ts'
import { verifySignature } from './id-token.ts'
import type { Metadata } from './metadata.ts'
import { callOptions, clientOf, type OAuthTools } from './tools.ts'

function isClaims(value: unknown): value is Profile {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** GETs userinfo as OpenID Connect says; its `sub` must be the ID Token's (Core §5.3.4). */
async function standardUserinfo(
  accessToken: string,
  subject: string,
  provider: OAuthProvider,
  metadata: Metadata,
  tools: OAuthTools
): Promise<Profile> {
  const client = clientOf(provider, tools)
  const response = await oauth.userInfoRequest(metadata, client, accessToken, callOptions(provider, tools))
  const isSigned = response.headers.get('content-type')?.toLowerCase().includes('application/jwt')
  if (isSigned) await verifySignature(await response.clone().text(), provider, metadata, tools)
  return oauth.processUserInfoResponse(metadata, client, subject, response)
}

/** GETs the profile of a provider that is no OpenID Provider: a JSON object, with parameters of its own. */
export async function plainUserinfo(
  accessToken: string,
  parameters: Readonly<Record<string, string>>,
  provider: OAuthProvider,
  metadata: Metadata,
  { runtime }: OAuthTools
): Promise<Profile> {
  if (!metadata.userinfo_endpoint) throw new TypeError('expected a userinfo endpoint')
  const url = new URL(metadata.userinfo_endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
  return claimsAt(url.href, headers, provider, runtime)
}

async function claimsAt(
  url: string,
  headers: Readonly<Record<string, string>>,
  provider: OAuthProvider,
  runtime: Runtime
): Promise<Profile> {
  const profile = await jsonAt(url, headers, provider, runtime)
  if (!isClaims(profile)) throw new TypeError('expected userinfo to be a JSON object')
  return profile
}

async function jsonAt(
  url: string,
  headers: Readonly<Record<string, string>>,
  provider: OAuthProvider,
  runtime: Runtime
): Promise<unknown> {
  const { allowInsecureRequests, timeout } = provider
  const response = await runtime.fetch(
    url,
    { method: 'GET', headers: { ...headers } },
    { allowInsecureRequests, timeout }
  )
  if (response.status !== 200) throw new TypeError(`expected status 200, got ${response.status}`)
  return response.json()
}

/** @returns GET with the access token, for what a provider's profile leaves to further calls. */
export function getJson({ access_token }: TokenSet, provider: OAuthProvider, { runtime }: OAuthTools): GetJson {
  return (url, headers = {}) =>
    jsonAt(url, { accept: 'application/json', authorization: `Bearer ${access_token}`, ...headers }, provider, runtime)
}

/** Claims that an ID Token may leave to userinfo (OpenID Connect Core §5.4), by the scope that asks for them. */
function asksForMore(claims: oauth.IDToken, scope: string): boolean {
  const scopes = scope.split(' ')
  return (
    (scopes.includes('email') && claims['email'] === undefined) ||
    (scopes.includes('profile') && claims['name'] === undefined)
  )
}

/**
 * What the provider says about the visitor: the ID Token's claims, completed by userinfo where they leave out what the
 * scope asked for; of a provider without ID Token, userinfo.
 */
export async function rawProfile(
  { tokens, claims }: { readonly tokens: TokenSet; readonly claims: oauth.IDToken | null },
  provider: OAuthProvider,
  metadata: Metadata,
  tools: OAuthTools
): Promise<Profile> {
  const accessToken = tokens.access_token
  if (!accessToken) throw new TypeError('expected an access token')
  if (!claims) {
    return plainUserinfo(accessToken, provider.userinfo.params, provider, metadata, tools)
  }
  const scope = provider.authorization.params['scope'] ?? 'openid'
  if (!metadata.userinfo_endpoint || !asksForMore(claims, scope)) return claims
  const userinfo = await standardUserinfo(accessToken, claims.sub, provider, metadata, tools)
  return { ...userinfo, ...claims }
}
