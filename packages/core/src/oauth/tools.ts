import * as oauth from 'oauth4webapi'
import { messageOf } from '../errors/describe.ts'
import { ForeignError, inTime, kindOf } from '../errors/foreign.ts'
import { readJson, wholeAnswer } from '../http/answers.ts'
import type { Logger } from '../model/logger.ts'
import type { OAuthProvider } from '../model/provider.ts'
import type { OutboundCall } from '../model/provider-config.ts'
import type { Runtime } from '../model/runtime.ts'
import { isKeySet, type KeySets } from '../tokens/key-set.ts'
import type { Seen } from '../tokens/seen.ts'
import type { MetadataCache } from './metadata.ts'

/** The keys of the provider could not be had, or are none; `cause` says why. */
export class KeySetError extends Error {
  override readonly name: string = 'KeySetError'
}

/** What the protocol works with; the same for every provider of one Postern. */
export interface OAuthTools {
  readonly runtime: Runtime
  readonly logger: Logger
  readonly keySets: KeySets
  readonly metadata: MetadataCache
  /** Logout tokens that were used. */
  readonly logouts: Seen
  /** Seconds that clocks may differ. */
  readonly clockTolerance: number
  /** Bytes that an answer may have. */
  readonly maxBytes: number
}

type CustomFetch = NonNullable<OAuthProvider['fetch']>

/** What every call of the protocol is made with. */
export interface CallOptions {
  readonly [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>) => Promise<Response>
  readonly [oauth.allowInsecureRequests]: boolean
}

/** @throws ForeignError the provider's own `fetch` failed, or answered something else than a response. */
async function ownAnswer(id: string, fetch: CustomFetch, url: string, init: RequestInit): Promise<Response> {
  const callee = `providers.${id}[customFetch]`
  let answer: unknown
  try {
    answer = await fetch(url, init)
  } catch (cause) {
    throw new ForeignError(`${callee} threw`, { cause })
  }
  if (answer instanceof Response) return answer
  throw new ForeignError(`${callee} returned ${kindOf(answer)}, not a Response`)
}

/** Makes a provider's call: through its own `fetch` where it has one, else the runtime's; in its limits in any case. */
export async function call(
  { id, fetch, allowInsecureRequests, timeout }: OAuthProvider,
  { runtime, maxBytes }: OAuthTools,
  url: string,
  init: RequestInit
): Promise<Response> {
  // Made for those who ask for it: our own way out counts the time by itself.
  let made: AbortSignal | null = null
  const signal = (): AbortSignal => {
    made ??= AbortSignal.timeout(timeout)
    return made
  }
  const guarded: RequestInit = {
    ...init,
    redirect: 'manual',
    get signal() {
      return signal()
    }
  }
  const answering = fetch
    ? ownAnswer(id, fetch, url, guarded)
    : runtime.fetch(url, guarded, { allowInsecureRequests, timeout, maxBytes })
  return inTime(
    fetch ? `providers.${id}[customFetch]` : `providers.${id}: the server`,
    wholeAnswer(answering, maxBytes, signal),
    timeout
  )
}

/** @returns What GETs a provider's key set (RFC 7517 §5), once it is called. @throws KeySetError */
export function keySetFrom(uri: string, provider: OAuthProvider, tools: OAuthTools): () => Promise<unknown> {
  const init = { method: 'GET', headers: { accept: 'application/json, application/jwk-set+json' } }
  return async () => {
    try {
      const response = await call(provider, tools, uri, init)
      if (response.status !== 200) throw new TypeError(`expected status 200, got ${response.status}`)
      const document = await readJson(response)
      if (!isKeySet(document)) throw new TypeError('expected a list of keys (RFC 7517 §5)')
      return document
    } catch (cause) {
      throw new KeySetError(messageOf(cause), { cause })
    }
  }
}

/** What a hook does to a call before it goes out. */
type Change = ((call: OutboundCall, provider: OAuthProvider) => OutboundCall | Promise<OutboundCall>) | undefined

/** Makes a provider's call as a hook wants it. */
export async function changedCall(
  given: OutboundCall,
  change: Change,
  provider: OAuthProvider,
  tools: OAuthTools
): Promise<Response> {
  const { url, method, headers, body } = change ? await change(given, provider) : given
  return call(provider, tools, url, { method, headers: { ...headers }, body })
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
