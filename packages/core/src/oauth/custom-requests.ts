import * as oauth from 'oauth4webapi'
import { ForeignError } from '../errors/user-code.ts'
import type { Profile } from '../model/identity.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { OAuthProvider, ProviderClient, ProviderInUse, TokenSet } from '../model/provider.ts'
import { signinUrlOf } from '../redirects/redirect-uri.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import { clientAuth } from './client-auth.ts'
import type { Metadata } from './metadata.ts'
import { plainAnswer, toTokenSet } from './token-response.ts'
import { exchangeCode, type GrantContext, type Granted, grantedBy } from './token-request.ts'
import { callOptions, clientOf, type OAuthTools } from './context.ts'
import { agreedProfile, plainUserinfo } from './userinfo.ts'

/** What a `request()` function of next-auth v4 calls on its `client`: the calls that such functions make. */
function providerClient(
  exchange: () => Promise<TokenSet>,
  provider: OAuthProvider,
  metadata: Metadata,
  tools: OAuthTools
): ProviderClient {
  return {
    callback: exchange,
    oauthCallback: exchange,
    userinfo: async (token, { params } = {}) => {
      const accessToken = typeof token === 'string' ? token : token?.access_token
      if (!accessToken) throw new TypeError('expected an access token')
      const given = Object.entries(params ?? {}).map(([name, value]): [string, string] => [name, String(value)])
      const parameters = { ...provider.userinfo.params, ...Object.fromEntries(given) }
      return plainUserinfo({ access_token: accessToken }, parameters, { provider, metadata, tools })
    },
    grant: async ({ grant_type = 'authorization_code', ...parameters }) => {
      const client = clientOf(provider, tools)
      const auth = await clientAuth(provider, metadata, tools)
      const options = callOptions(provider, tools)
      const answer = await oauth.genericTokenEndpointRequest(metadata, client, auth, grant_type, parameters, options)
      const readable = provider.idToken ? answer : await plainAnswer(answer)
      const result = await oauth.processGenericTokenEndpointResponse(metadata, client, readable)
      return toTokenSet(result, tools.runtime.now())
    }
  }
}

/** The provider with all that was configured, and with its own addresses. */
function inUse({ provider, checks: { redirectUri } }: GrantContext): ProviderInUse {
  const signinUrl = signinUrlOf(redirectUri)
  return { ...provider.given, ...provider, signinUrl, callbackUrl: redirectUri }
}

type TokenRequest = NonNullable<OAuthProvider['token']['request']>
type UserinfoRequest = NonNullable<OAuthProvider['userinfo']['request']>

/** The tokens of a provider whose `token.request` asks for them; they are checked as those of the endpoint are. */
export async function tokensOfOwn(
  request: TokenRequest,
  response: ValidatedResponse,
  context: GrantContext
): Promise<Granted> {
  const { provider, metadata, checks, tools } = context
  const exchange = async (): Promise<TokenSet> => (await exchangeCode(response, context)).tokens
  const client = providerClient(exchange, provider, metadata, tools)
  const params = { ...Object.fromEntries(response), ...provider.token.params }
  const { codeVerifier, nonce, state } = checks
  const known = { state, ...(codeVerifier ? { code_verifier: codeVerifier } : {}), ...(nonce ? { nonce } : {}) }
  const answer: unknown = await request({ provider: inUse(context), params, checks: known, client })
  const tokens: unknown = isJsonObject(answer) ? answer['tokens'] : null
  if (!isJsonObject(tokens)) throw new TypeError(`expected providers.${provider.id}.token.request to return {tokens}`)
  return grantedBy(tokens, context).catch((cause: unknown) => {
    throw new ForeignError(`providers.${provider.id}.token.request returned tokens that do not hold`, { cause })
  })
}

/** The profile of a provider whose `userinfo.request` asks for it. */
export async function profileOfOwn(
  request: UserinfoRequest,
  granted: Granted,
  answer: ValidatedResponse,
  context: GrantContext
): Promise<Profile> {
  const { provider, metadata, tools } = context
  const { tokens } = granted
  const client = providerClient(async () => tokens, provider, metadata, tools)
  return agreedProfile(await request({ provider: inUse(context), tokens, client }), granted, answer, context)
}
