import type { Adapter, AdapterCall, Token } from '@postern/core'
import t from 'tap'
import {
  cookieNames,
  getSession,
  origin,
  type Started,
  type StartOptions,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'
import { transactionalAdapter } from './transactional.ts'

type Test = Parameters<typeof start>[0]
type Commit = NonNullable<Adapter['transact']>

const address = 'ada@example.com'
const ada = { sub: 'ada', name: 'Ada Lovelace', email: address, email_verified: true }
const database = { session: { strategy: 'database' } } as const
const signedToken = { session: { strategy: 'jwt' } } as const

/** An adapter whose transactions are made, or not made, in some other way. */
function committing(change: (commit: Commit, plain: Adapter) => Commit): Adapter {
  const adapter = transactionalAdapter()
  if (!adapter.transact) throw new Error('expected an adapter with transactions')
  return { ...adapter, transact: change(adapter.transact, adapter) }
}

const opened = (t: Test, options: StartOptions = {}): Promise<Started> =>
  start(t, { adapter: transactionalAdapter(), ...options })

const writes = /^(create|update|link|unlink|deleteSession|use)/

/** Every write since then: those outside of a transaction, and those of each transaction. */
function written({ calls }: Started['store']): { alone: string[]; together: string[][] } {
  const transactions = calls.filter(({ method }) => method === 'transact')
  const together = transactions.map(({ args: [list] }) => (list as AdapterCall[]).map(({ method }) => method))
  const inside: string[] = together.flat()
  // An id is reserved before the transaction, which writes no row.
  const names = calls.map(({ method }) => method).filter((name) => writes.test(name) && name !== 'createUserId')
  return { alone: names.filter((name) => !inside.includes(name)), together }
}

async function rows(adapter: Adapter | undefined, email: string = address) {
  const user = await adapter?.getUserByEmail?.(email)
  const id = user?.id ?? 'nobody'
  return { user, accounts: await adapter?.getAccounts?.(id), sessions: await adapter?.listSessions?.(id) }
}

t.test('a first sign-in at the provider is one transaction: user, account, session', async (t) => {
  const message: string[] = []
  const note = (event: string) => async () =>
    void message.push(`${event} ${(await adapter?.getUserByEmail?.(address)) ? 'after' : 'before'}`)
  const events = { createUser: note('createUser'), linkAccount: note('linkAccount'), signIn: note('signIn') }
  const started = await opened(t, { ...database, events })
  const { adapter, store, browser } = started
  t.equal((await signInAtIssuer(started, browser, ada)).location, origin)
  t.same(written(store), {
    alone: [],
    together: [['requireUserVersion', 'createUser', 'linkAccount', 'putAccountEvidence', 'createSession']]
  })
  t.same(message, ['createUser after', 'linkAccount after', 'signIn after'], 'events are emitted after the commit')
  t.match(await getSession(browser), { user: { email: address } })
  t.match(await rows(adapter), { user: { emailVerified: Date }, accounts: [{ provider: 'demo' }], sessions: [{}] })

  store.forget()
  await signInAtIssuer(started, browser, ada)
  t.same(
    written(store),
    { alone: [], together: [['requireUserVersion', 'updateAccount', 'createSession', 'deleteSession']] },
    'tokens are refreshed with it, and the previous session is deleted'
  )
  store.forget()
  await signInAtIssuer(started, started.newBrowser(), ada)
  t.same(written(store), { alone: [], together: [['requireUserVersion', 'updateAccount', 'createSession']] })
})

t.test('a link is consumed in the transaction of the sign-in: with its code, in any browser', async (t) => {
  const used = ['requireUserVersion', 'useVerificationToken', 'useVerificationToken']
  const cases = [
    [database, [...used, 'createUser', 'createSession'], [...used, 'createSession']],
    [signedToken, [...used, 'createUser', 'putSessionRecord'], [...used, 'putSessionRecord']]
  ] as const
  for (const [options, first, second] of cases) {
    const started = await opened(t, { ...options, mail: { confirm: 'never' } })
    const { store, newBrowser, mailbox } = started
    const asking = newBrowser()
    for (const expected of [first, second]) {
      await asking.submit('/api/auth/signin/email', { email: address })
      store.forget()
      const elsewhere = newBrowser()
      t.equal((await elsewhere.open(mailbox.last().url)).location, origin)
      t.same(written(store), { alone: [], together: [expected] })
      t.match(await getSession(elsewhere), { user: { email: address } })
      const late = await asking.submit('/api/auth/callback/email', { code: mailbox.last().code })
      t.match(late.location, /error=Verification/, 'the code is dead')
    }
  }
})

t.test('reclaim-3: verifying an address removes what was attached to it in the same transaction', async (t) => {
  const started = await opened(t, database)
  const { adapter, store, newBrowser } = started
  await signInByForm(newBrowser(), 'ada')
  store.forget()
  await signInByMail(started, newBrowser())
  t.same(written(store).together, [
    [
      ...['advanceUser', 'useVerificationToken', 'useVerificationToken', 'requireAddress', 'unlinkAccount'],
      ...['deleteTickets', 'updateUser', 'deleteSessions', 'createSession']
    ]
  ])
  t.match(await rows(adapter), { user: { emailVerified: Date }, accounts: [], sessions: [{}] })
  const { sessions } = await rows(adapter)
  t.equal(sessions?.length, 1, 'the one that was opened with it')
})

t.test('the jwt callback receives the new user as stored', async (t) => {
  const adapter = transactionalAdapter()
  const getUser: Adapter['getUser'] = async (id) => {
    const user = await adapter.getUser?.(id)
    return user && { ...user, role: 'member' }
  }
  const seen: unknown[] = []
  const reported: unknown[] = []
  const callbacks = {
    jwt: async ({ token, user }: { token: Token; user?: { id: string } }) => {
      if (user) seen.push({ ...user }, await adapter.getUser?.(user.id))
      return token
    }
  }
  const events = { createUser: ({ user }: { user: object }) => void reported.push(user) }
  const started = await start(t, { adapter: { ...adapter, getUser }, ...signedToken, callbacks, events })
  await signInAtIssuer(started, started.browser, ada)
  t.match(seen, [{ email: address, role: 'member' }, { email: address }])
  t.match(reported, [{ role: 'member' }])
})

t.test('a jwt callback that throws after the transaction puts the link back', async (t) => {
  let isFailing = true
  const callbacks = {
    jwt: ({ token }: { token: Token }) => {
      if (isFailing) throw new Error('not now')
      return token
    }
  }
  const started = await opened(t, { ...signedToken, callbacks })
  const { browser, mailbox } = started
  t.match((await signInByMail(started, browser)).location, /error=Callback/)
  isFailing = false
  t.equal((await browser.open(mailbox.last().url)).location, origin)
})

t.test('a transaction that fails leaves nothing: no row, no event, no used link', async (t) => {
  const message: string[] = []
  const note = (event: string) => () => void message.push(event)
  const events = { createUser: note('createUser'), linkAccount: note('linkAccount'), signIn: note('signIn') }
  for (const options of [database, signedToken]) {
    const started = await opened(t, { ...options, events })
    const { store, browser, mailbox, adapter } = started
    store.breakDown('transact')
    t.match((await signInByMail(started, browser)).location, /error=EmailCreateAccount/)
    t.match((await signInAtIssuer(started, browser, ada)).location, /error=OAuthCreateAccount/)
    t.equal(store.count('transact'), 2, 'each was tried once')
    t.equal(store.count('createVerificationToken'), 2, 'the link and its code were never taken, nor put back')
    t.same(message, [])
    t.same(await getSession(browser), {})
    store.restore()
    t.same(await rows(adapter), { user: null, accounts: [], sessions: [] })
    t.equal((await browser.open(mailbox.last().url)).location, origin)
    t.same(message.splice(0), ['createUser', 'signIn'])
    store.breakDown('transact')
    t.equal((await signInByMail(started, started.newBrowser())).status, 503, 'a user who is there: out of order')
    store.restore()
    t.equal((await started.newBrowser().submit('/api/auth/signin/email', { email: address })).status, 302)
  }
})

t.test(
  'a database that goes away between look-up and transaction is out of order, and has refused no one',
  async (t) => {
    const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const hung = Object.assign(new Error('the connection broke'), {
      cause: Object.assign(new Error(), { code: '08006' })
    })
    for (const error of [down, hung]) {
      const adapter = committing(() => () => Promise.reject(error))
      for (const options of [database, signedToken]) {
        const started = await start(t, { adapter, ...options })
        t.equal((await signInByMail(started, started.newBrowser())).status, 503)
        t.equal((await signInAtIssuer(started, started.newBrowser(), ada)).status, 503)
        t.same(await rows(adapter), { user: null, accounts: [], sessions: [] })
      }
      const started = await start(t, { adapter, ...database })
      t.equal((await signInByForm(started.browser)).status, 503)
    }
  }
)

t.test('a transaction that another change always precedes signs no one in, after three restarts', async (t) => {
  let count = 0
  const adapter = committing(() => () => {
    count += 1
    return false
  })
  const started = await start(t, { adapter, ...database })
  const { browser } = started
  const response = await signInByMail(started, browser)
  t.equal(response.status, 503)
  t.equal(response.headers['retry-after'], '1')
  t.equal(count, 4)
  t.same(await getSession(browser), {})
  t.same(await rows(adapter), { user: null, accounts: [], sessions: [] })
})

t.test('a transaction whose response was lost is looked up, not repeated', async (t) => {
  let count = 0
  const adapter = committing((commit) => async (calls) => {
    count += 1
    await commit(calls)
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  })
  const started = await start(t, { adapter, ...database })
  const { browser } = started
  t.equal((await signInByMail(started, browser)).location, origin)
  t.match(await getSession(browser), { user: { email: address } })
  t.match(await rows(adapter), { sessions: [{}] })
  t.equal(count, 1)
})

t.test('what cannot be looked up signs no one in', async (t) => {
  let count = 0
  let isDown = false
  const down = async (): Promise<never> => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  const honest = committing((commit) => async (calls) => {
    count += 1
    await commit(calls)
    isDown = true
    return down()
  })
  const adapter = new Proxy(honest, {
    get: (target, name) => (isDown && name !== 'close' ? down : Reflect.get(target, name))
  })
  for (const options of [database, signedToken]) {
    const started = await start(t, { adapter, ...options })
    const response = await signInByMail(started, started.browser, `${options.session.strategy}@example.com`)
    t.equal(response.status, 503)
    t.equal(
      response.setCookies.find(({ name }) => name === cookieNames.sessionToken),
      undefined
    )
    t.equal(count, 1)
    count = 0
    isDown = false
    t.match((await started.browser.open(started.mailbox.last().url)).location, /error=Verification/, 'it was used')
  }
})

t.test('who loses a race is looked at again, and refused if the user is another one then', async (t) => {
  let count = 0
  const adapter = committing((_, plain) => async () => {
    count += 1
    const user = await plain.getUserByEmail?.(address)
    // A user makes the same user, and deletes it again.
    if (user) await plain.deleteUser?.(user.id)
    else await plain.createUser?.({ name: null, email: address, emailVerified: null })
    throw Object.assign(new Error('the key is taken'), { code: 'Duplicate' })
  })
  const started = await start(t, { adapter, ...database })
  const { browser } = started
  t.match((await signInByMail(started, browser)).location, /error=OAuthAccountNotLinked/)
  t.same(await getSession(browser), {})
  t.equal(count, 2)
})
