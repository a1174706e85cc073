import { memoryAdapter } from '@postern/adapters/memory'
import { withPosternTables } from '@postern/adapters/postern-tables'
import { withRedisSessions } from '@postern/adapters/redis'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { AccountError, type Adapter, type TicketKey } from '@postern/core'
import type { Feature, SecurityEvent } from '@postern/core/feature'
import type { Browser, BrowserResponse, Clock, Person } from '@postern/testkit'
import { callNumbers, inTurn, isLong, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { signInAs } from '../src/testing.ts'
import { createPausing, prepareAtIssuer, prepareByMail } from './advisories/pausing.ts'
import { openRedis, redisPort, withoutServer } from './databases.ts'
import { createTestGate, type TestGate } from './interruption-feature.ts'
import { fewInTurn } from './selections.ts'
import { withSessionRecords } from './session-records.ts'
import {
  cookieNames,
  getSession,
  origin,
  people,
  type Started,
  type StartOptions,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'
import { isSignedIn, thief } from './start-with-session-records.ts'
import { withoutTransactions } from './store-probe.ts'
import { databaseStores, localStores, storeWithoutTransactions, type TestStore } from './stores.ts'

if (isLong) t.setTimeout(0)

const strategies = ['jwt', 'database'] as const
type Strategy = (typeof strategies)[number]

/** Redis for sessions; its keys are deleted after the test. */
async function openRedisSessions(t: Test): Promise<Adapter> {
  const { redis, prefix } = openRedis(t)
  return withRedisSessions(sqliteAdapter({ file: ':memory:' }), { client: redis, prefix })
}

const ofProcess: readonly TestStore[] = [
  ...localStores,
  storeWithoutTransactions,
  {
    name: 'two adapters',
    skip: false,
    open: async () => withPosternTables(memoryAdapter(), sqliteAdapter({ file: ':memory:' }))
  }
]
const ofServers: readonly TestStore[] = [
  { name: 'Redis sessions', skip: await withoutServer('Redis', redisPort), open: openRedisSessions },
  ...databaseStores
]

/** In `npm test` a test has a store of this process, one of a server, and a strategy; in the long run each has all of them. */
const storeTurns = [ofProcess, ofServers].flatMap((group) => turnsOf(group, t)())
const someStrategies = inTurn(strategies)
const fewMethods = fewInTurn(1)

const vera: Person = { sub: 'vera', name: 'Vera', email: 'vera@example.com', email_verified: true }

type Enter = (started: Started, browser: Browser) => Promise<BrowserResponse>

interface Method {
  readonly enter: Enter
  readonly address: string
}

/** Every way to sign in. */
const methods: Readonly<Record<string, Method>> = {
  oidc: { enter: (started, browser) => signInAtIssuer(started, browser, vera), address: 'vera@example.com' },
  'mailed link': { enter: (started, browser) => signInByMail(started, browser), address: 'ada@example.com' },
  'mailed code': {
    enter: async ({ mailbox }, browser) => {
      await browser.submit('/api/auth/signin/email', { email: 'bob@example.com' })
      return browser.submit('/api/auth/callback/email', { code: mailbox.last().code ?? '' })
    },
    address: 'bob@example.com'
  },
  credentials: { enter: (_started, browser) => signInByForm(browser, 'grace'), address: 'grace@example.com' },
  'method of a feature': {
    enter: async ({ app }, browser) =>
      browser.submit('/api/auth/callback/pass', { pass: await app.postern.features.gate.createPass('paul') }),
    address: 'paul@example.com'
  }
}

async function getId({ adapter }: Started, address: string): Promise<string> {
  // The users of a form are not stored with JWT sessions.
  return (await adapter?.getUserByEmail?.(address))?.id ?? `id-${address.split('@')[0]}`
}

const isSuspendedError = ({ location }: BrowserResponse): boolean =>
  location?.startsWith(`${origin}/api/auth/error?error=UserSuspended`) ?? false

/** An application with every way to sign in; the interruption is not due. */
async function startAll(t: Test, adapter: Adapter, options: StartOptions = {}): Promise<Started & { gate: TestGate }> {
  const gate = createTestGate(false)
  const features = [gate.feature, ...(options.features ?? [])]
  const started = await start(t, { rateLimit: false, instances: 1, ...options, adapter, features })
  t.teardown(() => adapter.close?.())
  return { ...started, gate }
}

/** Since when a user is suspended. */
const getSuspension = async (adapter: Adapter | null | undefined, userId: string): Promise<Date | null> =>
  (await adapter?.getUserVersion?.(userId))?.suspendedAt ?? null

/** What a sign-in writes for a user. */
async function getState({ adapter }: Started, userId: string) {
  return {
    user: await adapter?.getUser?.(userId),
    accounts: await adapter?.getAccounts?.(userId),
    records: await adapter?.getSessionRecords?.({ userId }),
    sessions: await adapter?.listSessions?.(userId)
  }
}

/** The keys of the tickets of a kind that were created since the last call of `forget`. */
function ticketsIn({ store }: Started, kind: string): readonly TicketKey[] {
  const created = store.calls.flatMap(({ method, args }) => (method === 'createTicket' ? args : []))
  return created.filter((ticket): ticket is TicketKey => isTicketKey(ticket) && ticket.kind === kind)
}

const isTicketKey = (value: unknown): value is TicketKey =>
  typeof value === 'object' && value !== null && 'kind' in value && 'id' in value

for (const { value: store, test: testOnStore } of storeTurns)
  for (const { value: strategy, test } of turnsOf(strategies, { test: testOnStore })()) {
    const { name, skip, open: openStore } = store
    test(`suspend-3: a suspended user has no session and no way in: ${strategy}, ${name}`, { skip }, async (t) => {
      const events: string[] = []
      const listeners = Object.fromEntries(
        (['signIn', 'createUser', 'updateUser', 'linkAccount', 'reclaimUser'] as const).map((event) => [
          event,
          () => void events.push(event)
        ])
      )
      const started = await startAll(t, await openStore(t), { session: { strategy }, events: listeners })
      const { users } = started.app.postern
      for (const [method, { enter, address }] of fewMethods(Object.entries(methods))) {
        const browser = started.newBrowser()
        t.equal((await enter(started, browser)).location, origin, method)
        t.ok(await isSignedIn(browser), method)
        const copy = thief(started, browser)
        const id = await getId(started, address)
        await users.suspend(id)
        await users.suspend(id)
        t.notOk(await isSignedIn(browser), `${method}: the session ended`)
        t.equal((await copy.open('/me', { headers: { accept: 'application/json' } })).status, 401)
        const before = await getState(started, id)
        t.same([before.records, before.sessions], [[], []], `${method}: no session is stored`)
        events.length = 0
        for (const next of [browser, started.newBrowser()]) {
          t.ok(isSuspendedError(await enter(started, next)), `${method}: the sign-in is refused`)
          t.same(await getSession(next), {}, method)
        }
        t.same(await getState(started, id), before, `${method}: nothing is written`)
        t.same(events, [], method)
        await users.resume(id)
        await users.resume(id)
        t.notOk(await isSignedIn(browser), `${method}: the earlier session stays ended`)
        // A form that arrives in the millisecond of an end came before it.
        started.clock.advance(1)
        t.equal((await enter(started, started.newBrowser())).location, origin, `${method}: the user may sign in`)
      }
    })

    test(`suspend-3: a suspension during a sign-in ends it: ${strategy}, ${name}`, { skip }, async (t) => {
      const during: { suspend: (() => Promise<void>) | null } = { suspend: null }
      // Runs after the first check and before the session is created, in every way to sign in.
      const remember = async (): Promise<boolean> => {
        await during.suspend?.()
        return true
      }
      const started = await startAll(t, await openStore(t), { session: { strategy, remember } })
      const { users } = started.app.postern
      for (const [method, { enter, address }] of fewMethods(Object.entries(methods))) {
        during.suspend = null
        await enter(started, started.newBrowser())
        const id = await getId(started, address)
        during.suspend = () => users.suspend(id)
        const browser = started.newBrowser()
        t.ok(isSuspendedError(await enter(started, browser)), method)
        t.notOk(browser.cookies.get(cookieNames.sessionToken), method)
        const { records, sessions } = await getState(started, id)
        t.same([records, sessions], [[], []], `${method}: no session is stored`)
      }
    })

    test(`suspend-2: pending sign-ins end, also those in progress: ${strategy}, ${name}`, { skip }, async (t) => {
      const started = await startAll(t, await openStore(t), { session: { strategy } })
      const { gate, app, newBrowser, clock } = started
      const { users } = app.postern
      for (const [method, { enter, address }] of fewMethods(Object.entries(methods))) {
        gate.isDue = false
        clock.advance(1)
        await enter(started, newBrowser())
        const id = await getId(started, address)
        gate.isDue = true
        const pending = newBrowser()
        t.match((await enter(started, pending)).location, /verify\?error=VerificationRequired/, method)
        await users.suspend(id)
        await users.resume(id)
        t.match((await pending.submit('/api/auth/verify/ask', { answer: 'yes' })).location, /error=Callback/, method)
        t.same(await getSession(pending), {}, method)
        // The suspension is written after the first check, and before the ticket.
        gate.whenAsked = async () => {
          gate.whenAsked = null
          await users.suspend(id)
        }
        const late = newBrowser()
        // A form that arrives in the millisecond of an end came before it.
        clock.advance(1)
        t.ok(isSuspendedError(await enter(started, late)), `${method}: in progress`)
        await users.resume(id)
        t.match((await late.open('/api/auth/verify')).location, /error=Callback/, method)
        // The suspension is written while the interruption passes.
        const resumed = newBrowser()
        await enter(started, resumed)
        gate.isDue = true
        gate.whenAsked = async () => {
          gate.whenAsked = null
          await users.suspend(id)
        }
        t.not((await resumed.submit('/api/auth/verify/ask', { answer: 'yes' })).location, origin, method)
        t.same(await getSession(resumed), {}, method)
        await users.resume(id)
      }
    })

    test(`suspend-1: a user is deleted while suspended: ${strategy}, ${name}`, { skip }, async (t) => {
      const started = await startAll(t, await openStore(t), { session: { strategy } })
      const { app, adapter } = started
      await signInByMail(started, started.browser)
      const id = await getId(started, 'ada@example.com')
      await app.postern.users.suspend(id)
      t.ok(await getSuspension(adapter, id))
      await app.postern.deleteUser(id)
      t.equal(await getSuspension(adapter, id), null)
      await signInByMail(started, started.browser)
      t.not(await getId(started, 'ada@example.com'), id)
      t.ok(await isSignedIn(started.browser), 'the address signs up again')
    })
  }

for (const { name, skip, open: openStore } of [...ofProcess, ...ofServers].filter(({ name }) =>
  (isLong ? /memory|SQL|Maria/ : /memory|Maria/).test(name)
))
  t.test(`the row of a user who is deleted during a suspension is not suspended: ${name}`, { skip }, async (t) => {
    const adapter = await openStore(t)
    let act = async (): Promise<unknown> => undefined
    const acting: Adapter = {
      ...adapter,
      transact: async (calls) => {
        const acts = act
        act = async () => undefined
        await acts()
        return adapter.transact?.(calls) ?? false
      }
    }
    const started = await startAll(t, acting)
    const { app, browser } = started
    await signInByMail(started, browser)
    const id = await getId(started, 'ada@example.com')
    act = () => app.postern.deleteUser(id)
    await t.rejects(app.postern.users.suspend(id), { code: 'UNKNOWN_USER' })
    t.equal(await getSuspension(adapter, id), null)
    await signInByMail(started, browser)
    const next = await getId(started, 'ada@example.com')
    let changes = 0
    const changeAddress = async (): Promise<void> => {
      act = changeAddress
      await adapter.updateUser?.({ id: next, email: `grace-${changes++}@example.com` })
    }
    act = changeAddress
    await app.postern.users.suspend(next)
    t.ok(await getSuspension(adapter, next), 'a change of the address each time prevents nothing')
  })

t.test('suspend-4: other processes refuse the session within a second, whatever their strategy', async (t) => {
  for (const strategy of someStrategies()) {
    for (const other of strategies) {
      const label = `${other}, suspended with ${strategy}`
      const clocks: Clock[] = []
      const adapter = withSessionRecords(memoryAdapter(), () => clocks[0]?.now() ?? 0)
      const [here, there] = [
        await startAll(t, adapter, { session: { strategy } }),
        await startAll(t, adapter, { session: { strategy: other } })
      ]
      clocks.push(here.clock)
      await signInByMail(there, there.browser)
      t.ok(await isSignedIn(there.browser), label)
      await here.app.postern.users.suspend(await getId(there, 'ada@example.com'))
      there.clock.advance(1)
      t.notOk(await isSignedIn(there.browser), label)
      t.ok(isSuspendedError(await signInByMail(there, there.newBrowser())), label)
    }
  }
})

t.test('suspend-1: a suspension outlives the secret', async (t) => {
  for (const strategy of someStrategies()) {
    const adapter = memoryAdapter()
    const before = await startAll(t, adapter, {
      session: { strategy },
      secret: 'the first secret, of 32 characters or more'
    })
    await signInByMail(before, before.browser)
    const id = await getId(before, 'ada@example.com')
    await before.app.postern.users.suspend(id)
    const after = await startAll(t, adapter, { session: { strategy } })
    t.ok(isSuspendedError(await signInByMail(after, after.browser)), strategy)
    await after.app.postern.users.resume(id)
    t.equal((await signInByMail(after, after.browser)).location, origin, strategy)
  }
})

t.test('a suspension stays when expired rows are deleted', async (t) => {
  const adapter = sqliteAdapter({ file: ':memory:' })
  const started = await startAll(t, adapter)
  await signInByMail(started, started.browser)
  const id = await getId(started, 'ada@example.com')
  await started.app.postern.users.suspend(id)
  await adapter.deleteExpired?.(new Date('2999-01-01'), 100)
  t.ok(await getSuspension(adapter, id))
})

t.test('no account is linked to a suspended user, and none is joined or claimed', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAll(t, memoryAdapter(), { session: { strategy } })
    const { app, adapter, browser } = started
    const users = app.postern.users
    const ada: Person = { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true }
    await signInByMail(started, browser)
    const id = await getId(started, 'ada@example.com')
    const link = await prepareAtIssuer(started, browser, ada)
    await users.suspend(id)
    t.not((await link()).location, origin, 'the session that started the link has ended')
    t.same(await adapter?.getAccounts?.(id), [], strategy)
    const created = await adapter?.createUser?.({ name: null, email: 'vera@example.com', emailVerified: null })
    started.store.forget()
    await app.postern.invite(created?.id ?? '', { expiresIn: 60 })
    const [invitation] = ticketsIn(started, 'invitation')
    t.ok(invitation && (await adapter?.readTicket?.(invitation)))
    await users.suspend(created?.id ?? '')
    t.equal(invitation && (await adapter?.readTicket?.(invitation)), null, 'the invitation ends')
    t.ok(isSuspendedError(await signInByMail(started, started.newBrowser(), 'vera@example.com')), strategy)
    t.notOk((await adapter?.getUser?.(created?.id ?? ''))?.emailVerified, 'the address stays unverified')
  }
})

