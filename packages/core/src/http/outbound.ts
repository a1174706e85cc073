import { describeKind, UserCodeError, withTimeout } from '../errors/user-code.ts'
import type { OAuthProvider, OutboundCall } from '../model/provider.ts'
import type { Runtime } from '../model/runtime.ts'
import { bufferResponse } from './read-response.ts'

/** The dependencies of requests to providers. */
export interface Outbound {
  readonly runtime: Runtime
  /** Maximum bytes of a response. */
  readonly maxBytes: number
}

type CustomFetch = NonNullable<OAuthProvider['fetch']>

/** @throws UserCodeError if the provider's own `fetch` failed, or returned something other than a `Response`. */
async function ownAnswer(id: string, fetch: CustomFetch, url: string, init: RequestInit): Promise<Response> {
  const callee = `providers.${id}[customFetch]`
  let response: unknown
  try {
    response = await fetch(url, init)
  } catch (cause) {
    throw new UserCodeError(`${callee} threw`, { cause })
  }
  if (response instanceof Response) return response
  throw new UserCodeError(`${callee} returned ${describeKind(response)}, not a Response`)
}

/** Calls a provider through its own `fetch` if it has one, else the runtime's; the limits apply in both cases. */
export async function call(
  { id, fetch, allowInsecureRequests, timeout }: OAuthProvider,
  { runtime, maxBytes }: Outbound,
  url: string,
  init: RequestInit
): Promise<Response> {
  // Created on demand: the guarded fetch implements the timeout itself.
  let timeoutSignal: AbortSignal | null = null
  const signal = (): AbortSignal => {
    timeoutSignal ??= AbortSignal.timeout(timeout)
    return timeoutSignal
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
  return withTimeout(
    fetch ? `providers.${id}[customFetch]` : `providers.${id}: the server`,
    bufferResponse(answering, maxBytes, signal),
    timeout
  )
}

/** A hook that changes a call before it is sent. */
export type Change =
  | ((call: OutboundCall, provider: OAuthProvider) => OutboundCall | PromiseLike<OutboundCall>)
  | undefined

/** Calls a provider after a hook has changed the call. */
export async function changedCall(
  given: OutboundCall,
  change: Change,
  provider: OAuthProvider,
  outbound: Outbound
): Promise<Response> {
  const { url, method, headers, body } = change ? await change(given, provider) : given
  return call(provider, outbound, url, { method, headers: { ...headers }, body })
}
