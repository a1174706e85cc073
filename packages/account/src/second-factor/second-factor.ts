import type {
  AccountSection,
  Feature,
  FeatureContext,
  FeatureError,
  FeatureMail,
  FeatureRoute
} from '@postern/core/feature'
import { mailedCodeKind } from '../mail/mailed-code.ts'
import { registerFactorPolicy } from '../passkey/factor-policy.ts'
import { withdrawOwnerProof } from '../passkey/stored-passkey.ts'
import { createPasswordHasher, type PasswordHasher } from '../password/password-hasher.ts'
import { hasTwoFactors } from '../two-factors.ts'
import { createChallenge } from './challenge.ts'
import { finishEnrollment, showApp, startEnrollment } from './enroll.ts'
import { enrollmentKind } from './enrollment.ts'
import { eventTypes } from './event-types.ts'
import { createForcedEnrollment } from './forced-enrollment.ts'
import { type ImportedTotp, importTotp } from './import-totp.ts'
import { deleteFactors, removeTotp, renewRecoveryCodes, showList } from './manage.ts'
import { defaultTrustDeviceFor, type SecondFactorOptions, schema } from './options.ts'
import { fewCodes } from './recovery-codes.ts'
import { screens } from './screens.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { parseRecoveryCodes, recoveryCodesType, wereCodesReplaced } from './stored-recovery-codes.ts'
import { totpType } from './stored-totp.ts'
import { type TextKey, texts } from './texts.ts'
import { createFactorReader } from './user-factors.ts'

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
   * notified: to the user, nothing has changed.
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

const mail = (name: string, subject: TextKey, text: TextKey, more: Partial<FeatureMail> = {}): FeatureMail => ({
  ...{ name, subject, text, isOptional: true },
  ...more
})

/** Enrollment that a policy requires needs the mailed code. */
const createMails = ({ required }: Pick<SecondFactorDeps, 'required'>): readonly FeatureMail[] => [
  mail('code', 'mailCodeSubject', 'mailCodeText', { isOptional: required === false }),
  mail('added', 'mailAddedSubject', 'mailAddedText', { button: 'mailButton' }),
  mail('removed', 'mailRemovedSubject', 'mailRemovedText', { button: 'mailButton' }),
  mail('used', 'mailUsedSubject', 'mailUsedText', { button: 'mailButton' }),
  mail('renewed', 'mailRenewedSubject', 'mailRenewedText', { button: 'mailButton' }),
  mail('reset', 'mailResetSubject', 'mailResetText')
]

/** What a sign-in without a second factor continues with. */
const errors: readonly FeatureError[] = [
  { code: 'SecondFactorRequired', text: 'challenge', screen: 'signin', status: 401 },
  { code: 'SecondFactorEnrollmentRequired', text: 'enrollRequired', screen: 'signin', status: 401 }
]

/** The changes that one client may make. */
const changeLimit = { points: 60, seconds: 3600 }

function createRoutes(deps: SecondFactorDeps): readonly FeatureRoute[] {
  const post = (path: string, run: FeatureRoute['run']): FeatureRoute => ({
    ...{ method: 'POST', path, limit: changeLimit, run }
  })
  return [
    { method: 'GET', path: '/factors', run: (request) => showList(request, deps) },
    post('/factors/totp/start', (request) => startEnrollment(request, deps)),
    { method: 'GET', path: '/factors/totp', run: (request) => showApp(request, deps) },
    post('/factors/totp', (request) => finishEnrollment(request, deps)),
    post('/factors/totp/remove', (request) => removeTotp(request, deps)),
    { method: 'GET', path: '/factors/recovery-codes', run: (request) => showList(request, deps, null, 'codes') },
    post('/factors/recovery-codes', (request) => renewRecoveryCodes(request, deps))
  ]
}

/** Creates the hasher of recovery codes on first use. */
function createGetHasher(context: FeatureContext): SecondFactorDeps['getHasher'] {
  let hasher: Promise<PasswordHasher> | null = null
  return () => {
    hasher ??= createPasswordHasher(null, () =>
      context.logger.warn('RECOVERY_CODE_HASH_FALLBACK', {
        message:
          'recovery codes are hashed with scrypt, which takes 128 MiB; use Node 24.7 or later, or install @node-rs/argon2'
      })
    )
    return hasher
  }
}

