import { mysqlAdapter } from '@postern/adapters/mysql'
import { withPosternTables } from '@postern/adapters/postern-tables'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { type Adapter, type AdapterCall, exactLookup } from '@postern/core'
import { times } from '@postern/testkit/long'
import t from 'tap'
import type { requiredMethods } from '../src/contract/case.ts'
import { newAccount, newEvent, newEvidence, newFactor, newRecord, newSession, newUser } from '../src/contract/data.ts'
import { testAdapter } from '../src/contract/index.ts'
import { memoryAdapter } from '../src/memory/index.ts'
import { createTestDatabase as newMysql } from './drizzle/mysql/databases.ts'
import { createTestDatabase as newPostgres } from './drizzle/postgres/databases.ts'
import { mysql, postgres, withServer } from './servers.ts'
import { openOnce, suitesAt } from './suites.ts'

type Fourteen = Required<Pick<Adapter, (typeof requiredMethods)[number]>> & Pick<Adapter, 'close'>

/** An adapter as other libraries have it. */
function onlyFourteen(adapter: Required<Adapter>): Fourteen {
  const { createUser, getUser, getUserByEmail, getUserByAccount, updateUser, deleteUser, linkAccount, ...rest } =
    adapter
  const { unlinkAccount, createSession, getSessionAndUser, updateSession, deleteSession, ...others } = rest
  const { createVerificationToken, useVerificationToken, close } = others
  return {
    ...{ createUser, getUser, getUserByEmail, getUserByAccount, updateUser, deleteUser, linkAccount, unlinkAccount },
    ...{ createSession: (session) => createSession(session), getSessionAndUser, updateSession, deleteSession },
    ...{ createVerificationToken, useVerificationToken, close }
  }
}

const shared = { sharedTables: true } as const

await t.test('fourteen methods in memory, and tables in SQLite', async (t) => {
  const open = () => withPosternTables(onlyFourteen(memoryAdapter()), sqliteAdapter({ file: ':memory:' }))
  await testAdapter(suitesAt(t, 0, 3), open, { expired: 'by the store' })
})

await t.test('fourteen methods and tables in one file of SQLite', async (t) => {
  let files = 0
  const directory = t.testdir({})
  await testAdapter(suitesAt(t, 1, 3), () => {
    const file = `${directory}/${files++}.db`
    return withPosternTables(onlyFourteen(sqliteAdapter({ file })), sqliteAdapter({ file }), shared)
  })
})

await t.test('all methods of both', async (t) => {
  await testAdapter(suitesAt(t, 2, 3), () => withPosternTables(memoryAdapter(), memoryAdapter()), { callers: 10 })
})

await withServer(postgres, async (t) => {
  const { url } = await newPostgres(t)
  const open = openOnce(t, () =>
    withPosternTables(onlyFourteen(postgresAdapter({ url, max: 5 })), postgresAdapter({ url, max: 5 }), shared)
  )
  await testAdapter(suitesAt(t, 0, 3), open, { nul: 'refused', callers: times(6, 20) })
})

await withServer(mysql, async (t) => {
  const { url } = await newMysql(t)
  const open = openOnce(t, () =>
    withPosternTables(onlyFourteen(mysqlAdapter({ url, max: 5 })), mysqlAdapter({ url, max: 5 }), shared)
  )
  await testAdapter(suitesAt(t, 1, 3), open, { keyLength: 255, callers: times(6, 20) })
})

