import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drive, type Job } from '../load/drive.ts'
import { surroundings } from '../report/results.ts'
import { type ScaleFigure, type ScaleJob, type ScaleResult, scaleTable } from '../report/scale.ts'
import { type CrowdJob, crowdJobs } from '../scenarios/crowd.ts'
import { type Entrant, type Lineup, openLineup } from '../scenarios/lineup.ts'
import { ratios, summarize } from '../statistics.ts'
import { type Crowd, createCrowd } from '../stores/crowd.ts'
import { fillPostgres } from '../stores/postgres.ts'
import { fillSqlite } from '../stores/sqlite.ts'
import type { CrowdStore } from '../stores/store.ts'
import { type Pace, warmUp } from './requests.ts'

const fills = { sqlite: fillSqlite, postgres: fillPostgres }
type StoreName = keyof typeof fills

const usual: readonly number[] = [10_000, 100_000, 1_000_000]
const target = 1.3
/** Each sign-in leaves a session: slices are short, so that a small store stays one. */
const pace: Pace = {
  warmUp: { jobs: 2000, cpu: 2_000_000 },
  slice: { jobs: 200, length: 250 },
  rounds: 15,
  connections: 16
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** A server on a store with so many users. */
interface Size {
  readonly crowd: Crowd
  readonly store: CrowdStore
  readonly entrant: Entrant
}

interface Running {
  readonly size: Size
  readonly entrant: Entrant
  readonly job: Job
  readonly cpu: number[]
  readonly backends: number[]
}

async function openSize(lineup: Lineup, name: StoreName, users: number): Promise<Size> {
  const begin = performance.now()
  const crowd = createCrowd(users)
  const store = await fills[name](crowd, lineup.folder)
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  say(`${name}: ${users} users, ${(store.bytes / 1e6).toFixed(0)} MB, written in ${seconds} s`)
  return { crowd, store, entrant: await lineup.start('postern', true, store.place) }
}

/** One slice: CPU time of the server and of the database's processes for one job. */
async function takeTurn({ size, entrant, job, cpu, backends }: Running, maySleep: boolean): Promise<void> {
  const before = await size.store.backendTime()
  const slice = await drive(entrant.server, job, { ...pace.slice, connections: pace.connections, maySleep })
  cpu.push(slice.cpu)
  backends.push(((await size.store.backendTime()) - before) / slice.times.length)
}

function getFigure(
  { size, cpu, backends }: Running,
  together: readonly number[],
  fewest: readonly number[]
): ScaleFigure {
  const hasBackends = backends.some((time) => time > 0)
  return {
    users: size.crowd.users,
    cpu: summarize(cpu),
    backends: hasBackends ? summarize(backends) : null,
    ratio: summarize(ratios(together, fewest))
  }
}

/** One job, the sizes in turn. */
async function measure(
  { title, asksProvider, make }: CrowdJob,
  name: StoreName,
  sizes: readonly Size[]
): Promise<ScaleJob> {
  const running: Running[] = []
  for (const size of sizes) {
    const { entrant, crowd } = size
    running.push({ size, entrant, job: await make(entrant.site, crowd), cpu: [], backends: [] })
  }
  await warmUp(running, pace)
  // Where a third process works for the server it needs the core.
  const maySleep = asksProvider || name === 'postgres'
  for (let round = 0; round < pace.rounds; round++) {
    for (const each of running) await takeTurn(each, maySleep)
  }
  const together = running.map(({ cpu, backends }) => cpu.map((time, round) => time + (backends[round] ?? 0)))
  const [fewest = []] = together
  return { title, target, figures: running.map((each, index) => getFigure(each, together[index] ?? [], fewest)) }
}

/** Nobody was new: every sign-in found whose it was. */
async function expectKnown({ crowd, store }: Size): Promise<void> {
  const count = await store.countUsers()
  if (count !== crowd.users) throw new Error(`expected ${crowd.users} users after all sign-ins, got ${count}`)
}

async function measureStore(lineup: Lineup, name: StoreName, users: readonly number[]): Promise<ScaleResult> {
  const { when, machine, commit } = surroundings()
  const sizes: Size[] = []
  try {
    for (const count of users) sizes.push(await openSize(lineup, name, count))
    const jobs: ScaleJob[] = []
    for (const each of crowdJobs) {
      const measured = await measure(each, name, sizes)
      say(`\n${name}: ${scaleTable(measured)}`)
      jobs.push(measured)
    }
    for (const size of sizes) await expectKnown(size)
    const stores = sizes.map(({ crowd, store }) => ({ users: crowd.users, bytes: store.bytes }))
    return { when, machine, commit, rounds: pace.rounds, stores, jobs }
  } finally {
    for (const { entrant, store } of sizes) {
      await entrant.server.stop()
      await store.close()
    }
  }
}

/** Puts the figures of one store in place of those that were there. */
function keep(name: StoreName, result: ScaleResult): void {
  const file = fileURLToPath(new URL('../../results/scale.json', import.meta.url))
  const kept: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const all = { ...(typeof kept === 'object' ? kept : {}), [name]: result }
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
  say(`written: ${file}`)
}

function isStore(name: string): name is StoreName {
  return Object.hasOwn(fills, name)
}

/**
 * What a job costs beside more and more users; written where the sizes are the usual ones.
 *
 * @param given - Numbers of users, the fewest first. @defaultValue ten thousand, a hundred thousand, a million
 */
export async function runScale(name: string = '', given: readonly string[] = []): Promise<void> {
  const users = given.length > 0 ? given.map((text) => Number(text.replaceAll('_', ''))) : usual
  if (!isStore(name)) throw new TypeError(`expected ${Object.keys(fills).join(' or ')}, got ${name || 'nothing'}`)
  if (!users.every((count) => Number.isInteger(count) && count > 0))
    throw new TypeError(`expected numbers of users, got ${given.join(' ')}`)
  const lineup = await openLineup()
  try {
    const result = await measureStore(lineup, name, users)
    if (given.length === 0) keep(name, result)
  } finally {
    await lineup.close()
  }
}
