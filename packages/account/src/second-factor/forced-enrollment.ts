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
import { getTicketUser, type MailState, mailCodeToOwner, wasCodeSent } from '../mail/mailed-code.ts'
import {
  confirm,
  consumeEnrollment,
  type Enrollment,
  newEnrollment,
  readEnrollment,
  saveEnrollment
} from './enrollment.ts'
import { isMailStep, type MailedEnrollment, proveMailbox, showStep, withProof } from './enrollment-steps.ts'
import { notify } from './notices.ts'
import { hasFactor, isRequired, isSatisfied } from './policy.ts'
import { getCancelAction, showCodes } from './screens.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import { createHashedCodes, recoveryCodesType } from './stored-recovery-codes.ts'
import { totpType } from './stored-totp.ts'
import type { TextKey } from './texts.ts'
import { readFactors } from './user-factors.ts'

/** Whether a mailed code has to verify the address first: someone else may have created the user with it, or does so now. */
const isUnproven = ({ user, isNewUser, provesAddress }: PendingSignIn): boolean =>
  !provesAddress && Boolean(user.email) && (isNewUser || !user.emailVerified)

/** A thief of the first factor must not enroll: a user with an address proves it in this sign-in. */
async function getMailState(signIn: PendingSignIn, setup: SecondFactorSetup): Promise<MailState> {
  if (!signIn.user.email || signIn.provesAddress) return 'none'
  return (await wasCodeSent(signIn, setup.context)) ? 'sent' : 'send'
}

/** The enrollment of the sign-in, with what its mailed code is for. */
async function readMail(signIn: PendingSignIn, setup: SecondFactorSetup): Promise<MailedEnrollment> {
  const enrollment = await getEnrollment(signIn, setup)
  return { enrollment, purpose: signIn, mail: withProof(await getMailState(signIn, setup), enrollment, signIn) }
}

/** Reads the secret of the sign-in, and creates it the first time. */
async function getEnrollment(signIn: PendingSignIn, setup: SecondFactorSetup): Promise<Enrollment> {
  const id = signIn.id ?? ''
  const known = await readEnrollment(id, setup)
  if (known) return known
  const created = newEnrollment(id, setup)
  try {
    await saveEnrollment(created, getTicketUser(signIn), setup)
    return created
  } catch (error) {
    // Another request may have created it.
    const other = await readEnrollment(id, setup)
    if (other) return other
    throw error
  }
}

const getAction = ({ basePath }: FeatureRequest): string => `${basePath}/verify/enroll`

async function show(
  signIn: PendingSignIn,
  request: FeatureRequest,
  setup: SecondFactorSetup,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const mailed = await readMail(signIn, setup)
  const ways = { action: getAction(request), listUrl: null }
  if (mailed.enrollment.confirmed) return showCodes(request, { codes: [], ...ways, isEnrollment: true })
  return showStep(
    mailed,
    { ...ways, cancelAction: getCancelAction(request), isRequired: true, problem },
    request,
    setup
  )
}

/** Verifies what was posted of the codes. */
async function verifyCodes(
  signIn: PendingSignIn,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<Continued | ActionResult> {
  const proven = await proveMailbox(await readMail(signIn, setup), request, setup)
  if ('problem' in proven) return show(signIn, request, setup, proven.problem)
  if (isMailStep(request)) return { kind: 'continued', result: await show(signIn, request, setup) }
  return confirmSecret(signIn, proven.enrollment, request, setup)
}

/** Confirms the secret by a code, and shows the recovery codes. They are created when the sign-in completes. */
async function confirmSecret(
  signIn: PendingSignIn,
  enrollment: Enrollment,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<Continued | ActionResult> {
  const totp = await confirm(enrollment, getText(request.body, 'code') ?? '', setup)
  if (totp === null) return show(signIn, request, setup, 'codeWrong')
  if (!(await consumeEnrollment(enrollment.id, setup))) return show(signIn, request, setup, 'conflict')
  const { codes, data } = await createHashedCodes(request, setup)
  const provenAddress = isUnproven(signIn) ? enrollment.provenEmail : null
  const state = { ...enrollment, confirmed: { totp, recoveryCodes: data, provenAddress } }
  await saveEnrollment(state, getTicketUser(signIn), setup)
  const shown = { codes, action: getAction(request), listUrl: null, isEnrollment: true }
  return { kind: 'continued', result: await showCodes(request, shown) }
}

async function finish(
  signIn: PendingSignIn,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<Passed | ActionResult> {
  const confirmed = (await consumeEnrollment(signIn.id ?? '', setup))?.confirmed
  const { user, isNewUser, provesAddress, provesMailbox } = signIn
  const isProven = confirmed && (!isUnproven(signIn) || confirmed.provenAddress === user.email)
  if (!isProven) return show(signIn, request, setup, 'expired')
  // A code that only confirms a signed-in user has not verified the address.
  const provenAddress = provesAddress && provesMailbox ? (user.email ?? null) : confirmed.provenAddress
  notify(
    'added',
    provesAddress || provenAddress !== null ? { ...user, emailVerified: new Date(setup.context.now()) } : user,
    { request },
    setup
  )
  // Without a transaction, a process that ends between them must not leave an app without recovery codes.
  const newFactors: readonly NewUserFactor[] = [
    // Codes may be left of a passkey that was removed. Without a factor they are of no use.
    { type: recoveryCodesType, name: null, data: confirmed.recoveryCodes, isReplacement: !isNewUser },
    { type: totpType, name: null, data: confirmed.totp }
  ]
  return { kind: 'passed', amr: ['otp'], newFactors, provenAddress }
}

async function verify(
  signIn: PendingSignIn,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<Passed | Continued | ActionResult> {
  if (getText(request.body, 'send')) {
    if ((await getMailState(signIn, setup)) !== 'none') await mailCodeToOwner(signIn, request, setup.context)
    return show(signIn, request, setup)
  }
  const enrollment = await getEnrollment(signIn, setup)
  if (!enrollment.confirmed) return verifyCodes(signIn, request, setup)
  return getText(request.body, 'saved') ? finish(signIn, request, setup) : show(signIn, request, setup)
}

/** Makes users enroll who need a second factor and have none. */
export function createForcedEnrollment(setup: SecondFactorSetup): Interruption {
  return {
    id: 'enroll',
    order: 300,
    error: 'SecondFactorEnrollmentRequired',
    isDue: async (signIn) => {
      if (isSatisfied(signIn, setup) || !(await isRequired(signIn, setup))) return false
      return !(await hasFactor(signIn, await readFactors(signIn, setup), setup))
    },
    show: (signIn, request) => show(signIn, request, setup),
    verify: (signIn, request) => verify(signIn, request, setup)
  }
}
