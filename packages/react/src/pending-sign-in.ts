import { client } from './client.ts'
import { askAuthenticator } from './credentials.ts'
import { getUrl } from './endpoint.ts'
import { callFeature, FeatureCallError } from './feature.ts'
import { navigate } from './navigate.ts'
import { type Page, parseUrl, readProblem, refused, toRefusal } from './second-factor-page.ts'
import type {
  PendingSignIn,
  RecoveryCodesResponse,
  SecondFactorResponse,
  VerifyOptions
} from './second-factor-types.ts'

/** Reads the page of a step. @returns `null` if no sign-in is pending. */
async function readStep(step: string): Promise<Page | null> {
  try {
    return await callFeature<Page>(`verify/${step}`)
  } catch (error) {
    if (!(error instanceof FeatureCallError)) throw error
    if (error.status === 401) return null
    if (error.status === 403) return Object(error.body)
    throw error
  }
}

function toPending(step: string, page: Page): PendingSignIn {
  const { methods = [], digits = 6, mail = 'none', trustDays = 0, key = null } = page.props ?? {}
  const isConfirmed = page.screen === 'factors/recovery-codes'
  const shownKey = mail === 'send' ? null : key
  return { step, methods, digits, mail, trustDays, key: shownKey, isConfirmed, problem: readProblem(page) }
}

/**
 * Reads what the sign-in of this browser waits for, after `signIn` with `redirect: false` has returned the error
 * `SecondFactorRequired` or `SecondFactorEnrollmentRequired`.
 *
 * @returns `null` if no sign-in is pending.
 * @throws Error if a request failed.
 */
export async function getPendingSignIn(): Promise<PendingSignIn | null> {
  // Asking for a step is without effect if no sign-in is pending; if another step is due, the response leads to it.
  const page = await readStep('factor')
  if (!page || page.props) return page && toPending('factor', page)
  const { interruptions = [] } = await callFeature<{ readonly interruptions?: readonly string[] }>('verify')
  const [step] = interruptions
  if (step === undefined) return null
  return toPending(step, step === 'enroll' ? ((await readStep(step)) ?? {}) : {})
}

/** Sends the form of a step. @returns The page that follows; a sign-in that has completed, or was refused, has none. */
async function post(step: string, body: object, redirect: boolean): Promise<Page | SecondFactorResponse> {
  try {
    const page = await callFeature<Page>(`verify/${step}`, { method: 'POST', body })
    if (page.url === undefined) return page
    const url = parseUrl(page.url)
    if (url.searchParams.get('csrf') === 'true') return refused('CsrfTokenInvalid')
    if (url.pathname === parseUrl(getUrl('verify')).pathname) return refused('VerificationRequired', url.href)
    await client.getSession()
    if (redirect) navigate(url.href)
    return { ok: true, error: null, url: url.href }
  } catch (error) {
    return toRefusal(error, { redirect })
  }
}

/** A page instead of the end of a sign-in asks for a mailed code, or for a new start. */
const toResult = (result: Page | SecondFactorResponse): SecondFactorResponse =>
  'ok' in result ? result : refused((result.props?.mail ?? 'none') === 'none' ? 'expired' : 'mailWrong')

/**
 * Answers the second factor of a pending sign-in, and completes it.
 *
 * @throws Error if a request failed.
 */
export async function verifySecondFactor(options: VerifyOptions): Promise<SecondFactorResponse> {
  const { passkey = false, trust = false, redirect = true, code, mailCode, recoveryCode } = options
  const fields = { code, mailCode, recoveryCode, ...(trust && { trust: 'yes' }) }
  if (!passkey) return toResult(await post('factor', fields, redirect))
  const passkeyOptions = (await readStep('factor'))?.props?.passkeyOptions
  if (!passkeyOptions) return refused('passkeyWrong')
  const asked = await askAuthenticator(passkeyOptions)
  if ('error' in asked) return refused(asked.error)
  return toResult(await post('factor', { ...fields, ...asked }, redirect))
}

/**
 * Sends the mailed code that a pending sign-in needs.
 *
 * @param step - Of `getPendingSignIn`.
 * @throws Error if a request failed.
 */
export async function sendMailedCode(step: 'factor' | 'enroll' = 'factor'): Promise<SecondFactorResponse> {
  const result = await post(step, { send: 'mail' }, false)
  return 'ok' in result ? result : { ok: true, error: null, url: null }
}

/**
 * Confirms the key of an enrollment that a sign-in requires, and creates recovery codes. `completeEnrollment` is next.
 *
 * @throws Error if a request failed.
 */
export async function confirmRequiredEnrollment(options: {
  code: string
  /** If `mail` of the pending sign-in is `sent`. */
  mailCode?: string | undefined
}): Promise<RecoveryCodesResponse> {
  const result = await post('enroll', options, false)
  const recoveryCodes = 'ok' in result ? [] : (result.props?.codes ?? [])
  return recoveryCodes.length > 0
    ? { ok: true, error: null, url: null, recoveryCodes }
    : { ...toResult(result), recoveryCodes }
}

/**
 * Completes a sign-in once the user has saved the recovery codes.
 *
 * @throws Error if a request failed.
 */
export async function completeEnrollment(
  options: { redirect?: boolean | undefined } = {}
): Promise<SecondFactorResponse> {
  return toResult(await post('enroll', { saved: 'yes' }, options.redirect ?? true))
}
