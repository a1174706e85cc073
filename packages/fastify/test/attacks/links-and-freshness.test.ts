import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { createTestGate } from '../interruption-feature.ts'
import { withSessionRecords } from '../session-records.ts'
import { cookieNames, mails, type Started, signInByForm, signInByMail } from '../start.ts'
import {
  accountsOf,
  address,
  begin,
  getStatus,
  idIn,
  idOf,
  mallory,
  signIn,
  signUp,
  startAccounts,
  startGuarded,
  strategies,
  vera,
  withId
} from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

const html = { accept: 'text/html' }
const asLink = { link: 'true' }

/** A browser with a copy of the session of another. */
function getCopy({ newBrowser }: Started, browser: Browser): Browser {
  const copy = newBrowser()
  const value = browser.cookies.get(cookieNames.sessionToken) ?? ''
  copy.cookies.set(cookieNames.sessionToken, value, { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' })
  return copy
}

function withoutRecords(): Adapter {
  const { putSessionRecord: _, getSessionRecords: __, deleteSessionRecord: ___, ...others } = memoryAdapter()
  return others
}

/** Stores and callbacks that keep less of how a user was authenticated. */
const keepers: Readonly<Record<string, () => Parameters<typeof startAccounts>[1]>> = {
  'an adapter without session records': () => ({ adapter: withoutRecords() }),
  'plain sessions': () => ({ session: { strategy: 'database', storage: 'plain' } }),
  'sessions that are plain and hashed': () => ({ session: { strategy: 'database', storage: 'both' } }),
  'a callback that keeps the user only': () => ({
    session: { strategy: 'jwt' },
    callbacks: { ...withId, jwt: ({ token, user }) => ({ sub: user?.id ?? token.sub ?? '' }) }
  })
}

const ofStrategies: typeof keepers = {
  'JWT sessions': () => ({ session: { strategy: 'jwt' } }),
  'database sessions': () => ({ session: { strategy: 'database' } })
}

for (const [label, options] of Object.entries(keepers))
  t.test(`link-2: a session links an account: it is no fresher than before: ${label}`, async (t) => {
    const started = await startGuarded(t, options())
    const { browser, clock, seconds } = started
    await signIn(started, browser, { ...vera, auth_time: seconds() })
    const id = (await idIn(browser)) ?? ''
    t.equal(await getStatus(browser, '/money'), 200, 'the owner has just authenticated')
    clock.advance(300)
    t.equal(await getStatus(browser, '/money'), 401)
    await signIn(started, browser, { ...mallory, auth_time: seconds() }, asLink)
    t.equal(await idIn(browser), id)
    t.same(await accountsOf(started, id), ['demo mallory', 'demo vera'])
    t.equal(await getStatus(browser, '/money'), 401, 'the owner has not authenticated')
    clock.advance(301)
    await signIn(started, browser, { ...mallory, sub: 'second', auth_time: seconds() }, asLink)
    t.notOk((await accountsOf(started, id)).includes('demo second'), 'a link does not make the next one recent')
  })

for (const [label, options] of Object.entries({ ...ofStrategies, ...keepers }))
  t.test(`a second step at a link: the session is as fresh as that step, and as old as it was: ${label}`, async (t) => {
    const gate = createTestGate(false, ['otp'])
    const { session, ...others } = options() ?? {}
    const lifetime = { ...session, maxAge: 900, updateAge: 0, absoluteMaxAge: 1000 }
    const started = await startGuarded(t, { ...others, session: lifetime, features: [gate.feature] })
    const { browser, clock, seconds } = started
    await signIn(started, browser, { ...vera, auth_time: seconds() })
    const id = (await idIn(browser)) ?? ''
    clock.advance(300)
    gate.isDue = true
    const page = await browser.followAll(await signIn(started, browser, mallory, asLink))
    t.equal(await getStatus(browser, '/money'), 401, 'not before the second step')
    await browser.fill(page, '/api/auth/verify/ask', { answer: 'yes' })
    t.ok((await accountsOf(started, id)).includes('demo mallory'))
    const { authTime } = await browser.json<{ authTime: string }>('/who')
    t.equal(Date.parse(authTime), seconds() * 1000, 'the time of the second factor')
    t.equal(await getStatus(browser, '/money'), 200)
    clock.advance(61)
    t.equal(await getStatus(browser, '/money'), 401, 'a minute later')
    clock.advance(600)
    t.equal(await idIn(browser), id)
    clock.advance(50)
    t.equal(await idIn(browser), null, '1011 seconds after the sign-in')
  })

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: links follow each other: the sign-in, whose time is known, counts for all of them`, async (t) => {
    for (const method of ['mail', 'provider'] as const) {
      const started = await startGuarded(t, { session: { strategy } })
      const { browser, clock, seconds } = started
      if (method === 'mail') await signInByMail(started, browser, address)
      else await signIn(started, browser, { ...vera, auth_time: seconds() })
      const id = (await idIn(browser)) ?? ''
      clock.advance(500)
      await signIn(started, browser, mallory, asLink)
      t.ok((await accountsOf(started, id)).includes('demo mallory'), method)
      clock.advance(200)
      const { location } = await signIn(started, browser, { ...mallory, sub: 'later' }, asLink)
      t.match(location, /error=OAuthAccountNotLinked/, `${method}: 700 seconds after the sign-in`)
      t.equal(await idOf(started, 'later'), null)
    }
  })

  test(`${strategy}: a form with the address of the signed-in user is linked: it proves no more`, async (t) => {
    const form = credentials({
      credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      // Somebody signed up here with the address of the owner.
      authorize: ({ password }) => (password === 'lovelace' ? { id: 'thief', name: 'T', email: address } : null)
    })
    const started = await startGuarded(t, { session: { strategy }, providers: [mails(), form] })
    const { browser, clock } = started
    await signInByMail(started, browser, address)
    const id = (await idIn(browser)) ?? ''
    const thief = getCopy(started, browser)
    clock.advance(300)
    t.equal(await getStatus(thief, '/money'), 401)
    await signInByForm(thief, 'thief')
    // Users of a form are not stored with JWT sessions, and join nobody.
    const isStored = strategy === 'database'
    t.equal((await idIn(thief)) === id, isStored)
    t.same(await accountsOf(started, id), isStored ? ['credentials thief'] : [])
    if (isStored) {
      t.equal(await getStatus(thief, '/money'), 401, 'not fresh')
      t.equal(await getStatus(thief, '/password'), 401, 'no password of the owner')
    }
  })

  test(`${strategy}: a link ends the session before it, and every copy`, async (t) => {
    const started = await startGuarded(t, { session: { strategy } })
    const { browser } = started
    await signIn(started, browser, vera)
    const copy = getCopy(started, browser)
    await signIn(started, browser, mallory, asLink)
    t.ok(await idIn(browser))
    t.equal(await idIn(copy), null)
  })

  test(`${strategy}: a link that one user started is finished as another user`, async (t) => {
    const started = await startGuarded(t, { session: { strategy } })
    const { browser } = started
    await signInByForm(browser, 'grace')
    const { finish } = await begin(started, browser, mallory, asLink)
    await signInByMail(started, browser, address)
    const id = (await idIn(browser)) ?? ''
    await finish()
    t.same(await accountsOf(started, id), [], 'nothing is linked to the owner')
  })

  test(`${strategy}: a link waits for a second step: the session keeps its password, and no more`, async (t) => {
    const gate = createTestGate(false, ['otp'])
    const started = await startGuarded(t, { session: { strategy }, features: [gate.feature] })
    const { browser, clock } = started
    await signInByForm(browser, 'grace')
    const id = await idIn(browser)
    clock.advance(300)
    gate.isDue = true
    const page = await browser.followAll(await signIn(started, browser, mallory, asLink))
    t.match(page.url, /\/verify\/ask$/)
    t.equal(await getStatus(browser, '/vault'), 401, 'not before the second step')
    t.equal(await idOf(started, 'mallory'), null, 'nothing is linked before it')
    await browser.fill(page, '/api/auth/verify/ask', { answer: 'yes' })
    t.equal(await getStatus(browser, '/money'), 200, 'the second factor was given now')
    // Users of a form are not stored with JWT sessions: the account is of a new user, who has no password.
    t.equal((await idIn(browser)) === id, strategy === 'database')
    t.equal(await getStatus(browser, '/password'), strategy === 'database' ? 200 : 401)
  })

  test(`${strategy}: a provider states another form of acr, or a time to come`, async (t) => {
    const started = await startGuarded(t, { session: { strategy } })
    const { newBrowser, clock, seconds } = started
    for (const acr of [['gold'], 'silver gold', 'GOLD', 'gold ', '', null, { gold: 'gold' }, 1]) {
      const browser = newBrowser()
      await signIn(started, browser, { ...vera, acr })
      t.equal(await getStatus(browser, '/gold'), 401, JSON.stringify(acr))
    }
    for (const auth_time of [seconds() + 3600, seconds() * 1000, `${seconds()}`, [seconds()], 1e300]) {
      const browser = newBrowser()
      await signIn(started, browser, { ...vera, auth_time })
      clock.advance(120)
      t.equal(await getStatus(browser, '/money'), 401, `auth_time ${JSON.stringify(auth_time)}`)
    }
  })
}

t.test('a provider that verifies addresses denies it, but not by false: an invitation is not used', async (t) => {
  for (const email_verified of ['false', 'False', 'no', 0, '0', '', [], [false], {}]) {
    const started = await startAccounts(t, { demo: { verifiesEmail: true } })
    const id = await signUp(started)
    await started.app.postern.invite(id, { expiresIn: 3600 })
    const thief = started.newBrowser()
    await signIn(started, thief, { ...mallory, email: address, email_verified })
    t.not(await idIn(thief), id, JSON.stringify(email_verified))
    t.equal(await idOf(started, 'mallory'), null, JSON.stringify(email_verified))
  }
})

t.test('a step-up is finished by an account that was linked after it began', async (t) => {
  for (const strategy of strategies) {
    const started = await startGuarded(t, { session: { strategy } })
    const { browser, clock, seconds } = started
    await signInByMail(started, browser, address)
    const id = (await idIn(browser)) ?? ''
    clock.advance(300)
    const thief = getCopy(started, browser)
    await thief.request('GET', '/api/auth/verify?max_age=60', { headers: html })
    const { location } = await signIn(started, thief, { ...mallory, auth_time: seconds() }, asLink)
    t.match(location, /error=DifferentUser/)
    t.same(await accountsOf(started, id), [])
    t.equal(await getStatus(thief, '/money'), 401)
  }
})

t.test('one application ends what another began, in one store', async (t) => {
  for (const strategy of strategies)
    for (const what of ['unlink', 'revokeAll', 'reclaim', 'suspend', 'deleteUser'] as const) {
      const clock = { now: Date.now }
      const adapter = withSessionRecords(memoryAdapter(), () => clock.now())
      const options = { adapter, session: { strategy }, acceptUnbound: false }
      const shop = await startAccounts(t, { ...options, applicationId: 'shop' })
      const admin = await startAccounts(t, { ...options, applicationId: 'admin' })
      clock.now = shop.clock.now
      const { browser } = shop
      await signIn(shop, browser, { ...vera, email_verified: what !== 'reclaim' })
      const id = (await idIn(browser)) ?? ''
      t.ok(id)
      const { unlink, sessions, users, deleteUser } = admin.app.postern
      if (what === 'unlink') await unlink(id, { provider: 'demo', providerAccountId: 'vera' })
      else if (what === 'revokeAll') await sessions.revokeAll(id)
      else if (what === 'suspend') await users.suspend(id)
      else if (what === 'deleteUser') await deleteUser(id)
      else {
        await signInByMail(admin, admin.browser, address)
        t.equal(await idIn(admin.browser), id)
      }
      // Revocations of another registration apply within a second.
      shop.clock.advance(2)
      t.equal(await idIn(browser), null, `${strategy}: ${what}`)
    }
})
