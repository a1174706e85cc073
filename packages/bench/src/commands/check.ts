import { readKept } from '../report/keep.ts'
import { readHistory } from '../report/kept-history.ts'
import { type Ratio, type Ratios, readKeptRatios, toRatios } from '../report/kept-ratios.ts'
import { columns, times } from '../report/table.ts'
import { openLineup } from '../scenarios/lineup.ts'
import { checkedIds, measureRatios } from './ratios.ts'

/** A job beside its kept figure. */
export interface Comparison {
  readonly id: string
  readonly kept: Ratio
  /** The best of its measurements. */
  readonly measured: Ratio
  /** How often it was measured. */
  readonly tries: number
  /** Whether every measurement was above the kept figure. */
  readonly isSlower: boolean
}

/** Measures some jobs. */
export type Measure = (ids: readonly string[]) => Promise<Ratios>

/** Times the kept ratio that a job may cost, on any machine. A job that is slower exceeds it by every ratio. */
export const tolerance = 1.15
/** How often a job is measured before it counts as slower: other load on the machine raises a ratio for a short time. */
const maxTries = 3

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** How much more a job costs than the kept figure: the smaller of the two ratios. */
export function getIncrease(kept: Ratio, measured: Ratio): number {
  const byFloor = measured.floor / kept.floor
  if (kept.reference === null || measured.reference === null) return byFloor
  return Math.min(byFloor, measured.reference / kept.reference)
}

/**
 * Compares each job with its kept figure. Measures a job that is above it again, and reports it as slower if all measurements are.
 *
 * @throws TypeError a job was not measured.
 */
export async function compare(kept: Ratios, measure: Measure): Promise<readonly Comparison[]> {
  const found = new Map<string, Comparison>()
  let left: readonly string[] = Object.keys(kept)
  for (let tries = 1; tries <= maxTries && left.length > 0; tries++) {
    const latest = await measure(left)
    for (const id of left) {
      const [limit, now] = [kept[id], latest[id]]
      if (!limit || !now || Number.isNaN(getIncrease(limit, now)))
        throw new TypeError(`expected a measurement of ${id}`)
      const before = found.get(id)?.measured
      const measured = before && getIncrease(limit, before) < getIncrease(limit, now) ? before : now
      found.set(id, { id, kept: limit, measured, tries, isSlower: getIncrease(limit, measured) > tolerance })
    }
    left = left.filter((id) => found.get(id)?.isSlower)
  }
  return [...found.values()]
}

/** Each job with its kept and its measured ratios. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const format = (ratio: number | null): string => (ratio === null ? '' : times(ratio))
  const rows = comparisons.map(({ id, kept, measured, tries, isSlower }) => [
    id,
    format(kept.floor),
    format(measured.floor),
    format(kept.reference),
    format(measured.reference),
    getIncrease(kept, measured).toFixed(2),
    String(tries),
    isSlower ? 'SLOWER' : ''
  ])
  const titles = ['', 'kept × floor', 'measured', 'kept × reference', 'measured', 'increase', 'tries', '']
  return columns([titles, ...rows])
}

/** The kept figures of all jobs. @throws TypeError a job has none, or a figure is of no job. */
export function readChecked(file: unknown): Ratios {
  const ratios = toRatios(readKeptRatios(file))
  const isComplete = checkedIds.every((id) => ratios[id]) && Object.keys(ratios).length === checkedIds.length
  if (!isComplete) throw new TypeError(`expected figures of ${checkedIds.join(', ')}`)
  return ratios
}

/** Fails if a job costs more than the kept figure allows, or a kept figure rose without a line in the CHANGELOG. */
export async function runCheck(): Promise<void> {
  const kept = readChecked(readKept('check'))
  const { unexplained } = readHistory()
  for (const rise of unexplained) say(`without a line "- Benchmark …" in CHANGELOG.md: ${rise}`)
  const lineup = await openLineup()
  try {
    const comparisons = await compare(kept, (ids) => measureRatios(lineup, ids))
    say(comparisonTable(comparisons))
    if (unexplained.length > 0 || comparisons.some(({ isSlower }) => isSlower)) process.exitCode = 1
  } finally {
    await lineup.close()
  }
}
