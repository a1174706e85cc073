import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FeatureSettings } from '../feature-server.ts'
import { startProcess } from '../load/processes.ts'
import { getCheckout } from '../other-checkout.ts'
import { columns, times } from '../report/table.ts'
import { freePort, openLineup } from '../scenarios/lineup.ts'
import { median } from '../statistics.ts'
import { getLocalOrigin } from '../subjects/subject.ts'

const usual = 31
/** Starts in which modules and the heap are measured, which hardly differ from one to the next. */
const heapRounds = 3
const kinds = ['memory', 'sqlite'] as const

type Server = Pick<FeatureSettings, 'root' | 'kind'>

/** What a process with all features has used once it has shown the sign-in page. */
export interface FeatureStart {
  /** Milliseconds of all threads. */
  readonly cpu: number
  /** Megabytes after a garbage collection. */
  readonly heap: number
  /** Files of JavaScript. */
  readonly modules: number
}

/** Starts a server, and asks it for the sign-in page. @param isHeap - Whether the heap is measured, and the modules are counted. */
async function start({ root, kind }: Server, folder: string, isHeap: boolean): Promise<FeatureStart> {
  const port = await freePort()
  const file = join(folder, `features-${port}.db`)
  const settings: FeatureSettings = { root, port, kind, file }
  const server = await startProcess('feature-server', settings, { execArgv: isHeap ? ['--expose-gc'] : [] })
  const origin = getLocalOrigin({ port })
  const page = await fetch(`${origin}/api/auth/signin`)
  const length = (await page.text()).length
  if (!page.ok || length === 0) throw new Error(`${kind}: expected the sign-in page, got ${page.status}`)
  const { cpu, heap } = await server.usage()
  const counted: unknown = isHeap ? await (await fetch(`${origin}/modules`)).json() : null
  await server.stop()
  rmSync(file, { force: true })
  const modules =
    typeof counted === 'object' && counted !== null && 'modules' in counted ? Number(counted.modules) : Number.NaN
  return { cpu: cpu / 1000, heap: heap / 1e6, modules }
}

/** Starts of servers in turn; every other round in the opposite order. */
async function startInTurn(servers: readonly Server[], folder: string, rounds: number, isHeap: boolean) {
  const all: readonly { readonly server: Server; readonly starts: FeatureStart[] }[] = servers.map((server) => ({
    server,
    starts: []
  }))
  // The first start of each reads files that are not in memory yet.
  for (const { server } of all) await start(server, folder, isHeap)
  for (let round = 0; round < rounds; round++) {
    for (const { server, starts } of round % 2 === 0 ? all : all.toReversed())
      starts.push(await start(server, folder, isHeap))
  }
  return all.map(({ starts }) => starts)
}

/** Medians of one measure. */
export interface FeatureFigure {
  readonly title: string
  readonly mine: number
  readonly other: number
  /** A server without Postern. */
  readonly bare: number
}

/** What a build takes beyond the bare server, as times what the other does. */
export function ratioBeyond({ mine, other, bare }: FeatureFigure): number {
  return (mine - bare) / (other - bare)
}

/** Compares two builds with one store. */
export async function measureFeatures(
  kind: (typeof kinds)[number],
  [own, other]: readonly [own: string, other: string],
  rounds: number
): Promise<readonly FeatureFigure[]> {
  const lineup = await openLineup()
  const servers: readonly Server[] = [
    { root: own, kind },
    { root: other, kind },
    { root: own, kind: 'bare' }
  ]
  try {
    const timed = await startInTurn(servers, lineup.folder, rounds, false)
    const counted = await startInTurn(servers, lineup.folder, Math.min(heapRounds, rounds), true)
    const compare = (name: keyof FeatureStart, unit: string): FeatureFigure => {
      const starts = name === 'cpu' ? timed : counted
      const [mine = 0, others = 0, bare = 0] = starts.map((each) => median(each.map((start) => start[name])))
      return { title: `${kind}, ${unit}`, mine, other: others, bare }
    }
    return [compare('cpu', 'CPU ms'), compare('modules', 'modules'), compare('heap', 'heap MB')]
  } finally {
    await lineup.close()
  }
}

/** The figures of both builds. */
export function featureTable(figures: readonly FeatureFigure[]): string {
  const rows = figures.map((figure) => {
    const { title, mine, other, bare } = figure
    return [
      title,
      ...[mine, other, bare].map((each) => each.toFixed(1)),
      times(mine / other),
      times(ratioBeyond(figure))
    ]
  })
  return columns([['a start with all features', 'this build', 'the other', 'bare', 'ratio', 'beyond bare'], ...rows])
}

/**
 * Compares starts of this build with those of another checkout.
 *
 * @param path - The folder of the other checkout, which has been built.
 * @param given - How many rounds. @defaultValue 31
 */
export async function runFeatures(path: string = '', given: string = String(usual)): Promise<void> {
  const other = getCheckout(path)
  const rounds = Number(given)
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError(`expected a number of rounds, got ${given}`)
  const own = fileURLToPath(new URL('../../../../', import.meta.url))
  const figures: FeatureFigure[] = []
  for (const kind of kinds) figures.push(...(await measureFeatures(kind, [own, other], rounds)))
  process.stdout.write(`${featureTable(figures)}\n`)
}
