import type { Summary } from '../statistics.ts'
import { getName } from './names.ts'
import type { Figure, MemoryFigure, RowsFigure, ScenarioResult, StartFigure } from './results.ts'

/** Rows in columns: the first to the left, the others to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cell = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => `  ${row.map(cell).join('  ')}`).join('\n')
}

export function times(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(1)}×`
}

function spread({ low, high }: Summary): string {
  return `${times(low)} … ${times(high)}`
}

/** @returns Whether a target is reached, in words. */
export function verdict(ratio: number, target: number | null): string {
  if (target === null) return ''
  return ratio <= target ? `≤ ${target}× reached` : `≤ ${target}× MISSED`
}

const micro = (figure: number): string => figure.toFixed(figure < 100 ? 1 : 0)

/** Whether Postern is within its limits; that of the work by hand is for information. */
function verdicts({ subject, ratio, timesByHand }: Figure, { target, targetByHand }: Limits): string {
  if (subject !== 'postern' && subject !== 'postern-features') return ''
  const byHand = timesByHand && targetByHand ? `; by hand ${verdict(timesByHand.median, targetByHand)}` : ''
  return `${verdict(ratio.median, target)}${byHand}`
}

type Limits = Pick<ScenarioResult, 'target' | 'targetByHand'>

function figureRow(figure: Figure, limits: Limits): string[] {
  const { subject, cpu, ratio, timesByHand, rate, p50, p99 } = figure
  return [
    getName(subject),
    micro(cpu.median),
    times(ratio.median),
    spread(ratio),
    ...(limits.targetByHand === null ? [] : [timesByHand ? times(timesByHand.median) : '']),
    rate.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    verdicts(figure, limits)
  ]
}

export function scenarioTable({ id, title, target, targetByHand, figures, absent }: ScenarioResult): string {
  const byHand = targetByHand === null ? [] : ['× by hand']
  const head = ['', 'CPU µs', '× floor', 'spread', ...byHand, 'per second', 'p50 ms', 'p99 ms', '']
  const notes = Object.entries(absent).map(([subject, reason]) => `  ${getName(subject)}: ${reason}\n`)
  return `${id}  ${title}\n${columns([head, ...figures.map((figure) => figureRow(figure, { target, targetByHand }))])}\n${notes.join('')}`
}

export function startTable(starts: readonly StartFigure[]): string {
  const head = ['', 'CPU ms', '× floor', 'spread', 'wall ms', '× floor', 'RSS MB', '']
  const rows = starts.map(({ subject, cpu, cpuRatio, wall, wallRatio, rss, target }) => [
    getName(subject),
    cpu.median.toFixed(0),
    times(cpuRatio.median),
    spread(cpuRatio),
    wall.median.toFixed(0),
    times(wallRatio.median),
    (rss / 1e6).toFixed(0),
    verdict(cpuRatio.median, target)
  ])
  return `I  start of the process to the first answer\n${columns([head, ...rows])}\n`
}

export function rowsTable(rows: readonly RowsFigure[]): string {
  if (rows.length === 0) return ''
  const [first] = rows
  const head = ['', `CPU µs at ${first?.few}`, `at ${first?.many}`, 'ratio', 'spread', '']
  const lines = rows.map(({ subject, cpuOfFew, cpuOfMany, ratio, target }) => [
    getName(subject),
    micro(cpuOfFew.median),
    micro(cpuOfMany.median),
    times(ratio.median),
    spread(ratio),
    verdict(ratio.median, subject === 'postern' ? target : null)
  ])
  const note = `  ${getName('better-auth')}: not measured, its tables are of another shape\n`
  return `K  database session, by the rows of the table\n${columns([head, ...lines])}\n${note}`
}

export function memoryTable(memory: readonly MemoryFigure[]): string {
  return memory
    .map(({ subject, job, samples }) => {
      const head = ['requests', 'RSS MB', 'heap MB']
      const mega = (bytes: number): string => (bytes / 1e6).toFixed(1)
      const rows = samples.map(({ requests, rss, heap }) => [String(requests), mega(rss), mega(heap)])
      return `memory  ${getName(subject)}, ${job}\n${columns([head, ...rows])}\n`
    })
    .join('\n')
}
