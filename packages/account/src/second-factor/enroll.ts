import { type ActionResult, type FeatureCookie, type FeatureRequest, getText, redirect } from '@postern/core/feature'
import { AccountPart } from '../account-parts.ts'
import { getMailState, mailCodeToOwner, toSessionPurpose } from '../mail/mailed-code.ts'
import { ticketKinds } from '../ticket-kinds.ts'
import { hasTwoFactors, readMissingLevel } from '../two-factors.ts'
import {
  confirm,
  consumeEnrollment,
  type Enrollment,
  enrollmentKey,
  newEnrollment,
  readEnrollment,
  saveEnrollment
} from './enrollment.ts'
import { isMailStep, type MailedEnrollment, proveMailbox, showStep, withProof } from './enrollment-steps.ts'
import { askToAuthenticate, type FactorUser, listPath, showList, withFreshUser } from './manage.ts'
import { notify, toEventWrite } from './notices.ts'
import { showCodes } from './screens.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import { createHashedCodes, recoveryCodesType, toRecoveryCodesWrite } from './stored-recovery-codes.ts'
import { toTotpWrite, totpType } from './stored-totp.ts'
import type { TextKey } from './texts.ts'

const path = `${listPath}/totp`

/** The id of the enrollment is in a cookie: another session of the user must not see the secret, or choose it. */
const getCookie = ({ context }: SecondFactorSetup): FeatureCookie =>
  context.cookie('enroll', { maxAge: ticketKinds.enroll.lifetime, hasHostPrefix: true })

/** Why the user cannot set up an app; `null` if nothing prevents it. */
function findProblem({ mayAdd, factors }: FactorUser): TextKey | null {
  if (!mayAdd) return 'unverified'
  return factors.totp ? 'conflict' : null
}

/** Finds the signed-in user, who may set up an app, and passes them on. */
async function withEnrollingUser(
  request: FeatureRequest,
  setup: SecondFactorSetup,
  work: (found: FactorUser) => Promise<ActionResult>
): Promise<ActionResult> {
  return withFreshUser(request, setup, async (found) => {
    const problem = findProblem(found)
    if (problem) return showList(request, setup, request.method === 'POST' ? problem : null, 'app')
    const missing = await readMissingLevel(request, found.user.id, setup.context)
    return missing.length === 0 ? work(found) : askToAuthenticate(request, { amr: missing })
  })
}

