import type { CsrfToken } from '../csrf/csrf-token.ts'
import { type ActionResult, json } from '../http/action-result.ts'
import type { Run } from './route.ts'

/** Returns the CSRF token of this browser. */
export const readCsrfToken: Run = (request, { csrf }) => {
  const found = csrf.readOrIssue(request.cookies)
  return found instanceof Promise ? found.then(toResult) : toResult(found)
}

const toResult = ({ token, cookies }: CsrfToken): ActionResult => json({ csrfToken: token }, cookies)
