import type { RateLimiter } from '../model/rate-limiter.ts'
import type { RateLimitCounter } from './client-key.ts'

/** The seconds between two events beyond a limit; the last delay applies to all further ones. */
export type Delays = readonly [number, ...number[]]

/** No client has to wait for longer than 30 seconds because of the passwords that others have tried. */
export const credentialDelays: Delays = [5, 10, 20, 30]

/** Mails fill a mailbox, so their delays are longer. */
export const mailDelays: Delays = [60, 120, 300]

/** What became of an event beyond a limit. */
interface DelayedEvent {
  /** Seconds to wait, or 0 if the event is allowed. */
  readonly wait: number
  /** What it has consumed, which is refunded if it has to wait. */
  readonly consumed: readonly RateLimitCounter[]
}

/**
 * Starts the delay that follows an event, and the shorter ones with it: concurrent events may find different delays.
 *
 * @returns The longest delay that is running.
 */
async function startDelay(
  [key, { seconds: window }]: RateLimitCounter,
  delays: Delays,
  limiter: RateLimiter
): Promise<DelayedEvent> {
  const toDelay = (seconds: number): RateLimitCounter => [`${key} delay ${seconds}`, { points: 1, seconds }]
  const toUse = (name: string): RateLimitCounter => [`${key} delayed ${name}`, { points: 1, seconds: window }]
  const [first] = delays
  // The event that exceeds the limit waits, too.
  if ((await limiter.consume(...toUse('first'))) === 0)
    return { wait: (await limiter.consume(...toDelay(first))) || first, consumed: [] }
  const consumed: RateLimitCounter[] = []
  let wait = 0
  for (const seconds of delays) {
    const use = toUse(String(seconds))
    const isNext = seconds !== first && (await limiter.consume(...use)) === 0
    if (isNext) consumed.push(use)
    // No event has started this delay, and this one does not.
    if (isNext && wait > 0) break
    const left = await limiter.consume(...toDelay(seconds))
    if (left === 0) consumed.push(toDelay(seconds))
    wait = Math.max(wait, left)
    if (isNext) break
  }
  return { wait, consumed }
}

/**
 * Allows one event at a time beyond each exceeded limit, with delays that grow. An event that has to wait starts none.
 *
 * @returns Seconds to wait, or 0 if the event is allowed.
 */
export async function consumeDelayed(
  exceeded: readonly RateLimitCounter[],
  delays: Delays,
  limiter: RateLimiter
): Promise<number> {
  const consumed: RateLimitCounter[] = []
  for (const limit of exceeded) {
    const event = await startDelay(limit, delays, limiter)
    consumed.push(...event.consumed)
    if (event.wait === 0) continue
    for (const counter of consumed) await limiter.refund(...counter)
    return event.wait
  }
  return 0
}
