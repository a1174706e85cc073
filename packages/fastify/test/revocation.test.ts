import { setTimeout as delay } from 'node:timers/promises'
import { memoryAdapter } from '@postern/adapters/memory'
import type { SessionQuestion, Token, TokenQuestion } from '@postern/core'
import { ada, type Browser } from '@postern/testkit'
import t from 'tap'
import { enter, isSignedIn, type Kept, startKeeping, thief } from './start-with-session-records.ts'
import { memoryRevocations } from './session-records.ts'
import { cookieNames, signInAtIssuer, start } from './start.ts'

const day = 24 * 60 * 60
const session = { strategy: 'jwt' } as const

const tokenOf = ({ cookies }: Browser): string => cookies.get(cookieNames.sessionToken) ?? ''
const signOut = (browser: Browser) => browser.submit('/api/auth/signout', { callbackUrl: '/bye' })

/** A browser whose token is as next-auth v4 and older versions write it: it names no session. */
async function enterUnnamed(kept: Kept): Promise<Browser> {
  const older = await kept.twin({ session: { ...session, revocations: false } })
  return thief(kept, await enter(older.newBrowser()))
}

t.test('a copy of the cookie is worth nothing once its owner signed out (A54)', async (t) => {
  const kept = await startKeeping(t, { session })
  const { browser, clock, list } = kept
  await enter(browser)
  const copies = [thief(kept, browser)]
  clock.advance(day)
  t.ok(await isSignedIn(browser), 'the token is written anew')
  copies.push(thief(kept, browser))
  t.not(tokenOf(copies[0] ?? browser), tokenOf(copies[1] ?? browser))
  t.ok(await isSignedIn(copies[0] ?? browser), 'copies count until then')
  t.equal((await signOut(browser)).location, 'https://app.test/bye')
  for (const copy of copies) {
    t.notOk(await isSignedIn(copy), 'every token of the session has ended')
    t.notOk(tokenOf(copy), 'and is cleared away')
  }
  t.same(await list(), [])
})

t.test('until the last token of the session has ended, which may be a later one', async (t) => {
  const kept = await startKeeping(t, { session })
  await enter(kept.browser)
  kept.clock.advance(29 * day)
  const copy = thief(kept, kept.browser)
  t.ok(await isSignedIn(copy), 'a thief has it written anew, for 30 days')
  await signOut(kept.browser)
  const stolen = tokenOf(copy)
  kept.clock.advance(30 * day - 1)
  copy.cookies.set(cookieNames.sessionToken, stolen, { secure: true })
  t.notOk(await isSignedIn(copy))
  const revocation = (await kept.adapter.listRevocations?.(new Date(0), 10))?.[0]
  t.ok(revocation && revocation.until.getTime() > kept.clock.now(), 'it is not forgotten before')
})

t.test('other processes know within five seconds, whatever tokens they have opened before', async (t) => {
  const kept = await startKeeping(t, { session, instances: 1 })
  const other = await kept.twin()
  await enter(kept.browser)
  const there = thief(other, kept.browser)
  const cookie = tokenOf(there)
  t.ok(await isSignedIn(there))
  await signOut(kept.browser)
  other.clock.advance(4)
  t.ok(await isSignedIn(there))
  other.clock.advance(1)
  t.notOk(await isSignedIn(there))
  there.cookies.set(cookieNames.sessionToken, cookie, { secure: true })
  t.equal((await there.open('/me', { headers: { accept: 'application/json' } })).status, 401)
})

t.test('reading a session asks the store once in five seconds, and visitors without one not at all', async (t) => {
  const { browser, newBrowser, store, clock } = await startKeeping(t, { session, instances: 1 })
  await isSignedIn(newBrowser())
  t.equal(store.count(), 0)
  await enter(browser)
  store.forget()
  for (let count = 0; count < 10; count++) t.ok(await isSignedIn(browser))
  t.same(
    store.calls.map(({ method }) => method),
    ['listRevocations']
  )
  clock.advance(5)
  await Promise.all(Array.from({ length: 10 }, () => isSignedIn(browser)))
  t.equal(store.count(), 2)
})

