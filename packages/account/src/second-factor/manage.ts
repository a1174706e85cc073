import { type ActionResult, type AdapterUser, type FeatureRequest, getText, redirect } from '@postern/core/feature'
import { getAccountUrl, getVerifyAddressUrl } from '../account-url.ts'
import {
  getVerifyUrl,
  type RequiredAuthentication,
  readSignInTrust,
  readUser,
  type SignedInUser
} from '../signed-in-user.ts'
import { findUndoGuard } from '../undo-guard.ts'
import { reportRecoveryCode } from './challenge.ts'
import { notify, record } from './notices.ts'
import type { FactorsProps } from './props.ts'
import { fewCodes, formatRecoveryCode, parseRecoveryCode } from './recovery-codes.ts'
import { type FactorsPage, showCodes, showFactors, showUnavailable } from './screens.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { consumeRecoveryCode, createHashedCodes, recoveryCodesKey, saveRecoveryCodes } from './stored-recovery-codes.ts'
import { totpKey, verifyTotp } from './stored-totp.ts'
import type { TextKey } from './texts.ts'
import { parseCode } from './totp.ts'
import { loadFactors, type UserFactors } from './user-factors.ts'

export const listPath = '/factors'

/** The pages of the parts, below that of all. */
const pagePaths = { factors: '', app: '/totp', codes: '/recovery-codes' } as const

/** The signed-in user with their factors. */
export interface FactorUser extends SignedInUser {
  readonly factors: UserFactors
}

/** @returns `null` if the user is not stored. */
async function readFactorUser(request: FeatureRequest, deps: SecondFactorDeps): Promise<FactorUser | null> {
  const found = await readUser(request, deps)
  return found && { ...found, factors: await loadFactors(found.user.id, deps) }
}

export const toList = ({ origin, basePath }: FeatureRequest): ActionResult =>
  redirect(`${origin}${basePath}${listPath}`)

const getListUrl = (request: FeatureRequest): string => `${request.origin}${request.basePath}${listPath}`

/** Sends the user to authenticate again. A client that asks for JSON gets 401 with the URL. */
export const askToAuthenticate = (request: FeatureRequest, required?: RequiredAuthentication): ActionResult =>
  redirect(getVerifyUrl(request, getListUrl(request), required), new Map(), 401)

/**
 * Shows the factors of the signed-in user.
 *
 * @param problem - Why the last form was refused.
 * @param page - The page of one part.
 */
export async function showList(
  request: FeatureRequest,
  deps: SecondFactorDeps,
  problem: TextKey | null = null,
  page: FactorsPage = 'factors'
): Promise<ActionResult> {
  const found = await readFactorUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  const { isFresh, mayAdd, factors } = found
  const { totp, passkeys } = factors
  // An app that the application has imported has no codes yet.
  const recoveryCodes = factors.recoveryCodes ?? (totp ? 0 : null)
  const path = `${request.basePath}${listPath}`
  const pageUrl = request.origin + path + pagePaths[page]
  // Codes without a factor may be left of a removal or an enrollment that did not complete.
  const hasAny = totp !== null || passkeys.length > 0
  const mayStart = isFresh && mayAdd && !totp
  const isTrusted = !mayStart || (await readSignInTrust(request, found.user.id, deps)) === 'trusted'
  const reason = mayAdd || totp ? (isTrusted ? null : 'changed') : 'unverified'
  const props: FactorsProps = {
    totp: totp && { createdAt: totp.createdAt.toISOString(), lastUsedAt: totp.lastUsedAt?.toISOString() ?? null },
    recoveryCodes: hasAny ? recoveryCodes : null,
    areFew: hasAny && recoveryCodes !== null && recoveryCodes <= fewCodes,
    startAction: mayStart && isTrusted ? `${path}/totp/start` : null,
    removeAction: isFresh && totp ? `${path}/totp/remove` : null,
    codesAction: isFresh && hasAny ? `${path}/recovery-codes` : null,
    needsCode: totp !== null,
    verifyUrl: isFresh && isTrusted ? null : getVerifyUrl(request, pageUrl, isTrusted ? {} : { maxAge: 0 }),
    appUrl: path + pagePaths.app,
    codesUrl: path + pagePaths.codes,
    passkeys: passkeys.length > 0 ? { count: passkeys.length, url: `${request.basePath}/passkeys` } : null,
    listUrl: path,
    addressUrl: reason === 'unverified' ? getVerifyAddressUrl(request, deps.context) : null,
    accountUrl: getAccountUrl(deps.context),
    problem: problem ?? reason
  }
  return showFactors(request, page, props, problem !== null)
}

