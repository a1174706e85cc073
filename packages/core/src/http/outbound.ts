import { messageOf } from '../errors/serialize-error.ts'
import { ForeignError, inTime, kindOf } from '../errors/user-code.ts'
import type { OAuthProvider } from '../model/provider.ts'
import type { OutboundCall } from '../model/provider-hooks.ts'
import type { Runtime } from '../model/runtime.ts'
import { isKeySet } from '../tokens/key-set.ts'
import { readJson, wholeAnswer } from './read-response.ts'

/** What calls to providers are made with. */
export interface Outbound {
  readonly runtime: Runtime
  /** Bytes that an answer may have. */
  readonly maxBytes: number
}

type CustomFetch = NonNullable<OAuthProvider['fetch']>

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
  { runtime, maxBytes }: Outbound,
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

/** What a hook does to a call before it goes out. */
export type Change = ((call: OutboundCall, provider: OAuthProvider) => OutboundCall | Promise<OutboundCall>) | undefined

/** Makes a provider's call as a hook wants it. */
export async function changedCall(
  given: OutboundCall,
  change: Change,
  provider: OAuthProvider,
  tools: Outbound
): Promise<Response> {
  const { url, method, headers, body } = change ? await change(given, provider) : given
  return call(provider, tools, url, { method, headers: { ...headers }, body })
}

/** The keys of the provider could not be had, or are none; `cause` says why. */
export class KeySetError extends Error {
  override readonly name: string = 'KeySetError'
}

/** @returns What GETs a provider's key set (RFC 7517 §5), once it is called. @throws KeySetError */
export function keySetFrom(uri: string, provider: OAuthProvider, tools: Outbound): () => Promise<unknown> {
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
