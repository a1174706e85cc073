import t from 'tap'
import type { Adapter, AdapterCall } from '../../src/adapter/adapter.ts'
import type { EventRecord } from '../../src/adapter/event-record.ts'
import type { Factor } from '../../src/adapter/factor.ts'
import { createBegin } from '../../src/adapter/transaction.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'
import { encrypt } from './encrypt.ts'

const factor: Factor = {
  type: 'totp',
  id: '1',
  userId: 'ada',
  name: 'Phone',
  data: 'JBSWY3DPEHPK3PXP',
  createdAt: new Date(1_700_000_000_123),
  lastUsedAt: null,
  version: 1
}
const about = { sessionId: null, ip: null, userAgent: null, provider: null, requestId: null, data: null }
const event: EventRecord = { id: '1', time: new Date(1_700_000_000_123), type: 'sign-in', userId: 'ada', ...about }

const unavailable = { code: 'StoreUnavailable' }

/** An adapter for one factor and one event, which does not look at keys. */
function setUp({ secrets = ['a secret'] }: { readonly secrets?: readonly string[] } = {}) {
  const rows: { factor: Factor | null; event: EventRecord | null } = { factor: null, event: null }
  const batches: (readonly AdapterCall[])[] = []
  const warnings: unknown[] = []
  const adapter: Adapter = {
    createFactor: async (row) => {
      rows.factor = row
    },
    getFactor: async () => rows.factor,
    listFactors: async () => (rows.factor ? [rows.factor] : []),
    updateFactor: async (row, version) => {
      if (rows.factor?.version !== version) return false
      rows.factor = { ...row, version: version + 1 }
      return true
    },
    deleteFactor: async () => {
      const isThere = rows.factor !== null
      rows.factor = null
      return isThere
    },
    addEvents: async ([first]) => {
      rows.event = first ?? null
    },
    listEvents: async () => (rows.event ? [rows.event] : []),
    deleteEvents: async () => 1,
    getVerificationToken: async () => null,
    transact: async (calls) => {
      batches.push(calls)
      return true
    }
  }
  const logger = {
    error: () => undefined,
    warn: (code: string, { method }: { method?: unknown }) => void warnings.push([code, method]),
    debug: () => undefined
  }
  const wrap = (methods: Adapter = adapter) => wrapAdapter(methods, logger, { isDebugging: false, timeout: 1000 })
  const open = (all: readonly string[]) => encrypt(wrap(), all)
  const store = open(secrets)
  const { factors, events } = store
  if (!factors || !events) throw new TypeError('expected both stores')
  return { adapter, rows, batches, warnings, wrap, open, store, factors, events }
}

t.test('factors and events are there if the adapter has all of their methods', async (t) => {
  const { adapter, wrap } = setUp()
  for (const name of ['createFactor', 'getFactor', 'listFactors', 'updateFactor', 'deleteFactor'] as const) {
    const store = wrap({ ...adapter, [name]: undefined })
    t.equal(store.factors, null, `no factors without ${name}`)
    t.ok(store.events)
    t.equal(encrypt(store, ['a secret']).factors, null, 'nothing is wrapped')
  }
  for (const name of ['addEvents', 'listEvents', 'deleteEvents'] as const) {
    const store = wrap({ ...adapter, [name]: undefined })
    t.equal(store.events, null, `no events without ${name}`)
    t.ok(store.factors)
  }
})

t.test('storage-1: data of factors is encrypted in the adapter, and different each time', async (t) => {
  const { rows, factors } = setUp()
  await factors.create(factor)
  const first = rows.factor?.data ?? ''
  t.notMatch(first, factor.data)
  t.match(first, /^[\w-]{8}\.eyJ/)
  t.strictSame(await factors.get(factor), factor)
  t.strictSame(await factors.list('ada'), [factor])
  t.equal(await factors.update({ ...factor, name: 'New phone' }, 1), true)
  t.not(rows.factor?.data, first)
  t.strictSame(await factors.get(factor), { ...factor, name: 'New phone', version: 2 })
  t.equal(await factors.update(factor, 1), false)
  t.equal(await factors.delete(factor), true)
  t.equal(await factors.delete(factor), false)
  t.equal(await factors.get(factor), null)
  t.strictSame(await factors.list('ada'), [])
})

