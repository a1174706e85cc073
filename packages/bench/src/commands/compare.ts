import { drive, type Job, type Load } from '../load/drive.ts'
import { getCheckout } from '../other-checkout.ts'
import { columns, times } from '../report/table.ts'
import { type Entrant, getJob, type Lineup, openLineup } from '../scenarios/lineup.ts'
import { getScenario, type Scenario, scenarios } from '../scenarios/scenarios.ts'
import { median, ratios, type Summary, summarize } from '../statistics.ts'
import type { SubjectName } from '../subjects/subject.ts'
import { type Pace, warmUp } from './requests.ts'

const quick: Pace = {
  warmUp: { jobs: 500, cpu: 1_400_000 },
  slice: { jobs: 100, length: 200 },
  rounds: 8,
  connections: 16
}
/** V8 has compiled what a sign-in runs after about 10 000 of them. */
const long: Pace = { ...quick, warmUp: { jobs: 10_000, cpu: 4_000_000 }, slice: { jobs: 200, length: 500 } }

/** What a job costs in two builds, and beside a bare route and the same work by hand in the same rounds. */
export interface Comparison {
  readonly title: string
  /** Medians, in microseconds of CPU time. */
  readonly mine: number
  readonly other: number
  /** This build as times the other, round by round. */
  readonly ratio: Summary
  readonly timesFloor: number
  readonly timesByHand: number | null
}

/** Without a store too, where sessions and users may be in cookies. */
const variants: readonly (readonly [id: string, isStored: boolean, suffix: string])[] = [
  ['H1', false, ', without a store'],
  ['H2', false, ', without a store']
]

/** The job of Postern, beside the floor and the same work by hand. */
const getSubject = ({ jobs }: Scenario): SubjectName => (jobs.postern ? 'postern' : 'postern-features')

function getScenarios(ids: readonly string[] | null): readonly Scenario[] {
  const chosen = ids ? ids.map(getScenario) : scenarios.filter(({ id }) => !id.startsWith('M'))
  return chosen.flatMap((scenario) => {
    const more = variants.filter(([id]) => id === scenario.id)
    return [
      ...more.map(([, isStored, suffix]) => {
        const { 'by-hand': _, ...jobs } = scenario.jobs
        return { ...scenario, isStored, title: `${scenario.title}${suffix}`, jobs }
      }),
      scenario
    ]
  })
}

/** Slices in turn; every other round in the opposite order. */
async function measureCpu(running: readonly { entrant: Entrant; job: Job }[], load: Load, rounds: number) {
  const all = running.map((each) => ({ ...each, cpu: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { entrant, job, cpu } of round % 2 === 0 ? all : all.toReversed())
      cpu.push((await drive(entrant.server, job, load)).cpu)
  }
  return all.map(({ cpu }) => cpu)
}

/** Compares one job, with servers of its own. */
export async function compare(scenario: Scenario, root: string, lineup: Lineup, pace: Pace): Promise<Comparison> {
  const { id, title, isStored, asksProvider, jobs } = scenario
  const subject = getSubject(scenario)
  const entrants = [
    await lineup.start('fastify', false),
    await lineup.start(subject, isStored),
    await lineup.start(subject, isStored, { root }),
    ...(jobs['by-hand'] ? [await lineup.start('by-hand', isStored)] : [])
  ]
  const running: { readonly entrant: Entrant; readonly job: Job }[] = []
  for (const entrant of entrants) running.push({ entrant, job: await getJob(scenario, entrant) })
  await warmUp(running, pace)
  const load = { ...pace.slice, connections: pace.connections, maySleep: asksProvider }
  const [floor = [], mine = [], other = [], byHand = null] = await measureCpu(running, load, pace.rounds)
  for (const { server } of entrants) await server.stop()
  return {
    title: `${id}  ${title}`,
    mine: median(mine),
    other: median(other),
    ratio: summarize(ratios(mine, other)),
    timesFloor: median(ratios(mine, floor)),
    timesByHand: byHand && median(ratios(mine, byHand))
  }
}

const row = ({ title, mine, other, ratio, timesFloor, timesByHand }: Comparison): readonly string[] => [
  title,
  other.toFixed(1),
  mine.toFixed(1),
  times(ratio.median),
  `${times(ratio.low)} … ${times(ratio.high)}`,
  times(timesFloor),
  timesByHand === null ? '' : times(timesByHand)
]

/** What each job costs in both builds. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const head = ['CPU µs', 'the other', 'this build', 'ratio', 'spread', '× floor', '× by hand']
  return columns([head, ...comparisons.map(row)])
}

/**
 * Compares what jobs cost in this build with another checkout.
 *
 * @param path - The folder of the other checkout, which has been built.
 * @param ids - Of jobs; `null` is all without unused features.
 */
export async function runCompare(path: string, ids: readonly string[] | null, isLong: boolean): Promise<void> {
  const root = getCheckout(path)
  const lineup = await openLineup()
  const comparisons: Comparison[] = []
  try {
    for (const scenario of getScenarios(ids)) {
      const comparison = await compare(scenario, root, lineup, isLong ? long : quick)
      process.stdout.write(`${row(comparison).join('  ')}\n`)
      comparisons.push(comparison)
    }
    process.stdout.write(`\n${comparisonTable(comparisons)}\n`)
  } finally {
    await lineup.close()
  }
}
