// Removes the named folders of the current package, so that no test of a deleted source file is left to run.
import { rmSync } from 'node:fs'

for (const folder of process.argv.slice(2)) rmSync(folder, { recursive: true, force: true })
