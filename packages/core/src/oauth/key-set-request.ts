import { getErrorMessage } from '../errors/serialize-error.ts'
import { call, type Outbound } from '../http/outbound.ts'
import { readJson } from '../http/read-response.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { isKeySet } from '../tokens/key-set.ts'
import { quoteServerWords, readResponseWords } from './server-error.ts'

/** The keys of the provider could not be fetched, or the document is not a key set; `cause` is the reason. */
export class KeySetError extends Error {
  override readonly name: string = 'KeySetError'
  /** The address of the key set. */
  readonly uri: string

  constructor(uri: string, cause: unknown) {
    super(`${uri}: ${getErrorMessage(cause)}`, { cause })
    this.uri = uri
  }
}

/** @returns What the response has in place of keys: its status, its content type, and what the server says. */
async function describeResponse(response: Response): Promise<string> {
  const type = response.headers.get('content-type')?.split(';')[0] || 'no content type'
  const words = await readResponseWords(response)
  return `got status ${response.status} with ${type}${words ? `: ${quoteServerWords(words)}` : ''}`
}

/** @returns A function that fetches a provider's key set (RFC 7517 §5). @throws KeySetError */
export function keySetFrom(uri: string, provider: OAuthProvider, outbound: Outbound): () => Promise<unknown> {
  const init = { method: 'GET', headers: { accept: 'application/json, application/jwk-set+json' } }
  const load = async (): Promise<unknown> => {
    const response = await call(provider, outbound, uri, init)
    const document: unknown = response.status === 200 ? await readJson(response.clone()) : null
    if (isKeySet(document)) return document
    throw new TypeError(`expected a list of keys (RFC 7517 §5), ${await describeResponse(response)}`)
  }
  return () =>
    load().catch((cause: unknown) => {
      throw new KeySetError(uri, cause)
    })
}
