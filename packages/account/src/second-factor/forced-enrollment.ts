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
import { canUndoEmail, type MailState, mailCodeToOwner, wasCodeSent } from '../mail/mailed-code.ts'
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
import { isMailStep, type MailedEnrollment, proveMailbox, withProof } from './mailbox-proof.ts'
import { notify } from './notices.ts'
import { hasFactor, isRequired, isSatisfied } from './policy.ts'
import { formatRecoveryCode } from './recovery-codes.ts'
import { getCancelAction, showChanged, showCodes, showEnroll } from './screens.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { createHashedCodes, recoveryCodesKey, recoveryCodesType } from './stored-recovery-codes.ts'
import { totpType } from './stored-totp.ts'
import type { TextKey } from './texts.ts'
import type { UserFactors } from './user-factors.ts'

const getUserId = ({ user, isNewUser }: PendingSignIn): string | null => (isNewUser ? null : user.id)

/** Whether a mailed code has to verify the address first: someone else may have created the user with it. */
const isUnproven = ({ user, isNewUser, provesAddress }: PendingSignIn): boolean =>
  !isNewUser && !provesAddress && Boolean(user.email) && !user.emailVerified

/** Why the user cannot enroll, as a page; `null` if they can. */
async function findRefusal(
  signIn: PendingSignIn,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<ActionResult | null> {
  // While a change of the address can be undone, codes go to the earlier one, and do not prove the current one.
  const isUnknown = !(await isKnownSignIn(signIn, deps)) || (isUnproven(signIn) && (await canUndoEmail(signIn, deps)))
  return isUnknown ? showChanged(request) : null
}

/** A thief of the first factor must not enroll: a user with an address proves it in this sign-in. */
async function getMailState(signIn: PendingSignIn, deps: SecondFactorDeps): Promise<MailState> {
  const { user, isNewUser, provesAddress } = signIn
  if (isNewUser || !user.email || (provesAddress && !(await canUndoEmail(signIn, deps)))) return 'none'
  return (await wasCodeSent(signIn, deps)) ? 'sent' : 'send'
}

/** The enrollment of the sign-in, with what its mailed code is for. */
async function readMail(signIn: PendingSignIn, deps: SecondFactorDeps): Promise<MailedEnrollment> {
  const enrollment = await getEnrollment(signIn, deps)
  return { enrollment, purpose: signIn, mail: withProof(await getMailState(signIn, deps), enrollment, signIn) }
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
  const { enrollment, mail } = await readMail(signIn, deps)
  const action = getAction(request)
  if (enrollment.confirmed) return showCodes(request, { codes: [], action, listUrl: null, isEnrollment: true })
  const key = await showKey(enrollment, signIn.user, request, deps)
  const ways = { listUrl: null, cancelAction: getCancelAction(request) }
  return showEnroll(request, { action, key, mail, ...ways, isRequired: true, problem })
}

/** Verifies what was posted of the codes. */
async function verifyCodes(
  signIn: PendingSignIn,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<Continued | ActionResult> {
  const proven = await proveMailbox(await readMail(signIn, deps), request, deps)
  if ('problem' in proven) return show(signIn, request, deps, proven.problem)
  if (isMailStep(request)) return { kind: 'continued', result: await show(signIn, request, deps) }
  return confirmSecret(signIn, proven.enrollment, request, deps)
}

/** Confirms the secret by a code, and shows the recovery codes. They are created when the sign-in completes. */
async function confirmSecret(
  signIn: PendingSignIn,
  enrollment: Enrollment,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<Continued | ActionResult> {
  const totp = await confirm(enrollment, getText(request.body, 'code') ?? '', deps)
  if (totp === null) return show(signIn, request, deps, 'codeWrong')
  if (!(await consumeEnrollment(enrollment.id, deps))) return show(signIn, request, deps, 'conflict')
  const { codes, data } = await createHashedCodes(request, deps)
  const provenAddress = isUnproven(signIn) ? enrollment.provenEmail : null
  const state = { ...enrollment, confirmed: { totp, recoveryCodes: data, provenAddress } }
  await saveEnrollment(state, getUserId(signIn), deps)
  const ways = { action: getAction(request), listUrl: null, isEnrollment: true }
  return { kind: 'continued', result: await showCodes(request, { codes: codes.map(formatRecoveryCode), ...ways }) }
}

const toFactor = (type: string, data: string): NewUserFactor => ({ type, name: null, data })

async function finish(
  signIn: PendingSignIn,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<Passed | ActionResult> {
  const confirmed = (await consumeEnrollment(signIn.id ?? '', deps))?.confirmed
  const { user, isNewUser, provesAddress, provesMailbox } = signIn
  const isProven = confirmed && (!isUnproven(signIn) || confirmed.provenAddress === user.email)
  if (!isProven) return show(signIn, request, deps, 'expired')
  // Codes may be left of a passkey that was removed. Without a factor they are of no use, and new ones could not be created.
  if (!isNewUser) await deps.context.factors.delete(recoveryCodesKey(user.id))
  // A code that only confirms a signed-in user has not verified the address.
  const provenAddress = provesAddress && provesMailbox ? (user.email ?? null) : confirmed.provenAddress
  notify(
    'added',
    provesAddress || provenAddress !== null ? { ...user, emailVerified: new Date(deps.context.now()) } : user,
    { request },
    deps
  )
  // Without a transaction, a process that ends between them must not leave an app without recovery codes.
  const newFactors = [toFactor(recoveryCodesType, confirmed.recoveryCodes), toFactor(totpType, confirmed.totp)]
  return { kind: 'passed', amr: ['otp'], newFactors, provenAddress }
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
  if (!enrollment.confirmed) return verifyCodes(signIn, request, deps)
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
