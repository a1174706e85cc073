import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkPhase, markGuard } from './guard-hooks.ts'
import { checkHookCall } from './guard-options.ts'
import { NotRegisteredError, registration } from './registration.ts'
import { toAuthRequest } from './request.ts'
import type { Guard } from './types.ts'

/** Thrown if a request does not have the CSRF token of its browser. The route does not run. */
export class CsrfTokenError extends Error {
  readonly code = 'CSRF_TOKEN_INVALID'
  readonly statusCode = 403

  constructor(message: string) {
    super(message)
    this.name = 'CsrfTokenError'
  }
}

/** Methods that change nothing (RFC 9110 §9.2.1). */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

const missing =
  'requireCsrfToken: Postern is not registered in the scope of this route. Register it in the same scope or in a parent ' +
  'scope: await app.register(postern, { … })'

const invalid = 'The form has expired, or was sent by another site. Load the page again'

async function check(request: FastifyRequest): Promise<void> {
  const registered = request.server[registration]
  if (!registered) throw new NotRegisteredError(missing)
  // Postern's own routes check the token themselves.
  if (registered.hasOwnRoutes || safeMethods.includes(request.method)) return
  const authRequest = { ...toAuthRequest(request, '/'), ...registered.sessions.target(request) }
  if (!(await registered.auth.hasCsrfToken(authRequest))) throw new CsrfTokenError(invalid)
}

/**
 * A hook that accepts forms of the application's own pages: those with the token of `app.postern.csrfToken`, in the field
 * `csrfToken` or the header `x-csrf-token`. Use it as `preHandler`, when the form is parsed; in `onRequest` there is only the
 * header. Requests with GET, HEAD, OPTIONS and TRACE pass.
 *
 * Others fail with 403 and `code: 'CSRF_TOKEN_INVALID'`, which the application's error handler may turn into a page. In a
 * scope without Postern, requests fail with 500 and `code: 'POSTERN_NOT_REGISTERED'`.
 */
export const requireCsrfToken: Guard = function requireCsrfToken(
  request: FastifyRequest,
  reply: FastifyReply,
  ...rest: readonly unknown[]
): Promise<unknown> {
  checkHookCall(request, reply)
  checkPhase(request, reply, rest)
  return check(request)
}
markGuard(requireCsrfToken)
