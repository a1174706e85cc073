import { availableParallelism } from 'node:os'
import t from 'tap'
import { getHashLimits, getHashQueues, HashQueue } from '../src/password/hash-queue.ts'
import { createPasswordHasher } from '../src/password/password-hasher.ts'

const mebibyte = 1024 * 1024
const argon2 = { bytesPerHash: 19 * mebibyte, hasLegacy: false }

t.test('hashes leave a processor to the event loop, threads to DNS and files, and fit into memory', async (t) => {
  for (const [threads, processors, hashes] of [
    [4, 1, 1],
    [4, 2, 1],
    [4, 3, 2],
    [4, 16, 2],
    [8, 4, 3],
    [8, 16, 6],
    [1, 16, 1],
    [128, 64, 13]
  ] as const)
    t.equal(
      getHashLimits({ ...argon2, threads, processors }).hashes,
      hashes,
      `${threads} threads, ${processors} processors`
    )
  t.equal(getHashLimits({ threads: 16, processors: 16, bytesPerHash: 128 * mebibyte, hasLegacy: false }).hashes, 2)
  t.equal(getHashLimits({ threads: 16, processors: 16, bytesPerHash: 512 * mebibyte, hasLegacy: false }).hashes, 1)
})

t.test('hashes and comparisons of the application together leave two threads of the pool', async (t) => {
  for (let threads = 4; threads <= 64; threads++)
    for (const processors of [1, 2, 3, 4, 8, 64]) {
      const { hashes, comparisons } = getHashLimits({ ...argon2, threads, processors, hasLegacy: true })
      t.ok(hashes >= 1 && comparisons >= 1, `${threads} threads, ${processors} processors: both run`)
      t.ok(hashes + comparisons <= threads - 2, `${hashes} hashes and ${comparisons} comparisons`)
    }
})

t.test('a queue that is restricted completes what runs, and then runs fewer at once', async (t) => {
  const queue = new HashQueue(2, 10)
  const ends: (() => void)[] = []
  let running = 0
  const work = async (): Promise<void> => {
    running++
    await new Promise<void>((resolve) => void ends.push(resolve))
    running--
  }
  const all = Array.from({ length: 5 }, () => queue.run(work))
  t.equal(running, 2)
  queue.restrict(1)
  queue.restrict(2)
  const seen: number[] = []
  for (let count = 0; count < 5; count++) {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(running)
  }
  t.same(seen, [1, 1, 1, 1, 0])
  await Promise.all(all)
})

t.test('verifyLegacy of all registrations of the process shares one queue', async (t) => {
  const [ends, counts] = [[] as (() => void)[], { running: 0, most: 0 }]
  const verifyLegacy = async (): Promise<boolean> => {
    counts.most = Math.max(counts.most, ++counts.running)
    await new Promise<void>((resolve) => void ends.push(resolve))
    counts.running--
    return true
  }
  const hashers = [
    await createPasswordHasher(verifyLegacy, () => undefined),
    await createPasswordHasher(verifyLegacy, () => undefined)
  ]
  const compared = hashers.flatMap((hasher) =>
    Array.from({ length: 8 }, () => hasher.compare({ normalized: 'one', typed: 'one' }, 'imported'))
  )
  for (let left = compared.length; left > 0; left--) {
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve))
    ends.shift()?.()
  }
  await Promise.all(compared)
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
  const expected = getHashLimits({ ...argon2, threads, processors: availableParallelism(), hasLegacy: true })
  t.equal(counts.most, expected.comparisons)
  const { hashes } = getHashQueues({ ...argon2, hasLegacy: true })
  const hashing = { running: 0, most: 0 }
  const work = async (): Promise<void> => {
    hashing.most = Math.max(hashing.most, ++hashing.running)
    await new Promise((resolve) => setImmediate(resolve))
    hashing.running--
  }
  await Promise.all(Array.from({ length: 16 }, () => hashes.run(work)))
  t.equal(hashing.most, expected.hashes)
})
