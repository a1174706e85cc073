import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const folder = join(import.meta.dirname, '../../src')
const files = globSync('*.{ts,tsx}', { cwd: folder }).map(
  (name) => [name, readFileSync(join(folder, name), 'utf8')] as const
)

t.test('the example has at most 200 lines', async (t) => {
  t.ok(files.some(([name]) => name === 'pin.ts'))
  const lines = files.reduce((sum, [, text]) => sum + text.trimEnd().split('\n').length, 0)
  t.ok(lines <= 200, `${lines} lines`)
})

t.test('the feature imports public entries of the core and of the pages only', async (t) => {
  for (const [name, text] of files.filter(([name]) => name !== 'main.ts')) {
    const imported = [...text.matchAll(/(?:from|import\() ?'([^'.][^']*)'/g)].map(([, specifier]) => specifier)
    t.same(
      imported.filter((specifier) => !/^(@postern\/(core\/feature|pages)|react)$/.test(specifier ?? '')),
      [],
      name
    )
  }
})
