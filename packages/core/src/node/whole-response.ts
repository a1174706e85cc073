import { noteBytes } from '../model/read-answers.ts'

const bodiless = new Set([204, 205, 304])

const decoder = new TextDecoder()

/**
 * A response that was read to its end before anybody sees it.
 *
 * A `Response` of bytes makes a stream and reads that, at 40 µs each time; this one makes it only for those who ask for
 * more than text, JSON or bytes. It can be read once, as any other; its clones too.
 */
export function wholeResponse(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(null, init)
  let streamed: Response | null = null
  let isRead = false
  const read = (): Uint8Array<ArrayBuffer> => {
    if (isRead) throw new TypeError('expected an answer that nobody has read')
    isRead = true
    return bytes
  }
  const stream = (): Response => {
    if (streamed) return streamed
    streamed = new Response(bodiless.has(response.status) ? null : bytes.slice(), init)
    // What was read by a shorter way is read for every other.
    if (isRead) void streamed.text()
    return streamed
  }
  const text = async (): Promise<string> => (streamed ? streamed.text() : decoder.decode(read()))
  const arrayBuffer = async (): Promise<ArrayBuffer> => (streamed ? streamed.arrayBuffer() : read().slice().buffer)
  const clone = (): Response => {
    if (isRead || streamed?.bodyUsed) throw new TypeError('expected an answer that nobody has read')
    return wholeResponse(bytes, init)
  }
  Object.defineProperties(response, {
    body: { get: () => stream().body },
    bodyUsed: { get: () => isRead || (streamed?.bodyUsed ?? false) },
    text: { value: text },
    json: { value: async () => JSON.parse(await text()) },
    arrayBuffer: { value: arrayBuffer },
    bytes: { value: async () => new Uint8Array(await arrayBuffer()) },
    blob: { value: () => stream().blob() },
    formData: { value: () => stream().formData() },
    clone: { value: clone }
  })
  noteBytes(response, bytes)
  return response
}
