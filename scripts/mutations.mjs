// Breaks each rule of `docs/security.md` in a copy of the packages, and runs the tests of the rule, which must fail.
//   node scripts/mutations.mjs [--list] [--write] [--jobs N] [RULE ...]
// A rule is an id, such as `link-2`, or the beginning of several, such as `link`. With `--write`, the results are recorded in
// `scripts/mutations/results.md`. The packages have to be built.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { transform } from 'esbuild'
import { bundle, refresh } from './bundle.mjs'
import { findTests } from './check-rules.mjs'
import { mutations } from './mutations/all.mjs'
import { readTap } from './tap.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
/** Seconds for a test, and milliseconds for the process of a test file. */
const testSeconds = 120
const processTimeout = 300_000
const toPackage = (file) => file.split('/')[1]

/** @returns {Promise<{ stdout: string, stderr: string, code: number | null }>} The output of a program. */
function run(command, args, { cwd, env = {} }) {
  const path = `${bin}:${process.env.PATH}`
  const child = spawn(command, args, { cwd, env: { ...process.env, PATH: path, ...env }, timeout: processTimeout })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ stdout, stderr, code })))
}

/** The packages in a folder of their own, so that a mutation never reaches the work tree. */
class Copy {
  #folder = mkdtempSync(join(tmpdir(), 'postern-mutations-'))
  /** What is not built from the current sources: `tests core` or `bundle core`. */
  #stale = new Set()

  constructor() {
    for (const name of ['package.json', 'tsconfig.json', 'pnpm-workspace.yaml', 'scripts', 'docs', 'packages'])
      cpSync(join(root, name), join(this.#folder, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !['build', '.tap', '.turbo'].includes(basename(path))
      })
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'))
    for (const manifest of globSync('packages/*/package.json', { cwd: root }))
      this.#stale.add(`tests ${toPackage(manifest)}`)
  }

