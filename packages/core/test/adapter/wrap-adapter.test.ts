import { inspect } from 'node:util'
import t from 'tap'
import type { AdapterCall } from '../../src/adapter/adapter.ts'
import type { AuthJsAdapter } from '../../src/adapter/exact-matches.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
const calls: readonly AdapterCall[] = [{ method: 'deleteSession', args: ['token'] }]

t.test('an adapter that has transact writes in one transaction', async (t) => {
  const received: unknown[] = []
  const adapter: AuthJsAdapter = {
    transact: async (given: readonly AdapterCall[]) => {
      received.push(given)
      return true
    }
  }
  const { transact } = wrapAdapter(adapter, logger, { isDebugging: false, timeout: 1000 })
  t.same(await transact?.(calls), { kind: 'committed' })
  t.same(received, [calls])
})

t.test('an adapter without it writes one by one', async (t) => {
  t.equal(wrapAdapter({}, logger, { isDebugging: false, timeout: 1000 }).transact, null)
})

t.test('log-1: neither the error of a failed statement nor the log contains its values', async (t) => {
  const logged: unknown[] = []
  const fail = async (): Promise<never> => {
    const cause = new Error('Failed query: select * from users where email = $1, params: ada@example.com')
    throw Object.assign(new Error(`duplicate key: (ada@example.com)`, { cause }), { code: '23505' })
  }
  const log = { ...logger, error: (_code: string, metadata: unknown) => void logged.push(metadata) }
  const store = wrapAdapter({ getUserByEmail: fail }, log, { isDebugging: false, timeout: 1000 })
  const error = await store.getUserByEmail('ada@example.com').catch((error: unknown) => error)
  t.notMatch(inspect(error, { depth: 9 }), /ada@example/)
  t.equal(logged.length, 1)
  t.notMatch(inspect(logged, { depth: 9 }), /ada@example/)
})

t.test('the message says whether the store did not respond, or refused the call', async (t) => {
  const failures = [
    [Object.assign(new Error('closed'), { code: 'ECONNRESET' }), 'the store did not respond'],
    [Object.assign(new Error('null value in column "id"'), { code: '23502' }), 'the store failed']
  ] as const
  for (const [error, message] of failures) {
    const adapter = { getUser: () => Promise.reject(error) }
    const store = wrapAdapter(adapter, logger, { isDebugging: false, timeout: 1000 })
    const cause = { message: `adapter.getUser: ${message}` }
    await t.rejects(store.getUser('ada'), { code: 'StoreUnavailable', message, cause })
  }
  const invalid = wrapAdapter({ getUser: () => 'text' } as never, logger, { isDebugging: false, timeout: 1000 })
  await t.rejects(invalid.getUser('ada'), { message: 'the store failed', cause: { message: /the expected shape/ } })
})

const settings = { isDebugging: false, timeout: 1000 }
const expires = new Date(4102444799999)
const accountKey = { provider: 'github', providerAccountId: '1' }
const session = { sessionToken: 'h1.1', userId: 'ada', expires }
const record = {
  ...{ id: '1', ...session, provider: 'github', providerSessionId: 'sid' },
  ...{ userAgent: null, address: null, createdAt: expires, lastSeen: expires, data: null }
}
const ticket = { kind: 'reset', id: '1', userId: 'ada', data: '{}', tries: 0, expires }
const factorKey = { type: 'totp', id: '1' }
const factor = { ...factorKey, userId: 'ada', name: null, data: '1', createdAt: expires, lastUsedAt: null, version: 1 }
const event = {
  ...{ id: '1', time: expires, type: 'sign-in', userId: 'ada', sessionId: null, ip: null },
  ...{ userAgent: null, provider: null, requestId: null, data: null }
}
const user = { id: 'ada', email: 'ada@example.com', emailVerified: null, name: 'Ada', role: 'admin' }
const oneTimeToken = { identifier: 'ada@example.com', token: 'hash', expires }
const evidence = { ...accountKey, userId: 'ada', email: 'ada@example.com', verifiedAt: expires }
const account = { ...accountKey, type: 'oauth', userId: 'ada', access_token: 'access', refresh_token_expires_in: 1 }

