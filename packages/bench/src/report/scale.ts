import type { Summary } from '../statistics.ts'
import type { Results } from './results.ts'
import { columns, times, verdict } from './table.ts'

/** What a job costs beside so many users. */
export interface ScaleFigure {
  readonly users: number
  /** Microseconds of CPU time of the server process for one job. */
  readonly cpu: Summary
  /** The same of the database's own processes; `null` where it has none. */
  readonly backends: Summary | null
  /** Both together, as times those beside the fewest users in the same round. */
  readonly ratio: Summary
}

export interface ScaleJob {
  readonly title: string
  readonly target: number
  readonly figures: readonly ScaleFigure[]
}

/** One store with more and more users. */
export interface ScaleResult extends Pick<Results, 'when' | 'machine' | 'commit'> {
  readonly rounds: number
  readonly stores: readonly { readonly users: number; readonly bytes: number }[]
  readonly jobs: readonly ScaleJob[]
}

/** A job's costs, the limit marked at the most users. */
export function scaleTable({ title, target, figures }: ScaleJob): string {
  const head = ['users', 'CPU µs', 'of the database', 'ratio', 'spread', '']
  const rows = figures.map(({ users, cpu, backends, ratio }, index) => [
    String(users),
    cpu.median.toFixed(1),
    backends ? backends.median.toFixed(1) : '–',
    times(ratio.median),
    `${times(ratio.low)} … ${times(ratio.high)}`,
    index === 0 ? '' : verdict(ratio.median, target)
  ])
  return `${title}\n${columns([head, ...rows])}\n`
}
