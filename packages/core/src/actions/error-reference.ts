import type { Config } from '../config/config.ts'
import { getText } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { ScreenCode, SignInCode } from '../model/page.ts'

/**
 * The form of request ids, which frameworks count or generate randomly. Words do not match, so a link cannot put text
 * on the page.
 */
const shape = /^([0-9a-f]{6}-)?(req-)?[0-9a-z]{1,7}$|^[0-9a-f-]{8,64}$/

/** @returns The id in the redirect of the failed request, or `null` if the query has none of the form of an id. */
export function readReference({ query }: Pick<AuthRequest, 'query'>): string | null {
  const given = getText(query, 'ref')
  return given !== null && shape.test(given) ? given : null
}

/**
 * Returns the id on an error page: the one in the redirect of the failed request, if it has the form of an id. A page
 * without it shows the id of its own request and logs it, so the log contains either id.
 */
export function getErrorReference(
  request: AuthRequest,
  error: ScreenCode | SignInCode,
  { features, logger }: Config
): string {
  const given = readReference(request)
  if (given !== null) return given
  const code = getText(request.query, 'error') ?? ''
  logger.warn('ERROR_PAGE', { ref: request.id, error: features.errors.has(code) ? code : error })
  return request.id
}
