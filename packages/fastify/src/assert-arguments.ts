import { isObject } from './is-object.ts'

/** The property of a request in the scope: its reply, which cookies are set on. */
export const replySymbol: unique symbol = Symbol('postern.reply')

function describeType(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return typeof value === 'object' ? 'another object' : `a ${typeof value}`
}

/**
 * Asserts that the argument is a request of this scope. Any other request has no session, and its cookies would be
 * lost.
 *
 * @throws TypeError
 */
export function assertRequest(call: string, request: unknown): void {
  if (isObject(request) && replySymbol in request) return
  const where = 'a request that came to the scope in which Postern is registered'
  throw new TypeError(
    `${call}: expected ${where}, got ${describeType(request)}; pass the request that the handler receives`
  )
}

/** @throws TypeError if the cookies would reach another browser, or none. */
export function assertReply(call: string, request: unknown, reply: unknown): void {
  const hint = 'pass the reply that the handler receives, before it is sent'
  if (!isObject(reply) || reply['request'] !== request)
    throw new TypeError(`${call}: expected the reply of the request, got ${describeType(reply)}; ${hint}`)
  if (reply['sent'] === true)
    throw new TypeError(`${call}: expected a reply that can set cookies, got a sent one; ${hint}`)
}

/** @throws TypeError if the patch is a value that callbacks could only discard, such as a promise. */
export function assertPatch(patch: unknown): void {
  if (isObject(patch) && typeof patch['then'] === 'function')
    throw new TypeError('updateSession: expected the data to update, got a promise; await it')
  if (typeof patch === 'function')
    throw new TypeError('updateSession: expected the data to update, got a function; call it')
}

/** @throws TypeError if the value would appear in the URL as `[object Object]`. */
export function assertCallbackUrl(callbackUrl: unknown): void {
  if (callbackUrl === undefined || typeof callbackUrl === 'string') return
  throw new TypeError(
    `signInUrl: expected callbackUrl to be a string, got ${describeType(callbackUrl)}; pass request.url, or omit it`
  )
}
