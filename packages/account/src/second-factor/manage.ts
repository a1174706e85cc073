import { type ActionResult, type FeatureRequest, type FeatureWrite, getText, redirect } from '@postern/core/feature'
import { getAccountUrl, getVerifyAddressUrl } from '../account-url.ts'
import { getVerifyUrl, type RequiredAuthentication, readUser, type SignedInUser } from '../signed-in-user.ts'
import { reportRecoveryCode } from './challenge.ts'
import { notify, type RemovalMail, record, toEventWrite } from './notices.ts'
import { hasFactor } from './policy.ts'
import type { FactorsProps } from './props.ts'
import { fewCodes, parseRecoveryCode } from './recovery-codes.ts'
import { showCodes, showUnavailable } from './screens.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import {
  consumeRecoveryCode,
  createHashedCodes,
  recoveryCodesKey,
  recoveryCodesType,
  toRecoveryCodesWrite
} from './stored-recovery-codes.ts'
import { totpKey, verifyTotp } from './stored-totp.ts'
import type { TextKey } from './texts.ts'
import { parseCode } from './totp.ts'
import { loadFactors, type UserFactors } from './user-factors.ts'

export const listPath = '/factors'

/** The pages of all factors and of the parts, below the list. */
const pagePaths = { factors: '', app: '/totp', codes: '/recovery-codes' } as const
type FactorsPage = keyof typeof pagePaths

/** The signed-in user with their factors. */
export interface FactorUser extends SignedInUser {
  readonly factors: UserFactors
}

/** @returns `null` if the user is not stored. */
async function readFactorUser(request: FeatureRequest, setup: SecondFactorSetup): Promise<FactorUser | null> {
  const found = await readUser(request, setup)
  return found && { ...found, factors: await loadFactors(found.user.id, setup) }
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
  setup: SecondFactorSetup,
  problem: TextKey | null = null,
  page: FactorsPage = 'factors'
): Promise<ActionResult> {
  const found = await readFactorUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const { user, isFresh, mayAdd, factors } = found
  const { totp, passkeys } = factors
  // An app that the application has imported has no codes yet.
  const recoveryCodes = factors.recoveryCodes ?? (totp ? 0 : null)
  const path = `${request.basePath}${listPath}`
  const pageUrl = request.origin + path + pagePaths[page]
  // Codes without a factor may be left of a removal or an enrollment that did not complete.
  const hasAny = totp !== null || passkeys.length > 0
  const mayStart = isFresh && mayAdd && !totp
  const reason = mayAdd || totp ? null : 'unverified'
  const props: FactorsProps = {
    totp: totp && { createdAt: totp.createdAt.toISOString(), lastUsedAt: totp.lastUsedAt?.toISOString() ?? null },
    recoveryCodes: hasAny ? recoveryCodes : null,
    areFew: hasAny && recoveryCodes !== null && recoveryCodes <= fewCodes,
    startAction: mayStart ? `${path}/totp/start` : null,
    removeAction: isFresh && totp ? `${path}/totp/remove` : null,
    codesAction: isFresh && hasAny ? `${path}/recovery-codes` : null,
    needsCode: totp !== null,
    verifyUrl: isFresh ? null : getVerifyUrl(request, pageUrl),
    appUrl: path + pagePaths.app,
    codesUrl: path + pagePaths.codes,
    passkeys:
      passkeys.length > 0
        ? {
            count: passkeys.length,
            url: `${request.basePath}/passkeys`,
            areAsked: await hasFactor({ user }, factors, setup)
          }
        : null,
    listUrl: path,
    addressUrl: reason === 'unverified' ? getVerifyAddressUrl(request, setup.context) : null,
    accountUrl: getAccountUrl(setup.context),
    problem: problem ?? reason
  }
  return request.screen(page, props, { status: problem === null ? 200 : 400 })
}

