/** Milliseconds that a key outlives its content: the caller, whose clock may differ, checks `expires`. */
export const grace = 60_000

/** When the key of a value that expires at `expires` is deleted, in milliseconds since 1970. */
export function getEnd(expires: Date): number {
  return Math.max(expires.getTime(), Date.now()) + grace
}
