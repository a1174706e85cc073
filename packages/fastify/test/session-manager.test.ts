import { memoryAdapter } from '@postern/adapters/memory'
import { AccountError } from '@postern/core'
import t from 'tap'
import { startInstance } from './advisories/pausing.ts'
import { cookieNames, getSession, signInAtIssuer, signInByForm, signInByMail, start } from './start.ts'
import { isSignedIn, signInWithRecords, startWithRecords, thief } from './start-with-session-records.ts'

const day = 24 * 60 * 60
const strategies = ['jwt', 'database'] as const

for (const strategy of strategies) {
  const session = { strategy }

  t.test(`${strategy}: devices are listed, the newest first, and the own one is marked`, async (t) => {
    const started = await startWithRecords(t, { session })
    const { clock, newBrowser, list, app } = started
    const phone = await signInWithRecords(newBrowser(), 'Safari')
    clock.advance(60)
    const laptop = await signInWithRecords(newBrowser(), 'x'.repeat(600))
    const devices = await list(laptop)
    t.match(devices, [
      {
        userAgent: 'x'.repeat(512),
        isCurrent: true,
        provider: 'credentials',
        authentication: {
          amr: ['pwd'],
          authTime: '2030-01-01T00:01:00.000Z',
          provider: { id: 'credentials', acr: null }
        },
        address: '127.0.0.1'
      },
      { userAgent: 'Safari', isCurrent: false, createdAt: '2030-01-01T00:00:00.000Z' }
    ])
    t.same(Object.keys(devices[0] ?? {}).toSorted(), [
      ...[
        'actor',
        'address',
        'authentication',
        'createdAt',
        'expires',
        'id',
        'isCurrent',
        'lastSeen',
        'provider',
        'userAgent',
        'userId'
      ]
    ])
    for (const { id } of devices) {
      const guess = newBrowser()
      guess.cookies.set(cookieNames.sessionToken, id, { secure: true })
      t.notOk(await isSignedIn(guess), 'an id is not a key')
    }
    t.same(
      (await list(phone)).map(({ isCurrent }) => isCurrent),
      [false, true]
    )
    t.notOk('isCurrent' in ((await list())[0] ?? {}), 'no one asks')
    t.same(await app.postern.sessions.list('nobody'), [])
  })

  t.test(`cookie-1: ${strategy}: one session is ended, and the others stay`, async (t) => {
    const started = await startWithRecords(t, { session })
    const { newBrowser, list, app, clock } = started
    const phone = await signInWithRecords(newBrowser(), 'Safari')
    clock.advance(1)
    const laptop = await signInWithRecords(newBrowser())
    const [, lost] = await list()
    const { sessions } = app.postern
    t.equal(await sessions.revoke('nothing'), false)
    t.equal(await sessions.revoke(lost?.id ?? '', 'somebody-else'), false)
    t.equal(await sessions.revoke(lost?.id ?? '', undefined), false, 'an unknown user has no sessions')
    t.ok(await isSignedIn(phone), 'a user cannot end another user’s session')
    const copy = thief(started, phone)
    t.equal(await sessions.revoke(lost?.id ?? '', await started.getId()), true)
    t.notOk(await isSignedIn(phone))
    t.notOk(await isSignedIn(copy))
    t.ok(await isSignedIn(laptop))
    t.equal((await list()).length, 1)
    t.equal(await sessions.revoke(lost?.id ?? ''), false, 'it is not there any more')
  })

  t.test(`${strategy}: all others are ended, and the own session remains valid`, async (t) => {
    const started = await startWithRecords(t, { session })
    const { newBrowser, list } = started
    const [phone, laptop, bob] = [
      await signInWithRecords(newBrowser(), 'Safari'),
      await signInWithRecords(newBrowser(), 'Chrome'),
      await signInWithRecords(newBrowser(), 'Opera', 'bob')
    ]
    const before = await list(laptop)
    t.equal((await laptop.open('/others')).status, 200)
    t.notOk(await isSignedIn(phone))
    t.ok(await isSignedIn(laptop))
    t.ok(await isSignedIn(bob))
    const after = await list(laptop)
    t.match(after, [{ userAgent: 'Chrome', isCurrent: true }])
    t.equal(after.length, 1)
    const own = before.find(({ isCurrent }) => isCurrent)
    t.same({ ...after[0], id: 0 }, { ...own, id: 0 }, 'it is known as before')
    t.equal((await newBrowser().open('/others')).status, 401, 'no one has no others')
  })

  t.test(`end-1: ${strategy}: a user is signed out everywhere`, async (t) => {
    const started = await startWithRecords(t, { session })
    const { newBrowser, list, app, adapter, clock } = started
    const browsers = [await signInWithRecords(newBrowser()), await signInWithRecords(newBrowser())]
    await app.postern.sessions.revokeAll(await started.getId())
    for (const browser of browsers) t.notOk(await isSignedIn(browser))
    t.same(await list(), [])
    t.same(await adapter.getSessionRecords?.({ userId: await started.getId() }), [])
    clock.advance(1)
    t.ok(await isSignedIn(await signInWithRecords(newBrowser())), 'and may come back')
    t.equal((await list()).length, 1)
  })

  t.test(`${strategy}: a deleted user's sessions end (A40)`, async (t) => {
    const started = await startWithRecords(t, { session })
    await signInAtIssuer(started, started.browser)
    const copy = thief(started, started.browser)
    await started.app.postern.deleteUser(await started.getId('ada@example.com'))
    t.notOk(await isSignedIn(started.browser))
    t.notOk(await isSignedIn(copy))
  })

  t.test(`cookie-1: ${strategy}: signing in again in one browser leaves one session`, async (t) => {
    const started = await startWithRecords(t, { session })
    await signInWithRecords(started.browser, 'Firefox')
    const copy = thief(started, started.browser)
    await signInWithRecords(started.browser, 'Firefox')
    t.ok(await isSignedIn(started.browser))
    t.notOk(await isSignedIn(copy))
    t.equal((await started.list()).length, 1)
  })

  t.test(`${strategy}: a used session is recorded when it is written, and is listed until it expires`, async (t) => {
    const started = await startWithRecords(t, { session })
    const { clock, browser, list, store } = started
    await signInWithRecords(browser)
    const [{ id } = { id: '' }] = await list()
    for (let days = 1; days <= 40; days++) {
      clock.advance(day)
      store.forget()
      t.ok(await isSignedIn(browser))
      await getSession(browser)
      t.equal(store.count('putSessionRecord'), 1)
    }
    t.match(await list(), [{ id, lastSeen: new Date('2030-02-10'), createdAt: new Date('2030-01-01') }])
    clock.advance(30 * day)
    t.same(await list(), [])
  })

  t.test(`${strategy}: a note that cannot be written ends nothing`, async (t) => {
    const { clock, browser, store, log, list } = await startWithRecords(t, { session })
    await signInWithRecords(browser)
    clock.advance(day)
    for (const method of ['getSessionRecords', 'putSessionRecord'] as const) {
      store.breakDown(method)
      t.ok(await isSignedIn(browser), method)
      clock.advance(day)
    }
    t.ok(log.some((line) => line.includes('SESSION_RECORD_ERROR')))
    store.restore()
    t.ok(await isSignedIn(browser))
    t.equal((await list())[0]?.lastSeen?.getTime(), clock.now())
  })
}

