import {
  type AccountSection,
  AuthError,
  type Feature,
  type FeatureContext,
  type FeatureError,
  type FeatureMail,
  type FeatureRoute
} from '@postern/core/feature'
import { AccountPart } from '../account-parts.ts'
import { optionalMail } from '../mail/feature-mail.ts'
import { accessNeeds, factorNeeds, ticketNeeds } from '../needs.ts'
import { withdrawOwnerProof } from '../passkey/stored-passkey.ts'
import { createGetHasher } from '../password/password-hasher.ts'
import { bindRoutes } from '../routes.ts'
import { toTicketDeletions } from '../ticket-kinds.ts'
import { hasTwoFactors } from '../two-factors.ts'
import { createChallenge } from './challenge.ts'
import { finishEnrollment, showApp, startEnrollment } from './enroll.ts'
import { eventTypes } from './event-types.ts'
import { createForcedEnrollment } from './forced-enrollment.ts'
import { type ImportedTotp, importTotp } from './import-totp.ts'
import { removeTotp, renewRecoveryCodes, showList, toRemovalWrites } from './manage.ts'
import { toEventWrite } from './notices.ts'
import { defaultTrustDeviceFor, type SecondFactorOptions, schema } from './options.ts'
import { fewCodes } from './recovery-codes.ts'
import { screens } from './screens.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import { parseRecoveryCodes, recoveryCodesType } from './stored-recovery-codes.ts'
import { totpType } from './stored-totp.ts'
import { type TextKey, texts } from './texts.ts'
import { keepTrust } from './trusted-device.ts'

declare module '@postern/core/feature' {
  interface FeatureApis {
    readonly factors: SecondFactorApi
  }
}

/** A second factor of a user, for the application. Passkeys are listed by `features.passkey`. */
export interface FactorInfo {
  readonly type: 'totp' | 'recovery-codes'
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** The recovery codes that are left; `null` for other types. */
  readonly left: number | null
}

export interface ResetOptions {
  /** Who resets it, such as the id of the member of staff: part of the event. @defaultValue unknown */
  readonly actor?: string | undefined
}

/** `app.postern.features.factors` */
export interface SecondFactorApi {
  /** Returns the authenticator app and the recovery codes of a user. @throws AuthError `StoreUnavailable` */
  list(userId: string): Promise<readonly FactorInfo[]>
  /**
   * Stores the key of an authenticator app that another program has created, so that the user keeps the app. The user is not
   * notified, and no session ends: to the user, nothing has changed.
   *
   * @throws TypeError if the key is invalid; AccountError `UNKNOWN_USER`, `FACTOR_EXISTS` if the user has an app; AuthError
   * `StoreUnavailable`
   */
  importTotp(userId: string, imported: ImportedTotp): Promise<void>
  /**
   * Removes the authenticator app and the recovery codes of a user who has lost them, ends all sessions and trusted browsers,
   * and notifies the user. Passkeys stay. It also removes what can no longer be decrypted.
   *
   * @throws AccountError `ADAPTER_INCOMPLETE`; AuthError `StoreUnavailable`
   */
  reset(userId: string, options?: ResetOptions): Promise<void>
}

const mail = optionalMail<TextKey>
const button = 'mailButton'

/** Enrollment that a policy requires needs the mailed code. */
const createMails = ({ required }: SecondFactorSetup): readonly FeatureMail[] => [
  mail('code', 'mailCodeSubject', 'mailCodeText', { isOptional: required === false }),
  mail('added', 'mailAddedSubject', 'mailAddedText', { button }),
  mail('removed', 'mailRemovedSubject', 'mailRemovedText', { button }),
  mail('removed-without-codes', 'mailRemovedSubject', 'mailAppRemovedText', { button }),
  mail('app-removed', 'mailAppRemovedSubject', 'mailRemovedText', { button }),
  mail('app-removed-without-codes', 'mailAppRemovedSubject', 'mailAppRemovedText', { button }),
  mail('used', 'mailUsedSubject', 'mailUsedText', { button }),
  mail('renewed', 'mailRenewedSubject', 'mailRenewedText', { button }),
  mail('reset', 'mailResetSubject', 'mailResetText')
]

/** What a sign-in without a second factor continues with. */
const errors: readonly FeatureError[] = [
  { code: 'SecondFactorRequired', text: 'challenge', screen: 'signin', status: 401 },
  { code: 'SecondFactorEnrollmentRequired', text: 'enrollRequired', screen: 'signin', status: 401 }
]

function createRoutes(setup: SecondFactorSetup): readonly FeatureRoute[] {
  const { get, post } = bindRoutes(setup)
  return [
    get('/factors', showList),
    post('/factors/totp/start', startEnrollment),
    get('/factors/totp', showApp),
    post('/factors/totp', finishEnrollment),
    post('/factors/totp/remove', removeTotp),
    get('/factors/recovery-codes', (request) => showList(request, setup, null, 'codes')),
    post('/factors/recovery-codes', renewRecoveryCodes)
  ]
}

