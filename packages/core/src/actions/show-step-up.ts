import type { Config } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { isFeaturePage } from '../features/registry.ts'
import type { StepUpRequirements } from '../features/step-up.ts'
import { type ActionResult, json, redirect } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, acceptsJsonOnly, getHeader, wantsJson } from '../http/request.ts'
import { parseAcr } from '../model/authentication.ts'
import { withQuery } from './error-response.ts'
import { signInPage } from './screens.ts'

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

/** Whether the user has to send a form again afterwards, as a browser cannot repeat a POST. */
const mustRepeat = ({ query }: AuthRequest): boolean => getText(query, 'repeat') === 'true'

/** The account page: the application's own, or the one of a feature; otherwise the front page. */
function getHomeUrl({ base, origin, pages, features }: Config): string {
  if (pages.account !== null) return new URL(pages.account, origin).href
  return isFeaturePage(features, '/account') ? `${base}/account` : origin
}

/**
 * Where a user goes who does not want to authenticate again: the page before. The page that requires it would ask again, unless it is
 * the page with the form of a POST.
 */
async function resolveBackUrl(request: AuthRequest, callbackUrl: string, config: Config): Promise<string> {
  const { base, origin, redirects } = config
  if (mustRepeat(request)) return callbackUrl
  const referer = getHeader(request, 'referer') ?? ''
  const isOwn = callbackUrl.startsWith(`${base}/`)
  const isUsable = !isOwn && referer.length <= maxLength && URL.canParse(referer) && new URL(referer).origin === origin
  const backUrl = isUsable ? await redirects.toSafeUrl(referer) : callbackUrl
  const home = getHomeUrl(config)
  if (backUrl !== callbackUrl) return backUrl
  return home === callbackUrl ? origin : home
}

/** Whether a page sends the user here, and states what it requires. */
function isStarted({ query }: AuthRequest): boolean {
  return ['callbackUrl', 'max_age', 'acr_values', 'amr', 'repeat'].some((name) => getText(query, name) !== null)
}

/** Asks the signed-in user to authenticate again. Without a session, it is a sign-in like any other. */
export async function showStepUp(request: AuthRequest, config: Config): Promise<ActionResult> {
  const { base, origin, redirects, sessionReader, stepUps } = config
  const principal = await sessionReader.readUser(request.cookies)
  const isJson = wantsJson(request) || acceptsJsonOnly(request)
  const { callbackUrl } = await redirects.resolve(request)
  if (!principal) {
    const query =
      getText(request.query, 'callbackUrl') !== null ? { callbackUrl, error: 'SessionRequired' } : { error: 'Callback' }
    // Clients that ask for JSON must not report success.
    return redirect(withQuery(`${base}/signin`, query, origin), config.pendingSignIns.clear(), 401)
  }
  // The way back from a step of it, such as the page for a mailed code, states nothing.
  const known = isStarted(request) ? null : await stepUps.read(request.cookies)
  const { userId } = principal
  const stepUp = known ?? {
    userId,
    mustRepeat: mustRepeat(request),
    backUrl: await resolveBackUrl(request, callbackUrl, config),
    ...parseRequirements(request)
  }
  const cookies = await stepUps.create(stepUp)
  if (isJson) return json({ required: parseRequirements(request), url: `${base}/signin` }, cookies)
  const result = await signInPage(request, stepUp, config)
  return { ...result, cookies: joinCookies(result.cookies, cookies) }
}
