import type { AdapterCall, EventRecord, Factor, Ticket } from '@postern/core'
import t from 'tap'
import { performAll } from '../../src/calls.ts'
import { DatabaseError } from '../../src/database-error.ts'
import { createQueryRunner } from '../../src/drizzle/retry.ts'
import { createTransact } from '../../src/drizzle/transact.ts'
import type { Transaction } from '../../src/drizzle/transaction.ts'
import { memoryAdapter } from '../../src/memory/index.ts'
import { adaToken } from './people.ts'
import { firstSignIn, listTables } from './sign-in.ts'

const { runOnce } = createQueryRunner(
  {
    database: 'db',
    isBusy: () => false,
    isBroken: (error) => error instanceof DatabaseError && error.code === 'LOST',
    isDuplicate: () => false,
    toPublic: (error) => new DatabaseError('OTHER', `${error}`)
  },
  async () => undefined
)

const ticket: Ticket = {
  kind: 'reset',
  id: '1',
  userId: null,
  data: 'v1',
  tries: 0,
  expires: new Date(4102444799999),
  dueAt: null
}
const other: Ticket = { ...ticket, id: '2', data: 'v2' }
const consume: AdapterCall = { method: 'consumeTicket', args: [ticket] }
const create: AdapterCall = { method: 'createTicket', args: [other] }

const factor: Factor = {
  type: 'totp',
  id: '1',
  userId: 'ada',
  name: null,
  data: 'v1',
  createdAt: new Date(1700000000123),
  lastUsedAt: null,
  version: 1
}
const update = (data: string, version = 1): AdapterCall => ({
  method: 'updateFactor',
  args: [{ ...factor, data }, version]
})
const about = { userId: null, sessionId: null, ip: null, userAgent: null, provider: null, requestId: null, data: null }
const event: EventRecord = { id: '1', time: new Date(1700000000123), type: 'sign-in', ...about }

/** A store whose first transaction loses its connection while it ends, and what others do before the second one. */
async function losing(between: readonly AdapterCall[]) {
  const store = memoryAdapter()
  await store.createVerificationToken(adaToken)
  await store.createTicket(ticket)
  await store.createFactor(factor)
  const hasEvent = async (id: string) => (await store.listEvents({ limit: 10 })).some((event) => event.id === id)
  let transactions = 0
  const transaction: Transaction<null> = async (work, atEnd) => {
    transactions += 1
    if (transactions > 1) {
      await performAll(store, between)
      return work(null)
    }
    atEnd?.()
    throw new DatabaseError('LOST', 'db: the connection was lost')
  }
  return {
    store,
    transact: createTransact({ runOnce, transaction }, () => store, { ...store, hasEvent })
  }
}

t.test('a transaction that took effect only after it was looked up has taken effect', async (t) => {
  const { store, transact } = await losing(firstSignIn)
  t.equal(await transact(firstSignIn), true)
  t.equal(await listTables(store), 'everything')
})

t.test('a transaction that had no effect runs again', async (t) => {
  const { store, transact } = await losing([])
  t.equal(await transact(firstSignIn), true)
  t.equal(await listTables(store), 'everything')
})

const change = (changeId: string, expected: number | null, version: number): AdapterCall => ({
  method: 'advanceUser',
  args: [{ userId: 'ada', expected, version, changeId, raises: true, until: new Date(4102444799999) }]
})

t.test('a change whose id the row has was made, and is not made again', async (t) => {
  const own = change('own', 0, 1000)
  const { store, transact } = await losing([own])
  t.equal(await transact([own, consume]), true)
  t.equal((await store.getUserVersion('ada'))?.version, 1000)
})

t.test('a change whose version is unchanged is made again', async (t) => {
  for (const expected of [0, null]) {
    const { store, transact } = await losing([])
    t.equal(await transact([change('own', expected, 1000), consume]), true)
    t.equal((await store.getUserVersion('ada'))?.changeId, 'own')
    t.equal(await store.readTicket(ticket), null)
  }
})

t.test('a change that another one followed, or prevented, has an unknown outcome', async (t) => {
  for (const [expected, others] of [
    [0, [change('own', 0, 1000), change('other', 1000, 1001)]],
    [0, [change('other', 0, 900)]],
    [null, [change('other', 0, 1000)]]
  ] as const) {
    const { store, transact } = await losing([])
    await performAll(store, others)
    await t.rejects(transact([change('own', expected, 1000), consume]), { code: 'LOST' })
    t.ok(await store.readTicket(ticket), 'it is not made again')
  }
})

t.test('a change without an expectation is made again if the row has a version below it', async (t) => {
  const { store, transact } = await losing([])
  await performAll(store, [change('earlier', 0, 999)])
  t.equal(await transact([change('own', null, 1000)]), true)
  t.equal((await store.getUserVersion('ada'))?.version, 1000)
})