/** Reads the secret of this browser and user. */
async function readOwn(
  { user }: FactorUser,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<Enrollment | null> {
  const text = await getCookie(setup).read(request)
  if (text === null) return null
  const { id, userId }: { readonly id: string; readonly userId: string } = JSON.parse(text)
  return userId === user.id ? readEnrollment(id, setup) : null
}

/** Creates a secret, which waits until it is confirmed. */
export function startEnrollment(request: FeatureRequest, setup: SecondFactorSetup): Promise<ActionResult> {
  return withEnrollingUser(request, setup, async (found) => {
    const id = Buffer.from(setup.context.randomBytes(32)).toString('base64url')
    // Only the one of this browser: another session must not end the enrollment of the owner.
    const earlier = await readOwn(found, request, setup)
    if (earlier) await consumeEnrollment(earlier.id, setup)
    await saveEnrollment(newEnrollment(id, setup), found.user.id, setup)
    const value = JSON.stringify({ id, userId: found.user.id })
    return redirect(`${request.origin}${request.basePath}${path}`, await getCookie(setup).create(value, request))
  })
}

/** Finds the secret that waits, and passes it on with its user. */
async function withEnrollment(
  request: FeatureRequest,
  setup: SecondFactorSetup,
  work: (found: FactorUser, enrollment: Enrollment) => Promise<ActionResult>
): Promise<ActionResult> {
  return withEnrollingUser(request, setup, async (found) => {
    const enrollment = await readOwn(found, request, setup)
    if (enrollment) return work(found, enrollment)
    return showList(request, setup, request.method === 'POST' ? 'expired' : null, 'app')
  })
}

/** The enrollment, with what its mailed code is for: this enrollment alone. */
async function readMail(
  { user }: FactorUser,
  enrollment: Enrollment,
  setup: SecondFactorSetup
): Promise<MailedEnrollment> {
  const purpose = toSessionPurpose(user, enrollment.id)
  return { enrollment, purpose, mail: withProof(await getMailState(purpose, setup.context), enrollment, purpose) }
}

function showForm(
  mailed: MailedEnrollment,
  problem: TextKey | null,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<ActionResult> {
  const { basePath } = request
  const page = {
    action: `${basePath}${path}`,
    listUrl: `${basePath}${listPath}`,
    cancelAction: null,
    isRequired: false,
    problem
  }
  return showStep(mailed, page, request, setup)
}

/** The page of the app: its steps, while one is being set up. */
export async function showApp(request: FeatureRequest, setup: SecondFactorSetup): Promise<ActionResult> {
  if ((await getCookie(setup).read(request)) === null) return showList(request, setup, null, 'app')
  return withEnrollment(request, setup, async (found, enrollment) =>
    showForm(await readMail(found, enrollment, setup), null, request, setup)
  )
}

/** A confirmed app, and new recovery codes. */
interface ConfirmedApp {
  readonly enrollment: Enrollment
  readonly totp: string
  readonly recoveryCodes: string
}

/**
 * Stores the app and the recovery codes in place of earlier ones. The first second factor ends the other sessions: a thief of one that
 * is older must not keep it.
 */
function store(
  { user }: FactorUser,
  { enrollment: { id }, totp, recoveryCodes }: ConfirmedApp,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<'changed' | 'conflict'> {
  const { context } = setup
  const { id: userId } = user
  return request.changeAccess<'conflict'>(async ({ user: current }) => {
    const factors = await context.factors.list(userId)
    const isOpen = current?.email === user.email && !factors.some(({ type }) => type === totpType)
    if (!isOpen || (await readMissingLevel(request, userId, context)).length > 0) return 'conflict'
    const earlier = factors.find(({ type }) => type === recoveryCodesType) ?? null
    return {
      ends: hasTwoFactors(factors, AccountPart.findAll(context)) ? 'token' : 'others',
      writes: [
        // Of several requests with one secret, one stores it.
        { method: 'consumeTicket', args: [enrollmentKey(id)] },
        toRecoveryCodesWrite(userId, recoveryCodes, earlier, setup),
        toTotpWrite(userId, totp, context),
        toEventWrite('factor-added', { userId, request, data: 'totp' }, setup)
      ]
    }
  })
}

/** Sends the mailed code, or verifies what was posted of the codes; the right code of the app shows the recovery codes. */
export function finishEnrollment(request: FeatureRequest, setup: SecondFactorSetup): Promise<ActionResult> {
  return withEnrollment(request, setup, async (found, enrollment) => {
    const show = async (shown: Enrollment, problem: TextKey | null): Promise<ActionResult> =>
      showForm(await readMail(found, shown, setup), problem, request, setup)
    const mailed = await readMail(found, enrollment, setup)
    if (getText(request.body, 'send')) {
      await mailCodeToOwner(mailed.purpose, request, setup.context)
      return show(enrollment, null)
    }
    const proven = await proveMailbox(mailed, request, setup)
    if ('problem' in proven) return show(enrollment, proven.problem)
    if (isMailStep(request)) return show(proven.enrollment, null)
    const totp = await confirm(enrollment, getText(request.body, 'code') ?? '', setup)
    if (totp === null) return show(proven.enrollment, 'codeWrong')
    return complete(found, { enrollment, totp }, request, setup)
  })
}

/** Stores the app, reports it, and shows the recovery codes. */
async function complete(
  found: FactorUser,
  { enrollment, totp }: { readonly enrollment: Enrollment; readonly totp: string },
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<ActionResult> {
  const { codes, data } = await createHashedCodes(request, setup)
  const outcome = await store(found, { enrollment, totp, recoveryCodes: data }, request, setup)
  if (outcome === 'conflict') return showList(request, setup, 'conflict', 'app')
  notify('added', found.user, { request }, setup)
  const listUrl = `${request.basePath}${listPath}`
  return showCodes(request, { codes, action: null, listUrl, isEnrollment: true }, getCookie(setup).clear(request))
}
