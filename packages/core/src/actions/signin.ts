import type { Config } from '../config/config.ts'
import { type ActionResult, redirect } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, wantsJson } from '../http/request.ts'
import { hasInternationalLocalPart, normalizeEmailAddress } from '../model/normalize-email-address.ts'
import { getHandler } from '../sign-in-methods/handlers.ts'
import type { Run } from './route.ts'
import { signInPage } from './screens.ts'

/** A longer text is not shown again. */
const maxLength = 320

/** Starts a sign-in with the provider that the path names. Credentials start at the form. */
export const startSignIn: Run = async (request, config, provider) => {
  if (provider) return getHandler(provider).start(provider, request, config)
  const isStep = request.path === '/signin' && !wantsJson(request) && !config.pages.signIn
  return (isStep && (await showMethods(request, config))) || redirect(`${config.base}/signin`)
}

/**
 * Shows the second step of a sign-in that begins with the address: the same methods for every address, none of which was
 * looked up.
 *
 * @returns `null` if the page has one step.
 */
async function showMethods(request: AuthRequest, config: Config): Promise<ActionResult | null> {
  const { identifierFirst } = config.signInPage
  if (!identifierFirst) return null
  const typed = (getText(request.body, 'email') ?? '').slice(0, maxLength)
  const stepUp = await config.stepUps.read(request.cookies)
  const shown = { signOutUrl: null, reason: null }
  if (normalizeEmailAddress(typed) !== null)
    return signInPage(request, stepUp, config, { ...shown, identifierFirst: { ...identifierFirst, identifier: typed } })
  const email = config.signInOptions.find(({ type }) => type === 'email' || type === 'credentials')
  const reason = hasInternationalLocalPart(typed) ? 'non-ascii' : 'invalid'
  const failedForm = email ? { providerId: email.id, identifier: typed } : null
  return signInPage(request, stepUp, config, {
    ...shown,
    error: 'EmailSignin',
    reason,
    identifierFirst,
    failedForm,
    ref: null
  })
}
