import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, AdapterUser } from '@postern/core'
import { type Browser, type BrowserResponse, createIssuer, type Person } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  cookieNames,
  demoIssuer,
  fromAfar,
  getSession,
  mails,
  openLinkPage,
  origin,
  people,
  type Started,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'
import { withoutTransactions } from './store-probe.ts'
import { transactionalAdapter } from './transactional.ts'

const ada: Person = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }
const bob: Person = { sub: 'bob', name: 'Bob', email: 'bob@example.com', email_verified: true }
const key = (sub: string) => ({ provider: 'demo', providerAccountId: sub })
const strategies = ['jwt', 'database'] as const
const turns = turnsOf(strategies, t)

/** Adds a user with another sign-in method to the store. */
async function invite(adapter: Adapter | undefined, user: Partial<AdapterUser>): Promise<AdapterUser> {
  const created = await adapter?.createUser?.({ name: null, email: null, emailVerified: null, ...user })
  if (!created) throw new Error('expected an adapter')
  return created
}

function checkRefusal(t: { match: (found: unknown, requested: unknown) => unknown }, response: BrowserResponse): void {
  const location = /\/api\/auth\/signin\?error=OAuthAccountNotLinked&ref=/
  t.match({ status: response.status, location: response.location }, { status: 302, location })
}

/** Opens the callback of an attempt that was started before. */
async function finish({ issuer }: Started, browser: Browser, response: BrowserResponse, person: Person) {
  return browser.open(await issuer.authorize(response.location ?? '', person), { headers: fromAfar })
}

const begin = (browser: Browser, callbackUrl: string = '/me') =>
  browser.submit('/api/auth/signin/demo', { callbackUrl, link: 'true' })

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  test(`${strategy}: account known, no one signed in: that user`, async (t) => {
    const started = await start(t, { session })
    await signInAtIssuer(started, started.newBrowser(), ada)
    const owner = await started.adapter?.getUserByAccount?.(key('ada'))
    t.equal((await signInAtIssuer(started, started.browser, { ...ada, email: 'new@example.com' })).location, origin)
    t.same(await started.adapter?.getUserByAccount?.(key('ada')), owner, 'a new address at the provider changes no one')
    t.match(await getSession(started.browser), { user: { email: 'ada@example.com' } })
  })

  test(`${strategy}: account known, the same user signed in: a new session, and nothing else`, async (t) => {
    const message: string[] = []
    const events = {
      linkAccount: () => void message.push('linkAccount'),
      createUser: () => void message.push('createUser')
    }
    const started = await start(t, { session, events })
    const { browser } = started
    await signInAtIssuer(started, browser, ada)
    const before = browser.cookies.get(cookieNames.sessionToken) ?? ''
    await signInAtIssuer(started, browser, ada)
    t.same(message, ['createUser', 'linkAccount'])
    t.match(await getSession(browser), { user: { email: 'ada@example.com' } })
    t.not(browser.cookies.get(cookieNames.sessionToken), before)
    if (strategy === 'jwt') return
    const copy = started.newBrowser()
    copy.cookies.set(cookieNames.sessionToken, before)
    t.same(await getSession(copy), {}, 'the old one is dead')
  })

  test(`${strategy}: account known, another user signed in: refused, and nothing moves (R87)`, async (t) => {
    const started = await start(t, { session })
    const { browser } = started
    await signInAtIssuer(started, started.newBrowser(), ada)
    await signInByMail(started, browser, 'bob@example.com')
    const owner = await started.adapter?.getUserByAccount?.(key('ada'))
    const response = await signInAtIssuer(started, browser, ada)
    checkRefusal(t, response)
    t.same(await started.adapter?.getUserByAccount?.(key('ada')), owner)
    t.match(await getSession(browser), { user: { email: 'bob@example.com' } }, 'the user stays signed in')
    const page = await browser.follow(response)
    t.notOk(page.html().text.includes('ada@example.com'), 'the page names no other user (R76)')
  })

  test(`${strategy}: account unknown, a user signed in: linked to them, with any address`, async (t) => {
    const reported: object[] = []
    const events = {
      linkAccount: (payload: object) => void reported.push(payload),
      createUser: () => void reported.push({})
    }
    const started = await start(t, { session, events })
    const { browser, adapter } = started
    await signInByMail(started, browser, 'bob@example.com')
    reported.length = 0
    t.equal((await signInAtIssuer(started, browser, ada)).location, origin)
    const user = await adapter?.getUserByEmail?.('bob@example.com')
    t.equal((await adapter?.getUserByAccount?.(key('ada')))?.id, user?.id)
    t.equal(await adapter?.getUserByEmail?.('ada@example.com'), null, 'no one new')
    t.match(reported, [
      {
        user: { email: 'bob@example.com' },
        account: { providerAccountId: 'ada' },
        profile: { email: 'ada@example.com' }
      }
    ])
    t.match(await getSession(browser), { user: { email: 'bob@example.com' } })
    const elsewhere = started.newBrowser()
    await signInAtIssuer(started, elsewhere, ada)
    t.match(await getSession(elsewhere), { user: { email: 'bob@example.com' } }, 'and known by it from now on')
  })

  test(`${strategy}: account unknown, no one signed in, address free: a new user with that account`, async (t) => {
    const reported: object[] = []
    const note = (event: string) => (payload: object) => void reported.push({ event, ...payload })
    const events = { createUser: note('createUser'), linkAccount: note('linkAccount'), signIn: note('signIn') }
    const started = await start(t, { session, events })
    await signInAtIssuer(started, started.browser, { ...ada, email: 'Ada@Example.com' })
    const user = await started.adapter?.getUserByEmail?.('ada@example.com')
    t.match(user, { name: 'Ada Lovelace', emailVerified: new Date(started.clock.now()) })
    t.equal(started.store.count('createUserWithAccount') + started.store.count('transact'), 1, 'in one transaction')
    t.match(reported, [
      { event: 'createUser', user: { email: 'ada@example.com' } },
      { event: 'linkAccount', user: { id: user?.id }, account: { provider: 'demo', type: 'oidc' } },
      {
        event: 'signIn',
        user: { id: user?.id },
        account: { userId: user?.id },
        profile: { name: 'Ada Lovelace' },
        isNewUser: true
      }
    ])
  })
}

