import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { rateRules } from '../../src/config/defaults.ts'
import { cookieTable } from '../../src/cookies/names.ts'
import type { RateLimiter, RateRule } from '../../src/model/rate-limiter.ts'
import {
  credentialSlots,
  type ExceededLimit,
  mailSlots,
  type Slots,
  takeTurns
} from '../../src/sign-in-methods/turn-queue.ts'
import { keyRing } from '../../src/tokens/keys.ts'

const keys = { turns: keyRing(['a secret of the tests, 32 characters or more'], 'turns') }
const cookies = cookieTable(true, '/api/auth', {})
const { name } = cookies.turns

interface Ask {
  readonly client: string
  /** The cookies of the client. */
  readonly jar?: Map<string, string>
  readonly queues?: readonly string[]
  readonly slots?: Slots
  readonly canWait?: boolean
  readonly app?: string
  readonly window?: number
}

/** Queues at a time in seconds, with a limiter of fixed windows that follow it. */
function createQueues(begins: number = 1_000_000_200) {
  let now = begins
  const counts = new Map<string, { points: number; readonly ends: number }>()
  const find = (key: string, { points, seconds }: RateRule) => {
    const id = `${points}/${seconds} ${key}`
    const known = counts.get(id)
    const current = known && known.ends > now ? known : { points: 0, ends: now + seconds }
    counts.set(id, current)
    return current
  }
  let consumed = 0
  const limiter: RateLimiter = {
    consume: async (key, rule) => {
      consumed++
      const count = find(key, rule)
      count.points++
      return count.points > rule.points ? Math.ceil(count.ends - now) : 0
    },
    refund: async (key, rule) => {
      const count = find(key, rule)
      count.points = Math.max(0, count.points - 1)
    }
  }
  const deps = { cookies, keys, runtime: { now: () => now * 1000 } }
  const ask = async ({
    client,
    jar = new Map(),
    queues = ['vera'],
    slots = credentialSlots,
    canWait = true,
    app = 'app',
    window = 3600
  }: Ask): Promise<number> => {
    const limits = queues.map((key): ExceededLimit => ({ key, rule: { points: 1, seconds: window }, slots, canWait }))
    const request = { client, clientsBehindIp: 1, cookies: new Map(jar) }
    const used = { ...deps, application: { id: app } } as unknown as Parameters<typeof takeTurns>[3]
    const { retryAfter, cookies: set } = await takeTurns(limits, request, limiter, used)
    for (const [key, { value }] of set) jar.set(key, value)
    return retryAfter
  }
  return {
    limiter,
    ask,
    now: () => now,
    consumed: () => consumed,
    advance: (seconds: number) => {
      now += seconds
    },
    /** Asks until it is allowed, as `Retry-After` says. @returns The seconds that it took. */
    wait: async (options: Ask): Promise<number> => {
      const jar = options.jar ?? new Map<string, string>()
      const start = now
      for (let turn = 0; turn < 10; turn++) {
        const seconds = await ask({ ...options, jar })
        if (seconds === 0) return now - start
        now += seconds
      }
      return Number.POSITIVE_INFINITY
    }
  }
}

const getClient = (index: number): string => `10.${index >> 8}.${index & 255}.1`

/** Many clients try for a day, each as soon as it may. @returns The number of allowed events in the worst window. */
async function tryForADay(rule: RateRule, slots: Slots) {
  const { ask, limiter, now, advance } = createQueues()
  const clients = Array.from({ length: 12 }, (_, index) => ({
    client: getClient(index),
    jar: new Map<string, string>(),
    next: 0
  }))
  const allowed: number[] = []
  const begins = now()
  while (now() - begins < 86_400) {
    for (const one of clients) {
      if (one.next > now()) continue
      const isExceeded = (await limiter.consume('vera', rule)) > 0
      const wait = isExceeded ? await ask({ ...one, slots, window: rule.seconds }) : 0
      one.next = now() + wait
      if (wait === 0) allowed.push(now())
    }
    advance(5)
  }
  const inWindow = allowed.map((start) => allowed.filter((time) => time >= start && time < start + 900).length)
  return { count: allowed.length, most: Math.max(...inWindow) }
}

