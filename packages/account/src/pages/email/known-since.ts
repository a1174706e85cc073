import type { FeatureContext, FeatureRequest, PendingSignIn } from '@postern/core/feature'
import { factorType as passkeyType } from '../../passkey/stored-passkey.ts'
import { findPasswordCheck } from '../../password-check.ts'
import { wasRemovedSince } from './removal-delay.ts'
import { isAuthJsPasskey, readProviderProofs } from './undo-proof.ts'
import type { UndoState } from './undo-ticket.ts'

type Known = Pick<UndoState, 'accounts' | 'factors' | 'userId'>

/** Whether a user had a password before a change, and has the same one now. Another may have been set with the new mailbox. */
async function isSamePassword({ factors, userId }: Known, context: FeatureContext): Promise<boolean> {
  const type = findPasswordCheck(context)?.factorType
  const before = factors.find((factor) => factor.type === type)
  const current = (await context.factors.list(userId)).find((factor) => factor.type === type)
  return before !== undefined && before.data === current?.data
}

/** Whether everything of a provider that a session may have been authenticated with is from before a change. */
async function isKnownProvider(provider: string, change: UndoState, context: FeatureContext): Promise<boolean> {
  if (provider === findPasswordCheck(context)?.factorType) return isSamePassword(change, context)
  return (await readProviderProofs(provider, change, context)).areKnown
}

/**
 * Whether the session was authenticated after the last change, with what the user had before each of them. A thief may add
 * something, and make a change of their own.
 */
export async function isProvenSince(
  request: FeatureRequest,
  changes: readonly UndoState[],
  context: FeatureContext
): Promise<boolean> {
  const { userId, authenticatedAt } = await request.requireUser()
  const provider = (await request.getAuthentication())?.provider?.id
  if (authenticatedAt === null || provider === undefined) return false
  for (const change of changes) {
    if (authenticatedAt.getTime() <= change.changedAt) return false
    if (!(await isKnownProvider(provider, change, context))) return false
  }
  return !(await wasRemovedSince(request, userId, context))
}

/** Whether the account, the passkey or the password of a sign-in is from before a change. */
async function isKnownAccount(
  { provider, providerAccountId }: PendingSignIn['account'],
  change: UndoState,
  context: FeatureContext
): Promise<boolean> {
  if (provider === findPasswordCheck(context)?.factorType) return isSamePassword(change, context)
  return (
    change.accounts.some(([known, knownId]) => known === provider && knownId === providerAccountId) ||
    change.factors.some(({ type, id }) => type === provider && id === providerAccountId) ||
    (provider === passkeyType && isAuthJsPasskey(providerAccountId, change))
  )
}

/** Whether a sign-in that is not complete uses what the user had before each change. */
export async function isKnownSignIn(
  { account }: PendingSignIn,
  changes: readonly UndoState[],
  context: FeatureContext
): Promise<boolean> {
  for (const change of changes) if (!(await isKnownAccount(account, change, context))) return false
  return true
}
