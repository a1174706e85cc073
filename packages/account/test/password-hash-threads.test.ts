import { spawnSync } from 'node:child_process'
import { scryptSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { type HashCall, HashThreads } from '../src/password/hash-threads.ts'

/** A hash that takes no time, or some. */
const createCall = (N: number = 2): HashCall => ({
  module: 'node:crypto',
  name: 'scryptSync',
  args: ['password', 'salt', 32, { N, r: 8, p: 1, maxmem: 2 ** 30 }]
})
const expected = scryptSync('password', 'salt', 32, { N: 2, r: 8, p: 1 })

/** Collects the threads that start during a test. */
function collectWorkers(t: { teardown(work: () => unknown): unknown }): readonly Worker[] {
  const started: Worker[] = []
  const collect = (worker: Worker): void => void started.push(worker)
  process.on('worker', collect)
  t.teardown(async () => {
    process.off('worker', collect)
    await Promise.all(started.map((worker) => worker.terminate()))
  })
  return started
}

/** The priority of each thread of this process, as `nice` shows it: 0 is the default, 19 the lowest. */
const readThreadPriorities = (): ReadonlyMap<number, number> =>
  new Map(
    readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
      // The name in parentheses, the second field, may contain spaces. The priority is the 19th.
      return [Number(id), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])]
    })
  )

t.test(
  'a thread that hashes has a lower priority than the event loop',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const workers = collectWorkers(t)
    const before = readThreadPriorities()
    const own = getPriority()
    t.equal(before.get(process.pid), own)
    t.same(await new HashThreads().run(createCall()), expected)
    t.equal(workers.length, 1)
    const started = Array.from(readThreadPriorities()).filter(([id]) => !before.has(id))
    t.ok(
      started.some(([, priority]) => priority === Math.min(19, own + 10)),
      JSON.stringify(started)
    )
    t.equal(readThreadPriorities().get(process.pid), own, 'that of the main thread is the same')
    for (const [id, priority] of before)
      t.equal(readThreadPriorities().get(id) ?? priority, priority, 'as are all others')
  }
)

t.test('a thread starts for the first hash, and for hashes at the same time, and computes later ones', async (t) => {
  const workers = collectWorkers(t)
  const threads = new HashThreads()
  t.equal(workers.length, 0)
  for (const count of [1, 3, 2, 3])
    t.same(
      await Promise.all(Array.from({ length: count }, () => threads.run(createCall()))),
      Array(count).fill(expected)
    )
  t.equal(workers.length, 3)
})

t.test('a hash that fails is rejected with its error, and the thread continues', async (t) => {
  const workers = collectWorkers(t)
  const threads = new HashThreads()
  await t.rejects(threads.run(createCall(3)), RangeError)
  await t.rejects(threads.run({ ...createCall(), module: 'node:no-such-module' }), { message: /no-such-module/ })
  t.same(await threads.run(createCall()), expected)
  t.equal(workers.length, 1)
})

/** A call of a module with this text. */
const createModuleCall = (text: string): HashCall => ({
  ...{ module: `data:text/javascript,${encodeURIComponent(text)}`, name: 'derive', args: [] }
})

t.test('a thread that ends rejects its hash, and is replaced', async (t) => {
  const workers = collectWorkers(t)
  const threads = new HashThreads()
  await t.rejects(threads.run(createModuleCall('process.exit(3)')), {
    message: 'password: the thread that computed a hash ended with code 3'
  })
  const thrown = "setImmediate(() => { throw new Error('outside of the hash') }); await new Promise(() => undefined)"
  await t.rejects(threads.run(createModuleCall(thrown)), { message: 'outside of the hash' })
  t.same(await threads.run(createCall()), expected)
  t.equal(workers.length, 3)
})

t.test('a thread that ends between two hashes is replaced', async (t) => {
  const workers = collectWorkers(t)
  const threads = new HashThreads()
  t.same(await threads.run(createCall()), expected)
  await workers[0]?.terminate()
  t.same(await threads.run(createCall()), expected)
  t.equal(workers.length, 2)
})

t.test('a thread does not have the environment of the process', async (t) => {
  collectWorkers(t)
  const key = await new HashThreads().run(
    createModuleCall('export const derive = () => [Object.keys(process.env).length]')
  )
  t.same(key, Buffer.of(0))
})

/** Runs a program that imports the threads in a process of its own. */
function runProcess(program: string) {
  const url = new URL('../src/password/hash-threads.js', import.meta.url)
  const text = `import { hashThreads } from '${url}'\nconst call = ${JSON.stringify(createCall(2 ** 14))}\n${program}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8', timeout: 60_000 })
}

t.test('a process waits for its hashes, and not for idle threads', async (t) => {
  const run = runProcess('hashThreads.run(call).then((key) => console.log(key.length))')
  t.match(run, { status: 0, signal: null, stdout: '32\n', stderr: '' })
})

t.test('process.exit() does not wait for the hashes that were requested', async (t) => {
  const run = runProcess('hashThreads.run(call)\nhashThreads.run(call)\nprocess.exit(7)')
  t.match(run, { status: 7, signal: null, stdout: '', stderr: '' })
})
