import { isJsonObject } from '../model/json-object.ts'
import { sha256 } from '../tokens/hash.ts'
import type { AccountKey, AdapterCall } from './adapter.ts'
import { approvalKind, claimEpochKinds, getMarker, type SignInMarkers } from './sign-in-markers.ts'
import { type Store, StoreError, type TicketStore } from './store.ts'
import { never, type Ticket, type TicketKey } from './ticket.ts'

// A claim removes the accounts that others have connected to a user. A call of the store that was made before may connect one later,
// even if its request has failed long ago. Therefore an account that is connected to a user who was claimed needs an approval. The
// claim approves those that it keeps, and a link approves its account after it has checked what allowed it.
//
// A claim has two marks: one from before the sessions of the user end, and one from after. An approval names the second mark, as its
// request read it before it made that check: those of requests whose session the claim has ended are void. All of them stay, as an
// account may have been connected late, and be used for the first time years later.

/** The maximum number of keys that `readTickets` of an adapter receives. */
const maxKeys = 100

/** How often a ticket is replaced while other requests replace it. */
const maxAttempts = 5

/** The kind of a copy of the second mark, which the start of a claim does not remove. */
const lastEndKind = 'claim-last-end'

type MarkKind = (typeof claimEpochKinds)[number] | typeof lastEndKind

/** The second mark of the last claim of a user; empty if there is none. */
export type ClaimEpoch = string

const toEpochKeys = (userId: string): readonly TicketKey[] => claimEpochKinds.map((kind) => ({ kind, id: userId }))

const toEpoch = ([, end = null]: readonly (Ticket | null)[]): ClaimEpoch => end?.data ?? ''

/** The key of the approval of an account, which has one user at a time. */
export async function approvalKey({
  provider,
  providerAccountId
}: AccountKey): Promise<TicketKey & { readonly kind: typeof approvalKind }> {
  return { kind: approvalKind, id: await sha256(JSON.stringify([provider, providerAccountId])) }
}

/** What was read about the approval of an account. */
export interface ApprovalState {
  /** Whether a claim of the user requires an approval that the account does not have. */
  readonly isMissing: boolean
  /** When the account was approved for the user, in milliseconds since 1970; 0 if it was not. */
  readonly time: number
  /** What the approval names; empty if the account was not approved for the user. */
  readonly approvedEpoch: ClaimEpoch
  readonly epoch: ClaimEpoch
}

/** An approval without a meaning counts as missing. */
function parseApproval(ticket: Ticket | null): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(ticket?.data ?? '')
    return isJsonObject(data) ? data : {}
  } catch {
    return {}
  }
}

function toState(userId: string, approval: Ticket | null, epochs: readonly (Ticket | null)[]): ApprovalState {
  const epoch = toEpoch(epochs)
  const given = parseApproval(approval)
  const isOfUser = given['userId'] === userId
  const time = isOfUser && typeof given['time'] === 'number' ? given['time'] : 0
  const approvedEpoch = isOfUser && typeof given['epoch'] === 'string' ? given['epoch'] : ''
  const isApproved = epoch !== '' && approvedEpoch === epoch
  return { isMissing: epochs.some((mark) => mark !== null) && !isApproved, time, approvedEpoch, epoch }
}

/** The approval of an account, by the markers that were read. */
export function getApprovalState(userId: string, markers: SignInMarkers): ApprovalState {
  const epochs = claimEpochKinds.map((kind) => getMarker(markers, kind))
  return toState(userId, getMarker(markers, approvalKind), epochs)
}

/**
 * Reads tickets, and the approval of an account.
 *
 * @returns The tickets in the order of their keys, and the approval.
 * @throws AuthError `StoreUnavailable`
 */
export async function readWithApproval(
  keys: readonly TicketKey[],
  { account, userId }: { readonly account: AccountKey; readonly userId: string },
  tickets: TicketStore
): Promise<{ readonly found: readonly (Ticket | null)[]; readonly approval: ApprovalState }> {
  const all = await tickets.readAll([...keys, await approvalKey(account), ...toEpochKeys(userId)])
  const [approval = null, ...epochs] = all.slice(keys.length)
  return { found: all.slice(0, keys.length), approval: toState(userId, approval, epochs) }
}

/** Reads the approval of an account of a user. @throws AuthError `StoreUnavailable` */
export async function readApproval(
  of: { readonly account: AccountKey; readonly userId: string },
  tickets: TicketStore
): Promise<ApprovalState> {
  return (await readWithApproval([], of, tickets)).approval
}

/** @throws AuthError `StoreUnavailable` */
export async function readClaimEpoch(userId: string, tickets: TicketStore): Promise<ClaimEpoch> {
  return toEpoch(await tickets.readAll(toEpochKeys(userId)))
}