t.test('each method comes from the adapter with its tables', async (t) => {
  const [otherAdapter, posternTables] = [memoryAdapter(), memoryAdapter()]
  const adapter = withPosternTables(otherAdapter, posternTables)
  t.notOk('transact' in adapter)
  const user = await adapter.createUser(newUser())
  const [account, session] = [{ ...newAccount(), userId: user.id }, newSession(user.id)]
  await adapter.linkAccount(account)
  await adapter.createSession(session, newRecord(user.id, { sessionToken: session.sessionToken }))
  await adapter.putAccountEvidence(newEvidence(account))
  await adapter.createFactor(newFactor(user.id))
  await adapter.addEvents([newEvent()])
  t.equal((await otherAdapter.getUserByAccount(account))?.id, user.id)
  t.equal(await posternTables.getUser(user.id), null)
  for (const [store, count] of [
    [otherAdapter, 0],
    [posternTables, 1]
  ] as const) {
    t.equal((await store.getSessionRecords({ userId: user.id })).length, count)
    t.equal((await store.getAccountEvidence(user.id)).length, count)
    t.equal((await store.listFactors(user.id)).length, count)
    t.equal((await store.listEvents({ limit: 10 })).length, count)
  }
  await adapter.deleteSession(session.sessionToken)
  await adapter.unlinkAccount(account)
  t.strictSame(await posternTables.getSessionRecords({ userId: user.id }), [], 'the record is deleted with its session')
  t.strictSame(await posternTables.getAccountEvidence(user.id), [], 'the evidence is deleted with its account')
})

t.test('an adapter of fourteen methods lists and ends sessions and accounts in tables of both', async (t) => {
  const file = `${t.testdir({})}/app.db`
  const [other, tables] = [sqliteAdapter({ file }), sqliteAdapter({ file })]
  const adapter = withPosternTables(onlyFourteen(other), tables, shared)
  t.teardown(() => adapter.close())
  const { id } = await adapter.createUser(newUser())
  const account = { ...newAccount(), userId: id }
  await adapter.linkAccount(account)
  t.match(await adapter.getAccounts(id), [{ providerAccountId: account.providerAccountId, userId: id }])
  await adapter.updateAccount({ ...account, access_token: 'new' })
  t.match(await other.getAccounts(id), [{ access_token: 'new' }])
  const [one, two] = [newSession(id), newSession(id)]
  for (const session of [one, two])
    await adapter.createSession(session, newRecord(id, { sessionToken: session.sessionToken }))
  t.equal((await adapter.listSessions(id)).length, 2)
  await adapter.deleteSessions(id, one.sessionToken)
  t.ok(await adapter.getSessionAndUser(one.sessionToken))
  t.equal(await adapter.getSessionAndUser(two.sessionToken), null)
  t.match(await adapter.getSessionRecords({ userId: id }), [{ sessionToken: one.sessionToken }])
  const whole = withPosternTables(memoryAdapter(), memoryAdapter(), shared)
  const user = await whole.createUser(newUser())
  t.strictSame(await whole.listSessions(user.id), [], 'an adapter that has the methods keeps them')
})

t.test('names of other tables are found at the first row, which is not kept', async (t) => {
  const file = `${t.testdir({})}/app.db`
  const other = sqliteAdapter({ file })
  const { id } = await other.createUser(newUser())
  for (const tables of [{ sessions: 'Sessions' }, { accounts: 'Accounts' }]) {
    const adapter = withPosternTables(onlyFourteen(other), sqliteAdapter({ file, tables }), shared)
    const [account, session] = [{ ...newAccount(), userId: id }, newSession(id)]
    const [table] = Object.keys(tables)
    const message = `withPosternTables: sharedTables: posternTables does not find what the adapter wrote; write the name of its table in tables.${table}`
    await t.rejects(
      async () => (table === 'sessions' ? adapter.createSession(session, newRecord(id)) : adapter.linkAccount(account)),
      { name: 'TypeError', message }
    )
    t.equal(await other.getSessionAndUser(session.sessionToken), null)
    t.strictSame(await other.getAccounts(id), [])
    t.strictSame(await adapter.getSessionRecords({ userId: id }), [])
  }
  await other.close()
})

t.test('deleting a user can be repeated after a failure, and never leaves a user without factors', async (t) => {
  const [otherAdapter, posternTables] = [memoryAdapter(), memoryAdapter()]
  let failure: Error | null = new Error('the connection was lost')
  const deleteUser = async (id: string) => {
    if (failure) throw failure
    return posternTables.deleteUser(id)
  }
  const strict = async (id: string) => {
    if (!(await otherAdapter.deleteUser(id))) throw new Error('there is no such user')
  }
  const adapter = withPosternTables({ ...otherAdapter, deleteUser: strict }, { ...posternTables, deleteUser })
  const { id } = await adapter.createUser(newUser())
  await adapter.createFactor(newFactor(id))
  await t.rejects(async () => adapter.deleteUser(id), failure)
  t.equal(await adapter.getUser(id), null, 'the user is deleted first')
  failure = null
  await adapter.deleteUser(id)
  t.strictSame(await adapter.listFactors(id), [])
})

