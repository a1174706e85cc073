import { AuthError } from '../errors/auth-error.ts'
import type { RateLimiter, RateRule } from '../model/rate-limiter.ts'
import type { LimitedUser } from './feature.ts'

/** The known devices of a user together have so many times the limit of one. */
const devicesFactor = 4

/** The links and the changes of what a user signs in with that sessions may make: each of them makes others begin again. */
const changeLimit: RateRule = { points: 20, seconds: 600 }

/** @throws AuthError `RateLimited` */
export async function consumeLimit(key: string, rule: RateRule, limiter: RateLimiter | null): Promise<void> {
  const retryAfter = (await limiter?.consume(key, rule)) ?? 0
  if (retryAfter === 0) return
  throw new AuthError('RateLimited', `${key.split(' ')[0]}: too many requests; again in ${retryAfter} s`, {
    retryAfter
  })
}

/**
 * Counts an event of a user. A known device has a limit of its own, so that a session that was stolen elsewhere cannot use it up.
 *
 * @param consume - Counts an event. @throws AuthError `RateLimited`
 */
export async function consumeUserLimit(
  { userId, device }: LimitedUser,
  rule: RateRule,
  consume: (counter: string, subject: string, rule: RateRule) => Promise<void>
): Promise<void> {
  if (device === null) return consume('', userId, rule)
  await consume(' by device', JSON.stringify([userId, device]), rule)
  return consume(' by devices', userId, { ...rule, points: rule.points * devicesFactor })
}

/** Counts a link, or a change of what a user signs in with, that a session asks for. @throws AuthError `RateLimited` */
export function limitAccessChange(user: LimitedUser, limiter: RateLimiter | null): Promise<void> {
  return consumeUserLimit(user, changeLimit, (counter, subject, rule) =>
    consumeLimit(`access change${counter} ${subject}`, rule, limiter)
  )
}
