import type { RateLimiter, RateRule } from '../model/rate-limiter.ts'

/** A pause between two events, and how often it applies in the window of a limit; `null` for any number of times. */
interface Pause {
  readonly seconds: number
  readonly times: number | null
}

/** Pauses that grow with the number of events beyond a limit; the last one applies to all further events. */
export type Pauses = readonly [Pause, ...Pause[]]

/** A password is never refused for longer than 30 seconds because of the attempts of others. */
export const credentialPauses: Pauses = [
  { seconds: 5, times: 5 },
  { seconds: 10, times: 5 },
  { seconds: 20, times: 5 },
  { seconds: 30, times: null }
]

/** Mails fill a mailbox, so their pauses are longer. */
export const mailPauses: Pauses = [
  { seconds: 60, times: 1 },
  { seconds: 120, times: 1 },
  { seconds: 300, times: null }
]

/** The rule of a pause: one event in its time. */
const toRule = ({ seconds }: Pause): RateRule => ({ points: 1, seconds })

/** Finds the pause that applies next, and counts its use. @returns The index of the pause. */
async function findPause(key: string, window: number, pauses: Pauses, limiter: RateLimiter): Promise<number> {
  for (const [index, { seconds, times }] of pauses.entries()) {
    if (times === null) return index
    if ((await limiter.consume(`${key} paused ${seconds}`, { points: times, seconds: window })) === 0) return index
  }
  return pauses.length - 1
}

/** Reverts the count of a pause, for an event that has to wait. */
async function refundPause(key: string, window: number, pause: Pause | undefined, limiter: RateLimiter): Promise<void> {
  if (pause?.times) await limiter.refund(`${key} paused ${pause.seconds}`, { points: pause.times, seconds: window })
}

/**
 * Starts this pause and every shorter one, if none of them runs: concurrent events may find different pauses.
 *
 * @returns Seconds to wait, or 0.
 */
async function startPauses(key: string, pauses: readonly Pause[], limiter: RateLimiter): Promise<number> {
  const started: Pause[] = []
  let longest = 0
  for (const pause of pauses) {
    const wait = await limiter.consume(`${key} pause ${pause.seconds}`, toRule(pause))
    if (wait === 0) started.push(pause)
    longest = Math.max(longest, wait)
  }
  if (longest > 0) for (const pause of started) await limiter.refund(`${key} pause ${pause.seconds}`, toRule(pause))
  return longest
}

/**
 * Allows one event at a time beyond a limit, after pauses that grow. The event that exceeds the limit starts the first
 * pause.
 *
 * @param rule - The exceeded limit.
 * @returns Seconds to wait, or 0 if the event is allowed.
 */
export async function consumeTurn(
  key: string,
  { seconds: window }: RateRule,
  pauses: Pauses,
  limiter: RateLimiter
): Promise<number> {
  const [first] = pauses
  const isFirst = (await limiter.consume(`${key} paused`, { points: 1, seconds: window })) === 0
  if (isFirst) return (await startPauses(key, [first], limiter)) || first.seconds
  const index = await findPause(key, window, pauses, limiter)
  const wait = await startPauses(key, pauses.slice(0, index + 1), limiter)
  if (wait > 0) await refundPause(key, window, pauses[index], limiter)
  return wait
}
