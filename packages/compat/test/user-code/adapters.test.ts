import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import t from 'tap'
import { origin, patience } from '../postern.ts'
import { startWays, type Ways } from '../ways.ts'
import { answering, failures, type Method, spoilable, told } from './faults.ts'

const constants = { callbackTimeoutMilliseconds: patience }

/** What somebody does while one method of the adapter is out of order. */
interface Case {
  readonly method: Method
  readonly doing: string
  readonly strategy?: 'jwt'
  /** What was done before. */
  readonly before?: (ways: Ways, browser: Browser, adapter: Adapter) => Promise<unknown>
  readonly act: (ways: Ways, browser: Browser) => Promise<BrowserResponse>
  /** What it must not answer; `null` is a good answer of most. */
  readonly nonsense: readonly unknown[]
}

const noUsers = ['text', 42, {}, { id: '' }, { id: null }, []]
const session = (browser: Browser): Promise<BrowserResponse> =>
  browser.request('GET', '/api/auth/session', { headers: { accept: 'application/json' } })
const signedIn = async ({ byForm }: Ways, browser: Browser): Promise<unknown> => byForm(browser)
const signedOut = async ({ byIssuer }: Ways, browser: Browser): Promise<unknown> => {
  await byIssuer(browser)
  return browser.cookies.clear()
}
/** Both ways in have the same address from here on. */
const asked = async (_ways: Ways, browser: Browser): Promise<unknown> =>
  browser.submit('/api/auth/signin/email', { email: 'ada@mail.test' })

const cases: readonly Case[] = [
  {
    method: 'getUserByAccount',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    nonsense: noUsers
  },
  {
    method: 'getUserByEmail',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    nonsense: noUsers
  },
  {
    method: 'createUser',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    nonsense: [null, undefined, ...noUsers]
  },
  {
    method: 'linkAccount',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    nonsense: []
  },
  {
    method: 'createSession',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    nonsense: []
  },
  {
    method: 'createSession',
    doing: 'another sign-in',
    before: signedOut,
    act: ({ byIssuer }, browser) => byIssuer(browser),
    nonsense: []
  },
  { method: 'getUser', doing: 'sign-in with a form', act: ({ byForm }, browser) => byForm(browser), nonsense: noUsers },
  {
    method: 'getUser',
    doing: 'linking to the user who is signed in',
    strategy: 'jwt',
    before: signedIn,
    act: ({ byIssuer }, browser) => byIssuer(browser),
    nonsense: noUsers
  },
  {
    method: 'createUser',
    doing: 'sign-in with a form',
    act: ({ byForm }, browser) => byForm(browser),
    nonsense: [null, undefined, ...noUsers]
  },
  { method: 'linkAccount', doing: 'sign-in with a form', act: ({ byForm }, browser) => byForm(browser), nonsense: [] },
  {
    method: 'getUserByEmail',
    doing: 'asking for a mail',
    act: ({ byMail }, browser) => byMail(browser),
    nonsense: noUsers
  },
  {
    method: 'createVerificationToken',
    doing: 'asking for a mail',
    act: ({ byMail }, browser) => byMail(browser),
    nonsense: []
  },
  {
    method: 'useVerificationToken',
    doing: 'opening the link',
    before: asked,
    act: ({ mailbox }, browser) => browser.open(mailbox.last().url),
    nonsense: ['text', 42, {}, { identifier: 'ada@mail.test' }]
  },
  {
    method: 'createUser',
    doing: 'opening the link',
    before: asked,
    act: ({ mailbox }, browser) => browser.open(mailbox.last().url),
    nonsense: [null, ...noUsers]
  },
  {
    method: 'updateUser',
    doing: 'opening a second link',
    before: async (ways, browser) => {
      await ways.byMail(browser)
      browser.cookies.clear()
      return asked(ways, browser)
    },
    act: ({ mailbox }, browser) => browser.open(mailbox.last().url),
    nonsense: [null, ...noUsers]
  }
]

