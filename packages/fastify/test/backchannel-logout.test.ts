import { ada, type Browser } from '@postern/testkit'
import t from 'tap'
import { logout } from './logout-token.ts'
import { signInAtIssuer, start } from './start.ts'
import { isSignedIn, type Kept, signInWithRecords, startWithRecords, thief } from './start-with-session-records.ts'

const address = 'ada@example.com'

/** Signs Ada in in a new browser, in a session of the provider's that has this name. */
async function signInAs(started: Kept, sid: string | null): Promise<Browser> {
  started.issuer.faults.idTokenClaims = (claims) => (sid === null ? claims : { ...claims, sid })
  const browser = started.newBrowser()
  await signInAtIssuer(started, browser)
  return browser
}

const states = (browsers: readonly Browser[]): Promise<boolean[]> => Promise.all(browsers.map(isSignedIn))

for (const strategy of ['jwt', 'database'] as const) {
  const session = { strategy }

  t.test(`logout-1: ${strategy}: a token with sid only ends exactly that session`, async (t) => {
    const started = await startWithRecords(t, { session })
    const browsers = [
      await signInAs(started, 'sid-1'),
      await signInAs(started, 'sid-2'),
      await signInWithRecords(started.newBrowser())
    ]
    const copy = thief(started, browsers[0] ?? started.browser)
    const response = await logout(started, { sid: 'sid-1' })
    t.equal(response.status, 200)
    t.match(response.headers['cache-control'], /no-store/)
    t.same(await states([...browsers, copy]), [false, true, true, false])
    t.equal((await logout(started, { sid: 'sid-3' })).status, 200, 'one that no one has is nothing to end')
    t.same(await states(browsers), [false, true, true])
  })

  t.test(`${strategy}: two browsers may share a session of the provider`, async (t) => {
    const started = await startWithRecords(t, { session })
    const browsers = [await signInAs(started, 'sid-1'), await signInAs(started, 'sid-1')]
    await logout(started, { sid: 'sid-1' })
    t.same(await states(browsers), [false, false])
  })

  t.test(
    `logout-1: ${strategy}: a token with only a sub ends all of the user’s sessions of the provider`,
    async (t) => {
      const started = await startWithRecords(t, { session })
      const browsers = [
        await signInAs(started, 'sid-1'),
        await signInAs(started, null),
        await signInWithRecords(started.newBrowser())
      ]
      t.equal((await logout(started, { sub: ada.sub })).status, 200)
      t.same(await states(browsers), [false, false, true])
    }
  )

  t.test(`${strategy}: a token for a user ends the sessions from other sign-in methods, too`, async (t) => {
    const started = await startWithRecords(t, { session })
    const browser = await signInAs(started, 'sid-1')
    const byMail = started.newBrowser()
    await byMail.submit('/api/auth/signin/email', { email: address })
    await byMail.open(started.mailbox.last().url, { headers: { 'sec-fetch-site': 'cross-site' } })
    t.same(await states([browser, byMail]), [true, true])
    await logout(started, { sub: ada.sub })
    t.same(await states([browser, byMail]), [false, false])
  })

  t.test(`${strategy}: a token with both ends that session of that user`, async (t) => {
    const started = await startWithRecords(t, { session })
    const browsers = [await signInAs(started, 'sid-1'), await signInAs(started, 'sid-2')]
    t.equal((await logout(started, { sub: ada.sub, sid: 'sid-2' })).status, 200)
    t.same(await states(browsers), [true, false])
    started.issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: 'sid-1' })
    const bob = started.newBrowser()
    await signInAtIssuer(started, bob, { ...ada, sub: 'bob', name: 'Bob', email: 'bob@example.com' })
    await logout(started, { sub: ada.sub, sid: 'sid-1' })
    t.same(await states([...browsers, bob]), [false, false, true], 'the same name with another user is another session')
  })

  t.test(`${strategy}: a sid is one provider's: the same of another ends nothing`, async (t) => {
    const started = await startWithRecords(t, { session })
    const browser = await signInAs(started, 'sid-1')
    const [record] = (await started.adapter.getSessionRecords?.({ userId: await started.getId(address) })) ?? []
    t.match(record, { provider: 'demo', providerSessionId: 'sid-1' })
    if (record) await started.adapter.putSessionRecord?.({ ...record, provider: 'another' })
    await logout(started, { sid: 'sid-1' })
    t.ok(await isSignedIn(browser))
  })

  for (const sid of ['', 7, 'x'.repeat(300)]) {
    t.test(`${strategy}: a sid like ${JSON.stringify(sid).slice(0, 9)} in an ID Token names no session`, async (t) => {
      const started = await startWithRecords(t, { session })
      started.issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid })
      await signInAtIssuer(started, started.browser)
      t.ok(await isSignedIn(started.browser))
      t.match(await started.adapter.getSessionRecords?.({ userId: await started.getId(address) }), [
        { providerSessionId: null }
      ])
    })
  }

  t.test(`${strategy}: a store that fails gives the provider another try`, async (t) => {
    const started = await startWithRecords(t, { session })
    const browser = await signInAs(started, 'sid-1')
    started.store.breakDown('getSessionRecords', 'revoke', 'deleteSession')
    t.equal((await logout(started, { sid: 'sid-1' })).status, 503)
    started.store.restore()
    t.ok(await isSignedIn(browser))
    t.equal((await logout(started, { sid: 'sid-1' })).status, 200)
    t.notOk(await isSignedIn(browser))
  })
}

t.test('jwt: a token from before sessions had names ends with all of its user', async (t) => {
  const started = await startWithRecords(t, { session: { strategy: 'jwt' } })
  const older = await started.twin({ session: { strategy: 'jwt', revocations: false } })
  await signInAtIssuer(older, older.browser)
  const browser = thief(started, older.browser)
  t.ok(await isSignedIn(browser))
  // It counts as its `iat`: one of the millisecond of the end is not from before.
  started.clock.advance(1)
  await logout(started, { sub: ada.sub })
  t.notOk(await isSignedIn(browser))
})

t.test('database: a session from before devices were noted ends with whatever may be meant', async (t) => {
  const session = { strategy: 'database' } as const
  const before = await start(t, { session })
  await signInAtIssuer(before, before.browser)
  const started = await startWithRecords(t, { session, ...(before.adapter ? { adapter: before.adapter } : {}) })
  const browser = thief(started, before.browser)
  t.ok(await isSignedIn(browser))
  await logout(started, { sid: 'sid-1' })
  t.ok(await isSignedIn(browser), 'a name does not reveal it')
  await logout(started, { sub: ada.sub, sid: 'sid-1' })
  t.notOk(await isSignedIn(browser))
})