t.test('one account is guessed at most 5520 times a day', async (t) => {
  const { count } = await tryForADay(rateRules.credentialsPerIdentifier, credentialSlots)
  t.ok(count > 4000 && count <= 5520, `${count}`)
})

t.test('one address gets at most 960 mails a day', async (t) => {
  const { count, most } = await tryForADay(rateRules.mailPerIdentifier, mailSlots)
  t.ok(count > 480 && count <= 960, `${count}`)
  t.ok(most <= 15, `${most} in 15 minutes`)
})

t.test('slots that are saved up for later do not add up', async (t) => {
  const { ask, advance } = createQueues()
  const jars = Array.from({ length: 120 }, () => new Map<string, string>())
  await Promise.all(jars.map((jar, index) => ask({ client: getClient(index), jar })))
  let allowed = 0
  // Each waits as long as it can, and uses its slot last.
  for (let slot = 0; slot < 140; slot++) {
    advance(30)
    const usable = jars.slice(Math.max(0, slot - 9), slot + 1)
    for (const [index, jar] of usable.entries())
      if (slot % 10 === 9 && (await ask({ client: getClient(slot - usable.length + 1 + index), jar })) === 0) allowed++
  }
  t.ok(allowed > 100 && allowed <= 140, `${allowed}`)
})

for (const [what, slots] of Object.entries({ credentialSlots, mailSlots }))
  for (const clients of isLong ? [0, 1, 14, 40, 100] : [0, 1, 14, 40])
    t.test(`${clients} clients take every turn: another one waits for at most one more (${what})`, async (t) => {
      const { ask, wait } = createQueues()
      const attack = async () => {
        for (let index = 0; index < clients; index++) await ask({ client: getClient(index), slots })
      }
      for (let turn = 0; turn < 5; turn++) await attack()
      t.ok((await wait({ client: '7.7.7.7', slots })) <= (clients + 1) * slots.seconds)
    })

t.test('clients that poll never get a slot before one that waits', async (t) => {
  const { ask, advance } = createQueues()
  const jars = Array.from({ length: 14 }, () => new Map<string, string>())
  const owner = new Map<string, string>()
  const poll = () => Promise.all(jars.map((jar, index) => ask({ client: getClient(index), jar })))
  await poll()
  const wait = await ask({ client: '7.7.7.7', jar: owner })
  t.ok(wait > 0 && wait <= 15 * 30, `${wait}`)
  for (let left = wait; left > 0; left--) {
    advance(1)
    await poll()
  }
  t.equal(await ask({ client: '7.7.7.7', jar: owner }), 0)
})

t.test('many events at once get one slot each', async (t) => {
  const { ask, advance } = createQueues()
  const counts: number[] = []
  const jars = Array.from({ length: 50 }, () => new Map<string, string>())
  for (let round = 0; round < 60; round++) {
    const waits = await Promise.all(jars.map((jar, index) => ask({ client: getClient(index), jar })))
    counts.push(waits.filter((wait) => wait === 0).length)
    advance(30)
  }
  t.equal(counts[0], 0)
  t.ok(
    counts.slice(1).every((count) => count === 1),
    String(counts)
  )
})

t.test('a client has one reservation, however often it asks, and a network as many as it has points', async (t) => {
  const networks = [
    [1, () => '6.6.6.6'],
    [1, () => '64:ff9b::6.6.6.6'],
    [1, (index: number) => `2001:db8:1:2::${index}`],
    [4, (index: number) => `2001:db8:1:2${index.toString(16).padStart(2, '0')}::1`],
    [16, (index: number) => `2001:db8:1:${(index * 256).toString(16)}::1`]
  ] as const
  for (const [clients, getAddress] of networks) {
    const { ask, wait, advance } = createQueues()
    advance(1)
    for (let index = 0; index < 200; index++) await ask({ client: getAddress(index), jar: new Map() })
    const waited = await wait({ client: '7.7.7.7' })
    t.ok(waited > clients * 30 - 30 && waited <= (clients + 1) * 30, `${getAddress(1)}: ${waited}`)
  }
})

