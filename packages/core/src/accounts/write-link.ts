import { readApproval } from '../adapter/account-approval.ts'
import type { AccountKey, AdapterUser } from '../adapter/adapter.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import {
  findAbandonedLinks,
  forgetLink,
  isOutdatedLink,
  type LinkMarker,
  markUnsettledLink,
  settleOtherLink
} from '../adapter/unsettled-link.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import { isSameEmailAddress } from '../model/same-email.ts'

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
  await settleOtherLink(abandoned, { account: row, userId: user.id }, { store, now: now() })
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

/** What became of the link of a first sign-in. If its reply was lost, it is not known whether this or another request has made it. */
export type FirstLink = 'written' | 'not-written' | 'unknown'

/**
 * Writes the account of a first sign-in, and then checks that it may stay: the owner of the address may have claimed the user since,
 * or the user may have disconnected the account in another tab. If this process ends before, the account has no approval after a
 * claim.
 *
 * @param isDisconnected - Whether the user has disconnected the account since.
 * @throws AuthError `OAuthAccountNotLinked`, then the account is removed again; `StoreUnavailable`
 */
export async function writeFirstLink(
  { id }: AdapterUser,
  { row, user: person, emailVerified }: Identity,
  isDisconnected: () => Promise<boolean>,
  { store, now }: LinkDeps
): Promise<FirstLink> {
  const { tickets } = store
  const link = await writeAccount(id, row, store)
  if (!tickets) return link
  const refuse = async (reason: string): Promise<never> => {
    if (link !== 'not-written') await removeLink(row, id, store)
    throw new AuthError('OAuthAccountNotLinked', `${row.provider}: ${reason} during the first sign-in`)
  }
  const { isMissing } = await readApproval({ account: row, userId: id }, tickets)
  if (isMissing) {
    const isOwner = emailVerified && isSameEmailAddress((await store.getUser(id))?.email, person.email)
    if (!isOwner) return refuse('the user was claimed')
    await settleOtherLink([], { account: row, userId: id }, { store, now: now() })
  }
  return link === 'written' && (await isDisconnected()) ? refuse('the account was disconnected') : link
}

async function writeAccount(id: string, row: Account, store: Store): Promise<FirstLink> {
  try {
    await store.linkAccount({ ...row, userId: id })
    return 'written'
  } catch (error) {
    const owner = await findOwner({ id }, row, store)
    if (owner === 'nobody') throw error
    if (owner === 'other') throw foreign(row, error)
    return isReplyLost(error) ? 'unknown' : 'not-written'
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
