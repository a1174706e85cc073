import type { CsrfToken } from '../csrf/csrf-token.ts'
import { type ActionResult, json } from '../http/action-result.ts'
import { chain } from '../model/awaitable.ts'
import type { Run } from './route.ts'

/** Returns the CSRF token of this browser. */
export const readCsrfToken: Run = (request, { csrf }) => chain(csrf.readOrIssue(request.cookies), toResult)

const toResult = ({ token, cookies }: CsrfToken): ActionResult => json({ csrfToken: token }, cookies)
