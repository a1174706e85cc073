import {
  type ActionResult,
  AuthError,
  type Factor,
  type FeatureCookie,
  type FeatureRequest,
  getText,
  redirect
} from '@postern/core/feature'
import { getMailState, type MailedCodePurpose, mailCodeToOwner, toSessionPurpose } from '../mail/mailed-code.ts'
import { readSignInTrust } from '../signed-in-user.ts'
import { readMissingLevel } from '../two-factors.ts'
import {
  confirm,
  consumeEnrollment,
  type Enrollment,
  enrollmentMaxAge,
  newEnrollment,
  readEnrollment,
  saveEnrollment,
  showKey
} from './enrollment.ts'
import { isMailStep, type MailedEnrollment, proveMailbox, withProof } from './mailbox-proof.ts'
import { askToAuthenticate, type FactorUser, listPath, showList, withFreshUser } from './manage.ts'
import { notify, record } from './notices.ts'
import { formatRecoveryCode } from './recovery-codes.ts'
import { showCodes, showEnroll } from './screens.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { createHashedCodes, recoveryCodesKey } from './stored-recovery-codes.ts'
import { totpKey } from './stored-totp.ts'
import type { TextKey } from './texts.ts'

const path = `${listPath}/totp`

/** The id of the enrollment is in a cookie: another session of the user must not see the secret, or choose it. */
const getCookie = ({ context }: SecondFactorDeps): FeatureCookie =>
  context.cookie('enroll', { maxAge: enrollmentMaxAge, hasHostPrefix: true })

/** Why the user cannot set up an app; `null` if nothing prevents it. */
function findProblem({ mayAdd, factors }: FactorUser): TextKey | null {
  if (!mayAdd) return 'unverified'
  return factors.totp ? 'conflict' : null
}

/** Finds the signed-in user, who may set up an app, and passes them on. */
async function withEnrollingUser(
  request: FeatureRequest,
  deps: SecondFactorDeps,
  work: (found: FactorUser) => Promise<ActionResult>
): Promise<ActionResult> {
  return withFreshUser(request, deps, async (found) => {
    const problem = findProblem(found)
    if (problem) return showList(request, deps, request.method === 'POST' ? problem : null, 'app')
    const trust = await readSignInTrust(request, found.user.id, deps)
    // Any session is too old: the user has to authenticate after the change.
    if (trust === 'before-change') return askToAuthenticate(request, { maxAge: 0 })
    if (trust === 'untrusted') return showList(request, deps, 'changed', 'app')
    const missing = await readMissingLevel(request, found.user.id, deps.context)
    return missing.length === 0 ? work(found) : askToAuthenticate(request, { amr: missing })
  })
}

