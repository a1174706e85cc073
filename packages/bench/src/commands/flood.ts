import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Job } from '../load/drive.ts'
import { drivePaced } from '../load/paced.ts'
import { expectResponse, type Visitor } from '../load/visitor.ts'
import { type FloodFigure, floodTable, type SignInTimes } from '../report/flood.ts'
import { surroundings } from '../report/results.ts'
import { type FloodKind, floodKinds } from '../scenarios/flood.ts'
import { type Entrant, type Lineup, openLineup } from '../scenarios/lineup.ts'
import { asVisitor } from '../scenarios/site.ts'
import { oauth } from '../scenarios/whole.ts'
import { quantile } from '../statistics.ts'
import { type Pace, warmUp } from './requests.ts'

const rounds = 5
/** Far below what the server can do: a sign-in waits for the flood, and not for other sign-ins. */
const signIns = { rate: 50, connections: 4 }
const floodConnections = 32
const usualWarmUp = { jobs: 500, cpu: 1_400_000 }

/** How long, and how much. */
export interface Flood {
  /** Seconds of the flood, in all rounds together. */
  readonly seconds: number
  /** Refusals in a second, at most. */
  readonly rate: number
  /** @defaultValue that of a quick run of the other jobs */
  readonly warmUp?: Pace['warmUp']
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** One server, and what was seen of it. */
interface Running {
  readonly kind: FloodKind
  readonly entrant: Entrant
  /** The name of its file. */
  readonly file: string
  readonly signIn: Job
  readonly refusal: Job
  readonly calm: number[]
  readonly flood: number[]
  /** Milliseconds of the flood. */
  duration: number
  sent: number
  /** Bytes, before the first flood; `null` until then. */
  heapBefore: number | null
  heapAfter: number
}

async function open(lineup: Lineup, kind: FloodKind): Promise<Running> {
  const file = kind.title.replaceAll(/\W+/g, '-')
  const entrant = await lineup.start(kind.subject, true, { file, execArgv: ['--expose-gc'] })
  const [signIn, refusal] = [await oauth(entrant.site), await kind.make(entrant.site)]
  return {
    kind,
    entrant,
    file,
    signIn,
    refusal,
    calm: [],
    flood: [],
    duration: 0,
    sent: 0,
    heapBefore: null,
    heapAfter: 0
  }
}

/** One round: sign-ins alone, and the same beside the flood. The heap is read before its refusals are stored. */
async function takeTurn(running: Running, { seconds, rate }: Flood): Promise<void> {
  const { kind, entrant, signIn, refusal } = running
  const { port } = entrant.server
  const length = (1000 * seconds) / rounds
  running.calm.push(...(await drivePaced(port, signIn, { ...signIns, length })))
  running.heapBefore ??= (await entrant.server.usage()).heap
  const begin = performance.now()
  const [times, refused] = await Promise.all([
    drivePaced(port, signIn, { ...signIns, length }),
    drivePaced(port, refusal, { rate: (rate * kind.share) / kind.each, length, connections: floodConnections })
  ])
  running.duration += performance.now() - begin
  running.flood.push(...times)
  running.sent += refused.length * kind.each
  running.heapAfter = (await entrant.server.usage()).heap
}

const summarizeTimes = (times: readonly number[]): SignInTimes => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99)
})

/** Stores what is in memory. @returns The refusals that the audit log has written, and those that it has counted. */
async function readStored({ entrant, file }: Running, folder: string): Promise<NonNullable<FloodFigure['stored']>> {
  await asVisitor(entrant.site, async (visitor: Visitor) =>
    expectResponse(await visitor.ask({ path: '/flush', json: {} }), 200)
  )
  const database = new Database(join(folder, `${file}.db`), { readonly: true })
  const read = (sql: string): number => database.prepare<[], number | null>(sql).pluck().get() ?? 0
  const written = read(`select count(*) from postern_event where type = 'sign-in-refused'`)
  const dropped = read(`select sum(json_extract(data, '$.count')) from postern_event where type = 'refusals-dropped'`)
  database.close()
  return { written, dropped }
}

async function toFigure(running: Running, folder: string): Promise<FloodFigure> {
  const { kind, duration, sent, heapBefore, heapAfter } = running
  const stored = kind.subject === 'postern-audit-log' ? await readStored(running, folder) : null
  const found = stored ? stored.written + stored.dropped : sent
  if (found !== sent) throw new Error(`expected ${sent} refusals in the audit log, got ${found}`)
  const [calm, flood] = [summarizeTimes(running.calm), summarizeTimes(running.flood)]
  const heapGrowth = heapAfter - (heapBefore ?? 0)
  return { title: kind.title, calm, flood, rate: (1000 * sent) / duration, sent, stored, heapGrowth }
}

/**
 * Measures sign-ins with and without a flood of refusals beside them, in turn: without and with the audit log.
 *
 * @throws Error a refusal is neither stored nor counted.
 */
export async function measureFlood(lineup: Lineup, flood: Flood): Promise<readonly FloodFigure[]> {
  const all: Running[] = []
  for (const kind of floodKinds) all.push(await open(lineup, kind))
  const pace = { warmUp: flood.warmUp ?? usualWarmUp, slice: { jobs: 0, length: 0 }, rounds, connections: 16 }
  await warmUp(
    all.map(({ entrant, signIn: job }) => ({ entrant, job })),
    pace
  )
  for (let round = 0; round < rounds; round++) for (const running of all) await takeTurn(running, flood)
  const figures: FloodFigure[] = []
  for (const running of all) figures.push(await toFigure(running, lineup.folder))
  return figures
}

function parsePositive(text: string, name: string): number {
  const number = Number(text.replaceAll('_', ''))
  if (number > 0 && Number.isFinite(number)) return number
  throw new TypeError(`expected ${name}, got ${text}`)
}

/** Reports sign-ins beside a flood. */
export async function runFlood(seconds: string = '10', rate: string = '10000'): Promise<void> {
  const flood = { seconds: parsePositive(seconds, 'seconds'), rate: parsePositive(rate, 'refusals a second') }
  const { machine } = surroundings()
  say(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load.toFixed(2)}\n`)
  const lineup = await openLineup()
  try {
    say(floodTable(await measureFlood(lineup, flood)))
  } finally {
    await lineup.close()
  }
}
