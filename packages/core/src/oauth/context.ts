import * as oauth from 'oauth4webapi'
import { type Change, call, changedCall, type Outbound } from '../http/outbound.ts'
import type { Logger } from '../model/logger.ts'
import type { OAuthProvider } from '../model/provider.ts'
import type { KeySetTimes } from '../tokens/key-set.ts'
import type { Seen } from '../tokens/replay-cache.ts'
import type { MetadataTimes } from './metadata.ts'

/** What the protocol works with; the same for every provider of one Postern. */
export interface OAuthTools extends Outbound {
  readonly logger: Logger
  readonly keyTimes: KeySetTimes
  readonly metadataTimes: MetadataTimes
  /** Logout tokens that were used. */
  readonly logouts: Seen
  /** Seconds that clocks may differ. */
  readonly clockTolerance: number
}

/** What every call of the protocol is made with. */
export interface CallOptions {
  readonly [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>) => Promise<Response>
  readonly [oauth.allowInsecureRequests]: boolean
}

/** Every call of the protocol goes out in this provider's way. */
export function callOptions(provider: OAuthProvider, tools: OAuthTools, change?: Change): CallOptions {
  return {
    [oauth.customFetch]: (url, { method, headers, body }) => {
      const content = body instanceof URLSearchParams || typeof body === 'string' ? body : null
      if (!change) return call(provider, tools, url, { method, headers, body: content })
      return changedCall({ url, method, headers, body: content && String(content) }, change, provider, tools)
    },
    [oauth.allowInsecureRequests]: provider.allowInsecureRequests
  }
}

/** The client as the protocol sees it, on our clock. */
export function clientOf(provider: OAuthProvider, { runtime, clockTolerance }: OAuthTools): oauth.Client {
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
