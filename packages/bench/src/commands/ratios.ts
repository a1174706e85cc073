import type { Ratio, Ratios } from '../report/kept-ratios.ts'
import type { ScenarioResult, StartFigure } from '../report/results.ts'
import type { Lineup } from '../scenarios/lineup.ts'
import { getScenario, narrow, type Scenario, scenarios } from '../scenarios/scenarios.ts'
import { measureAll, type Pace } from './requests.ts'
import { measureStarts } from './startup.ts'

const pace: Pace = {
  warmUp: { jobs: 500, cpu: 1_400_000 },
  slice: { jobs: 100, length: 150 },
  rounds: 7,
  connections: 16
}
const startIds: Readonly<Record<string, string>> = { postern: 'I', 'postern with SQLite': 'I, SQLite' }
const checkedScenarios = scenarios.filter(({ isUnchecked = false }) => !isUnchecked)

/** The jobs that have kept figures. */
export const checkedIds: readonly string[] = [...checkedScenarios.map(({ id }) => id), ...Object.values(startIds)]

const usual: NonNullable<Scenario['checked']> = { subject: 'postern', reference: 'next-auth' }

/**
 * What Postern, or Postern with features, costs beside the floor and the reference of the job, in the best round of each: other load on
 * the machine only adds to a round.
 */
export function toRatio({ id, figures }: Pick<ScenarioResult, 'id' | 'figures'>): Ratio {
  const { subject, reference } = getScenario(id).checked ?? usual
  const getBest = (name: string): number => figures.find((figure) => figure.subject === name)?.cpu.low ?? Number.NaN
  return { floor: getBest(subject) / getBest('fastify'), reference: getBest(subject) / getBest(reference) }
}

/** The same of the starts of a process, which have the floor alone. */
export function toStartRatios(starts: readonly StartFigure[]): readonly (readonly [string, Ratio])[] {
  const floor = starts.find(({ subject }) => subject === 'fastify')?.cpu.low ?? Number.NaN
  return starts.flatMap(({ subject, cpu }): [string, Ratio][] => {
    const id = startIds[subject]
    return id === undefined ? [] : [[id, { floor: cpu.low / floor, reference: null }]]
  })
}

/** Measures Postern, its references and the floor in one run, in fresh processes. */
export async function measureRatios(lineup: Lineup, ids: readonly string[]): Promise<Ratios> {
  const chosen = checkedScenarios
    .filter(({ id }) => ids.includes(id))
    .map((scenario) => narrow(scenario, Object.values(scenario.checked ?? usual)))
  const results = await measureAll(chosen, lineup, pace, () => undefined)
  const isStarted = Object.values(startIds).some((id) => ids.includes(id))
  const starts = isStarted ? await measureStarts(lineup, pace.rounds, ['postern']) : []
  return Object.fromEntries([
    ...results.map((result): [string, Ratio] => [result.id, toRatio(result)]),
    ...toStartRatios(starts)
  ])
}
