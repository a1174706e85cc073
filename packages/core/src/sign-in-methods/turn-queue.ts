import type { Config } from '../config/config.ts'
import { noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { RateLimiter, RateRule } from '../model/rate-limiter.ts'
import { weakMemoize } from '../model/weak-memoize.ts'
import { decryptList, type Expiring } from '../tokens/encrypted-list.ts'
import { sha256 } from '../tokens/hash.ts'
import { encryptText } from '../tokens/jwe.ts'
import { clientCounters, type RateLimitCounter } from './client-key.ts'

/** The slots of a queue: one event each. */
export interface Slots {
  /** The length of a slot. */
  readonly seconds: number
  /** The slots in which a reservation may be used: its own and those that follow. */
  readonly usable: number
}

/** A password waits for at most 30 seconds for each client before it. */
export const credentialSlots: Slots = { seconds: 30, usable: 10 }

/** Mails fill a mailbox, so their slots are longer. */
export const mailSlots: Slots = { seconds: 300, usable: 2 }

/** The number of slots ahead that can be reserved. */
const maxAhead = 120

/** The number of slots for which the limiter counts a taken slot: longer than any reservation. */
const maxCounted = 150

/**
 * The numbers of slots for which the reservation of a client is counted; the shortest that covers its slot applies. A
 * client that loses the cookie can reserve again afterwards.
 */
const terms = [15, maxCounted] as const

/** A reservation ends these seconds before its counter does, so that a refund never affects a later one. */
const margin = 30

/** The reservations of one cookie; the newest ones stay. */
const maxTurns = 4

/** The queues whose taken slots one process remembers. */
const maxFrontiers = 10_000

/** What the queue depends on. */
export type TurnDeps = Pick<Config, 'application' | 'cookies' | 'keys' | 'runtime'>

/** A reserved slot, in the encrypted cookie of the browser that reserved it: nobody else can use the slot. */
interface Turn extends Expiring {
  readonly app: string
  /** The hash of the queue's key. */
  readonly queue: string
  /** The number of the slot since 1970. */
  readonly slot: number
  /** The last slot in which it may be used. */
  readonly last: number
  /** One of {@link terms}. */
  readonly term: number
  /** The client for which the reservation is counted. */
  readonly client: string | null
}

function isTurn(entry: Expiring): entry is Turn {
  const { app, queue, slot, last, term, client }: Partial<Record<string, unknown>> = { ...entry }
  const areTexts = [app, queue, client ?? ''].every((field) => typeof field === 'string')
  return areTexts && [slot, last, term].every(Number.isSafeInteger)
}

/** A queue beyond an exceeded limit. */
export interface ExceededLimit {
  readonly key: string
  readonly rule: RateRule
  readonly slots: Slots
  /** Whether the client can wait for a slot: not if the response cannot set its cookie. */
  readonly canWait: boolean
}

/** The queue as one request uses it. */
interface Queue extends ExceededLimit {
  readonly id: string
  readonly app: string
  readonly limiter: RateLimiter
  readonly request: Pick<AuthRequest, 'client' | 'clientsBehindIp'>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The place of a request in a queue: `turn` is `null` if it has none. */
interface Place {
  readonly queue: Queue
  readonly turn: Turn | null
  /** Seconds until the turn, or until a retry is useful. */
  readonly retryAfter: number
  /** Whether the use of the slot was counted. */
  readonly isCounted: boolean
}

const slotRule = ({ seconds }: Slots, count: number): RateRule => ({ points: 1, seconds: seconds * count })
const currentSlot = ({ slots, now }: Queue): number => Math.floor(now / 1000 / slots.seconds)

/** The counters of a slot: who takes it, and who uses it. */
const takenCounter = ({ key, slots }: Queue, slot: number): RateLimitCounter => [
  `${key} slot ${slot}`,
  slotRule(slots, maxCounted)
]
const usedCounter = ({ key, slots }: Queue, slot: number): RateLimitCounter => [
  `${key} use of slot ${slot}`,
  slotRule(slots, maxCounted)
]

/**
 * The last slot that is known to be taken, for each queue of a limiter. A taken slot is never free again, so it need not
 * be tried again.
 */
const getFrontiers = weakMemoize<RateLimiter, Map<string, number>>(() => new Map())

function saveFrontier({ limiter, key }: Queue, slot: number): void {
  const frontiers = getFrontiers(limiter)
  const latest = Math.max(frontiers.get(key) ?? slot, slot)
  frontiers.delete(key)
  frontiers.set(key, latest)
  const [oldest] = frontiers.keys()
  if (frontiers.size > maxFrontiers && oldest !== undefined) frontiers.delete(oldest)
}

/** Takes the next free slot. @returns Its number, or `null` if every slot is taken. */
async function takeSlot(queue: Queue): Promise<number | null> {
  const first = currentSlot(queue)
  const end = first + (queue.canWait ? maxAhead : 0)
  const frontier = getFrontiers(queue.limiter).get(queue.key) ?? -1
  // After the clock was set back, the frontier is too far ahead; the limiter decides.
  const start = frontier > first + maxAhead ? first : Math.max(first, frontier + 1)
  for (let slot = start; slot <= end; slot++) {
    const isFree = (await queue.limiter.consume(...takenCounter(queue, slot))) === 0
    saveFrontier(queue, slot)
    if (isFree) return slot
  }
  return null
}

/** The counters of a reservation: of its client for a term, and of the networks of the client. */
function reservationCounters(
  { key, slots, request }: Queue,
  term: number,
  client: string | null
): readonly [RateLimitCounter, ...RateLimitCounter[]] {
  const create = (count: number) => {
    const { points, seconds } = slotRule(slots, count)
    const rule = { points: points * request.clientsBehindIp, seconds }
    return clientCounters((name) => `${key} reserved by ${name}`, rule, { client })
  }
  const [own] = create(term)
  const [, ...wider] = create(maxCounted)
  return [own, ...wider]
}

async function refundAll(counters: readonly RateLimitCounter[], limiter: RateLimiter): Promise<void> {
  for (const counter of counters) await limiter.refund(...counter)
}

/** Counts a reservation, for each term. @returns Seconds to wait if the client or its network has one, or 0. */
async function countReservation(queue: Queue): Promise<number> {
  const { limiter, request } = queue
  const counted: RateLimitCounter[] = []
  const [term, ...longer] = terms
  const others = longer.map((count) => reservationCounters(queue, count, request.client)[0])
  for (const counter of [...others, ...reservationCounters(queue, term, request.client)]) {
    const wait = await limiter.consume(...counter)
    if (wait > 0) {
      await refundAll(counted, limiter)
      return wait
    }
    counted.push(counter)
  }
  return 0
}

function createPlace(queue: Queue, slot: number, given: Pick<Turn, 'ends' | 'term' | 'client'>): Place {
  const { app, id, slots, now } = queue
  const turn = { ...given, app, queue: id, slot, last: slot + slots.usable - 1 }
  const retryAfter = Math.max(0, Math.ceil(slot * slots.seconds - now / 1000))
  return { queue, turn, retryAfter, isCounted: false }
}

const noPlace = (queue: Queue, retryAfter: number): Place => ({ queue, turn: null, retryAfter, isCounted: false })

/** Reserves a slot for a client that has none. */
async function reserve(queue: Queue): Promise<Place> {
  const { key, rule, slots, limiter, request, now } = queue
  const wait = await countReservation(queue)
  if (wait > 0) return noPlace(queue, Math.min(wait, slots.seconds))
  const isFirst = (await limiter.consume(`${key} exceeded`, { points: 1, seconds: rule.seconds })) === 0
  // The event that exceeds the limit waits, too.
  if (isFirst) await limiter.consume(...takenCounter(queue, currentSlot(queue)))
  const slot = await takeSlot(queue)
  const needed = slot === null ? 0 : slot - currentSlot(queue) + slots.usable + 1
  const term = terms.find((count) => needed <= count) ?? maxCounted
  for (const other of terms)
    if (other !== term) await limiter.refund(...reservationCounters(queue, other, request.client)[0])
  if (slot === null) {
    await refundAll(reservationCounters(queue, term, request.client), limiter)
    return noPlace(queue, slots.seconds)
  }
  const ends = Math.floor(now / 1000) + slotRule(slots, term).seconds - margin
  return createPlace(queue, slot, { ends, term, client: request.client })
}

/**
 * Continues a reservation. One that was not used in time is replaced, until its counter ends: so a client never has two.
 *
 * @returns `null` if it was used.
 */
async function resume(turn: Turn, queue: Queue): Promise<Place | null> {
  const { slots, limiter, now } = queue
  const current = currentSlot(queue)
  const retryAfter = Math.ceil(turn.slot * slots.seconds - now / 1000)
  if (current < turn.slot) return { queue, turn, retryAfter, isCounted: false }
  if ((await limiter.consume(...usedCounter(queue, turn.slot))) > 0) return null
  if (current <= turn.last) return { queue, turn, retryAfter: 0, isCounted: true }
  const slot = await takeSlot(queue)
  const isTimely = slot !== null && (slot + 1) * slots.seconds <= turn.ends
  return isTimely ? createPlace(queue, slot, turn) : noPlace(queue, Math.max(1, Math.ceil(turn.ends - now / 1000)))
}

/** The cookie of the reservations: those of other queues stay. */
async function saveTurns(places: readonly Place[], before: readonly Turn[], deps: TurnDeps): Promise<SetCookies> {
  const reserved = places.flatMap(({ turn }) => turn ?? [])
  if (reserved.length === 0) return noCookies
  // An attempt with two usernames needs both slots at once.
  const last = Math.max(...reserved.map((turn) => turn.last))
  const others = before.filter(({ app, queue }) => !reserved.some((turn) => turn.app === app && turn.queue === queue))
  const turns = [...reserved.map((turn) => ({ ...turn, last })), ...others].slice(0, maxTurns)
  const { name, options } = deps.cookies.turns
  const value = await encryptText(deps.keys.turns, JSON.stringify(turns))
  return setCookie(name, value, options, new Date(Math.max(...turns.map(({ ends }) => ends)) * 1000))
}

/**
 * Allows one event in each slot beyond a limit. A client that has to wait reserves the next free slot, and has at most
 * one reservation.
 *
 * @returns Seconds to wait, and the cookie of the reservations; 0 if the event is allowed.
 */
export async function takeTurns(
  exceeded: readonly ExceededLimit[],
  request: Pick<AuthRequest, 'client' | 'clientsBehindIp' | 'cookies'>,
  limiter: RateLimiter,
  deps: TurnDeps
): Promise<{ readonly retryAfter: number; readonly cookies: SetCookies }> {
  const { application, cookies, keys, runtime } = deps
  const now = runtime.now()
  const turns = await decryptList(keys.turns, request.cookies.get(cookies.turns.name), isTurn, now)
  const places: Place[] = []
  for (const limit of exceeded) {
    const id = (await sha256(limit.key, 'base64url')).slice(0, 16)
    const queue: Queue = { ...limit, id, app: application.id, limiter, request, now }
    const turn = turns.find((known) => known.app === application.id && known.queue === id)
    places.push((turn && (await resume(turn, queue))) ?? (await reserve(queue)))
  }
  const retryAfter = Math.max(...places.map((place) => place.retryAfter))
  for (const { queue, turn, isCounted } of places) {
    if (retryAfter > 0 && turn && isCounted) await limiter.refund(...usedCounter(queue, turn.slot))
    if (retryAfter === 0 && turn) await refundAll(reservationCounters(queue, turn.term, turn.client), limiter)
  }
  return { retryAfter, cookies: retryAfter > 0 ? await saveTurns(places, turns, deps) : noCookies }
}
