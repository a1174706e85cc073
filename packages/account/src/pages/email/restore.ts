import type {
  AdapterUser,
  EventRecord,
  Factor,
  FeatureContext,
  FeatureRequest,
  FeatureWrite
} from '@postern/core/feature'
import { usedLinkKey } from '../../mail/mailed-token.ts'
import { findFactorPolicy } from '../../passkey/factor-policy.ts'
import { findPasswordCheck } from '../../password-check.ts'
import { deletionKind, readScheduledDeletion } from '../deletion/scheduled-deletion.ts'
import { isUnchanged } from './undo-proof.ts'
import { consumeUndo, isUnclaimed, type KeptFactor, type StoredUndo, toFactor } from './undo-ticket.ts'

/** How often a password may be replaced while the change is undone. */
const maxAttempts = 3

/**
 * Whether a factor has to be written again. The data of a passkey also changes with its use. A password always is: a reset that is
 * running must not find the version that it has read.
 */
function mustRestore(before: KeptFactor, current: Factor, context: FeatureContext): boolean {
  if (before.type === findPasswordCheck(context)?.factorType) return true
  return findFactorPolicy(context)?.wasReplaced(before, current) ?? false
}

/** The writes that delete the factors since the change, and restore those that were removed or replaced. */
async function restoreFactors(undo: StoredUndo, context: FeatureContext): Promise<readonly FeatureWrite[]> {
  const current = await context.factors.list(undo.userId)
  const kept = current.filter((factor) => isUnchanged(factor, undo))
  const added = current.filter((factor) => !kept.includes(factor))
  const removed = undo.factors.filter(
    ({ type, id }) => !kept.some((factor) => factor.type === type && factor.id === id)
  )
  const replaced = kept.flatMap((factor) => {
    const before = undo.factors.find(({ type, id }) => type === factor.type && id === factor.id)
    return before && mustRestore(before, factor, context) ? [{ ...factor, data: before.data }] : []
  })
  return [
    ...added.map(({ type, id }) => ({ method: 'deleteFactor', args: [{ type, id }] }) as const),
    ...removed.map((factor) => ({ method: 'createFactor', args: [toFactor(factor)] }) as const),
    ...replaced.map((factor) => ({ method: 'updateFactor', args: [factor, factor.version] }) as const)
  ]
}

/** The writes that disconnect the accounts which were connected since the change. */
async function removeAccounts(
  { userId, accounts }: StoredUndo,
  { postern }: FeatureContext
): Promise<readonly FeatureWrite[]> {
  const current = await postern.accounts.list(userId)
  return current
    .filter(
      (account) => !accounts.some(([provider, id]) => provider === account.provider && id === account.providerAccountId)
    )
    .map(({ provider, providerAccountId }) => ({ method: 'unlinkAccount', args: [{ provider, providerAccountId }] }))
}

/** Removes what a request has added that was running when its session ended, and the sessions that began with it. */
async function removeLate(undo: StoredUndo, context: FeatureContext): Promise<void> {
  const writes = [...(await removeAccounts(undo, context)), ...(await restoreFactors(undo, context))]
  if (writes.length === 0) return
  await context.commit(writes)
  await context.endSessions(undo.userId)
}

/** The events of an undo, which also cancels the deletion of the account. */
async function createEvents(
  userId: string,
  request: FeatureRequest,
  context: FeatureContext
): Promise<readonly EventRecord[]> {
  const undone = context.createEvent('email-undone', { userId, request })
  const isScheduled = (await readScheduledDeletion(userId, context)) !== null
  return isScheduled ? [undone, context.createEvent('deletion-cancelled', { userId, request })] : [undone]
}

/**
 * Takes an undo back, as the owner of the address has claimed the user meanwhile. That address is unverified again, so that the owner
 * claims the user again with the next sign-in by email, and nobody signs in with what the undo has restored.
 */
async function revoke({ id, email }: AdapterUser, { key }: StoredUndo, context: FeatureContext): Promise<'gone'> {
  await context.tickets.consume(usedLinkKey(key.id))
  await context.users.updateUser({ id, email, emailVerified: null })
  for (const factor of await context.factors.list(id)) await context.factors.delete(factor)
  await context.endSessions(id)
  return 'gone'
}

/**
 * Restores the address and what the user signed in with before the change, and ends everything since. The locks are held.
 *
 * @param release - The writes that release them.
 * @returns The user before; `'gone'` if the link was used, `'taken'` if another user has the address, `'busy'` if other
 * requests changed the user each time.
 */
export async function restoreEmail(
  undo: StoredUndo,
  request: FeatureRequest,
  release: readonly FeatureWrite[],
  context: FeatureContext
): Promise<AdapterUser | 'busy' | 'gone' | 'taken'> {
  const { userId, from, key } = undo
  const user = await context.users.getUser(userId)
  if (!user || !(await context.tickets.read(key)) || !(await isUnclaimed(undo, context))) return 'gone'
  const owner = await context.users.getUserByEmail(from)
  if (owner && owner.id !== userId) return 'taken'
  // Before, so that no session adds anything meanwhile; and after, as what is removed may have signed in in between.
  await context.endSessions(userId)
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    if (!(await isUnclaimed(undo, context))) return 'gone'
    const before = (await context.users.getUser(userId)) ?? user
    const time = new Date(context.now())
    const isRestored = await context.commit([
      { method: 'updateUser', args: [{ id: userId, email: from, emailVerified: time }] },
      ...(await removeAccounts(undo, context)),
      ...(await restoreFactors(undo, context)),
      { method: 'deleteRequests', args: [userId] },
      // A thief may have asked for it.
      { method: 'deleteTickets', args: [userId, deletionKind] },
      { method: 'addEvents', args: [await createEvents(userId, request, context)] },
      ...(await consumeUndo(undo, context)),
      ...release
    ])
    if (!(await isUnclaimed(undo, context))) {
      // Without transactions, a commit that failed may have restored the address.
      const isWritten = isRestored || (await context.users.getUser(userId))?.email === from
      return isWritten ? revoke(before, undo, context) : 'gone'
    }
    if (isRestored) {
      await context.endSessions(userId)
      await removeLate(undo, context)
      return user
    }
    if (!(await context.tickets.read(key))) return 'gone'
  }
  return 'busy'
}
