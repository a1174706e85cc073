import type { ActionResult, FeatureContext, FeatureRequest } from '@postern/core/feature'
import { findFactorPolicy } from '../../passkey/factor-policy.ts'
import { findPasswordCheck } from '../../password-check.ts'
import { askToAuthenticate, getVerifyUrl, readUser, type SignedInUser } from '../../signed-in-user.ts'
import { readMissingLevel } from '../../two-factors.ts'
import { readDelay, wasRemovedSince } from './removal-delay.ts'
import { isOlderThanUndoPeriod } from './undo-period.ts'

/** The signed-in user, and what the session must have for a change of the address. */
export interface EmailUser extends SignedInUser {
  /** Whether the session was authenticated with two factors that the owner of the account has set up. */
  readonly hasSecondFactor: boolean
  /** The values of `amr` that the session lacks. */
  readonly missing: readonly string[]
  /** Until when this session must not change the address, in milliseconds since 1970; `null` if it may. */
  readonly delayedUntil: number | null
}

/**
 * Whether no factor other than the password was added in the last 7 days, or removed since the session was authenticated. The
 * thief of a session could have added one, so a change with it must not be final.
 */
async function areFactorsOld(request: FeatureRequest, userId: string, context: FeatureContext): Promise<boolean> {
  const passwordType = findPasswordCheck(context)?.factorType
  const factors = await context.factors.list(userId)
  const areOld = factors.every(
    ({ type, createdAt }) => type === passwordType || isOlderThanUndoPeriod(createdAt, context)
  )
  // A removal is recorded before the factor is deleted, so it is read after the factors.
  return areOld && !(await wasRemovedSince(request, userId, context))
}

/** @returns `null` if the user is not stored. */
export async function readEmailUser(request: FeatureRequest, context: FeatureContext): Promise<EmailUser | null> {
  const found = await readUser(request, { context })
  if (!found) return null
  const { user } = found
  const hasMfa = (await request.getAuthentication())?.amr.includes('mfa') ?? false
  const missing = await readMissingLevel(request, user.id, context)
  // Without a policy, `mfa` may be that of a passkey which someone who knows only the password has added.
  const hasSecondFactor =
    hasMfa && findFactorPolicy(context) !== null && (await areFactorsOld(request, user.id, context))
  const delayedUntil = hasSecondFactor ? null : await readDelay(request, user, context)
  return { ...found, hasSecondFactor, missing, delayedUntil }
}

/** Whether the user has authenticated for a change; it may be delayed nonetheless. */
const isAuthenticated = ({ isFresh, missing }: EmailUser): boolean => isFresh && missing.length === 0

export const mayChange = (user: EmailUser): boolean => isAuthenticated(user) && user.delayedUntil === null

/** Where the user authenticates before a change; `null` if that is not necessary. */
export const getEmailVerifyUrl = (request: FeatureRequest, path: string, user: EmailUser): string | null =>
  mayChange(user) ? null : getVerifyUrl(request, `${request.origin}${request.basePath}${path}`, { amr: user.missing })

/** Sends the user to authenticate again. */
export const askEmailUser = (request: FeatureRequest, path: string, { missing }: EmailUser): Promise<ActionResult> =>
  askToAuthenticate(request, path, { amr: missing })
