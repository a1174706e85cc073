import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, AdapterUser } from '@postern/core'
import { type Browser, type BrowserResponse, createIssuer, type Person } from '@postern/testkit'
import t from 'tap'
import {
  cookieNames,
  demoIssuer,
  fromAfar,
  mails,
  origin,
  people,
  type Started,
  sessionOf,
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

/** Puts a user into the store who came some other way. */
async function invite(adapter: Adapter | undefined, user: Partial<AdapterUser>): Promise<AdapterUser> {
  const created = await adapter?.createUser?.({ name: null, email: null, emailVerified: null, ...user })
  if (!created) throw new Error('expected an adapter')
  return created
}

function checkRefusal(t: { match: (found: unknown, wanted: unknown) => unknown }, response: BrowserResponse): void {
  const location = /\/api\/auth\/signin\?error=OAuthAccountNotLinked&ref=/
  t.match({ status: response.status, location: response.location }, { status: 302, location })
}

/** Opens the callback of an attempt that was begun before. */
async function finish({ issuer }: Started, browser: Browser, begun: BrowserResponse, person: Person) {
  return browser.open(await issuer.authorize(begun.location ?? '', person), { headers: fromAfar })
}

const begin = (browser: Browser, callbackUrl: string = '/me') =>
  browser.submit('/api/auth/signin/demo', { callbackUrl })

for (const strategy of strategies) {
  const session = { strategy }

  t.test(`${strategy}: account known, nobody signed in: that user`, async (t) => {
    const started = await start(t, { session })
    await signInAtIssuer(started, started.newBrowser(), ada)
    const owner = await started.adapter?.getUserByAccount?.(key('ada'))
    t.equal((await signInAtIssuer(started, started.browser, { ...ada, email: 'new@example.com' })).location, origin)
    t.same(await started.adapter?.getUserByAccount?.(key('ada')), owner, 'a new address at the provider changes nobody')
    t.match(await sessionOf(started.browser), { user: { email: 'ada@example.com' } })
  })

  t.test(`${strategy}: account known, the same user signed in: a new session, and nothing else`, async (t) => {
    const told: string[] = []
    const events = { linkAccount: () => void told.push('linkAccount'), createUser: () => void told.push('createUser') }
    const started = await start(t, { session, events })
    const { browser } = started
    await signInAtIssuer(started, browser, ada)
    const before = browser.cookies.get(cookieNames.sessionToken) ?? ''
    await signInAtIssuer(started, browser, ada)
    t.same(told, ['createUser', 'linkAccount'])
    t.match(await sessionOf(browser), { user: { email: 'ada@example.com' } })
    t.not(browser.cookies.get(cookieNames.sessionToken), before)
    if (strategy === 'jwt') return
    const copy = started.newBrowser()
    copy.cookies.set(cookieNames.sessionToken, before)
    t.same(await sessionOf(copy), {}, 'the old one is dead')
  })

  t.test(`${strategy}: account known, another user signed in: refused, and nothing moves (R87)`, async (t) => {
    const started = await start(t, { session })
    const { browser } = started
    await signInAtIssuer(started, started.newBrowser(), ada)
    await signInByMail(started, browser, 'bob@example.com')
    const owner = await started.adapter?.getUserByAccount?.(key('ada'))
    const response = await signInAtIssuer(started, browser, ada)
    checkRefusal(t, response)
    t.same(await started.adapter?.getUserByAccount?.(key('ada')), owner)
    t.match(await sessionOf(browser), { user: { email: 'bob@example.com' } }, 'who is signed in stays so')
    const page = await browser.follow(response)
    t.notOk(page.html().text.includes('ada@example.com'), 'the page names nobody else (R76)')
  })

  t.test(`${strategy}: account unknown, somebody signed in: linked to them, whatever address it has`, async (t) => {
    const told: object[] = []
    const events = { linkAccount: (payload: object) => void told.push(payload), createUser: () => void told.push({}) }
    const started = await start(t, { session, events })
    const { browser, adapter } = started
    await signInByMail(started, browser, 'bob@example.com')
    told.length = 0
    t.equal((await signInAtIssuer(started, browser, ada)).location, origin)
    const user = await adapter?.getUserByEmail?.('bob@example.com')
    t.equal((await adapter?.getUserByAccount?.(key('ada')))?.id, user?.id)
    t.equal(await adapter?.getUserByEmail?.('ada@example.com'), null, 'nobody new')
    t.match(told, [
      {
        user: { email: 'bob@example.com' },
        account: { providerAccountId: 'ada' },
        profile: { email: 'ada@example.com' }
      }
    ])
    t.match(await sessionOf(browser), { user: { email: 'bob@example.com' } })
    const elsewhere = started.newBrowser()
    await signInAtIssuer(started, elsewhere, ada)
    t.match(await sessionOf(elsewhere), { user: { email: 'bob@example.com' } }, 'and known by it from now on')
  })

  t.test(`${strategy}: account unknown, nobody signed in, address free: a new user with that account`, async (t) => {
    const told: object[] = []
    const note = (event: string) => (payload: object) => void told.push({ event, ...payload })
    const events = { createUser: note('createUser'), linkAccount: note('linkAccount'), signIn: note('signIn') }
    const started = await start(t, { session, events })
    await signInAtIssuer(started, started.browser, { ...ada, email: 'Ada@Example.com' })
    const user = await started.adapter?.getUserByEmail?.('ada@example.com')
    t.match(user, { name: 'Ada Lovelace', emailVerified: new Date(started.clock.now()) })
    t.equal(started.store.count('createUserWithAccount') + started.store.count('atomically'), 1, 'in one transaction')
    t.match(told, [
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
  'the address is proven when the provider says so, at creation and later, and only for the same address',
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

/** What is stored for the address, what the provider says of it, the option; and whether the two become one. */
const byAddress: readonly (readonly [stored: boolean, stated: boolean, allowed: boolean, linked: boolean])[] = [
  [false, false, false, false],
  [false, false, true, false],
  [false, true, false, false],
  [false, true, true, false],
  [true, false, false, false],
  [true, false, true, false],
  [true, true, false, false],
  [true, true, true, true]
]

for (const [stored, stated, allowed, linked] of byAddress) {
  const title = `address taken, ${stored ? 'proven' : 'unproven'} here, ${stated ? 'proven' : 'unproven'} there, linking ${allowed ? 'allowed' : 'not allowed'}`
  t.test(`${title}: ${linked ? 'linked' : 'refused'}`, async (t) => {
    const created: object[] = []
    const events = { createUser: (payload: object) => void created.push(payload) }
    const started = await start(t, { demo: { allowDangerousEmailAccountLinking: allowed }, events })
    const { adapter, browser } = started
    const user = await invite(adapter, { email: 'ada@example.com', emailVerified: stored ? new Date(0) : null })
    await adapter?.linkAccount?.({ provider: 'other', providerAccountId: '1', type: 'oauth', userId: user.id })
    const response = await signInAtIssuer(started, browser, { ...ada, email_verified: stated })
    if (linked) t.equal(response.location, origin)
    else checkRefusal(t, response)
    t.equal((await adapter?.getUserByAccount?.(key('ada')))?.id, linked ? user.id : undefined)
    t.equal((await sessionOf(browser)).user?.email, linked ? 'ada@example.com' : undefined)
    t.same(created, [], 'nobody was created, and nobody is told so')
  })
}

t.test('the same id at two providers is two people (A36)', async (t) => {
  const second = createIssuer({ issuer: 'https://second.test' })
  const first = createIssuer()
  const providers = [demoIssuer(first), { ...demoIssuer(second), id: 'second' }, mails(), people]
  const fetch = (url: string, init: RequestInit) =>
    (url.startsWith('https://second.test') ? second : first).fetch(url, init)
  const started = await start(t, { providers, runtime: { fetch, now: Date.now } })
  await signInAtIssuer({ issuer: first }, started.browser, ada)
  const other = started.newBrowser()
  const begun = await other.submit('/api/auth/signin/second', {})
  const callback = await second.authorize(begun.location ?? '', { ...ada, email: 'impostor@example.com' })
  await other.open(callback, { headers: fromAfar })
  t.match(await sessionOf(other), { user: { email: 'impostor@example.com' } })
  t.match(await sessionOf(started.browser), { user: { email: 'ada@example.com' } })
})

for (const strategy of strategies) {
  t.test(
    `${strategy}: an attempt that began signed out does not link to who signed in since: a page says who that is`,
    async (t) => {
      const started = await start(t, { session: { strategy } })
      const { browser, adapter, log, issuer } = started
      const begun = await begin(browser)
      await signInByMail(started, browser, 'bob@example.com')
      const page = await finish(started, browser, begun, ada)
      t.equal(page.status, 409)
      t.ok(page.html().text.includes('bob@example.com'), 'says who is signed in')
      t.notOk(page.html().text.includes('ada@example.com'))
      t.equal(await adapter?.getUserByAccount?.(key('ada')), null, 'nothing is linked')
      const ref = page.html().querySelector('.reference')?.text.replace('Reference: ', '') ?? 'none'
      t.ok(log.some((line) => JSON.parse(line).auth?.ref === ref))
      t.match(await sessionOf(browser), { user: { email: 'bob@example.com' } })

      const again = await browser.fill(page, '/api/auth/signin/demo')
      const done = await browser.open(await issuer.authorize(again.location ?? '', ada), { headers: fromAfar })
      t.equal(done.status, 302)
      const user = await adapter?.getUserByEmail?.('bob@example.com')
      t.equal((await adapter?.getUserByAccount?.(key('ada')))?.id, user?.id, 'started again on purpose, it is')
    }
  )
}

t.test('an attempt that began as one user does not link to another, nor sign in over them', async (t) => {
  const started = await start(t)
  const { browser, adapter } = started
  await signInAtIssuer(started, started.newBrowser(), { sub: 'carol', email: 'carol@example.com' })
  await signInByMail(started, browser, 'bob@example.com')
  const begun = await begin(browser)
  const second = await begin(browser)
  await signInByMail(started, browser, 'dave@example.com')
  t.equal((await finish(started, browser, begun, ada)).status, 409)
  t.equal(await adapter?.getUserByAccount?.(key('ada')), null)
  const known = await finish(started, browser, second, { sub: 'carol', email: 'carol@example.com' })
  t.equal(known.status, 409)
  t.match(await sessionOf(browser), { user: { email: 'dave@example.com' } })
})

t.test(
  'an attempt goes on where it leads to the one who is signed in anyway, and where nobody is any more',
  async (t) => {
    const started = await start(t)
    const { browser } = started
    await signInAtIssuer(started, browser, ada)
    await browser.submit('/api/auth/signout', {})
    const begun = await begin(browser)
    const late = await begin(browser)
    await signInAtIssuer(started, browser, ada)
    t.equal((await finish(started, browser, begun, ada)).location, `${origin}/me`)
    await browser.submit('/api/auth/signout', {})
    t.equal((await finish(started, browser, late, ada)).location, `${origin}/me`)
  }
)

t.test('a client that follows by itself, and a sign-in page of the application, get the code', async (t) => {
  for (const pages of [{}, { signIn: '/in' }]) {
    const started = await start(t, { pages })
    const { browser, issuer } = started
    const begun = await begin(browser)
    await signInByMail(started, browser, 'bob@example.com')
    const callback = await issuer.authorize(begun.location ?? '', ada)
    const headers = pages.signIn ? fromAfar : { 'x-auth-return-redirect': '1' }
    const response = await browser.open(callback, { headers })
    const location = response.location ?? response.json<{ url: string }>().url
    t.match(location, /\/api\/auth\/signin\?error=OAuthAccountNotLinked/)
  }
})

for (const [name, open] of [
  ['memory', () => memoryAdapter()],
  ['sqlite', () => sqliteAdapter({ file: ':memory:' })],
  ['an adapter with transactions', () => transactionalAdapter()],
  ['an adapter without transactions', () => withoutTransactions(memoryAdapter())]
] as const) {
  t.test(`${name}: twenty first sign-ins at the same moment all end signed in as one user (N03)`, async (t) => {
    const created: object[] = []
    const events = { createUser: (payload: object) => void created.push(payload) }
    const started = await start(t, { adapter: open(), session: { strategy: 'database' }, events, rateLimit: false })
    const browsers = Array.from({ length: 20 }, started.newBrowser)
    const answers = await Promise.all(browsers.map((browser) => signInAtIssuer(started, browser, ada)))
    t.same(
      answers.map(({ location }) => location),
      browsers.map(() => origin)
    )
    const sessions = await Promise.all(browsers.map(sessionOf))
    t.ok(sessions.every(({ user }) => user?.email === 'ada@example.com'))
    const user = await started.adapter?.getUserByAccount?.(key('ada'))
    t.equal((await started.adapter?.listSessions?.(user?.id ?? ''))?.length, 20)
    t.equal(created.length, 1)
  })

  t.test(`${name}: twenty mails that are opened first at the same moment are one user`, async (t) => {
    const started = await start(t, { adapter: open(), session: { strategy: 'database' }, rateLimit: false })
    const browsers = Array.from({ length: 20 }, started.newBrowser)
    const urls: string[] = []
    for (const browser of browsers) {
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      urls.push(started.mailbox.last().url)
    }
    const answers = await Promise.all(browsers.map((browser, index) => browser.open(urls[index] ?? '')))
    t.same(
      answers.map(({ location }) => location),
      browsers.map(() => origin)
    )
    const user = await started.adapter?.getUserByEmail?.('ada@example.com')
    t.equal((await started.adapter?.listSessions?.(user?.id ?? ''))?.length, 20)
  })
}

for (const [how, enter] of [
  ['at a provider', (started: Started, browser: Browser) => signInAtIssuer(started, browser, ada)],
  ['by the form', (_: Started, browser: Browser) => signInByForm(browser)]
] as const) {
  t.test(`a first sign-in ${how} that is written between two looks of another is found by it`, async (t) => {
    const adapter = memoryAdapter()
    let meanwhile: (() => Promise<unknown>) | null = null
    const getUserByEmail: Adapter['getUserByEmail'] = async (email) => {
      const other = meanwhile
      meanwhile = null
      await other?.()
      return adapter.getUserByEmail?.(email) ?? null
    }
    const started = await start(t, { adapter: { ...adapter, getUserByEmail }, session: { strategy: 'database' } })
    const { browser, newBrowser } = started
    meanwhile = () => enter(started, newBrowser())
    t.equal((await enter(started, browser)).location, origin)
    t.ok((await sessionOf(browser)).user)
    t.equal(meanwhile, null, 'there was another')
  })
}

t.test('a first sign-in that was cut off between user and account is repaired at the next (N01)', async (t) => {
  const adapter = withoutTransactions(memoryAdapter())
  const started = await start(t, { adapter })
  const { browser, store } = started
  store.breakDown('linkAccount', 'deleteUser')
  t.equal((await signInAtIssuer(started, browser, ada)).status, 503)
  t.ok(await adapter.getUserByEmail?.('ada@example.com'), 'the user was left behind')
  store.mend()
  t.equal((await signInAtIssuer(started, browser, ada)).location, origin)
  t.match(await sessionOf(browser), { user: { email: 'ada@example.com' } })
})

t.test(
  'a link that proves an address ends what was attached to it unproven: sessions, and foreign accounts (R81, R82, A33)',
  async (t) => {
    for (const store of ['memory', 'sqlite'] as const) {
      const started = await start(t, { store, session: { strategy: 'database' } })
      const { newBrowser, adapter, browser } = started
      const attacker = newBrowser()
      await signInByForm(attacker, 'victim')
      await signInAtIssuer(started, attacker, { sub: 'mallory', email: 'mallory@example.com', email_verified: true })
      t.match(await sessionOf(attacker), { user: { email: 'victim@example.com' } }, 'the trap is set')

      t.equal((await signInByMail(started, browser, 'victim@example.com')).location, origin)
      t.match(await sessionOf(browser), { user: { email: 'victim@example.com' } })
      t.same(await sessionOf(attacker), {}, 'the session of the attacker is dead')
      const user = await adapter?.getUserByEmail?.('victim@example.com')
      t.ok(user?.emailVerified)
      t.same(await adapter?.getAccounts?.(user?.id ?? ''), [], 'and so are the ways back in')
      checkRefusal(t, await signInByForm(newBrowser(), 'victim'))
      const back = newBrowser()
      await signInAtIssuer(started, back, { sub: 'mallory', email: 'mallory@example.com' })
      t.match(
        await sessionOf(back),
        { user: { email: 'mallory@example.com' } },
        'the provider account leads elsewhere now'
      )
    }
  }
)

/** An adapter to which a session that is gone is an error, as to Prisma's. */
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
  t.match(await sessionOf(browser), { user: { email: 'ada@example.com' } })
})

t.test(
  'accounts of providers that prove every address stay; so does everything with linking.unproven: keep',
  async (t) => {
    const cases = [
      [{ demo: { verifiesEmail: true } }, true, false],
      [{ linking: { unproven: 'keep' } }, true, true],
      [{}, false, false]
    ] as const
    for (const [options, hasAccount, hasSession] of cases) {
      const started = await start(t, { session: { strategy: 'database' }, ...options })
      const { adapter, clock } = started
      const user = await invite(adapter, { email: 'ada@example.com' })
      await adapter?.linkAccount?.({ ...key('ada'), type: 'oidc', userId: user.id })
      const expires = new Date(clock.now() + 1000)
      await adapter?.createSession?.({ sessionToken: 'older', userId: user.id, expires })
      await signInByMail(started, started.browser)
      t.equal((await adapter?.getAccounts?.(user.id))?.length, hasAccount ? 1 : 0)
      t.equal((await adapter?.getSessionAndUser?.('older')) !== null, hasSession)
    }
  }
)

t.test('a user whose address is proven already loses nothing by a further link', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  const { browser, adapter } = started
  await signInByMail(started, browser)
  await signInAtIssuer(started, browser, ada)
  await signInByMail(started, started.newBrowser())
  t.match(await sessionOf(browser), { user: { email: 'ada@example.com' } })
  t.ok(await adapter?.getUserByAccount?.(key('ada')))
})

t.test('tokens of the provider are kept fresh; fields that no column fits never fail a sign-in', async (t) => {
  for (const store of ['memory', 'sqlite'] as const) {
    const started = await start(t, { store })
    const { issuer, adapter, newBrowser, store: probe } = started
    await signInAtIssuer(started, newBrowser(), ada)
    const user = await adapter?.getUserByAccount?.(key('ada'))
    const [before] = (await adapter?.getAccounts?.(user?.id ?? '')) ?? []
    t.match(before, { token_type: /^bearer$/i, scope: 'openid email profile', access_token: String, id_token: String })
    t.equal(before?.expires_at, Math.floor(started.clock.now() / 1000) + 3600)
    issuer.faults.tokenFields = {
      not_before_policy: 0,
      extra: { deep: [1] },
      scope: 'openid',
      session_state: 'x'.repeat(5000),
      refresh_token_expires_in: '9'
    }
    t.equal((await signInAtIssuer(started, newBrowser(), ada)).location, origin)
    const [after] = (await adapter?.getAccounts?.(user?.id ?? '')) ?? []
    t.not(after?.access_token, before?.access_token)
    t.equal(after?.scope, 'openid')
    probe.breakDown('updateAccount')
    t.equal(
      (await signInAtIssuer(started, newBrowser(), ada)).location,
      origin,
      'a write that fails is no reason to refuse'
    )
  }
})

t.test('the signIn callback is asked about the stored user where there is one', async (t) => {
  const asked: object[] = []
  const callbacks = {
    signIn: (question: object) => {
      asked.push(question)
      return true
    }
  }
  const started = await start(t, { callbacks })
  await signInAtIssuer(started, started.newBrowser(), ada)
  await signInAtIssuer(started, started.newBrowser(), ada)
  const user = await started.adapter?.getUserByEmail?.('ada@example.com')
  t.match(asked, [
    {
      user: { id: 'ada', email: 'ada@example.com' },
      account: { provider: 'demo', access_token: String },
      profile: { sub: 'ada' }
    },
    { user: { id: user?.id } }
  ])
  asked.length = 0
  await signInByMail(started, started.newBrowser(), 'new@example.com')
  t.match(asked, [
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
  t.notOk('email' in (asked[1] ?? {}))
})

t.test(
  'the session that the browser had is found once, and after the application was asked, which may end it',
  async (t) => {
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
    for (const [person, ends] of [
      [bob, false],
      [ada, true]
    ] as const) {
      const begun = await begin(browser)
      looks = 0
      isEnded.sessions = ends
      t.equal((await finish(started, browser, begun, person)).location, `${origin}/me`)
      t.equal(looks, 1)
      t.match(await sessionOf(browser), { user: { email: 'ada@example.com' } })
    }
  }
)

t.test('without an adapter everybody is who the provider says', async (t) => {
  const started = await start(t, { store: 'none' })
  await signInAtIssuer(started, started.browser, ada)
  await signInAtIssuer(started, started.browser, bob)
  t.match(await sessionOf(started.browser), { user: { email: 'bob@example.com' } })
})
