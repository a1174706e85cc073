import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { barChart } from '../report/bars.ts'
import { chart } from '../report/chart.ts'
import { keep } from '../report/keep.ts'
import { type MemoryFigure, type Results, type RowsFigure, surroundings } from '../report/results.ts'
import { memoryTable, rowsTable, scenarioTable, startTable } from '../report/table.ts'
import { type Lineup, openLineup } from '../scenarios/lineup.ts'
import { getScenario, narrow, scenarios } from '../scenarios/scenarios.ts'
import { measureMemory } from './memory.ts'
import { measureAll, type Pace } from './requests.ts'
import { measureRows } from './rows.ts'
import { measureStarts } from './startup.ts'

/** What is run. */
export interface Choice {
  readonly isLong: boolean
  /** The ids of scenarios, `I`, `K` and `memory` among them; `null` is what the mode has. */
  readonly only: readonly string[] | null
  /** Which libraries run beside the floor; `null` is all. */
  readonly subjects: readonly string[] | null
}

const quick: Pace = {
  warmUp: { jobs: 500, cpu: 1_400_000 },
  slice: { jobs: 100, length: 150 },
  rounds: 5,
  connections: 16
}
const long: Pace = {
  warmUp: { jobs: 10_000, cpu: 4_000_000 },
  slice: { jobs: 300, length: 1000 },
  rounds: 8,
  connections: 16
}

const outside = ['I', 'K', 'MEMORY']
const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** @returns Whether a part outside the scenarios is run. */
function isChosen(part: string, { only }: Choice, otherwise: boolean): boolean {
  return only ? only.some((id) => id.toUpperCase() === part) : otherwise
}

/** Everything that a run may measure. */
interface Parts extends Pick<Results, 'scenarios' | 'starts'> {
  readonly rows: readonly RowsFigure[]
  readonly memory: readonly MemoryFigure[]
}

async function runParts(lineup: Lineup, choice: Choice): Promise<Parts> {
  const { isLong, only, subjects } = choice
  const chosen = only ? only.filter((id) => !outside.includes(id.toUpperCase())).map(getScenario) : scenarios
  const narrowed = subjects ? chosen.map((scenario) => narrow(scenario, subjects)) : chosen
  const pace = isLong ? long : quick
  const measured = await measureAll(narrowed, lineup, pace, (result) => say(scenarioTable(result)))
  const starts = isChosen('I', choice, true) ? await measureStarts(lineup, isLong ? 25 : 5) : []
  if (starts.length > 0) say(startTable(starts))
  const rows = isChosen('K', choice, false) ? await measureRows(lineup, isLong ? 1_000_000 : 200_000, pace) : []
  say(rowsTable(rows))
  const memory = isChosen('MEMORY', choice, false) ? await measureMemory(lineup, isLong ? 1_000_000 : 100_000) : []
  say(memoryTable(memory))
  return { scenarios: measured, starts, rows, memory }
}

/** Measures, tells, and writes the figures and the chart where everything was measured. */
export async function runAll(choice: Choice): Promise<void> {
  const mode = choice.isLong ? 'long' : 'quick'
  const around = surroundings()
  const { machine, versions } = around
  say(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load.toFixed(2)}`)
  say(
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}\n`
  )
  const lineup = await openLineup()
  try {
    const parts = await runParts(lineup, choice)
    if (choice.isLong && parts.rows.length > 0) say(`written: ${keep('rows', { ...around, rows: parts.rows })}`)
    if (choice.isLong && parts.memory.length > 0) say(`written: ${keep('memory', { ...around, memory: parts.memory })}`)
    if (choice.only || choice.subjects) return
    const results: Results = { mode, ...around, scenarios: parts.scenarios, starts: parts.starts }
    const images = new URL('../../../../docs/images/', import.meta.url)
    mkdirSync(images, { recursive: true })
    writeFileSync(new URL('bench.svg', images), chart(results))
    writeFileSync(new URL('bench-bars.svg', images), barChart(results))
    say(`written: ${keep('latest', results)} and the charts in ${fileURLToPath(images)}`)
  } finally {
    await lineup.close()
  }
}
