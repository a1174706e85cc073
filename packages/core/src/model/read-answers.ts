/** Answers that were read to their end before anybody sees them, and their bytes. */
const read = new WeakMap<Response, Uint8Array<ArrayBuffer>>()

/** Notes what an answer holds, so that nobody needs to read its stream. */
export function noteBytes(response: Response, bytes: Uint8Array<ArrayBuffer>): void {
  read.set(response, bytes)
}

/** @returns The bytes of an answer that were noted, or `null`. */
export function notedBytes(response: Response): Uint8Array<ArrayBuffer> | null {
  return read.get(response) ?? null
}