t.test('suspend-5: asking for a mail does not show whether a user is suspended', async (t) => {
  const started = await startAll(t, memoryAdapter())
  const { mailbox } = started
  for (const address of ['ada@example.com', 'bob@example.com'])
    await signInByMail(started, started.newBrowser(), address)
  await started.app.postern.users.suspend(await getId(started, 'ada@example.com'))
  const ask = async (email: string) => {
    const count = mailbox.mails.length
    const { status, location, body } = await started.newBrowser().submit('/api/auth/signin/email', { email })
    return { status, location, body, mails: mailbox.mails.length - count }
  }
  const answers = [await ask('ada@example.com'), await ask('bob@example.com'), await ask('eve@example.com')]
  t.equal(answers[0]?.mails, 1)
  t.same(answers[0], answers[1])
  t.same(answers[0], answers[2])
  t.match(
    (await started.newBrowser().submit('/api/auth/callback/credentials', { username: 'ada', password: 'wrong' }))
      .location,
    /CredentialsSignin/
  )
})

t.test('suspend-5: the page explains it, and next-auth clients are not signed in', async (t) => {
  const started = await startAll(t, memoryAdapter(), { session: { strategy: 'database' } })
  const { browser, app } = started
  await signInByForm(browser, 'grace')
  await app.postern.users.suspend(await getId(started, 'grace@example.com'))
  const page = await browser.followAll(await signInByForm(browser, 'grace'))
  t.equal(page.status, 403)
  t.match(page.body, 'Account suspended')
  const fields = { username: 'grace', password: 'lovelace', json: 'true' }
  const answer = await browser.submit('/api/auth/callback/credentials', fields)
  t.equal(answer.status, 403)
  t.match(JSON.parse(answer.body), { url: /\/api\/auth\/error\?error=UserSuspended/ })
  t.ok(started.log.some((line) => line.includes('USER_SUSPENDED_ERROR')))
  const user = { id: await getId(started, 'grace@example.com') }
  await t.rejects(signInAs(app, user, { origin }), { code: 'UserSuspended' })
})