t.test('database: sessions from before devices were noted are listed with what is known', async (t) => {
  const adapter = memoryAdapter()
  const before = await start(t, { adapter, session: { strategy: 'database' } })
  await signInByForm(before.browser)
  const started = await startWithRecords(t, { adapter, session: { strategy: 'database' } })
  const old = thief(started, before.browser)
  started.clock.advance(1)
  const other = await signInWithRecords(started.newBrowser())
  const devices = await started.list(old)
  t.match(devices, [
    { userAgent: 'Firefox', isCurrent: false },
    { provider: null, userAgent: null, address: null, createdAt: null, lastSeen: null, isCurrent: true }
  ])
  t.equal(await started.app.postern.sessions.revoke(devices[1]?.id ?? ''), true)
  t.notOk(await isSignedIn(old))
  t.ok(await isSignedIn(other))
  t.equal((await started.list()).length, 1)
})

t.test('database: plain rows do not show in the list, and stay known when they are hashed', async (t) => {
  const started = await startWithRecords(t, { session: { strategy: 'database', storage: 'plain' } })
  await signInWithRecords(started.browser)
  const cookie = started.browser.cookies.get(cookieNames.sessionToken) ?? ''
  t.notOk(JSON.stringify(await started.list()).includes(cookie))
  const hashing = await started.twin({ session: { strategy: 'database', storage: 'both' } })
  t.notOk(await isSignedIn(thief(hashing, started.browser)), 'a plain token needs its second cookie')
  const moved = thief(hashing, started.browser)
  const proof = '__Secure-postern.session-proof'
  moved.cookies.set(proof, started.browser.cookies.get(proof) ?? '', { secure: true })
  t.ok(await isSignedIn(moved))
  t.match(await moved.json(`/devices/${await started.getId()}`), [{ userAgent: 'Firefox', isCurrent: true }])
  t.equal((await started.list()).length, 1)
  t.equal(await started.app.postern.sessions.revoke((await started.list())[0]?.id ?? ''), true)
  t.notOk(await isSignedIn(moved))
})

