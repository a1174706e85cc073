import type { Factor, FeatureContext, Ticket, TicketKey } from '@postern/core/feature'
import { findPasswordCheck } from '../../password-check.ts'
import { createTicketOnce } from './create-ticket-once.ts'
import { hashText } from './hash-text.ts'
import { undoMaxAge } from './undo-ticket.ts'

const kind = 'new-password'

/** The passwords that are kept for one user and period. */
const maxPasswords = 5

/** How often other requests may take the place of a password. */
const maxAttempts = 5

/** Milliseconds by which the clocks of two processes may differ. */
const clockSkew = 60 * 60 * 1000

/** A ticket does not expire in its period, so that an expired one is never in the place of a new one. */
const getPeriod = (time: number): number => Math.floor(time / undoMaxAge)

interface ReplacedPassword {
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly replacedAt: number
}

type ReplacedDeps = Pick<FeatureContext, 'now' | 'tickets'>

/**
 * The keys of a period. Each password has a ticket of its own, so that concurrent requests keep all of them, and no request
 * reads a list that another is writing.
 */
const getKeys = (userId: string, period: number): Promise<readonly TicketKey[]> =>
  Promise.all(
    Array.from({ length: maxPasswords }, async (_, place) => ({
      kind,
      id: await hashText(`${userId} ${period} ${place}`)
    }))
  )

/** The keys of all passwords that have not expired. */
async function getAllKeys(userId: string, now: () => number): Promise<readonly TicketKey[]> {
  const time = now()
  const periods = new Set([time - undoMaxAge, time, time + clockSkew].map(getPeriod))
  return (await Promise.all([...periods].map((period) => getKeys(userId, period)))).flat()
}

/** The tickets have no `userId`: the end of all requests of a user must not delete them. */
function toTicket(key: TicketKey, password: ReplacedPassword): Ticket {
  const expires = new Date(password.replacedAt + undoMaxAge)
  return { ...key, userId: null, data: JSON.stringify(password), tries: 0, expires }
}

async function readTickets(
  keys: readonly TicketKey[],
  { tickets }: Pick<ReplacedDeps, 'tickets'>
): Promise<readonly Ticket[]> {
  const found = await Promise.all(keys.map((key) => tickets.read(key)))
  return found.filter((ticket) => ticket !== null)
}

const parse = ({ data }: Ticket): ReplacedPassword => JSON.parse(data)

/** Finds the password that was in use for the shortest time, apart from the oldest one. */
function findShortest(tickets: readonly Ticket[]): Ticket | undefined {
  const sorted = tickets
    .map((ticket) => ({ ticket, replacedAt: parse(ticket).replacedAt }))
    .toSorted((one, other) => one.replacedAt - other.replacedAt)
  const used = sorted.slice(1).map(({ ticket, replacedAt }, index) => ({
    ticket,
    time: replacedAt - (sorted[index]?.replacedAt ?? 0)
  }))
  const shortest = Math.min(...used.map(({ time }) => time))
  return used.findLast(({ time }) => time === shortest)?.ticket
}

/**
 * Keeps a password in place of the one that was in use for the shortest time, which may be itself: a thief who replaces
 * passwords in quick succession does not remove the one of the owner.
 *
 * @returns `false` if another request has written to the place.
 */
async function takePlace(
  keys: readonly TicketKey[],
  password: ReplacedPassword,
  { tickets }: Pick<ReplacedDeps, 'tickets'>
): Promise<boolean> {
  const added = toTicket({ kind, id: '' }, password)
  const shortest = findShortest([...(await readTickets(keys, { tickets })), added])
  if (!shortest) return false
  if (shortest === added) return true
  const removed = await tickets.consume(shortest)
  if (removed === null || removed.data === shortest.data)
    return createTicketOnce({ ...added, id: shortest.id }, { tickets })
  // Another request has written to this place meanwhile.
  await keep(keys, parse(removed), { tickets })
  return false
}

async function keep(
  keys: readonly TicketKey[],
  password: ReplacedPassword,
  { tickets }: Pick<ReplacedDeps, 'tickets'>
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    for (const key of keys) {
      const isFree = (await tickets.read(key)) === null
      if (isFree && (await createTicketOnce(toTicket(key, password), { tickets }))) return
    }
    if (await takePlace(keys, password, { tickets })) return
  }
  throw new Error('features.account: other requests replaced the password at the same time')
}

/**
 * Records that the password of a user is replaced now: its factor has the time of the first password. Call it before the
 * password is written.
 *
 * @param hash - The hash of the password that is replaced.
 */
export async function recordReplacedPassword(
  userId: string,
  hash: string,
  { now, tickets }: ReplacedDeps
): Promise<void> {
  const password = { hash, replacedAt: now() }
  await keep(await getKeys(userId, getPeriod(password.replacedAt)), password, { tickets })
}

/** Whether the password of a user was replaced in the last 7 days. */
export async function hasReplacedPassword(userId: string, { now, tickets }: ReplacedDeps): Promise<boolean> {
  return (await readTickets(await getAllKeys(userId, now), { tickets })).length > 0
}

/**
 * Lists the hashes of the passwords that were replaced in the last 7 days.
 *
 * @param factors - The factors of the user, which were read before. A password that is older than the factor was deleted with
 * an earlier factor: it may be the one of someone else.
 */
export async function listReplacedPasswords(
  userId: string,
  factors: readonly Factor[],
  context: Pick<FeatureContext, 'features' | 'now' | 'tickets'>
): Promise<readonly string[]> {
  const type = findPasswordCheck(context)?.factorType
  const current = factors.find((factor) => factor.type === type)
  if (!current) return []
  const replaced = (await readTickets(await getAllKeys(userId, context.now), context)).map(parse)
  const own = replaced.filter(({ replacedAt }) => replacedAt >= current.createdAt.getTime())
  return [...new Set(own.map(({ hash }) => hash))].filter((hash) => hash !== current.data)
}

export async function deleteReplacedPasswords(userId: string, { now, tickets }: ReplacedDeps): Promise<void> {
  for (const key of await getAllKeys(userId, now)) await tickets.consume(key)
}
