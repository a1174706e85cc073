import { pageCsrfToken } from '../csrf/csrf-token.ts'
import { json } from '../http/action-result.ts'
import type { Run } from './route.ts'

/** Returns the CSRF token of this browser. */
export const readCsrfToken: Run = async (request, { csrf }) => {
  const { token, cookies } = await pageCsrfToken(request.cookies, csrf)
  return json({ csrfToken: token }, cookies)
}
