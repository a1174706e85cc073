import { setTimeout as delay } from 'node:timers/promises'
import { memoryAdapter } from '@postern/adapters/memory'
import type { JwtCallbackInput, SessionCallbackInput, Token } from '@postern/core'
import { ada, type Browser } from '@postern/testkit'
import t from 'tap'
import { memoryRevocations } from './session-records.ts'
import { cookieNames, signInAtIssuer, start } from './start.ts'
import { isSignedIn, type Kept, signInWithRecords, startWithRecords, thief } from './start-with-session-records.ts'

const day = 24 * 60 * 60
const session = { strategy: 'jwt' } as const

const getToken = ({ cookies }: Browser): string => cookies.get(cookieNames.sessionToken) ?? ''
const signOut = (browser: Browser) => browser.submit('/api/auth/signout', { callbackUrl: '/bye' })

/** A browser whose token is as next-auth v4 and older versions write it: it names no session. */
async function signInUnnamed(started: Kept): Promise<Browser> {
  const older = await started.twin({ session: { ...session, revocations: false } })
  return thief(started, await signInWithRecords(older.newBrowser()))
}

t.test('a copy of the cookie is worth nothing once its owner signed out (A54)', async (t) => {
  const started = await startWithRecords(t, { session })
  const { browser, clock, list } = started
  await signInWithRecords(browser)
  const copies = [thief(started, browser)]
  clock.advance(day)
  t.ok(await isSignedIn(browser), 'the token is written again')
  copies.push(thief(started, browser))
  t.not(getToken(copies[0] ?? browser), getToken(copies[1] ?? browser))
  t.ok(await isSignedIn(copies[0] ?? browser), 'copies count until then')
  t.equal((await signOut(browser)).location, 'https://app.test/bye')
  for (const copy of copies) {
    t.notOk(await isSignedIn(copy), 'every token of the session has ended')
    t.ok(getToken(copy), 'and the cookie is left alone: a late answer would clear the one that has replaced it')
  }
  t.same(await list(), [])
})

t.test('until the last token of the session has ended, which may be a later one', async (t) => {
  const started = await startWithRecords(t, { session })
  await signInWithRecords(started.browser)
  started.clock.advance(29 * day)
  const copy = thief(started, started.browser)
  t.ok(await isSignedIn(copy), 'a thief has it written again, for 30 days')
  await signOut(started.browser)
  const stolen = getToken(copy)
  started.clock.advance(30 * day - 1)
  copy.cookies.set(cookieNames.sessionToken, stolen, { secure: true })
  t.notOk(await isSignedIn(copy))
  const revocation = (await started.adapter.listRevocations?.(new Date(0), 10))?.[0]
  t.ok(revocation && revocation.until.getTime() > started.clock.now(), 'it is not forgotten before')
})

t.test('suspend-4: a store that does not respond: tokens count for a minute, then no one can say (503)', async (t) => {
  const { browser, newBrowser, store, clock, log } = await startWithRecords(t, { session, instances: 1 })
  await signInWithRecords(browser)
  t.ok(await isSignedIn(browser))
  store.breakDown()
  clock.advance(59)
  t.ok(await isSignedIn(browser))
  t.ok(log.some((line) => line.includes('SESSION_REVOCATIONS_ERROR')))
  clock.advance(1)
  t.equal((await browser.open('/api/auth/session')).status, 503)
  t.ok(getToken(browser), 'that is never "signed out"')
  t.equal((await newBrowser().open('/api/auth/session')).status, 200, 'a client without a session has no user')
  store.restore()
  clock.advance(1)
  t.ok(await isSignedIn(browser))
})

for (const seconds of [0, 120]) {
  t.test(
    `signing out while the store does not respond for ${seconds} s clears the cookie, and is logged`,
    async (t) => {
      const reported: unknown[] = []
      const events = { signOut: (payload: unknown) => void reported.push(payload) }
      const { browser, store, clock, log } = await startWithRecords(t, { session, events })
      await signInWithRecords(browser)
      store.breakDown()
      clock.advance(seconds)
      t.equal((await signOut(browser)).location, 'https://app.test/bye')
      t.notOk(getToken(browser))
      t.equal(reported.length, 1)
      t.ok(log.some((line) => line.includes('SESSION_REVOCATION_ERROR')))
    }
  )
}

t.test('a token that names no session counts, and gets a name when it is next written', async (t) => {
  const started = await startWithRecords(t, { session })
  const browser = await signInUnnamed(started)
  t.ok(await isSignedIn(browser))
  t.same(await started.list(), [])
  started.clock.advance(day)
  t.ok(await isSignedIn(browser))
  const devices = await started.list(browser)
  t.match(devices, [{ provider: null, userAgent: null, isCurrent: true, createdAt: '2030-01-01T00:00:00.000Z' }])
  await started.app.postern.sessions.revoke(devices[0]?.id ?? '')
  t.notOk(await isSignedIn(browser))
})

t.test('a token that names no session ends with it anyway', async (t) => {
  for (const end of [
    (_: Kept, browser: Browser) => signOut(browser),
    ({ app, getId }: Kept) => getId().then((id) => app.postern.sessions.revokeAll(id))
  ]) {
    const started = await startWithRecords(t, { session })
    const browser = await signInUnnamed(started)
    const copies = [thief(started, browser)]
    started.clock.advance(day)
    t.ok(await isSignedIn(browser))
    copies.push(thief(started, browser))
    await end(started, browser)
    for (const copy of copies) t.notOk(await isSignedIn(copy))
  }
})

