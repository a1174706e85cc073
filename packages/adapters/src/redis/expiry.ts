/** Milliseconds that a key outlives what it holds: `expires` is for the caller to check, whose clock may differ. */
export const grace = 60_000

/** When the key of something that ends at `expires` ends, in milliseconds since 1970. */
export function endOf(expires: Date): number {
  return Math.max(expires.getTime(), Date.now()) + grace
}
