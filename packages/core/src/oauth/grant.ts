import type { Profile } from '../model/identity.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import { protocolError } from './failure.ts'
import type { Metadata } from './metadata.ts'
import { providerClient } from './provider-client.ts'
import { type Checks, exchangeCode, type Granted } from './token-request.ts'
import type { OAuthTools } from './tools.ts'
import { getJson, rawProfile } from './userinfo.ts'

/** What one attempt is finished with. */
export interface GrantContext {
  readonly provider: OAuthProvider
  readonly metadata: Metadata
  readonly checks: Checks & { readonly state: string }
  readonly tools: OAuthTools
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
  const { tokens } = await request({ provider, params: given, checks: known, client })
  if (provider.idToken)
    throw new TypeError('expected no token.request function where the profile comes from an ID Token')
  return { tokens, claims: null }
}

async function profile(granted: Granted, { provider, metadata, tools }: GrantContext): Promise<Profile> {
  const { tokens } = granted
  const { request } = provider.userinfo
  const client = providerClient(async () => tokens, provider, metadata, tools)
  const raw = request
    ? await request({ provider, tokens, client })
    : await rawProfile(granted, provider, metadata, tools)
  const { afterProfile } = provider.hooks
  return afterProfile ? afterProfile(raw, tokens, getJson(tokens, provider, tools)) : raw
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
  const raw = await profile(granted, context).catch((error: unknown) => {
    throw protocolError('OAuthCallback', id, 'userinfo', error)
  })
  return { tokens: granted.tokens, raw }
}