t.test('a store that does not answer: tokens count for a minute, then nobody can say (503)', async (t) => {
  const { browser, newBrowser, store, clock, log } = await startKeeping(t, { session, instances: 1 })
  await enter(browser)
  t.ok(await isSignedIn(browser))
  store.breakDown()
  clock.advance(59)
  t.ok(await isSignedIn(browser))
  t.ok(log.some((line) => line.includes('SESSION_REVOCATIONS_ERROR')))
  clock.advance(1)
  t.equal((await browser.open('/api/auth/session')).status, 503)
  t.ok(tokenOf(browser), 'that is never "signed out"')
  t.equal((await newBrowser().open('/api/auth/session')).status, 200, 'whoever has no session is nobody')
  store.mend()
  clock.advance(1)
  t.ok(await isSignedIn(browser))
})

for (const seconds of [0, 120]) {
  t.test(`signing out while the store does not answer for ${seconds} s clears the cookie, and is logged`, async (t) => {
    const told: unknown[] = []
    const events = { signOut: (payload: unknown) => void told.push(payload) }
    const { browser, store, clock, log } = await startKeeping(t, { session, events })
    await enter(browser)
    store.breakDown()
    clock.advance(seconds)
    t.equal((await signOut(browser)).location, 'https://app.test/bye')
    t.notOk(tokenOf(browser))
    t.equal(told.length, 1)
    t.ok(log.some((line) => line.includes('SESSION_REVOCATION_ERROR')))
  })
}

t.test('a token that names no session counts, and gets a name when it is next written', async (t) => {
  const kept = await startKeeping(t, { session })
  const browser = await enterUnnamed(kept)
  t.ok(await isSignedIn(browser))
  t.same(await kept.list(), [])
  kept.clock.advance(day)
  t.ok(await isSignedIn(browser))
  const devices = await kept.list(browser)
  t.match(devices, [{ provider: null, userAgent: null, isCurrent: true, createdAt: '2030-01-01T00:00:00.000Z' }])
  await kept.app.postern.sessions.revoke(devices[0]?.id ?? '')
  t.notOk(await isSignedIn(browser))
})

t.test('a token that names no session ends with it all the same', async (t) => {
  for (const end of [
    (_: Kept, browser: Browser) => signOut(browser),
    ({ app, idOf }: Kept) => idOf().then((id) => app.postern.sessions.revokeAll(id))
  ]) {
    const kept = await startKeeping(t, { session })
    const browser = await enterUnnamed(kept)
    const copies = [thief(kept, browser)]
    kept.clock.advance(day)
    t.ok(await isSignedIn(browser))
    copies.push(thief(kept, browser))
    await end(kept, browser)
    for (const copy of copies) t.notOk(await isSignedIn(copy))
  }
})

t.test('the callback of the application cannot lose the name of a session', async (t) => {
  const callbacks = { jwt: ({ token }: TokenQuestion) => ({ name: 'Grace', ...(token.sub ? { sub: token.sub } : {}) }) }
  const kept = await startKeeping(t, { session, callbacks })
  await enter(kept.browser)
  for (let days = 0; days < 3; days++) {
    kept.clock.advance(day)
    t.ok(await isSignedIn(kept.browser))
  }
  const copy = thief(kept, kept.browser)
  t.equal((await kept.list()).length, 1)
  await signOut(kept.browser)
  t.notOk(await isSignedIn(copy))
})

t.test('a store of its own keeps revocations without an adapter', async (t) => {
  let now = (): number => Date.now()
  const revocations = memoryRevocations(() => now())
  const started = await start(t, { store: 'none', session: { ...session, revocations } })
  now = started.clock.now
  await enter(started.browser)
  const copy = thief(started, started.browser)
  t.ok(await isSignedIn(copy))
  await signOut(started.browser)
  t.notOk(await isSignedIn(copy))
  await enter(started.browser)
  await started.app.postern.sessions.revokeAll('id-grace')
  t.notOk(await isSignedIn(started.browser))
  await t.rejects(started.app.postern.sessions.list('id-grace'), /putSessionRecord, getSessionRecords/)
})