t.test('database: reading a session is one query', async (t) => {
  const { browser, store } = await startWithRecords(t, { session: { strategy: 'database' } })
  await signInWithRecords(browser)
  store.forget()
  t.ok(await isSignedIn(browser))
  t.same(
    store.calls.map(({ method }) => method),
    ['getSessionAndUser']
  )
})

t.test('adapter-1: missing adapter methods are named', async (t) => {
  const { deleteSessions: _, listSessions: __, ...poor } = memoryAdapter()
  const incomplete = (methods: string) => ({
    code: 'ADAPTER_INCOMPLETE',
    statusCode: 500,
    message: new RegExp(methods)
  })
  const rows = (await start(t, { adapter: poor, session: { strategy: 'database' } })).app.postern.sessions
  await t.rejects(rows.list('1'), incomplete('listSessions'))
  await t.rejects(rows.revoke('1'), incomplete('listSessions'))
  await t.rejects(rows.revokeAll('1'), incomplete('deleteSessions'))
  const session = { strategy: 'jwt', revocations: false } as const
  const started = await startWithRecords(t, { session })
  const { sessions } = started.app.postern
  await t.rejects(sessions.list('1'), incomplete('revoke, getRevocations, listRevocations'))
  await t.rejects(sessions.revokeAll('1'), AccountError)
  await signInWithRecords(started.browser)
  t.equal((await started.browser.open('/others')).status, 500)
  t.ok(await isSignedIn(started.browser))
})

t.test('end-1: an end of all sessions ends those of a registration with the other strategy', async (t) => {
  for (const strategy of ['jwt', 'database'] as const) {
    const adapter = memoryAdapter()
    const constants = { revocationRefresh: 0 }
    const open = (strategy: 'jwt' | 'database') => startInstance(t, { adapter, constants, session: { strategy } })
    const other = await open(strategy)
    const acting = await open(strategy === 'jwt' ? 'database' : 'jwt')
    await signInByMail(other, other.browser)
    t.ok(await isSignedIn(other.browser))
    const user = await adapter.getUserByEmail?.('ada@example.com')
    await acting.app.postern.sessions.revokeAll(user?.id ?? '')
    t.notOk(await isSignedIn(other.browser), strategy)
  }
})
