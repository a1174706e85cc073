import { memoryAdapter } from '@postern/adapters/memory'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, EventRecord } from '@postern/core'
import type { Feature, FeatureContext, FeatureParts, Refusal } from '@postern/core/feature'
import { isLong } from '@postern/testkit/long'
import pg from 'pg'
import t from 'tap'
import { toAuditRecord } from '../src/audit-log/audit-record.ts'
import { capacity } from '../src/audit-log/refusal-buffer.ts'
import { RefusalWriter } from '../src/audit-log/refusal-writer.ts'
import { accountPath, getRows } from './account-application.ts'
import { getTypes, openAuditApplication, readAll } from './audit-log-application.ts'
import { withoutServer, withPostgres } from './databases.ts'
import { getToken } from './email-application.ts'
import { getDeletionUrl, linkPath } from './grace-period-application.ts'
import { ada, base, createUser, findUser, first, getAddress, signIn } from './password-application.ts'

const bob = 'bob@example.com'

// The timers of background work do not keep the process alive.
const alive = setInterval(() => undefined, 60_000)
t.teardown(() => clearInterval(alive))

/** The context of an audit log, without its routes. */
async function openContext(t: Parameters<typeof openAuditApplication>[0], adapter: Adapter = memoryAdapter()) {
  const created: { context: FeatureContext | null } = { context: null }
  const probe: Feature = {
    id: 'probe',
    setup: (context): FeatureParts => {
      created.context = context
      return {}
    }
  }
  const app = await openAuditApplication(t, 'database', { adapter, features: [probe] })
  if (!created.context) throw new Error('expected a context')
  return { app, context: created.context }
}

const request = { origin: 'https://app.test', headers: {}, cookies: new Map(), client: '192.0.2.1', id: 'r' }

const createRefusal = (changes: Partial<Refusal> = {}): Refusal => ({
  ...{ code: 'CredentialsSignin', reason: null, kind: 'sign-in', route: '/callback/:provider', provider: 'password' },
  ...{ userId: null, request },
  ...changes
})

/** An adapter whose sign-ins fail in the database, with everything before the last call of their transaction. */
function withFailingSignIns(adapter: Adapter): {
  readonly adapter: Adapter
  readonly setFailing: (to: boolean) => void
} {
  let isFailing = false
  const { transact } = adapter
  if (!transact) throw new Error('expected an adapter with transactions')
  return {
    setFailing: (to) => {
      isFailing = to
    },
    adapter: {
      ...adapter,
      transact: async (calls) => {
        if (!isFailing || !calls.some(({ method }) => method === 'createSession')) return transact(calls)
        // The id of an event is unique, so that the database refuses the last call and rolls the others back.
        const taken = (await adapter.listEvents?.({ limit: 1 })) ?? []
        return transact([...calls, { method: 'addEvents', args: [taken] }])
      }
    }
  }
}

for (const [name, open] of [
  ['memory', () => memoryAdapter()],
  ['SQLite', () => sqliteAdapter({ file: ':memory:' })]
] as const)
  t.test(`${name}: a transaction that fails leaves no success, but a refusal`, async (t) => {
    const { adapter, setFailing } = withFailingSignIns(open())
    const app = await openAuditApplication(t, 'database', { adapter })
    await createUser(app)
    const before = getTypes(await readAll(app))
    t.ok(before.includes('sign-in'))
    setFailing(true)
    const browser = app.newBrowser()
    await signIn(browser, ada, first)
    t.equal(await getAddress(browser), null)
    setFailing(false)
    const after = getTypes(await readAll(app))
    t.same(
      after.filter((type) => type === 'sign-in'),
      before.filter((type) => type === 'sign-in')
    )
    t.same(after.length, before.length + 1)
    t.match(
      (await readAll(app)).find(({ type }) => type === 'sign-in-refused'),
      { reason: 'StoreConflict' }
    )
    t.ok((await signIn(browser, ada, first)).location)
    t.equal(getTypes(await readAll(app)).filter((type) => type === 'sign-in').length, 2)
  })