t.test('a session whose record cannot be written is deleted', async (t) => {
  const [otherAdapter, posternTables] = [memoryAdapter(), memoryAdapter()]
  const failure = new Error('the connection was lost')
  const adapter = withPosternTables(otherAdapter, { ...posternTables, putSessionRecord: () => Promise.reject(failure) })
  const user = await adapter.createUser(newUser())
  const session = newSession(user.id)
  await t.rejects(async () => adapter.createSession(session, newRecord(user.id)), failure)
  t.equal(await adapter.getSessionAndUser(session.sessionToken), null)
})

/** An adapter that counts its users, as an instance of a class. */
class Counting {
  readonly #store = memoryAdapter()
  readonly transact = (_calls: readonly AdapterCall[]): boolean => true

  createUser() {
    return { ...newUser(), id: 7 }
  }
  getUser(id: number) {
    return id === 7 ? this.createUser() : null
  }
  getUserByAccount() {
    return null
  }
  deleteUser(id: number) {
    return this.getUser(id)
  }
  unlinkAccount(key: { provider: string; providerAccountId: string }) {
    return this.#store.unlinkAccount(key)
  }
  createSession() {
    return null
  }
  deleteSession() {
    return null
  }
}

t.test('an instance of a class that counts its users', async (t) => {
  const posternTables = sqliteAdapter({ file: ':memory:' })
  const adapter = withPosternTables(new Counting(), posternTables)
  t.teardown(() => adapter.close())
  t.notOk('transact' in adapter, 'there is no transaction in common')
  t.equal(adapter.createUser().id, 7)
  await adapter.unlinkAccount({ provider: 'github', providerAccountId: '1' })
  await adapter.createFactor(newFactor('7'))
  const deleteUser: unknown = adapter.deleteUser
  if (typeof deleteUser === 'function') await deleteUser(7)
  t.strictSame(await adapter.listFactors('7'), [])
})

t.test('a lookup that is marked as exact stays marked', async (t) => {
  const getUserByAccount = exactLookup(async () => null)
  const adapter = withPosternTables({ ...memoryAdapter(), getUserByAccount }, memoryAdapter())
  t.not(Object.getOwnPropertySymbols(getUserByAccount).length, 0)
  t.strictSame(Object.getOwnPropertySymbols(adapter.getUserByAccount), Object.getOwnPropertySymbols(getUserByAccount))
})

t.test('closing closes both, even if one fails', async (t) => {
  const closed: string[] = []
  const otherAdapter = { ...memoryAdapter(), close: () => Promise.reject(new Error('it is closed')) }
  const posternTables = { ...memoryAdapter(), close: () => void closed.push('ours') }
  await t.rejects(async () => withPosternTables(otherAdapter, posternTables).close(), { message: 'it is closed' })
  t.strictSame(closed, ['ours'])
})

t.test('a value that is not an adapter is refused', async (t) => {
  const good = memoryAdapter()
  const { createTicket, ...without } = good
  const { getUser, ...incomplete } = good
  const combine: (...args: unknown[]) => unknown = (...args) => Reflect.apply(withPosternTables, null, args)
  const cases: readonly [args: readonly unknown[], message: RegExp][] = [
    [[], /withPosternTables\(adapter\): expected an adapter, got nothing/],
    [[null, good], /\(adapter\): .* got null/],
    [[Promise.resolve(good), good], /\(adapter\): .* got a promise; await it/],
    [[incomplete, good], /\(adapter\): .* got one without getUser;/],
    [[good, { file: 'app.db' }], /\(posternTables\): .* got an object/],
    [[good, without], /\(posternTables\): .* got one without createTicket;/],
    [[good, onlyFourteen(good)], /\(posternTables\): .* got one without putSessionRecord,/]
  ]
  t.throws(() => combine(good, { ...good, getAccounts: undefined }, shared), /got one without getAccounts/)
  for (const [args, message] of cases) t.throws(() => combine(...args), { name: 'TypeError', message }, `${message}`)
})
