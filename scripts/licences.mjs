// The licenses of everything that users install: the dependencies of the packages, and their dependencies.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

const welcome = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0', 'MIT-0'])

/** The folder of a dependency, as Node finds it from the folder of who asks. */
function find(name, from) {
  const here = join(from, 'node_modules', name)
  if (existsSync(join(here, 'package.json'))) return realpathSync(here)
  const above = dirname(from)
  if (above === from) throw new Error(`expected ${name} to be installed`)
  return find(name, above)
}

/**
 * Walks through the dependencies of these packages; peers are the application's own choice.
 *
 * @param {readonly string[]} folders
 * @returns {readonly { name: string, version: string, license: string }[]} Sorted by name, without Postern’s.
 */
export function getLicences(folders) {
  const seen = new Map()
  const walk = (folder) => {
    if (seen.has(folder)) return
    const { name, version, license, dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    seen.set(folder, { name, version, license: typeof license === 'string' ? license : (license?.type ?? 'unknown') })
    for (const dependency of Object.keys(dependencies)) walk(find(dependency, folder))
  }
  for (const folder of folders) walk(realpathSync(folder))
  const all = [...seen.values()].filter(({ name }) => !name.startsWith('@postern/'))
  return all.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}

/** @returns Those whose license requires more than attribution. */
export function unwanted(licences) {
  return licences.filter(({ license }) => !welcome.has(license))
}
