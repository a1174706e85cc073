import { memoryAdapter } from '@postern/adapters/memory'
import { AccountError, type Adapter, AuthError, type EventRecord } from '@postern/core'
import { type Feature, json, type SecurityEvent } from '@postern/core/feature'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { isLong, turnsOf } from '@postern/testkit/long'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { requireSession } from '../src/index.ts'
import {
  cookieNames,
  getSession,
  type Started,
  type StartOptions,
  signInAtIssuer,
  signInByMail,
  start
} from './start.ts'
import { thief } from './start-with-session-records.ts'
import { databaseStores, localStores } from './stores.ts'

if (isLong) t.setTimeout(0)

const strategies = ['jwt', 'database'] as const
type Strategy = (typeof strategies)[number]
const asJson = { headers: { accept: 'application/json' } }

/** A feature with a route for the user, one that allows impersonation, and one for everyone that asks for the user. */
function createNotes(events: SecurityEvent[]): Feature {
  return {
    id: 'notes',
    setup: () => ({
      routes: [
        { method: 'GET', path: '/notes', run: () => json({ notes: [] }) },
        { method: 'POST', path: '/notes', run: () => json({ written: true }) },
        {
          method: 'GET',
          path: '/notes/read',
          impersonation: 'allowed',
          run: async (request) => json(await request.requireUser())
        },
        {
          method: 'GET',
          path: '/notes/open',
          access: 'anyone',
          run: async (request) => json(await request.requireUser())
        },
        {
          method: 'POST',
          path: '/notes/end',
          access: 'anyone',
          run: async (request) => {
            await request.endOtherSessions()
            return json({})
          }
        }
      ],
      afterEvent: (event) => void events.push(event)
    })
  }
}

const getAnswer = async <T extends object>(work: Promise<T>): Promise<object> =>
  work.catch((error: unknown) => {
    if (error instanceof AccountError || error instanceof AuthError)
      return { code: error.code, status: error.statusCode }
    throw error
  })

function addRoutes(app: FastifyInstance): void {
  app.post<{ Body: { userId: string; expiresIn?: number } }>('/impersonate', async (request, reply) => {
    const { userId, expiresIn } = request.body
    const { users } = app.postern
    const result = await getAnswer(users.impersonate(request, reply, userId, { reason: 'ticket 42', expiresIn }))
    return { ...result, authentication: await request.getAuthentication() }
  })
  app.post('/stop', async (request, reply) =>
    getAnswer(app.postern.users.stopImpersonating(request, reply).then(() => ({ stopped: true })))
  )
  app.post<{ Body: { userId: string } }>('/sign-in', async (request, reply) =>
    getAnswer(app.postern.signIn(request, reply, request.body.userId))
  )
  app.post('/revoke-others', async (request) =>
    getAnswer(app.postern.sessions.revokeOthers(request).then(() => ({ revoked: true })))
  )
  app.get('/authentication', async (request) => ({ authentication: await request.getAuthentication() }))
  app.get('/fresh', { onRequest: requireSession.with({ freshWithin: 600 }) }, async () => ({ fresh: true }))
}

interface Stage extends Started {
  readonly adminId: string
  readonly userId: string
  readonly admin: Browser
  readonly events: SecurityEvent[]
  readonly emitted: string[]
}

/** An application with a signed-in administrator, and a user who has signed in before. */
async function open(t: Test, strategy: Strategy, options: StartOptions = {}): Promise<Stage> {
  const events: SecurityEvent[] = []
  const emitted: string[] = []
  const note = (name: string) => () => void emitted.push(name)
  const started = await start(t, {
    rateLimit: false,
    instances: 1,
    ...options,
    session: { strategy, ...options.session },
    features: [createNotes(events), ...(options.features ?? [])],
    events: { signIn: note('signIn'), signOut: note('signOut'), linkAccount: note('linkAccount') },
    before: addRoutes
  })
  const find = async (address: string): Promise<string> =>
    (await started.app.postern.users.find({ email: address }))?.id ?? ''
  await signInByMail(started, started.newBrowser(), 'bob@example.com')
  const admin = started.newBrowser()
  await signInByMail(started, admin, 'ada@example.com')
  const [adminId, userId] = [await find('Ada@Example.com '), await find('bob@example.com')]
  events.length = 0
  emitted.length = 0
  return { ...started, adminId, userId, admin, events, emitted }
}

