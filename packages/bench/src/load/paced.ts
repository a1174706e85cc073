import { setTimeout } from 'node:timers/promises'
import { Connection } from './connection.ts'
import type { Job } from './drive.ts'

/** A job that begins at fixed times, and not as soon as the one before it has ended. */
export interface PacedLoad {
  /** Jobs in a second, at most: a connection that is late begins the next one at once. */
  readonly rate: number
  /** Milliseconds. */
  readonly length: number
  readonly connections: number
}

async function repeat(job: Job, connection: Connection, interval: number, until: number): Promise<number[]> {
  const times: number[] = []
  for (let next = performance.now() + Math.random() * interval; next < until; next += interval) {
    const wait = next - performance.now()
    if (wait > 0) await setTimeout(wait)
    const begin = performance.now()
    if (begin >= until) break
    await job(connection)
    times.push(performance.now() - begin)
  }
  return times
}

/** Does a job at a rate, for some time. @returns The milliseconds that each took. */
export async function drivePaced(port: number, job: Job, load: PacedLoad): Promise<readonly number[]> {
  const { rate, length, connections } = load
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  try {
    const interval = (1000 * connections) / rate
    const until = performance.now() + length
    const times = await Promise.all(open.map((connection) => repeat(job, connection, interval, until)))
    return times.flat()
  } finally {
    for (const connection of open) connection.close()
  }
}
