import type { Config } from '../config/config.ts'
import { getText } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { ScreenCode, SignInCode } from '../model/page.ts'

/**
 * The form of request ids, which frameworks count or generate randomly. Words do not match, so a link cannot put text
 * on the page.
 */
const shape = /^([0-9a-f]{6}-)?(req-)?[0-9a-z]{1,7}$|^[0-9a-f-]{8,64}$/

/**
 * Returns the id on an error page: the one in the redirect of the failed request, if it has the form of an id. A page
 * without it shows the id of its own request and logs it, so the log contains either id.
 */
export function getErrorReference(
  { query, id }: AuthRequest,
  error: ScreenCode | SignInCode,
  { logger }: Pick<Config, 'logger'>
): string {
  const given = getText(query, 'ref')
  if (given !== null && shape.test(given)) return given
  logger.warn('ERROR_PAGE', { ref: id, error })
  return id
}
