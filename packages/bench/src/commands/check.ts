import { keep, readKept } from '../report/keep.ts'
import { surroundings } from '../report/results.ts'
import { columns, times } from '../report/table.ts'
import { type Lineup, openLineup } from '../scenarios/lineup.ts'
import { narrow, scenarios } from '../scenarios/scenarios.ts'
import { median } from '../statistics.ts'
import { measureAll, type Pace } from './requests.ts'
import { measureStarts } from './startup.ts'

/** What each job costs as times the floor, by the id of the job. */
export type Ratios = Readonly<Record<string, number>>

/** A job beside its kept figure. */
export interface Comparison {
  readonly id: string
  readonly kept: number
  readonly measured: number
  /** How often it was measured. */
  readonly tries: number
  readonly isSlower: boolean
}

/** Measures some jobs. */
export type Measure = (ids: readonly string[]) => Promise<Ratios>

/** Times the kept ratio that a job may cost. */
const tolerance = 1.2
/** How often a job is measured before it counts as slower: what else the machine does raises a ratio, and never for long. */
const most = 6
/** Measurements whose median is kept. */
const series = 3
const pace: Pace = {
  warmUp: { jobs: 500, cpu: 1_400_000 },
  slice: { jobs: 100, length: 150 },
  rounds: 7,
  connections: 16
}
const startIds: Readonly<Record<string, string>> = { postern: 'I', 'postern with SQLite': 'I, SQLite' }
const all = [...scenarios.map(({ id }) => id), ...Object.values(startIds)]

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Measures Postern and the floor, in fresh processes. */
async function measure(lineup: Lineup, ids: readonly string[]): Promise<Ratios> {
  const chosen = scenarios.filter(({ id }) => ids.includes(id)).map((scenario) => narrow(scenario, ['postern']))
  const results = await measureAll(chosen, lineup, pace, () => undefined)
  const isStarted = Object.values(startIds).some((id) => ids.includes(id))
  const starts = isStarted ? await measureStarts(lineup, pace.rounds, ['postern']) : []
  return Object.fromEntries([
    ...results.map(({ id, figures }) => [id, figures.find(({ subject }) => subject === 'postern')?.ratio.median]),
    ...starts.map(({ subject, cpuRatio }) => [startIds[subject] ?? subject, cpuRatio.median])
  ])
}

/**
 * Compares the best of several measurements of each job with its kept figure. Measures again only what is slower.
 *
 * @throws TypeError a job was not measured.
 */
export async function compare(kept: Ratios, measure: Measure): Promise<readonly Comparison[]> {
  const found = new Map<string, Comparison>()
  let left: readonly string[] = Object.keys(kept)
  for (let tries = 1; tries <= most && left.length > 0; tries++) {
    const measured = await measure(left)
    for (const id of left) {
      const [limit, now] = [kept[id], measured[id]]
      if (limit === undefined || now === undefined) throw new TypeError(`expected a measurement of ${id}`)
      const best = Math.min(now, found.get(id)?.measured ?? Number.POSITIVE_INFINITY)
      found.set(id, { id, kept: limit, measured: best, tries, isSlower: best > limit * tolerance })
    }
    left = left.filter((id) => found.get(id)?.isSlower)
  }
  return [...found.values()]
}

/** Each job with its kept and its measured ratio. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ id, kept, measured, tries, isSlower }) => [
    id,
    times(kept),
    times(measured),
    (measured / kept).toFixed(2),
    String(tries),
    isSlower ? `SLOWER than ${tolerance} × kept` : ''
  ])
  return columns([['', 'kept', 'measured', 'measured / kept', 'tries', ''], ...rows])
}

/** The ratios in a kept file. @throws TypeError it has others than those of our jobs. */
export function readRatios(file: unknown): Ratios {
  const ratios = typeof file === 'object' && file !== null && 'ratios' in file ? file.ratios : null
  const entries = Object.entries(ratios ?? {})
  const isComplete = all.every((id) => entries.some(([name]) => name === id)) && entries.length === all.length
  if (!isComplete || !entries.every(([, ratio]) => typeof ratio === 'number' && ratio > 0))
    throw new TypeError(`expected ratios of ${all.join(', ')}`)
  return Object.fromEntries(entries)
}

/** Fails where a job costs more, as times the floor, than the kept figure allows. */
export async function runCheck(): Promise<void> {
  const kept = readRatios(readKept('check'))
  const lineup = await openLineup()
  try {
    const comparisons = await compare(kept, (ids) => measure(lineup, ids))
    say(comparisonTable(comparisons))
    if (comparisons.some(({ isSlower }) => isSlower)) process.exitCode = 1
  } finally {
    await lineup.close()
  }
}

/** Writes the figures that later checks compare with: the median of a series of measurements. */
export async function runKeep(): Promise<void> {
  const around = surroundings()
  const lineup = await openLineup()
  try {
    const measured: Ratios[] = []
    for (let count = 0; count < series; count++) measured.push(await measure(lineup, all))
    const ratios = Object.fromEntries(
      all.map((id) => [id, Number(median(measured.map((each) => each[id] ?? Number.NaN)).toPrecision(3))])
    )
    say(columns([['', 'kept'], ...Object.entries(ratios).map(([id, ratio]) => [id, times(ratio)])]))
    say(`written: ${keep('check', { ...around, ratios })}`)
  } finally {
    await lineup.close()
  }
}