t.test('the callback of the application cannot lose the name of a session', async (t) => {
  const callbacks = {
    jwt: ({ token }: JwtCallbackInput) => ({ name: 'Grace', ...(token.sub ? { sub: token.sub } : {}) })
  }
  const started = await startWithRecords(t, { session, callbacks })
  await signInWithRecords(started.browser)
  for (let days = 0; days < 3; days++) {
    started.clock.advance(day)
    t.ok(await isSignedIn(started.browser))
  }
  const copy = thief(started, started.browser)
  t.equal((await started.list()).length, 1)
  await signOut(started.browser)
  t.notOk(await isSignedIn(copy))
})

t.test('a separate store keeps revocations without an adapter', async (t) => {
  let now = (): number => Date.now()
  const revocations = memoryRevocations(() => now())
  const started = await start(t, { store: 'none', session: { ...session, revocations } })
  now = started.clock.now
  await signInWithRecords(started.browser)
  const copy = thief(started, started.browser)
  t.ok(await isSignedIn(copy))
  await signOut(started.browser)
  t.notOk(await isSignedIn(copy))
  await signInWithRecords(started.browser)
  await started.app.postern.sessions.revokeAll('id-grace')
  t.notOk(await isSignedIn(started.browser))
  await t.rejects(started.app.postern.sessions.list('id-grace'), /putSessionRecord, getSessionRecords/)
})

t.test('without revocations, tokens have no session id, and only the version of the user is queried', async (t) => {
  const tokens: (Token | undefined)[] = []
  const callbacks = {
    session: ({ session, token }: SessionCallbackInput) => {
      tokens.push(token)
      return session
    }
  }
  for (const revocations of [false, undefined] as const) {
    const { browser, store } = await startWithRecords(t, {
      session: { ...session, revocations },
      callbacks,
      stays: 'they count the calls of the store in memory'
    })
    await signInWithRecords(browser)
    await isSignedIn(browser)
    const methods = new Set(store.calls.map(({ method }) => method))
    if (revocations === false) t.same([...methods], ['getUserVersion'])
    else t.ok(methods.has('listRevocations'))
  }
  t.same(
    tokens.map((token) => token?.['session_id'] !== undefined && token['session_version'] !== undefined),
    [false, true]
  )
})

t.test('a link that verifies an address ends the sessions of an unverified owner (R81)', async (t) => {
  const started = await startWithRecords(t, { session })
  const { browser, newBrowser, mailbox, issuer } = started
  issuer.faults.userinfo = null
  issuer.faults.idTokenClaims = (claims) => ({ ...claims, email_verified: false })
  await signInAtIssuer(started, browser, { ...ada, email_verified: false })
  t.ok(await isSignedIn(browser))
  const owner = newBrowser()
  await owner.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  await owner.open(mailbox.last().url, { headers: { 'sec-fetch-site': 'cross-site' } })
  t.ok(await isSignedIn(owner))
  t.notOk(await isSignedIn(browser))
})

t.test('expired rows are deleted after a sign-in, and app.close() waits for it', async (t) => {
  const adapter = memoryAdapter()
  const batches: number[] = []
  let deliver = (): void => undefined
  const response = new Promise<void>((resolve) => {
    deliver = resolve
  })
  let isOpen = true
  const deleteExpired = async (before: Date, max: number): Promise<number> => {
    t.ok(isOpen)
    batches.push(max)
    t.same(before, new Date('2029-12-31'))
    if (batches.length === 3) await response
    return max
  }
  const { app, browser, newBrowser } = await start(t, { adapter: { ...adapter, deleteExpired }, instances: 1 })
  await isSignedIn(browser)
  t.equal(batches.length, 0, 'no one signed in')
  await signInWithRecords(browser)
  await signInWithRecords(newBrowser())
  while (batches.length < 3) await delay(10)
  const closed = app.close().then(() => {
    isOpen = false
  })
  await isSignedIn(browser).catch(() => undefined)
  t.ok(isOpen, 'the batch has not ended')
  deliver()
  await closed
  t.same(batches, [100, 100, 100], 'no batch after it')
})

t.test('a token that is written at every request is noted once a day', async (t) => {
  let count = 0
  const callbacks = { jwt: ({ token }: JwtCallbackInput) => ({ ...token, count: ++count }) }
  const { browser, store, clock } = await startWithRecords(t, { session, callbacks, instances: 1 })
  await signInWithRecords(browser)
  for (let days = 0; days < 3; days++) {
    store.forget()
    for (let times = 0; times < 5; times++) {
      const before = getToken(browser)
      t.ok(await isSignedIn(browser))
      t.not(getToken(browser), before)
    }
    t.equal(store.count('putSessionRecord'), 1)
    clock.advance(day)
  }
})

t.test('a revoked session is not listed, even if its record could not be deleted', async (t) => {
  const started = await startWithRecords(t, { session, stays: 'they break a store that deletes records alone' })
  const { app, newBrowser, store, list, clock } = started
  await signInWithRecords(newBrowser())
  await signInWithRecords(newBrowser())
  store.breakDown('deleteSessionRecord')
  const [one] = await list()
  await app.postern.sessions.revoke(one?.id ?? '')
  t.equal((await list()).length, 1)
  await app.postern.sessions.revokeAll(await started.getId())
  t.equal((await started.adapter.getSessionRecords?.({ userId: await started.getId() }))?.length, 2)
  t.same(await list(), [])
  clock.advance(1)
  await signInWithRecords(newBrowser())
  t.equal((await list()).length, 1)
})
