import { drive, type Job, type Load, type Slice } from '../load/drive.ts'
import type { Figure, ScenarioResult } from '../report/results.ts'
import { type Entrant, jobOf, type Lineup } from '../scenarios/lineup.ts'
import type { Scenario } from '../scenarios/scenarios.ts'
import { median, quantile, ratios, summarize } from '../statistics.ts'
import { type SubjectName, subjectNames } from '../subjects/subject.ts'

/** How long everything takes. */
export interface Pace {
  /** Before the first slice of each library, for its code to be compiled: so many jobs, or so many milliseconds. */
  readonly warmUp: { readonly jobs: number; readonly length: number }
  /** Milliseconds of one slice. */
  readonly slice: number
  /** Slices of each library, one round after the other. */
  readonly rounds: number
  readonly connections: number
}

interface Running {
  readonly entrant: Entrant
  readonly job: Job
  readonly slices: Slice[]
}

function figureOf({ entrant, slices }: Running, floor: readonly number[]): Figure {
  const cpu = slices.map((slice) => slice.cpu)
  const times = slices.flatMap((slice) => slice.times)
  return {
    subject: entrant.name,
    cpu: summarize(cpu),
    ratio: summarize(ratios(cpu, floor)),
    rate: median(slices.map(({ rate }) => rate)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99)
  }
}

export async function warmUp(
  { server }: Entrant,
  job: Job,
  { warmUp: { jobs, length }, connections }: Pace
): Promise<void> {
  const end = performance.now() + length
  for (let done = 0; done < jobs && performance.now() < end; ) {
    done += (await drive(server, job, { length: Math.min(200, length), connections })).times.length
  }
}

/** One scenario: warm, then short slices in turn, so that what disturbs the machine disturbs all alike. */
export async function measure(scenario: Scenario, entrants: readonly Entrant[], pace: Pace): Promise<ScenarioResult> {
  const taking = entrants.filter(({ name }) => scenario.jobs[name])
  const running: Running[] = []
  for (const entrant of taking) running.push({ entrant, job: await jobOf(scenario, entrant), slices: [] })
  const load: Load = { length: pace.slice, connections: pace.connections }
  for (const { entrant, job } of running) await warmUp(entrant, job, pace)
  for (let round = 0; round < pace.rounds; round++) {
    for (const { entrant, job, slices } of running) slices.push(await drive(entrant.server, job, load))
  }
  const floor = running.find(({ entrant }) => entrant.name === 'fastify')?.slices.map(({ cpu }) => cpu) ?? []
  const { id, title, target, absent } = scenario
  return { id, title, target, absent, figures: running.map((each) => figureOf(each, floor)) }
}

function inUse(scenarios: readonly Scenario[]): SubjectName[] {
  return subjectNames.filter((name) => scenarios.some(({ jobs }) => jobs[name]))
}

/** Every scenario, those with tokens first: the servers of the others are not there meanwhile. */
export async function measureAll(
  scenarios: readonly Scenario[],
  lineup: Lineup,
  pace: Pace,
  tell: (result: ScenarioResult) => void
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = []
  for (const isStored of [false, true]) {
    const chosen = scenarios.filter((scenario) => scenario.isStored === isStored)
    const entrants: Entrant[] = []
    for (const name of inUse(chosen)) entrants.push(await lineup.start(name, isStored))
    for (const scenario of chosen) {
      const result = await measure(scenario, entrants, pace)
      tell(result)
      results.push(result)
    }
    for (const { server } of entrants) await server.stop()
  }
  return results.sort((a, b) => a.id.localeCompare(b.id))
}
