// Apart from the responses: their class loads `fetch`, which a start does not need.
const bodies = new WeakMap<Response, Uint8Array>()

/** Notes the body of a response that was read to its end. */
export function keepBody(response: Response, body: Uint8Array): Response {
  bodies.set(response, body)
  return response
}

/** @returns The body of a response that was read to its end before; `null` for any other. */
export const getBufferedBody = (response: Response): Uint8Array | null => bodies.get(response) ?? null