t.test('a record states who did what from where, in which request', async (t) => {
  const app = await openAuditApplication(t, 'database')
  const browser = await createUser(app)
  const id = (await findUser(app, ada))?.id ?? ''
  app.clock.advance(1)
  await browser.submit(`${base}/signout`, {}, { headers: { 'user-agent': 'Firefox' } })
  app.clock.advance(1)
  await app.auth.users.suspend(id)
  const [signedIn, signedOut, suspended, ended] = await readAll(app)
  t.match(signedIn, {
    ...{ type: 'sign-in', outcome: 'success', actor: 'user', userId: id, provider: 'password-sign-up', reason: null },
    ...{ sessionId: String, requestId: String, data: { isNewUser: true } }
  })
  const sessionId = signedIn?.sessionId
  t.match(signedOut, { type: 'session-end', actor: 'user', userId: id, sessionId, userAgent: 'Firefox' })
  t.match([suspended, ended].map((record) => [record?.type, record?.actor]).sort(), [
    ['session-end', 'system'],
    ['suspend', 'administrator']
  ])
})

const refusals = isLong ? 100_000 : 20_000

t.test(`${refusals} refusals: memory is bounded, each drop is counted, and users sign in meanwhile`, async (t) => {
  const { app, context } = await openContext(t)
  await createUser(app)
  const writer = new RefusalWriter(context)
  const unknown = createRefusal({ code: 'RateLimited' })
  let largest = 0
  let signedIn = 0
  for (let second = 0; second < 10; second++) {
    for (let count = 0; count < refusals / 10; count++) {
      writer.add(count % 10 === 0 ? createRefusal({ userId: `user-${count % 300}` }) : unknown)
      largest = Math.max(largest, writer.size)
    }
    const browser = app.newBrowser()
    await signIn(browser, ada, first)
    if ((await getAddress(browser)) === ada) signedIn++
    if (second === 4) await writer.flush()
  }
  t.equal(signedIn, 10)
  t.ok(largest <= capacity, `${largest} in memory`)
  await writer.close()
  const records = await readAll(app)
  const stored = records.filter(({ type, outcome }) => type === 'sign-in-refused' && outcome === 'refused')
  const counted = records.filter(({ type }) => type === 'refusals-dropped').map(({ data }) => Number(data['count']))
  t.equal(stored.length + counted.reduce((sum, count) => sum + count, 0), refusals)
  t.ok(stored.length >= 1000, `${stored.length} are stored`)
  const reasons = new Set(records.filter(({ type }) => type === 'refusals-dropped').map(({ reason }) => reason))
  t.same([...reasons].sort(), ['CredentialsSignin', 'RateLimited'], 'drops are counted by reason')
})

t.test('a flood about unknown users, or about one user, hides no refusal about another user', async (t) => {
  const { app, context } = await openContext(t)
  const writer = new RefusalWriter(context)
  const flood = 5000
  for (let count = 0; count < flood; count++) {
    writer.add(createRefusal({ code: 'RateLimited' }))
    writer.add(createRefusal({ userId: 'grace' }))
  }
  writer.add(createRefusal({ userId: 'ada', code: 'UserSuspended' }))
  await writer.close()
  const all = await readAll(app)
  t.match(
    all.filter(({ userId }) => userId === 'ada'),
    [{ type: 'sign-in-refused', reason: 'UserSuspended' }]
  )
  const ofGrace = all.filter(({ userId }) => userId === 'grace')
  t.equal(ofGrace.length, 21)
  t.match(
    ofGrace.find(({ type }) => type === 'refusals-dropped'),
    { actor: 'system', reason: 'CredentialsSignin', data: { count: flood - 20, refused: 'sign-in-refused' } },
    'those that are missing are counted for the user'
  )
})

t.test('an attacker who chooses users and codes does not fill the memory with counts', async (t) => {
  const { app, context } = await openContext(t)
  const writer = new RefusalWriter(context)
  const total = isLong ? 30_000 : 9000
  for (let count = 0; count < total; count++)
    writer.add(createRefusal({ userId: `user-${count}`, code: `Code${count % 7000}` }))
  await writer.close()
  const all = await readAll(app)
  const dropped = all.filter(({ type }) => type === 'refusals-dropped')
  t.ok(dropped.length <= 600, `${dropped.length} counts`)
  const counted = dropped.reduce((sum, { data }) => sum + Number(data['count']), 0)
  t.equal(all.length - dropped.length + counted, total)
})

