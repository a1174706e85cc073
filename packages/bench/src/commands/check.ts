import { isDeepStrictEqual } from 'node:util'
import { keep, readKept } from '../report/keep.ts'
import { type ScenarioResult, surroundings } from '../report/results.ts'
import { columns, times } from '../report/table.ts'
import { type Lineup, openLineup } from '../scenarios/lineup.ts'
import { getScenario, narrow, type Scenario, scenarios } from '../scenarios/scenarios.ts'
import { median } from '../statistics.ts'
import { measureAll, type Pace } from './requests.ts'
import { measureStarts } from './startup.ts'

/** What a job costs, as times what others cost in the same run. */
export interface Ratio {
  /** Times a bare Fastify route. */
  readonly floor: number
  /**
   * Times the same job of next-auth, or of the other reference of the job; `null` if it has none. It has the same mixture of cryptography, JavaScript and system
   * calls, so it changes less from machine to machine than times the floor.
   */
  readonly nextAuth: number | null
  /** Microseconds of CPU time of the bare route, which tell machines of one name apart; not of all jobs. */
  readonly floorCpu?: number
}

/** The ratios by the id of the job. */
export type Ratios = Readonly<Record<string, Ratio>>

/** A job beside its kept figure. */
export interface Comparison {
  readonly id: string
  readonly kept: Ratio
  readonly measured: Ratio
  /** How often it was measured. */
  readonly tries: number
  /** Whether it costs more by both ratios. */
  readonly isSlower: boolean
}

/** The jobs beside their kept figures. */
export interface Compared {
  /** Times the kept ratio that a job may cost. */
  readonly max: number
  readonly comparisons: readonly Comparison[]
}

/** Measures some jobs. */
export type Measure = (ids: readonly string[]) => Promise<Ratios>

/** Times the kept ratio that a job may cost. A job that is slower exceeds it by every ratio. */
const tolerance = 1.2
/** The same on another processor or Node than that of the kept figures. */
const toleranceElsewhere = 1.5
/** How often a job is measured before it counts as slower: other load on the machine raises a ratio for a short time. */
const maxTries = 6
/** Measurements whose median is kept. */
const series = 3
const pace: Pace = {
  warmUp: { jobs: 500, cpu: 1_400_000 },
  slice: { jobs: 100, length: 150 },
  rounds: 7,
  connections: 16
}
const startIds: Readonly<Record<string, string>> = { postern: 'I', 'postern with SQLite': 'I, SQLite' }
const checkedScenarios = scenarios.filter(({ isUnchecked = false }) => !isUnchecked)
const all = [...checkedScenarios.map(({ id }) => id), ...Object.values(startIds)]

const usual: NonNullable<Scenario['checked']> = { subject: 'postern', reference: 'next-auth' }

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** What Postern, or Postern with features, costs beside the reference of the job. */
function toRatio({ id, figures }: ScenarioResult): Ratio {
  const { subject, reference } = getScenario(id).checked ?? usual
  const find = (name: string) => figures.find((figure) => figure.subject === name)
  const [postern, other, floor] = [find(subject), find(reference), find('fastify')]
  return {
    floor: postern?.ratio.median ?? Number.NaN,
    nextAuth: postern && other ? postern.cpu.median / other.cpu.median : null,
    ...(floor ? { floorCpu: floor.cpu.median } : {})
  }
}

/** Measures Postern, its references and the floor, in fresh processes. */
async function measure(lineup: Lineup, ids: readonly string[]): Promise<Ratios> {
  const chosen = checkedScenarios
    .filter(({ id }) => ids.includes(id))
    .map((scenario) => narrow(scenario, Object.values(scenario.checked ?? usual)))
  const results = await measureAll(chosen, lineup, pace, () => undefined)
  const isStarted = Object.values(startIds).some((id) => ids.includes(id))
  const starts = isStarted ? await measureStarts(lineup, pace.rounds, ['postern']) : []
  return Object.fromEntries([
    ...results.map((result): [string, Ratio] => [result.id, toRatio(result)]),
    ...starts.map(({ subject, cpuRatio }): [string, Ratio] => [
      startIds[subject] ?? subject,
      { floor: cpuRatio.median, nextAuth: null }
    ])
  ])
}

/** How much more a job costs than the kept figure: the smaller of the two ratios. */
function increase(kept: Ratio, measured: Ratio): number {
  const byFloor = measured.floor / kept.floor
  if (kept.nextAuth === null || measured.nextAuth === null) return byFloor
  return Math.min(byFloor, measured.nextAuth / kept.nextAuth)
}

/** How much faster or slower a machine may be than the one of the kept figures, to count as the same. */
const speedTolerance = 1.15

