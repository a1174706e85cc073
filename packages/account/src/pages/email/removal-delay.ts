import { type AdapterUser, AuthError, type FeatureContext, type FeatureRequest } from '@postern/core/feature'
import { findPasswordCheck } from '../../password-check.ts'
import { hasNewPassword } from './replaced-passwords.ts'
import { undoPeriod as delay, isOlderThanUndoPeriod } from './undo-period.ts'
import { deleteUserRecord, readUserRecord, replaceUserRecord, type UserRecordKey } from './user-record.ts'

const kind = 'way-in-removed'

type RemovalDeps = Pick<FeatureContext, 'commit' | 'now' | 'tickets'>

const getKey = (userId: string): UserRecordKey => ({ kind, userId })

async function write(userId: string, time: number, { commit, tickets }: RemovalDeps): Promise<void> {
  const record = { data: String(time), expires: new Date(time + delay) }
  const isWritten = await commit(await replaceUserRecord(getKey(userId), record, { tickets }))
  if (!isWritten)
    throw new AuthError('StoreUnavailable', 'tickets: the record of removals was changed by another request')
}

/** When something that the user signs in with was last removed, in milliseconds since 1970; `null` if not within 7 days. */
async function readRemoval(userId: string, deps: Pick<FeatureContext, 'tickets'>): Promise<number | null> {
  const time = await readUserRecord(getKey(userId), deps)
  return time === null ? null : Number(time)
}

/**
 * Records that something the user signs in with is removed now. The lock of the user is held. Call it before the removal, so
 * that a process which ends in between leaves a delay without a reason, and not a removal without a delay.
 *
 * @returns Restores the earlier record, if nothing is removed.
 */
export async function recordRemoval(userId: string, context: RemovalDeps): Promise<() => Promise<void>> {
  const before = await readRemoval(userId, context)
  // The clock of the process that recorded the earlier one may be ahead.
  await write(userId, Math.max(before ?? 0, context.now()), context)
  return () => (before === null ? deleteRemoval(userId, context) : write(userId, before, context))
}

export const deleteRemoval = (userId: string, deps: Pick<FeatureContext, 'tickets'>): Promise<void> =>
  deleteUserRecord(getKey(userId), deps)

/** Whether a session was authenticated with a password or a passkey that is older than 7 days. */
async function hasOldFactor(request: FeatureRequest, userId: string, context: FeatureContext): Promise<boolean> {
  const provider = (await request.getAuthentication())?.provider?.id
  const factors = (await context.factors.list(userId)).filter(({ type }) => type === provider)
  if (factors.length === 0 || !factors.every(({ createdAt }) => isOlderThanUndoPeriod(createdAt, context))) return false
  const isPassword = provider === findPasswordCheck(context)?.factorType
  return !isPassword || !(await hasNewPassword(userId, context))
}

/** Milliseconds by which the clocks of processes may differ. */
const clockTolerance = 30_000

/** Whether a session was authenticated before the last removal, possibly with what was removed. */
async function isOlder(request: FeatureRequest, removedAt: number): Promise<boolean> {
  const { authenticatedAt } = await request.requireUser()
  return authenticatedAt === null || authenticatedAt.getTime() <= removedAt + clockTolerance
}

/** Whether something that the user signs in with was removed in the last 7 days, after the session was authenticated. */
export async function wasRemovedSince(
  request: FeatureRequest,
  userId: string,
  context: Pick<FeatureContext, 'tickets'>
): Promise<boolean> {
  const removedAt = await readRemoval(userId, context)
  return removedAt !== null && (await isOlder(request, removedAt))
}

/**
 * Until when the session must not change the address, as something that the owner would undo the change with was removed in
 * the last 7 days. Someone who has stolen a session could have removed it.
 *
 * A session is not delayed if it was authenticated after the removal with a password or a passkey that is older than 7 days.
 * A sign-in at a provider never ends the delay.
 *
 * @returns Milliseconds since 1970; `null` if the change is not delayed, or could not be undone anyway.
 */
export async function readDelay(
  request: FeatureRequest,
  user: AdapterUser,
  context: FeatureContext
): Promise<number | null> {
  if (!user.email || !user.emailVerified) return null
  const removedAt = await readRemoval(user.id, context)
  if (removedAt === null) return null
  return (await hasOldFactor(request, user.id, context)) && !(await isOlder(request, removedAt))
    ? null
    : removedAt + delay
}
