const factor = Number(process.env['POSTERN_LONG'] ?? 0)

/** Whether this is `npm run test:long`, which repeats what `npm test` does a few times. */
export const isLong: boolean = factor > 0

/** Whether every combination is tested; a shorter long run, as in CI, tests others than `npm test`. */
export const isComplete: boolean = factor >= 1

/** The place of the first value: `npm test` and a shorter long run begin with different ones. */
const firstPlace = isLong ? 1 : 0

/** How often something is done: `few` times in `npm test`, `many` in the long run, and `POSTERN_LONG` times as many. */
export const times = (few: number, many: number): number => (isLong ? Math.max(few, Math.round(many * factor)) : few)

/** How many values have to meet in a selection: 1 is each value once, 2 each pair of values of two factors. */
export type Strength = 1 | 2

/** The values, or pairs of values, in a case. */
function meetingsIn(values: readonly unknown[], strength: Strength): string[] {
  const single = values.map((value, factor) => `${factor}: ${String(value)}`)
  if (strength === 1 || single.length < 2) return single
  return single.flatMap((one, index) => single.slice(index + 1).map((other) => `${one}, ${other}`))
}

/** Cases in which every value, or every pair of values that meets in any case, occurs: in each step the one with most. */
export function covering<T>(
  cases: readonly T[],
  factors: (one: T) => readonly unknown[],
  strength: Strength
): readonly T[] {
  let left = cases.map((one, index) => ({ index, one, meetings: meetingsIn(factors(one), strength) }))
  const chosen: typeof left = []
  for (;;) {
    const [first] = left.toSorted((one, other) => other.meetings.length - one.meetings.length)
    if (!first || first.meetings.length === 0) break
    chosen.push(first)
    const covered = new Set(first.meetings)
    left = left.map((each) => ({ ...each, meetings: each.meetings.filter((meeting) => !covered.has(meeting)) }))
  }
  return chosen.sort((one, other) => one.index - other.index).map(({ one }) => one)
}

/** Runs a function on values in reversed order. */
const reversed = <T>(values: readonly T[], select: (values: readonly T[]) => readonly T[]): readonly T[] =>
  select(values.toReversed()).toReversed()

/**
 * A covering selection of combinations in `npm test`, all of them in the complete long run. A shorter one has a selection
 * too, which begins with the last combination.
 */
export function some<T>(
  cases: readonly T[],
  factors: (one: T) => readonly unknown[],
  strength: Strength = 2
): readonly T[] {
  if (isComplete) return cases
  const select = (values: readonly T[]) => covering(values, factors, strength)
  return isLong ? reversed(cases, select) : select(cases)
}

/**
 * Returns one of the values in `npm test`, the next one at each call, and all of them in the complete long run. A shorter
 * one begins with the second value.
 */
export function inTurn<T>(values: readonly T[]): () => readonly T[] {
  let turn = firstPlace
  return () => {
    if (isComplete) return values
    const place = turn++ % values.length
    return values.slice(place, place + 1)
  }
}

/** A value, and what declares a test with it. */
export interface Turn<T, F> {
  readonly value: T
  readonly test: F
}

/**
 * Values for a loop that declares the same tests with each of them. In `npm test` each test has one value, the next test
 * the next one, and another loop begins with the next one. In the complete long run each test has all values; a shorter one
 * begins with the second value.
 */
export function turnsOf<T, F extends (...args: never[]) => unknown>(
  values: readonly T[],
  declaring: { readonly test: F }
): () => readonly Turn<T, F>[] {
  let begun = firstPlace
  return () => {
    const first = begun++
    return values.map((value, place) => {
      let turn = first
      const test = new Proxy(declaring.test, {
        apply: (declare, _, args) =>
          isComplete || turn++ % values.length === place ? Reflect.apply(declare, declaring, args) : undefined
      })
      return { value, test }
    })
  }
}

let walks = 0

/**
 * Numbers of the calls that are interrupted one after another, without an end. The complete long run has every call;
 * `npm test` has the first one and one in so many of the others, in each walk different ones, and a shorter long run has
 * three times as many.
 */
export function* callNumbers(stride = 16): Generator<number, never> {
  const shorter = isLong ? Math.ceil(stride / 3) : stride
  const step = isComplete ? 1 : shorter
  yield 0
  for (let at = 1 + (walks++ % step); ; at += step) yield at
}