t.test(
  'link-1: the address is verified if the provider verified it, at creation and later, and only the same address',
  async (t) => {
    const cases = [
      [{ ...ada, email_verified: false }, null],
      [{ ...ada, email_verified: 'true' }, null],
      [{ sub: 'ada', email: 'ada@example.com' }, null],
      [ada, Date]
    ] as const
    for (const [person, proven] of cases) {
      const started = await start(t)
      await signInAtIssuer(started, started.browser, person)
      t.match(await started.adapter?.getUserByEmail?.('ada@example.com'), { emailVerified: proven })
      await signInAtIssuer(started, started.newBrowser(), { ...ada, email: 'other@example.com' })
      t.match(
        await started.adapter?.getUserByEmail?.('ada@example.com'),
        { emailVerified: proven },
        'another address proves nothing'
      )
      await signInAtIssuer(started, started.newBrowser(), ada)
      t.match(await started.adapter?.getUserByEmail?.('ada@example.com'), { emailVerified: Date })
    }
  }
)

t.test('the same id at two providers is two people (A36)', async (t) => {
  const second = createIssuer({ issuer: 'https://second.test' })
  const first = createIssuer()
  const providers = [demoIssuer(first), { ...demoIssuer(second), id: 'second' }, mails(), people]
  const fetch = (url: string, init: RequestInit) =>
    (url.startsWith('https://second.test') ? second : first).fetch(url, init)
  const started = await start(t, { providers, runtime: { fetch, now: Date.now } })
  await signInAtIssuer({ issuer: first }, started.browser, ada)
  const other = started.newBrowser()
  const response = await other.submit('/api/auth/signin/second', {})
  const callback = await second.authorize(response.location ?? '', { ...ada, email: 'impostor@example.com' })
  await other.open(callback, { headers: fromAfar })
  t.match(await getSession(other), { user: { email: 'impostor@example.com' } })
  t.match(await getSession(started.browser), { user: { email: 'ada@example.com' } })
})

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: an attempt that started signed out does not link to a user who signed in since: a page shows that user`, async (t) => {
    const started = await start(t, { session: { strategy } })
    const { browser, adapter, log, issuer } = started
    const response = await begin(browser)
    await signInByMail(started, browser, 'bob@example.com')
    const page = await finish(started, browser, response, ada)
    t.equal(page.status, 409)
    t.ok(page.html().text.includes('bob@example.com'), 'shows who is signed in')
    t.notOk(page.html().text.includes('ada@example.com'))
    t.equal(await adapter?.getUserByAccount?.(key('ada')), null, 'nothing is linked')
    const ref = page.html().querySelector('.reference')?.text.replace('Reference: ', '') ?? 'none'
    t.ok(log.some((line) => JSON.parse(line).auth?.ref === ref))
    t.match(await getSession(browser), { user: { email: 'bob@example.com' } })

    const again = await browser.fill(page, '/api/auth/signin/demo')
    const back = await browser.open(await issuer.authorize(again.location ?? '', ada), { headers: fromAfar })
    const asked = await openLinkPage(browser, back)
    t.ok(asked.html().text.includes('ada@example.com'), 'the page that names both asks')
    t.ok(asked.html().text.includes('bob@example.com'))
    t.equal(await adapter?.getUserByAccount?.(key('ada')), null, 'nothing is linked yet')
    const done = await browser.fill(asked, '/api/auth/verify/link')
    t.same([done.status, done.location], [302, `${origin}/me`], 'without another sign-in at the provider')
    const user = await adapter?.getUserByEmail?.('bob@example.com')
    t.equal((await adapter?.getUserByAccount?.(key('ada')))?.id, user?.id, 'confirmed, it is linked')
  })
}

t.test('an attempt continues if it results in the signed-in user, or if that user no longer exists', async (t) => {
  const started = await start(t)
  const { browser } = started
  await signInAtIssuer(started, browser, ada)
  await browser.submit('/api/auth/signout', {})
  const response = await begin(browser)
  const late = await begin(browser)
  await signInAtIssuer(started, browser, ada)
  t.equal((await finish(started, browser, response, ada)).location, `${origin}/me`)
  await browser.submit('/api/auth/signout', {})
  t.equal((await finish(started, browser, late, ada)).location, `${origin}/me`)
})

const stores = [
  ['memory', () => memoryAdapter()],
  ['sqlite', () => sqliteAdapter({ file: ':memory:' })],
  ['an adapter with transactions', () => transactionalAdapter()],
  ['an adapter without transactions', () => withoutTransactions(memoryAdapter())]
] as const

for (const { value, test } of turnsOf(stores, t)()) {
  const [name, open] = value
  test(`${name}: twenty first sign-ins at the same moment all end signed in as one user (N03)`, async (t) => {
    const created: object[] = []
    const events = { createUser: (payload: object) => void created.push(payload) }
    const started = await start(t, { adapter: open(), session: { strategy: 'database' }, events, rateLimit: false })
    const browsers = Array.from({ length: 20 }, started.newBrowser)
    const responses = await Promise.all(browsers.map((browser) => signInAtIssuer(started, browser, ada)))
    t.same(
      responses.map(({ location }) => location),
      browsers.map(() => origin)
    )
    const sessions = await Promise.all(browsers.map(getSession))
    t.ok(sessions.every(({ user }) => user?.email === 'ada@example.com'))
    const user = await started.adapter?.getUserByAccount?.(key('ada'))
    t.equal((await started.adapter?.listSessions?.(user?.id ?? ''))?.length, 20)
    t.equal(created.length, 1)
  })

  test(`${name}: twenty mails that are opened first at the same moment are one user`, async (t) => {
    const started = await start(t, { adapter: open(), session: { strategy: 'database' }, rateLimit: false })
    const browsers = Array.from({ length: 20 }, started.newBrowser)
    const urls: string[] = []
    for (const browser of browsers) {
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      urls.push(started.mailbox.last().url)
    }
    const responses = await Promise.all(browsers.map((browser, index) => browser.open(urls[index] ?? '')))
    t.same(
      responses.map(({ location }) => location),
      browsers.map(() => origin)
    )
    const user = await started.adapter?.getUserByEmail?.('ada@example.com')
    t.equal((await started.adapter?.listSessions?.(user?.id ?? ''))?.length, 20)
  })
}

for (const [how, startSignIn] of [
  ['at a provider', (started: Started, browser: Browser) => signInAtIssuer(started, browser, ada)],
  ['by the form', (_: Started, browser: Browser) => signInByForm(browser)]
] as const) {
  t.test(`a first sign-in ${how} that is written between two looks of another is found by it`, async (t) => {
    const adapter = memoryAdapter()
    let meanwhile: (() => Promise<unknown>) | null = null
    const findUserVersion: Adapter['findUserVersion'] = async (by) => {
      const other = 'email' in by ? meanwhile : null
      if (other) meanwhile = null
      await other?.()
      return adapter.findUserVersion?.(by) ?? null
    }
    const started = await start(t, { adapter: { ...adapter, findUserVersion }, session: { strategy: 'database' } })
    const { browser, newBrowser } = started
    meanwhile = () => startSignIn(started, newBrowser())
    t.equal((await startSignIn(started, browser)).location, origin)
    t.ok((await getSession(browser)).user)
    t.equal(meanwhile, null, 'there was another')
  })
}

t.test(
  'join-7: a first sign-in that was cut off between user and account is refused until the user is deleted',
  async (t) => {
    const adapter = withoutTransactions(memoryAdapter())
    const started = await start(t, { adapter })
    const { browser, newBrowser, store } = started
    store.breakDown('linkAccount', 'deleteUser')
    t.equal((await signInAtIssuer(started, browser, ada)).status, 503)
    store.restore()
    const user = await adapter.getUserByEmail?.('ada@example.com')
    t.ok(user, 'the user was left behind')
    for (const sub of ['ada', 'mallory'])
      for (const email_verified of [true, false])
        checkRefusal(t, await signInAtIssuer(started, newBrowser(), { ...ada, sub, email_verified }))
    await adapter.deleteUser?.(user?.id ?? '')
    t.equal((await signInAtIssuer(started, browser, ada)).location, origin)
    t.match(await getSession(browser), { user: { email: 'ada@example.com' } })
  }
)

t.test(
  'reclaim-1: a link that verifies an address removes what was attached to it before: sessions, and foreign accounts (R81, R82, A33)',
  async (t) => {
    const started = await start(t, { session: { strategy: 'database' } })
    const { newBrowser, adapter, browser } = started
    const attacker = newBrowser()
    await signInByForm(attacker, 'victim')
    await signInAtIssuer(started, attacker, { sub: 'mallory', email: 'mallory@example.com', email_verified: true })
    t.match(await getSession(attacker), { user: { email: 'victim@example.com' } }, 'the trap is set')

    t.equal((await signInByMail(started, browser, 'victim@example.com')).location, origin)
    t.match(await getSession(browser), { user: { email: 'victim@example.com' } })
    t.same(await getSession(attacker), {}, 'the session of the attacker is dead')
    const user = await adapter?.getUserByEmail?.('victim@example.com')
    t.ok(user?.emailVerified)
    t.same(await adapter?.getAccounts?.(user?.id ?? ''), [], 'and so are the ways back in')
    checkRefusal(t, await signInByForm(newBrowser(), 'victim'))
    const back = newBrowser()
    await signInAtIssuer(started, back, { sub: 'mallory', email: 'mallory@example.com' })
    t.match(
      await getSession(back),
      { user: { email: 'mallory@example.com' } },
      'the provider account leads elsewhere now'
    )
  }
)

/** An adapter to which a session that no longer exists is an error, as to Prisma's. */
function strictAboutSessions(): Adapter {
  const adapter = memoryAdapter()
  return {
    ...withoutTransactions(adapter),
    deleteSession: async (sessionToken) => {
      const deleted = await adapter.deleteSession(sessionToken)
      if (!deleted) throw new Error('Record to delete does not exist.')
      return deleted
    }
  }
}

t.test('the session that a browser had before may be over by the time that it is ended', async (t) => {
  const started = await start(t, { adapter: strictAboutSessions(), session: { strategy: 'database' } })
  const { browser } = started
  await signInByForm(browser, 'ada')
  t.equal((await signInByMail(started, browser)).location, origin, 'the link ended all sessions of the user')
  t.match(await getSession(browser), { user: { email: 'ada@example.com' } })
})

/** A user with an unverified address, an account that someone else may have added, and a session. */
async function plant({ adapter, clock }: Started): Promise<AdapterUser> {
  const user = await invite(adapter, { email: 'ada@example.com' })
  await adapter?.linkAccount?.({ ...key('ada'), type: 'oidc', userId: user.id })
  const expires = new Date(clock.now() + 1000)
  await adapter?.createSession?.({ sessionToken: 'older', userId: user.id, expires })
  return user
}

t.test('reclaim-2: accounts that proved the address stay, for any provider', async (t) => {
  const cases = [
    [{ demo: { verifiesEmail: true } }, null, false],
    [{}, 'ada@example.com', true],
    [{}, 'other@example.com', false],
    [{}, null, false]
  ] as const
  for (const [options, evidence, hasAccount] of cases) {
    const started = await start(t, { session: { strategy: 'database' }, ...options })
    const { adapter } = started
    const user = await plant(started)
    const verified = { ...key('ada'), userId: user.id, verifiedAt: new Date(0) }
    if (evidence) await adapter?.putAccountEvidence?.({ ...verified, email: evidence })
    await signInByMail(started, started.browser)
    t.equal((await adapter?.getAccounts?.(user.id))?.length, hasAccount ? 1 : 0)
    t.equal(await adapter?.getSessionAndUser?.('older'), null)
  }
})

t.test('reclaim-2: an account that proves the address at a sign-in stays', async (t) => {
  // Without a stored ID Token, only the record shows it.
  const started = await start(t, { demo: { account: () => ({}) } })
  const { adapter } = started
  const user = await plant(started)
  await signInAtIssuer(started, started.newBrowser(), ada)
  t.ok((await adapter?.getUser?.(user.id))?.emailVerified)
  // The application does not trust the address anymore.
  await adapter?.updateUser?.({ id: user.id, emailVerified: null })
  await signInByMail(started, started.browser)
  t.match(await adapter?.getAccounts?.(user.id), [key('ada')])
})

t.test('reclaim-1: what waits for a reclaimed user ends', async (t) => {
  const started = await start(t)
  const { adapter, clock } = started
  const user = await plant(started)
  const ticket = { kind: 'reset', id: 'a', userId: user.id, data: '', tries: 0, expires: new Date(clock.now() + 1000) }
  await adapter?.createTicket?.(ticket)
  await signInByMail(started, started.browser)
  t.equal(await adapter?.readTicket?.({ kind: 'reset', id: 'a' }), null)
})

t.test(
  'reclaim-3: the event lists the accounts, before they are removed and while the address is unverified',
  async (t) => {
    const heard: unknown[] = []
    const events = {
      reclaimUser: async ({ user, removed, phase }: { user: { id: string }; removed: object; phase: string }) => {
        const { emailVerified = null } = (await started.adapter?.getUser?.(user.id)) ?? {}
        const owner = await started.adapter?.getUserByAccount?.(key('ada'))
        heard.push({ removed, phase, emailVerified, isThere: owner?.id === user.id })
      }
    }
    const started: Started = await start(t, { session: { strategy: 'database' }, events })
    await plant(started)
    await signInByMail(started, started.browser)
    const removed = { accounts: [key('ada')] }
    t.match(heard[0], { removed, phase: 'before', emailVerified: null, isThere: true })
  }
)

t.test('link-1: a sign-in through a linked account verifies the address, and removes nothing', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  const { adapter, browser } = started
  const user = await plant(started)
  await adapter?.linkAccount?.({ provider: 'other', providerAccountId: '1', type: 'oauth', userId: user.id })
  t.equal((await signInAtIssuer(started, browser, ada)).location, origin)
  t.ok((await adapter?.getUser?.(user.id))?.emailVerified)
  t.equal((await adapter?.getAccounts?.(user.id))?.length, 2)
  t.not(await adapter?.getSessionAndUser?.('older'), null)
})

t.test('hook-1: an address that the signIn callback has changed does not count as verified', async (t) => {
  const signIn = ({ user }: { readonly user: object }) => Boolean(Object.assign(user, { email: 'bob@example.com' }))
  // What another process gives the callback is a copy.
  const started = await start(t, { callbacks: { signIn }, instances: 1 })
  t.equal((await signInAtIssuer(started, started.browser, ada)).location, origin)
  t.match(await started.adapter?.getUserByEmail?.('bob@example.com'), { emailVerified: null })
})

t.test(
  'reclaim-5: a reclaim whose listener throws leaves the address unverified, and the next one completes it',
  async (t) => {
    const fails = { is: true }
    const events = {
      reclaimUser: () => {
        if (fails.is) throw new Error('the password could not be deleted')
      }
    }
    const started = await start(t, { session: { strategy: 'database' }, events })
    const { adapter, browser } = started
    const user = await plant(started)
    t.match((await signInByMail(started, browser)).location, /error=/)
    t.same(await getSession(browser), {})
    t.equal((await adapter?.getUser?.(user.id))?.emailVerified, null)
    fails.is = false
    t.equal((await signInByMail(started, browser)).location, origin)
    t.ok((await adapter?.getUser?.(user.id))?.emailVerified)
    t.same(await adapter?.getAccounts?.(user.id), [])
  }
)

t.test('reclaim-5: a reclaim during which the store fails leaves the address unverified', async (t) => {
  const adapter = withoutTransactions(memoryAdapter())
  const started = await start(t, { adapter, session: { strategy: 'database' } })
  const { browser, store } = started
  const user = await plant(started)
  store.breakDown('unlinkAccount')
  t.equal((await signInByMail(started, browser)).status, 503)
  t.same(await getSession(browser), {})
  t.equal((await adapter.getUser?.(user.id))?.emailVerified, null)
  store.restore()
  t.equal((await signInByMail(started, browser)).location, origin)
  t.ok((await adapter.getUser?.(user.id))?.emailVerified)
  t.same(await adapter.getAccounts?.(user.id), [])
})

t.test('adapter-1: a user is not claimed if the adapter cannot remove accounts or sessions', async (t) => {
  for (const missing of ['unlinkAccount', 'deleteSessions'] as const) {
    const { transact: _, [missing]: __, ...adapter } = memoryAdapter()
    const started = await start(t, { adapter: withoutTransactions(adapter), session: { strategy: 'database' } })
    const user = await plant(started)
    checkRefusal(t, await signInByMail(started, started.browser))
    t.equal((await adapter.getUser?.(user.id))?.emailVerified, null, missing)
  }
})

t.test('join-4: an invitation of a user with a verified address is for one join', async (t) => {
  const started = await start(t, { demo: { verifiesEmail: true } })
  const { adapter, app, newBrowser } = started
  const user = await invite(adapter, { email: 'ada@example.com', emailVerified: new Date(0) })
  await app.postern.invite(user.id, { expiresIn: 3600 })
  t.equal((await signInAtIssuer(started, newBrowser(), ada)).location, origin)
  checkRefusal(t, await signInAtIssuer(started, newBrowser(), { ...ada, sub: 'mallory' }))
  t.match(await adapter?.getAccounts?.(user.id), [key('ada')])
})

t.test('join-6: a user without accounts, whom the application created, is not joined by an address', async (t) => {
  for (const emailVerified of [null, new Date(0)])
    for (const demo of [{}, { verifiesEmail: true }]) {
      const started = await start(t, { demo })
      const user = await invite(started.adapter, { email: 'ada@example.com', emailVerified })
      checkRefusal(t, await signInAtIssuer(started, started.browser, ada))
      t.same(await started.adapter?.getAccounts?.(user.id), [])
    }
})

t.test('join-2: a user with a verified address loses nothing by another link', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  const { browser, adapter } = started
  await signInByMail(started, browser)
  await signInAtIssuer(started, browser, ada)
  await signInByMail(started, started.newBrowser())
  t.match(await getSession(browser), { user: { email: 'ada@example.com' } })
  t.ok(await adapter?.getUserByAccount?.(key('ada')))
})

t.test('the signIn callback receives the stored user if there is one', async (t) => {
  const requests: object[] = []
  const callbacks = {
    signIn: (question: object) => {
      requests.push(question)
      return true
    }
  }
  const started = await start(t, { callbacks })
  await signInAtIssuer(started, started.newBrowser(), ada)
  await signInAtIssuer(started, started.newBrowser(), ada)
  const user = await started.adapter?.getUserByEmail?.('ada@example.com')
  t.match(requests, [
    {
      user: { id: 'ada', email: 'ada@example.com' },
      account: { provider: 'demo', access_token: String },
      profile: { sub: 'ada' }
    },
    { user: { id: user?.id } }
  ])
  requests.length = 0
  await signInByMail(started, started.newBrowser(), 'new@example.com')
  t.match(requests, [
    {
      user: { id: 'new@example.com', emailVerified: null },
      account: { type: 'email', userId: 'new@example.com' },
      email: { verificationRequest: true }
    },
    {
      user: { id: 'new@example.com', emailVerified: null },
      account: { type: 'email', providerAccountId: 'new@example.com' }
    }
  ])
  t.notOk('email' in (requests[1] ?? {}))
})

t.test('the browser’s session is read after the callbacks ran, which may end it', async (t) => {
  const stored = withoutTransactions(memoryAdapter())
  let looks = 0
  const adapter: Adapter = {
    ...stored,
    getSessionAndUser: async (token) => {
      looks += 1
      return (await stored.getSessionAndUser?.(token)) ?? null
    },
    // Prisma refuses to delete what is not there.
    deleteSession: async (token) => {
      if (!(await stored.getSessionAndUser?.(token))) throw new Error('no such session')
      return stored.deleteSession?.(token)
    }
  }
  const isEnded = { sessions: false }
  const signIn = async ({ user }: { user: { id: string } }): Promise<boolean> => {
    if (isEnded.sessions) await stored.deleteSessions?.(user.id)
    return true
  }
  const started = await start(t, { adapter, session: { strategy: 'database' }, callbacks: { signIn } })
  const { browser } = started
  await signInAtIssuer(started, browser, ada)
  for (const [person, ends, max] of [
    // Linked, without a transaction: `isNewUser` of the callback depends on it, and the session is checked after the link.
    [bob, false, 3],
    [ada, true, 1]
  ] as const) {
    const response = await begin(browser)
    looks = 0
    isEnded.sessions = ends
    t.equal((await finish(started, browser, response, person)).location, `${origin}/me`)
    t.equal(looks, max)
    t.match(await getSession(browser), { user: { email: 'ada@example.com' } })
  }
})
