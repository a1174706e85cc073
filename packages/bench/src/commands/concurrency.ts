import { fileURLToPath } from 'node:url'
import { drive, type Job } from '../load/drive.ts'
import { type ServerProcess, startProcess } from '../load/processes.ts'
import { getCheckout } from '../other-checkout.ts'
import { columns, times } from '../report/table.ts'
import { signIns } from '../scenarios/concurrency.ts'
import { freePort, openLineup } from '../scenarios/lineup.ts'
import { median, ratios, type Summary, summarize } from '../statistics.ts'
import {
  createScratchDatabase,
  type ScratchDatabase,
  type ScratchStore,
  scratchStores
} from '../stores/scratch-database.ts'
import { getOrigin } from '../subjects/subject.ts'

const connections = 8
/** Times the sign-ins of the other build in a second. */
const target = 0.9
const methods = ['form', 'provider'] as const

/** How long it takes. */
export interface ConcurrencyPace {
  readonly users: number
  readonly rounds: number
  /** Milliseconds of each build in a round, and before the first one. */
  readonly length: number
}

const usual: ConcurrencyPace = { users: 200, rounds: 8, length: 1000 }

/** Sign-ins per second of two builds. */
export interface ConcurrencyFigure {
  readonly title: string
  /** Medians. */
  readonly rates: readonly number[]
  /** This build's as times the other's, round by round. */
  readonly ratio: Summary
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

interface Running {
  readonly server: ServerProcess
  readonly database: ScratchDatabase
}

async function start(root: string, store: ScratchStore, issuer: string): Promise<Running> {
  const database = await createScratchDatabase(store)
  try {
    const settings = { root, port: await freePort(), issuer, store, url: database.url }
    return { server: await startProcess('build-server', settings), database }
  } catch (error) {
    await database.drop()
    throw error
  }
}

/** Sign-ins in rounds, in which the builds alternate; the first one begins every other round. */
async function measureRates(
  running: readonly { readonly server: ServerProcess; readonly job: Job }[],
  { rounds, length }: ConcurrencyPace
): Promise<readonly (readonly number[])[]> {
  const load = { length, jobs: 0, connections, maySleep: true }
  const all = running.map((each) => ({ ...each, rates: [] as number[] }))
  for (const { server, job } of all) await drive(server, job, load)
  for (let round = 0; round < rounds; round++) {
    for (const { server, job, rates } of round % 2 === 0 ? all : all.toReversed())
      rates.push((await drive(server, job, load)).rate)
  }
  return all.map(({ rates }) => rates)
}

/** Compares builds on one store: one user and many, by the form and at the provider. */
export async function measureConcurrency(
  roots: readonly string[],
  store: ScratchStore,
  pace: ConcurrencyPace,
  report: (figure: ConcurrencyFigure) => void = () => undefined
): Promise<readonly ConcurrencyFigure[]> {
  const lineup = await openLineup()
  const builds: Running[] = []
  const figures: ConcurrencyFigure[] = []
  try {
    for (const root of roots) builds.push(await start(root, store, lineup.issuer))
    for (const method of methods) {
      for (const users of [1, pace.users]) {
        const running: { readonly server: ServerProcess; readonly job: Job }[] = []
        for (const { server } of builds) {
          const { port } = server
          const site = { subject: 'postern' as const, port, issuer: lineup.issuer, origin: getOrigin({ port }) }
          running.push({ server, job: await signIns(site, method, users) })
        }
        const [mine = [], others = []] = await measureRates(running, pace)
        const title = `${store}, ${method}, ${users === 1 ? 'one user' : `${users} users`}`
        const figure = { title, rates: [median(mine), median(others)], ratio: summarize(ratios(mine, others)) }
        report(figure)
        figures.push(figure)
      }
    }
    return figures
  } finally {
    for (const { server, database } of builds) {
      await server.stop()
      await database.drop()
    }
    await lineup.close()
  }
}

/** Sign-ins per second of both builds. */
export function concurrencyTable(figures: readonly ConcurrencyFigure[]): string {
  const rows = figures.map(({ title, rates, ratio: { median: middle, low, high } }) => [
    title,
    ...rates.map((rate) => rate.toFixed(0)),
    times(middle),
    `${times(low)} … ${times(high)}`,
    middle >= target ? `≥ ${target}× reached` : `≥ ${target}× MISSED`
  ])
  return columns([['sign-ins per second', 'this build', 'the other', 'ratio', 'spread', ''], ...rows])
}

function isStore(name: string): name is ScratchStore {
  return scratchStores.some((store) => store === name)
}

/**
 * Compares this build with that of another checkout.
 *
 * @param path - The folder of the other checkout, which has been built.
 * @param store - @defaultValue all
 */
export async function runConcurrency(path: string = '', store: string = ''): Promise<void> {
  const other = getCheckout(path)
  if (store !== '' && !isStore(store)) throw new TypeError(`expected ${scratchStores.join(' or ')}, got ${store}`)
  const own = fileURLToPath(new URL('../../../../', import.meta.url))
  const figures: ConcurrencyFigure[] = []
  for (const each of isStore(store) ? [store] : scratchStores)
    figures.push(...(await measureConcurrency([own, other], each, usual, ({ title }) => say(title))))
  say(`\n${concurrencyTable(figures)}`)
}