/** The result of a call that is not made, and what it is called with; calls that write are refused. */
const reads: readonly [method: string, nothing: unknown, args: readonly unknown[]][] = [
  ['getUser', null, ['ada']],
  ['getUserByEmail', null, ['ada@example.com']],
  ['getUserByAccount', null, [accountKey]],
  ['deleteUser', undefined, ['ada']],
  ['unlinkAccount', undefined, [accountKey]],
  ['getSessionAndUser', null, ['h1.1']],
  ['deleteSession', null, ['h1.1']],
  ['useVerificationToken', null, [{ identifier: 'ada@example.com', token: 'hash' }]],
  ['getVerificationToken', null, [{ identifier: 'ada@example.com', token: 'hash' }]],
  ['getAccounts', [], ['ada']],
  ['listSessions', [], ['ada', 10]],
  ['listUsers', [], [{ after: 'ada', limit: 10 }]],
  ['deleteSessions', undefined, ['ada']],
  ['getSessionRecords', [], [{ userId: 'ada', limit: 10 }]],
  ['getSessionRecords', [], [{ id: '1' }]],
  ['getSessionRecords', [], [{ provider: 'github', providerSessionId: 'sid' }]],
  ['deleteSessionRecord', undefined, ['1']],
  ['evidence.list', [], ['ada']],
  ['tickets.read', null, [{ kind: 'reset', id: '1' }]],
  ['tickets.countTry', null, [{ kind: 'reset', id: '1' }]],
  ['tickets.consume', null, [{ kind: 'reset', id: '1' }]],
  ['tickets.delete', undefined, ['ada', 'reset']],
  ['factors.get', null, [factorKey]],
  ['factors.list', [], ['ada', 'totp']],
  ['factors.delete', false, [factorKey]],
  ['events.list', [], [{ userId: 'ada', type: 'sign-in', limit: 10 }]],
  ['revocations.getRevocations', [], [['user:ada']]]
]

const writes: readonly [method: string, args: readonly unknown[], texts?: readonly string[]][] = [
  ['createUser', [user], ['name', 'role']],
  ['updateUser', [{ id: 'ada', name: 'Ada' }], ['name']],
  ['linkAccount', [account], ['type', 'access_token']],
  ['createUserWithAccount', [user, account], ['name', 'role', 'type', 'access_token']],
  ['updateAccount', [{ ...accountKey, access_token: 'access' }, { userId: 'ada' }], ['access_token']],
  ['createSession', [session, record]],
  ['updateSession', [{ sessionToken: 'h1.1', expires }]],
  ['createVerificationToken', [oneTimeToken]],
  ['putSessionRecord', [record]],
  ['evidence.put', [evidence]],
  ['tickets.create', [ticket], ['data']],
  ['factors.create', [factor], ['data']],
  ['factors.update', [factor, 1], ['data']],
  ['events.add', [[event]]],
  ['revocations.revoke', ['user:ada', expires]]
]

const adapterNames: Readonly<Record<string, string>> = {
  ...{ 'evidence.list': 'getAccountEvidence', 'evidence.put': 'putAccountEvidence', 'tickets.delete': 'deleteTickets' },
  ...{ 'tickets.read': 'readTicket', 'tickets.countTry': 'countTry', 'tickets.consume': 'consumeTicket' },
  ...{ 'tickets.create': 'createTicket', 'factors.get': 'getFactor', 'factors.list': 'listFactors' },
  ...{ 'factors.delete': 'deleteFactor', 'factors.create': 'createFactor', 'factors.update': 'updateFactor' },
  ...{ 'events.list': 'listEvents', 'events.add': 'addEvents' }
}
const toAdapterName = (method: string): string => adapterNames[method] ?? method.replace(/^revocations\./, '')

/** A store of an adapter whose methods refuse every call, and the arguments of these calls. */
function createRecorder() {
  const received: unknown[][] = []
  const others = ['readTickets', 'listRevocations', 'deleteEvents', 'getAccount']
  const names = [...reads.map(([name]) => name), ...writes.map(([name]) => name)].map(toAdapterName)
  const refuse = async (...args: unknown[]) => {
    received.push(args)
    throw new Error('the database does not know this')
  }
  const adapter = Object.fromEntries([...names, ...others, 'transact', 'withLease'].map((name) => [name, refuse]))
  const store = wrapAdapter(adapter, logger, settings)
  const call = async (method: string, args: readonly unknown[]): Promise<unknown> => {
    const target = method.split('.').reduce<unknown>((found, name) => Reflect.get(Object(found), name), store)
    if (typeof target !== 'function') throw new TypeError(`expected the method ${method}`)
    return Reflect.apply(target, store, args)
  }
  return { received, store, call }
}

/** The arguments with one text replaced; one for each text in them. */
function variants(value: unknown, replace: (text: string) => unknown, without: readonly string[] = []): unknown[] {
  if (typeof value === 'string') return [replace(value)]
  if (typeof value !== 'object' || value === null || value instanceof Date) return []
  return Object.keys(value).flatMap((name) => {
    if (without.includes(name)) return []
    const copy = (changed: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }
    return variants(Reflect.get(value, name), replace, without).map(copy)
  })
}

