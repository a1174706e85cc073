import t from 'tap'
import type { Adapter, AdapterCall } from '../../src/adapter/adapter.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'

const expires = new Date(1_700_000_000_000)
const user = { id: '1', email: null, emailVerified: null, name: null, image: null }
const session = { sessionToken: 'token', userId: user.id, expires }
const createUser: AdapterCall = { method: 'createUser', args: [user] }
const createSession: AdapterCall = { method: 'createSession', args: [session] }
const firstSignIn = [createUser, createSession]

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** A store whose adapter has these methods, and counts transactions. */
function setUp(transact: NonNullable<Adapter['transact']>, rows: Partial<Adapter> = {}) {
  let count = 0
  const adapter: Adapter = {
    getUser: () => null,
    getSessionAndUser: () => null,
    createSession: (row) => row,
    transact: async (calls) => {
      count += 1
      return transact(calls)
    },
    ...rows
  }
  const store = wrapAdapter(adapter, logger, { isDebugging: false, timeout: 20 })
  return { run: async (calls: readonly AdapterCall[]) => store.transact?.(calls), count: () => count }
}

const fail = async (): Promise<never> => {
  throw new Error('the connection was lost')
}
const hang = (): Promise<never> => new Promise(() => undefined)
const found: Partial<Adapter> = { getSessionAndUser: () => ({ session, user }), getUser: () => user }
const unavailable = { code: 'StoreUnavailable' }

t.test('the result of the adapter is the outcome', async (t) => {
  t.same(await setUp(() => true).run(firstSignIn), { kind: 'committed' })
  t.same(await setUp(() => false).run(firstSignIn), { kind: 'aborted', reason: null })
})

t.test('after a failure, a row of the transaction shows that it was committed', async (t) => {
  for (const transact of [fail, hang]) {
    const { run, count } = setUp(transact, found)
    for (const calls of [firstSignIn, [createUser]]) t.same(await run(calls), { kind: 'committed' })
    t.equal(count(), 2, 'the calls are not repeated')
  }
})

t.test(
  'after a failure without such a row, the transaction is aborted; after a timeout, the outcome is unknown',
  async (t) => {
    for (const rows of [{}, { getUser: fail, getSessionAndUser: fail }]) {
      t.match(await setUp(fail, rows).run(firstSignIn), { kind: 'aborted', reason: unavailable })
      t.match(await setUp(hang, rows).run(firstSignIn), { kind: 'unknown', reason: unavailable })
    }
    const update: AdapterCall = { method: 'updateUser', args: [user] }
    t.match(await setUp(fail, found).run([update]), { kind: 'aborted' }, 'the row of an update may be older')
  }
)

t.test('a new session alone needs no transaction, and nothing needs no call', async (t) => {
  const { run, count } = setUp(fail)
  t.same(await run([createSession]), { kind: 'committed' })
  t.same(await run([]), { kind: 'committed' })
  t.equal(count(), 0)
  t.match(await setUp(fail, { createSession: hang }).run([createSession]), { kind: 'unknown' })
  t.same(await setUp(fail, { createSession: hang, ...found }).run([createSession]), { kind: 'committed' })
})
