import type { FeatureContext, FeatureRequest } from '@postern/core/feature'
import { getVerifyUrl, hasGivenFactor } from '../../signed-in-user.ts'
import { hasTwoFactors } from '../../two-factors.ts'
import type { WaitingEmail } from './props.ts'
import { readWaiting } from './waiting-change.ts'

const path = '/account/email'

/** Reads what the pages show of a change that waits; `null` if none does. */
export async function showWaiting(
  request: FeatureRequest,
  userId: string,
  context: FeatureContext
): Promise<WaitingEmail | null> {
  const waiting = await readWaiting(userId, context)
  if (!waiting) return null
  const { email, at, since } = waiting
  const own = request.basePath + path
  const isGiven = await hasGivenFactor(request, { userId, since }, context)
  const canGive = !isGiven && hasTwoFactors(await context.factors.list(userId), context)
  return {
    email,
    at: new Date(at).toISOString(),
    cancelAction: `${own}/cancel`,
    approveAction: isGiven ? `${own}/approve` : null,
    factorUrl: canGive ? getVerifyUrl(request, request.origin + own, { maxAge: 0, amr: ['mfa'] }) : null
  }
}
