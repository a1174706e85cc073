import type { AccountKey, AdapterUser, NewUser } from '../adapter/adapter.ts'
import { wasClaimedSince } from '../adapter/claim-marker.ts'
import type { Store, TicketStore } from '../adapter/store.ts'
import type { Ticket, TicketKey } from '../adapter/ticket.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import { sha256 } from '../tokens/hash.ts'

/** Seconds in which an interrupted first sign-in can be continued. */
const markerMaxAge = 86_400

/** Seconds in which a first sign-in counts as in progress, for example in another tab, and not as interrupted. */
const inProgressMaxAge = 10

/**
 * The progress of another first sign-in with the same account: `created` if it created the user, `started` if it may
 * have created a user with this email address, `in-progress` if it started seconds ago, `none` if there was no such
 * sign-in.
 */
export type InterruptedSignIn = 'none' | 'started' | 'in-progress' | 'created'

type Step = 'started' | 'created'

async function markerKey({ provider, providerAccountId }: Account, step: Step): Promise<TicketKey> {
  return { kind: `first-sign-in-${step}`, id: await sha256(JSON.stringify([provider, providerAccountId])) }
}

/** Writes a marker, replacing the one of an earlier sign-in. */
async function putMarker(tickets: TicketStore, marker: Ticket): Promise<void> {
  await tickets.consume(marker)
  await tickets.create(marker)
}

/** Removes the markers of a first sign-in; a remaining marker expires. */
export async function removeMarkers(account: Account, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
  if (!tickets) return
  await tickets.consume(await markerKey(account, 'created'))
  await tickets.consume(await markerKey(account, 'started'))
}

/**
 * Creates a user and then links the account, for a store that cannot do both in one transaction.
 *
 * A marker is written first, so that an interrupted sign-in can continue, but only with the same provider account. A
 * user without accounts is never joined for that reason alone: the application may have created it.
 */
export async function createUserThenAccount(
  row: NewUser,
  account: Account,
  store: Store,
  now: number
): Promise<AdapterUser> {
  const { tickets } = store
  const marker = { data: row.email ?? '', tries: 0, expires: new Date(now + markerMaxAge * 1000) }
  if (tickets) await putMarker(tickets, { ...marker, ...(await markerKey(account, 'started')), userId: null })
  const user = await store.createUser(row).catch(async (error: unknown) => {
    await removeMarkers(account, store).catch(() => undefined)
    throw error
  })
  if (tickets) await putMarker(tickets, { ...marker, ...(await markerKey(account, 'created')), userId: user.id })
  await store.linkAccount({ ...account, userId: user.id }).catch(async (error: unknown) => {
    // A user without an account would block the email address of its owner, unless the owner has claimed the user.
    if (await isUnused(user, store, now).catch(() => false)) await removeUser(user, account, store)
    throw error
  })
  if (!tickets || !(await wasClaimedSince(user.id, now, tickets))) {
    await removeMarkers(account, store).catch(() => undefined)
    return user
  }
  const { provider, providerAccountId } = account
  await store.unlinkAccount?.({ provider, providerAccountId })
  throw new AuthError('OAuthAccountNotLinked', `${provider}: the user was claimed during the first sign-in`)
}

/**
 * Returns whether the new user is unused: neither the owner of the email address nor the same sign-in in another tab
 * has used it.
 */
async function isUnused({ id }: AdapterUser, { tickets, getUser, getAccounts }: Store, now: number): Promise<boolean> {
  if (tickets && (await wasClaimedSince(id, now, tickets))) return false
  const accounts = getAccounts ? await getAccounts(id) : []
  return accounts.length === 0 && !(await getUser(id))?.emailVerified
}

/**
 * Removes a user whose account could not be linked. If the removal fails, the markers let the same account continue.
 */
async function removeUser({ id }: AdapterUser, account: Account, store: Store): Promise<void> {
  try {
    await store.deleteUser?.(id)
    await removeMarkers(account, store)
  } catch {
    // The first error is the one to report.
  }
}

/**
 * Returns whether an interrupted first sign-in of this account left a user behind.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function findInterruptedSignIn(
  account: Account,
  { id, email, emailVerified }: AdapterUser,
  { tickets, getAccounts }: Pick<Store, 'tickets' | 'getAccounts'>,
  now: number
): Promise<InterruptedSignIn> {
  if (!tickets || !getAccounts || emailVerified !== null) return 'none'
  const isLive = (marker: Ticket | null): marker is Ticket =>
    marker !== null && marker.expires.getTime() > now && marker.data === email?.toLowerCase()
  const created = await tickets.read(await markerKey(account, 'created'))
  const isCreated = isLive(created) && created.userId === id
  const started = isCreated ? created : await tickets.read(await markerKey(account, 'started'))
  if (!isLive(started)) return 'none'
  // The other sign-in may have linked the account in the meantime.
  const isOther = ({ provider, providerAccountId }: AccountKey): boolean =>
    provider !== account.provider || providerAccountId !== account.providerAccountId
  if ((await getAccounts(id)).some(isOther)) return 'none'
  const age = now - (started.expires.getTime() - markerMaxAge * 1000)
  if (isCreated) return 'created'
  return age < inProgressMaxAge * 1000 ? 'in-progress' : 'started'
}
