import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Prints how many published advisories are replayed: tests of any package that are named by an id of the list.
const packages = join(import.meta.dirname, '../../../..')
const files = globSync('*/test/**/*.ts', { cwd: packages }).map((path) => readFileSync(join(packages, path), 'utf8'))
const ids = files.flatMap((text) => Array.from(text.matchAll(/['"`](A\d{2,3})(?=[ '"`])/g), ([, id]) => id))

process.stdout.write(`advisory replays: ${new Set(ids).size}\n`)