t.test('suspend-2: a known device is forgotten', async (t) => {
  const started = await startAll(t, memoryAdapter(), { session: { strategy: 'jwt' }, rateLimit: {} })
  const { browser, clock, app, newBrowser } = started
  const guess = (each: Browser) =>
    each.submit('/api/auth/callback/credentials', { username: 'grace', password: 'wrong' })
  await signInByForm(browser, 'grace')
  const known = newBrowser()
  await signInByForm(known, 'grace')
  clock.advance(31)
  await app.postern.users.suspend('id-grace')
  await app.postern.users.resume('id-grace')
  for (let count = 0; count < 20; count++) await guess(newBrowser())
  t.equal((await signInByForm(known, 'grace')).status, 429, 'it has no limits of its own')
})

t.test('features learn of a suspension in its transaction, once', async (t) => {
  const seen: SecurityEvent[] = []
  const log: Feature = {
    id: 'log',
    needs: ['addEvents'],
    setup: (context) => ({
      onEvent: (event) => {
        seen.push(event)
        return [{ method: 'addEvents', args: [[context.createEvent(event.type, { ...event, provider: null })]] }]
      }
    })
  }
  for (const strategy of someStrategies()) {
    for (const adapter of [memoryAdapter(), withoutTransactions(memoryAdapter())]) {
      const started = await startAll(t, adapter, { session: { strategy }, features: [log] })
      await signInByMail(started, started.browser)
      const id = await getId(started, 'ada@example.com')
      const { suspend, resume } = started.app.postern.users
      seen.length = 0
      started.store.forget()
      for (let count = 0; count < 3; count++) await suspend(id)
      if (adapter.transact) {
        const transaction = JSON.stringify(started.store.calls.find(({ method }) => method === 'transact'))
        t.match(transaction, /advanceUser.*suspendedAt.*addEvents/)
      }
      t.same(started.gate.ended.at(-1), { userId: id, sessionId: null })
      t.match(seen[0], { type: 'suspend', userId: id, account: null, request: null })
      for (let count = 0; count < 3; count++) await resume(id)
      const stored = (await adapter.listEvents?.({ userId: id, limit: 100 })) ?? []
      for (const type of ['suspend', 'resume']) t.equal(stored.filter((event) => event.type === type).length, 1, type)
      await Promise.all(Array.from({ length: 5 }, () => suspend(id)))
      t.ok(await getSuspension(adapter, id), 'calls at once')
      await Promise.all(Array.from({ length: 5 }, () => resume(id)))
      t.notOk(await getSuspension(adapter, id), 'calls at once')
    }
  }
})

