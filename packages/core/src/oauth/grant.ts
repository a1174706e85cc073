import { ForeignError } from '../errors/foreign.ts'
import type { Profile } from '../model/identity.ts'
import type { OAuthProvider, ProviderInUse, TokenSet } from '../model/provider.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import { protocolError } from './failure.ts'
import { ClaimError } from './id-token.ts'
import type { Metadata } from './metadata.ts'
import { providerClient } from './provider-client.ts'
import { type Checks, exchangeCode, type Granted, grantedBy } from './token-request.ts'
import type { OAuthTools } from './tools.ts'
import { furtherGet, isClaims, rawProfile } from './userinfo.ts'

/** What one attempt is finished with. */
export interface GrantContext {
  readonly provider: OAuthProvider
  readonly metadata: Metadata
  readonly checks: Checks & { readonly state: string }
  readonly tools: OAuthTools
}

/** The provider with all that was configured, and with its own addresses. */
function inUse({ provider, checks: { redirectUri } }: GrantContext): ProviderInUse {
  const signinUrl = redirectUri.replace(/\/callback\/([^/]+)$/, '/signin/$1')
  return { ...provider.given, ...provider, signinUrl, callbackUrl: redirectUri }
}

async function grant(response: ValidatedResponse, context: GrantContext): Promise<Granted> {
  const { provider, metadata, checks, tools } = context
  const exchange = (): Promise<Granted> => exchangeCode(response, checks, provider, metadata, tools)
  const { request, params } = provider.token
  if (!request) return exchange()
  const client = providerClient(async () => (await exchange()).tokens, provider, metadata, tools)
  const given = { ...Object.fromEntries(response), ...params }
  const { codeVerifier, nonce, state } = checks
  const known = { state, ...(codeVerifier ? { code_verifier: codeVerifier } : {}), ...(nonce ? { nonce } : {}) }
  const answer: unknown = await request({ provider: inUse(context), params: given, checks: known, client })
  const tokens: unknown = isClaims(answer) ? answer['tokens'] : null
  if (!isClaims(tokens)) throw new TypeError(`expected providers.${provider.id}.token.request to return {tokens}`)
  return grantedBy(tokens, checks, provider, metadata, tools).catch((cause: unknown) => {
    throw new ForeignError(`providers.${provider.id}.token.request returned tokens that do not hold`, { cause })
  })
}

async function profile(granted: Granted, answer: ValidatedResponse, context: GrantContext): Promise<Profile> {
  const { provider, metadata, tools } = context
  const { tokens, claims } = granted
  const { request } = provider.userinfo
  const client = providerClient(async () => tokens, provider, metadata, tools)
  const raw: unknown = request
    ? await request({ provider: inUse(context), tokens, client })
    : await rawProfile(granted, provider, metadata, tools)
  if (!isClaims(raw)) throw new TypeError(`expected providers.${provider.id}.userinfo.request to return an object`)
  if (claims && raw['sub'] !== undefined && raw['sub'] !== claims.sub)
    throw new ClaimError('sub: userinfo is about somebody else than the ID Token')
  const { afterProfile } = provider.hooks
  return afterProfile ? afterProfile(raw, { provider, tokens, answer, get: furtherGet(tokens, provider, tools) }) : raw
}

/**
 * Exchanges the code and asks who it is.
 *
 * @throws AuthError `OAuthCallback`
 */
export async function grantAndProfile(
  response: ValidatedResponse,
  context: GrantContext
): Promise<{ readonly tokens: TokenSet; readonly raw: Profile }> {
  const { id } = context.provider
  const granted = await grant(response, context).catch((error: unknown) => {
    const isClaim = error instanceof Error && ['ClaimError', 'SignatureError'].includes(error.name)
    throw protocolError('OAuthCallback', id, isClaim ? 'ID Token' : 'token request', error)
  })
  const raw = await profile(granted, response, context).catch((error: unknown) => {
    throw protocolError('OAuthCallback', id, 'userinfo', error)
  })
  return { tokens: granted.tokens, raw }
}
