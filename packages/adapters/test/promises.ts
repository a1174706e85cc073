import type { Adapter } from '@postern/core'
import type { Test } from 'tap'
import { newEvent, newFactor } from '../src/contract/data.ts'

type Class = new (message: string) => Error

/** The guarantees of this package's adapters beyond the contract. */
export async function testPromises(
  t: Test,
  open: (t: Test) => Required<Adapter> | Promise<Required<Adapter>>,
  duplicate: Class
): Promise<void> {
  await t.test('a missing row is null, never undefined', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const [key, pair] = [
      { provider: 'github', providerAccountId: '1' },
      { identifier: 'ada@example.com', token: 'hash' }
    ]
    t.equal(await adapter.getUser('1'), null)
    t.equal(await adapter.getUserByEmail('ada@example.com'), null)
    t.equal(await adapter.getUserByAccount(key), null)
    t.equal(await adapter.getSessionAndUser('1'), null)
    t.equal(await adapter.updateSession({ sessionToken: '1', expires: new Date() }), null)
    t.equal(await adapter.deleteSession('1'), null)
    t.equal(await adapter.unlinkAccount(key), null)
    t.equal(await adapter.updateAccount({ ...key, scope: 'openid' }), null)
    t.equal(await adapter.deleteUser('1'), null)
    t.equal(await adapter.getVerificationToken(pair), null)
    t.equal(await adapter.useVerificationToken(pair), null)
    t.same(await adapter.getAccounts('1'), [])
    t.same(await adapter.listSessions('1'), [])
    t.same(await adapter.getSessionRecords({ userId: '1' }), [])
    t.same(await adapter.getSessionRecords({ id: '1' }), [])
    t.same(await adapter.getSessionRecords({ provider: 'keycloak', providerSessionId: '1' }), [])
    t.same(await adapter.getRevocations(['user:1']), [])
    t.same(await adapter.listRevocations(new Date(0), 10), [])
  })

  await t.test('deleted rows are returned', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const account = { type: 'oauth', provider: 'github', providerAccountId: '1', access_token: 'access' } as const
    const user = await adapter.createUserWithAccount({ email: 'ada@example.com', emailVerified: null }, account)
    const session = { sessionToken: 'h1.1', userId: user.id, expires: new Date() }
    await adapter.createSession(session)
    t.strictSame(await adapter.deleteSession('h1.1'), session)
    t.match(await adapter.unlinkAccount(account), { ...account, userId: user.id })
    t.strictSame(await adapter.deleteUser(user.id), user)
  })

  await t.test('users and accounts have every column and no other field', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const extra = { locale: 'en', email: 'ada@example.com', emailVerified: null }
    const { id } = await adapter.createUser(extra)
    t.strictSame(await adapter.getUser(id), {
      id,
      name: null,
      image: null,
      email: 'ada@example.com',
      emailVerified: null
    })
    const account = { type: 'oidc', provider: 'keycloak', providerAccountId: '1', userId: id } as const
    await adapter.linkAccount({ ...account, ...{ refresh_expires_in: 1800 } })
    t.strictSame(await adapter.getAccounts(id), [
      {
        ...account,
        refresh_token: null,
        access_token: null,
        expires_at: null,
        token_type: null,
        scope: null,
        id_token: null,
        session_state: null
      }
    ])
  })

  await t.test('records and revocations have their fields and no other', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const { id: userId } = await adapter.createUser({ email: null, emailVerified: null })
    const [sessionToken, expires] = ['h1.1', new Date(4102444799999)]
    const [createdAt, lastSeen] = [new Date(1700000000001), new Date(1700000000002)]
    const provider = { provider: 'keycloak', providerSessionId: 'sid', userAgent: 'Mozilla', address: '192.0.2.1' }
    const record = { id: '1', userId, sessionToken, ...provider, createdAt, lastSeen, expires, data: '{}' }
    await adapter.createSession({ sessionToken, userId, expires }, { ...record, ...{ colour: 'red' } })
    t.strictSame(await adapter.getSessionRecords({ id: '1' }), [record])
    const version = await adapter.revoke('user:1', expires)
    t.strictSame(await adapter.getRevocations(['user:1', 'user:1']), [{ subject: 'user:1', version, until: expires }])
    t.strictSame(await adapter.listRevocations(new Date(0), 10), [{ subject: 'user:1', version, until: expires }])
  })

  await t.test('2,000 tickets are read at once, each once', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const ticket = { kind: 'reset', userId: null, data: 'v1', tries: 0, expires: new Date(4102444799999), dueAt: null }
    const stored = [0, 99, 100, 1000, 1999].map((index) => ({ ...ticket, id: `${index}` }))
    for (const row of stored) await adapter.createTicket(row)
    const keys = Array.from({ length: 2000 }, (_, index) => ({ kind: 'reset', id: `${index}` }))
    const found = await adapter.readTickets([...keys, ...stored])
    t.strictSame(
      [...found].sort((one, other) => Number(one.id) - Number(other.id)),
      stored
    )
  })

  await t.test('tickets and evidence have their fields and no other', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const { id: userId } = await adapter.createUser({ email: null, emailVerified: null })
    const ticket = {
      kind: 'reset',
      id: '1',
      userId,
      data: 'v1',
      tries: 0,
      expires: new Date(4102444799999),
      dueAt: null
    }
    await adapter.createTicket({ ...ticket, ...{ color: 'red' } })
    t.strictSame(await adapter.readTicket({ kind: 'reset', id: '1' }), ticket)
    t.strictSame(await adapter.readTickets([ticket, { kind: 'reset', id: '2' }]), [ticket])
    t.equal(await adapter.countTry({ kind: 'reset', id: '1' }), 1)
    t.strictSame(await adapter.consumeTicket({ kind: 'reset', id: '1' }), { ...ticket, tries: 1 })
    t.equal(await adapter.readTicket({ kind: 'reset', id: '1' }), null)
    t.equal(await adapter.countTry({ kind: 'reset', id: '1' }), null)
    t.equal(await adapter.consumeTicket({ kind: 'reset', id: '1' }), null)
    const key = { provider: 'github', providerAccountId: '1' }
    const evidence = { ...key, userId, email: 'ada@example.com', verifiedAt: new Date(1700000000123) }
    await adapter.putAccountEvidence({ ...evidence, ...{ color: 'red' } })
    t.strictSame(await adapter.getAccountEvidence(userId), [evidence])
    await adapter.unlinkAccount(key)
    t.strictSame(await adapter.getAccountEvidence(userId), [], 'even if the account no longer exists')
  })

  await t.test('factors and events have their fields and no other', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const { id: userId } = await adapter.createUser({ email: null, emailVerified: null })
    const createdAt = new Date(1700000000123)
    const key = { type: 'totp', id: '1' }
    const factor = { ...key, userId, name: 'Phone', data: 'v1', createdAt, lastUsedAt: null, version: 1 }
    await adapter.createFactor({ ...factor, ...{ color: 'red' } })
    t.strictSame(await adapter.getFactor(key), factor)
    t.strictSame(await adapter.listFactors(userId), [factor])
    t.equal(await adapter.updateFactor({ ...factor, lastUsedAt: createdAt, ...{ color: 'red' } }, 1), true)
    t.strictSame(await adapter.getFactor(key), { ...factor, lastUsedAt: createdAt, version: 2 })
    t.equal(await adapter.deleteFactor(key), true)
    t.equal(await adapter.getFactor(key), null)
    const about = { sessionId: '1', ip: '192.0.2.1', userAgent: 'Mozilla', provider: 'github', requestId: 'req-1' }
    const event = { id: '1', time: createdAt, type: 'sign-in', userId, ...about, data: '{}' }
    await adapter.addEvents([{ ...event, ...{ color: 'red' } }])
    t.strictSame(await adapter.listEvents({ userId, limit: 1 }), [event])
    t.strictSame(await adapter.listEvents({ limit: 1, before: event }), [])
  })

  await t.test('a session has one record', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const { id: userId } = await adapter.createUser({ email: null, emailVerified: null })
    const record = { userId, provider: null, providerSessionId: null, userAgent: null, address: null }
    const ends = { createdAt: new Date(), lastSeen: new Date(), expires: new Date() }
    await adapter.putSessionRecord({ id: '1', sessionToken: 'h1.1', ...record, ...ends })
    const [outcome] = await Promise.allSettled([
      Promise.resolve().then(() => adapter.putSessionRecord({ id: '2', sessionToken: 'h1.1', ...record, ...ends }))
    ])
    t.match(outcome, { status: 'rejected', reason: { name: 'DuplicateError', code: 'Duplicate' } })
    t.equal((await adapter.getSessionRecords({ userId })).length, 1)
    await adapter.putSessionRecord({ id: '2', sessionToken: null, ...record, ...ends })
    await adapter.putSessionRecord({ id: '3', sessionToken: null, ...record, ...ends })
    t.equal((await adapter.getSessionRecords({ userId })).length, 3, 'JWT sessions have none in the store')
  })

  await t.test('expires_at becomes a whole number or null', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const key = { provider: 'github', providerAccountId: '1' } as const
    const user = await adapter.createUserWithAccount({ email: null, emailVerified: null }, { ...key, type: 'oauth' })
    const cases: readonly [given: unknown, kept: number | null][] = [
      [1_900_000_000, 1_900_000_000],
      [1_900_000_000.9, 1_900_000_000],
      ['1900000000', 1_900_000_000],
      ['soon', null],
      ['', null],
      [Number.NaN, null],
      [Number.POSITIVE_INFINITY, null],
      [true, null],
      [{}, null],
      [null, null]
    ]
    for (const [given, kept] of cases) {
      const odd: Record<string, unknown> = { expires_at: given }
      await adapter.updateAccount({ ...key, ...odd })
      const [account] = await adapter.getAccounts(user.id)
      t.equal(account?.expires_at, kept, `${typeof given} ${given}`)
    }
  })

  await t.test('a user’s field that does not fit its column is left out', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const odd: Record<string, unknown> = { name: { first: 'Ada' }, image: 1, emailVerified: 'yes' }
    const { id } = await adapter.createUser({ email: 'ada@example.com', emailVerified: null, ...odd })
    await adapter.updateUser({ id, ...odd, ...{ emailVerified: new Date(Number.NaN) } })
    const user = { id, name: null, email: 'ada@example.com', image: null, emailVerified: null }
    t.strictSame(await adapter.getUser(id), user)
  })

  await t.test('an update leaves what does not fit its column', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const key = { provider: 'github', providerAccountId: '1' } as const
    const account = { ...key, type: 'oauth', id_token: 'id', scope: 'openid' } as const
    const user = await adapter.createUserWithAccount({ email: null, emailVerified: null }, account)
    const odd: Record<string, unknown> = { id_token: { claims: {} }, scope: ['openid'] }
    await adapter.updateAccount({ ...key, ...odd })
    const [stored] = await adapter.getAccounts(user.id)
    t.equal(stored?.id_token, 'id')
    t.equal(stored?.scope, 'openid')
  })

  await t.test('a key that is there already is a DuplicateError', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const user = { id: 'ada', email: 'ada@example.com', emailVerified: null }
    const account = { type: 'oauth', provider: 'github', providerAccountId: '1' } as const
    await adapter.createUserWithAccount(user, account)
    const { id } = await adapter.createUser({ email: 'bob@example.com', emailVerified: null })
    const session = { sessionToken: 'h1.1', userId: id, expires: new Date() }
    const token = { identifier: 'ada@example.com', token: 'hash', expires: new Date() }
    await adapter.createSession(session)
    await adapter.createVerificationToken(token)
    const ticket = { kind: 'reset', id: '1', userId: id, data: 'v1', tries: 0, expires: new Date() }
    await adapter.createTicket(ticket)
    const [factor, event] = [newFactor(id), newEvent()]
    await adapter.createFactor(factor)
    await adapter.addEvents([event])
    const calls: readonly [title: string, call: () => unknown][] = [
      ['an id', () => adapter.createUser({ ...user, email: 'eve@example.com' })],
      ['an address', () => adapter.createUser({ ...user, id: 'eve' })],
      ['an address, by an update', () => adapter.updateUser({ id, email: 'ada@example.com' })],
      ['an account', () => adapter.linkAccount({ ...account, userId: id })],
      [
        'an account, with a new user',
        () => adapter.createUserWithAccount({ email: null, emailVerified: null }, account)
      ],
      ['an address, with a new account', () => adapter.createUserWithAccount({ ...user, id: 'eve' }, account)],
      ['a session', () => adapter.createSession(session)],
      ['a one-time token', () => adapter.createVerificationToken(token)],
      ['a ticket', () => adapter.createTicket(ticket)],
      ['a factor', () => adapter.createFactor(factor)],
      ['a factor, in a transaction', () => adapter.transact([{ method: 'createFactor', args: [factor] }])],
      ['an event', () => adapter.addEvents([event])],
      ['an event, in a transaction', () => adapter.transact([{ method: 'addEvents', args: [[event]] }])],
      ['a ticket, in a transaction', () => adapter.transact([{ method: 'createTicket', args: [ticket] }])]
    ]
    for (const [title, call] of calls) {
      const [outcome] = await Promise.allSettled([Promise.resolve().then(call)])
      const error: unknown = outcome.status === 'rejected' ? outcome.reason : null
      t.ok(error instanceof duplicate, title)
      t.match(error, { name: 'DuplicateError', code: 'Duplicate' })
    }
  })

  await t.test('an account or a session of no call is refused', async (t) => {
    const adapter = await open(t)
    t.teardown(() => adapter.close())
    const account = { type: 'oauth', provider: 'github', providerAccountId: '1', userId: 'nobody' } as const
    await t.rejects(async () => adapter.linkAccount(account))
    await t.rejects(async () => adapter.createSession({ sessionToken: '1', userId: 'nobody', expires: new Date() }))
    t.equal(await adapter.getUserByAccount(account), null)
    t.equal(await adapter.getSessionAndUser('1'), null)
  })
}
