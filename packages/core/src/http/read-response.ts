import { getBufferedBody } from '../model/buffered-body.ts'
import { NumberLengthError, quoteLongNumbers } from '../model/exact-json.ts'

/** The response of a provider is unusable: too long, of another type, or not text. */
export class ProviderResponseError extends Error {
  override readonly name: string = 'ProviderResponseError'
}

/** @throws ProviderResponseError */
function checkSize(size: number, max: number): void {
  if (size > max) throw new ProviderResponseError(`the response is longer than ${max} bytes`)
}

async function readBytes(body: ReadableStream<Uint8Array>, max: number, signal: AbortSignal): Promise<Uint8Array[]> {
  const reader = body.getReader()
  // A late body is not awaited; its connection is released.
  const leave = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > max) leave()
    checkSize(size, max)
    chunks.push(value)
  }
  signal.removeEventListener('abort', leave)
  signal.throwIfAborted()
  return chunks
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0))
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.byteLength
  }
  return bytes
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textIn(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ProviderResponseError('the response is not UTF-8, or it is compressed without having been requested')
  }
}

/** @throws ProviderResponseError if a number is too long. */
function withExactNumbers(text: string): string {
  try {
    return quoteLongNumbers(text)
  } catch (error) {
    if (error instanceof NumberLengthError) throw new ProviderResponseError(error.message)
    throw error
  }
}

/** The text of responses that were read: cloning a response and reading the clone costs 40 µs each time. */
const texts = new WeakMap<Response, string>()

/** @returns The text of a response, which stays readable. */
export async function readResponseText(response: Response): Promise<string> {
  return texts.get(response) ?? response.clone().text()
}

/** Stores the text of a response. JSON numbers beyond 2^53 are quoted first, so that no later reader rounds an id. */
function withText(response: Response, text: string): Response {
  const exact = withExactNumbers(text)
  const { status, headers } = response
  const whole = exact === text ? response : new Response(exact, { status, headers })
  texts.set(whole, exact)
  return whole
}

const isImage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('image/') ?? false

/**
 * Reads a response to its end, whichever `fetch` returned it.
 *
 * @param most - Maximum bytes.
 * @param signalOf - Returns the signal that aborts the read.
 * @returns A response that is readable without waiting, as are its clones.
 * @throws ProviderResponseError
 */
export async function bufferResponse(
  answering: Promise<Response>,
  max: number,
  signalOf: () => AbortSignal
): Promise<Response> {
  const response = await answering
  const known = response.bodyUsed ? null : getBufferedBody(response)
  if (known) {
    checkSize(known.byteLength, max)
    return isImage(response) ? response : withText(response, textIn(known))
  }
  if (!response.body) return response
  const bytes = joined(await readBytes(response.body, max, signalOf()))
  const { status, headers } = response
  const whole = new Response(bytes, { status, headers })
  return isImage(response) ? whole : withText(whole, textIn(bytes))
}

/** JSON has several media types; HTML is not one of them. */
const jsonTypes = /^((application|text)\/([\w.-]+\+)?(x-)?(json|javascript)|text\/plain)\b/i

/** @throws ProviderResponseError if a successful response is not JSON. */
export function checkJson({ ok, headers }: Response): void {
  const type = headers.get('content-type') ?? ''
  if (ok && !jsonTypes.test(type))
    throw new ProviderResponseError(`expected JSON, got ${type.split(';')[0] || 'no content type'}`)
}

/**
 * Parses a response as JSON.
 *
 * @throws ProviderResponseError, SyntaxError
 */
export async function readJson(response: Response): Promise<unknown> {
  checkJson(response)
  return response.json()
}
