import {
  type ActionResult,
  type FeatureRequest,
  getText,
  type Interruption,
  type Passed,
  type PendingSignIn,
  SignInError
} from '@postern/core/feature'
import { AccountPart } from '../account-parts.ts'
import {
  consumeMailedCode,
  getMailbox,
  isMailedCode,
  type MailState,
  mailCodeToOwner,
  wasCodeSent
} from '../mail/mailed-code.ts'
import { verifyAssertion } from '../passkey/assertion.ts'
import { issueRequestOptions } from '../passkey/request-options.ts'
import { getAllowance } from './limits.ts'
import { notify, record } from './notices.ts'
import { hasFactor, isSatisfied } from './policy.ts'
import type { ChallengeProps, FactorMethod, LostProps } from './props.ts'
import { parseRecoveryCode } from './recovery-codes.ts'
import { getCancelAction } from './screens.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import { shortenAddress } from './shorten-address.ts'
import { consumeRecoveryCode } from './stored-recovery-codes.ts'
import { parseTotp, toSecret, verifyTotp } from './stored-totp.ts'
import type { TextKey } from './texts.ts'
import { defaultFormat, parseCode } from './totp.ts'
import { isTrusted, trustDevice } from './trusted-device.ts'
import { loadFactors, readFactors, type UserFactors } from './user-factors.ts'

/** Shows the page for users who have lost what they are asked for. */
const lostQuery = 'lost=yes'

const mayChangeAccount = ({ isStepUp, linkingSession }: PendingSignIn): boolean => !isStepUp && linkingSession === null

const getAction = ({ basePath }: FeatureRequest): string => `${basePath}/verify/factor`

/** What a code of the app needs: nothing else, a mailed code, or it is of no use. */
async function getMailState(
  signIn: PendingSignIn,
  { totp }: UserFactors,
  setup: SecondFactorSetup
): Promise<MailState | 'impossible'> {
  const allowance = totp ? getAllowance(parseTotp(totp).attempts, setup.context.now()) : 'alone'
  if (allowance === 'alone') return 'none'
  // A mailed code is no other proof than a mailed link.
  if (allowance === 'never' || signIn.provesMailbox || getMailbox(signIn, setup.context) === null) return 'impossible'
  return (await wasCodeSent(signIn, setup.context)) ? 'sent' : 'send'
}

const hasField = (request: FeatureRequest, name: string): boolean => Boolean(getText(request.body, name)?.trim())

/** Why a factor was refused, and what of the form stays. */
interface Refused {
  readonly problem: TextKey | null
  readonly mailCode?: string
}

async function show(
  signIn: PendingSignIn,
  request: FeatureRequest,
  setup: SecondFactorSetup,
  { problem, mailCode = null }: Pick<Refused, 'problem'> & { readonly mailCode?: string | null } = { problem: null }
): Promise<ActionResult> {
  const { context } = setup
  const factors = await loadFactors(signIn.user.id, setup)
  const registered = factors.passkeys.length > 0 ? AccountPart.findAll(context).passkeys : null
  const passkeySetup = registered && ({ ...registered, context, userVerification: 'required' } as const)
  const purpose = { use: 'second-factor', userId: signIn.user.id } as const
  const issued = passkeySetup && (await issueRequestOptions(purpose, factors.passkeys, request, passkeySetup))
  const mail = await getMailState(signIn, factors, setup)
  const methods: readonly FactorMethod[] = [
    ...(factors.totp && mail !== 'impossible' ? (['totp'] as const) : []),
    ...(issued ? (['passkey'] as const) : []),
    ...(factors.recoveryCodes ? (['recovery-code'] as const) : [])
  ]
  const action = getAction(request)
  const trustDays = signIn.isStepUp ? 0 : Math.ceil(setup.trustDeviceFor / 86_400)
  const props: ChallengeProps = {
    action,
    methods,
    passkeyOptions: issued?.options ?? null,
    mailCode,
    account: signIn.user.email ? shortenAddress(signIn.user.email) : (signIn.user.name ?? null),
    cancelAction: getCancelAction(request),
    mayChangeAccount: mayChangeAccount(signIn),
    lostUrl: `${action}?${lostQuery}`,
    digits: factors.totp ? toSecret(parseTotp(factors.totp)).digits : defaultFormat.digits,
    mail: mail === 'impossible' ? 'none' : mail,
    trustDays,
    isTrustChosen: trustDays > 0 && hasField(request, 'trust'),
    problem: problem ?? (mail === 'impossible' ? 'exhausted' : null)
  }
  return request.screen('challenge', props, { status: props.problem === null ? 200 : 400, cookies: issued?.cookies })
}

/** What a factor has proven (RFC 8176), or why it was refused. */
type Verified = { readonly amr: readonly string[] } | Refused