t.test('a rotated secret still decrypts; one that is missing makes the store unavailable', async (t) => {
  const { open, factors, rows } = setUp({ secrets: ['an old secret'] })
  await factors.create(factor)
  const rotated = open(['a new secret', 'an old secret']).factors
  t.strictSame(await rotated?.get(factor), factor)
  const without = open(['a new secret']).factors
  const missing = { code: 'StoreUnavailable', cause: { message: /the key of a factor is missing/ } }
  await t.rejects(async () => without?.get(factor), missing)
  await t.rejects(async () => without?.list('ada'), missing)
  const { type, id } = factor
  t.match(await without?.listKeys('ada'), [{ type, id }], 'the key is known anyway')
  t.equal(await rotated?.update(factor, 1), true)
  t.strictSame(await without?.get(factor), { ...factor, version: 2 }, 'an update uses the first secret')
  const [keyId] = rows.factor?.data.split('.') ?? []
  for (const data of [factor.data, '', `${keyId}.`, `${rows.factor?.data}A`, `${keyId}.${factor.data}`]) {
    rows.factor = { ...factor, data }
    await t.rejects(async () => rotated?.get(factor), unavailable, 'data that was changed, or never encrypted')
  }
})

t.test('a transaction encrypts data, and expects the version', async (t) => {
  const { store, batches } = setUp()
  const transaction = createBegin(store, (size) => new Uint8Array(size))?.()
  const { factors, events } = transaction?.store ?? {}
  await factors?.create(factor)
  t.equal(await factors?.update(factor, 1), true)
  t.equal(await factors?.delete(factor), true)
  t.equal(await factors?.delete(factor, true), true)
  await events?.add([event])
  t.strictSame(batches, [], 'nothing is written before')
  t.same(await transaction?.commit(), { kind: 'committed' })
  const [calls = []] = batches
  t.match(calls, [
    { method: 'createFactor', args: [{ ...factor, data: /^[\w-]{8}\.eyJ/ }] },
    { method: 'updateFactor', args: [{ ...factor, data: /^[\w-]{8}\.eyJ/ }, 1] },
    { method: 'deleteFactor', args: [{ type: 'totp', id: '1' }] },
    { method: 'deleteFactor', args: [{ type: 'totp', id: '1' }], isRequired: true },
    { method: 'addEvents', args: [[event]] }
  ])
  t.notOk(calls[2]?.isRequired)
})

t.test('account-2: rows with another key are rejected', async (t) => {
  const { factors, events, warnings } = setUp()
  await factors.create(factor)
  await events.add([event])
  t.equal(await factors.get({ type: 'totp', id: '01' }), null)
  t.equal(await factors.get({ type: 'TOTP', id: '1' }), null)
  t.strictSame(await factors.list('Ada'), [])
  t.strictSame(await factors.list('ada', 'Totp'), [])
  t.strictSame(await factors.listKeys('Ada'), [])
  t.strictSame(await events.list({ userId: 'Ada', limit: 1 }), [])
  t.strictSame(await events.list({ type: 'Sign-in', limit: 1 }), [])
  t.strictSame(
    warnings,
    ['getFactor', 'getFactor', 'listFactors', 'listFactors', 'listFactors', 'listEvents', 'listEvents'].map(
      (method) => ['ADAPTER_INEXACT_MATCH', method]
    )
  )
  t.strictSame(await events.list({ userId: 'ada', type: 'sign-in', limit: 1 }), [event])
  t.strictSame(await events.list({ limit: 1 }), [event])
  t.equal(await events.delete(new Date(), 10), 1)
})

t.test('results of another shape make the store unavailable', async (t) => {
  const { adapter, wrap } = setUp()
  const odd: readonly object[] = [
    { ...factor, userId: null },
    { ...factor, name: undefined },
    { ...factor, data: 1 },
    { ...factor, createdAt: '2031-02-03' },
    { ...factor, lastUsedAt: new Date(Number.NaN) },
    { ...factor, version: '1' }
  ]
  for (const row of odd) {
    const { factors } = wrap(Object.assign({ ...adapter }, { getFactor: () => row, listFactors: () => [row] }))
    await t.rejects(async () => factors?.get(factor), unavailable)
    await t.rejects(async () => factors?.list('ada'), unavailable)
  }
  for (const row of [
    { ...event, time: 1 },
    { ...event, ip: undefined },
    { ...event, type: null }
  ]) {
    const { events } = wrap(Object.assign({ ...adapter }, { listEvents: () => [row] }))
    await t.rejects(async () => events?.list({ limit: 1 }), unavailable)
  }
  const silent = wrap(Object.assign({ ...adapter }, { updateFactor: () => undefined, deleteEvents: () => undefined }))
  await t.rejects(async () => silent.factors?.update(factor, 1), unavailable, 'an update that returns nothing')
  await t.rejects(async () => silent.events?.delete(new Date(), 1), unavailable)
})
