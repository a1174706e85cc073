import { notedBytes } from '../model/read-answers.ts'

/** An answer of a provider that nothing is made of: too long, of another type, or no text. */
export class AnswerError extends Error {
  override readonly name: string = 'AnswerError'
}

async function bytesOf(body: ReadableStream<Uint8Array>, most: number, signal: AbortSignal): Promise<Uint8Array[]> {
  const reader = body.getReader()
  // A body that comes too late is not waited for, and its connection is given back.
  const leave = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > most) {
      leave()
      throw new AnswerError(`the answer is longer than ${most} bytes`)
    }
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

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AnswerError('the answer is no text in UTF-8, or compressed without being asked')
  }
}

/** What was read of an answer: to clone it and read that costs 40 µs each time. */
const texts = new WeakMap<Response, string>()

/** @returns The text of an answer, which can be read again afterwards. */
export async function answerText(response: Response): Promise<string> {
  return texts.get(response) ?? response.clone().text()
}

const isImage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('image/') ?? false

/**
 * Reads an answer to its end, whoever fetched it.
 *
 * @param most - Bytes.
 * @param signalOf - Gives what ends the reading.
 * @returns An answer that can be read at once, and again from its clones.
 * @throws AnswerError
 */
export async function wholeAnswer(
  answering: Promise<Response>,
  most: number,
  signalOf: () => AbortSignal
): Promise<Response> {
  const response = await answering
  const noted = notedBytes(response)
  if (noted && noted.byteLength <= most) {
    if (noted.byteLength > 0 && !isImage(response)) texts.set(response, textIn(noted))
    return response
  }
  if (!response.body) return response
  const bytes = joined(await bytesOf(response.body, most, signalOf()))
  const { status, headers } = response
  const whole = new Response(bytes, { status, headers })
  if (!isImage(response)) texts.set(whole, textIn(bytes))
  return whole
}

/** JSON goes by several names; a page of HTML is none of them. */
const jsonTypes = /^((application|text)\/([\w.-]+\+)?(x-)?(json|javascript)|text\/plain)\b/i

/** @throws AnswerError an answer that succeeded, and is no JSON. */
export function checkJson({ ok, headers }: Response): void {
  const type = headers.get('content-type') ?? ''
  if (ok && !jsonTypes.test(type))
    throw new AnswerError(`expected JSON, got ${type.split(';')[0] || 'no content type'}`)
}

/**
 * Reads an answer as JSON.
 *
 * @throws AnswerError, SyntaxError
 */
export async function readJson(response: Response): Promise<unknown> {
  checkJson(response)
  return response.json()
}
