/**
 * Whether less than `length` has passed since a time. A timestamp in the future counts as stale, so work continues
 * after the clock is set back.
 *
 * All three parameters have the same unit.
 */
export function isFresh(now: number, since: number, length: number): boolean {
  const passed = now - since
  return passed >= 0 && passed < length
}
