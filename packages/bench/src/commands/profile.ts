import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection } from '../load/connection.ts'
import { drive } from '../load/drive.ts'
import { write } from '../load/visitor.ts'
import { columns } from '../report/table.ts'
import { getJob, openLineup } from '../scenarios/lineup.ts'
import { getScenario, type Scenario } from '../scenarios/scenarios.ts'

interface Node {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
}

/** What V8 writes. */
interface Profile {
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

function isProfile(value: unknown): value is Profile {
  return typeof value === 'object' && value !== null && 'nodes' in value && 'samples' in value && 'timeDeltas' in value
}

const packages = fileURLToPath(new URL('../../../', import.meta.url))

/** A file in few words: the package and the path inside it. */
function getPlace(url: string): string {
  const inside = url.split('/node_modules/').pop() ?? url
  return url.startsWith('file:') && !url.includes('/node_modules/') ? relative(packages, fileURLToPath(url)) : inside
}

/** The package that a file is of, or Node itself. */
function getOwner(url: string): string {
  if (url === '') return '(engine)'
  if (url.startsWith('node:')) return 'node'
  const parts = getPlace(url)
    .replace(/^file:\/\//, '')
    .split('/')
  return parts[0]?.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '')
}

/** Time that was spent in each place itself, the most first; idle time is none. */
export function selfTimes(
  profile: Profile,
  name: (node: Node) => string
): (readonly [name: string, microseconds: number])[] {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const sums = new Map<string, number>()
  profile.samples.forEach((id, index) => {
    const node = nodes.get(id)
    if (!node || node.callFrame.functionName === '(idle)') return
    const key = name(node)
    sums.set(key, (sums.get(key) ?? 0) + (profile.timeDeltas[index] ?? 0))
  })
  return [...sums].toSorted(([, a], [, b]) => b - a)
}

function report(profile: Profile): string {
  const byFunction = selfTimes(profile, ({ callFrame: { functionName, url, lineNumber } }) => {
    const place = url === '' ? '' : `  ${getPlace(url)}:${lineNumber + 1}`
    return `${functionName || '(anonymous)'}${place}`
  })
  const byOwner = selfTimes(profile, ({ callFrame }) => getOwner(callFrame.url))
  const whole = byFunction.reduce((sum, [, time]) => sum + time, 0)
  const table = (rows: typeof byOwner): string =>
    columns(
      rows.map(([name, time]) => [name, `${(time / 1000).toFixed(1)} ms`, `${((100 * time) / whole).toFixed(1)} %`])
    )
  return `by package\n${table(byOwner.slice(0, 12))}\n\nby function\n${table(byFunction.slice(0, 40))}`
}

/** Some seconds of a scenario, after the code is warm. */
async function record(scenario: Scenario | null, folder: string): Promise<void> {
  const lineup = await openLineup()
  const execArgv = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200']
  try {
    const { isStored = false, checked: { subject } = { subject: 'postern' } } = scenario ?? {}
    const entrant = await lineup.start(subject, isStored, { execArgv })
    if (scenario) {
      const job = await getJob(scenario, entrant)
      await drive(entrant.server, job, { length: 10_000, jobs: 0, connections: 16, maySleep: true })
    } else {
      const connection = await Connection.open(entrant.site.port)
      await connection.send(write({ path: '/api/auth/session', origin: entrant.site.origin }))
      connection.close()
    }
    await entrant.server.stop()
  } finally {
    await lineup.close()
  }
}

/** @param id - Of a scenario; `I` is the start of the process. */
export async function runProfile(id: string | undefined): Promise<void> {
  const scenario = id?.toUpperCase() === 'I' ? null : getScenario(id ?? '')
  const folder = fileURLToPath(new URL(`../../results/profiles/${id?.toUpperCase()}-${Date.now()}`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  await record(scenario, folder)
  const [file = ''] = readdirSync(folder)
  const profile: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  if (!isProfile(profile)) throw new TypeError(`expected a CPU profile, got ${file}`)
  process.stdout.write(`${report(profile)}\n\nwritten: ${join(folder, file)}\n`)
}
