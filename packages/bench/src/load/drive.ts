import { Connection } from './connection.ts'
import type { ServerProcess } from './processes.ts'

/** One thing that a visitor does, from the first request to the last answer. Rejects where an answer is wrong. */
export type Job = (connection: Connection) => Promise<unknown>

/** What was seen in one slice of time. */
export interface Slice {
  /** Microseconds of CPU time of the server for one job. */
  readonly cpu: number
  /** Jobs in a second. */
  readonly rate: number
  /** Milliseconds that each job took. */
  readonly times: readonly number[]
}

/** How long, and how many visitors at once. */
export interface Load {
  /** Whether this process may sleep while it waits: where a third one works, it needs the core. */
  readonly maySleep: boolean
  /** Milliseconds at least. */
  readonly length: number
  /** Jobs at least: what is dear is done as often as is needed to tell its price. */
  readonly jobs: number
  readonly connections: number
}

interface Enough {
  readonly until: number
  readonly jobs: number
}

async function repeat(job: Job, connection: Connection, { until, jobs }: Enough, times: number[]): Promise<void> {
  for (let now = performance.now(); now < until || times.length < jobs; ) {
    await job(connection)
    const end = performance.now()
    times.push(end - now)
    now = end
  }
}

/**
 * Keeps this process from sleeping while `work` goes on. A server that is slower than its load would find it asleep at
 * each answer, and pay for waking it; a faster one finds it awake.
 */
async function awake<T>(work: () => Promise<T>): Promise<T> {
  let isOver = false
  const turn = (): void => {
    if (!isOver) setImmediate(turn)
  }
  turn()
  try {
    return await work()
  } finally {
    isOver = true
  }
}

/** Keeps a server busy for a while. */
export async function drive(
  server: ServerProcess,
  job: Job,
  { length, jobs, connections, maySleep }: Load
): Promise<Slice> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(server.port)))
  try {
    const times: number[] = []
    const before = await server.usage()
    const start = performance.now()
    const enough = { until: start + length, jobs }
    const work = () => Promise.all(open.map((connection) => repeat(job, connection, enough, times)))
    await (maySleep ? work() : awake(work))
    const seconds = (performance.now() - start) / 1000
    const after = await server.usage()
    return { cpu: (after.cpu - before.cpu) / times.length, rate: times.length / seconds, times }
  } finally {
    for (const connection of open) connection.close()
  }
}

/** Does a job some number of times, whatever it takes. */
export async function driveTimes(server: ServerProcess, job: Job, times: number, connections: number): Promise<void> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(server.port)))
  let left = times
  const work = async (connection: Connection): Promise<void> => {
    while (left > 0) {
      left -= 1
      await job(connection)
    }
  }
  await Promise.all(open.map(work))
  for (const connection of open) connection.close()
}
