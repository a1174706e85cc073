// Looks at every package as npm would publish it: publint for the manifest, attw for the types.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
const published = readdirSync(join(root, 'packages')).filter((name) => !manifest(name).private)

let failed = 0
for (const name of published) {
  const cwd = join(root, 'packages', name)
  for (const [tool, args] of [
    ['publint', ['--strict']],
    ['attw', ['--pack', '.', '--profile', 'esm-only', '--format', 'ascii', '--no-emoji']]
  ]) {
    const { status, stdout, stderr } = spawnSync(tool, args, { cwd, encoding: 'utf8' })
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${tool} @postern/${name}`)
    if (status !== 0) {
      failed += 1
      console.log(stdout, stderr)
    }
  }
}
process.exit(failed === 0 ? 0 : 1)
