import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type AuditLogOptions, auditLog } from '@postern/account/audit-log'
import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { type Adapter, createPostern, type EventRecord, type Postern } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { type Clock, createClock } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { beginning, EventReader, type Position } from '../src/audit-log/event-reader.ts'
import { stores } from './stores.ts'

// The timers of background work do not keep the process alive.
const alive = setInterval(() => undefined, 60_000)
t.teardown(() => clearInterval(alive))

function createEvents(times: readonly number[]): readonly EventRecord[] {
  const nothing = { userId: null, sessionId: null, ip: null, userAgent: null, provider: null, requestId: null }
  return times.map((time) => ({ ...nothing, id: randomUUID(), type: 'test', time: new Date(time), data: null }))
}

interface Opened {
  readonly auth: Postern
  readonly flush: () => Promise<void>
  readonly clock: Clock
  readonly logged: readonly (readonly [string, unknown])[]
}

function open(t: Test, adapter: Adapter, options: AuditLogOptions, clock: Clock = createClock()): Opened {
  const logged: [string, unknown][] = []
  const log = (code: string, metadata?: unknown): void => void logged.push([code, metadata])
  const auth = createPostern({
    url: 'https://app.test',
    secret: 'a secret of the tests, 32 characters or more',
    adapter,
    session: { strategy: 'jwt' },
    logger: { error: log, warn: log, debug: () => undefined },
    runtime: { now: clock.now },
    providers: [credentials({ credentials: {}, authorize: () => null })],
    features: [auditLog(options)]
  })
  t.teardown(auth.close)
  return { auth, flush: () => auth.features['audit-log'].flush(), clock, logged }
}

/** A sink, and the ids that it has received. */
function createSink() {
  const calls: (readonly string[])[] = []
  const received: AuditLogOptions['sink'] = (records) => void calls.push(records.map(({ id }) => id))
  return { calls, sink: received, getIds: () => calls.flat() }
}

const getIds = (events: readonly EventRecord[]): readonly string[] => events.map(({ id }) => id)
const minutesAgo = (clock: Clock, minutes: number): number => clock.now() - minutes * 60_000

for (const [name, skip, openStore] of stores)
  t.test(`${name}: the sink receives each event in order, and another process continues`, { skip }, async (t) => {
    const adapter = await openStore(t)
    const clock = createClock()
    const { calls, sink, getIds: getReceived } = createSink()
    const day = 24 * 60
    const gaps = [
      400 * day,
      300 * day,
      300 * day,
      2 * day,
      ...Array.from({ length: isLong ? 1200 : 510 }, (_, at) => 1000 - at / 2)
    ]
    const events = createEvents(gaps.map((minutes) => minutesAgo(clock, minutes + 1)).sort((one, two) => one - two))
    for (let at = 0; at < events.length; at += 500) await adapter.addEvents?.(events.slice(at, at + 500))
    const first = open(t, adapter, { sink }, clock)
    await first.flush()
    t.same([...getReceived()].sort(), [...getIds(events)].sort(), 'each once')
    const times = new Map(events.map(({ id, time }) => [id, time.getTime()]))
    const order = getReceived().map((id) => times.get(id) ?? 0)
    t.ok(
      order.every((time, at) => at === 0 || time >= (order[at - 1] ?? 0)),
      'in order'
    )
    t.ok(calls.every((ids) => ids.length <= 500))
    await first.flush()
    t.equal(getReceived().length, events.length)
    await first.auth.close()
    const [recent] = createEvents([clock.now() - 59_000])
    await adapter.addEvents?.(recent ? [recent] : [])
    const second = open(t, adapter, { sink }, clock)
    await second.flush()
    t.equal(getReceived().length, events.length, 'an event of this minute is not sent yet, and no older one again')
    clock.advance(61)
    await second.flush()
    t.equal(getReceived().at(-1), recent?.id)
    t.equal(getReceived().length, events.length + 1)
  })