/** Finds the signed-in user, who has authenticated recently, and passes them on. */
export async function withFreshUser(
  request: FeatureRequest,
  deps: SecondFactorDeps,
  work: (found: FactorUser) => Promise<ActionResult>
): Promise<ActionResult> {
  const found = await readFactorUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  return found.isFresh ? work(found) : askToAuthenticate(request)
}

/**
 * Whether the typed code is one of the app, or a recovery code, which it uses up.
 *
 * @returns Why it was refused; `null` if it was right.
 */
async function findCodeProblem(
  { user }: FactorUser,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<TextKey | null> {
  const typed = getText(request.body, 'code') ?? ''
  const code = parseCode(typed)
  const recoveryCode = parseRecoveryCode(typed)
  // A user who signed in with a second factor has another proof. Failures of others do not delay the user of a session.
  const hasOtherProof = (await request.getAuthentication())?.amr.includes('mfa') ?? false
  const device = (await request.getKnownDevice()) ?? 'session'
  const outcome = code && (await verifyTotp(user.id, { code, device, hasOtherProof }, deps.context))
  if (outcome === 'right') return null
  const left = recoveryCode && (await consumeRecoveryCode(user.id, { code: recoveryCode, device }, request, deps))
  if (typeof left === 'number') {
    await reportRecoveryCode(user, left, request, deps)
    return null
  }
  await record('second-factor-failed', { userId: user.id, request, data: code ? 'totp' : 'recovery-code' }, deps)
  return outcome === 'exhausted' ? 'exhausted' : 'anyWrong'
}

/** Requires that the user authenticates with a factor now, or has done so for this session. */
async function withProof(
  request: FeatureRequest,
  deps: SecondFactorDeps,
  page: FactorsPage,
  work: (found: FactorUser) => Promise<ActionResult>
): Promise<ActionResult> {
  return withFreshUser(request, deps, async (found) => {
    if (!found.factors.totp) {
      const authentication = await request.getAuthentication()
      return authentication?.amr.includes('mfa') ? work(found) : askToAuthenticate(request, { amr: ['mfa'] })
    }
    const problem = await findCodeProblem(found, request, deps)
    return problem === null ? work(found) : showList(request, deps, problem, page)
  })
}

/** Deletes the app and the recovery codes of a user, also if they cannot be decrypted. */
export async function deleteFactors(userId: string, { context }: Pick<SecondFactorDeps, 'context'>): Promise<void> {
  await context.factors.delete(totpKey(userId))
  await context.factors.delete(recoveryCodesKey(userId))
}

async function removeAndEndSessions(user: AdapterUser, request: FeatureRequest, deps: SecondFactorDeps): Promise<true> {
  // Sessions end before, so that a failure leaves the factor; and after, for sign-ins that have verified it.
  await request.endOtherSessions()
  await deleteFactors(user.id, deps)
  await report(user, request, deps)
  await request.endOtherSessions()
  return true
}

/** Removes the app and the recovery codes, and ends the other sessions. No undo of a change of the address needs them. */
export function removeTotp(request: FeatureRequest, deps: SecondFactorDeps): Promise<ActionResult> {
  return withProof(request, deps, 'app', async ({ user, factors }) => {
    if (!factors.totp) return toList(request)
    const remove = (): Promise<true> => removeAndEndSessions(user, request, deps)
    const outcome = await (findUndoGuard(deps.context)?.remove(user.id, null, remove) ?? remove())
    return outcome === 'busy' ? showList(request, deps, 'conflict', 'app') : toList(request)
  })
}

async function report(user: AdapterUser, request: FeatureRequest, deps: SecondFactorDeps): Promise<void> {
  try {
    await record('factor-removed', { userId: user.id, request, data: 'totp' }, deps)
  } finally {
    notify('removed', user, { request }, deps)
  }
}

/** Creates new recovery codes in place of the earlier ones, and shows them. */
export function renewRecoveryCodes(request: FeatureRequest, deps: SecondFactorDeps): Promise<ActionResult> {
  return withProof(request, deps, 'codes', async ({ user, factors }) => {
    if (!factors.totp && factors.passkeys.length === 0) return toList(request)
    const { codes, data } = await createHashedCodes(request, deps)
    // Nothing is written if all sessions have been ended meanwhile.
    await request.reissueSession()
    if (!(await saveRecoveryCodes(user.id, data, deps))) return showList(request, deps, 'conflict', 'codes')
    // OWASP ASVS 5.0, 6.3.7: users are notified after updates to authentication details. It is done, whatever fails now.
    notify('renewed', user, { request }, deps)
    await record('recovery-codes-created', { userId: user.id, request, data: String(codes.length) }, deps)
    const listUrl = `${request.basePath}${listPath}`
    return showCodes(request, { codes: codes.map(formatRecoveryCode), action: null, listUrl, isEnrollment: false })
  })
}