t.test('a store that fails keeps the refusals and the counts, and late ones state their time', async (t) => {
  const adapter = memoryAdapter()
  let isDown = false
  const { addEvents } = adapter
  const failing: Adapter = {
    ...adapter,
    addEvents: async (events: readonly EventRecord[]) => {
      if (isDown) throw new Error('down')
      return addEvents?.(events)
    }
  }
  const { app, context } = await openContext(t, failing)
  const writer = new RefusalWriter(context)
  isDown = true
  for (let count = 0; count < 600; count++) writer.add(createRefusal())
  await t.rejects(writer.flush())
  await t.rejects(writer.flush())
  t.equal(writer.size, 500)
  isDown = false
  const refusedAt = new Date(app.clock.now()).toISOString()
  app.clock.advance(21)
  await writer.flush()
  t.equal(writer.size, 0)
  const records = await readAll(app)
  const stored = records.filter(({ type }) => type === 'sign-in-refused')
  t.equal(stored.length, 500)
  t.match(stored[0], { time: new Date(app.clock.now()), data: { refusedAt } })
  const dropped = records.filter(({ type }) => type === 'refusals-dropped')
  t.match(dropped, [{ data: { count: 100 } }])

  isDown = true
  writer.add(createRefusal())
  await writer.close()
  t.match(app.logged.at(-1), ['AUDIT_LOG_REFUSALS_LOST', { lost: 1 }])
})

const skip = await withoutServer('PostgreSQL', 5432)

t.test('PostgreSQL refuses some records: all others are stored, and those are counted', { skip }, async (t) => {
  const url = await withPostgres(t)
  const adapter = postgresAdapter({ url, max: 1 })
  t.teardown(() => adapter.close?.())
  const { app, context } = await openContext(t, adapter)
  await readAll(app)
  const writer = new RefusalWriter(context)
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  const constraint = 'postern_event add constraint refused check ("userAgent" is distinct from $$refused$$)'
  await database.query(`alter table ${constraint}`)
  t.teardown(async () => {
    await database.query('alter table postern_event drop constraint refused')
    await database.end()
  })
  const refused = createRefusal({ userId: 'ada', request: { ...request, headers: { 'user-agent': 'refused' } } })

  await t.test('a few among others', async (t) => {
    for (let at = 0; at < 180; at++) writer.add([0, 60, 61, 179].includes(at) ? refused : createRefusal())
    // SQLSTATE 22021: a text of PostgreSQL contains no NUL.
    writer.add(createRefusal({ userId: 'nul\0' }))
    await writer.flush()
    const records = await readAll(app)
    t.equal(records.filter(({ type, userId }) => type === 'sign-in-refused' && userId === null).length, 176)
    const dropped = records.filter(({ type }) => type === 'refusals-dropped')
    t.same(dropped.map(({ userId, reason, data }) => `${userId} ${reason} ${data['count']}`).sort(), [
      ...Array.from({ length: 4 }, () => 'ada CredentialsSignin 1'),
      'null Other 1'
    ])
    const logged = app.logged.filter(([code]) => code === 'AUDIT_LOG_RECORD_DROPPED')
    t.equal(logged.length, 5)
    t.equal(writer.size, 0)
  })

  await t.test('nothing but such records', async (t) => {
    for (let at = 0; at < 120; at++) writer.add({ ...refused, userId: null })
    await writer.flush()
    writer.add(createRefusal({ code: 'UserSuspended' }))
    await writer.flush()
    const records = await readAll(app)
    t.equal(records.filter(({ type, userId }) => type === 'refusals-dropped' && userId === null).length, 121)
    t.match(
      records.find(({ reason }) => reason === 'UserSuspended'),
      { type: 'sign-in-refused' }
    )
  })

  await t.test('a table that does not exist refuses all records, and none is lost', async (t) => {
    const before = (await readAll(app)).length
    await database.query('alter table postern_event rename to elsewhere')
    for (let at = 0; at < 30; at++) writer.add(at % 10 === 0 ? refused : createRefusal())
    for (let attempt = 0; attempt < 3; attempt++) await t.rejects(writer.flush(), { code: 'StoreUnavailable' })
    t.equal(writer.size, 30)
    await database.query('alter table elsewhere rename to postern_event')
    await writer.flush()
    t.equal((await readAll(app)).length, before + 30)
  })
})

