// `npm start` and `npm test`. Plain JavaScript without dependencies: it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

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

/** Reads turbo's log as it passes by and keeps the sum of every package's tap totals. */
function tally() {
  const sum = { pass: 0, fail: 0, skip: 0, todo: 0 }
  const failedInTap = new Set()
  const read = (line) => {
    const total = /^(\S+):test: # (\{ total: .*\})/.exec(line)
    if (total) {
      const [, name, counts] = total
      for (const key of Object.keys(sum)) sum[key] += Number(new RegExp(`\\b${key}: (\\d+)`).exec(counts)?.[1] ?? 0)
      if (/\bfail: [1-9]/.test(counts)) failedInTap.add(`${name}#test`)
    }
    // A task that broke before tap could count (it did not compile, it crashed) is one failure.
    const broken = /^Failed:\s+(.*)$/.exec(line)
    if (broken) sum.fail += broken[1].split(', ').filter((task) => !failedInTap.has(task)).length
  }
  return { sum, read }
}

function test(args) {
  // Each package's tap uses every core already: more packages at once would only wait for each other.
  const atOnce = Math.max(2, Math.ceil(availableParallelism() / 2))
  say('building and testing every package')
  const turbo = spawn(
    'turbo',
    ['run', 'test', '--continue=always', '--log-order=grouped', `--concurrency=${atOnce}`, ...args],
    {
      cwd: root,
      env: { CI: '1', ...env }, // tap's terse reporter draws no progress then
      shell,
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  const { sum, read } = tally()
  let rest = ''
  turbo.stdout.setEncoding('utf8')
  turbo.stdout.on('data', (text) => {
    process.stdout.write(text)
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) read(stripVTControlCharacters(line))
  })
  turbo.on('close', (code) => {
    const skipped = sum.skip + sum.todo
    const failed = sum.fail || (code === 0 ? 0 : 1)
    console.log(`\n${skipped ? `${skipped} skipped\n` : ''}${sum.pass} passed, ${failed} failed`)
    process.exit(failed === 0 && sum.pass > 0 ? 0 : 1)
  })
}

const [task, ...args] = process.argv.slice(2)
const tasks = { start, test }
if (!tasks[task]) throw new Error(`expected one of ${Object.keys(tasks).join(', ')}, got ${task}`)
install()
tasks[task](args)
