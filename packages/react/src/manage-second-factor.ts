import { callFeature, FeatureCallError } from './feature.ts'
import { type Page, refused, toRefusal } from './second-factor-page.ts'
import type {
  ChangeOptions,
  ConfirmOptions,
  RecoveryCodesResponse,
  SecondFactor,
  SecondFactorResponse,
  StartEnrollmentResponse
} from './second-factor-types.ts'
import type { CtxOrReq } from './types.ts'

const change = (path: string, body: object = {}): Promise<Page> => callFeature<Page>(path, { method: 'POST', body })

/**
 * Reads the second factor of the signed-in user.
 *
 * @returns `null` if nobody is signed in, or if the user is not stored.
 * @throws Error if the request failed.
 */
export async function getSecondFactor(request: CtxOrReq = {}): Promise<SecondFactor | null> {
  try {
    const { props } = await callFeature<{ readonly props: SecondFactor }>('factors', request)
    const { totp, recoveryCodes, areFew, needsCode, verifyUrl, problem } = props
    return { totp, recoveryCodes, areFew, needsCode, verifyUrl, problem }
  } catch (error) {
    if (error instanceof FeatureCallError && [401, 403].includes(error.status)) return null
    throw error
  }
}

type EnrollmentOptions = Omit<ChangeOptions, 'code'>

/** Converts the page that sets up an app. */
async function readEnrollment(read: () => Promise<Page>, options: EnrollmentOptions): Promise<StartEnrollmentResponse> {
  try {
    const { key, mail = 'none' } = (await read()).props ?? {}
    if (!key) return { ...refused('expired'), key: null, mail: 'none' }
    return { ok: true, error: null, url: null, key: mail === 'send' ? null : key, mail }
  } catch (error) {
    return { ...toRefusal(error, options), key: null, mail: 'none' }
  }
}

/**
 * Creates a key for an authenticator app, which waits 10 minutes for `confirmEnrollment` in this browser. A user who has not
 * signed in within the last 10 minutes is sent to authenticate again, and returns. If `mail` is `send`, `sendEnrollmentCode`
 * returns the key.
 *
 * @throws Error if a request failed.
 */
export function startEnrollment(options: EnrollmentOptions = {}): Promise<StartEnrollmentResponse> {
  return readEnrollment(async () => {
    await change('factors/totp/start')
    return callFeature<Page>('factors/totp')
  }, options)
}

/**
 * Mails the code that the enrollment of this browser needs, in place of an earlier one, and returns its key.
 *
 * @throws Error if a request failed.
 */
export function sendEnrollmentCode(options: EnrollmentOptions = {}): Promise<StartEnrollmentResponse> {
  return readEnrollment(() => change('factors/totp', { send: 'mail' }), options)
}

/** Runs a change that returns recovery codes. */
async function createCodes(
  path: string,
  { code, mailCode, ...options }: ChangeOptions & Pick<ConfirmOptions, 'mailCode'>
): Promise<RecoveryCodesResponse> {
  try {
    const { props } = await change(path, { code, mailCode })
    const { codes: recoveryCodes, mail } = props ?? {}
    if (recoveryCodes) return { ok: true, error: null, url: null, recoveryCodes }
    // Without a factor, the server leads back to its page; without a mailed code, it shows the page that sends one.
    return { ...refused(mail === 'send' ? 'mailWrong' : 'conflict'), recoveryCodes: [] }
  } catch (error) {
    return { ...toRefusal(error, options), recoveryCodes: [] }
  }
}

/**
 * Sets up the app by a code that it shows, with the mailed code if one was sent, and creates recovery codes. It ends the other
 * sessions of the user.
 *
 * @throws Error if a request failed.
 */
export function confirmEnrollment(options: ConfirmOptions): Promise<RecoveryCodesResponse> {
  return createCodes('factors/totp', options)
}

/** Creates new recovery codes in place of the earlier ones. @throws Error if a request failed. */
export function createRecoveryCodes(options: ChangeOptions = {}): Promise<RecoveryCodesResponse> {
  return createCodes('factors/recovery-codes', options)
}

/** Removes the app and the recovery codes, and ends the other sessions. @throws Error if a request failed. */
export async function removeSecondFactor({ code, ...options }: ChangeOptions = {}): Promise<SecondFactorResponse> {
  try {
    await change('factors/totp/remove', { code })
    return { ok: true, error: null, url: null }
  } catch (error) {
    return toRefusal(error, options)
  }
}