/** Whether the bare routes cost about as much as when the figures were kept: machines of one name differ. */
function hasSameSpeed(kept: Ratios, measured: Ratios): boolean {
  const speeds = Object.entries(measured).flatMap(([id, { floorCpu }]) => {
    const before = kept[id]?.floorCpu
    return floorCpu && before ? [floorCpu / before] : []
  })
  const speed = speeds.length > 0 ? median(speeds) : 1
  return speed <= speedTolerance && speed >= 1 / speedTolerance
}

/**
 * Compares the best of several measurements of each job with its kept figure. Measures again only what is slower.
 *
 * @throws TypeError a job was not measured.
 */
export async function compare(kept: Ratios, measure: Measure, isSameMachine: boolean = true): Promise<Compared> {
  const found = new Map<string, Comparison>()
  let max = isSameMachine ? tolerance : toleranceElsewhere
  let left: readonly string[] = Object.keys(kept)
  for (let tries = 1; tries <= maxTries && left.length > 0; tries++) {
    const latest = await measure(left)
    if (tries === 1 && !hasSameSpeed(kept, latest)) max = toleranceElsewhere
    for (const id of left) {
      const [limit, now] = [kept[id], latest[id]]
      if (!limit || !now || Number.isNaN(now.floor)) throw new TypeError(`expected a measurement of ${id}`)
      const before = found.get(id)?.measured
      const measured = before && increase(limit, before) < increase(limit, now) ? before : now
      found.set(id, { id, kept: limit, measured, tries, isSlower: increase(limit, measured) > max })
    }
    left = left.filter((id) => found.get(id)?.isSlower)
  }
  return { max, comparisons: [...found.values()] }
}

/** Each job with its kept and its measured ratios. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const format = (ratio: number | null): string => (ratio === null ? '' : times(ratio))
  const rows = comparisons.map(({ id, kept, measured, tries, isSlower }) => [
    ...[id, format(kept.floor), format(measured.floor), format(kept.nextAuth), format(measured.nextAuth)],
    ...[increase(kept, measured).toFixed(2), String(tries), isSlower ? 'SLOWER' : '']
  ])
  const titles = ['', 'kept × floor', 'measured', 'kept × next-auth', 'measured', 'increase', 'tries', '']
  return columns([titles, ...rows])
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}

function isRatio(value: unknown): value is Ratio {
  if (typeof value !== 'object' || value === null || !('floor' in value) || !('nextAuth' in value)) return false
  return isPositive(value.floor) && (value.nextAuth === null || isPositive(value.nextAuth))
}

/** The ratios in a kept file. @throws TypeError it has others than those of our jobs. */
export function readRatios(file: unknown): Ratios {
  const ratios = typeof file === 'object' && file !== null && 'ratios' in file ? file.ratios : null
  const entries = Object.entries(ratios ?? {})
  const isComplete = all.every((id) => entries.some(([name]) => name === id)) && entries.length === all.length
  if (!isComplete || !entries.every(([, ratio]) => isRatio(ratio)))
    throw new TypeError(`expected ratios of ${all.join(', ')}`)
  return Object.fromEntries(entries)
}

/** Whether kept figures come from a machine like this one: processor, cores and Node. */
export function isKeptHere(file: unknown): boolean {
  const kept = typeof file === 'object' && file !== null && 'machine' in file ? file.machine : null
  if (typeof kept !== 'object' || kept === null) return false
  return isDeepStrictEqual({ ...kept, load: 0 }, { ...surroundings().machine, load: 0 })
}

/** Fails if a job costs more than the kept figure allows. */
export async function runCheck(): Promise<void> {
  const file = readKept('check')
  const kept = readRatios(file)
  const lineup = await openLineup()
  try {
    const { max, comparisons } = await compare(kept, (ids) => measure(lineup, ids), isKeptHere(file))
    say(comparisonTable(comparisons))
    if (max === toleranceElsewhere) say(`the kept figures are from another machine: ${max} times a ratio is allowed`)
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
    const keepMedian = (values: readonly number[]): number => Number(median(values).toPrecision(3))
    const ratios = Object.fromEntries(
      all.map((id): [string, Ratio] => {
        const floor = keepMedian(measured.map((each) => each[id]?.floor ?? Number.NaN))
        const byNextAuth = measured.flatMap((each) => each[id]?.nextAuth ?? [])
        const floors = measured.flatMap((each) => each[id]?.floorCpu ?? [])
        return [
          id,
          {
            floor,
            nextAuth: byNextAuth.length > 0 ? keepMedian(byNextAuth) : null,
            ...(floors.length > 0 ? { floorCpu: keepMedian(floors) } : {})
          }
        ]
      })
    )
    say(JSON.stringify(ratios, null, 2))
    say(`written: ${keep('check', { ...around, ratios })}`)
  } finally {
    await lineup.close()
  }
}
