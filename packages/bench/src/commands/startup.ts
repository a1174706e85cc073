import { Connection } from '../load/connection.ts'
import { write } from '../load/visitor.ts'
import type { StartFigure } from '../report/results.ts'
import { getDialect } from '../scenarios/dialect.ts'
import type { Lineup } from '../scenarios/lineup.ts'
import { median, ratios, summarize } from '../statistics.ts'
import type { SubjectName } from '../subjects/subject.ts'

/** One way of starting. */
export interface Variant {
  readonly name: string
  readonly subject: SubjectName
  readonly isStored: boolean
  readonly target: number | null
}

const variants: readonly Variant[] = [
  { name: 'fastify', subject: 'fastify', isStored: false, target: null },
  { name: 'postern', subject: 'postern', isStored: false, target: 1.3 },
  { name: 'postern with SQLite', subject: 'postern', isStored: true, target: 1.6 },
  { name: 'next-auth', subject: 'next-auth', isStored: false, target: null },
  { name: 'auth-js', subject: 'auth-js', isStored: false, target: null },
  { name: 'better-auth', subject: 'better-auth', isStored: true, target: null },
  { name: 'secure-session', subject: 'secure-session', isStored: false, target: null },
  { name: 'fastify-session', subject: 'fastify-session', isStored: false, target: null }
]

/** What one start took: milliseconds of CPU time and on the clock, bytes. */
export interface Start {
  readonly cpu: number
  readonly wall: number
  readonly rss: number
}

function getPath(subject: SubjectName): string {
  if (subject === 'fastify') return '/session'
  if (subject === 'secure-session' || subject === 'fastify-session') return '/me'
  return getDialect({ subject }).sessionPath
}

/** Starts a process, asks it for a session as a visitor without one, and ends it. */
export async function start(lineup: Lineup, { subject, isStored }: Variant): Promise<Start> {
  const began = performance.now()
  const { server, site } = await lineup.start(subject, isStored, { file: isStored ? `start-${subject}` : null })
  const connection = await Connection.open(site.port)
  const { status } = await connection.send(write({ path: getPath(subject), origin: site.origin }))
  const wall = performance.now() - began
  const { cpu, rss } = await server.usage()
  connection.close()
  await server.stop()
  if (status !== 200 && status !== 401) throw new Error(`${subject}: expected an answer, got ${status}`)
  return { cpu: cpu / 1000, wall, rss }
}

/**
 * Starts everything in turn, in fresh processes.
 *
 * @param subjects - Which libraries run beside the floor; `null` is all.
 */
export async function measureStarts(
  lineup: Lineup,
  rounds: number,
  subjects: readonly string[] | null = null
): Promise<StartFigure[]> {
  const chosen = variants.filter(({ subject }) => subject === 'fastify' || (subjects?.includes(subject) ?? true))
  const starts = new Map(chosen.map((variant) => [variant, [] as Start[]]))
  // The first start of each reads files that are not in memory yet, and makes the tables.
  for (const variant of chosen) await start(lineup, variant)
  for (let round = 0; round < rounds; round++) {
    for (const [variant, taken] of starts) taken.push(await start(lineup, variant))
  }
  const [floor = []] = starts.values()
  return [...starts].map(([{ name, target }, taken]) => {
    const [cpu, wall] = [taken.map((each) => each.cpu), taken.map((each) => each.wall)]
    return {
      subject: name,
      target,
      cpu: summarize(cpu),
      cpuRatio: summarize(
        ratios(
          cpu,
          floor.map((each) => each.cpu)
        )
      ),
      wall: summarize(wall),
      wallRatio: summarize(
        ratios(
          wall,
          floor.map((each) => each.wall)
        )
      ),
      rss: median(taken.map((each) => each.rss))
    }
  })
}