t.test('closing the application stores the refusals that are in memory', async (t) => {
  const app = await openAuditApplication(t, 'jwt')
  await createUser(app)
  await signIn(app.newBrowser(), ada, 'wrong')
  t.notOk((await app.adapter.listEvents?.({ limit: 10 }))?.some(({ type }) => type === 'sign-in-refused'))
  await app.auth.close()
  t.match(await app.adapter.listEvents?.({ type: 'sign-in-refused', limit: 10 }), [{ provider: 'password' }])
})

t.test('the record of a deletion has no address and no browser, and says who asked for it', async (t) => {
  const app = await openAuditApplication(t, 'database', { auditLog: { keepDays: 30 } })
  const browser = await createUser(app)
  const page = await browser.open(`${accountPath}/delete`)
  // The clock of the tests begins on the first of January 2030.
  t.match(page.html().text, /stays in a log until February 7, 2030.*, without your name, your address and your browser/)
  const headers = { 'user-agent': 'Firefox' }
  await browser.submit(`${accountPath}/delete`, { confirmation: 'DELETE' }, { headers })
  const decision = { token: getToken(getDeletionUrl(app)), decision: 'confirm' }
  await browser.submit(linkPath, decision, { headers })
  const records = await readAll(app)
  const deletion = records.find(({ type }) => type === 'delete')
  t.match(deletion, { actor: 'user', userId: String, requestId: String, ip: null, userAgent: null })
  t.ok(records.every(({ ip, userAgent }) => ip === null && userAgent === null))
})

t.test('keepDays is the retention of the table, also of events of other features', async (t) => {
  const adapter = memoryAdapter()
  const app = await openAuditApplication(t, 'jwt', { adapter, auditLog: { keepDays: 30 } })
  await createUser(app)
  app.clock.advance(31 * 86_400)
  await signIn(app.newBrowser(), ada, first)
  await app.auth.configFor('')?.expiredRowCleanup?.finished()
  t.same(
    (await readAll(app)).map(({ time }) => time.getTime()),
    [app.clock.now()],
    'the sign-up is deleted'
  )
})

t.test('a user sees the refusals about them on the account page, and no one else’s', async (t) => {
  const app = await openAuditApplication(t, 'jwt')
  const browser = await createUser(app)
  await createUser(app, bob)
  await signIn(app.newBrowser(), ada, 'wrong')
  await signIn(app.newBrowser(), bob, 'wrong')
  await app.auth.features['audit-log'].flush()
  const rows = getRows(await browser.open(`${accountPath}/activity`))
  t.same([...rows].sort(), ['Sign-in refused', 'Signed in'])
  const german = await browser.open(`${accountPath}/activity`, { headers: { 'accept-language': 'de' } })
  t.same([...getRows(german)].sort(), ['Angemeldet', 'Anmeldung abgelehnt'])
  const bobs = await app.auth.features['audit-log'].list({ userId: (await findUser(app, bob))?.id ?? '' })
  t.same([...getTypes(bobs.records)].sort(), ['sign-in', 'sign-in-refused'])
  await t.rejects(async () => Reflect.apply(app.auth.features['audit-log'].list, null, [{ userId: undefined }]), {
    name: 'TypeError'
  })
})

t.test('an event of another feature, or of the application, becomes a record', async (t) => {
  const event = {
    ...{ id: '1', time: new Date(0), userId: 'ada', sessionId: null, ip: null, userAgent: null, provider: null },
    ...{ requestId: null, data: null }
  }
  const types = { 'pin-wrong': { actor: 'user', outcome: 'refused', text: '' } } as const
  const cases: readonly (readonly [Partial<EventRecord>, object])[] = [
    [
      { type: 'pin-wrong', data: 'x' },
      { outcome: 'refused', actor: 'user', data: { value: 'x' } }
    ],
    [{ type: 'other' }, { outcome: 'success', actor: 'system', data: {} }],
    [
      { type: 'other', requestId: 'r' },
      { outcome: 'success', actor: 'user' }
    ],
    [
      { type: 'toString', data: '[1]' },
      { outcome: 'success', actor: 'system', data: { value: '[1]' } }
    ],
    [
      { type: 'other', data: '{"actor":"root","outcome":1,"reason":2,"a":3}' },
      { outcome: 'success', actor: 'system', reason: null, data: { a: 3 } }
    ]
  ]
  for (const [changes, expected] of cases)
    t.match(toAuditRecord({ type: '', ...event, ...changes }, types), expected, JSON.stringify(changes))
})