// PostgreSQL has no NUL in any text (its documentation, section 8.3), and UTF-8 no surrogate (RFC 3629 §3).
for (const [title, character] of [
  ['NUL', '\0'],
  ['a lone surrogate', '\ud800']
] as const) {
  t.test(`no row has a key with ${title}: reads find nothing, and the adapter is not called`, async (t) => {
    const { received, call, store } = createRecorder()
    for (const [method, nothing, args] of reads) {
      const keys = variants(args, (text) => `${text}${character}`)
      t.not(keys.length, 0, method)
      for (const changed of keys) t.strictSame(await call(method, Object(changed)), nothing, method)
    }
    const key = { kind: 'reset', id: `1${character}` }
    t.strictSame(await store.tickets?.readAll([key, key]), [null, null])
    t.same(received, [])
  })

  t.test(`a write of a key with ${title} is invalid, and not an outage`, async (t) => {
    const { received, call, store } = createRecorder()
    const invalid = { code: 'Callback', statusCode: 400, isOutage: false, isInvalidValue: true }
    for (const [method, args, texts = []] of writes) {
      const keys = variants(args, (text) => `${text}${character}`, texts)
      t.not(keys.length, 0, method)
      for (const changed of keys) await t.rejects(call(method, Object(changed)), invalid, method)
    }
    await t.rejects(call('withLease', [`unlink ${character}`, async () => null]), invalid)
    const outcome = await store.transact?.([
      { method: 'deleteSession', args: ['h1.1'] },
      { method: 'consumeTicket', args: [{ kind: 'reset', id: character }] }
    ])
    t.match(outcome, { kind: 'aborted', reason: invalid })
    t.same(received, [])
  })

  t.test(`a text with ${title} is stored with U+FFFD in its place, and a token is left out`, async (t) => {
    const { received, call } = createRecorder()
    const bad = `a${character}b`
    const kept = { name: 'a\ufffdb', about: { tags: ['a\ufffdb', 1], since: expires } }
    for (const method of ['createUser', 'updateUser'])
      await t.rejects(call(method, [{ id: 'ada', name: bad, about: { tags: [bad, 1], since: expires } }]))
    await t.rejects(call('linkAccount', [{ ...account, access_token: bad, tenant: bad }]))
    await t.rejects(call('factors.create', [{ ...factor, name: bad }]))
    await t.rejects(call('events.add', [[{ ...event, userAgent: bad, data: bad }]]))
    t.strictSame(received, [
      [{ id: 'ada', ...kept }],
      [{ id: 'ada', ...kept }],
      [{ ...account, access_token: null, tenant: null }],
      [{ ...factor, name: 'a\ufffdb' }],
      [[{ ...event, userAgent: 'a\ufffdb', data: 'a\ufffdb' }]]
    ])
  })
}

t.test('of several keys, those that a row can have are read', async (t) => {
  const received: unknown[] = []
  const adapter = {
    ...{ revoke: () => 1, listRevocations: () => [] },
    getRevocations: (subjects: unknown) => {
      received.push(subjects)
      return []
    }
  }
  await wrapAdapter(adapter, logger, settings).revocations?.getRevocations(['user:ada\0', 'user:ada'])
  t.strictSame(received, [['user:ada']])
})

t.test('rows and keys reach the adapter with the fields of the contract; users and accounts keep theirs', async (t) => {
  const { received, call, store } = createRecorder()
  const own = { id: 'a key of the adapter', rowVersion: 7 }
  const isOpen = (method: string): boolean => /User$|^linkAccount$|Account$/.test(method) && method !== 'unlinkAccount'
  const hasId = (row: object): boolean => 'id' in row
  const isQuery = (method: string): boolean => method === 'getSessionRecords' || method === 'listUsers'
  const addTo = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(addTo)
    return typeof value === 'object' && value !== null && !(value instanceof Date)
      ? { ...value, ...(hasId(value) ? { rowVersion: 7 } : own) }
      : value
  }
  const closed = [...reads.map(([method, , args]) => [method, args] as const), ...writes].filter(
    ([method]) => !(isOpen(method) && method !== 'getUserByAccount') && !isQuery(method)
  )
  for (const [method, args] of closed) await t.rejects(call(method, args.map(addTo)), method)
  t.strictSame(
    received,
    closed.map(([, args]) => args)
  )
  received.length = 0
  await store.transact?.([
    { method: 'linkAccount', args: [account] },
    { method: 'consumeTicket', args: [ticket] },
    { method: 'createSession', args: [{ ...session, ...own }] }
  ])
  t.strictSame(received[0], [
    [
      { method: 'linkAccount', args: [account] },
      { method: 'consumeTicket', args: [{ kind: 'reset', id: '1' }] },
      { method: 'createSession', args: [session] }
    ]
  ])
  t.strictSame(received[1], ['h1.1'], 'and looks whether the session was stored')
})
