import { randomUUID } from 'node:crypto'
import { ada, type Browser, type BrowserResponse } from '@postern/testkit'
import t from 'tap'
import { enter, isSignedIn, type Kept, startKeeping, thief } from './start-with-session-records.ts'
import { signInAtIssuer, start } from './start.ts'

const address = 'ada@example.com'
const ofProvider = 'http://schemas.openid.net/event/backchannel-logout'

/** Signs Ada in in a new browser, in a session of the provider's that has this name. */
async function enterAs(kept: Kept, sid: string | null): Promise<Browser> {
  kept.issuer.faults.idTokenClaims = (claims) => (sid === null ? claims : { ...claims, sid })
  const browser = kept.newBrowser()
  await signInAtIssuer(kept, browser)
  return browser
}

/** What a provider says of a session that has ended there. */
async function logout(
  { issuer, clock, newBrowser }: Kept,
  about: { readonly sub?: string; readonly sid?: unknown }
): Promise<BrowserResponse> {
  const now = Math.floor(clock.now() / 1000)
  const plain = { iss: issuer.issuer, aud: issuer.clientId, iat: now, exp: now + 120, jti: randomUUID() }
  const token = await issuer.sign({ ...plain, ...about, events: { [ofProvider]: {} } }, { typ: 'logout+jwt' })
  return newBrowser().post('/api/auth/backchannel-logout/demo', `${new URLSearchParams({ logout_token: token })}`)
}

const states = (browsers: readonly Browser[]): Promise<boolean[]> => Promise.all(browsers.map(isSignedIn))

for (const strategy of ['jwt', 'database'] as const) {
  const session = { strategy }

  t.test(`${strategy}: a token with sid only ends exactly that session`, async (t) => {
    const kept = await startKeeping(t, { session })
    const browsers = [await enterAs(kept, 'sid-1'), await enterAs(kept, 'sid-2'), await enter(kept.newBrowser())]
    const copy = thief(kept, browsers[0] ?? kept.browser)
    const answer = await logout(kept, { sid: 'sid-1' })
    t.equal(answer.status, 200)
    t.match(answer.headers['cache-control'], /no-store/)
    t.same(await states([...browsers, copy]), [false, true, true, false])
    t.equal((await logout(kept, { sid: 'sid-3' })).status, 200, 'one that nobody has is nothing to end')
    t.same(await states(browsers), [false, true, true])
  })

  t.test(`${strategy}: two browsers may share a session of the provider`, async (t) => {
    const kept = await startKeeping(t, { session })
    const browsers = [await enterAs(kept, 'sid-1'), await enterAs(kept, 'sid-1')]
    await logout(kept, { sid: 'sid-1' })
    t.same(await states(browsers), [false, false])
  })

  t.test(`${strategy}: a token with sub only ends all of the user's that came through the provider`, async (t) => {
    const kept = await startKeeping(t, { session })
    const browsers = [await enterAs(kept, 'sid-1'), await enterAs(kept, null), await enter(kept.newBrowser())]
    t.equal((await logout(kept, { sub: ada.sub })).status, 200)
    t.same(await states(browsers), [false, false, true])
  })

  t.test(`${strategy}: a session of the user that came another way goes on`, async (t) => {
    const kept = await startKeeping(t, { session })
    const browser = await enterAs(kept, 'sid-1')
    const byMail = kept.newBrowser()
    await byMail.submit('/api/auth/signin/email', { email: address })
    await byMail.open(kept.mailbox.last().url, { headers: { 'sec-fetch-site': 'cross-site' } })
    t.same(await states([browser, byMail]), [true, true])
    await logout(kept, { sub: ada.sub })
    t.same(await states([browser, byMail]), [false, true])
  })

  t.test(`${strategy}: a token with both ends that session of that user`, async (t) => {
    const kept = await startKeeping(t, { session })
    const browsers = [await enterAs(kept, 'sid-1'), await enterAs(kept, 'sid-2')]
    t.equal((await logout(kept, { sub: ada.sub, sid: 'sid-2' })).status, 200)
    t.same(await states(browsers), [true, false])
    kept.issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: 'sid-1' })
    const bob = kept.newBrowser()
    await signInAtIssuer(kept, bob, { ...ada, sub: 'bob', name: 'Bob', email: 'bob@example.com' })
    await logout(kept, { sub: ada.sub, sid: 'sid-1' })
    t.same(await states([...browsers, bob]), [false, false, true], 'the same name with another user is another session')
  })

  t.test(`${strategy}: a sid is one provider's: the same of another ends nothing`, async (t) => {
    const kept = await startKeeping(t, { session })
    const browser = await enterAs(kept, 'sid-1')
    const [record] = (await kept.adapter.getSessionRecords?.({ userId: await kept.idOf(address) })) ?? []
    t.match(record, { provider: 'demo', providerSessionId: 'sid-1' })
    if (record) await kept.adapter.putSessionRecord?.({ ...record, provider: 'another' })
    await logout(kept, { sid: 'sid-1' })
    t.ok(await isSignedIn(browser))
  })

  for (const sid of ['', 7, 'x'.repeat(300)]) {
    t.test(`${strategy}: a sid like ${JSON.stringify(sid).slice(0, 9)} in an ID Token names no session`, async (t) => {
      const kept = await startKeeping(t, { session })
      kept.issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid })
      await signInAtIssuer(kept, kept.browser)
      t.ok(await isSignedIn(kept.browser))
      t.match(await kept.adapter.getSessionRecords?.({ userId: await kept.idOf(address) }), [
        { providerSessionId: null }
      ])
    })
  }

  t.test(`${strategy}: a store that fails gives the provider another try`, async (t) => {
    const kept = await startKeeping(t, { session })
    const browser = await enterAs(kept, 'sid-1')
    kept.store.breakDown('getSessionRecords', 'revoke', 'deleteSession')
    t.equal((await logout(kept, { sid: 'sid-1' })).status, 503)
    kept.store.mend()
    t.ok(await isSignedIn(browser))
    t.equal((await logout(kept, { sid: 'sid-1' })).status, 200)
    t.notOk(await isSignedIn(browser))
  })
}

t.test('jwt: a token from before sessions had names ends with all of its user', async (t) => {
  const kept = await startKeeping(t, { session: { strategy: 'jwt' } })
  const older = await kept.twin({ session: { strategy: 'jwt', revocations: false } })
  await signInAtIssuer(older, older.browser)
  const browser = thief(kept, older.browser)
  t.ok(await isSignedIn(browser))
  await logout(kept, { sub: ada.sub })
  t.notOk(await isSignedIn(browser))
})

t.test('database: a session from before devices were noted ends with whatever may be meant', async (t) => {
  const session = { strategy: 'database' } as const
  const before = await start(t, { session })
  await signInAtIssuer(before, before.browser)
  const kept = await startKeeping(t, { session, ...(before.adapter ? { adapter: before.adapter } : {}) })
  const browser = thief(kept, before.browser)
  t.ok(await isSignedIn(browser))
  await logout(kept, { sid: 'sid-1' })
  t.ok(await isSignedIn(browser), 'a name says nothing of it')
  await logout(kept, { sub: ada.sub, sid: 'sid-1' })
  t.notOk(await isSignedIn(browser))
})
