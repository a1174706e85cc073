import * as oauth from 'oauth4webapi'
import type { OAuthProvider, ProviderClient, TokenSet } from '../model/provider.ts'
import { clientAuth } from './client-auth.ts'
import type { Metadata } from './metadata.ts'
import { plainAnswer } from './token-answer.ts'
import { toTokenSet } from './token-request.ts'
import { callOptions, clientOf, type OAuthTools } from './tools.ts'
import { plainUserinfo } from './userinfo.ts'

/** What a `request()` function of next-auth v4 calls on its `client`: the calls that such functions make. */
export function providerClient(
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
      return plainUserinfo({ access_token: accessToken }, parameters, provider, metadata, tools)
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