async function list(userId: string, { context }: SecondFactorSetup): Promise<readonly FactorInfo[]> {
  const factors = await context.factors.list(userId)
  const totp = factors.filter(({ type }) => type === totpType)
  const recoveryCodes = factors.filter(({ type }) => type === recoveryCodesType)
  return [
    ...totp.map(({ createdAt, lastUsedAt }) => ({ type: 'totp' as const, createdAt, lastUsedAt, left: null })),
    ...recoveryCodes.map((factor) => ({
      type: 'recovery-codes' as const,
      createdAt: factor.createdAt,
      lastUsedAt: factor.lastUsedAt,
      left: parseRecoveryCodes(factor).codes.length
    }))
  ]
}

/** Notifies the user that support staff has reset the second factor. */
async function notifyOfReset(userId: string, { context }: SecondFactorSetup): Promise<void> {
  if (!context.canSendMail) return
  const user = await context.users.getUser(userId)
  if (!user?.email || !user.emailVerified) return
  const time = new Date(context.now())
  await context.sendMail(user.email, 'reset', { time }, { user })
}

async function reset(userId: string, { actor = '' }: ResetOptions, setup: SecondFactorSetup): Promise<void> {
  const { context } = setup
  const outcome = await context.changeAccess(userId, async () => ({
    ends: 'others',
    writes: [
      ...toRemovalWrites(userId),
      ...(await withdrawOwnerProof(userId, context)),
      ...toTicketDeletions(userId, 'factor-reset', 'factors'),
      toEventWrite('factor-reset', { userId, request: null, data: actor }, setup)
    ]
  }))
  if (outcome !== 'changed')
    throw new AuthError('StoreUnavailable', 'factors.reset: the store refused to remove the factors')
  await notifyOfReset(userId, setup).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : 'unknown error'
    context.logger.warn('NOTICE_NOT_SENT', { message })
  })
}

function createSetup(context: FeatureContext, options: SecondFactorOptions): SecondFactorSetup {
  const { required = false, trustDeviceFor = defaultTrustDeviceFor, satisfiedBy = null, issuer = null } = options
  return {
    context,
    required,
    trustDeviceFor,
    satisfiedBy,
    issuer,
    getHasher: createGetHasher('recovery codes', null, context)
  }
}

/**
 * The section of the account page, which warns of few recovery codes. It says "On" only if a sign-in is asked for a second factor.
 * Whether a function requires one of a user without an app is not known here, because a summary reads nothing: it says what is known.
 */
const createSection = ({ context, required }: SecondFactorSetup): AccountSection => ({
  id: 'factors',
  order: 450,
  title: 'section',
  path: '/factors',
  reads: ['listFactors'],
  summary: ({ factors }) => {
    if (!hasTwoFactors(factors, AccountPart.findAll(context))) return { text: 'summaryOff' }
    const codes = factors.find(({ type }) => type === recoveryCodesType)
    const left = codes && parseRecoveryCodes(codes).codes.length
    if (left !== undefined && left <= fewCodes)
      return { text: left === 0 ? 'codesMissing' : 'codesFew', isWarning: true }
    if (required === true || factors.some(({ type }) => type === totpType)) return { text: 'summaryOn' }
    return { text: required === false ? 'summaryOff' : 'noApp' }
  }
})

/**
 * A second factor for every way to sign in: an authenticator app (TOTP), passkeys if `passkey()` is registered, and recovery
 * codes. Users set it up on a page of the account, or must when they sign in.
 *
 * It is passed to `features`. Its API is `app.postern.features.factors`.
 */
export function secondFactor(options: SecondFactorOptions = {}): Feature<SecondFactorApi> {
  return {
    id: 'factors',
    options,
    schema,
    needs: [...ticketNeeds, ...factorNeeds, ...accessNeeds],
    endsSessions: true,
    needsRecentSignIn: true,
    setup: (context) => {
      const setup = createSetup(context, options)
      const api: SecondFactorApi = Object.assign(new AccountPart({ factors: context }), {
        list: (userId: string) => list(userId, setup),
        importTotp: (userId: string, imported: ImportedTotp) => importTotp(userId, imported, setup),
        reset: (userId: string, more: ResetOptions = {}) => reset(userId, more, setup)
      })
      return {
        eventTypes,
        screens,
        texts,
        mails: createMails(setup),
        errors,
        routes: createRoutes(setup),
        interruptions: [createChallenge(setup), createForcedEnrollment(setup)],
        accountSections: [createSection(setup)],
        keepBrowser: (userId, browser) => keepTrust(userId, browser, setup),
        onEvent: (event) =>
          event.type === 'enroll'
            ? [{ method: 'addEvents', args: [[context.createEvent('factor-added', { ...event, data: 'totp' })]] }]
            : [],
        exportData: (userId) => list(userId, setup),
        hashedFactors: [recoveryCodesType],
        api
      }
    }
  }
}