/** Reads the secret of this browser and user. */
async function readOwn(
  { user }: FactorUser,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<Enrollment | null> {
  const text = await getCookie(deps).read(request)
  if (text === null) return null
  const { id, userId }: { readonly id: string; readonly userId: string } = JSON.parse(text)
  return userId === user.id ? readEnrollment(id, deps) : null
}

/** Creates a secret, which waits until it is confirmed. */
export function startEnrollment(request: FeatureRequest, deps: SecondFactorDeps): Promise<ActionResult> {
  return withEnrollingUser(request, deps, async (found) => {
    const id = Buffer.from(deps.context.randomBytes(32)).toString('base64url')
    // Only the one of this browser: another session must not end the enrollment of the owner.
    const earlier = await readOwn(found, request, deps)
    if (earlier) await consumeEnrollment(earlier.id, deps)
    await saveEnrollment(newEnrollment(id, deps), found.user.id, deps)
    const value = JSON.stringify({ id, userId: found.user.id })
    return redirect(`${request.origin}${request.basePath}${path}`, await getCookie(deps).create(value, request))
  })
}

/** Finds the secret that waits, and passes it on with its user. */
async function withEnrollment(
  request: FeatureRequest,
  deps: SecondFactorDeps,
  work: (found: FactorUser, enrollment: Enrollment) => Promise<ActionResult>
): Promise<ActionResult> {
  return withEnrollingUser(request, deps, async (found) => {
    const enrollment = await readOwn(found, request, deps)
    if (enrollment) return work(found, enrollment)
    return showList(request, deps, request.method === 'POST' ? 'expired' : null, 'app')
  })
}

/** The code is mailed for one enrollment. */
const toPurpose = ({ user }: FactorUser, { id }: Enrollment): MailedCodePurpose => toSessionPurpose(user, id)

/** The enrollment, with what its mailed code is for. */
async function readMail(found: FactorUser, enrollment: Enrollment, deps: SecondFactorDeps): Promise<MailedEnrollment> {
  const purpose = toPurpose(found, enrollment)
  return { enrollment, purpose, mail: withProof(await getMailState(purpose, deps), enrollment, purpose) }
}

async function showForm(
  found: FactorUser,
  enrollment: Enrollment,
  {
    request,
    deps,
    problem
  }: { readonly request: FeatureRequest; readonly deps: SecondFactorDeps; readonly problem: TextKey | null }
): Promise<ActionResult> {
  const { mail } = await readMail(found, enrollment, deps)
  const key = await showKey(enrollment, found.user, request, deps)
  const action = `${request.basePath}${path}`
  const ways = { listUrl: `${request.basePath}${listPath}`, cancelAction: null }
  return showEnroll(request, { action, key, mail, ...ways, isRequired: false, problem })
}

/** The page of the app: its steps, while one is being set up. */
export async function showApp(request: FeatureRequest, deps: SecondFactorDeps): Promise<ActionResult> {
  if ((await getCookie(deps).read(request)) === null) return showList(request, deps, null, 'app')
  return withEnrollment(request, deps, (found, enrollment) =>
    showForm(found, enrollment, { request, deps, problem: null })
  )
}

/** Recovery codes that an enrollment has stored. */
interface StoredCodes {
  /** Those from before; `null` if there were none. */
  readonly before: Factor | null
  /** Whether those from before were replaced. */
  readonly isReplaced: boolean
}

/** Removes an app that was just stored, and restores the recovery codes from before. */
async function revertEnrollment(
  userId: string,
  { before, isReplaced }: StoredCodes,
  { context: { factors } }: SecondFactorDeps
): Promise<void> {
  await factors.delete(totpKey(userId))
  if (!before) await factors.delete(recoveryCodesKey(userId))
  // Only those that were replaced: a code that was used meanwhile must not work again.
  else if (isReplaced) await factors.update(before, before.version + 1)
}

/**
 * Stores the app and the recovery codes, between two ends of the other sessions: a thief of a session that is older than the
 * second factor must not keep it. If this session has ended too, nothing stays.
 *
 * First recovery codes come before the app: a process that ends between them must not leave an app without codes. Earlier ones,
 * such as those of a user with passkeys, work until the app exists.
 */
async function store(
  userId: string,
  { totp, recoveryCodes }: { readonly totp: string; readonly recoveryCodes: string },
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<void> {
  const { factors, now } = deps.context
  await request.endOtherSessions()
  const about = { userId, name: null, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  const before = await factors.get(recoveryCodesKey(userId))
  // Of two enrollments at once, one creates both; the recovery codes of the other are never stored.
  if (!before) await factors.create({ ...recoveryCodesKey(userId), ...about, data: recoveryCodes })
  await factors.create({ ...totpKey(userId), ...about, data: totp })
  let isReplaced = false
  try {
    if (before) isReplaced = await factors.update({ ...before, data: recoveryCodes, lastUsedAt: null }, before.version)
    if (before && !isReplaced)
      throw new AuthError('StoreUnavailable', 'factors: the recovery codes were changed by another request')
    await request.endOtherSessions()
  } catch (error) {
    await revertEnrollment(userId, { before, isReplaced }, deps)
    throw error
  }
}

/** Sends the mailed code, or verifies what was posted of the codes; the right code of the app shows the recovery codes. */
export function finishEnrollment(request: FeatureRequest, deps: SecondFactorDeps): Promise<ActionResult> {
  return withEnrollment(request, deps, async (found, enrollment) => {
    const show = (problem: TextKey | null): Promise<ActionResult> =>
      showForm(found, enrollment, { request, deps, problem })
    if (getText(request.body, 'send')) {
      await mailCodeToOwner(toPurpose(found, enrollment), request, deps)
      return show(null)
    }
    const proven = await proveMailbox(await readMail(found, enrollment, deps), request, deps)
    if ('problem' in proven) return show(proven.problem)
    if (isMailStep(request)) return showForm(found, proven.enrollment, { request, deps, problem: null })
    const totp = await confirm(enrollment, getText(request.body, 'code') ?? '', deps)
    if (totp === null) return showForm(found, proven.enrollment, { request, deps, problem: 'codeWrong' })
    if (!(await consumeEnrollment(enrollment.id, deps))) return showList(request, deps, 'conflict', 'app')
    return complete(found, totp, request, deps)
  })
}

/** Stores the app, reports it, and shows the recovery codes. */
async function complete(
  { user }: FactorUser,
  totp: string,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<ActionResult> {
  const { codes, data } = await createHashedCodes(request, deps)
  await store(user.id, { totp, recoveryCodes: data }, request, deps)
  try {
    await record('factor-added', { userId: user.id, request, data: 'totp' }, deps)
  } finally {
    notify('added', user, { request }, deps)
  }
  const shown = {
    codes: codes.map(formatRecoveryCode),
    action: null,
    listUrl: `${request.basePath}${listPath}`,
    isEnrollment: true
  }
  return showCodes(request, shown, getCookie(deps).clear(request))
}
