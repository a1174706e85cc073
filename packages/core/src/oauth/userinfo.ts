import * as oauth from 'oauth4webapi'
import { serializeError } from '../errors/serialize-error.ts'
import { call, changedCall } from '../http/outbound.ts'
import { checkJson, readJson } from '../http/read-response.ts'
import type { Profile } from '../model/identity.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { OAuthProvider, OutboundCall, ProfileContext, TokenSet } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import { callOptions, createOAuthClient, type OAuthContext } from './context.ts'
import { ClaimError, verifySignature } from './id-token.ts'
import { asksForMore } from './profile.ts'
import { describeStatus, quoteServerWords, readProfileError } from './server-error.ts'
import type { GrantContext, TokenGrant } from './token-request.ts'
import { readJsonObject } from './token-response.ts'

function requestUserinfo(accessToken: string, { provider, metadata, oauthContext }: GrantContext): Promise<Response> {
  const client = createOAuthClient(provider, oauthContext)
  const request = oauth.userInfoRequest(metadata, client, accessToken, callOptions(provider, oauthContext))
  return accepted(request, accessToken)
}

/** Reads userinfo; its `sub` must be there, and equal the ID Token's (OpenID Connect Core §5.3.2). */
async function readUserinfo(
  response: Response,
  subject: string,
  { provider, metadata, oauthContext }: GrantContext
): Promise<Profile> {
  const client = createOAuthClient(provider, oauthContext)
  const isSigned = response.headers.get('content-type')?.toLowerCase().includes('application/jwt')
  if (!isSigned) {
    checkJson(response)
    const body = await readJsonObject(response)
    const words = body['sub'] === undefined ? readProfileError(body) : null
    if (words) throw new TypeError(`expected the claim sub: ${quoteServerWords(words)}`)
    return oauth.processUserInfoResponse(metadata, client, subject, response)
  }
  // A line break after the JWT is part of the body, not of the JWT.
  const token = (await response.clone().text()).trim()
  await verifySignature(token, { provider, metadata, signed: 'userinfo' }, oauthContext)
  const claims = await oauth.processUserInfoResponse(metadata, client, subject, response)
  // oauth4webapi rounds numbers beyond 2^53.
  return { ...claims, ...decodeJws(token)?.claims }
}

const agent = { accept: 'application/json', 'user-agent': 'postern' }

/** Fetches the profile of a provider that is not an OpenID Provider: a JSON object. */
export async function plainUserinfo(
  tokens: TokenSet,
  parameters: Readonly<Record<string, string>>,
  { provider, metadata, oauthContext }: GrantContext
): Promise<Profile> {
  if (!metadata.userinfo_endpoint) throw new TypeError('expected a userinfo endpoint')
  const url = new URL(metadata.userinfo_endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const headers = { ...agent, authorization: `Bearer ${tokens.access_token}` }
  const { userinfoRequest } = provider.hooks
  const change = userinfoRequest && ((given: OutboundCall) => userinfoRequest(given, tokens, provider))
  const given = { method: 'GET', url: url.href, headers, body: null }
  const profile = await readJson(
    await accepted(changedCall(given, change, provider, oauthContext), tokens.access_token)
  )
  if (!isJsonObject(profile)) throw new TypeError('expected userinfo to be a JSON object')
  return profile
}

/** @throws TypeError unless the status is 200 (OpenID Connect Core §5.3.3, RFC 6750 §3). */
async function accepted(sending: Promise<Response>, accessToken: string | null | undefined): Promise<Response> {
  const response = await sending
  if (response.status === 200) return response
  throw new TypeError(await describeStatus(response, [accessToken]))
}

/** @returns A GET function with the access token, for providers whose profile needs further requests. */
function furtherGet(
  { access_token }: TokenSet,
  provider: OAuthProvider,
  oauthContext: OAuthContext
): ProfileContext['get'] {
  return (url, headers = {}) => {
    const all = { ...agent, authorization: `Bearer ${access_token}`, ...headers }
    return accepted(call(provider, oauthContext, url, { method: 'GET', headers: all }), access_token)
  }
}

/**
 * Checks the profile against the ID Token, and completes it if the provider needs further requests.
 *
 * @param raw - The claims from userinfo, or from the provider's own function.
 */
export async function agreedProfile(
  raw: unknown,
  { tokens, claims }: TokenGrant,
  response: ValidatedResponse,
  { provider, metadata, oauthContext }: GrantContext
): Promise<Profile> {
  if (!isJsonObject(raw)) throw new TypeError(`expected providers.${provider.id}.userinfo.request to return an object`)
  if (claims && raw['sub'] !== undefined && raw['sub'] !== claims.sub)
    throw new ClaimError('sub: userinfo has another subject than the ID Token')
  const { afterProfile } = provider.hooks
  return afterProfile
    ? afterProfile(raw, { provider, tokens, response, metadata, get: furtherGet(tokens, provider, oauthContext) })
    : raw
}

async function rawProfile({ tokens, claims }: TokenGrant, context: GrantContext): Promise<Profile> {
  const { provider, metadata } = context
  const accessToken = tokens.access_token
  if (!accessToken) throw new TypeError('expected an access token')
  if (!claims) return plainUserinfo(tokens, provider.userinfo.params, context)
  const scope = provider.authorization.params['scope'] ?? 'openid'
  if (provider.profileFromUserinfo)
    return readUserinfo(await requestUserinfo(accessToken, context), claims.sub, context)
  if (!metadata.userinfo_endpoint || !asksForMore(claims, scope)) return claims
  const response = await requestUserinfo(accessToken, context).catch((error: unknown) => {
    if (!namesUser(claims)) throw error
    context.oauthContext.logger.warn('USERINFO_REFUSED', {
      provider: provider.id,
      message: 'userinfo could not complete the profile; the claims of the ID Token are used',
      cause: serializeError(error)
    })
    return null
  })
  return response ? { ...(await readUserinfo(response, claims.sub, context)), ...claims } : claims
}

/** The claims by which a provider names a user, those of ADFS last. */
const names = ['name', 'email', 'preferred_username', 'nickname', 'given_name', 'upn', 'unique_name']

/**
 * Whether the ID Token names the user, so that userinfo is an optional completion: no paragraph demands its request (OpenID
 * Connect Core §5.3). Entra and ADFS refuse an access token that is for an API.
 */
const namesUser = (claims: Profile): boolean => names.some((name) => typeof claims[name] === 'string')

/**
 * Loads the profile of the user: the ID Token's claims, completed by userinfo if requested claims are missing. Without
 * an ID Token, it is userinfo.
 */
export async function loadProfile(
  granted: TokenGrant,
  response: ValidatedResponse,
  context: GrantContext
): Promise<Profile> {
  return agreedProfile(await rawProfile(granted, context), granted, response, context)
}
