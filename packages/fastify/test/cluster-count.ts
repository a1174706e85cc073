import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isClustered, type Note, notes } from './cluster-notes.ts'

// Says what ran as several instances on PostgreSQL and Redis, and what did not, with the reason.
function read(): readonly Note[] {
  if (!existsSync(notes)) return []
  const lines = readdirSync(notes).flatMap((name) => readFileSync(join(notes, name), 'utf8').trim().split('\n'))
  return lines.map((line): Note => JSON.parse(line))
}

function tell(): void {
  const all = read()
  const apart = new Map<string, Note[]>()
  for (const line of all) if (line.reason !== null) apart.set(line.reason, [...(apart.get(line.reason) ?? []), line])
  const clustered = all.filter(({ reason }) => reason === null).length
  process.stdout.write(`cluster: ${clustered} of ${all.length} applications ran as instances on PostgreSQL and Redis\n`)
  for (const [reason, left] of [...apart].toSorted(([, one], [, other]) => other.length - one.length)) {
    const files = [...new Set(left.map(({ file }) => file.replace('.test', '')))].toSorted()
    process.stdout.write(`cluster: ${left.length} did not, since ${reason}: ${files.join(', ')}\n`)
  }
  if (clustered === 0) process.exitCode = 1
}

if (isClustered) tell()
