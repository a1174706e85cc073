// `npm start`, `npm test` and `npm run test:long`. Plain JavaScript without dependencies: it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { openSlots } from './slots.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const shell = process.platform === 'win32'
const env = { ...process.env, DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1' }

const say = (text) => console.log(`postern: ${text}`)

/** The workspace's own tools go first, so that `node` is the pinned one for turbo, tsc and tap as well. */
function preferWorkspaceTools() {
  env.PATH = [bin, ...env.PATH.split(delimiter).filter((folder) => folder !== bin)].join(delimiter)
}

/** Makes `pnpm` callable: the workspace's, one that is installed, or (first run) the pinned one through npx. */
function providePnpm() {
  if (spawnSync('pnpm', ['--version'], { cwd: root, env, shell }).status === 0) return
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  say(`fetching ${packageManager}`)
  const npx = spawnSync('npx', ['-y', '-p', packageManager, '--', 'node', '-p', 'process.env.PATH'], {
    cwd: root,
    env,
    shell,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit']
  })
  if (npx.status !== 0) throw new Error(`npx could not fetch ${packageManager}`)
  env.PATH = npx.stdout.trim()
}

function install() {
  preferWorkspaceTools()
  providePnpm()
  preferWorkspaceTools()
  say('installing (the first time this takes about half a minute)')
  run('pnpm', ['install', '--reporter=append-only', '--loglevel=warn'])
}

/** Runs one command to its end; a failure ends this process with the same code. */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, env, shell, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function start() {
  say('building')
  run('turbo', ['run', 'build', '--output-logs=errors-only', '--filter=demo...'])
  say('starting the demo')
  const demo = spawn('node', ['dist/main.js'], {
    cwd: join(root, 'examples/demo'),
    env,
    shell,
    stdio: 'inherit'
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => demo.kill(signal))
  // npm does not pass a SIGTERM on: when our parent is gone, the demo goes too.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || demo.kill(), 250).unref()
  demo.on('exit', (code) => process.exit(code ?? 0))
}

/** Runs a task of every package that has it. @returns The packages that it ran in, those that broke, and what they said. */
async function runTests(name, args, more = {}) {
  const packages = new Map()
  const broken = new Set()
  const read = (line) => {
    const said = /^(\S+?):([\w:]+): (.*)$/.exec(line)
    if (said) {
      const [, owner, of, text] = said
      if (of === name && !packages.has(owner)) packages.set(owner, [])
      if (of === name) packages.get(owner).push(text)
    }
    const failed = /^Failed:\s+(.*)$/.exec(line)
    if (failed) for (const one of failed[1].split(', ')) broken.add(one)
  }
  // A file waits now and then: with one more than there are cores, all of them are busy. All packages ask for slots at once,
  // so that the longest of them does not begin last.
  const slots = await openSlots(availableParallelism() + 1)
  const options = ['--continue=always', '--log-order=stream', '--concurrency=16']
  const turbo = spawn('turbo', ['run', name, ...options, ...args], {
    cwd: root,
    env: { CI: '1', ...env, ...more, POSTERN_SLOTS: String(slots.port) },
    shell,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let rest = ''
  turbo.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text)
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) read(stripVTControlCharacters(line))
  })
  return new Promise((resolve) => {
    turbo.on('close', (code) => {
      slots.close()
      resolve({ name, packages, broken, code })
    })
  })
}

/** What each test file of a run did: every package keeps that in `.tap/summary.json`. */
function getFiles({ name, packages }) {
  const folders = ['packages', 'examples'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((folder) => join(root, parent, folder))
  )
  return [...folders, join(root, 'docs')].flatMap((folder) => {
    const summary = join(folder, '.tap/summary.json')
    if (!existsSync(summary)) return []
    const owner = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name
    if (!packages.has(owner)) return []
    const results = JSON.parse(readFileSync(summary, 'utf8'))
    return results.map((file) => ({ ...file, name: `${owner}: ${file.name}`, task: `${owner}#${name}` }))
  })
}

/** A task that broke before it could test anything, or after: it did not compile, it crashed. */
function getBreaks({ name, packages, broken, code }, files) {
  const failing = new Set(files.filter(({ failures }) => failures.length > 0).map(({ task }) => task))
  const tasks = [...broken].filter((task) => !failing.has(task))
  if (code !== 0 && broken.size === 0) tasks.push(`turbo run ${name}`)
  return tasks.map((task) => ({ name: task, output: (packages.get(task.split('#')[0]) ?? []).slice(-40).join('\n') }))
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

/** The end of the output: the slowest files, what was skipped and why, what failed, and the totals. */
function summarize(files, breaks) {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10)
  console.log(`\nslowest of ${files.length} files:`)
  for (const { name, seconds } of slowest) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${name}`)
  const skipped = files.flatMap((file) => file.skipped)
  if (skipped.length > 0) console.log(`\n${skipped.length} skipped:`)
  for (const why of new Set(skipped.map(({ reason }) => reason)))
    console.log(`  ${skipped.filter(({ reason }) => reason === why).length}: ${why}`)
  const failing = files.filter(({ failures }) => failures.length > 0)
  for (const { name, output } of [...failing, ...breaks]) console.log(`\nFAILED ${name}\n${output}`)
  const passed = sum(files.map((file) => file.passed))
  const failed = sum(failing.map(({ failures }) => failures.length)) + breaks.length
  console.log(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  process.exit(failed === 0 && passed > 0 ? 0 : 1)
}

async function test(args) {
  say('building and testing every package')
  const run = await runTests('test', args)
  const files = getFiles(run)
  summarize(files, getBreaks(run, files))
}

async function testLong(args) {
  say('repeating what npm test does a few times')
  const repeated = await runTests('test:long', args, { POSTERN_LONG: env.POSTERN_LONG || '1' })
  const files = getFiles(repeated)
  say('testing in several processes, on PostgreSQL and Redis')
  const clustered = await runTests('test:cluster', args, { POSTERN_CLUSTER: '1', POSTERN_REQUIRE_ALL: '1' })
  const others = getFiles(clustered)
  summarize([...files, ...others], [...getBreaks(repeated, files), ...getBreaks(clustered, others)])
}

const [task, ...args] = process.argv.slice(2)
const tasks = { start, test, 'test:long': testLong }
if (!tasks[task]) throw new Error(`expected one of ${Object.keys(tasks).join(', ')}, got ${task}`)
install()
tasks[task](args)
