import t from 'tap'
import type { Adapter, AdapterAccount, AdapterUser } from '../../src/adapter/adapter.ts'
import type { Store } from '../../src/adapter/store.ts'
import type { Ticket } from '../../src/adapter/ticket.ts'
import { createBegin } from '../../src/adapter/transaction.ts'
import { noUserVersion, type UserAdvance, type UserVersion } from '../../src/adapter/user-version.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'
import { encrypt } from './encrypt.ts'

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined }
const settings = { isDebugging: false, timeout: 1000 }
const until = new Date('2031-02-03T04:05:06.789Z')
const key = { provider: 'github', providerAccountId: '1' }
const account = { ...key, type: 'oauth', userId: 'ada' } as const
const ada: AdapterUser = { id: 'ada', email: 'ada@example.com', emailVerified: null }

const wrap = (adapter: Adapter): Store => wrapAdapter(adapter, silent, settings)

const change = (fields: Partial<UserAdvance> = {}): UserAdvance => ({
  ...{ userId: 'ada', expected: 0, version: 1000, changeId: 'own', raises: true, until },
  ...fields
})

/** A store of one user in this process. */
async function withAda(without: readonly (keyof Adapter)[] = []): Promise<Adapter> {
  const [versions, tickets] = [new Map<string, UserVersion>(), new Map<string, Ticket>()]
  let stored: AdapterAccount = account
  const isAda = (id: unknown): boolean => id === 'ada'
  const isAccount = ({ provider, providerAccountId }: typeof key): boolean =>
    provider === key.provider && providerAccountId === key.providerAccountId
  const putTicket = (ticket: Ticket, expected: Ticket | null): boolean => {
    const isExpected = tickets.get(ticket.id)?.data === expected?.data
    if (isExpected) tickets.set(ticket.id, ticket)
    return isExpected
  }
  const adapter: Adapter = {
    getUser: (id) => (isAda(id) ? ada : null),
    getUserByEmail: (email) => (email === ada.email ? ada : null),
    getUserByAccount: (by) => (isAccount(by) ? ada : null),
    getAccounts: (userId) => (isAda(userId) ? [stored] : []),
    updateAccount: (changes) => {
      stored = { ...stored, ...changes }
    },
    getUserVersion: (userId) => versions.get(userId) ?? null,
    findUserVersion: (by) => {
      const isFound =
        'account' in by ? isAccount(by.account) : isAda('userId' in by ? by.userId : by.email.split('@')[0])
      const version = versions.get('ada') ?? null
      return isFound ? { user: ada, version, ...('account' in by ? { account: stored } : {}) } : null
    },
    advanceUser: ({ userId, version, changeId }) => {
      versions.set(userId, { userId, version, sessionsFrom: version, suspendedAt: null, changeId, until })
      return true
    },
    getVerificationToken: () => null,
    createTicket: (ticket) => tickets.set(ticket.id, ticket),
    readTicket: ({ id }) => tickets.get(id) ?? null,
    countTry: () => null,
    consumeTicket: () => null,
    deleteTickets: () => undefined,
    putTicket,
    listDueTickets: (_kind, _now, max) => [...tickets.values()].slice(0, max),
    transact: (calls) => calls.every((call) => call.method === 'putTicket' && putTicket(...call.args))
  }
  return { ...adapter, ...Object.fromEntries(without.map((name) => [name, undefined])) }
}

function versionsOf(store: Store): NonNullable<Store['versions']> {
  if (store.versions) return store.versions
  throw new Error('expected the methods for versions')
}

t.test('a user without a row has version 0, is active, and nothing of theirs has ended', async (t) => {
  const { get } = versionsOf(wrap(await withAda()))
  const none = { userId: 'ada', version: 0, sessionsFrom: 0, suspendedAt: null, changeId: null, until: null }
  t.strictSame([await get('ada'), noUserVersion('ada')], [none, none])
})

t.test('a store without the methods has none', async (t) => {
  t.equal(wrap(await withAda(['getUserVersion'])).versions, null)
  t.equal(wrap(await withAda(['advanceUser'])).versions, null)
})

t.test('a user is found with the row and the account, in one query or in several', async (t) => {
  for (const without of [[], ['findUserVersion']] as const) {
    const store = wrap(await withAda(without))
    t.equal((await store.findUser({ userId: 'ada' }))?.version.version, 0)
    await versionsOf(store).advance(change())
    for (const by of [{ userId: 'ada' }, { email: 'ada@example.com' }, { account: key }]) {
      const found = await store.findUser(by)
      t.equal(found?.user.id, 'ada')
      t.equal(found?.version.sessionsFrom, 1000)
      t.equal(found?.account?.providerAccountId, 'account' in by ? '1' : undefined)
    }
    for (const by of [{ userId: 'bob' }, { email: 'bob@example.com' }, { account: { ...key, providerAccountId: '2' } }])
      t.equal(await store.findUser(by), null)
  }
})

t.test('several queries read the row before what leads to the user', async (t) => {
  const adapter = await withAda(['findUserVersion'])
  const order: string[] = []
  const noting: Adapter = {
    ...adapter,
    getUser: async (id) => {
      order.push('user')
      return adapter.getUser?.(id)
    },
    getUserVersion: async (userId) => {
      order.push('row')
      return adapter.getUserVersion?.(userId)
    }
  }
  await wrap(noting).findUser({ userId: 'ada' })
  t.strictSame(order, ['row', 'user'])
})