t.test('a slot is used once, also by copies of the cookie, from any address', async (t) => {
  const { ask, advance } = createQueues()
  const jar = new Map<string, string>()
  advance(await ask({ client: '6.6.6.6', jar }))
  const copies = Array.from({ length: 30 }, (_, index) => ask({ client: getClient(index), jar: new Map(jar) }))
  t.equal((await Promise.all(copies)).filter((wait) => wait === 0).length, 1)
})

t.test('a reservation is for one queue of one application', async (t) => {
  for (const [queues, app] of [
    [['mallory'], 'app'],
    [['vera'], 'other']
  ] as const) {
    const { ask, advance } = createQueues()
    const jar = new Map<string, string>()
    const wait = await ask({ client: '6.6.6.6', jar })
    for (let index = 0; index < 30; index++) await ask({ client: getClient(index), queues })
    advance(wait)
    t.not(await ask({ client: '6.6.6.6', jar: new Map(jar), queues, app }), 0)
    t.equal(await ask({ client: '6.6.6.6', jar }), 0)
  }
})

t.test('a damaged cookie is no reservation', async (t) => {
  const { ask, advance } = createQueues()
  const jar = new Map<string, string>()
  advance(await ask({ client: '6.6.6.6', jar }))
  for (const value of ['', 'x', `${jar.get(name)}x`, jar.get(name)?.slice(1) ?? ''])
    t.not(await ask({ client: '6.6.6.6', jar: new Map([[name, value]]) }), 0)
})

t.test('a reservation that was not used in time is replaced, and there is never a second one', async (t) => {
  const { ask, advance, wait } = createQueues()
  const jar = new Map<string, string>()
  advance((await ask({ client: '6.6.6.6', jar })) + credentialSlots.usable * 30)
  for (let index = 0; index < 3; index++) await ask({ client: getClient(index) })
  const copy = new Map(jar)
  t.ok((await ask({ client: '6.6.6.6', jar })) > 0, 'it waits again, behind the others')
  for (let turn = 0; turn < 30; turn++) t.ok((await ask({ client: '6.6.6.6', jar: new Map(copy) })) > 0)
  t.ok((await wait({ client: '7.7.7.7' })) <= 5 * 30, 'the copies have no slots')
})

t.test('a client that lost its cookie waits, but not forever', async (t) => {
  const { ask, advance, wait } = createQueues()
  await ask({ client: '6.6.6.6' })
  t.ok((await ask({ client: '6.6.6.6' })) <= 30)
  advance(15 * 30)
  t.ok((await wait({ client: '6.6.6.6' })) <= 60)
})

t.test('more clients than slots: the others are refused without a search, and are served later', async (t) => {
  const { ask, advance, consumed, wait } = createQueues()
  for (let index = 0; index < 200; index++) await ask({ client: getClient(index) })
  const before = consumed()
  t.equal(await ask({ client: '7.7.7.7' }), 30)
  t.ok(consumed() - before < 5, `${consumed() - before}`)
  advance(30 * 121)
  t.ok((await wait({ client: '7.7.7.7' })) <= 30)
})

t.test('an attempt that is in two queues gets both turns at once, if one is long', async (t) => {
  const { ask, wait } = createQueues()
  for (let index = 0; index < 40; index++) await ask({ client: getClient(index), queues: ['second'] })
  t.ok((await wait({ client: '7.7.7.7', queues: ['first', 'second'] })) <= 41 * 30)
})

t.test('an event that cannot wait takes a free slot, and reserves none', async (t) => {
  const { ask, advance, wait } = createQueues()
  await ask({ client: '6.6.6.6' })
  for (let index = 0; index < 30; index++) t.ok((await ask({ client: getClient(index), canWait: false })) > 0)
  advance(60)
  t.equal(await ask({ client: '5.5.5.5', canWait: false }), 0)
  t.ok((await wait({ client: '7.7.7.7' })) <= 30)
})

t.test('the clock was set back: events still get turns', async (t) => {
  const { ask, advance, wait } = createQueues()
  for (let index = 0; index < 5; index++) await ask({ client: getClient(index) })
  advance(-86_400)
  t.ok((await wait({ client: '7.7.7.7' })) <= 60)
})
