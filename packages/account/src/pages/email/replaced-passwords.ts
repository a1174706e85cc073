import type { Factor, FeatureContext, Ticket, TicketKey } from '@postern/core/feature'
import { findPasswordCheck } from '../../password-check.ts'
import { createTicketOnce } from './create-ticket-once.ts'
import { hashText } from './hash-text.ts'
import { undoPeriod } from './undo-period.ts'

type ReplacedDeps = Pick<FeatureContext, 'now' | 'tickets'>

const kind = 'new-password'

const day = 24 * 60 * 60 * 1000

/** A record is valid for 7 days after its day. Clocks of processes may differ by less than a day. */
const daysOfRecords = undoPeriod / day + 2

/**
 * What is recorded on a day on which a user gets new passwords. The records of consecutive weeks have the same password: the
 * last one that was in use for 7 days, or since the user signed up with it. One that was in use for less time may be of a thief,
 * from whom the owner took the account back.
 */
interface PasswordRecord {
  /** `null` if the user had no password. */
  readonly hash: string | null
  /** Milliseconds since 1970. */
  readonly replacedAt: number
}

const getKey = async (userId: string, dayNumber: number): Promise<TicketKey> => ({
  kind,
  id: await hashText(`${userId} ${dayNumber}`)
})

/** Finds the newest record. A record is never deleted while it is valid, so that concurrent requests always find one. */
async function findRecord(userId: string, { now, tickets }: ReplacedDeps): Promise<PasswordRecord | null> {
  const tomorrow = Math.floor(now() / day) + 1
  const days = Array.from({ length: daysOfRecords }, (_, count) => tomorrow - count)
  const found = await tickets.readAll(await Promise.all(days.map((number) => getKey(userId, number))))
  const newest = found.find((ticket) => ticket !== null)
  return newest ? JSON.parse(newest.data) : null
}

/**
 * Records that a user has a new password from now on. Call it before the password is written.
 *
 * @param replaced - The hash of the password that is replaced; `null` if the user has none yet. A password that a user signs up
 * with is not recorded.
 */
export async function recordNewPassword(
  userId: string,
  replaced: string | null,
  { now, tickets }: ReplacedDeps
): Promise<void> {
  const time = now()
  const today = Math.floor(time / day)
  const record: PasswordRecord = (await findRecord(userId, { now, tickets })) ?? { hash: replaced, replacedAt: time }
  const expires = new Date((today + 1) * day + undoPeriod)
  // The tickets have no `userId`: the end of all requests of a user must not delete them.
  const about: Omit<Ticket, keyof TicketKey> = { userId: null, data: JSON.stringify(record), tries: 0, expires }
  await createTicketOnce({ ...(await getKey(userId, today)), ...about }, { tickets })
}

/** Whether a user got a new password in the last 7 days, other than by signing up. */
export async function hasNewPassword(userId: string, deps: ReplacedDeps): Promise<boolean> {
  return (await findRecord(userId, deps)) !== null
}

/** Which passwords of a user prove that the account is theirs, apart from the current one. */
interface KnownPasswords {
  /** The hash of the one that was replaced in the last 7 days, and was in use for 7 days before, or since the sign-up. */
  readonly replacedPassword: string | null
  /** The same, or the current one if it was in use for as long; `null` if the user got the first one in the last 7 days. */
  readonly oldPassword: string | null
}

/**
 * Finds the passwords of a user.
 *
 * @param factors - The factors of the user, which were read before. A password that is older than the factor was deleted with
 * an earlier factor: it may be the one of someone else.
 */
export async function findPasswords(
  userId: string,
  factors: readonly Factor[],
  context: Pick<FeatureContext, 'features' | 'now' | 'tickets'>
): Promise<KnownPasswords> {
  const type = findPasswordCheck(context)?.factorType
  const current = factors.find((factor) => factor.type === type)
  if (!current) return { replacedPassword: null, oldPassword: null }
  const record = await findRecord(userId, context)
  if (!record || record.hash === current.data) return { replacedPassword: null, oldPassword: current.data }
  const replacedPassword = record.replacedAt >= current.createdAt.getTime() ? record.hash : null
  return { replacedPassword, oldPassword: replacedPassword }
}

export async function deleteReplacedPasswords(userId: string, { now, tickets }: ReplacedDeps): Promise<void> {
  const tomorrow = Math.floor(now() / day) + 1
  for (let count = 0; count < daysOfRecords; count++) await tickets.consume(await getKey(userId, tomorrow - count))
}
