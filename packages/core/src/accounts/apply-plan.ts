import type { NewUser } from '../adapter/adapter.ts'
import type { Store, VersionStore } from '../adapter/store.ts'
import { noUserVersion, type UserVersion } from '../adapter/user-version.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import { normalizeEmailAddress } from '../model/normalize-email-address.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { User } from '../model/user.ts'
import { recordEvidence } from './account-evidence.ts'
import { createUserWithAccount, toConflict } from './create-user-with-account.ts'
import { invitationKey } from './invitation.ts'
import { writeReclaim } from './reclaim.ts'
import { requireSameAddress } from './require-same-address.ts'
import type { ResolvedUser } from './resolved-user.ts'
import { accountChanged } from './sign-in-errors.ts'
import type { PlanWriting, SignInPlan } from './sign-in-plan.ts'
import type { RowChange } from './sign-in-transaction.ts'

/** What the interruptions of a sign-in have proven. */
interface ProvenByInterruptions {
  /** Whether factors were enrolled. */
  readonly hasEnrolled: boolean
  readonly resumed: { readonly provenAddress: string | null } | null
}

/** What a sign-in does with the row of its user. @param attempt - What it has proven beside the account. */
export function getRowChange(plan: SignInPlan, attempt: ProvenByInterruptions): RowChange {
  if (plan.kind === 'created') return 'requires'
  // The first factor ends the sessions from before: somebody who knows the first one only may have them.
  if (plan.kind === 'reclaimed' || attempt.hasEnrolled) return 'raises'
  if (plan.kind !== 'known' || plan.verifiesAddress) return 'advances'
  return attempt.resumed?.provenAddress && !plan.user.emailVerified ? 'advances' : 'requires'
}

/**
 * Signs in, links, joins, creates or reclaims the user of a plan: in the transaction of the sign-in, if there is one.
 *
 * @throws AuthError `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function applyPlan(plan: SignInPlan, identity: Identity, writing: PlanWriting): Promise<ResolvedUser> {
  const user = await writeUser(plan, identity, writing)
  const resolved = { user, account: { ...identity.account, userId: user.id } }
  if (plan.kind !== 'reclaimed') return { ...resolved, kind: plan.kind }
  return { ...resolved, kind: plan.kind, hasLinked: writing.policy === 'link' }
}

/** @returns The user after the writes. */
async function writeUser(plan: SignInPlan, identity: Identity, writing: PlanWriting): Promise<User> {
  const { store, policy, rules, transaction } = writing
  switch (plan.kind) {
    case 'known': {
      // A response without an expiry must not keep the expiry of the previous token. The sign-in continues without its tokens.
      const tokens = { expires_at: null, ...identity.row }
      if (plan.writesTokens) await store.updateAccount?.(tokens, { userId: plan.user.id }).catch(() => false)
      if (plan.verifiesAddress) return verifyAddress(plan.user, identity, writing)
      if (policy !== 'mailbox') return plan.user
      if (rules.hasCallbacks) await requireSameAddress(plan.user, store)
      await transaction.emit('updateUser', { user: plan.user })
      return plan.user
    }
    case 'reclaimed': {
      if (plan.isInvited) await consumeInvitation(plan.user, identity, store)
      await requireSameAddress(plan.user, store)
      // The address is proven last.
      if (policy === 'link') await link(plan.user, identity, writing)
      const user = await writeReclaim(plan.user, identity.account, writing.unproven, writing)
      await transaction.emit('updateUser', { user })
      return user
    }
    case 'joined': {
      if (plan.isInvited) await consumeInvitation(plan.user, identity, store)
      await requireSameAddress(plan.user, store)
      await link(plan.user, identity, writing)
      return plan.user
    }
    case 'linked':
      await link(plan.user, identity, writing)
      return plan.user
    case 'created':
      return create(plan, identity, writing)
  }
}

/** Verifies the address of a user whose linked account proves it. The application may change the address at this moment. */
async function verifyAddress(user: User, identity: Identity, writing: PlanWriting): Promise<User> {
  const { id, email = null } = user
  const { store, rules } = writing
  await requireSameAddress(user, store)
  await recordEvidence(identity, id, store, rules.now)
  return store.updateUser({ id, email, emailVerified: new Date(rules.now()) })
}

/** @throws AuthError `OAuthAccountNotLinked` */
async function consumeInvitation({ id, email }: User, { account }: Identity, { tickets }: Store): Promise<void> {
  if (await tickets?.consume(await invitationKey(id, email))) return
  throw new AuthError('OAuthAccountNotLinked', `${account.provider}: the invitation was used`)
}

/** Links an account to a user who exists. @throws AuthError `OAuthAccountNotLinked` */
async function link(user: User, identity: Identity, writing: PlanWriting): Promise<void> {
  const { store, transaction } = writing
  const { row, account, user: profile } = identity
  try {
    await store.linkAccount({ ...row, userId: user.id })
  } catch (error) {
    // Another request of the same user may have just linked it, or only the reply was lost.
    const owner = await store.getUserByAccount(row)
    if (!owner) throw error
    if (owner.id !== user.id)
      throw new AuthError(
        'OAuthAccountNotLinked',
        `${row.provider}: the account was linked to another user during the sign-in`,
        { cause: error }
      )
  }
  await recordEvidence(identity, user.id, store, writing.rules.now)
  await transaction.emit('linkAccount', { user, account, profile })
}

/**
 * The row of a new user; the store generates the id.
 *
 * An address of a provider that nobody could type is not stored: a unique index that ignores accents or width would
 * refuse the user whose address looks like it.
 */
function newUser({ user, emailVerified }: Identity, policy: AccountPolicy, now: () => number): NewUser {
  const { id: _, ...fields } = user
  const given = user.email ?? null
  const isStored = policy !== 'link' || given === null || normalizeEmailAddress(given) === given
  const email = isStored ? given : null
  const isProven = email !== null && (emailVerified || policy === 'mailbox')
  return { ...fields, email, emailVerified: isProven ? new Date(now()) : null }
}

/** The row of a new user: none, unless the store has given them the id of a deleted one. */
async function readNewRow(
  { id }: User,
  versions: VersionStore,
  { isRestarted, transaction }: PlanWriting
): Promise<UserVersion> {
  return isRestarted || !transaction.isTransaction ? versions.get(id) : noUserVersion(id)
}

/**
 * Requires without a transaction that nobody has reclaimed a new user before their row was read: the session would have the version
 * of the reclaim.
 *
 * @throws AuthError `OAuthAccountNotLinked`
 */
async function requireLinked({ id }: User, { account }: Identity, store: Store): Promise<void> {
  if ((await store.getUserByAccount(account))?.id !== id) throw accountChanged(account.provider)
}

async function create(plan: SignInPlan, identity: Identity, writing: PlanWriting): Promise<User> {
  const { account, user: profile } = identity
  const { policy, store, transaction, rules } = writing
  const row = newUser(identity, policy, rules.now)
  const user =
    policy === 'mailbox'
      ? await store.createUser(row).catch(toConflict)
      : await createUserWithAccount(row, identity, writing)
  if (store.versions && !plan.row) transaction.requireRow(await readNewRow(user, store.versions, writing))
  if (store.versions && policy === 'link' && !transaction.isTransaction) await requireLinked(user, identity, store)
  await transaction.emit('createUser', { user })
  // A form of the application has no account to report.
  if (policy === 'link') await transaction.emit('linkAccount', { user, account, profile })
  return user
}
