import { columns, times } from './table.ts'

/** Milliseconds that sign-ins took. */
export interface SignInTimes {
  readonly p50: number
  readonly p99: number
}

/** Sign-ins beside a flood of refusals. */
export interface FloodFigure {
  /** What the server has, and how the refusals come about. */
  readonly title: string
  readonly calm: SignInTimes
  readonly flood: SignInTimes
  /** Refusals in a second. */
  readonly rate: number
  /** All refusals. */
  readonly sent: number
  /** The refusals that are in the audit log, and those that it counted; `null` without one. */
  readonly stored: { readonly written: number; readonly dropped: number } | null
  /** Bytes by which the heap has grown from before the first flood to the end of the last one, after a collection. */
  readonly heapGrowth: number
}

function toRow({ title, calm, flood, rate, sent, stored, heapGrowth }: FloodFigure): string[] {
  return [
    title,
    rate.toFixed(0),
    ...(['p50', 'p99'] as const).flatMap((name) => [
      calm[name].toFixed(1),
      flood[name].toFixed(1),
      times(flood[name] / calm[name])
    ]),
    (heapGrowth / 1e6).toFixed(1),
    String(sent),
    ...(stored ? [String(stored.written), String(stored.dropped)] : ['', ''])
  ]
}

export function floodTable(figures: readonly FloodFigure[]): string {
  const head = [
    '',
    'refusals/s',
    'p50 calm ms',
    'flood',
    '× calm',
    'p99 calm ms',
    'flood',
    '× calm',
    'heap + MB',
    'sent',
    'written',
    'dropped'
  ]
  return `sign-ins beside a flood of refusals\n${columns([head, ...figures.map(toRow)])}\n`
}
