/** What a request of the scope has: its reply, which cookies are written to. */
export const replyOf: unique symbol = Symbol('postern.reply')

function told(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return typeof value === 'object' ? 'another object' : `a ${typeof value}`
}

/**
 * Looks over whom a call is about: of another request nobody would be found, and its cookies would be lost.
 *
 * @throws TypeError
 */
export function expectRequest(call: string, request: unknown): void {
  if (typeof request === 'object' && request !== null && replyOf in request) return
  const where = 'a request that came to the scope in which Postern is registered'
  throw new TypeError(`${call}: expected ${where}, got ${told(request)}; pass request, as the handler is given it`)
}

/** @throws TypeError what callbacks could only throw away. */
export function expectPatch(patch: unknown): void {
  const isPromise = typeof patch === 'object' && patch !== null && 'then' in patch && typeof patch.then === 'function'
  if (isPromise) throw new TypeError('updateSession: expected what is to change, got a promise; await it')
  if (typeof patch === 'function')
    throw new TypeError('updateSession: expected what is to change, got a function; call it')
}

/** @throws TypeError what would stand in the address as `[object Object]`. */
export function expectCallbackUrl(callbackUrl: unknown): void {
  if (callbackUrl === undefined || typeof callbackUrl === 'string') return
  throw new TypeError(
    `signInUrl: expected callbackUrl to be a text, got ${told(callbackUrl)}; pass request.url, or leave it out`
  )
}