/** Verifies a code of the app, with a mailed code if many codes were wrong. */
async function verifyCode(signIn: PendingSignIn, request: FeatureRequest, setup: SecondFactorSetup): Promise<Verified> {
  const code = parseCode(getText(request.body, 'code') ?? '')
  if (code === null) return { problem: 'codeWrong' }
  const mail = await getMailState(signIn, await loadFactors(signIn.user.id, setup), setup)
  if (mail === 'impossible') return { problem: 'exhausted' }
  if (mail === 'send') return { problem: null }
  const isMailed = mail === 'sent'
  const mailCode = getText(request.body, 'mailCode') ?? ''
  if (isMailed && !(await isMailedCode(signIn, mailCode, setup.context))) return { problem: 'mailWrong' }
  const device = await signIn.getKnownDevice()
  const outcome = await verifyTotp(signIn.user.id, { code, device, hasOtherProof: isMailed }, setup.context)
  if (outcome === 'exhausted') return { problem: 'exhausted' }
  if (outcome !== 'right') return { problem: 'codeWrong', ...(isMailed && { mailCode }) }
  if (isMailed && !(await consumeMailedCode(signIn, setup.context))) return { problem: 'mailWrong' }
  return { amr: ['otp'] }
}

/** RFC 8176 has no value for a recovery code, so that it proves a second factor and nothing else. */
async function verifyRecoveryCode(
  { user, getKnownDevice }: PendingSignIn,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<Verified> {
  const code = parseRecoveryCode(getText(request.body, 'recoveryCode') ?? '')
  const device = await getKnownDevice()
  const left = code === null ? null : await consumeRecoveryCode(user.id, { code, device }, request, setup)
  if (left === null) return { problem: 'recoveryWrong' }
  await reportRecoveryCode(user, left, request, setup)
  return { amr: ['mfa'] }
}

/** Records that a recovery code was used, and notifies the user. */
export async function reportRecoveryCode(
  user: PendingSignIn['user'],
  left: number,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<void> {
  await record('recovery-code-used', { userId: user.id, request, data: String(left) }, setup)
  notify('used', user, { request, left }, setup)
}

/** Verifies a passkey of the user whose authenticator has verified the user. */
async function verifyPasskey(
  { user }: PendingSignIn,
  request: FeatureRequest,
  { context }: SecondFactorSetup
): Promise<Verified> {
  const registered = AccountPart.findAll(context).passkeys
  if (!registered) return { problem: 'passkeyWrong' }
  try {
    const purpose = { userId: user.id, challenges: context }
    const { amr } = await verifyAssertion(request, { ...registered, userVerification: 'required' }, purpose)
    return amr.includes('mfa') ? { amr } : { problem: 'passkeyWrong' }
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    context.logger.warn('PASSKEY_REFUSED', { ref: request.id, message: error.message })
    return { problem: error.code === 'PasskeyChanged' ? 'passkeyChanged' : 'passkeyWrong' }
  }
}

async function verify(
  signIn: PendingSignIn,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<Passed | ActionResult> {
  if (hasField(request, 'send')) {
    const mail = await getMailState(signIn, await loadFactors(signIn.user.id, setup), setup)
    if (mail === 'send' || mail === 'sent') await mailCodeToOwner(signIn, request, setup.context)
    return show(signIn, request, setup)
  }
  const [method, check] = hasField(request, 'credential')
    ? (['passkey', verifyPasskey] as const)
    : hasField(request, 'recoveryCode')
      ? (['recovery-code', verifyRecoveryCode] as const)
      : (['totp', verifyCode] as const)
  const verified = await check(signIn, request, setup)
  const { user, isStepUp } = signIn
  if ('problem' in verified) {
    if (verified.problem !== null)
      await record('second-factor-failed', { userId: user.id, request, data: method }, setup)
    return show(signIn, request, setup, verified)
  }
  const { amr } = verified
  // Who uses a recovery code may have lost a device.
  const isTrust = hasField(request, 'trust') && method !== 'recovery-code' && !isStepUp
  return { kind: 'passed', amr, ...(isTrust && { cookies: await trustDevice(signIn, request, setup) }) }
}

/** Asks for a second factor, after every way to sign in that has not verified one. */
export function createChallenge(setup: SecondFactorSetup): Interruption {
  return {
    id: 'factor',
    order: 200,
    error: 'SecondFactorRequired',
    isDue: async (signIn, request) => {
      const { linkingSession } = signIn
      // The link lasts: the session has the highest level that the account has, or the user is asked now.
      if (linkingSession) return !linkingSession.amr.includes('mfa') && (await readFactors(signIn, setup)).areTwo
      if (isSatisfied(signIn, setup)) return false
      const factors = await readFactors(signIn, setup)
      return (await hasFactor(signIn, factors, setup)) && !(await isTrusted(signIn, factors, request, setup))
    },
    show: async (signIn, request) => {
      if (getText(request.query, 'lost') === null) return show(signIn, request, setup)
      const hasCodes = Boolean((await loadFactors(signIn.user.id, setup)).recoveryCodes)
      // A passkey of the user that needs no second factor is one that the page asks for.
      const hasOtherWay = mayChangeAccount(signIn) && setup.satisfiedBy !== null
      const props: LostProps = {
        hasCodes,
        hasOtherWay,
        challengeUrl: getAction(request),
        cancelAction: getCancelAction(request)
      }
      return request.screen(hasCodes ? 'lost' : 'lost-factor', props)
    },
    verify: (signIn, request) => verify(signIn, request, setup)
  }
}
