import type { Config } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import type { StepUpRequirements } from '../features/step-up.ts'
import { type ActionResult, json, redirect } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, acceptsJsonOnly, wantsJson } from '../http/request.ts'
import { parseAcr } from '../model/authentication.ts'
import { resolveCallbackUrl } from '../redirects/callback-url.ts'
import { withQuery } from './error-response.ts'
import { type SignInPageDeps, signInPage } from './screens.ts'

/** What the page to authenticate again depends on. */
type StepUpDeps = SignInPageDeps & Pick<Config, 'base' | 'pendingSignIns' | 'stepUps'>

/** Longer texts are ignored, because a cookie must stay small: the guard requires what they name again. */
const maxLength = 1000

const parseList = (text: string | null): readonly string[] =>
  text === null || text.length > maxLength ? [] : text.split(' ').filter((value) => parseAcr(value) !== null)

/** Reads what a guard requires. A client that asks for less returns to the guard, which requires it again. */
function parseRequirements({ query }: AuthRequest): StepUpRequirements {
  const maxAge = Number.parseInt(getText(query, 'max_age') ?? '', 10)
  return {
    maxAge: Number.isSafeInteger(maxAge) && maxAge >= 0 ? maxAge : null,
    amr: parseList(getText(query, 'amr')),
    acr: parseList(getText(query, 'acr_values'))
  }
}

/** Asks the signed-in user to authenticate again. Without a session, it is a sign-in like any other. */
export async function showStepUp(request: AuthRequest, config: StepUpDeps): Promise<ActionResult> {
  const { base, origin, redirects, sessionReader, stepUps } = config
  const principal = await sessionReader.readUser(request.cookies)
  const isJson = wantsJson(request) || acceptsJsonOnly(request)
  if (!principal) {
    const { callbackUrl } = await resolveCallbackUrl(request, redirects)
    const isStarted = getText(request.query, 'callbackUrl') !== null
    const query = isStarted ? { callbackUrl, error: 'SessionRequired' } : { error: 'Callback' }
    // Clients that ask for JSON must not report success.
    return redirect(withQuery(`${base}/signin`, query, origin), config.pendingSignIns.clear(), 401)
  }
  const stepUp = { userId: principal.userId, ...parseRequirements(request) }
  const cookies = await stepUps.create(stepUp)
  if (isJson) return json({ required: parseRequirements(request), url: `${base}/signin` }, cookies)
  const result = await signInPage(request, stepUp, config)
  return { ...result, cookies: joinCookies(result.cookies, cookies) }
}
