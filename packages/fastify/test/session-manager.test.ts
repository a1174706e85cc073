import { memoryAdapter } from '@postern/adapters/memory'
import { AccountError } from '@postern/core'
import t from 'tap'
import { enter, isSignedIn, startKeeping, thief } from './start-with-session-records.ts'
import { cookieNames, sessionOf, signInAtIssuer, signInByForm, start } from './start.ts'

const day = 24 * 60 * 60
const strategies = ['jwt', 'database'] as const

for (const strategy of strategies) {
  const session = { strategy }

  t.test(`${strategy}: devices are listed, the newest first, and the own one is marked`, async (t) => {
    const kept = await startKeeping(t, { session })
    const { clock, newBrowser, list, app } = kept
    const phone = await enter(newBrowser(), 'Safari')
    clock.advance(60)
    const laptop = await enter(newBrowser(), 'x'.repeat(600))
    const devices = await list(laptop)
    t.match(devices, [
      { userAgent: 'x'.repeat(512), isCurrent: true, provider: 'credentials', address: '127.0.0.1' },
      { userAgent: 'Safari', isCurrent: false, createdAt: '2030-01-01T00:00:00.000Z' }
    ])
    t.same(Object.keys(devices[0] ?? {}).toSorted(), [
      ...['address', 'createdAt', 'expires', 'id', 'isCurrent', 'lastSeen', 'provider', 'userAgent', 'userId']
    ])
    for (const { id } of devices) {
      const guess = newBrowser()
      guess.cookies.set(cookieNames.sessionToken, id, { secure: true })
      t.notOk(await isSignedIn(guess), 'an id is no key')
    }
    t.same(
      (await list(phone)).map(({ isCurrent }) => isCurrent),
      [false, true]
    )
    t.notOk('isCurrent' in ((await list())[0] ?? {}), 'nobody asks')
    t.same(await app.postern.sessions.list('nobody'), [])
  })

  t.test(`${strategy}: one session is ended, and the others stay`, async (t) => {
    const kept = await startKeeping(t, { session })
    const { newBrowser, list, app, clock } = kept
    const phone = await enter(newBrowser(), 'Safari')
    clock.advance(1)
    const laptop = await enter(newBrowser())
    const [, lost] = await list()
    const { sessions } = app.postern
    t.equal(await sessions.revoke('nothing'), false)
    t.equal(await sessions.revoke(lost?.id ?? '', 'somebody-else'), false)
    t.equal(await sessions.revoke(lost?.id ?? '', undefined), false, 'somebody who is not known is nobody')
    t.ok(await isSignedIn(phone), 'nobody ends what is not theirs')
    const copy = thief(kept, phone)
    t.equal(await sessions.revoke(lost?.id ?? '', await kept.idOf()), true)
    t.notOk(await isSignedIn(phone))
    t.notOk(await isSignedIn(copy))
    t.ok(await isSignedIn(laptop))
    t.equal((await list()).length, 1)
    t.equal(await sessions.revoke(lost?.id ?? ''), false, 'it is not there any more')
  })

  t.test(`${strategy}: all others are ended, and the own session goes on`, async (t) => {
    const kept = await startKeeping(t, { session })
    const { newBrowser, list } = kept
    const [phone, laptop, bob] = [
      await enter(newBrowser(), 'Safari'),
      await enter(newBrowser(), 'Chrome'),
      await enter(newBrowser(), 'Opera', 'bob')
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
    t.equal((await newBrowser().open('/others')).status, 401, 'nobody has no others')
  })

  t.test(`${strategy}: a user is signed out everywhere`, async (t) => {
    const kept = await startKeeping(t, { session })
    const { newBrowser, list, app, adapter } = kept
    const browsers = [await enter(newBrowser()), await enter(newBrowser())]
    await app.postern.sessions.revokeAll(await kept.idOf())
    for (const browser of browsers) t.notOk(await isSignedIn(browser))
    t.same(await list(), [])
    t.same(await adapter.getSessionRecords?.({ userId: await kept.idOf() }), [])
    t.ok(await isSignedIn(await enter(newBrowser())), 'and may come back')
    t.equal((await list()).length, 1)
  })

  t.test(`${strategy}: a deleted user's sessions end (A40)`, async (t) => {
    const kept = await startKeeping(t, { session })
    await signInAtIssuer(kept, kept.browser)
    const copy = thief(kept, kept.browser)
    await kept.app.postern.deleteUser(await kept.idOf('ada@example.com'))
    t.notOk(await isSignedIn(kept.browser))
    t.notOk(await isSignedIn(copy))
  })

  t.test(`${strategy}: whoever signs in again in one browser has one session`, async (t) => {
    const kept = await startKeeping(t, { session })
    await enter(kept.browser, 'Firefox')
    const copy = thief(kept, kept.browser)
    await enter(kept.browser, 'Firefox')
    t.ok(await isSignedIn(kept.browser))
    t.notOk(await isSignedIn(copy))
    t.equal((await kept.list()).length, 1)
  })

  t.test(
    `${strategy}: a session that is used is noted when it is written, and lists as long as it lasts`,
    async (t) => {
      const kept = await startKeeping(t, { session })
      const { clock, browser, list, store } = kept
      await enter(browser)
      const [{ id } = { id: '' }] = await list()
      for (let days = 1; days <= 40; days++) {
        clock.advance(day)
        store.forget()
        t.ok(await isSignedIn(browser))
        await sessionOf(browser)
        t.equal(store.count('putSessionRecord'), 1)
      }
      t.match(await list(), [{ id, lastSeen: new Date('2030-02-10'), createdAt: new Date('2030-01-01') }])
      clock.advance(30 * day)
      t.same(await list(), [])
    }
  )

  t.test(`${strategy}: a note that cannot be written ends nothing`, async (t) => {
    const { clock, browser, store, log, list } = await startKeeping(t, { session })
    await enter(browser)
    clock.advance(day)
    for (const method of ['getSessionRecords', 'putSessionRecord'] as const) {
      store.breakDown(method)
      t.ok(await isSignedIn(browser), method)
      clock.advance(day)
    }
    t.ok(log.some((line) => line.includes('SESSION_RECORD_ERROR')))
    store.mend()
    t.ok(await isSignedIn(browser))
    t.equal((await list())[0]?.lastSeen?.getTime(), clock.now())
  })
}

t.test('database: sessions from before devices were noted are listed with what is known', async (t) => {
  const adapter = memoryAdapter()
  const before = await start(t, { adapter, session: { strategy: 'database' } })
  await signInByForm(before.browser)
  const kept = await startKeeping(t, { adapter, session: { strategy: 'database' } })
  const old = thief(kept, before.browser)
  kept.clock.advance(1)
  const other = await enter(kept.newBrowser())
  const devices = await kept.list(old)
  t.match(devices, [
    { userAgent: 'Firefox', isCurrent: false },
    { provider: null, userAgent: null, address: null, createdAt: null, lastSeen: null, isCurrent: true }
  ])
  t.equal(await kept.app.postern.sessions.revoke(devices[1]?.id ?? ''), true)
  t.notOk(await isSignedIn(old))
  t.ok(await isSignedIn(other))
  t.equal((await kept.list()).length, 1)
})

t.test('database: plain rows do not show in the list, and stay known when they are hashed', async (t) => {
  const kept = await startKeeping(t, { session: { strategy: 'database', storage: 'plain' } })
  await enter(kept.browser)
  const cookie = kept.browser.cookies.get(cookieNames.sessionToken) ?? ''
  t.notOk(JSON.stringify(await kept.list()).includes(cookie))
  const hashing = await kept.twin({ session: { strategy: 'database', storage: 'both' } })
  const moved = thief(hashing, kept.browser)
  t.ok(await isSignedIn(moved))
  t.match(await moved.json(`/devices/${await kept.idOf()}`), [{ userAgent: 'Firefox', isCurrent: true }])
  t.equal((await kept.list()).length, 1)
  t.equal(await kept.app.postern.sessions.revoke((await kept.list())[0]?.id ?? ''), true)
  t.notOk(await isSignedIn(moved))
})

t.test('database: reading a session is one query', async (t) => {
  const { browser, store } = await startKeeping(t, { session: { strategy: 'database' } })
  await enter(browser)
  store.forget()
  t.ok(await isSignedIn(browser))
  t.same(
    store.calls.map(({ method }) => method),
    ['getSessionAndUser']
  )
})

t.test('what an adapter lacks is told by name', async (t) => {
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
  const kept = await startKeeping(t, { session })
  const { sessions } = kept.app.postern
  await t.rejects(sessions.list('1'), incomplete('revoke, getRevocations, listRevocations'))
  await t.rejects(sessions.revokeAll('1'), AccountError)
  await enter(kept.browser)
  t.equal((await kept.browser.open('/others')).status, 500)
  t.ok(await isSignedIn(kept.browser))
})
