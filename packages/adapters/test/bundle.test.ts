import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const statement = /\b(?:import|export)\b[^'"]*?\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g

/** Everything that an entry loads when it is imported: its own files, and the names of the packages. */
function loadedBy(file: string, seen: Map<string, string> = new Map()): ReadonlyMap<string, string> {
  if (seen.has(file)) return seen
  const text = readFileSync(file, 'utf8')
  seen.set(file, text)
  for (const [, from, bare] of text.matchAll(statement)) {
    const specifier = from ?? bare ?? ''
    if (specifier.startsWith('.')) loadedBy(join(dirname(file), specifier), seen)
    else seen.set(specifier, '')
  }
  return seen
}

const dialects = { sqlite: 'SQLiteInteger', postgres: 'PgInteger', mysql: 'MySqlInt' } as const

for (const [entry, column] of Object.entries(dialects)) {
  t.test(`the entry ${entry} loads no other package but core, and no other dialect`, async (t) => {
    const loaded = loadedBy(fileURLToPath(import.meta.resolve(`@postern/adapters/${entry}`)))
    const names = [...loaded.keys()].filter((name) => !existsSync(name) && !name.startsWith('node:'))
    t.strictSame(
      names.filter((name) => !name.startsWith('@postern/core')),
      []
    )
    const text = [...loaded.values()].join('')
    const found = Object.values(dialects).filter((column) => text.includes(`"${column}"`))
    t.strictSame(found, [column])
  })
}

t.test('the license of the bundled code is in the package', async (t) => {
  const folder = dirname(fileURLToPath(import.meta.resolve('@postern/adapters/package.json')))
  const manifest: { bundled: readonly string[]; files: readonly string[] } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8')
  )
  t.not(manifest.bundled.length, 0)
  for (const name of manifest.bundled) {
    t.ok(manifest.files.includes(`LICENSE-${name}`))
    t.match(readFileSync(join(folder, `LICENSE-${name}`), 'utf8'), /Apache License\s+Version 2.0/)
  }
})