async function list(userId: string, { context }: SecondFactorDeps): Promise<readonly FactorInfo[]> {
  const factors = await context.factors.list(userId)
  const totp = factors.filter(({ type }) => type === totpType)
  const recoveryCodes = factors.filter(({ type }) => type === recoveryCodesType)
  return [
    ...totp.map(({ createdAt, lastUsedAt }) => ({ type: 'totp' as const, createdAt, lastUsedAt, left: null })),
    ...recoveryCodes.map((factor) => ({
      ...{ type: 'recovery-codes' as const, createdAt: factor.createdAt, lastUsedAt: factor.lastUsedAt },
      left: parseRecoveryCodes(factor).codes.length
    }))
  ]
}

/** Notifies the user that support staff has reset the second factor. */
async function notifyOfReset(userId: string, { context }: SecondFactorDeps): Promise<void> {
  if (!context.canSendMail) return
  const user = await context.users.getUser(userId)
  if (!user?.email || !user.emailVerified) return
  const time = new Date(context.now()).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')
  await context.sendMail(user.email, 'reset', { time }, { user })
}

async function reset(userId: string, { actor = '' }: ResetOptions, deps: SecondFactorDeps): Promise<void> {
  const { events, createEvent, endSessions, logger } = deps.context
  await endSessions(userId)
  await deleteFactors(userId, deps)
  await withdrawOwnerProof(userId, deps.context)
  await deleteTickets(userId, deps)
  await endSessions(userId)
  await events.add([createEvent('factor-reset', { userId, request: null, data: actor })])
  await notifyOfReset(userId, deps).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : 'unknown error'
    logger.warn('NOTICE_NOT_SENT', { message })
  })
}

async function deleteTickets(userId: string, { context: { tickets } }: SecondFactorDeps): Promise<void> {
  await tickets.delete(userId, enrollmentKind)
  await tickets.delete(userId, mailedCodeKind)
}

function createDeps(context: FeatureContext, options: SecondFactorOptions): SecondFactorDeps {
  const { required = false, trustDeviceFor = defaultTrustDeviceFor, satisfiedBy = null, issuer = null } = options
  return { context, required, trustDeviceFor, satisfiedBy, issuer, getHasher: createGetHasher(context) }
}

/** The section of the account page, which warns of few recovery codes. */
const createSection = ({ context }: Pick<SecondFactorDeps, 'context'>): AccountSection => ({
  ...{ id: 'factors', order: 450, title: 'section', path: '/factors' },
  reads: ['listFactors'],
  summary: ({ factors }) => {
    if (!hasTwoFactors(factors, context)) return { text: 'summaryOff' }
    const codes = factors.find(({ type }) => type === recoveryCodesType)
    const areFew = codes !== undefined && parseRecoveryCodes(codes).codes.length <= fewCodes
    return areFew ? { text: 'codesFew', isWarning: true } : { text: 'summaryOn' }
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
    needs: [
      ...(['createTicket', 'readTicket', 'countTry', 'consumeTicket', 'deleteTickets', 'addEvents'] as const),
      ...(['createFactor', 'getFactor', 'listFactors', 'updateFactor', 'deleteFactor'] as const)
    ],
    endsSessions: true,
    needsRecentSignIn: true,
    setup: (context) => {
      const deps = createDeps(context, options)
      const readFactors = createFactorReader(deps)
      const api: SecondFactorApi = {
        list: (userId) => list(userId, deps),
        importTotp: (userId, imported) => importTotp(userId, imported, deps),
        reset: (userId, more = {}) => reset(userId, more, deps)
      }
      registerFactorPolicy(api, { context, wasReplaced: wereCodesReplaced })
      return {
        eventTypes,
        screens,
        texts,
        mails: createMails(deps),
        errors,
        routes: createRoutes(deps),
        interruptions: [createChallenge(deps, readFactors), createForcedEnrollment(deps, readFactors)],
        accountSections: [createSection(deps)],
        onEvent: (event) =>
          event.type === 'enroll'
            ? [{ method: 'addEvents', args: [[context.createEvent('factor-added', { ...event, data: 'totp' })]] }]
            : [],
        onUserDelete: async (userId) => {
          await deleteFactors(userId, deps)
          await deleteTickets(userId, deps)
        },
        exportData: (userId) => list(userId, deps),
        hashedFactors: [recoveryCodesType],
        api
      }
    }
  }
}
