import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import t from 'tap'
import { origin, patience } from '../postern.ts'
import { type SignInMethods, startTestSite } from '../ways.ts'
import { failures, formatLog, type Method, someFaults, withFaults } from './faults.ts'

const constants = { callbackTimeoutMilliseconds: patience }

/** What a user does while one method of the adapter is out of order. */
interface Case {
  readonly method: Method
  readonly doing: string
  readonly strategy?: 'jwt'
  /** What was done before. */
  readonly before?: (site: SignInMethods, browser: Browser, adapter: Adapter) => Promise<unknown>
  readonly act: (site: SignInMethods, browser: Browser) => Promise<BrowserResponse>
  /** What it must not answer; `null` is a good answer of most. */
  readonly invalid: readonly unknown[]
}

const noUsers = ['text', 42, {}, { id: '' }, { id: null }, []]
const session = (browser: Browser): Promise<BrowserResponse> =>
  browser.request('GET', '/api/auth/session', { headers: { accept: 'application/json' } })
const signedIn = async ({ byForm }: SignInMethods, browser: Browser): Promise<unknown> => byForm(browser)
const signedOut = async ({ byIssuer }: SignInMethods, browser: Browser): Promise<unknown> => {
  await byIssuer(browser)
  return browser.cookies.clear()
}
/** Both sign-in methods have the same address from here on. */
const requested = async (_site: SignInMethods, browser: Browser): Promise<unknown> =>
  browser.submit('/api/auth/signin/email', { email: 'ada@mail.test' })

const cases: readonly Case[] = [
  {
    method: 'getUserByAccount',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    invalid: noUsers
  },
  {
    method: 'getUserByEmail',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    invalid: noUsers
  },
  {
    method: 'createUser',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    invalid: [null, undefined, ...noUsers]
  },
  {
    method: 'linkAccount',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    invalid: []
  },
  {
    method: 'createSession',
    doing: 'sign-in at a provider',
    act: ({ byIssuer }, browser) => byIssuer(browser),
    invalid: []
  },
  {
    method: 'createSession',
    doing: 'another sign-in',
    before: signedOut,
    act: ({ byIssuer }, browser) => byIssuer(browser),
    invalid: []
  },
  { method: 'getUser', doing: 'sign-in with a form', act: ({ byForm }, browser) => byForm(browser), invalid: noUsers },
  {
    method: 'getUser',
    doing: 'linking to the user who is signed in',
    strategy: 'jwt',
    before: signedIn,
    act: ({ byIssuer }, browser) => byIssuer(browser),
    invalid: noUsers
  },
  {
    method: 'createUser',
    doing: 'sign-in with a form',
    act: ({ byForm }, browser) => byForm(browser),
    invalid: [null, undefined, ...noUsers]
  },
  { method: 'linkAccount', doing: 'sign-in with a form', act: ({ byForm }, browser) => byForm(browser), invalid: [] },
  {
    method: 'getUserByEmail',
    doing: 'asking for a mail',
    act: ({ byMail }, browser) => byMail(browser),
    invalid: noUsers
  },
  {
    method: 'createVerificationToken',
    doing: 'asking for a mail',
    act: ({ byMail }, browser) => byMail(browser),
    invalid: []
  },
  {
    method: 'useVerificationToken',
    doing: 'opening the link',
    before: requested,
    act: ({ mailbox }, browser) => browser.open(mailbox.last().url),
    invalid: ['text', 42, {}, { identifier: 'ada@mail.test' }]
  },
  {
    method: 'createUser',
    doing: 'opening the link',
    before: requested,
    act: ({ mailbox }, browser) => browser.open(mailbox.last().url),
    invalid: [null, ...noUsers]
  },
  {
    method: 'updateUser',
    doing: 'sign-in at a provider that proves the address of its user',
    before: async ({ byIssuer }, browser, adapter) => {
      await byIssuer(browser)
      browser.cookies.clear()
      const user = await adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: 'ada' })
      await adapter.updateUser?.({ id: user?.id ?? '', emailVerified: null })
    },
    act: ({ byIssuer }, browser) => byIssuer(browser),
    invalid: [null, ...noUsers]
  }
]

const corruptedCookies = (browser: Browser): boolean =>
  browser.cookies.all().some(({ name }) => name.includes('session-token'))