const spoiledCookies = (browser: Browser): boolean =>
  browser.cookies.all().some(({ name }) => name.includes('session-token'))

for (const { method, doing, strategy, before, act, nonsense } of cases) {
  for (const fault of [...failures, ...nonsense.map(answering)]) {
    t.test(`${method} ${fault.what} at ${doing}: an error, and no session`, async (t) => {
      const { adapter, spoil } = spoilable(memoryAdapter())
      const ways = await startWays(t, { adapter, constants, session: { strategy: strategy ?? 'database' } })
      const browser = ways.browser()
      await before?.(ways, browser, adapter)
      const held = strategy ? browser.cookies.get('__Secure-next-auth.session-token') : null
      spoil(method, fault)
      const answer = await act(ways, browser)
      t.ok(answer.status >= 400 || /error=/.test(answer.location ?? ''), `${answer.status} ${answer.location}`)
      t.ok(told(ways.log).includes(`adapter.${method}`), told(ways.log))
      t.notOk(told(ways.log).includes('a token that no log may have'))
      if (strategy) t.equal(browser.cookies.get('__Secure-next-auth.session-token'), held, 'still the user from before')
      else t.notOk(spoiledCookies(browser), 'no session')
    })
  }
}

const known: readonly (readonly [method: Method, nonsense: readonly unknown[]])[] = [
  ['getSessionAndUser', ['text', 42, {}, { session: {}, user: {} }, { session: null, user: { id: '1' } }]],
  ['updateSession', []]
]

for (const [method, nonsense] of known) {
  for (const fault of [...failures, ...nonsense.map(answering)]) {
    t.test(`${method} ${fault.what} while a session is read: 503, and nobody is signed out`, async (t) => {
      const { adapter, spoil } = spoilable(memoryAdapter())
      let later = 0
      const runtime = { now: () => Date.now() + later }
      const ways = await startWays(t, { adapter, constants, runtime, session: { updateAge: 0 } })
      const browser = ways.browser()
      await ways.byForm(browser)
      const before = browser.cookies.get('__Secure-next-auth.session-token')
      spoil(method, fault)
      later = 60_000
      const answer = await session(browser)
      t.equal(answer.status, 503)
      t.equal((await browser.request('GET', '/who')).status, 503, 'also for the application')
      t.ok(told(ways.log).includes(method), told(ways.log))
      t.equal(browser.cookies.get('__Secure-next-auth.session-token'), before)
      spoil(method, { what: 'works again', call: () => undefined })
      t.match((await session(browser)).json(), { user: { name: 'Ada' } })
    })
  }
}

for (const fault of failures) {
  t.test(`deleteSession ${fault.what} at sign-out: an error instead of a promise that is not kept`, async (t) => {
    const { adapter, spoil } = spoilable(memoryAdapter())
    const ways = await startWays(t, { adapter, constants })
    const browser = ways.browser()
    await ways.byForm(browser)
    spoil('deleteSession', fault)
    const answer = await browser.submit('/api/auth/signout', {})
    t.ok(answer.status >= 400 || /error=/.test(answer.location ?? ''), `${answer.status} ${answer.location}`)
    t.ok(told(ways.log).includes('adapter.deleteSession'), told(ways.log))
    spoil('deleteSession', { what: 'works again', call: () => undefined })
    t.equal((await browser.submit('/api/auth/signout', {})).location, origin)
    t.same(await browser.json('/api/auth/session'), {})
  })
}