t.test(
  'suspend-7: a suspension that fails changes nothing; halfway, without transactions, it is in force',
  async (t) => {
    for (const strategy of someStrategies()) {
      for (const adapter of [memoryAdapter(), withoutTransactions(memoryAdapter())]) {
        const started = await startAll(t, adapter, { session: { strategy } })
        const { users } = started.app.postern
        await signInByMail(started, started.browser)
        const id = await getId(started, 'ada@example.com')
        started.store.breakDown('advanceUser')
        await t.rejects(users.suspend(id), { code: 'StoreUnavailable' })
        started.store.restore()
        t.ok(await isSignedIn(started.browser), 'nothing has changed')
        started.store.breakDown('deleteSessions')
        await t.rejects(users.suspend(id), { code: 'StoreUnavailable' })
        started.store.restore()
        t.equal(await isSuspended(started), !adapter.transact, strategy)
        await users.suspend(id)
        t.notOk(await isSignedIn(started.browser), strategy)
        t.ok(await isSuspended(started), strategy)
      }
    }
  }
)

const isSuspended = async (started: Started): Promise<boolean> =>
  isSuspendedError(await signInByMail(started, started.newBrowser()))

t.test('suspend-3: at any call of a sign-in, a suspension leaves no session', async (t) => {
  for (const [method, { enter, address }] of Object.entries(methods)) {
    for (const strategy of someStrategies()) {
      const pausing = createPausing(memoryAdapter())
      const started = await startAll(t, pausing.adapter, { session: { strategy } })
      await enter(started, started.newBrowser())
      const id = await getId(started, address)
      const { suspend, resume } = started.app.postern.users
      for (const at of callNumbers()) {
        const browser = started.newBrowser()
        const { isDone, method: call } = await pausing.runAt(
          at,
          () => enter(started, browser),
          () => suspend(id)
        )
        if (!isDone) break
        t.notOk(await isSignedIn(browser), `${strategy}, ${method}, before call ${at}, ${call}`)
        await resume(id)
        t.notOk(await isSignedIn(browser), `${strategy}, ${method}, resumed, ${call}`)
      }
    }
  }
})

