import type { AccountKey, AdapterUser, NewUser } from '../adapter/adapter.ts'
import { wasClaimedSince } from '../adapter/claim-marker.ts'
import { type Store, StoreError, type TicketStore } from '../adapter/store.ts'
import type { Ticket, TicketKey } from '../adapter/ticket.ts'
import {
  forgetLink,
  getFirstSignIn,
  type LinkMarker,
  linkMarkerKeys,
  markUnsettledLink
} from '../adapter/unsettled-link.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import { sha256 } from '../tokens/hash.ts'
import { writeFirstLink } from './write-link.ts'

/** Seconds in which an interrupted first sign-in can be continued. */
const markerMaxAge = 86_400

/** Seconds in which a first sign-in may be in progress, for example in another tab. */
const inProgressMaxAge = 10

/** Milliseconds after the first and after the last read of the progress of another first sign-in; each wait is twice as long. */
const firstWait = 10
const lastWait = 640

/**
 * The progress of another first sign-in with the same account: `created` if it created the user, `started` if it may
 * have created a user with this email address, `none` if there was no such sign-in.
 */
export type InterruptedSignIn = 'none' | 'started' | 'created'

/** The keys of the markers of first sign-ins that have started: two, so that one stays while another tab replaces the other one. */
async function startKeys({ provider, providerAccountId }: Account): Promise<readonly [TicketKey, TicketKey]> {
  const id = await sha256(JSON.stringify([provider, providerAccountId]))
  return [
    { kind: 'first-sign-in-started', id },
    { kind: 'first-sign-in-started-2', id }
  ]
}

/** The email address, after a random part that no other marker has. */
const createData = (email: string | null): string => `${crypto.randomUUID()} ${email ?? ''}`

const getEmail = ({ data }: Ticket): string => data.slice(data.indexOf(' ') + 1)

/** The marker of a first sign-in that has started. */
interface StartMarker {
  readonly own: Ticket
  /** Whether it has replaced that of another sign-in with the account, which may be in progress. */
  readonly hasReplaced: boolean
}

/** How often a marker is written while other tabs write theirs. */
const maxAttempts = 5

/** Writes a marker. If those of two other sign-ins exist, it replaces the older one. */
async function markStart(
  account: Account,
  email: string | null,
  { tickets, now }: { readonly tickets: TicketStore; readonly now: number }
): Promise<StartMarker> {
  const keys = await startKeys(account)
  const expires = new Date(now + markerMaxAge * 1000)
  let hasReplaced = false
  for (let attempts = 1; ; attempts++) {
    const [first = null, second = null] = await tickets.readAll(keys)
    const isSecond = first !== null && (second?.expires.getTime() ?? 0) <= first.expires.getTime()
    const key = keys[isSecond ? 1 : 0]
    const isTaken = (isSecond ? second : first) !== null || attempts > 1
    const replaced = isTaken ? await tickets.consume(key) : null
    hasReplaced ||= replaced !== null && replaced.expires.getTime() > now
    const own = { ...key, userId: null, data: createData(email), tries: 0, expires }
    try {
      await tickets.create(own)
      return { own, hasReplaced }
    } catch (error) {
      // Another tab may have written one since.
      if (attempts === maxAttempts || !(error instanceof StoreError) || error.isOutage) throw error
    }
  }
}

/** Removes the markers of first sign-ins after one is complete; a remaining marker expires. */
export async function removeStartMarkers(account: Account, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
  for (const key of tickets ? await startKeys(account) : []) await tickets?.consume(key)
}

/**
 * Removes the marker of a first sign-in whose user was refused, unless another sign-in with the account needs it: that one may
 * have created the user.
 */
async function forgetStart({ own, hasReplaced }: StartMarker, tickets: TicketStore): Promise<void> {
  const isOwn = !hasReplaced && (await tickets.read(own))?.data === own.data
  if (isOwn) await tickets.consume(own)
}

/** Records that a first sign-in has failed, so that nobody waits for it. */
async function stopStart(start: StartMarker | null, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
  if (start) await tickets?.countTry(start.own).catch(() => undefined)
}

/** What a first sign-in is made with. */
interface FirstSignInDeps {
  readonly store: Store
  readonly now: () => number
}

/** A user who was created by a first sign-in. */
interface CreatedUser {
  readonly user: AdapterUser
  /** `false` if the same sign-in in another tab has linked the account. */
  readonly isLinked: boolean
}

