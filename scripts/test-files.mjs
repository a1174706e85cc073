// Runs the compiled tests of the current package: each file is a program that writes TAP. Runs one process for each core, and
// one more if `scripts/run.mjs` gives out slots to all packages. Small files share a process (`test-together.mjs`).
// Prints a line for each file, and its failures. Writes `.tap/summary.json` for `scripts/run.mjs`.
//   node ../../scripts/test-files.mjs [--long] [--alone] [PATTERN ...]
// With `--alone` each file has a process.
// With `--long` only files that repeat something: those that know `POSTERN_LONG`, directly or by what they import.
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { refresh } from './bundle.mjs'
import { takeSlot } from './slots.mjs'
import { readTap, splitFiles } from './tap.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean' }, alone: { type: 'boolean' } }
})
/** What many files import, tap above all, is compiled once. */
const compiled = fileURLToPath(new URL('../node_modules/.cache/postern-tests', import.meta.url))
const slots = process.env.POSTERN_SLOTS
/** Without it, nothing of a folder `cluster` starts a process. */
const isClustered = Boolean(process.env.POSTERN_CLUSTER)
const minutes = process.env.POSTERN_LONG ? 60 : 12
/** Minutes without output after which a process is stuck. Tests report each assertion when it is made. */
const silentMinutes = process.env.POSTERN_LONG ? 20 : 3
/** Whether this is a part of `npm test` or `npm run test:long`. */
const isWhole = Boolean(slots)
const tapHooks = new URL('tap-hooks.mjs', import.meta.url).href
/** Seconds that the tests of a file have, where it does not say otherwise. */
const patience = process.env.POSTERN_LONG ? '1200' : '600'

/** Whether a compiled file, or one of the package's that it imports, repeats more in the long run. */
function knowsLong(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (text.includes("'@postern/testkit/long'")) return true
  const imported = Array.from(text.matchAll(/from '(\.[^']+)'/g), ([, path]) => join(dirname(file), path))
  return imported.some((path) => knowsLong(path, seen))
}

/**
 * What a test must not do beside others in its process: it changes or measures the process. A file with the comment `@alone` needs
 * the process for another reason, and one with `@first` waits for long: it begins first.
 */
const ofProcess =
  /new Worker\(|node:module|diagnostics_channel|process\.(?:on|once|exit|chdir|memoryUsage|cpuUsage|getActiveResourcesInfo)\b|process\.env(?:\.\w+|\[[^\]]+\]) = |delete process\.env|Object\.prototype|globalThis[.,]|\bgc\(|@(?:alone|first)/
/** Starts other programs and waits for them, or takes long. */
const ofWaiting = /child_process|process\.kill\b|(?<!if \(isLong\)\s*)t\.setTimeout/

/** Which modules match: a compiled file, and those of the package's tests that it imports. */
function findMatches(file, pattern, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return []
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  const imported = Array.from(text.matchAll(/(?:from |import |import\()'(\.[^']+)'/g), ([, path]) =>
    join(dirname(file), path)
  )
  const isUsed = (path) => path.includes('/test/') && (isClustered || !path.includes('/test/cluster/'))
  const others = imported.filter(isUsed).flatMap((path) => findMatches(path, pattern, seen))
  return pattern.test(text) ? [file, ...others] : others
}

/** Whether a file waits for long. */
const isFirst = ([file]) => readFileSync(file, 'utf8').includes('@first')

/** Files of a process: code that the files before have run is compiled already. Forty take about 1.3 GB of memory. */
const maxTogether = 40

/** Shares files out to processes. */
function shareOut(files) {
  const count = Math.ceil(files.length / maxTogether)
  return Array.from({ length: count }, (_, index) => files.filter((_, place) => place % count === index))
}

/**
 * The files of each process. Those that open a browser share it, so do those that wait for other programs, and so do those whose
 * process only an imported module changes: it does the same for each of them.
 */
function group(files) {
  const [alone, inBrowser, waiting, together, changed] = [[], [], [], [], new Map()]
  for (const file of files) {
    const [module, ...others] = values.long || values.alone ? [file] : findMatches(file, ofProcess)
    if (module === file || others.length > 0) alone.push([file])
    else if (module) changed.set(module, [...(changed.get(module) ?? []), file])
    else if (findMatches(file, /playwright|testkit\/chromium/).length > 0) inBrowser.push(file)
    else if (findMatches(file, ofWaiting).length > 0) waiting.push(file)
    else together.push(file)
  }
  const shared = [
    ...shareOut(waiting),
    ...shareOut(inBrowser),
    ...shareOut(together),
    ...[...changed.values()].flatMap(shareOut)
  ]
  // What begins last is short.
  return [...alone.filter(isFirst), ...shared, ...alone.filter((files) => !isFirst(files))]
}

const program = (files) =>
  files.length > 1 ? [fileURLToPath(new URL('test-together.mjs', import.meta.url)), ...files] : files

/**
 * Options of Node. Processes for every core are busy already, so threads that collect garbage beside them only cost time, and a
 * heap that begins small is collected again and again while it grows. Little code runs often enough to repay the slower of the two
 * optimizing compilers, and code that one file no longer needs is needed by the next one. Traces name lines of the sources where
 * someone runs chosen files: for all files, source maps take a tenth of the time.
 */
const nodeOptions = [
  '--single-threaded-gc',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--initial-old-space-size=2000',
  '--invocation-count-for-turbofan=100000',
  '--invocation-count-for-osr=10000',
  '--no-flush-bytecode',
  ...(isWhole ? [] : ['--enable-source-maps'])
]

/** Runs files in one process. @returns Its output, and how it ended. */
function run(files) {
  const child = spawn(process.execPath, [`--import=${tapHooks}`, ...nodeOptions, ...program(files)], {
    env: { TAP_TIMEOUT: patience, NODE_COMPILE_CACHE: compiled, ...process.env, CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const said = { stdout: '', stderr: '' }
  const begun = performance.now()
  let stopped = null
  const stop = (reason) => {
    stopped ??= reason
    child.kill('SIGKILL')
  }
  const whole = setTimeout(() => stop(`it ran for more than ${minutes} minutes`), minutes * 60_000)
  const silence = setTimeout(() => {
    const last = said.stdout.trimEnd().split('\n').at(-1).trim()
    stop(`it was silent for ${silentMinutes} minutes after: ${last}`)
  }, silentMinutes * 60_000)
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text
      silence.refresh()
    })
  }
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(whole)
      clearTimeout(silence)
      const end = stopped ?? (code === 0 ? null : `it ended with ${signal ?? code}`)
      resolve({ ...said, end, seconds: (performance.now() - begun) / 1000 })
    })
  })
}