t.test('a session of a lost transaction that only requires a version shows that it was committed', async (t) => {
  const require: AdapterCall = { method: 'requireUserVersion', args: ['ada', 0] }
  const signIn = [require, ...firstSignIn]
  const { store, transact } = await losing(signIn)
  t.equal(await transact(signIn), true)
  t.equal(await listTables(store), 'everything')
  const later = await losing([...signIn, change('other', 0, 1000)])
  t.equal(await later.transact(signIn), true, 'also if the version has changed since')
})

t.test('a link that another browser used in the meantime is reported as used', async (t) => {
  const { store, transact } = await losing([{ method: 'useVerificationToken', args: [adaToken] }])
  t.equal(await transact(firstSignIn), false)
  t.equal(await listTables(store), '')
})

t.test('a link that no longer exists, with an unknown consumer, is an error', async (t) => {
  const use: AdapterCall = { method: 'useVerificationToken', args: [adaToken] }
  const { transact } = await losing([use])
  await t.rejects(transact([use]), { code: 'LOST' })
})

t.test('a ticket that still exists was not consumed, so the transaction runs again', async (t) => {
  const { store, transact } = await losing([])
  t.equal(await transact([consume]), true)
  t.equal(await store.readTicket(ticket), null)
})

t.test('a ticket that no longer exists, it is unknown which caller consumed it, is an error', async (t) => {
  const { transact } = await losing([consume])
  await t.rejects(transact([consume]), { code: 'LOST' })
})

t.test('a ticket that the lost transaction created shows that it was committed', async (t) => {
  const { store, transact } = await losing([consume, create])
  t.equal(await transact([consume, create]), true)
  t.strictSame(await store.readTicket(other), other)
})

t.test('a ticket with other data was created by another caller', async (t) => {
  const { store, transact } = await losing([consume, { method: 'createTicket', args: [{ ...other, data: 'v3' }] }])
  t.equal(await transact([consume, create]), false)
  t.equal((await store.readTicket(other))?.data, 'v3')
})

t.test('empty data does not show which caller created a ticket', async (t) => {
  const empty: AdapterCall = { method: 'createTicket', args: [{ ...other, data: '' }] }
  const { transact } = await losing([consume, empty])
  await t.rejects(transact([consume, empty]), { code: 'LOST' })
})

t.test('a factor that has the expected version was not updated, so the transaction runs again', async (t) => {
  const { store, transact } = await losing([])
  t.equal(await transact([consume, update('v2')]), true)
  t.equal(await store.readTicket(ticket), null)
  t.strictSame(await store.getFactor(factor), { ...factor, data: 'v2', version: 2 })
})

t.test('a factor with the data of the lost transaction shows that it was committed', async (t) => {
  const { store, transact } = await losing([consume, update('v2')])
  t.equal(await transact([consume, update('v2')]), true)
  t.equal((await store.getFactor(factor))?.version, 2, 'once')
})

t.test('a factor with other data was updated by another caller', async (t) => {
  const { store, transact } = await losing([update('v3')])
  t.equal(await transact([update('v2'), consume]), false)
  t.ok(await store.readTicket(ticket), 'nothing was done')
})

t.test('a factor that has changed twice, or without data, does not show who updated it', async (t) => {
  const twice = await losing([update('v2'), update('v3', 2)])
  await t.rejects(twice.transact([update('v2')]), { code: 'LOST' })
  const empty = await losing([update('')])
  await t.rejects(empty.transact([update('')]), { code: 'LOST' })
  const gone = await losing([{ method: 'deleteFactor', args: [factor] }])
  await t.rejects(gone.transact([update('v2')]), { code: 'LOST' })
})

t.test('a factor that the lost transaction created shows that it was committed', async (t) => {
  const created: AdapterCall = { method: 'createFactor', args: [{ ...factor, id: '2', data: 'v2' }] }
  const { store, transact } = await losing([consume, created])
  t.equal(await transact([consume, created]), true)
  t.equal((await store.listFactors('ada')).length, 2)
})

t.test('a required deletion of a factor that no longer exists is an error, any other runs again', async (t) => {
  const deletion = { method: 'deleteFactor', args: [factor] } as const
  const required = await losing([deletion])
  await t.rejects(required.transact([{ ...deletion, isRequired: true }]), { code: 'LOST' })
  const { transact } = await losing([deletion])
  t.equal(await transact([deletion]), true)
})

t.test('an event of the lost transaction shows that it was committed', async (t) => {
  const added: AdapterCall = { method: 'addEvents', args: [[event]] }
  const { store, transact } = await losing([consume, added])
  t.equal(await transact([consume, added]), true)
  t.strictSame(await store.listEvents({ limit: 10 }), [event])
})
