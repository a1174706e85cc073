import { isLong } from '@postern/testkit/long'

let walks = 0

/**
 * Numbers of the calls that are interrupted one after another, without an end. The long run has every call; `npm test` has
 * the first one and one in so many of the others, in each walk different ones.
 */
export function* callNumbers(stride = 8): Generator<number, never> {
  const step = isLong ? 1 : stride
  yield 0
  for (let at = 1 + (walks++ % step); ; at += step) yield at
}

/** Returns a few of the values in `npm test`, the next ones at each call, and all of them in the long run. */
export function fewInTurn(few: number): <T>(values: readonly T[]) => readonly T[] {
  let begun = 0
  return (values) => {
    if (isLong || values.length <= few) return values
    const first = begun
    begun += few
    return Array.from({ length: few }, (_, index) => values[(first + index) % values.length] as (typeof values)[number])
  }
}