t.test('events of one moment, more than one batch, are read once each', async (t) => {
  const { addEvents, listEvents } = memoryAdapter()
  const events = createEvents([...Array.from({ length: 57 }, () => 1000), 999, 1001, 5000])
  await addEvents?.(events)
  const list = async (query: Parameters<NonNullable<typeof listEvents>>[0]) => (await listEvents?.(query)) ?? []
  for (const max of [1, 7, 10, 56, 57, 58, 100]) {
    const reader = new EventReader({ list }, max)
    const read: string[] = []
    let position: Position = beginning
    for (let hasMore = true; hasMore; ) {
      const batch = await reader.readAfter(position, 10_000)
      t.ok(batch.events.length <= max)
      read.push(...getIds(batch.events))
      ;({ position, hasMore } = batch)
    }
    t.same([...read].sort(), [...getIds(events)].sort(), `${max} at once`)
    t.equal(read[0], events[57]?.id)
    t.equal(read.at(-1), events[59]?.id)
  }
})

t.test(
  'a sink that is down loses nothing: it receives each event once it works, and later ones not before',
  async (t) => {
    const adapter = memoryAdapter()
    const { getIds: getReceived, sink } = createSink()
    let isDown = true
    let calls = 0
    const { flush, clock, logged } = open(t, adapter, {
      sink: async (records, call) => {
        calls++
        if (isDown) throw new Error('the other system is down')
        await sink?.(records, call)
      }
    })
    const events = createEvents(Array.from({ length: 700 }, (_, at) => minutesAgo(clock, 1000 - at)))
    for (let at = 0; at < events.length; at += 500) await adapter.addEvents?.(events.slice(at, at + 500))
    const attempts: number[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      const before = calls
      await t.rejects(flush(), { message: 'the other system is down' })
      attempts.push(calls - before)
    }
    const [halved = 0, ...others] = attempts
    t.ok(halved > 5 && halved <= 11, `${halved} calls: 500 are halved to one, and another one is tried`)
    t.same(others, [2, 2, 2])
    isDown = false
    await adapter.addEvents?.(createEvents([minutesAgo(clock, 3)]))
    await flush()
    t.same(getReceived().slice(0, 700), getIds(events))
    t.equal(getReceived().length, 701)
    t.same(logged, [])
  }
)

const isRefused = (ids: ReadonlySet<string>, records: readonly { readonly id: string }[]): boolean =>
  records.some(({ id }) => ids.has(id))

for (const [kind, createError] of [
  ['an error', () => new Error('400')],
  ['a lost connection, as of a firewall', () => Object.assign(new Error('reset'), { code: 'ECONNRESET' })]
] as const)
  t.test(`${kind} for some records: the sink receives all others, in order`, async (t) => {
    for (const [count, refused] of [
      [510, [0, 3, 4, 5, 499, 500]],
      [10, [8]]
    ] as const) {
      const adapter = memoryAdapter()
      const clock = createClock()
      const events = createEvents(Array.from({ length: count }, (_, at) => minutesAgo(clock, 1000 - at)))
      for (let at = 0; at < events.length; at += 500) await adapter.addEvents?.(events.slice(at, at + 500))
      const ids = new Set(refused.map((at) => events[at]?.id ?? ''))
      const received = new Set<string>()
      let calls = 0
      const sink: AuditLogOptions['sink'] = (records) => {
        calls++
        if (isRefused(ids, records)) throw createError()
        for (const { id } of records) received.add(id)
      }
      const { flush, logged } = open(t, adapter, { sink }, clock)
      for (let attempt = 0, isDone = false; !isDone && attempt < 100; attempt++)
        isDone = await flush().then(
          () => true,
          () => false
        )
      const expected = getIds(events).filter((id) => !ids.has(id))
      t.same(
        [...received].filter((id) => id !== expected.at(-1)),
        expected.slice(0, -1)
      )
      t.ok(received.has(expected.at(-1) ?? ''))
      t.match(
        logged,
        [...ids].map((id) => ['AUDIT_LOG_SINK_RECORD_DROPPED', { id, type: 'test' }])
      )
      t.ok(calls < 25 * (refused.length + 1), `${calls} calls`)
    }
  })

