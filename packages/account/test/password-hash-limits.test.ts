import { availableParallelism } from 'node:os'
import t from 'tap'
import { getHashLimits, getHashQueues, type HashClient, HashQueue } from '../src/password/hash-queue.ts'
import { createPasswordHasher } from '../src/password/password-hasher.ts'

const mebibyte = 1024 * 1024
const argon2 = { bytesPerHash: 19 * mebibyte }

/** A client without an address. */
const anyone = { client: null, clientsBehindIp: 1 }

t.test('hashes leave a processor to the event loop, and fit into memory', async (t) => {
  for (const [processors, hashes] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [16, 13],
    [64, 13]
  ] as const)
    for (const threads of [1, 4, 128])
      t.equal(getHashLimits({ ...argon2, threads, processors }).hashes, hashes, `${processors} processors`)
  t.equal(getHashLimits({ threads: 16, processors: 16, bytesPerHash: 128 * mebibyte }).hashes, 2)
  t.equal(getHashLimits({ threads: 16, processors: 16, bytesPerHash: 512 * mebibyte }).hashes, 1)
})

t.test(
  'comparisons of the application leave a processor to the event loop, and two threads to DNS and files',
  async (t) => {
    for (const [threads, processors, comparisons] of [
      [4, 1, 1],
      [4, 2, 1],
      [4, 3, 2],
      [4, 16, 2],
      [8, 4, 3],
      [8, 16, 6],
      [1, 16, 1]
    ] as const)
      t.equal(
        getHashLimits({ ...argon2, threads, processors }).comparisons,
        comparisons,
        `${threads} threads, ${processors} processors`
      )
  }
)

t.test('a queue that is restricted completes what runs, and then runs fewer at once', async (t) => {
  const queue = new HashQueue(2, 10)
  const ends: (() => void)[] = []
  let running = 0
  const work = async (): Promise<void> => {
    running++
    await new Promise<void>((resolve) => void ends.push(resolve))
    running--
  }
  const all = Array.from({ length: 5 }, () => queue.run(work, anyone))
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

/** Requests hashes of a client that do not end. @returns How many are accepted. */
async function countAccepted(queue: HashQueue, count: number, client: HashClient): Promise<number> {
  let refused = 0
  const endless = (): Promise<never> => new Promise(() => undefined)
  for (let index = 0; index < count; index++) queue.run(endless, client).catch(() => refused++)
  await new Promise((resolve) => setImmediate(resolve))
  return count - refused
}

t.test('attack: one client has a quarter of the places that wait, and delays others by no more', async (t) => {
  const queue = new HashQueue(1, 32)
  const address = (client: string): HashClient => ({ client, clientsBehindIp: 1 })
  t.equal(await countAccepted(queue, 1, anyone), 1, 'the one that is computed')
  t.equal(await countAccepted(queue, 50, address('203.0.113.1')), 8)
  t.equal(await countAccepted(queue, 50, address('::ffff:203.0.113.1')), 0, 'the same address')
  t.equal(await countAccepted(queue, 5, address('203.0.113.2')), 5, 'another client')
  t.equal(await countAccepted(queue, 7, address('2001:db8:1:2::1')), 7)
  t.equal(await countAccepted(queue, 7, address('2001:db8:1:2::2')), 1, 'the same subscriber')
  t.equal(await countAccepted(queue, 50, anyone), 11, 'the rest')
})

t.test('clients without an address, and those behind a proxy, have all places', async (t) => {
  const behindProxy = { client: '10.0.0.1', clientsBehindIp: 50 }
  for (const client of [anyone, behindProxy])
    t.equal(await countAccepted(new HashQueue(1, 32), 50, client), 33, JSON.stringify(client))
})

t.test('a client that was refused may wait when its earlier hashes have been computed', async (t) => {
  const queue = new HashQueue(1, 4)
  const client = { client: '203.0.113.1', clientsBehindIp: 1 }
  const ends: (() => void)[] = []
  const work = (): Promise<void> => new Promise((resolve) => void ends.push(resolve))
  const accepted = [queue.run(work, client), queue.run(work, client)]
  await t.rejects(queue.run(work, client), { code: 'StoreUnavailable', retryAfter: 2 })
  const completeNext = async (): Promise<void> => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await completeNext()
  accepted.push(queue.run(work, client))
  await completeNext()
  await completeNext()
  await Promise.all(accepted)
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
    Array.from({ length: 8 }, () => hasher.compare({ normalized: 'one', typed: 'one' }, 'imported', anyone))
  )
  for (let left = compared.length; left > 0; left--) {
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve))
    ends.shift()?.()
  }
  await Promise.all(compared)
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
  const expected = getHashLimits({ ...argon2, threads, processors: availableParallelism() })
  t.equal(counts.most, expected.comparisons)
  const { hashes } = getHashQueues(argon2)
  const hashing = { running: 0, most: 0 }
  const work = async (): Promise<void> => {
    hashing.most = Math.max(hashing.most, ++hashing.running)
    await new Promise((resolve) => setImmediate(resolve))
    hashing.running--
  }
  await Promise.all(Array.from({ length: 16 }, () => hashes.run(work, anyone)))
  t.equal(hashing.most, expected.hashes)
})
