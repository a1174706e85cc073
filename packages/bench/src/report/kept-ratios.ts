/** What a job costs, as times what others cost in the same run. */
export interface Ratio {
  /** Times a bare Fastify route. */
  readonly floor: number
  /**
   * Times the same job of next-auth, or of the other reference of the job; `null` if it has none. It has the same mixture of
   * cryptography, JavaScript and system calls, so it changes less from machine to machine than times the floor.
   */
  readonly reference: number | null
}

/** The ratios by the id of the job. */
export type Ratios = Readonly<Record<string, Ratio>>

/** Where and when a figure was measured. */
export interface FigureSource {
  readonly commit: string
  /** An ISO date. */
  readonly date: string
  /** Processor, cores and Node. */
  readonly machine: string
}

/** A kept figure. */
export interface KeptFigure extends FigureSource {
  readonly ratio: number
  /** If it is higher than the figure before it: what the line of the CHANGELOG says. */
  readonly reason?: string
}

/** The kept figures of a job. */
export interface KeptRatio {
  readonly floor: KeptFigure
  readonly reference: KeptFigure | null
}

/** The kept figures by the id of the job. */
export type KeptRatios = Readonly<Record<string, KeptRatio>>

const parts = ['floor', 'reference'] as const

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function isFigure(value: unknown): value is KeptFigure {
  if (!isRecord(value)) return false
  const { ratio, commit, date, machine, reason } = value
  const isPositive = typeof ratio === 'number' && ratio > 0
  return isPositive && [commit, date, machine].every(isText) && (reason === undefined || isText(reason))
}

function isKept(value: unknown): value is KeptRatio {
  return isRecord(value) && isFigure(value['floor']) && (value['reference'] === null || isFigure(value['reference']))
}

/** The figures in a kept file. @throws TypeError the file has none, or a figure without commit, date or machine. */
export function readKeptRatios(file: unknown): KeptRatios {
  const found = isRecord(file) && isRecord(file['jobs']) ? Object.entries(file['jobs']) : []
  const entries = found.filter((entry): entry is [string, KeptRatio] => isKept(entry[1]))
  if (found.length > 0 && entries.length === found.length) return Object.fromEntries(entries)
  throw new TypeError('expected the figures of each job, each with its commit, date and machine')
}

/** The ratios alone, to compare with. */
export function toRatios(kept: KeptRatios): Ratios {
  const entries = Object.entries(kept).map(([id, { floor, reference }]): [string, Ratio] => [
    id,
    { floor: floor.ratio, reference: reference?.ratio ?? null }
  ])
  return Object.fromEntries(entries)
}

/** What the lines `- Benchmark X: <which feature costs what>` of a CHANGELOG say, by the id of the job, newest first. */
export type Reasons = ReadonlyMap<string, readonly string[]>

const reasonStart = '- Benchmark '

export function readReasons(changelog: string): Reasons {
  const reasons = new Map<string, readonly string[]>()
  for (const line of changelog.split('\n')) {
    const colon = line.indexOf(':')
    const reason = line.slice(colon + 1).trim()
    if (!line.startsWith(reasonStart) || colon < 0 || reason === '') continue
    const id = line.slice(reasonStart.length, colon)
    reasons.set(id, [...(reasons.get(id) ?? []), reason])
  }
  return reasons
}

/** What allows a higher figure: the lines of the CHANGELOG, and what has used one of them already. */
export interface Permission {
  readonly reasons: Reasons
  readonly used: ReadonlySet<string>
}

/** A use of a line: each line allows each figure of its job to rise once. */
const toUse = (id: string, part: string, reason: string): string => JSON.stringify([id, part, reason])

/** The line of the CHANGELOG that lets a figure rise; `null` if there is none that has not been used. */
function findReason(id: string, part: (typeof parts)[number], { reasons, used }: Permission): string | null {
  return reasons.get(id)?.find((reason) => !used.has(toUse(id, part, reason))) ?? null
}

/** The figures to write, and the jobs that could not be kept. */
export interface Kept {
  readonly kept: KeptRatios
  /** Jobs with a higher figure that has no line in the CHANGELOG. */
  readonly refused: readonly string[]
}

/** Replaces the figures by those that are lower, and by a higher one only if the CHANGELOG has a line for its job. */
export function keepRatios(before: KeptRatios, measured: Ratios, source: FigureSource, permission: Permission): Kept {
  const refused = new Set<string>()
  const choose = (id: string, part: (typeof parts)[number], ratio: number): KeptFigure => {
    const known = before[id]?.[part]
    if (!known || ratio < known.ratio) return { ratio, ...source }
    const reason = ratio > known.ratio ? findReason(id, part, permission) : null
    if (reason !== null) return { ratio, ...source, reason }
    if (ratio > known.ratio) refused.add(id)
    return known
  }
  const entries = Object.entries(measured).map(([id, { floor, reference }]): [string, KeptRatio] => [
    id,
    {
      floor: choose(id, 'floor', floor),
      reference: reference === null ? (before[id]?.reference ?? null) : choose(id, 'reference', reference)
    }
  ])
  return { kept: { ...before, ...Object.fromEntries(entries) }, refused: [...refused] }
}

/** What the history of the kept file shows. */
export interface History {
  /** The lines that figures rose with. */
  readonly used: ReadonlySet<string>
  /** The figures that rose without a line of their own in the CHANGELOG. */
  readonly unexplained: readonly string[]
}

/** Follows each figure through the versions of the file, the oldest first. A job that is left out for a while has the figure from before. */
export function followHistory(versions: readonly KeptRatios[], reasons: Reasons): History {
  const latest = new Map<string, KeptFigure>()
  const used = new Set<string>()
  const unexplained: string[] = []
  const follow = (id: string, part: (typeof parts)[number], figure: KeptFigure): void => {
    const name = `${id} ${part}`
    const before = latest.get(name)
    latest.set(name, figure)
    if (!before || figure.ratio <= before.ratio) return
    const { reason = '' } = figure
    const isExplained = reasons.get(id)?.includes(reason) && !used.has(toUse(id, part, reason))
    if (!isExplained)
      unexplained.push(`${id}: × ${part} rose from ${before.ratio} to ${figure.ratio} (${figure.commit})`)
    used.add(toUse(id, part, reason))
  }
  for (const version of versions) {
    for (const [id, kept] of Object.entries(version)) {
      for (const part of parts) {
        const figure = kept[part]
        if (figure) follow(id, part, figure)
      }
    }
  }
  return { used, unexplained }
}