t.test('suspend-6: at any call of a claim, a suspension leaves no session, and stays', async (t) => {
  for (const openStore of [memoryAdapter, () => withoutTransactions(memoryAdapter())]) {
    for (const strategy of strategies) {
      const pausing = createPausing(openStore())
      const started = await startAll(t, pausing.adapter, { session: { strategy } })
      const { suspend } = started.app.postern.users
      for (const at of callNumbers()) {
        const email = `user-${at}@example.com`
        const user = await started.adapter?.createUser?.({ name: null, email, emailVerified: null })
        await started.adapter?.linkAccount?.({
          ...{ provider: 'demo', providerAccountId: `trojan-${at}`, type: 'oidc' },
          userId: user?.id ?? ''
        })
        const browser = started.newBrowser()
        const openLink = await prepareByMail(started, browser, email)
        const { isDone, method } = await pausing.runAt(at, openLink, () => suspend(user?.id ?? ''))
        if (!isDone) break
        t.notOk(await isSignedIn(browser), `${strategy}, before call ${at}, ${method}`)
        const again = await signInByMail(started, started.newBrowser(), email)
        t.ok(isSuspendedError(again), `${strategy}, before call ${at}, ${method}: still suspended`)
      }
    }
  }
})

t.test('at any call of a read or an update of a session, a suspension ends it, also if it is renewed', async (t) => {
  const requests: Readonly<Record<string, (browser: Browser) => Promise<unknown>>> = {
    read: getSession,
    update: (browser) => browser.submit('/api/auth/session', { data: 'x' }),
    'a protected route': (browser) => browser.open('/me')
  }
  for (const [name, request] of Object.entries(requests)) {
    for (const strategy of someStrategies()) {
      const pausing = createPausing(memoryAdapter())
      const started = await startAll(t, pausing.adapter, { session: { strategy } })
      await signInByMail(started, started.newBrowser())
      const id = await getId(started, 'ada@example.com')
      const { suspend, resume } = started.app.postern.users
      for (const at of callNumbers()) {
        const browser = started.newBrowser()
        await signInByMail(started, browser)
        started.clock.advance(2 * 24 * 60 * 60)
        const { isDone, method } = await pausing.runAt(
          at,
          () => request(browser),
          () => suspend(id)
        )
        if (!isDone) break
        t.notOk(await isSignedIn(browser), `${strategy}, ${name}, before ${method}`)
        await resume(id)
        t.notOk(await isSignedIn(browser), `${strategy}, ${name}, before ${method}: resumed`)
      }
    }
  }
})