/**
 * Creates a user and then links the account, for a store that cannot do both in one transaction.
 *
 * A marker is written first, so that an interrupted sign-in can continue, but only with the same provider account. A
 * user without accounts is never joined for that reason alone: the application may have created it.
 *
 * @throws AuthError `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function createUserThenAccount(
  row: NewUser,
  identity: Identity,
  { store, now }: FirstSignInDeps
): Promise<CreatedUser> {
  const { account } = identity
  const { tickets } = store
  const since = now()
  const start = tickets && (await markStart(account, row.email, { tickets, now: since }))
  const user = await store.createUser(row).catch(async (error: unknown) => {
    const isRefused = error instanceof StoreError && !error.isOutage
    // After an outage, the user may exist.
    if (!isRefused) await stopStart(start, store)
    else if (tickets && start) await forgetStart(start, tickets).catch(() => undefined)
    throw error
  })
  let marker: LinkMarker | null = null
  try {
    marker = await markUnsettledLink(account, user.id, { store, now: since, isFirstSignIn: true })
    const isLinked = await writeFirstLink(user, identity, { marker, since }, { store, now })
    await removeStartMarkers(account, store).catch(() => undefined)
    return { user, isLinked }
  } catch (error) {
    // A user without an account would block the email address of its owner, unless the owner has claimed the user.
    if (await isUnused(user, store, since).catch(() => false)) await removeUser(user, account, marker, store)
    await stopStart(start, store)
    throw error
  }
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
async function removeUser(
  { id }: AdapterUser,
  account: Account,
  marker: LinkMarker | null,
  store: Store
): Promise<void> {
  if (!store.deleteUser) return
  try {
    await store.deleteUser(id)
    await forgetLink(marker, store)
    await removeStartMarkers(account, store)
  } catch {
    // The first error is the one to report.
  }
}

/**
 * Links the account to the user that an interrupted first sign-in with it has created.
 *
 * @param since - When the user was read, in milliseconds since 1970.
 * @returns `false` if another request of the same user has just linked the account.
 * @throws AuthError `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function continueFirstSignIn(
  user: AdapterUser,
  identity: Identity,
  since: number,
  { store, now }: FirstSignInDeps
): Promise<boolean> {
  const { account } = identity
  const marker = await markUnsettledLink(account, user.id, { store, now: since, isFirstSignIn: true })
  const isLinked = await writeFirstLink(user, identity, { marker, since }, { store, now })
  await removeStartMarkers(account, store)
  return isLinked
}

/** What is known of another first sign-in with the same account. */
interface OtherFirstSignIn {
  readonly interrupted: InterruptedSignIn
  /** The user that the account is linked to, if it was completed meanwhile. */
  readonly owner: AdapterUser | null
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Finds another first sign-in of this account, which may have created the user with the email address. If it started seconds ago,
 * it is probably in progress in another tab: this waits up to 1.3 seconds until it is complete.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function findOtherFirstSignIn(
  account: Account,
  userWithEmail: AdapterUser,
  { store, now }: FirstSignInDeps
): Promise<OtherFirstSignIn> {
  // Such a store makes it at once.
  if (store.createUserWithAccount) return { interrupted: 'none', owner: null }
  for (let pause = firstWait; ; pause *= 2) {
    const { interrupted, isRecent } = await readProgress(account, userWithEmail, store, now())
    // It removes its markers after it has linked the account: without markers it may be complete.
    const owner = await store.getUserByAccount(account)
    if (owner || !isRecent || pause > lastWait) return { interrupted, owner }
    await wait(pause)
  }
}

async function readProgress(
  account: Account,
  { id, email, emailVerified }: AdapterUser,
  { tickets, getAccounts }: Pick<Store, 'tickets' | 'getAccounts'>,
  now: number
): Promise<{ readonly interrupted: InterruptedSignIn; readonly isRecent: boolean }> {
  const none = { interrupted: 'none', isRecent: false } as const
  if (!tickets || !getAccounts || emailVerified !== null) return none
  const keys = [...(await startKeys(account)), ...(await linkMarkerKeys(account, id))]
  const [first = null, second = null, ...links] = await tickets.readAll(keys)
  const starts = [first, second].flatMap((marker) => marker ?? [])
  const isLive = (marker: Ticket): boolean =>
    marker.expires.getTime() > now && getEmail(marker) === email?.toLowerCase()
  const live = starts.filter(isLive)
  if (live.length === 0) return none
  // The other sign-in may have linked the account in the meantime.
  const isOther = ({ provider, providerAccountId }: AccountKey): boolean =>
    provider !== account.provider || providerAccountId !== account.providerAccountId
  if ((await getAccounts(id)).some(isOther)) return none
  const since = getFirstSignIn(links)
  const isCreated = since !== null && !(await wasClaimedSince(id, since, tickets))
  const getAge = ({ expires }: Ticket): number => now - (expires.getTime() - markerMaxAge * 1000)
  const isRecent = live.some((marker) => marker.tries === 0 && getAge(marker) < inProgressMaxAge * 1000)
  return { interrupted: isCreated ? 'created' : 'started', isRecent }
}
