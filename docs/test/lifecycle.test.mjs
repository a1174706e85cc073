// A sign-in runs the files that docs/lifecycle.md names for it, and no others of the folders that it is about.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [, section = ''] =
  /### One sign-in\n([\s\S]*?)\n## /.exec(readFileSync(join(root, 'docs/lifecycle.md'), 'utf8')) ?? []
const [read = '', called = ''] = section.split('| Folder | Files |')
const filesIn = (text) => [...text.matchAll(/`([a-z-]+(?:\/[a-z-]+)*\.ts)`/g)].map(([, file]) => file)
const counted = /^(actions|accounts|adapter|sessions)\//

const output = execFileSync(process.execPath, [join(root, 'scripts/sign-in-coverage.mjs'), '--json'], {
  encoding: 'utf8'
})
const { returned } = JSON.parse(output).database

t.test('one sign-in can be read in eight files, and each of them runs', async (t) => {
  const rows = filesIn(read)
  t.ok(rows.length > 0 && rows.length <= 8, `${rows.length} files`)
  for (const file of rows) t.ok(returned.includes(file), file)
})

t.test('the page names every file of accounts and sessions that a sign-in runs', async (t) => {
  const named = [...filesIn(read), ...filesIn(called.split('\n\n')[0])].filter((file) => counted.test(file))
  t.same(
    named.sort(),
    returned.filter((file) => counted.test(file))
  )
})
