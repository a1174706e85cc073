import {
  type ActionResult,
  AuthError,
  type FeatureCookie,
  type FeatureRequest,
  getText,
  redirect,
  type SetCookies
} from '@postern/core/feature'
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
import {
  askToAuthenticate,
  deleteFactors,
  type FactorUser,
  listPath,
  showList,
  toList,
  withFreshUser
} from './manage.ts'
import { notify, record } from './notices.ts'
import { hasFactor } from './policy.ts'
import { formatRecoveryCode } from './recovery-codes.ts'
import { showCodes, showEnroll } from './screens.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { createHashedCodes, saveRecoveryCodes } from './stored-recovery-codes.ts'
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

/**
 * Finds the signed-in user, who may set up an app, and passes them on. If a passkey is the second factor, the session needs it:
 * a trusted browser is not asked, and must not add another one.
 */
async function withEnrollingUser(
  request: FeatureRequest,
  deps: SecondFactorDeps,
  work: (found: FactorUser) => Promise<ActionResult>
): Promise<ActionResult> {
  return withFreshUser(request, deps, async (found) => {
    const problem = findProblem(found)
    if (problem) return showList(request, deps, problem)
    if (!(await hasFactor(found, found.factors, deps))) return work(found)
    const hasTwo = (await request.getAuthentication())?.amr.includes('mfa')
    return hasTwo ? work(found) : askToAuthenticate(request, ['mfa'])
  })
}

/** Creates a secret, which waits until it is confirmed. */
export function startEnrollment(request: FeatureRequest, deps: SecondFactorDeps): Promise<ActionResult> {
  return withEnrollingUser(request, deps, async (found) => {
    const id = Buffer.from(deps.context.randomBytes(32)).toString('base64url')
    await deps.context.tickets.delete(found.user.id, 'enroll')
    await saveEnrollment(newEnrollment(id, deps), found.user.id, deps)
    const value = JSON.stringify({ id, userId: found.user.id })
    return redirect(`${request.origin}${request.basePath}${path}`, await getCookie(deps).create(value, request))
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

/** Finds the secret that waits, and passes it on with its user. */
async function withEnrollment(
  request: FeatureRequest,
  deps: SecondFactorDeps,
  work: (found: FactorUser, enrollment: Enrollment) => Promise<ActionResult>
): Promise<ActionResult> {
  return withEnrollingUser(request, deps, async (found) => {
    const enrollment = await readOwn(found, request, deps)
    if (enrollment) return work(found, enrollment)
    return request.method === 'POST' ? showList(request, deps, 'expired') : toList(request)
  })
}

async function showForm(
  { user }: FactorUser,
  enrollment: Enrollment,
  {
    request,
    deps,
    problem
  }: { readonly request: FeatureRequest; readonly deps: SecondFactorDeps; readonly problem: TextKey | null }
): Promise<ActionResult> {
  const key = await showKey(enrollment, user, request, deps)
  return showEnroll(request, { action: `${request.basePath}${path}`, key, mail: 'none', isRequired: false, problem })
}

/** The page with the QR code. */
export function showEnrollment(request: FeatureRequest, deps: SecondFactorDeps): Promise<ActionResult> {
  return withEnrollment(request, deps, (found, enrollment) =>
    showForm(found, enrollment, { request, deps, problem: null })
  )
}

/**
 * Stores the app and the recovery codes, between two ends of the other sessions: a thief of a session that is older than the
 * second factor must not keep it. If this session has ended too, nothing stays.
 */
async function store(
  userId: string,
  { totp, recoveryCodes }: { readonly totp: string; readonly recoveryCodes: string },
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<SetCookies> {
  const { factors, now } = deps.context
  const cookies = await request.endOtherSessions()
  const about = { userId, name: null, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  // Of two enrollments at once, one creates it; the recovery codes of the other are never stored.
  await factors.create({ ...totpKey(userId), ...about, data: totp })
  try {
    if (!(await saveRecoveryCodes(userId, recoveryCodes, deps)))
      throw new AuthError('StoreUnavailable', 'factors: the recovery codes were changed by another request')
    return await request.endOtherSessions()
  } catch (error) {
    await deleteFactors(userId, deps)
    throw error instanceof AuthError && error.code !== 'SessionRequired' ? error.withCookies(cookies) : error
  }
}

/** Confirms the secret by a code, and shows the recovery codes. */
export function finishEnrollment(request: FeatureRequest, deps: SecondFactorDeps): Promise<ActionResult> {
  return withEnrollment(request, deps, async (found, enrollment) => {
    const totp = await confirm(enrollment, getText(request.body, 'code') ?? '', deps)
    if (totp === null) return showForm(found, enrollment, { request, deps, problem: 'codeWrong' })
    if (!(await consumeEnrollment(enrollment.id, deps))) return showList(request, deps, 'conflict')
    const { user } = found
    const { codes, data } = await createHashedCodes(deps)
    const cookies = await store(user.id, { totp, recoveryCodes: data }, request, deps)
    try {
      await record('factor-added', { userId: user.id, request, data: 'totp' }, deps)
    } finally {
      await notify('added', user, { request }, deps)
    }
    const listUrl = `${request.basePath}${listPath}`
    const shown = { codes: codes.map(formatRecoveryCode), action: null, listUrl }
    return showCodes(request, shown, new Map([...cookies, ...getCookie(deps).clear(request)]))
  })
}
