// The rules of `docs/security.md` and their tests. A rule has an id, such as `link-2`, and the names of its tests begin with it.
// Fails if a rule has no test or no mutation, if a test or a mutation names a rule that the page does not contain, or if the source
// does not contain what a mutation replaces.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutations } from './mutations/all.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @returns {readonly string[]} The ids of a page: in the first column of a table, or at the beginning of a list item. */
export const findRules = (page) => Array.from(page.matchAll(/^(?:\| |- )`([a-z]+-\d+)`/gm), ([, id]) => id)

/** @returns {readonly string[]} The ids with which the names of tests begin. */
export const findTestedRules = (text) => Array.from(text.matchAll(/\btest\(\s*['"`]([a-z]+-\d+): /g), ([, id]) => id)

/** @returns {Map<string, readonly string[]>} The test files of each rule, as paths from the root. */
export function findTests(folder = root) {
  const tests = new Map()
  for (const file of globSync('packages/*/test/**/*.test.{ts,tsx}', { cwd: folder }).sort())
    for (const id of new Set(findTestedRules(readFileSync(join(folder, file), 'utf8'))))
      tests.set(id, [...(tests.get(id) ?? []), file])
  return tests
}

/** @returns {readonly string[]} What is wrong with the rules of a page, their tests and their mutations. */
export function getProblems(rules, tests, mutated) {
  const repeated = rules.filter((id, index) => rules.indexOf(id) !== index)
  const unknown = (ids, what) => ids.filter((id) => !rules.includes(id)).map((id) => `${id}: ${what}`)
  return [
    ...repeated.map((id) => `${id}: two rules have this id`),
    ...rules.filter((id) => !tests.has(id)).map((id) => `${id}: no test has a name that begins with this id`),
    ...rules.filter((id) => !mutated.includes(id)).map((id) => `${id}: no mutation breaks this rule`),
    ...unknown([...tests.keys()], 'a test names this rule, which docs/security.md does not contain'),
    ...unknown([...new Set(mutated)], 'a mutation names this rule, which docs/security.md does not contain')
  ]
}

/** @returns {readonly string[]} The mutations whose text does not occur exactly once in the source. */
export function findStale(folder = root) {
  const isStale = ({ file, find }) => {
    const path = join(folder, 'packages', file)
    return !existsSync(path) || readFileSync(path, 'utf8').split(find).length !== 2
  }
  return mutations.flatMap(({ rule, breaks, also = [], ...first }) =>
    [first, ...also]
      .filter(isStale)
      .map(({ file }) => `${rule}: packages/${file} does not contain what is replaced: ${breaks}`)
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rules = findRules(readFileSync(join(root, 'docs/security.md'), 'utf8'))
  const mutated = mutations.map(({ rule }) => rule)
  const problems = [...getProblems(rules, findTests(), mutated), ...findStale()]
  console.log(`rules: ${rules.length} in docs/security.md, ${mutated.length} mutations`)
  for (const problem of problems) console.log(`rules: ${problem}`)
  process.exit(problems.length === 0 ? 0 : 1)
}
