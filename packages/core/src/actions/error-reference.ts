import type { Config } from '../config/config.ts'
import { textOf } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { ScreenCode, SignInCode } from '../model/page.ts'

/** Ids of requests, as frameworks count them or by chance. Words do not fit: nobody writes on our pages by a link. */
const shape = /^([0-9a-f]{6}-)?(req-)?[0-9a-z]{1,7}$|^[0-9a-f-]{8,64}$/

/**
 * The id on a page that explains a failure: the one that the failed request put into its redirect, where it looks like
 * one. A page that was opened without it shows its own, and notes it, so that either is in the log.
 */
export function refOf({ query, id }: AuthRequest, error: ScreenCode | SignInCode, { logger }: Config): string {
  const given = textOf(query, 'ref')
  if (given !== null && shape.test(given)) return given
  logger.warn('ERROR_PAGE', { ref: id, error })
  return id
}
