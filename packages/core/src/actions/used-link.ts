import type { Config } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { type ActionResult, page } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, wantsJson } from '../http/request.ts'
import type { Provider } from '../model/provider.ts'
import { resolveCallbackUrl } from '../redirects/callback-url.ts'
import { logError } from './error-response.ts'

/** What the response to a link that is no longer valid depends on. */
type UsedLinkDeps = Pick<Config, 'logger' | 'pages' | 'providers' | 'redirects' | 'sessionReader'>

function isMailedLink({ query, body }: AuthRequest, { traits }: Provider): boolean {
  return traits.accountPolicy === 'mailbox' && (getText(query, 'token') ?? getText(body, 'token')) !== null
}

/**
 * Shows a signed-in user who opens a mailed link that is no longer valid who is signed in, and the way on: often it is
 * the link that signed them in.
 *
 * @throws The error, if it has another cause, if no user is signed in, or if the application has its own error page.
 */
export async function usedLinkPage(
  error: unknown,
  provider: Provider,
  request: AuthRequest,
  deps: UsedLinkDeps
): Promise<ActionResult> {
  const isUsed = error instanceof AuthError && error.code === 'Verification' && isMailedLink(request, provider)
  if (!isUsed || wantsJson(request) || deps.pages.error) throw error
  const user = await deps.sessionReader.readUser(request.cookies)
  if (!user) throw error
  logError(error, request, deps)
  const { callbackUrl, cookies } = await resolveCallbackUrl(request, deps.redirects)
  const { name, email } = user
  return page({ name: 'used-link', user: { name, email }, callbackUrl }, joinCookies(error.cookies, cookies))
}