/** Finds the signed-in user, who has authenticated recently, and passes them on. */
export async function withFreshUser(
  request: FeatureRequest,
  setup: SecondFactorSetup,
  work: (found: FactorUser) => Promise<ActionResult>
): Promise<ActionResult> {
  const found = await readFactorUser(request, setup)
  if (!found) return showUnavailable(request, setup)
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
  setup: SecondFactorSetup
): Promise<TextKey | null> {
  const typed = getText(request.body, 'code') ?? ''
  const code = parseCode(typed)
  const recoveryCode = parseRecoveryCode(typed)
  // A user who signed in with a second factor has another proof. Failures of others do not delay the user of a session.
  const hasOtherProof = (await request.getAuthentication())?.amr.includes('mfa') ?? false
  const device = (await request.getKnownDevice()) ?? 'session'
  const outcome = code && (await verifyTotp(user.id, { code, device, hasOtherProof }, setup.context))
  if (outcome === 'right') return null
  const left = recoveryCode && (await consumeRecoveryCode(user.id, { code: recoveryCode, device }, request, setup))
  if (typeof left === 'number') {
    await reportRecoveryCode(user, left, request, setup)
    return null
  }
  await record('second-factor-failed', { userId: user.id, request, data: code ? 'totp' : 'recovery-code' }, setup)
  return outcome === 'exhausted' ? 'exhausted' : 'anyWrong'
}

/** Requires that the user authenticates with a factor now, or has done so for this session. */
async function withProof(
  request: FeatureRequest,
  setup: SecondFactorSetup,
  page: FactorsPage,
  work: (found: FactorUser) => Promise<ActionResult>
): Promise<ActionResult> {
  return withFreshUser(request, setup, async (found) => {
    if (!found.factors.totp) {
      const authentication = await request.getAuthentication()
      return authentication?.amr.includes('mfa') ? work(found) : askToAuthenticate(request, { amr: ['mfa'] })
    }
    const problem = await findCodeProblem(found, request, setup)
    return problem === null ? work(found) : showList(request, setup, problem, page)
  })
}

/** The writes that remove the app and the recovery codes of a user. */
export const toRemovalWrites = (userId: string): readonly FeatureWrite[] => [
  { method: 'deleteFactor', args: [totpKey(userId)] },
  { method: 'deleteFactor', args: [recoveryCodesKey(userId)] }
]

/** The mail about the removal of the app. A passkey may still be asked for. */
async function chooseRemovalMail({ user, factors }: FactorUser, setup: SecondFactorSetup): Promise<RemovalMail> {
  const isAsked = await hasFactor({ user }, { ...factors, totp: null }, setup)
  return `${isAsked ? 'app-removed' : 'removed'}${factors.recoveryCodes ? '' : '-without-codes'}`
}

/** Removes the app and the recovery codes, and ends the other sessions. */
export function removeTotp(request: FeatureRequest, setup: SecondFactorSetup): Promise<ActionResult> {
  return withProof(request, setup, 'app', async (found) => {
    const { user } = found
    const mail = await chooseRemovalMail(found, setup)
    const outcome = await request.changeAccess(async () => {
      if (!(await loadFactors(user.id, setup)).totp) return 'gone'
      const event = toEventWrite('factor-removed', { userId: user.id, request, data: 'totp' }, setup)
      return { ends: 'others', writes: [...toRemovalWrites(user.id), event] }
    })
    if (outcome === 'changed') notify(mail, user, { request }, setup)
    return toList(request)
  })
}

/** Creates new recovery codes in place of the earlier ones, and shows them. */
export function renewRecoveryCodes(request: FeatureRequest, setup: SecondFactorSetup): Promise<ActionResult> {
  return withProof(request, setup, 'codes', async ({ user, factors }) => {
    if (!factors.totp && factors.passkeys.length === 0) return toList(request)
    const { codes, data } = await createHashedCodes(request, setup)
    const outcome = await request.changeAccess(async () => {
      const current = await loadFactors(user.id, setup)
      if (!current.totp && current.passkeys.length === 0) return 'gone'
      const known = current.all.find(({ type }) => type === recoveryCodesType) ?? null
      const about = { userId: user.id, request, data: String(codes.length) }
      const write = toRecoveryCodesWrite(user.id, data, known, setup)
      return { ends: 'token', writes: [write, toEventWrite('recovery-codes-created', about, setup)] }
    })
    if (outcome !== 'changed') return showList(request, setup, 'conflict', 'codes')
    // OWASP ASVS 5.0, 6.3.7: users are notified after updates to authentication details.
    notify('renewed', user, { request }, setup)
    const listUrl = `${request.basePath}${listPath}`
    return showCodes(request, { codes, action: null, listUrl, isEnrollment: false })
  })
}
