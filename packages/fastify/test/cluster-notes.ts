import { appendFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/** With `POSTERN_CLUSTER=1` the instances of an application have nothing in common but PostgreSQL and Redis. */
export const isClustered = Boolean(process.env['POSTERN_CLUSTER'])

/** Where each process of the tests notes what it ran how. */
export const notes = join(import.meta.dirname, '../cluster')

/** An application that a test ran, and why it was none of several instances on PostgreSQL and Redis. */
export interface Note {
  readonly file: string
  readonly test: string
  readonly reason: string | null
}

/** Notes how an application runs, so that the count at the end tells what did not fit. */
export function note(t: object, reason: string | null): void {
  if (!isClustered) return
  const test = 'fullname' in t ? String(t.fullname) : ''
  const file = basename(process.argv[1] ?? '').replace(/\.js$/, '')
  const line: Note = { file, test, reason }
  mkdirSync(notes, { recursive: true })
  appendFileSync(join(notes, `${process.pid}.ndjson`), `${JSON.stringify(line)}\n`)
}
