import * as oauth from 'oauth4webapi'
import { UserCodeError } from '../errors/user-code.ts'
import type { Profile } from '../model/identity.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { OAuthProvider, ProviderClient, ProviderInUse, TokenSet } from '../model/provider.ts'
import { getSigninUrl } from '../redirects/redirect-uri.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import { clientAuth } from './client-auth.ts'
import { callOptions, createOAuthClient } from './context.ts'
import { rejectServerError } from './server-error.ts'
import { createTokenGrant, exchangeCode, type GrantContext, type TokenGrant } from './token-request.ts'
import { readPlainResponse, toTokenResponse, toTokenSet } from './token-response.ts'
import { agreedProfile, plainUserinfo } from './userinfo.ts'

/** The `client` argument of next-auth v4's `request()` functions, limited to the methods that they call. */
function providerClient(exchange: () => Promise<TokenSet>, context: GrantContext): ProviderClient {
  const { provider, metadata, oauthContext } = context
  return {
    callback: exchange,
    oauthCallback: exchange,
    userinfo: async (token, { params } = {}) => {
      const accessToken = typeof token === 'string' ? token : token?.access_token
      if (!accessToken) throw new TypeError('expected an access token')
      const given = Object.entries(params ?? {}).map(([name, value]): [string, string] => [name, String(value)])
      const parameters = { ...provider.userinfo.params, ...Object.fromEntries(given) }
      return plainUserinfo({ access_token: accessToken }, parameters, context)
    },
    grant: async ({ grant_type = 'authorization_code', ...parameters }) => {
      const client = createOAuthClient(provider, oauthContext)
      const auth = await clientAuth(provider, metadata, oauthContext)
      const options = callOptions(provider, oauthContext)
      const response = await oauth.genericTokenEndpointRequest(metadata, client, auth, grant_type, parameters, options)
      const received = await toTokenResponse(response)
      rejectServerError(received, [provider.clientSecret, ...Object.values(parameters)])
      const readable = provider.idToken ? response : readPlainResponse(received)
      const result = await oauth.processGenericTokenEndpointResponse(metadata, client, readable)
      return toTokenSet(result, oauthContext.runtime.now())
    }
  }
}

/** The provider with all configured options and its own URLs. */
function withUrls({ provider, checks: { redirectUri } }: GrantContext): ProviderInUse {
  const signinUrl = getSigninUrl(redirectUri)
  return { ...provider.given, ...provider, signinUrl, callbackUrl: redirectUri }
}

/** Requests tokens with the provider's `token.request`; they are validated like those of the endpoint. */
export async function requestCustomTokens(
  request: NonNullable<OAuthProvider['token']['request']>,
  response: ValidatedResponse,
  context: GrantContext
): Promise<TokenGrant> {
  const { provider, checks } = context
  const exchange = async (): Promise<TokenSet> => (await exchangeCode(response, context)).tokens
  const client = providerClient(exchange, context)
  const params = { ...Object.fromEntries(response), ...provider.token.params }
  const { codeVerifier, nonce, state } = checks
  const known = { state, ...(codeVerifier ? { code_verifier: codeVerifier } : {}), ...(nonce ? { nonce } : {}) }
  const result: unknown = await request({ provider: withUrls(context), params, checks: known, client })
  const tokens: unknown = isJsonObject(result) ? result['tokens'] : null
  if (!isJsonObject(tokens)) throw new TypeError(`expected providers.${provider.id}.token.request to return {tokens}`)
  return createTokenGrant(tokens, context).catch((cause: unknown) => {
    throw new UserCodeError(`providers.${provider.id}.token.request returned invalid tokens`, { cause })
  })
}

/** Requests the profile with the provider's `userinfo.request`. */
export async function requestCustomProfile(
  request: NonNullable<OAuthProvider['userinfo']['request']>,
  granted: TokenGrant,
  response: ValidatedResponse,
  context: GrantContext
): Promise<Profile> {
  const { tokens } = granted
  const client = providerClient(async () => tokens, context)
  return agreedProfile(await request({ provider: withUrls(context), tokens, client }), granted, response, context)
}