/** Runs files when their turn has come; files that wait leave their core to others, and take no turn. */
async function runInTurn(files) {
  const giveBack = slots && !isFirst(files) ? await takeSlot(Number(slots)) : () => undefined
  try {
    return await run(files)
  } finally {
    giveBack()
  }
}

/** Keeps the output of a file, and makes a line of the summary of it. */
function report(file, { stdout, stderr, end, seconds }) {
  const kept = join('.tap/test-results', `${file}.tap`)
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, stdout + stderr)
  const { passed, failures, skipped } = readTap(stdout)
  if (failures.length === 0 && passed + skipped.length === 0) failures.push('nothing was tested')
  else if (end && failures.length === 0) failures.push(end)
  const name = file.replace(/^(build\/)?test\//, '').replace(/\.test\.m?js$/, '')
  const result = { name, seconds, passed, skipped, failures }
  const counts = [`${passed} passed`, ...(failures.length > 0 ? [`${failures.length} FAILED`] : [])]
  console.log(`${name}: ${counts.join(', ')}, ${seconds.toFixed(1)} s`)
  if (failures.length > 0) {
    result.output = [...failures, ...stderr.trim().split('\n').slice(-40)].join('\n').trim()
    console.log(result.output)
  }
  return result
}

/** Tests files in one process. @returns The line of the summary of each. */
async function test(files) {
  const { stdout, stderr, end, seconds } = await runInTurn(files)
  if (files.length === 1) return files.map((file) => report(file, { stdout, stderr, end, seconds }))
  const parts = splitFiles(stdout, files, seconds)
  const hasFailed = files.some((file) => readTap(parts.get(file).stdout).failures.length > 0)
  return files.map((file) => {
    const { isLast, ...part } = parts.get(file)
    // How the process ended is about the file that ran then, and about those that did not run.
    return report(file, { ...part, stderr, end: part.stdout === '' || (isLast && !hasFailed) ? end : null })
  })
}

await refresh(fileURLToPath(new URL('..', import.meta.url)))
rmSync('.tap', { recursive: true, force: true })
const patterns = positionals.length > 0 ? positionals : ['build/test/**/*.test.js']
const files = [...new Set(globSync(patterns))].sort().filter((file) => !values.long || knowsLong(file))
const waiting = group(files)
const results = []
const work = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) results.push(...(await test(next)))
}
const atOnce = availableParallelism() + (slots ? 1 : 0)
await Promise.all(Array.from({ length: atOnce }, work))
mkdirSync('.tap', { recursive: true })
writeFileSync('.tap/summary.json', JSON.stringify(results, null, 2))
if (results.length === 0) console.log('no test file was found')
process.exitCode = results.length > 0 && results.every(({ failures }) => failures.length === 0) ? 0 : 1
