import type { Config } from '../config/config.ts'
import { type ActionResult, text } from '../http/action-result.ts'
import { type AuthRequest, acceptsPage } from '../http/request.ts'
import { getErrorReference } from './error-reference.ts'
import { errorPage } from './error-response.ts'

/** The error page for browsers, unless the application has its own; other clients get the text. */
function notFound(request: AuthRequest, config: Config, plain: ActionResult): ActionResult {
  if (!acceptsPage(request) || config.pages.error) return plain
  return errorPage({ error: 'NotFound', status: 404, ref: getErrorReference(request, 'NotFound', config) }, config)
}

/** The response to a path that names an unknown provider. */
export function unknownProvider(request: AuthRequest, config: Config): ActionResult {
  return notFound(request, config, text('Error: there is no such provider', 404))
}

/** The response to an unknown action, and to a method that an action does not have: the text is next-auth's. */
export function unknownAction(request: AuthRequest, config: Config): ActionResult {
  const method = request.method.replaceAll(/[^A-Z]/gi, '')
  return notFound(request, config, text(`Error: This action with HTTP ${method} is not supported`, 400))
}
