/**
 * Creates a deterministic source of bytes for tests; never use it for secrets.
 *
 * Different seeds give different bytes.
 */
export function createRandom(seed: number = 1): (size: number) => Uint8Array {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) & 0xff
  }
  return (size) => Uint8Array.from({ length: size }, next)
}
