import { isApproved } from '../adapter/account-approval.ts'
import type { AccountKey, AdapterUser } from '../adapter/adapter.ts'
import { hasClaimSince, maxDeviceAge } from '../adapter/claim-marker.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import {
  findAbandonedLinks,
  forgetLink,
  isOutdatedLink,
  type LinkMarker,
  markUnsettledLink,
  settleLink,
  settleProvenLink
} from '../adapter/unsettled-link.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'

/** What links are written with. */
export interface LinkDeps {
  readonly store: Store
  readonly now: () => number
}

/** Who has an account: the user, someone else, or nobody. */
type Owner = 'user' | 'other' | 'nobody'

async function findOwner({ id }: Pick<AdapterUser, 'id'>, row: Account, store: Store): Promise<Owner> {
  const owner = await store.getUserByAccount(row)
  if (!owner) return 'nobody'
  return owner.id === id ? 'user' : 'other'
}

const foreign = ({ provider }: Account, cause?: unknown): AuthError =>
  new AuthError('OAuthAccountNotLinked', `${provider}: the account was linked to another user during the sign-in`, {
    cause
  })

/** Whether a call that failed may have taken effect. */
const isReplyLost = (error: unknown): boolean => error instanceof StoreError && error.isOutage

/**
 * Writes the account of a user whose address or earlier sign-in allows it.
 *
 * @param row - The account as it is stored.
 * @returns `false` if another request of the same user has just written it.
 * @throws AuthError `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function writeLink(user: AdapterUser, row: Account, { store, now }: LinkDeps): Promise<boolean> {
  const abandoned = await findAbandonedLinks(row, user.id, { store, now: now() })
  try {
    await store.linkAccount({ ...row, userId: user.id })
  } catch (error) {
    const owner = await findOwner(user, row, store)
    if (owner === 'nobody') throw error
    if (owner === 'other') throw foreign(row, error)
    if (!isReplyLost(error)) return false
  }
  await settleProvenLink(abandoned, { account: row, userId: user.id }, { store, now: now() })
  return true
}

/** What the link of a session is written with. */
interface SessionLinkDeps extends LinkDeps {
  /** Whether the store records writes, and makes them in one transaction. */
  readonly isTransaction: boolean
}

/** Removes an account from a user, unless it has another user. */
export async function removeLink(
  { provider, providerAccountId }: AccountKey,
  userId: string,
  store: Store
): Promise<void> {
  const key = { provider, providerAccountId }
  const reading = store.getUserByAccount(key)
  // Without a marker that stays, the account must not.
  const owner = await (store.tickets ? reading : reading.catch(() => null))
  if (owner === null || owner.id === userId) await store.unlinkAccount?.(key)
}

/**
 * Returns whether a first sign-in may link an account to the user that it has created: nobody has claimed the user since, or the
 * account proves the same address.
 *
 * @param since - Milliseconds since 1970.
 * @throws AuthError `StoreUnavailable`
 */
export async function allowsFirstLink(
  { user: person, emailVerified }: Identity,
  userId: string,
  since: number,
  { store: { tickets, getUser }, now }: LinkDeps
): Promise<boolean> {
  // Later, claims are forgotten.
  const isRemembered = now() - since < maxDeviceAge * 1000
  if (!tickets || (isRemembered && !(await hasClaimSince(userId, since, tickets)))) return true
  const user = await getUser(userId)
  if (!user) return false
  return (emailVerified && user.email === person.email) || (!isRemembered && user.emailVerified === null)
}

/**
 * Writes the account of a first sign-in, and then checks that the owner of the address has not claimed the user since. If this
 * process ends before, or the check fails, the next sign-in with the account makes this check.
 *
 * @param marker - That of the link, written after the user was read or created.
 * @param since - When the user was read or created, in milliseconds since 1970.
 * @returns `false` if another request of the same user has just written it.
 * @throws AuthError `OAuthAccountNotLinked`, then the account is removed again; `StoreUnavailable`
 */