  remove() {
    rmSync(this.#folder, { recursive: true })
  }

  refresh() {
    return refresh(this.#folder)
  }

  /** Replaces texts in source files, until the returned function restores them. */
  async mutate({ also = [], ...first }) {
    const originals = new Map()
    const restore = async () => {
      for (const [file, text] of originals) await this.#write(file, text)
    }
    for (const { file, find, replace } of [first, ...also]) {
      const text = readFileSync(join(this.#folder, 'packages', file), 'utf8')
      if (text.split(find).length !== 2) {
        await restore()
        throw new Error(`expected this text once in packages/${file}: ${find}`)
      }
      if (!originals.has(file)) originals.set(file, text)
      this.#write(
        file,
        text.replace(find, () => replace)
      )
    }
    return restore
  }

  /** Writes a source file. The tests of its package get it at once, if they are compiled; compiling all of them takes longer. */
  async #write(file, text) {
    const [name, ...path] = file.split('/')
    writeFileSync(join(this.#folder, 'packages', file), text)
    this.#stale.add(`bundle ${name}`)
    if (this.#stale.has(`tests ${name}`) || file.endsWith('.tsx')) return void this.#stale.add(`tests ${name}`)
    const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node22' })
    const compiled = join(this.#folder, 'packages', name, 'build', ...path).replace(/ts$/, 'js')
    writeFileSync(compiled, code.replaceAll(/(from |import\()"(\.[^"]+)\.tsx?"/g, '$1"$2.js"'))
  }

  /** Builds what the tests of a package import: its own sources and tests, and the bundles. */
  async #build(name) {
    // Tests may also import their own package by its name.
    for (const part of [...this.#stale].filter((part) => part.startsWith('bundle '))) {
      await bundle(join(this.#folder, 'packages', part.slice('bundle '.length)))
      this.#stale.delete(part)
    }
    if (!this.#stale.has(`tests ${name}`)) return
    const args = ['-p', 'tsconfig.test.json', '--singleThreaded', '--noCheck', '--noResolve']
    const { code, stdout } = await run('tsc', args, { cwd: join(this.#folder, 'packages', name) })
    if (code !== 0) throw new Error(`${name} does not compile:\n${stdout}`)
    this.#stale.delete(`tests ${name}`)
  }

  /** Runs the tests of a rule in one file. @returns The test that failed, if any, and whether the file did what it should. */
  async test({ rule, only = '' }, file) {
    const name = toPackage(file)
    await this.#build(name)
    const compiled = file.replace(`packages/${name}/`, 'build/').replace(/tsx?$/, 'js')
    const hooks = new URL('tap-hooks.mjs', import.meta.url).href
    const { stdout, stderr, code } = await run('node', [`--import=${hooks}`, compiled], {
      cwd: join(this.#folder, 'packages', name),
      env: { CI: '1', TAP_TIMEOUT: String(testSeconds), TAP_GREP: `/^${rule}: .*${only}/` }
    })
    const { passed, failures } = readTap(stdout)
    const failed = failures.find((failure) => failure.startsWith(`${rule}: `))
    const said =
      failures[0]?.split('\n')[0] ?? `${stderr.trim().split('\n').at(-1)} (exit code ${code}, ${passed} passed)`
    return { failed: failed?.split('\n')[0].split(' > ')[0] ?? null, passes: code === 0 && passed > 0, said }
  }
}

/** Runs the tests of a rule in one file with a mutation. @returns The mutation with the test that caught it, or why none did. */
async function tryMutation(copy, mutation, file) {
  const restore = await copy.mutate(mutation)
  try {
    const { failed, passes, said } = await copy.test(mutation, file)
    if (failed) return { ...mutation, caughtBy: `${file.replace('packages/', '')}: ${failed}` }
    return { ...mutation, problem: passes ? 'not caught' : `${file} ended before a test failed: ${said}` }
  } finally {
    await restore()
  }
}

/** Tests of these packages take the least time. */
const cheapest = ['core', 'pages', 'adapters', 'fastify']

const getCost = (file) => (cheapest.indexOf(toPackage(file)) + cheapest.length + 1) % (cheapest.length + 1)

/** Tries the mutations of one rule in one file after another, until each is caught. The tests have to pass without them. */
async function tryRule(copy, rule, files) {
  let results = mutations.filter((mutation) => mutation.rule === rule)
  const [{ only }] = results
  for (const file of files.toSorted((one, other) => getCost(one) - getCost(other))) {
    if (results.every(({ caughtBy }) => caughtBy)) break
    const { passes, said } = await copy.test({ rule, only }, file)
    const next = []
    for (const mutation of results) {
      if (mutation.caughtBy) next.push(mutation)
      else if (!passes) next.push({ ...mutation, problem: `${file} fails without a mutation: ${said}` })
      else
        next.push(await tryMutation(copy, mutation, file).catch(({ message }) => ({ ...mutation, problem: message })))
    }
    results = next
  }
  return results.map((result) => ({ problem: 'no test has a name that begins with the rule', ...result }))
}

const toLine = ({ rule, breaks, caughtBy, problem }) =>
  `${caughtBy ? 'caught    ' : 'NOT CAUGHT'} ${rule.padEnd(11)} ${breaks} (${caughtBy ?? problem})`

/** Shares the rules out to workers, each with a copy of the packages. */
async function tryRules(rules, jobs) {
  const tests = findTests()
  const waiting = [...rules]
  const results = []
  const work = async () => {
    const copy = new Copy()
    try {
      await copy.refresh()
      for (let rule = waiting.shift(); rule; rule = waiting.shift()) {
        const tried = await tryRule(copy, rule, tests.get(rule) ?? [])
        for (const result of tried) console.log(toLine(result))
        results.push(...tried)
      }
    } finally {
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results.toSorted((one, other) => mutations.findIndex(isSame(one)) - mutations.findIndex(isSame(other)))
}

const isSame = (one) => (other) => one.rule === other.rule && one.breaks === other.breaks

const resultsFile = join(root, 'scripts/mutations/results.md')

/** A row of the page, whose first two cells identify it. */
function toRow({ rule, breaks, caughtBy, problem }) {
  const toCell = (text) => text.replaceAll('|', '\\|').replaceAll('${', '{')
  const [file, ...name] = (caughtBy ?? '').split(': ')
  const test = caughtBy ? `\`${file}\`: ${name.slice(1).join(': ')}` : `**${problem}**`
  return [`| \`${rule}\` | ${toCell(breaks)} |`, `${toCell(test)} |`]
}

/** The page with the results. The rows of mutations that were not tried stay. */
function toPage(results) {
  const before = existsSync(resultsFile) ? readFileSync(resultsFile, 'utf8').split('\n') : []
  const rows = mutations.flatMap((mutation) => {
    const tried = results.find(isSame(mutation))
    const [key] = toRow(mutation)
    const known = before.find((line) => line.startsWith(key)) ?? []
    return tried ? toRow(tried).join(' ') : known
  })
  return `# Mutations

\`node scripts/mutations.mjs --write\` generates this page. Each row is a change of the source that breaks a rule of
[docs/security.md](../../docs/security.md), and the first test that failed.

| Rule | What is broken | Caught by |
| --- | --- | --- |
${rows.join('\n')}
`
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, write: { type: 'boolean' }, jobs: { type: 'string', default: '1' } }
})
const isChosen = (rule) => positionals.some((chosen) => rule === chosen || rule.startsWith(`${chosen}-`))
const rules = [...new Set(mutations.map(({ rule }) => rule))].filter(
  (rule) => positionals.length === 0 || isChosen(rule)
)
if (values.list) {
  for (const { rule, breaks, file } of mutations) if (rules.includes(rule)) console.log(`${rule} ${breaks} (${file})`)
} else {
  const results = await tryRules(rules, Number(values.jobs))
  const caught = results.filter(({ caughtBy }) => caughtBy).length
  console.log(`${caught} of ${results.length} mutations caught, ${rules.length} rules`)
  if (values.write) writeFileSync(resultsFile, toPage(results))
  process.exitCode = caught === results.length && caught > 0 ? 0 : 1
}
