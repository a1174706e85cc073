import * as oauth from 'oauth4webapi'
import { type Change, call, changedCall, type Outbound } from '../http/outbound.ts'
import type { Logger } from '../model/logger.ts'
import type { OAuthProvider } from '../model/provider.ts'
import type { CacheTimes } from '../tokens/document-cache.ts'
import type { KeySetTimes } from '../tokens/key-set.ts'
import type { ReplayCache } from '../tokens/replay-cache.ts'

/** The dependencies of the protocol; shared by all providers of an instance. */
export interface OAuthContext extends Outbound {
  readonly logger: Logger
  readonly keyTimes: KeySetTimes
  readonly metadataTimes: CacheTimes
  /** The `jti` values of used logout tokens. */
  readonly logouts: ReplayCache
  /** The tolerated clock difference in seconds. */
  readonly clockTolerance: number
}

/** The options of every protocol request. */
export interface CallOptions {
  readonly [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>) => Promise<Response>
  readonly [oauth.allowInsecureRequests]: boolean
}

/** Creates the options of a protocol request, which is sent with the provider's `fetch` and limits. */
export function callOptions(provider: OAuthProvider, oauthContext: OAuthContext, change?: Change): CallOptions {
  return {
    [oauth.customFetch]: (url, { method, headers, body }) => {
      const content = body instanceof URLSearchParams || typeof body === 'string' ? body : null
      if (!change) return call(provider, oauthContext, url, { method, headers, body: content })
      return changedCall({ url, method, headers, body: content && String(content) }, change, provider, oauthContext)
    },
    [oauth.allowInsecureRequests]: provider.allowInsecureRequests
  }
}

/** @returns The provider's hook for requests to the token endpoint. */
export function tokenRequestChange({ hooks }: OAuthProvider, redirectUri: string | null): Change {
  const { tokenRequest } = hooks
  return tokenRequest && ((call, provider) => tokenRequest(call, provider, redirectUri))
}

/** The client for oauth4webapi, with the clock of the runtime. */
export function createOAuthClient(provider: OAuthProvider, { runtime, clockTolerance }: OAuthContext): oauth.Client {
  const { id_token_signed_response_alg, userinfo_signed_response_alg, default_max_age, require_auth_time } =
    provider.client
  return {
    client_id: provider.clientId,
    ...(id_token_signed_response_alg ? { id_token_signed_response_alg } : {}),
    ...(userinfo_signed_response_alg ? { userinfo_signed_response_alg } : {}),
    ...(default_max_age === undefined ? {} : { default_max_age }),
    ...(require_auth_time === undefined ? {} : { require_auth_time }),
    [oauth.clockSkew]: Math.round((runtime.now() - Date.now()) / 1000),
    [oauth.clockTolerance]: clockTolerance
  }
}
