import type { Factor, FeatureContext, FeatureWrite, Ticket, TicketKey } from '@postern/core/feature'
import { createToken, isUsed, markUsed } from '../../mail/mailed-token.ts'
import { hashText } from './hash-text.ts'
import { reservationKey, toComparable } from './reserved-email.ts'
import { undoPeriod } from './undo-period.ts'
import {
  deleteUserRecord,
  findUserRecord,
  readUserRecord,
  removeUserRecord,
  replaceUserRecord,
  type UserRecordKey
} from './user-record.ts'

const undoKind = 'email-undo'

/** The undos of a user, the oldest first. */
const historyKind = 'email-history'

/** A factor as the ticket contains it. */
export type KeptFactor = Omit<Factor, 'createdAt' | 'lastUsedAt'> & {
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** An account at a provider. */
export type AccountPair = readonly [provider: string, providerAccountId: string]

/** What an undo is proven with. */
export interface UndoProofs {
  readonly accounts: readonly AccountPair[]
  /** Passkeys, and factors of other features with which users sign in. */
  readonly factors: readonly Pick<KeptFactor, 'type' | 'id' | 'createdAt'>[]
  /** Hashes: of the password, and then of the one that was replaced in the 7 days before. */
  readonly passwords: readonly string[]
}

/** What an undo restores, and what proves it: the ticket is encrypted. */
export interface UndoState {
  readonly userId: string
  /** The claims of the user before the change: a later one voids the undo. @defaultValue none, in those of an earlier version */
  readonly claimMark?: string
  /** The address before the change. */
  readonly from: string
  readonly to: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
  /** The accounts at the change: provider and id. */
  readonly accounts: readonly AccountPair[]
  readonly factors: readonly KeptFactor[]
  readonly proofs: UndoProofs
  /** Those that the user had for 7 days at the first change which could be undone when this one was made. */
  readonly oldProofs: UndoProofs
}

/** Whether the adapter can store undos: an application without the section of the address may have another adapter. */
export const storesUndos = (context: Pick<FeatureContext, 'hasStore'>): boolean =>
  context.hasStore('tickets') && context.hasStore('factors')

/** An undo that is stored. */
export interface StoredUndo extends UndoState {
  readonly key: TicketKey
  readonly tries: number
}

export function toKept({ createdAt, lastUsedAt, ...factor }: Factor): KeptFactor {
  return { ...factor, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

export function toFactor({ createdAt, lastUsedAt, ...factor }: KeptFactor): Factor {
  return { ...factor, createdAt: new Date(createdAt), lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt) }
}

/** The undo of a change, in the list of its user. */
interface Entry {
  readonly id: string
  readonly email: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** That of the undo. */
  readonly claimMark?: string
}

type ClaimDeps = Pick<FeatureContext, 'readClaimMark'>

/**
 * Returns the undos that no claim has voided since: an undo gives the user back to the person from before the change, who is not the
 * one that has claimed it.
 */
async function withoutClaimed<T extends Pick<UndoState, 'claimMark'>>(
  undos: readonly T[],
  userId: string,
  { readClaimMark }: ClaimDeps
): Promise<readonly T[]> {
  if (undos.length === 0) return undos
  const mark = await readClaimMark(userId)
  return undos.filter(({ claimMark = '' }) => claimMark === mark)
}

/** Whether no claim has voided an undo. */
export const isUnclaimed = async (undo: UndoState, context: ClaimDeps): Promise<boolean> =>
  (await withoutClaimed([undo], undo.userId, context)).length > 0

const historyKey = (userId: string): UserRecordKey => ({ kind: historyKind, userId })

function parseHistory(text: string | null, { now }: Pick<FeatureContext, 'now'>): readonly Entry[] {
  const entries: readonly Entry[] = text === null ? [] : JSON.parse(text)
  return entries.filter(({ expires }) => expires > now())
}

const readHistory = async (
  userId: string,
  context: Pick<FeatureContext, 'now' | 'tickets'>
): Promise<readonly Entry[]> => parseHistory(await readUserRecord(historyKey(userId), context), context)

const consume = (key: TicketKey): FeatureWrite => ({ method: 'consumeTicket', args: [key] })
const create = (ticket: Ticket): FeatureWrite => ({ method: 'createTicket', args: [ticket] })

/** The writes that delete tickets which exist: a transaction fails if one does not. */
async function deleteExisting(
  keys: readonly TicketKey[],
  { tickets }: Pick<FeatureContext, 'tickets'>
): Promise<readonly FeatureWrite[]> {
  const unique = new Map(keys.map((key) => [`${key.kind} ${key.id}`, key]))
  const writes: FeatureWrite[] = []
  for (const key of unique.values()) {
    if (await tickets.read(key)) writes.push(consume(key))
    // An expired ticket would prevent a new one with the same key.
    else await tickets.consume(key)
  }
  return writes
}

async function replaceHistory(
  userId: string,
  entries: readonly Entry[],
  context: Pick<FeatureContext, 'now' | 'tickets'>
): Promise<readonly FeatureWrite[]> {
  const key = historyKey(userId)
  if (entries.length === 0) return removeUserRecord(key, context)
  const expires = new Date(Math.max(...entries.map((entry) => entry.expires)))
  return replaceUserRecord(key, { data: JSON.stringify(entries), expires }, context)
}

type UndoDeps = Pick<FeatureContext, 'applicationId' | 'now' | 'randomBytes' | 'readClaimMark' | 'tickets'>

const undoKey = async (token: string, { applicationId }: Pick<UndoDeps, 'applicationId'>): Promise<TicketKey> => ({
  kind: undoKind,
  id: await hashText(`${token} ${applicationId}`)
})

/** An undo to store, and the token of its link. */
export interface NewUndo {
  readonly token: string
  readonly key: TicketKey
  /** They reserve the address, too. Make them before the user gets another address. */
  readonly writes: readonly FeatureWrite[]
}

/** Plans the ticket of an undo. */
export async function createUndo(state: UndoState, context: FeatureContext): Promise<NewUndo> {
  const token = createToken(context)
  const key = await undoKey(token, context)
  const expires = new Date(state.changedAt + undoPeriod)
  const reservation = await reservationKey(state.from)
  const about = { userId: null, tries: 0, expires }
  const entries = await readHistory(state.userId, context)
  const { claimMark } = state
  const entry = { id: key.id, email: state.from, expires: expires.getTime(), ...(claimMark && { claimMark }) }
  return {
    token,
    key,
    writes: [
      // The user had the address before, and changes it again: the newest undo needs it longest.
      ...(await deleteExisting([reservation], context)),
      create({ ...reservation, ...about, data: JSON.stringify({ userId: state.userId, undoId: key.id }) }),
      create({ ...key, ...about, data: JSON.stringify(state) }),
      ...(await replaceHistory(state.userId, [...entries, entry], context))
    ]
  }
}

/** Deletes the undo of a change that failed halfway, in a store without transactions. */
export async function discardUndo(
  { key }: Pick<NewUndo, 'key'>,
  { from, userId }: Pick<UndoState, 'from' | 'userId'>,
  context: Pick<FeatureContext, 'commit' | 'now' | 'tickets'>
): Promise<void> {
  const { tickets } = context
  await tickets.consume(key)
  const reservation = await tickets.read(await reservationKey(from))
  if (reservation && JSON.parse(reservation.data).undoId === key.id) await tickets.consume(reservation)
  const entries = await readHistory(userId, context)
  const others = entries.filter(({ id }) => id !== key.id)
  if (others.length < entries.length) await context.commit(await replaceHistory(userId, others, context))
}

function toUndo(key: TicketKey, ticket: Ticket): StoredUndo {
  const state: UndoState = JSON.parse(ticket.data)
  return { ...state, key, tries: ticket.tries }
}

/** @returns The undo of a link; `null` if it was used or has expired, if the user was claimed since, or if the token is unknown. */
export async function readUndo(token: string, context: UndoDeps): Promise<StoredUndo | null> {
  if (!/^[\w-]{43}$/.test(token)) return null
  const key = await undoKey(token, context)
  const ticket = await context.tickets.read(key)
  const undo = ticket && toUndo(key, ticket)
  return undo && (await isUnclaimed(undo, context)) ? undo : null
}

/** Whether a link has undone its change. */
export async function wasUndone(
  token: string,
  context: Pick<FeatureContext, 'applicationId' | 'tickets'>
): Promise<boolean> {
  return isUsed([(await undoKey(token, context)).id], context)
}

/** Lists the undos of a user that have not expired, and that no claim has voided, in the order of their changes. */
export async function listUndos(
  userId: string,
  context: ClaimDeps & Pick<FeatureContext, 'now' | 'tickets'>
): Promise<readonly StoredUndo[]> {
  const keys = (await readHistory(userId, context)).map(({ id }) => ({ kind: undoKind, id }))
  const found = await Promise.all(keys.map(async (key) => ({ key, ticket: await context.tickets.read(key) })))
  const undos = found.flatMap(({ key, ticket }) => (ticket ? [toUndo(key, ticket)] : []))
  return withoutClaimed(undos, userId, context)
}

/**
 * Lists the ids of the undos of a user in the order of their changes; clocks of processes may differ. Every sign-in calls it. While a
 * change is written, the list may be empty, and the session then proves nothing.
 */
export async function listUndoIds(
  userId: string,
  context: ClaimDeps & Pick<FeatureContext, 'now' | 'tickets'>
): Promise<readonly string[]> {
  const entries = parseHistory(await findUserRecord(historyKey(userId), context), context)
  return (await withoutClaimed(entries, userId, context)).map(({ id }) => id)
}

/**
 * The writes that use up an undo, after those of the work that it does: without transactions, a process that ends in between leaves a
 * link that still works. It ends the undos of later changes: their addresses may be those of a thief, who must not undo the undo.
 * Those of earlier changes stay.
 */
export async function consumeUndo(
  { userId, key, from, changedAt }: StoredUndo,
  context: Pick<FeatureContext, 'now' | 'tickets'>
): Promise<readonly FeatureWrite[]> {
  const entries = await readHistory(userId, context)
  const place = entries.findIndex(({ id }) => id === key.id)
  const [earlier, later] = place === -1 ? [entries, []] : [entries.slice(0, place), entries.slice(place + 1)]
  const stillReserved = new Set(earlier.map(({ email }) => toComparable(email)))
  const released = [from, ...later.map(({ email }) => email)].filter((email) => !stillReserved.has(toComparable(email)))
  const reservations = await Promise.all(released.map(reservationKey))
  const undos = later.map(({ id }) => ({ kind: undoKind, id }))
  return [
    ...(await deleteExisting([...undos, ...reservations], context)),
    ...(await replaceHistory(userId, earlier, context)),
    consume(key),
    markUsed({ id: key.id, expires: new Date(changedAt + undoPeriod) })
  ]
}

/** Whether a sign-in was after a change. @param ids - The undos of the user, in the order of their changes. */
export function isSignInAfterChange(signInUndoId: string, undoId: string, ids: readonly string[]): boolean {
  const place = ids.indexOf(undoId)
  return place !== -1 && ids.indexOf(signInUndoId) >= place
}

/** Deletes the undos of a user, with the addresses that they reserve. */
export async function deleteUndos(userId: string, context: Pick<FeatureContext, 'now' | 'tickets'>): Promise<void> {
  for (const { id, email } of await readHistory(userId, context)) {
    await context.tickets.consume({ kind: undoKind, id })
    await context.tickets.consume(await reservationKey(email))
  }
  await deleteUserRecord(historyKey(userId), context)
}
