const bodies = new WeakMap<Response, Uint8Array>()

/** Creates a response whose body was read to its end, so that nobody has to read it from a stream. */
export function createBufferedResponse(body: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(body, init)
  bodies.set(response, body)
  return response
}

/** @returns The body of a response that was created with it; `null` for any other. */
export function getBufferedBody(response: Response): Uint8Array | null {
  return bodies.get(response) ?? null
}