const post = (browser: Browser, path: string, body: object = {}): Promise<BrowserResponse> =>
  browser.post(path, JSON.stringify(body), { accept: 'application/json', 'content-type': 'application/json' })

const read = async (browser: Browser, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> =>
  JSON.parse((body ? await post(browser, path, body) : await browser.open(path, asJson)).body)

const impersonate = (browser: Browser, userId: string, expiresIn?: number) =>
  read(browser, '/impersonate', { userId, ...(expiresIn === undefined ? {} : { expiresIn }) })

const getAddress = async (browser: Browser): Promise<string | null> => (await getSession(browser)).user?.email ?? null

const forbidden = { code: 'ImpersonationForbidden', status: 403 }

const turns = turnsOf(strategies, t)
/** In `npm test` a test has one store of this process, and one of a server. */
const storeTurns = () => [localStores, databaseStores].flatMap((group) => turnsOf(group, t)())

for (const { value: store, test: testOnStore } of storeTurns())
  for (const { value: strategy, test } of turnsOf(strategies, { test: testOnStore })()) {
    const { name, skip, open: openStore } = store
    test(`an administrator acts as a user, and stops: ${strategy}, ${name}`, { skip }, async (t) => {
      const adapter = await openStore(t)
      const stage = await open(t, strategy, { adapter })
      t.teardown(() => adapter.close?.())
      const { admin, adminId, userId, clock, events, emitted } = stage
      const copy = thief(stage, admin)
      const started = await impersonate(admin, userId)
      t.equal(started['expires'], new Date(Math.floor(clock.now() / 1000) * 1000 + 3_600_000).toISOString())
      const actor = { userId: adminId }
      t.match(
        started['authentication'],
        { userId, actor, amr: [], authTime: null, provider: null },
        'in the same request'
      )
      t.match(await getSession(admin), { user: { email: 'bob@example.com' }, actor, expires: started['expires'] })
      t.match(await read(admin, '/authentication'), { authentication: { userId, actor, amr: [], authTime: null } })
      const [listed] = (await stage.app.postern.sessions.list(userId)).filter((session) => session.actor)
      t.match(
        listed,
        { actor, userAgent: null, address: null, provider: null },
        'the user does not see who it is from where'
      )
      t.same(emitted, [], 'the user has not signed in')
      t.equal(await getAddress(copy), 'ada@example.com', 'the session of the administrator stays')
      t.match(await read(admin, '/stop', {}), { stopped: true })
      t.same(await getSession(admin), {}, 'nobody is signed in')
      t.same(await getSession(copy), {}, 'the session of the administrator has ended')
      t.same(emitted, [], 'the user has not signed out')
      t.match(await read(admin, '/stop', {}), { code: 'NOT_IMPERSONATING', status: 409 })
      const own = events.filter(({ type }) => type.startsWith('impersonation'))
      t.match(own, [
        { type: 'impersonation-start', userId, actor, reason: 'ticket 42', sessionId: String },
        { type: 'impersonation-end', userId, actor, reason: null, sessionId: String }
      ])
      const records: readonly EventRecord[] = (await adapter.listEvents?.({ userId, limit: 10 })) ?? []
      const stored = records.map(({ type, data }) => [type, JSON.parse(data ?? 'null')])
      t.match(stored.sort(), [
        ['impersonation-end', { actor: 'administrator', impersonation: actor }],
        ['impersonation-start', { actor: 'administrator', impersonation: { ...actor, reason: 'ticket 42' } }]
      ])
    })
  }

for (const { value: strategy, test } of turns()) {
  test(`what only the user may do is refused: ${strategy}`, async (t) => {
    const stage = await open(t, strategy)
    const { admin, userId, adminId, adapter, emitted } = stage
    await impersonate(admin, userId)
    const refused = async (response: Promise<BrowserResponse>, what: string): Promise<void> => {
      const { status, location, body } = await response
      t.ok(
        status === 403 ||
          (location ?? '').includes('error=ImpersonationForbidden') ||
          body.includes('ImpersonationForbidden'),
        `${what}: ${status} ${location} ${body.slice(0, 100)}`
      )
      t.equal(await getAddress(admin), 'bob@example.com', `${what}: the impersonation goes on`)
    }
    t.match(await impersonate(admin, adminId), forbidden, 'an impersonation from an impersonation')
    t.match(await read(admin, '/sign-in', { userId: adminId }), forbidden, 'app.postern.signIn')
    t.match(await read(admin, '/revoke-others', {}), forbidden, 'ending the sessions of the user')
    const json = await admin.open('/api/auth/notes', asJson)
    t.equal(json.status, 403, json.body)
    t.match(json.body, 'ImpersonationForbidden', 'as JSON')
    t.equal((await admin.open('/api/auth/notes', { headers: { accept: 'text/html' } })).status, 403, 'as a page')
    t.equal((await admin.submit('/api/auth/notes', {})).status, 403, 'a form of a feature')
    t.equal(
      (await admin.open('/api/auth/notes/open', asJson)).status,
      403,
      'a route for everyone that requires the user'
    )
    t.equal((await admin.submit('/api/auth/notes/end', {})).status, 403, 'a route that ends the other sessions')
    t.match(await read(admin, '/api/auth/notes/read'), { userId, actor: { userId: adminId } }, 'a route that allows it')
    await refused(admin.open('/api/auth/verify', { headers: { accept: 'text/html' } }), '/verify')
    await refused(admin.open('/api/auth/verify?max_age=60', asJson), '/verify as JSON')
    await refused(admin.submit('/api/auth/verify/link', {}), 'an interruption')
    await refused(signInAtIssuer(stage, admin), 'linking a provider')
    await refused(signInByMail(stage, admin, 'ada@example.com'), 'a mailed link')
    await refused(admin.submit('/api/auth/callback/credentials', { username: 'eve', password: 'lovelace' }), 'a form')
    t.equal((await admin.open('/fresh', asJson)).status, 401, 'never fresh')
    t.equal((await adapter?.getAccounts?.(userId))?.length, 0, 'no account is linked')
    t.same(emitted, [], 'nobody has signed in')
  })

  test(`an impersonation is not renewed: ${strategy}`, async (t) => {
    const jwt = {
      jwt: async ({ token }: { token: object }) => ({
        ...token,
        turn: Math.random(),
        session_actor: undefined,
        sub: 'eve'
      })
    }
    const callbacks = strategy === 'jwt' ? jwt : {}
    const stage = await open(t, strategy, { session: { updateAge: 1 }, callbacks })
    const { admin, userId, adminId, clock } = stage
    await impersonate(admin, userId)
    const copy = thief(stage, admin)
    const { expires } = await getSession(admin)
    for (let minutes = 0; minutes < 59; minutes += 10) {
      clock.advance(600 - (minutes === 50 ? 30 : 0))
      t.match(await getSession(admin), { expires, actor: { userId: adminId } }, `${minutes + 10} min`)
      await admin.submit('/api/auth/session', { 'data[role]': 'admin' })
      t.match(await getSession(admin), { expires, actor: { userId: adminId } }, 'after an update')
    }
    clock.advance(31)
    for (const browser of [admin, copy]) {
      t.same(await getSession(browser), {}, 'it has expired')
      t.equal((await browser.open('/fresh', asJson)).status, 401)
    }
  })

  test(`reading an impersonation writes no cookie: ${strategy}`, async (t) => {
    const { admin, userId, clock } = await open(t, strategy, { session: { updateAge: 1 } })
    await impersonate(admin, userId)
    const token = admin.cookies.get(cookieNames.sessionToken)
    clock.advance(600)
    t.equal(await getAddress(admin), 'bob@example.com')
    t.equal(admin.cookies.get(cookieNames.sessionToken), token)
  })

  test(`an impersonation ends after the time that was chosen: ${strategy}`, async (t) => {
    const stage = await open(t, strategy)
    const { admin, userId, clock } = stage
    await impersonate(admin, userId, 60)
    const copy = thief(stage, admin)
    clock.advance(59)
    t.equal(await getAddress(admin), 'bob@example.com')
    clock.advance(2)
    t.same(await getSession(copy), {})
    t.same(await getSession(admin), {})
    await signInByMail(stage, admin, 'ada@example.com')
    t.equal(await getAddress(admin), 'ada@example.com', 'the browser can sign in again')
  })

  for (const [how, end] of Object.entries({
    'the administrator revokes all sessions': ({ app, adminId }: Stage) => app.postern.sessions.revokeAll(adminId),
    'the session of the administrator is revoked': async ({ app, adminId }: Stage) => {
      for (const { id } of await app.postern.sessions.list(adminId)) await app.postern.sessions.revoke(id)
    },
    'the administrator is suspended': ({ app, adminId }: Stage) => app.postern.users.suspend(adminId),
    'the administrator is deleted': ({ app, adminId }: Stage) => app.postern.deleteUser(adminId),
    'the user is suspended': ({ app, userId }: Stage) => app.postern.users.suspend(userId),
    'the user is deleted': ({ app, userId }: Stage) => app.postern.deleteUser(userId),
    'the sessions of the user are revoked': ({ app, userId }: Stage) => app.postern.sessions.revokeAll(userId)
  }))
    test(`an impersonation ends when ${how}: ${strategy}`, async (t) => {
      const stage = await open(t, strategy)
      const { admin, userId } = stage
      await impersonate(admin, userId)
      const copy = thief(stage, admin)
      t.equal(await getAddress(admin), 'bob@example.com')
      await end(stage)
      t.same(await getSession(copy), {})
      t.equal((await admin.open('/api/auth/notes', asJson)).status, 401)
      t.same(await getSession(admin), {})
    })

  test(`signing out ends the impersonation and the session of the administrator: ${strategy}`, async (t) => {
    const stage = await open(t, strategy)
    const { admin, userId, events, emitted } = stage
    const copy = thief(stage, admin)
    await impersonate(admin, userId)
    const impersonation = thief(stage, admin)
    await admin.submit('/api/auth/signout', {})
    for (const browser of [admin, copy, impersonation]) t.same(await getSession(browser), {})
    t.same(emitted, [])
    t.ok(events.some(({ type }) => type === 'impersonation-end'))
  })

  test(`nobody is impersonated without a session, and no suspended, unknown or own user: ${strategy}`, async (t) => {
    const stage = await open(t, strategy)
    const { admin, userId, adminId, app, newBrowser } = stage
    t.match(await impersonate(newBrowser(), userId), { code: 'SIGNED_OUT', status: 401 })
    t.match(await impersonate(admin, 'nobody'), { code: 'UNKNOWN_USER', status: 404 })
    t.match(await impersonate(admin, adminId), forbidden, 'oneself')
    await app.postern.users.suspend(userId)
    t.match(await impersonate(admin, userId), { code: 'UserSuspended', status: 403 })
    t.equal((await post(admin, '/impersonate', { userId, expiresIn: 3601 })).status, 500, 'more than an hour')
    t.same((await app.postern.sessions.list(userId)).length, 0)
    t.equal(await getAddress(admin), 'ada@example.com')
  })

  test(`an impersonation ends no session of the user beyond a limit: ${strategy}`, async (t) => {
    const stage = await open(t, strategy, { session: { maxPerUser: 1 } })
    const { admin, userId, newBrowser, clock } = stage
    const bob = newBrowser()
    clock.advance(1)
    await signInByMail(stage, bob, 'bob@example.com')
    await impersonate(admin, userId)
    t.equal(await getAddress(bob), 'bob@example.com')
    const next = newBrowser()
    clock.advance(1)
    await signInByMail(stage, next, 'bob@example.com')
    t.same(await getSession(bob), {}, 'the oldest session of the user')
    t.equal(await getAddress(next), 'bob@example.com')
    t.equal(await getAddress(admin), 'bob@example.com')
  })

  test(`another process sees the actor and the end: ${strategy}`, async (t) => {
    const adapter = memoryAdapter()
    const one = await open(t, strategy, { adapter })
    const other = await start(t, {
      adapter,
      rateLimit: false,
      instances: 1,
      session: { strategy },
      features: [createNotes([])],
      before: addRoutes
    })
    await impersonate(one.admin, one.userId)
    const there = thief(other, one.admin)
    t.match(await getSession(there), { user: { email: 'bob@example.com' }, actor: { userId: one.adminId } })
    t.equal((await there.open('/api/auth/notes', asJson)).status, 403)
    t.match(await read(there, '/impersonate', { userId: one.adminId }), forbidden)
    await one.app.postern.sessions.revokeAll(one.adminId)
    // The store counts in real time: the clock of the test needs the complete reload of revocations.
    other.clock.advance(601)
    t.same(await getSession(there), {})
  })

  test(`callbacks.session sees the actor: ${strategy}`, async (t) => {
    const seen: unknown[] = []
    const stage = await open(t, strategy, {
      callbacks: {
        session: async ({ session }, { getAuthentication }) => {
          seen.push(session.actor ?? null, (await getAuthentication())?.actor)
          return session
        }
      }
    })
    await getSession(stage.admin)
    await impersonate(stage.admin, stage.userId)
    seen.length = 0
    await getSession(stage.admin)
    t.same(seen, [{ userId: stage.adminId }, { userId: stage.adminId }])
  })
}

t.test('an adapter that cannot end the session of the administrator is refused', async (t) => {
  const { putSessionRecord: _, getSessionRecords: __, ...adapter } = memoryAdapter()
  const { admin, userId } = await open(t, 'database', { adapter })
  t.match(await impersonate(admin, userId), { code: 'ADAPTER_INCOMPLETE', status: 500 })
})

t.test('the record of an impersonation has printable texts of limited length', async (t) => {
  const server = { genReqId: () => 'id'.repeat(200) }
  const { admin, adapter, userId } = await open(t, 'database', { server })
  const headers = { 'content-type': 'application/json', 'user-agent': 'Browser\u202e\t of Ada' }
  await admin.post('/impersonate', JSON.stringify({ userId }), headers)
  const [record] = (await adapter?.listEvents?.({ userId, limit: 1 })) ?? []
  t.equal(record?.type, 'impersonation-start')
  t.equal(record?.userAgent, 'Browser of Ada')
  t.equal(record?.requestId?.length, 128)
})

t.test('an impersonation that cannot be recorded does not begin', async (t) => {
  for (const strategy of strategies) {
    const { admin, userId, app, store } = await open(t, strategy)
    store.breakDown('addEvents')
    const before = await app.postern.sessions.list(userId)
    t.match(await impersonate(admin, userId), { code: 'StoreUnavailable' }, strategy)
    t.same(await app.postern.sessions.list(userId), before, 'no session is left')
    t.equal(await getAddress(admin), 'ada@example.com')
  }
})

for (const { value, test } of storeTurns()) {
  const { name, skip, open: openStore } = value
  test(`a user who is deleted before the impersonation is written is unknown: ${name}`, { skip }, async (t) => {
    const adapter = await openStore(t)
    t.teardown(() => adapter.close?.())
    let deletes = false
    const deleting: Adapter = {
      ...adapter,
      transact: async (calls) => {
        if (deletes) await adapter.deleteUser?.(userId)
        return adapter.transact?.(calls) ?? false
      }
    }
    const { admin, userId } = await open(t, 'database', { adapter: deleting })
    deletes = true
    t.match(await impersonate(admin, userId), { code: 'UNKNOWN_USER', status: 404 })
    t.equal(await getAddress(admin), 'ada@example.com')
  })
}
