import { drive, type Job, type Load, type Slice } from '../load/drive.ts'
import type { Figure, ScenarioResult } from '../report/results.ts'
import { type Entrant, getJob, type Lineup } from '../scenarios/lineup.ts'
import type { Scenario } from '../scenarios/scenarios.ts'
import { median, quantile, ratios, summarize } from '../statistics.ts'
import { type SubjectName, subjectNames } from '../subjects/subject.ts'

/** How long everything takes. */
export interface Pace {
  /**
   * What each server has done and used before its first slice, for its code to be compiled: at least so many jobs, and
   * at least so many microseconds of CPU time. Time on a clock would be little work where others are at work too.
   * Its warm-up then goes on while it gets faster, up to four times that CPU time: on a busy machine, code is compiled late.
   */
  readonly warmUp: { readonly jobs: number; readonly cpu: number }
  /** At least so many jobs, and at least so many milliseconds. */
  readonly slice: { readonly jobs: number; readonly length: number }
  /** Slices of each library, one round after the other. */
  readonly rounds: number
  readonly connections: number
}

interface Running {
  readonly entrant: Entrant
  readonly job: Job
  readonly slices: Slice[]
}

function getFigure({ entrant, slices }: Running, floor: readonly number[], byHand: readonly number[] | null): Figure {
  const cpu = slices.map((slice) => slice.cpu)
  const times = slices.flatMap((slice) => slice.times)
  return {
    subject: entrant.name,
    cpu: summarize(cpu),
    ratio: summarize(ratios(cpu, floor)),
    timesByHand: byHand && summarize(ratios(cpu, byHand)),
    rate: median(slices.map(({ rate }) => rate)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99)
  }
}

type Cold = Pick<Running, 'entrant' | 'job'>

/** Slices in turn in which a server no longer gets faster. */
const settledSlices = 3

async function warm({ entrant, job }: Cold, { warmUp: { jobs, cpu }, connections }: Pace): Promise<void> {
  let [done, used, best, settled] = [0, 0, Number.POSITIVE_INFINITY, 0]
  while (done < jobs || used < cpu || (settled < settledSlices && used < 4 * cpu)) {
    const slice = await drive(entrant.server, job, { length: 250, jobs: 0, connections, maySleep: true })
    done += slice.times.length
    used += slice.times.length * slice.cpu
    settled = slice.cpu < 0.97 * best ? 0 : settled + 1
    best = Math.min(best, slice.cpu)
  }
}

/** Warms all of them up, side by side and by the same rule. */
export async function warmUp(cold: readonly Cold[], pace: Pace): Promise<void> {
  await Promise.all(cold.map((each) => warm(each, pace)))
}

/** One scenario: warm, then short slices in turn, so that what disturbs the machine disturbs all alike. */
export async function measure(scenario: Scenario, entrants: readonly Entrant[], pace: Pace): Promise<ScenarioResult> {
  const taking = entrants.filter(({ name }) => scenario.jobs[name])
  const running: Running[] = []
  for (const entrant of taking) running.push({ entrant, job: await getJob(scenario, entrant), slices: [] })
  const load: Load = { ...pace.slice, connections: pace.connections, maySleep: scenario.asksProvider }
  await warmUp(running, pace)
  for (let round = 0; round < pace.rounds; round++) {
    for (const { entrant, job, slices } of running) slices.push(await drive(entrant.server, job, load))
  }
  const getCpu = (name: SubjectName): readonly number[] | null =>
    running.find(({ entrant }) => entrant.name === name)?.slices.map(({ cpu }) => cpu) ?? null
  const [floor, byHand] = [getCpu('fastify') ?? [], getCpu('by-hand')]
  const { id, title, target, targetByHand = null, absent } = scenario
  const figures = running.map((each) => getFigure(each, floor, byHand))
  return { id, title, target, targetByHand: byHand && targetByHand, absent, figures }
}

function inUse(scenarios: readonly Scenario[]): SubjectName[] {
  return subjectNames.filter((name) => scenarios.some(({ jobs }) => jobs[name]))
}

/** Every scenario, those with tokens first: the servers of the others are not there meanwhile. */
export async function measureAll(
  scenarios: readonly Scenario[],
  lineup: Lineup,
  pace: Pace,
  report: (result: ScenarioResult) => void
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = []
  for (const isStored of [false, true]) {
    const chosen = scenarios.filter((scenario) => scenario.isStored === isStored)
    const entrants: Entrant[] = []
    for (const name of inUse(chosen)) entrants.push(await lineup.start(name, isStored))
    for (const scenario of chosen) {
      const result = await measure(scenario, entrants, pace)
      report(result)
      results.push(result)
    }
    for (const { server } of entrants) await server.stop()
  }
  return results.sort((a, b) => a.id.localeCompare(b.id))
}
