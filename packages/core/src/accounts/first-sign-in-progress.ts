import { readWithApproval } from '../adapter/account-approval.ts'
import type { AccountKey, AdapterUser } from '../adapter/adapter.ts'
import { type Store, StoreError, type TicketStore } from '../adapter/store.ts'
import type { Ticket, TicketKey } from '../adapter/ticket.ts'
import type { Account } from '../model/account.ts'
import { sha256 } from '../tokens/hash.ts'
import type { LinkDeps } from './write-link.ts'

type Tickets = Pick<Store, 'tickets'>

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

/**
 * The markers of first sign-ins that have started: one for each of a few tabs. If one replaced that of another, nothing would show
 * for a moment that there is a sign-in.
 */
const startKinds = ['started', 'started-2', 'started-3', 'started-4'].map((step) => `first-sign-in-${step}`)

async function startKeys({ provider, providerAccountId }: AccountKey): Promise<readonly TicketKey[]> {
  const id = await sha256(JSON.stringify([provider, providerAccountId]))
  return startKinds.map((kind) => ({ kind, id }))
}

/** The email address, after a random part that no other marker has. */
const createData = (email: string | null): string => `${crypto.randomUUID()} ${email ?? ''}`

const getEmail = ({ data }: Ticket): string => data.slice(data.indexOf(' ') + 1)

/** The marker of a first sign-in that has started. */
export interface StartMarker {
  readonly own: Ticket
  /** Whether it has replaced that of another sign-in with the account, which may be in progress. */
  readonly hasReplaced: boolean
}

/** How often a marker is written while other tabs write theirs. */
const maxAttempts = 5

/** Writes a marker. If those of too many other sign-ins exist, it replaces the oldest one. */
export async function markStart(
  account: Account,
  email: string | null,
  { tickets, now }: { readonly tickets: TicketStore; readonly now: number }
): Promise<StartMarker> {
  const keys = await startKeys(account)
  const expires = new Date(now + markerMaxAge * 1000)
  let hasReplaced = false
  for (let attempts = 1; ; attempts++) {
    const found = await tickets.readAll(keys)
    const slots = keys.map((key, index) => ({ key, expires: found[index]?.expires.getTime() ?? 0 }))
    const { key, expires: before } = slots.reduce((one, other) => (other.expires < one.expires ? other : one))
    const replaced = before > 0 || attempts > 1 ? await tickets.consume(key) : null
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

/** The kind of the tickets that say which user the first sign-in with an account has created. */
const createdKind = 'first-sign-in-created'

async function createdKey({ provider, providerAccountId }: AccountKey, userId: string): Promise<TicketKey> {
  return { kind: createdKind, id: await sha256(JSON.stringify([provider, providerAccountId, userId])) }
}

/**
 * Records that the first sign-in with an account has created a user, so that the same account can continue it if it is interrupted.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function markCreated(
  account: AccountKey,
  userId: string,
  { store: { tickets }, now }: { readonly store: Tickets; readonly now: number }
): Promise<void> {
  const expires = new Date(now + markerMaxAge * 1000)
  await tickets?.create({ ...(await createdKey(account, userId)), userId: null, data: '', tries: 0, expires })
}

/** Whether the user has disconnected the account since the first sign-in began. */
export async function isForgotten(account: AccountKey, userId: string, { tickets }: Tickets): Promise<boolean> {
  return tickets !== null && (await tickets.read(await createdKey(account, userId))) === null
}

export async function removeCreated(account: AccountKey, userId: string, { tickets }: Tickets): Promise<void> {
  await tickets?.consume(await createdKey(account, userId))
}

/** Removes the marker of a first sign-in that is complete; a remaining marker expires. */
export async function removeStart(start: StartMarker | null, { tickets }: Tickets): Promise<void> {
  if (start) await tickets?.consume(start.own)
}

/** Removes the markers of first sign-ins with an account that is linked, or was disconnected; a remaining marker expires. */
export async function removeFirstSignIns(account: AccountKey, userId: string, { tickets }: Tickets): Promise<void> {
  if (!tickets) return
  for (const key of [...(await startKeys(account)), await createdKey(account, userId)]) await tickets.consume(key)
}

/**
 * Removes the marker of a first sign-in whose user was refused, unless another sign-in with the account needs it: that one may
 * have created the user.
 */
export async function forgetStart({ own, hasReplaced }: StartMarker, tickets: TicketStore): Promise<void> {
  if (!hasReplaced && (await isStored(own, tickets))) await tickets.consume(own)
}

/** Whether the marker was not replaced. */
async function isStored(own: Ticket, tickets: TicketStore): Promise<boolean> {
  return (await tickets.read(own))?.data === own.data
}

/** Records that a first sign-in has failed, so that nobody waits for it. */
export async function stopStart({ own }: StartMarker, tickets: TicketStore): Promise<void> {
  if (await isStored(own, tickets)) await tickets.countTry(own)
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
  { store, now }: LinkDeps
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
  { tickets, getAccounts }: Pick<Store, 'getAccounts' | 'tickets'>,
  now: number
): Promise<{ readonly interrupted: InterruptedSignIn; readonly isRecent: boolean }> {
  const none = { interrupted: 'none', isRecent: false } as const
  if (!tickets || !getAccounts || emailVerified !== null) return none
  const keys = [await createdKey(account, id), ...(await startKeys(account))]
  const { found, approval } = await readWithApproval(keys, { account, userId: id }, tickets)
  const [created = null, ...starts] = found
  const isLive = ({ expires }: Ticket): boolean => expires.getTime() > now
  const live = starts
    .flatMap((marker) => marker ?? [])
    .filter((marker) => isLive(marker) && getEmail(marker) === email?.toLowerCase())
  if (live.length === 0) return none
  // The other sign-in may have linked the account in the meantime.
  const isOther = ({ provider, providerAccountId }: AccountKey): boolean =>
    provider !== account.provider || providerAccountId !== account.providerAccountId
  if ((await getAccounts(id)).some(isOther)) return none
  const isCreated = created !== null && isLive(created) && !approval.isMissing
  const getAge = ({ expires }: Ticket): number => now - (expires.getTime() - markerMaxAge * 1000)
  const isRecent = live.some((marker) => marker.tries === 0 && getAge(marker) < inProgressMaxAge * 1000)
  return { interrupted: isCreated ? 'created' : 'started', isRecent }
}