t.test('the row or the account of another user is an error', async (t) => {
  const adapter = await withAda()
  const row = { ...noUserVersion('bob'), version: 7 }
  const failing = { name: 'AuthError', code: 'StoreUnavailable' }
  await t.rejects(versionsOf(wrap({ ...adapter, getUserVersion: async () => row })).get('ada'), failing)
  const answers = [
    { user: ada, version: row },
    { user: { ...ada, id: 'bob' }, version: null },
    { user: ada, version: null, account: { ...account, userId: 'bob' } },
    { user: ada, version: { ...row, userId: 'ada', version: -1 } }
  ]
  for (const answer of answers) {
    const store = wrap({ ...adapter, findUserVersion: async () => answer })
    await t.rejects(store.findUser({ userId: 'ada' }), failing)
  }
  const store = wrap({ ...adapter, findUserVersion: async () => ({ user: ada, version: null }) })
  await t.rejects(store.findUser({ account: key }), failing, 'an account was asked for')
  await t.rejects(store.findUser({ email: 'bob@example.com' }), failing)
})

t.test('the tokens of the account are decrypted', async (t) => {
  const store = encrypt(wrap(await withAda()), ['k'.repeat(32)])
  await store.updateAccount?.({ ...key, access_token: 'secret' })
  t.equal((await store.findUser({ account: key }))?.account?.access_token, 'secret')
})

t.test('a transaction records what it requires and changes, in order', async (t) => {
  const store = wrap(await withAda())
  const transaction = createBegin(store, (size) => new Uint8Array(size))?.()
  const versions = transaction && versionsOf(transaction.store)
  t.equal(await versions?.require('bob', 3), true, 'the outcome is that of the transaction')
  t.equal(await versions?.advance(change()), true)
  t.equal(await versions?.requireAddress('ada', null), true)
  await versions?.revoke('session:1', until)
  await versions?.deleteSessionRecord('1')
  t.strictSame(
    transaction?.calls.map(({ method }) => method),
    ['requireUserVersion', 'advanceUser', 'requireAddress', 'revoke', 'deleteSessionRecord']
  )
  t.strictSame(await transaction?.commit(), { kind: 'aborted', reason: null })
  t.equal((await versionsOf(store).get('ada')).version, 0)
})

t.test('a transaction that failed was committed if the row names its change', async (t) => {
  const lost = async (changes: readonly UserAdvance[], own: UserAdvance) => {
    const adapter = await withAda()
    const failing: Adapter = {
      ...adapter,
      transact: async () => {
        for (const one of changes) await adapter.advanceUser?.(one)
        throw new Error('lost')
      }
    }
    const outcome = await wrap(failing).transact?.([{ method: 'advanceUser', args: [own] }])
    return outcome?.kind
  }
  const other = change({ changeId: 'other' })
  t.equal(await lost([change()], change()), 'committed')
  t.equal(await lost([], change()), 'aborted')
  t.equal(await lost([other], change()), 'unknown', 'another change came first, or followed')
  t.equal(await lost([], change({ expected: null })), 'aborted')
  t.equal(await lost([{ ...other, version: 900 }], change({ expected: null })), 'aborted', 'the version is lower')
  t.equal(await lost([other], change({ expected: null })), 'unknown')
})

t.test('due tickets whose secret was removed do not hide later ones', async (t) => {
  const adapter = await withAda()
  const { tickets } = encrypt(wrap(adapter), ['k'.repeat(32)])
  const { tickets: unreadable } = encrypt(wrap(adapter), ['o'.repeat(32)])
  const ticket = { kind: 'deletion', userId: 'ada', data: '', tries: 0, expires: until, dueAt: until }
  for (let index = 0; index < 5; index++) await unreadable?.put?.({ ...ticket, id: `other ${index}` }, null)
  for (let index = 0; index < 3; index++) await tickets?.put?.({ ...ticket, id: `own ${index}` }, null)
  const list = async (max: number) => (await tickets?.listDue?.('deletion', until, max))?.map(({ id }) => id)
  t.same(await list(1), ['own 0'])
  t.same(await list(2), ['own 0', 'own 1'])
  t.same(await list(20), ['own 0', 'own 1', 'own 2'])
})

t.test('an encrypted ticket is replaced if it is the one that was read', async (t) => {
  const { tickets, transact } = encrypt(wrap(await withAda()), ['k'.repeat(32)])
  const ticket = { kind: 'reset', id: '1', userId: 'ada', data: 'v1', tries: 0, expires: until, dueAt: until }
  t.equal(await tickets?.put?.(ticket, null), true)
  t.equal(await tickets?.put?.(ticket, null), false, 'it exists')
  const read = (await tickets?.read(ticket)) ?? null
  t.equal(read?.data, 'v1')
  t.equal(await tickets?.put?.({ ...ticket, data: 'v2' }, read), true)
  t.equal(await tickets?.put?.({ ...ticket, data: 'v3' }, read), false, 'it has changed')
  const [due = null] = (await tickets?.listDue?.('reset', until, 10)) ?? []
  t.equal(due?.data, 'v2')
  const outcome = await transact?.([{ method: 'putTicket', args: [{ ...ticket, data: 'v3' }, due] }])
  t.strictSame(outcome, { kind: 'committed' })
  t.equal((await tickets?.read(ticket))?.data, 'v3')
})