t.test('without revocations, tokens name no session and nothing is asked', async (t) => {
  const tokens: (Token | undefined)[] = []
  const callbacks = {
    session: ({ session, token }: SessionQuestion) => {
      tokens.push(token)
      return session
    }
  }
  for (const revocations of [false, undefined] as const) {
    const { browser, store } = await startKeeping(t, { session: { ...session, revocations }, callbacks })
    await enter(browser)
    await isSignedIn(browser)
    t.equal(store.count() === 0, revocations === false)
  }
  t.same(
    tokens.map((token) => token?.['session_id'] !== undefined && token['session_version'] !== undefined),
    [false, true]
  )
})

t.test('a link that proves an address ends the tokens of whoever had it unproven (R81)', async (t) => {
  const kept = await startKeeping(t, { session })
  const { browser, newBrowser, mailbox, issuer } = kept
  issuer.faults.userinfo = null
  issuer.faults.idTokenClaims = (claims) => ({ ...claims, email_verified: false })
  await signInAtIssuer(kept, browser, { ...ada, email_verified: false })
  t.ok(await isSignedIn(browser))
  const owner = newBrowser()
  await owner.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  await owner.open(mailbox.last().url, { headers: { 'sec-fetch-site': 'cross-site' } })
  t.ok(await isSignedIn(owner))
  t.notOk(await isSignedIn(browser))
})

t.test('what is over is deleted after a sign-in, and the application waits for it when it closes', async (t) => {
  const adapter = memoryAdapter()
  const batches: number[] = []
  let isOpen = true
  const deleteExpired = async (before: Date, most: number): Promise<number> => {
    t.ok(isOpen)
    batches.push(most)
    t.same(before, new Date('2029-12-31'))
    await delay(50)
    return batches.length > 20 ? 0 : most
  }
  const { app, browser, newBrowser } = await start(t, { adapter: { ...adapter, deleteExpired }, instances: 1 })
  await isSignedIn(browser)
  await delay(150)
  t.equal(batches.length, 0, 'nobody signed in')
  await enter(browser)
  await enter(newBrowser())
  while (batches.length < 3) await delay(10)
  await app.close()
  isOpen = false
  const { length } = batches
  await delay(200)
  t.equal(batches.length, length)
  t.same([...new Set(batches)], [100])
})

t.test('a token that is written at every request is noted once a day', async (t) => {
  let count = 0
  const callbacks = { jwt: ({ token }: TokenQuestion) => ({ ...token, count: ++count }) }
  const { browser, store, clock } = await startKeeping(t, { session, callbacks, instances: 1 })
  await enter(browser)
  for (let days = 0; days < 3; days++) {
    store.forget()
    for (let times = 0; times < 5; times++) {
      const before = tokenOf(browser)
      t.ok(await isSignedIn(browser))
      t.not(tokenOf(browser), before)
    }
    t.equal(store.count('putSessionRecord'), 1)
    clock.advance(day)
  }
})

t.test('what was revoked is in no list, although its record could not be deleted', async (t) => {
  const kept = await startKeeping(t, { session })
  const { app, newBrowser, store, list } = kept
  await enter(newBrowser())
  await enter(newBrowser())
  store.breakDown('deleteSessionRecord')
  const [one] = await list()
  await app.postern.sessions.revoke(one?.id ?? '')
  t.equal((await list()).length, 1)
  await app.postern.sessions.revokeAll(await kept.idOf())
  t.equal((await kept.adapter.getSessionRecords?.({ userId: await kept.idOf() }))?.length, 2)
  t.same(await list(), [])
  await enter(newBrowser())
  t.equal((await list()).length, 1)
})