t.test('the only record that is due is never skipped: nothing shows that the sink works', async (t) => {
  const adapter = memoryAdapter()
  const { flush, clock, logged } = open(t, adapter, {
    sink: () => {
      throw new Error('400')
    }
  })
  await adapter.addEvents?.(createEvents([minutesAgo(clock, 5)]))
  for (let attempt = 0; attempt < 5; attempt++) await t.rejects(flush(), { message: '400' })
  t.same(logged, [])
})

t.test('two processes do not send at the same time, and send nothing twice', async (t) => {
  const file = join(t.testdir(), 'store.sqlite')
  const clock = createClock()
  let running = 0
  let most = 0
  const received: string[] = []
  const sink: AuditLogOptions['sink'] = async (records) => {
    most = Math.max(most, ++running)
    received.push(...records.map(({ id }) => id))
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  const both = [sqliteAdapter({ file }), sqliteAdapter({ file })].map((adapter) => ({
    adapter,
    ...open(t, adapter, { sink }, clock)
  }))
  t.teardown(() => both.map(({ adapter }) => adapter.close?.()))
  const events = createEvents(Array.from({ length: 2500 }, (_, at) => minutesAgo(clock, 3000 - at)))
  for (let at = 0; at < events.length; at += 500) await both[0]?.adapter.addEvents?.(events.slice(at, at + 500))
  await Promise.all(both.map(({ flush }) => flush()))
  t.equal(most, 1)
  t.same(received, getIds(events))
})

t.test('a process that is killed in a call: the next one sends the same events again', async (t) => {
  const file = join(t.testdir(), 'store.sqlite')
  const adapter = sqliteAdapter({ file })
  const now = Date.now()
  const events = createEvents([now - 300_000, now - 200_000, now - 100_000])
  await adapter.addEvents?.(events)
  const run = async (mode: string): Promise<readonly unknown[]> => {
    const messages: unknown[] = []
    const child: ChildProcess = fork(join(import.meta.dirname, 'audit-log-sink-process.js'), [file, mode], {
      execArgv: [],
      stdio: 'inherit'
    })
    child.on('message', (message) => void messages.push(message))
    await new Promise((resolve) => child.once('exit', resolve))
    return messages
  }
  t.same(await run('kill'), [{ ids: getIds(events) }])
  // As if the 15 s of the lease had passed.
  const database = new Database(file)
  const { changes } = database.prepare('delete from "postern_lock"').run()
  database.close()
  t.equal(changes, 1, 'the killed process held the lease')
  t.same(await run('send'), [{ ids: getIds(events) }, { done: true }])
  t.same(await run('send'), [{ done: true }])
  await adapter.close?.()
})

t.test('a position that cannot be written loses no event', async (t) => {
  const memory = memoryAdapter()
  let fail = false
  const adapter: Adapter = {
    ...memory,
    putTicket: async (ticket, expected) => {
      if (fail && ticket.kind === 'audit-log.sink-position') throw new Error('down')
      return memory.putTicket(ticket, expected)
    }
  }
  const { calls, sink } = createSink()
  const { flush, clock } = open(t, adapter, { sink })
  const sent: string[] = []
  for (let round = 0; round < 6; round++) {
    const [event] = createEvents([clock.now()])
    await adapter.addEvents?.(event ? [event] : [])
    sent.push(event?.id ?? '')
    clock.advance(61)
    fail = round % 2 === 1
    if (fail) await t.rejects(flush())
    else await flush()
  }
  fail = false
  await flush()
  t.same([...new Set(calls.flat())], sent, 'all of them, in order')
  t.ok(
    calls.every((ids) => ids.length <= 2),
    'the ticket has the previous position'
  )
})

t.test('a lost position leads to the oldest event', async (t) => {
  const adapter = memoryAdapter()
  const { calls, sink } = createSink()
  const { flush, clock, auth } = open(t, adapter, { sink })
  const events = createEvents([minutesAgo(clock, 50), minutesAgo(clock, 40)])
  await adapter.addEvents?.(events)
  await flush()
  await auth.close()
  t.ok(await adapter.consumeTicket?.({ kind: 'audit-log.sink-position', id: '%2Fapi%2Fauth' }))
  await open(t, adapter, { sink }, clock).flush()
  t.same(calls, [getIds(events), getIds(events)])
})

t.test('the position does not expire while nothing happens, and no lease is needed', async (t) => {
  const memory = memoryAdapter()
  let leases = 0
  const adapter: Adapter = {
    ...memory,
    withLease: async (name, work) => {
      leases++
      if (!memory.withLease) throw new Error('expected leases')
      return memory.withLease(name, work)
    }
  }
  const { calls, sink } = createSink()
  const { flush, clock, auth } = open(t, adapter, { sink, keepDays: 10 })
  await adapter.addEvents?.(createEvents([minutesAgo(clock, 5)]))
  await flush()
  const before = leases
  for (let minute = 0; minute < 100; minute++) {
    clock.advance(60)
    await flush()
  }
  t.equal(leases, before)
  for (let day = 0; day < 30; day++) {
    clock.advance(86_400)
    await flush()
  }
  await auth.close()
  await open(t, adapter, { sink, keepDays: 10 }, clock).flush()
  t.equal(calls.length, 1, 'the event is not sent again')
})

t.test('a sink that is behind is logged before events are deleted, and when they may be', async (t) => {
  const adapter = memoryAdapter()
  let isDown = false
  const { flush, clock, logged } = open(t, adapter, {
    keepDays: 10,
    sink: () => {
      if (isDown) throw new Error('down')
    }
  })
  await adapter.addEvents?.(createEvents([minutesAgo(clock, 5)]))
  await flush()
  isDown = true
  await adapter.addEvents?.(createEvents([clock.now()]))
  for (let day = 1; day <= 11; day++) {
    clock.advance(86_400)
    await t.rejects(flush())
  }
  const codes = logged.map(([code]) => code)
  t.same(codes, [...Array(5).fill('AUDIT_LOG_SINK_BEHIND'), ...Array(2).fill('AUDIT_LOG_SINK_OVERTAKEN')])
  t.match(logged.at(-1), ['AUDIT_LOG_SINK_OVERTAKEN', { behindSeconds: Number, keepSeconds: 864_000 }])
})

t.test('closing waits for a call of the sink, and begins no other one', async (t) => {
  const adapter = memoryAdapter()
  const order: string[] = []
  let begin = (): void => undefined
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let end = (): void => undefined
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve
  })
  const { flush, clock, auth } = open(t, adapter, {
    sink: async () => {
      order.push('call')
      begin()
      await mayEnd
      order.push('end of the call')
    }
  })
  await adapter.addEvents?.(createEvents(Array.from({ length: 900 }, (_, at) => minutesAgo(clock, 1000 - at))))
  const flushing = flush()
  await hasBegun
  const closing = auth.close().then(() => void order.push('closed'))
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  end()
  await Promise.all([closing, flushing])
  t.same(order, ['call', 'end of the call', 'closed'])
})

t.test('a process that waits for the lease of another one can be closed', async (t) => {
  const memory = memoryAdapter()
  const { calls, sink } = createSink()
  let asked = (): void => undefined
  const hasAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  let free = (): void => undefined
  const isFree = new Promise<void>((resolve) => {
    free = resolve
  })
  const adapter: Adapter = {
    ...memory,
    withLease: async (_, work) => {
      asked()
      await isFree
      return work()
    }
  }
  const { flush, clock, auth } = open(t, adapter, { sink })
  await adapter.addEvents?.(createEvents([minutesAgo(clock, 5)]))
  const flushing = flush()
  await hasAsked
  await auth.close()
  free()
  await flushing
  t.same(calls, [])
})

if (isLong)
  t.test('a sink that hangs is aborted after 10 s, and called again', async (t) => {
    const adapter = memoryAdapter()
    let isHanging = true
    let aborted = false
    const { flush, clock } = open(t, adapter, {
      sink: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        return isHanging ? new Promise(() => undefined) : null
      }
    })
    await adapter.addEvents?.(createEvents([minutesAgo(clock, 5)]))
    await t.rejects(flush(), /did not respond within 10 s/)
    t.ok(aborted)
    isHanging = false
    await flush()
  })