export async function writeFirstLink(
  { id }: AdapterUser,
  identity: Identity,
  { marker, since }: { readonly marker: LinkMarker | null; readonly since: number },
  { store, now }: LinkDeps
): Promise<boolean> {
  const { row } = identity
  const outcome = await writeAccount(id, row, marker, store)
  const isLinked = outcome !== 'not-written'
  if (await allowsFirstLink(identity, id, since, { store, now })) {
    const linked = { account: row, userId: id }
    if (outcome !== 'written' || (await settleLink(marker, linked, { store, now: now() }))) return isLinked
    if (await isApproved(row, id, store)) return isLinked
    await removeLink(row, id, store)
    throw new AuthError(
      'OAuthAccountNotLinked',
      `${row.provider}: the account was disconnected during the first sign-in`
    )
  }
  // The marker stays, for sign-ins that have found the account. An account that is approved is that of a link of the owner.
  if (isLinked && !(await isApproved(row, id, store))) await removeLink(row, id, store)
  throw new AuthError('OAuthAccountNotLinked', `${row.provider}: the user was claimed during the first sign-in`)
}

/** Whether the account is that of this link. If it is not known, the call may still take effect. */
type WriteOutcome = 'written' | 'not-written' | 'unknown'

async function writeAccount(id: string, row: Account, marker: LinkMarker | null, store: Store): Promise<WriteOutcome> {
  try {
    await store.linkAccount({ ...row, userId: id })
    return 'written'
  } catch (error) {
    const owner = await findOwner({ id }, row, store)
    // The marker lets the same account continue.
    if (owner === 'nobody') throw error
    const isUnknown = isReplyLost(error)
    if (!isUnknown) await forgetLink(marker, store)
    if (owner === 'other') throw foreign(row, error)
    return isUnknown ? 'unknown' : 'not-written'
  }
}

/** A link that a session allows. */
export interface SessionLink {
  /** `false` if another request of the same user has just written the account. */
  readonly isLinked: boolean
  /** The marker of the link: nobody signs in with the account until it is settled. `null` if the adapter stores none. */
  readonly linkMarker: LinkMarker | null
}

/**
 * Writes the account of the signed-in user. If only the reply of the store is lost, the account counts as written: while there is a
 * marker, no other request writes it.
 *
 * @param row - The account as it is stored.
 * @throws AuthError `OAuthAccountNotLinked`, `StoreUnavailable`: then the account may exist, now or later, and the marker stays.
 */
export async function writeSessionLink(
  user: AdapterUser,
  row: Account,
  { store, now, isTransaction }: SessionLinkDeps
): Promise<SessionLink> {
  const notLinked = { isLinked: false, linkMarker: null }
  const isTaken = async (): Promise<boolean> => {
    const owner = isTransaction || !store.tickets ? 'nobody' : await findOwner(user, row, store)
    if (owner === 'other') throw foreign(row)
    return owner === 'user'
  }
  // Another request may write it before this one has a marker; a transaction would be aborted.
  if (await isTaken()) {
    // While that request is in progress, this one must not replace the session that allows it.
    await findAbandonedLinks(row, user.id, { store, now: now() })
    return notLinked
  }
  const linkMarker = await markUnsettledLink(row, user.id, { store, now: now() })
  const forget = async (): Promise<void> => forgetLink(linkMarker, store)
  const isTakenSince = await isTaken().catch(async (error: unknown) => {
    await forget()
    throw error
  })
  if (isTakenSince) {
    await forget()
    return notLinked
  }
  try {
    await store.linkAccount({ ...row, userId: user.id })
  } catch (error) {
    const owner = await findOwner(user, row, store)
    if (owner === 'nobody') throw error
    if (owner === 'other') {
      if (!isReplyLost(error)) await forget()
      throw foreign(row, error)
    }
    if (!linkMarker) return notLinked
  }
  if (linkMarker && isOutdatedLink(linkMarker, now())) {
    await removeLink(row, user.id, store)
    throw new AuthError('OAuthAccountNotLinked', `${row.provider}: linking the account took too long`)
  }
  return { isLinked: true, linkMarker }
}