/** A store that counts its users and minds what it is asked with, as Prisma does with an `Int`. */
function counting(): Record<string, (...args: never[]) => unknown> {
  const users = new Map<unknown, { id: number; email: string | null; emailVerified: Date | null }>()
  const accounts = new Map<string, unknown>()
  const sessions = new Map<string, { sessionToken: string; userId: number; expires: Date }>()
  const number = (id: unknown): unknown => {
    if (typeof id === 'number') return id
    throw new TypeError(`Argument id: Invalid value provided. Expected Int, provided ${typeof id}.`)
  }
  const byId = (id: unknown) => users.get(number(id)) ?? null
  return {
    createUser: (user: { email: string | null; emailVerified: Date | null }) => {
      const created = { ...user, id: users.size + 1 }
      users.set(created.id, created)
      return created
    },
    getUser: byId,
    getUserByEmail: (email: string) => [...users.values()].find((user) => user.email === email) ?? null,
    getUserByAccount: ({ provider, providerAccountId }: Record<string, string>) =>
      users.get(accounts.get(`${provider} ${providerAccountId}`)) ?? null,
    updateUser: ({ id, ...more }: { id: unknown }) => Object.assign(Object(byId(id)), more),
    linkAccount: ({ provider, providerAccountId, userId }: Record<string, string>) =>
      void accounts.set(`${provider} ${providerAccountId}`, number(userId)),
    createSession: (row: { sessionToken: string; userId: number; expires: Date }) =>
      void sessions.set(row.sessionToken, { ...row, userId: Number(number(row.userId)) }),
    getSessionAndUser: (token: string) => {
      const row = sessions.get(token)
      return row ? { session: row, user: byId(row.userId) } : null
    },
    updateSession: () => null,
    createVerificationToken: () => null,
    useVerificationToken: ({ identifier, token }: Record<string, string>) => ({
      ...{ id: 5, identifier, token },
      expires: new Date(Date.now() + 60_000)
    }),
    deleteSession: (token: string) => void sessions.delete(token)
  }
}

const counts: readonly (readonly [what: string, adapter: () => object])[] = [
  ['numbers', counting],
  [
    'numbers, asked for as texts too',
    () => {
      const { getUser, ...adapter } = counting()
      return { ...adapter, getUser: (id: unknown) => getUser?.(...([Number(id)] as never[])) }
    }
  ]
]

for (const [what, open] of counts) {
  for (const strategy of ['database', 'jwt'] as const) {
    t.test(`${strategy}: ids that are ${what}, as some databases have them, work like texts`, async (t) => {
      const adapter = open()
      const email = { sendVerificationRequest: () => undefined }
      const start = () => startWays(t, { adapter, email, session: { strategy } })
      const ways = await start()
      const browser = ways.browser()
      t.equal((await ways.byIssuer(browser)).location, origin)
      t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } })
      t.equal((await ways.byIssuer(browser)).location, origin, 'again, as the same user')
      const restarted = await start()
      const again = restarted.browser(browser.cookies)
      t.equal((await restarted.byIssuer(again)).location, origin, 'and to a process that has seen no user yet')
      t.match(await again.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } })
      await again.submit('/api/auth/signout', {})
      t.same(await again.json('/api/auth/session'), {})
      t.equal(await Reflect.get(adapter, 'createUser')({}).id, 2, 'one user was made')
    })
  }
}

t.test('a form whose authorize names a user by number, in a process that has seen no user yet', async (t) => {
  const adapter = counting()
  const { id } = Object(adapter['createUser']?.(...([{ name: 'Ada', email: 'ada@form.test' }] as never[])))
  const ways = await startWays(t, {
    adapter,
    email: { sendVerificationRequest: () => undefined },
    credentials: { authorize: () => ({ id, name: 'Ada' }) }
  })
  const browser = ways.browser()
  t.equal((await ways.byForm(browser)).location, origin)
  t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada', email: 'ada@form.test' } })
})

t.test('a store that cannot be asked does not say that nobody is there, whatever the spelling of the id', async (t) => {
  const adapter = { ...memoryAdapter(), getUser: (id: unknown) => (typeof id === 'number' ? null : Promise.reject()) }
  const ways = await startWays(t, { adapter, credentials: { authorize: () => ({ id: 7, name: 'Ada' }) } })
  t.equal((await ways.byForm(ways.browser())).status, 503)
})
