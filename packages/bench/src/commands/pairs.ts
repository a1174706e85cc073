import { keep } from '../report/keep.ts'
import { surroundings } from '../report/results.ts'
import { columns } from '../report/table.ts'
import { openLineup } from '../scenarios/lineup.ts'
import { median, type Summary, summarize } from '../statistics.ts'
import { start, type Variant } from './startup.ts'

/** Compares the startups of two variants that alternate. Milliseconds of CPU time. */
export interface PairsFigure {
  readonly pairs: number
  /** In how many of them the first took less. */
  readonly less: number
  /** The second less the first, pair by pair. */
  readonly difference: Summary
}

const usual = 80

const plain = { isStored: false, target: null }
const [postern, authJs, floor]: readonly [Variant, Variant, Variant] = [
  { ...plain, name: 'postern', subject: 'postern' },
  { ...plain, name: 'auth-js', subject: 'auth-js' },
  { ...plain, name: 'fastify', subject: 'fastify' }
]

/** @throws RangeError no pairs, or series of different lengths. */
export function comparePairs(first: readonly number[], second: readonly number[]): PairsFigure {
  if (first.length !== second.length) throw new RangeError('expected as many figures of the one as of the other')
  const differences = first.map((time, pair) => (second[pair] ?? Number.NaN) - time)
  return {
    pairs: differences.length,
    less: differences.filter((difference) => difference > 0).length,
    difference: summarize(differences)
  }
}

/**
 * Starts Postern and Auth.js in pairs, a bare Fastify beside them; written where there are as many as usual.
 *
 * @param given - How many pairs. @defaultValue 80
 */
export async function runPairs(given: string = String(usual)): Promise<void> {
  const count = Number(given)
  if (!Number.isInteger(count) || count < 1) throw new TypeError(`expected a number of pairs, got ${given}`)
  const around = surroundings()
  const lineup = await openLineup()
  try {
    const taken = new Map<Variant, number[]>([postern, authJs, floor].map((variant) => [variant, []]))
    // The first start of each reads files that are not in memory yet.
    for (const variant of taken.keys()) await start(lineup, variant)
    for (let pair = 0; pair < count; pair++) {
      // The order alternates, so that no variant always runs after the same one.
      const turn = pair % 2 === 0 ? [...taken] : [...taken].reverse()
      for (const [variant, times] of turn) times.push((await start(lineup, variant)).cpu)
    }
    const getTimes = (variant: Variant): readonly number[] => taken.get(variant) ?? []
    const figure = comparePairs(getTimes(postern), getTimes(authJs))
    const cpu = Object.fromEntries([...taken].map(([{ name }, times]) => [name, summarize(times)]))
    const rows = [...taken].map(([{ name }, times]) => [name, median(times).toFixed(1)])
    const summary = `${figure.less} of ${count} pairs took less, by ${figure.difference.median.toFixed(1)} ms in the median`
    process.stdout.write(`${columns([['', 'CPU ms'], ...rows])}\n  Postern before Auth.js: ${summary}\n`)
    if (count === usual) process.stdout.write(`written: ${keep('starts', { ...around, ...figure, cpu })}\n`)
  } finally {
    await lineup.close()
  }
}