/**
 * Names the claims of a user so far: what was stored about the user under another name is void, as it may be that of another person.
 * The name changes when a claim starts and when it ends; it is empty if there was none.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function readClaimMark(userId: string, tickets: TicketStore): Promise<string> {
  const marks = await tickets.readAll(toEpochKeys(userId))
  return marks
    .map((mark) => mark?.data ?? '')
    .join(' ')
    .trim()
}

/** Writes a ticket, in place of the one with its key. */
async function replaceTicket(ticket: Ticket, tickets: TicketStore): Promise<void> {
  const { kind, id } = ticket
  for (let attempts = 1; ; attempts++) {
    if (await tickets.read({ kind, id })) await tickets.consume({ kind, id })
    try {
      return await tickets.create(ticket)
    } catch (error) {
      // Another request may have written one since.
      if (attempts === maxAttempts || !(error instanceof StoreError) || error.isOutage) throw error
    }
  }
}

/** The ticket has no `userId`, so that deleting the user's tickets keeps it. */
const createMark = (kind: MarkKind, id: string, data: string = crypto.randomUUID()): Ticket => ({
  ...{ kind, id, userId: null, data, tries: 0, expires: never }
})

/**
 * Records that a claim has started: from now on, the accounts of the user need an approval, which those from before do not have. Call it
 * before the sessions end.
 */
export async function markClaimStart(userId: string, tickets: TicketStore): Promise<void> {
  const mark = createMark('claim-start', userId)
  if (!(await tickets.read({ kind: mark.kind, id: userId }))) await replaceTicket(mark, tickets)
  const end = { kind: 'claim-end', id: userId }
  if (await tickets.read(end)) await tickets.consume(end)
}

/** Records that a claim has ended the sessions of a user. @returns What approvals have to name from now on. */
export async function markClaimEnd(userId: string, tickets: TicketStore): Promise<ClaimEpoch> {
  const mark = createMark('claim-end', userId)
  await replaceTicket({ ...mark, kind: lastEndKind }, tickets)
  await replaceTicket(mark, tickets)
  return mark.data
}

/**
 * Writes the second mark of the last claim again, which the start of another one has removed: that one took effect late, or its
 * process has ended. Call it for a user whose address is verified.
 *
 * @returns What approvals name; empty if no claim has ended.
 */
export async function restoreClaimEnd(userId: string, tickets: TicketStore): Promise<ClaimEpoch> {
  const last = await tickets.read({ kind: lastEndKind, id: userId })
  if (!last) return ''
  // A claim that has ended meanwhile has written another one.
  await tickets.create(createMark('claim-end', userId, last.data)).catch(() => undefined)
  return readClaimEpoch(userId, tickets)
}

/** Forgets the claims of a user who was deleted. */
export async function forgetClaims(userId: string, tickets: TicketStore): Promise<void> {
  for (const key of [...toEpochKeys(userId), { kind: lastEndKind, id: userId }]) await tickets.consume(key)
}

/**
 * Approves the account of a user.
 *
 * @param epoch - What was read before the request checked what allows the account.
 * @throws AuthError `StoreUnavailable`
 */
export async function approveAccount(
  account: AccountKey,
  { userId, epoch }: { readonly userId: string; readonly epoch: ClaimEpoch },
  { tickets, now }: { readonly tickets: TicketStore; readonly now: number }
): Promise<void> {
  const data = JSON.stringify({ userId, epoch, time: now })
  await replaceTicket({ ...(await approvalKey(account)), userId: null, data, tries: 0, expires: never }, tickets)
}

/** Forgets the approval of an account for a user who was deleted. @throws AuthError `StoreUnavailable` */
export async function forgetApproval(account: AccountKey, userId: string, tickets: TicketStore): Promise<void> {
  const key = await approvalKey(account)
  if (parseApproval(await tickets.read(key))['userId'] === userId) await tickets.consume(key)
}

/** Withdraws the approval of each account that is removed, so that one that is connected again late has none. */
export function withWithdrawnApprovals(store: Store): Store {
  const { tickets, unlinkAccount, transact } = store
  if (!tickets) return store
  const createWithdrawals = async (calls: readonly AdapterCall[]): Promise<readonly AdapterCall[]> => {
    const accounts = calls.flatMap((call) => (call.method === 'unlinkAccount' ? [call.args[0]] : []))
    if (accounts.length === 0) return []
    const keys = new Map((await Promise.all(accounts.map(approvalKey))).map((key) => [key.id, key]))
    const all = [...keys.values()]
    const found: (Ticket | null)[] = []
    for (let from = 0; from < all.length; from += maxKeys)
      found.push(...(await tickets.readAll(all.slice(from, from + maxKeys))))
    return found.flatMap((ticket) => (ticket ? { method: 'consumeTicket', args: [ticket] } : []))
  }
  const unlink = async (account: AccountKey, remove: (key: AccountKey) => Promise<void>): Promise<void> => {
    const key = await approvalKey(account)
    // Before the account: otherwise it would stay approved if this process ends.
    const before = (await tickets.read(key)) && (await tickets.consume(key))
    try {
      await remove(account)
    } catch (error) {
      const isRefused = error instanceof StoreError && !error.isOutage
      if (before && isRefused) await tickets.create(before).catch(() => undefined)
      throw error
    }
  }
  return {
    ...store,
    unlinkAccount: unlinkAccount && ((account) => unlink(account, unlinkAccount)),
    transact: transact && (async (calls) => transact([...(await createWithdrawals(calls)), ...calls]))
  }
}
