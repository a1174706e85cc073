import {
  type ActionResult,
  type Continued,
  type FeatureRequest,
  getText,
  type Interruption,
  type NewUserFactor,
  type Passed,
  type PendingSignIn
} from '@postern/core/feature'
import {
  canUndoEmail,
  consumeMailedCode,
  isMailedCode,
  type MailState,
  mailCodeToOwner,
  wasCodeSent
} from '../mail/mailed-code.ts'
import { isKnownSignIn } from '../signed-in-user.ts'
import {
  confirm,
  consumeEnrollment,
  type Enrollment,
  newEnrollment,
  readEnrollment,
  saveEnrollment,
  showKey
} from './enrollment.ts'
import { notify } from './notices.ts'
import { hasFactor, isRequired, isSatisfied } from './policy.ts'
import { formatRecoveryCode } from './recovery-codes.ts'
import { showChanged, showCodes, showEnroll, showUnverified } from './screens.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { createHashedCodes, recoveryCodesKey, recoveryCodesType } from './stored-recovery-codes.ts'
import { totpType } from './stored-totp.ts'
import type { TextKey } from './texts.ts'
import type { UserFactors } from './user-factors.ts'

const getUserId = ({ user, isNewUser }: PendingSignIn): string | null => (isNewUser ? null : user.id)

/** Whether the user may enroll: someone else may have created a user with an unverified address. */
const mayEnroll = ({ user, isNewUser, provesMailbox }: PendingSignIn): boolean =>
  isNewUser || provesMailbox || !user.email || Boolean(user.emailVerified)

/** Why the user cannot enroll, as a page; `null` if they can. */
async function findRefusal(
  signIn: PendingSignIn,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<ActionResult | null> {
  if (!mayEnroll(signIn)) return showUnverified(request)
  return (await isKnownSignIn(signIn, deps)) ? null : showChanged(request)
}

/** A thief of the first factor must not enroll: a user with an address proves it in this sign-in. */
async function getMailState(signIn: PendingSignIn, deps: SecondFactorDeps): Promise<MailState> {
  const { user, isNewUser, provesMailbox } = signIn
  if (isNewUser || !user.email || (provesMailbox && !(await canUndoEmail(signIn, deps)))) return 'none'
  return (await wasCodeSent(signIn, deps)) ? 'sent' : 'send'
}

/** Reads the secret of the sign-in, and creates it the first time. */
async function getEnrollment(signIn: PendingSignIn, deps: SecondFactorDeps): Promise<Enrollment> {
  const id = signIn.id ?? ''
  const known = await readEnrollment(id, deps)
  if (known) return known
  const created = newEnrollment(id, deps)
  try {
    await saveEnrollment(created, getUserId(signIn), deps)
    return created
  } catch (error) {
    // Another request may have created it.
    const other = await readEnrollment(id, deps)
    if (other) return other
    throw error
  }
}

const getAction = ({ basePath }: FeatureRequest): string => `${basePath}/verify/enroll`

async function show(
  signIn: PendingSignIn,
  request: FeatureRequest,
  deps: SecondFactorDeps,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const refusal = await findRefusal(signIn, request, deps)
  if (refusal) return refusal
  const enrollment = await getEnrollment(signIn, deps)
  const action = getAction(request)
  if (enrollment.confirmed) return showCodes(request, { codes: [], action, listUrl: null })
  const mail = await getMailState(signIn, deps)
  const key = await showKey(enrollment, signIn.user, request, deps)
  return showEnroll(request, { action, key, mail, isRequired: true, problem })
}

/** Confirms the secret by a code, and shows the recovery codes. They are created when the sign-in completes. */
async function confirmSecret(
  signIn: PendingSignIn,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<Continued | ActionResult> {
  const mail = await getMailState(signIn, deps)
  if (mail === 'send') return show(signIn, request, deps)
  const isMailed = mail === 'sent'
  if (isMailed && !(await isMailedCode(signIn, getText(request.body, 'mailCode') ?? '', deps)))
    return show(signIn, request, deps, 'mailWrong')
  const enrollment = await getEnrollment(signIn, deps)
  const totp = await confirm(enrollment, getText(request.body, 'code') ?? '', deps)
  if (totp === null) return show(signIn, request, deps, 'codeWrong')
  if (isMailed && !(await consumeMailedCode(signIn, deps))) return show(signIn, request, deps, 'mailWrong')
  if (!(await consumeEnrollment(enrollment.id, deps))) return show(signIn, request, deps, 'conflict')
  const { codes, data } = await createHashedCodes(request, deps)
  await saveEnrollment({ ...enrollment, confirmed: { totp, recoveryCodes: data } }, getUserId(signIn), deps)
  const shown = { codes: codes.map(formatRecoveryCode), action: getAction(request), listUrl: null }
  return { kind: 'continued', result: await showCodes(request, shown) }
}

const toFactor = (type: string, data: string): NewUserFactor => ({ type, name: null, data })

async function finish(
  signIn: PendingSignIn,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<Passed | ActionResult> {
  const confirmed = (await consumeEnrollment(signIn.id ?? '', deps))?.confirmed
  if (!confirmed) return show(signIn, request, deps, 'expired')
  const { user, isNewUser, provesMailbox } = signIn
  // Codes may be left of a passkey that was removed. Without a factor they are of no use, and new ones could not be created.
  if (!isNewUser) await deps.context.factors.delete(recoveryCodesKey(user.id))
  notify('added', provesMailbox ? { ...user, emailVerified: new Date(deps.context.now()) } : user, { request }, deps)
  // Without a transaction, a process that ends between them must not leave an app without recovery codes.
  const newFactors = [toFactor(recoveryCodesType, confirmed.recoveryCodes), toFactor(totpType, confirmed.totp)]
  return { kind: 'passed', amr: ['otp'], newFactors }
}

async function verify(
  signIn: PendingSignIn,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<Passed | Continued | ActionResult> {
  const refusal = await findRefusal(signIn, request, deps)
  if (refusal) return refusal
  if (getText(request.body, 'send')) {
    if ((await getMailState(signIn, deps)) !== 'none') await mailCodeToOwner(signIn, request, deps)
    return show(signIn, request, deps)
  }
  const enrollment = await getEnrollment(signIn, deps)
  if (!enrollment.confirmed) return confirmSecret(signIn, request, deps)
  return getText(request.body, 'saved') ? finish(signIn, request, deps) : show(signIn, request, deps)
}

/** Makes users enroll who need a second factor and have none. */
export function createForcedEnrollment(
  deps: SecondFactorDeps,
  readFactors: (signIn: PendingSignIn) => Promise<UserFactors>
): Interruption {
  return {
    id: 'enroll',
    order: 300,
    error: 'SecondFactorEnrollmentRequired',
    isDue: async (signIn) => {
      if (isSatisfied(signIn, deps) || !(await isRequired(signIn, deps))) return false
      return !(await hasFactor(signIn, await readFactors(signIn), deps))
    },
    show: (signIn, request) => show(signIn, request, deps),
    verify: (signIn, request) => verify(signIn, request, deps)
  }
}