for (const { one, fault } of someFaults(cases, ({ method, doing }) => `${method} ${doing}`)) {
  const { method, doing, strategy, before, act } = one
  t.test(`${method} ${fault.title} at ${doing}: an error, and no session`, async (t) => {
    const { adapter, corrupt } = withFaults(memoryAdapter())
    const site = await startTestSite(t, {
      adapter,
      constants,
      session: { strategy: strategy ?? 'database' }
    })
    const browser = site.browser()
    await before?.(site, browser, adapter)
    const held = strategy ? browser.cookies.get('__Secure-next-auth.session-token') : null
    corrupt(method, fault)
    const response = await act(site, browser)
    t.ok(response.status >= 400 || /error=/.test(response.location ?? ''), `${response.status} ${response.location}`)
    t.ok(formatLog(site.log).includes(`adapter.${method}`), formatLog(site.log))
    t.notOk(formatLog(site.log).includes('a token that no log may have'))
    if (strategy) t.equal(browser.cookies.get('__Secure-next-auth.session-token'), held, 'still the user from before')
    else t.notOk(corruptedCookies(browser), 'no session')
  })
}

const existing: readonly { readonly method: Method; readonly invalid: readonly unknown[] }[] = [
  {
    method: 'getSessionAndUser',
    invalid: ['text', 42, {}, { session: {}, user: {} }, { session: null, user: { id: '1' } }]
  },
  { method: 'updateSession', invalid: [] }
]

for (const {
  one: { method },
  fault
} of someFaults(existing, ({ method }) => method)) {
  t.test(`${method} ${fault.title} while a session is read: 503, and no user is signed out`, async (t) => {
    const { adapter, corrupt } = withFaults(memoryAdapter())
    let later = 0
    const runtime = { now: () => Date.now() + later }
    const site = await startTestSite(t, { adapter, constants, runtime, session: { updateAge: 0 } })
    const browser = site.browser()
    await site.byForm(browser)
    const before = browser.cookies.get('__Secure-next-auth.session-token')
    corrupt(method, fault)
    later = 60_000
    const response = await session(browser)
    t.equal(response.status, 503)
    t.equal((await browser.request('GET', '/who')).status, 503, 'also for the application')
    t.ok(formatLog(site.log).includes(method), formatLog(site.log))
    t.equal(browser.cookies.get('__Secure-next-auth.session-token'), before)
    corrupt(method, { title: 'works again', call: () => undefined })
    t.match((await session(browser)).json(), { user: { name: 'Ada' } })
  })
}

for (const fault of failures) {
  t.test(`deleteSession ${fault.title} at sign-out: an error instead of a promise that is not kept`, async (t) => {
    const { adapter, corrupt } = withFaults(memoryAdapter())
    const site = await startTestSite(t, { adapter, constants })
    const browser = site.browser()
    await site.byForm(browser)
    corrupt('deleteSession', fault)
    const response = await browser.submit('/api/auth/signout', {})
    t.ok(response.status >= 400 || /error=/.test(response.location ?? ''), `${response.status} ${response.location}`)
    t.ok(formatLog(site.log).includes('adapter.deleteSession'), formatLog(site.log))
    corrupt('deleteSession', { title: 'works again', call: () => undefined })
    t.equal((await browser.submit('/api/auth/signout', {})).location, origin)
    t.same(await browser.json('/api/auth/session'), {})
  })
}

/** A store with numeric user ids that rejects other types, as Prisma does with an `Int`. */
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

const counts: readonly (readonly [title: string, adapter: () => object])[] = [
  ['numbers', counting],
  [
    'numbers, asked for as texts too',
    () => {
      const { getUser, ...adapter } = counting()
      return { ...adapter, getUser: (id: unknown) => getUser?.(...([Number(id)] as never[])) }
    }
  ]
]

for (const [title, open] of counts) {
  for (const strategy of ['database', 'jwt'] as const) {
    t.test(`${strategy}: ids that are ${title}, as some databases have them, work like texts`, async (t) => {
      const adapter = open()
      const email = { sendVerificationRequest: () => undefined }
      const start = () => startTestSite(t, { adapter, email, session: { strategy } })
      const site = await start()
      const browser = site.browser()
      t.equal((await site.byIssuer(browser)).location, origin)
      t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } })
      t.equal((await site.byIssuer(browser)).location, origin, 'again, as the same user')
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
  const site = await startTestSite(t, {
    adapter,
    email: { sendVerificationRequest: () => undefined },
    credentials: { authorize: () => ({ id, name: 'Ada' }) }
  })
  const browser = site.browser()
  t.equal((await site.byForm(browser)).location, origin)
  t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada', email: 'ada@form.test' } })
})

t.test('an unavailable store is not treated as a missing user, for any spelling of the id', async (t) => {
  const { adapter: whole } = withFaults(memoryAdapter())
  const adapter = { ...whole, getUser: (id: unknown) => (typeof id === 'number' ? null : Promise.reject()) }
  const site = await startTestSite(t, { adapter, credentials: { authorize: () => ({ id: 7, name: 'Ada' }) } })
  t.equal((await site.byForm(site.browser())).status, 503)
})
