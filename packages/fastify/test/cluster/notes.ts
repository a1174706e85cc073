import { appendFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * With `POSTERN_CLUSTER=1` an application runs in two processes, which have nothing in common but PostgreSQL and Redis.
 */
export const isClustered = Boolean(process.env['POSTERN_CLUSTER'])

/** Where each process of the tests notes what it ran how. */
export const notes = join(import.meta.dirname, '../../cluster')

/**
 * How an application runs: in processes that share PostgreSQL and Redis, in processes that share the store that the test
 * brings, as instances in one process, as one instance, or in processes of the test's own on PostgreSQL.
 */
export type How = 'on servers' | 'on its store' | 'in one process' | 'alone' | 'on PostgreSQL'

/** An application that a test ran, and what it was about where it did not run in processes on servers. */
export interface Note {
  readonly file: string
  readonly test: string
  readonly how: How
  readonly reason: string | null
}

/** How many requests a file's applications on several processes had, in all and at another process. */
export interface Requests {
  readonly all: number
  readonly elsewhere: number
}

function write(line: Note | Requests): void {
  mkdirSync(notes, { recursive: true })
  appendFileSync(join(notes, `${process.pid}.ndjson`), `${JSON.stringify(line)}\n`)
}

/** Records how an application runs, so that the final count includes the exceptions. */
export function note(t: object, how: How, reason: string | null): void {
  if (!isClustered) return
  const test = 'fullname' in t ? String(t.fullname) : ''
  const file = basename(process.argv[1] ?? '').replace(/\.js$/, '')
  write({ file, test, how, reason })
}

const requests = { all: 0, elsewhere: 0 }

/** Notes who answers a request. */
export function noteRequest(isElsewhere: boolean): void {
  if (requests.all === 0) process.once('exit', () => write(requests))
  requests.all += 1
  if (isElsewhere) requests.elsewhere += 1
}
