import { callFeature, FeatureCallError } from './feature.ts'
import { type Page, refused, toRefusal } from './second-factor-page.ts'
import type {
  ChangeOptions,
  RecoveryCodesResponse,
  SecondFactor,
  SecondFactorResponse,
  StartEnrollmentResponse
} from './second-factor-types.ts'
import type { CtxOrReq } from './types.ts'

const change = (path: string, code?: string): Promise<Page> =>
  callFeature<Page>(path, { method: 'POST', body: { code } })

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

/**
 * Creates a key for an authenticator app, which waits 10 minutes for `confirmEnrollment` in this browser. A user who has not
 * signed in within the last 10 minutes is sent to authenticate again, and returns.
 *
 * @throws Error if a request failed.
 */
export async function startEnrollment(options: Omit<ChangeOptions, 'code'> = {}): Promise<StartEnrollmentResponse> {
  try {
    await change('factors/totp/start')
    const { props } = await callFeature<Page>('factors/totp')
    return props?.key ? { ok: true, error: null, url: null, key: props.key } : { ...refused('expired'), key: null }
  } catch (error) {
    return { ...toRefusal(error, options), key: null }
  }
}

/** Runs a change that returns recovery codes. */
async function createCodes(path: string, { code, ...options }: ChangeOptions): Promise<RecoveryCodesResponse> {
  try {
    const { props } = await change(path, code)
    // Without a factor, the server leads back to its page.
    const { codes: recoveryCodes } = props ?? {}
    return recoveryCodes
      ? { ok: true, error: null, url: null, recoveryCodes }
      : { ...refused('conflict'), recoveryCodes: [] }
  } catch (error) {
    return { ...toRefusal(error, options), recoveryCodes: [] }
  }
}

/**
 * Sets up the app by a code that it shows, and creates recovery codes. It ends the other sessions of the user.
 *
 * @throws Error if a request failed.
 */
export function confirmEnrollment(options: ChangeOptions & { code: string }): Promise<RecoveryCodesResponse> {
  return createCodes('factors/totp', options)
}

/** Creates new recovery codes in place of the earlier ones. @throws Error if a request failed. */
export function createRecoveryCodes(options: ChangeOptions = {}): Promise<RecoveryCodesResponse> {
  return createCodes('factors/recovery-codes', options)
}

/** Removes the app and the recovery codes, and ends the other sessions. @throws Error if a request failed. */
export async function removeSecondFactor({ code, ...options }: ChangeOptions = {}): Promise<SecondFactorResponse> {
  try {
    await change('factors/totp/remove', code)
    return { ok: true, error: null, url: null }
  } catch (error) {
    return toRefusal(error, options)
  }
}