t.test('what cannot be suspended is refused, and changes nothing', async (t) => {
  const refused = (users: Started['app']['postern']['users'], code: AccountError['code'], id: string = 'nobody') =>
    Promise.all([users.suspend, users.resume].map((call) => t.rejects(call(id), { name: 'AccountError', code })))
  for (const strategy of someStrategies()) {
    const started = await startAll(t, memoryAdapter(), { session: { strategy }, providers: [] })
    await refused(started.app.postern.users, 'UNKNOWN_USER')
    for (const id of [undefined, null, '', 5, {}] as unknown[])
      for (const call of [started.app.postern.users.suspend, started.app.postern.users.resume])
        await t.rejects(call(id as string), { name: 'TypeError' })
  }
  const { advanceUser: _, ...withoutVersions } = memoryAdapter()
  const poor = await start(t, { adapter: withoutVersions, session: { strategy: 'database' }, instances: 1 })
  await signInByForm(poor.browser, 'grace')
  await refused(poor.app.postern.users, 'ADAPTER_INCOMPLETE', await getId(poor, 'grace@example.com'))
  t.ok(await isSignedIn(poor.browser))
  const { deleteSessions: __, ...endless } = memoryAdapter()
  const incomplete: readonly [Strategy, StartOptions][] = [
    ['database', { adapter: endless, session: { strategy: 'database' } }],
    ['jwt', { adapter: memoryAdapter(), session: { strategy: 'jwt', revocations: false } }]
  ]
  for (const [strategy, options] of incomplete) {
    const started = await start(t, { ...options, instances: 1 })
    await signInAtIssuer(started, started.browser, vera)
    const id = await getId(started, 'vera@example.com')
    await t.rejects(started.app.postern.users.suspend(id), AccountError)
    t.equal(await getSuspension(started.adapter, id), null, strategy)
    t.ok(await isSignedIn(started.browser), strategy)
  }
  const none = await start(t, { store: 'none', providers: [people], instances: 1 })
  await refused(none.app.postern.users, 'ADAPTER_INCOMPLETE')
})
