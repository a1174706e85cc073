import type { SignInPlan } from '../accounts/sign-in-plan.ts'
import { requireStillActive, writeSignIn } from '../accounts/sign-in-transaction.ts'
import type { Config } from '../config/config.ts'
import type { PendingSignIn } from '../features/feature.ts'
import type { PendingSignInState } from '../features/interrupted-sign-ins.ts'
import type { SetCookies } from '../model/cookie.ts'
import { findDueInterruption, readLinkingSession, toPendingSignIn } from '../sign-in-methods/interruptions.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

/** The link that the signed-in user must confirm, as the page names it. */
function getPendingLink({ provider }: SignInAttempt, plan: SignInPlan): PendingSignIn['link'] {
  if (plan.kind !== 'linked' || !plan.mustConfirm) return null
  const { name, email } = plan.principal
  return { user: { name, email }, provider: provider.name }
}

/** @returns The error code of the interruption that must pass before the session is created; `null` if none is due. */
export async function findInterruptionError(
  attempt: SignInAttempt,
  plan: SignInPlan,
  config: Config
): Promise<string | null> {
  const { provider, request, resumed } = attempt
  const { user } = plan
  // Only features read it.
  const isRead = plan.kind === 'linked' && config.features.hasInterruptions
  const linkingSession = isRead ? await readLinkingSession(request, { user, provider }, config) : null
  const isReclaim = plan.kind === 'reclaimed'
  const about = { id: null, userVersion: null, user, isReclaim, link: getPendingLink(attempt, plan), linkingSession }
  const signIn = toPendingSignIn(attempt, about, config)
  const due = await findDueInterruption({ signIn, request, resumed }, config)
  return due && (due.interruption.error ?? 'VerificationRequired')
}

function createState(
  attempt: SignInAttempt,
  plan: SignInPlan,
  version: number | null,
  callbackUrl: string
): PendingSignInState {
  const { proof, provider, resumed, stepUp } = attempt
  const { identity, authentication, names, initialUserId, isLink, submittedAt, storedInput } = proof
  return {
    identity,
    authentication,
    names,
    initialUserId,
    isLink,
    submittedAt,
    callbackUrl,
    stepUp,
    callbackInput: storedInput,
    userVersion: version,
    newUserFactors: proof.newUserFactors ?? [],
    isForgotten: proof.isForgotten ?? false,
    providerId: provider.id,
    accountPolicy: provider.traits.accountPolicy,
    userId: plan.user?.id ?? null,
    passed: resumed?.passed ?? [],
    factors: resumed?.factors ?? [],
    newFactors: resumed?.newFactors ?? [],
    provenAddress: resumed?.provenAddress ?? null,
    link: getPendingLink(attempt, plan),
    isReclaim: plan.kind === 'reclaimed',
    isSessionLink: plan.kind === 'linked'
  }
}

/**
 * Stores the sign-in until its interruptions have passed. The proof is consumed; nothing else is written.
 *
 * @param firstVersion - The version of the user that was read first.
 * @returns The cookies to set. @throws SignInConflict if another change came first.
 */
export async function interrupt(
  attempt: SignInAttempt,
  plan: SignInPlan,
  firstVersion: number | null,
  config: Config
): Promise<SetCookies> {
  const { pendingSignIns, redirects } = config
  const { proof, request } = attempt
  const { oneTimeToken } = proof
  const { callbackUrl } = await redirects.resolve(request, proof.callbackUrl)
  const state = createState(attempt, plan, firstVersion, callbackUrl)
  const read = { user: plan.user, verificationToken: oneTimeToken?.getRead?.() ?? null }
  return writeSignIn(
    { row: plan.row, change: 'requires', firstVersion, read },
    async (transaction) => {
      const { store } = transaction
      if (!store) throw new TypeError('expected an adapter that stores tickets')
      await oneTimeToken?.consume(store)
      const { key, cookies } = await pendingSignIns.create(state, store)
      await transaction.commit().catch((error: unknown) => {
        oneTimeToken?.discard()
        throw error
      })
      if (transaction.isTransaction) return cookies
      await requireStillActive(attempt, plan, firstVersion, store).catch(async (error: unknown) => {
        await pendingSignIns.end(key, store)
        throw error
      })
      return cookies
    },
    config.userVersions,
    config.emit
  )
}
