import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type How, isClustered, type Note, notes, type Requests } from './notes.ts'

const texts: Readonly<Record<How, string>> = {
  'on servers': 'in two processes on PostgreSQL and Redis',
  'on its store': 'in two processes on the store of the test',
  'in one process': 'as two instances in one process',
  alone: 'as one instance',
  'on PostgreSQL': 'in processes of the test on PostgreSQL'
}

// Prints what ran in several processes, and what did not, with the reason.
function read(): readonly (Note | Requests)[] {
  if (!existsSync(notes)) return []
  const lines = readdirSync(notes).flatMap((name) => readFileSync(join(notes, name), 'utf8').trim().split('\n'))
  return lines.map((line): Note | Requests => JSON.parse(line))
}

function printReasons(some: readonly Note[]): void {
  const getCount = (requested: string | null): number => some.filter(({ reason }) => reason === requested).length
  const reasons = [...new Set(some.map(({ reason }) => reason))].filter((reason) => reason !== null)
  for (const reason of reasons.toSorted((one, other) => getCount(other) - getCount(one))) {
    const files = some.filter((line) => line.reason === reason).map(({ file }) => file.replace('.test', ''))
    process.stdout.write(
      `cluster:   ${getCount(reason)} since ${reason}: ${[...new Set(files)].toSorted().join(', ')}\n`
    )
  }
}

function report(): void {
  const lines = read()
  const all = lines.filter((line) => 'how' in line)
  for (const [how, text] of Object.entries(texts)) {
    const some = all.filter((line) => line.how === how)
    process.stdout.write(`cluster: ${some.length} of ${all.length} applications ran ${text}\n`)
    printReasons(some)
  }
  const requests = lines.filter((line) => 'elsewhere' in line)
  const sum = (key: keyof Requests): number => requests.reduce((total, line) => total + line[key], 0)
  process.stdout.write(`cluster: ${sum('elsewhere')} of ${sum('all')} requests were answered by the second process\n`)
  if (sum('elsewhere') === 0 || !all.some(({ how }) => how === 'on servers')) process.exitCode = 1
}

if (isClustered) report()
