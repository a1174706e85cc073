import * as oauth from 'oauth4webapi'
import { checkJson, readJson } from '../http/read-response.ts'
import { call, changedCall } from '../http/outbound.ts'
import type { Profile } from '../model/identity.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import type { OutboundCall, ProfileContext } from '../model/provider-hooks.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import { ClaimError, verifySignature } from './id-token.ts'
import type { GrantContext, Granted } from './token-request.ts'
import { callOptions, clientOf, type OAuthTools } from './context.ts'

/** Who is asked, and with what. */
type Asked = Pick<GrantContext, 'provider' | 'metadata' | 'tools'>

/** GETs userinfo as OpenID Connect says; its `sub` must be the ID Token's (Core §5.3.4). */
async function standardUserinfo(
  accessToken: string,
  subject: string,
  { provider, metadata, tools }: Asked
): Promise<Profile> {
  const client = clientOf(provider, tools)
  const response = await oauth.userInfoRequest(metadata, client, accessToken, callOptions(provider, tools))
  const isSigned = response.headers.get('content-type')?.toLowerCase().includes('application/jwt')
  if (isSigned) await verifySignature(await response.clone().text(), { provider, metadata, signed: 'userinfo' }, tools)
  else checkJson(response)
  return oauth.processUserInfoResponse(metadata, client, subject, response)
}

const agent = { accept: 'application/json', 'user-agent': 'postern' }

/** GETs the profile of a provider that is no OpenID Provider: a JSON object, with parameters of its own. */
export async function plainUserinfo(
  tokens: TokenSet,
  parameters: Readonly<Record<string, string>>,
  { provider, metadata, tools }: Asked
): Promise<Profile> {
  if (!metadata.userinfo_endpoint) throw new TypeError('expected a userinfo endpoint')
  const url = new URL(metadata.userinfo_endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const headers = { ...agent, authorization: `Bearer ${tokens.access_token}` }
  const { userinfoRequest } = provider.hooks
  const change = userinfoRequest && ((given: OutboundCall) => userinfoRequest(given, tokens, provider))
  const given = { method: 'GET', url: url.href, headers, body: null }
  const profile = await readJson(await accepted(changedCall(given, change, provider, tools)))
  if (!isJsonObject(profile)) throw new TypeError('expected userinfo to be a JSON object')
  return profile
}

async function accepted(answering: Promise<Response>): Promise<Response> {
  const response = await answering
  if (response.status !== 200) throw new TypeError(`expected status 200, got ${response.status}`)
  return response
}

/** @returns GET with the access token, for what a provider's profile leaves to further calls. */
function furtherGet({ access_token }: TokenSet, provider: OAuthProvider, tools: OAuthTools): ProfileContext['get'] {
  return (url, headers = {}) => {
    const all = { ...agent, authorization: `Bearer ${access_token}`, ...headers }
    return accepted(call(provider, tools, url, { method: 'GET', headers: all }))
  }
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
 * Holds what was said about the visitor against the ID Token, and completes it where the provider needs further calls.
 *
 * @param raw - Of userinfo, or of the provider's own function.
 */
export async function agreedProfile(
  raw: unknown,
  { tokens, claims }: Granted,
  answer: ValidatedResponse,
  { provider, tools }: Asked
): Promise<Profile> {
  if (!isJsonObject(raw)) throw new TypeError(`expected providers.${provider.id}.userinfo.request to return an object`)
  if (claims && raw['sub'] !== undefined && raw['sub'] !== claims.sub)
    throw new ClaimError('sub: userinfo is about somebody else than the ID Token')
  const { afterProfile } = provider.hooks
  return afterProfile ? afterProfile(raw, { provider, tokens, answer, get: furtherGet(tokens, provider, tools) }) : raw
}

async function rawProfile({ tokens, claims }: Granted, asked: Asked): Promise<Profile> {
  const { provider, metadata } = asked
  const accessToken = tokens.access_token
  if (!accessToken) throw new TypeError('expected an access token')
  if (!claims) return plainUserinfo(tokens, provider.userinfo.params, asked)
  const scope = provider.authorization.params['scope'] ?? 'openid'
  const isAsked = provider.profileFromUserinfo || (metadata.userinfo_endpoint && asksForMore(claims, scope))
  if (!isAsked) return claims
  const userinfo = await standardUserinfo(accessToken, claims.sub, asked)
  return provider.profileFromUserinfo ? userinfo : { ...userinfo, ...claims }
}

/**
 * What the provider says about the visitor: the ID Token's claims, completed by userinfo where they leave out what the
 * scope asked for; of a provider without ID Token, userinfo.
 */
export async function profileOf(granted: Granted, answer: ValidatedResponse, asked: Asked): Promise<Profile> {
  return agreedProfile(await rawProfile(granted, asked), granted, answer, asked)
}
