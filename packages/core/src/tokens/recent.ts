/**
 * Whether less than this has passed since a moment. A moment that is yet to come tells that the clock was set back: it is
 * not recent, lest nothing is done until the clock is there again.
 *
 * All three are of one unit.
 */
export function isRecent(now: number, since: number, length: number): boolean {
  const passed = now - since
  return passed >= 0 && passed < length
}
