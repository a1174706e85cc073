import { memoryAdapter } from '@postern/adapters/memory'
import type { AccountKey, Adapter, AdapterAccount, AdapterUser } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { fewInTurn } from '../selections.ts'
import { getSession, origin, signInAtIssuer, start } from '../start.ts'
import type { Replay } from './replay.ts'

/** What a typical collation compares: without case, accents, width, ignorable characters and spaces at the end. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{C}]/gu, '')
    .toLowerCase()
    .trimEnd()

const isFolded = (one: string | null | undefined, other: string): boolean => fold(one ?? '') === fold(other)

/** The methods of Auth.js on a database that compares texts with such a collation. */
function foldingAdapter(extra: 'getAccount' | 'getAccounts' | 'neither') {
  const memory = memoryAdapter()
  const users = new Map<string, AdapterUser>()
  const accounts: AdapterAccount[] = []
  const getAccount = (key: AccountKey): AdapterAccount | undefined =>
    accounts.find((row) => row.provider === key.provider && isFolded(row.providerAccountId, key.providerAccountId))
  const getUser = (is: (user: AdapterUser) => boolean): AdapterUser | null => [...users.values()].find(is) ?? null
  const lookUp = {
    getAccount: async (id: string, provider: string) => getAccount({ provider, providerAccountId: id }) ?? null
  }
  const adapter: Adapter = {
    createUser: async (user) => {
      const row = await memory.createUser(user)
      users.set(row.id, row)
      return row
    },
    updateUser: async (user) => memory.updateUser(user),
    getUser: async (id) => getUser((user) => isFolded(user.id, id)),
    getUserByEmail: async (email) => getUser((user) => isFolded(user.email, email)),
    getUserByAccount: async (key) => users.get(getAccount(key)?.userId ?? ''),
    deleteUser: async (id) => {
      const found = getUser((user) => isFolded(user.id, id))
      users.delete(found?.id ?? '')
    },
    linkAccount: async (account) => {
      if (getAccount(account)) throw new Error('a unique key holds this account')
      accounts.push(account)
    },
    unlinkAccount: async () => undefined,
    createSession: async (session) => memory.createSession(session),
    getSessionAndUser: async (token) => memory.getSessionAndUser(token),
    updateSession: async (session) => memory.updateSession(session),
    deleteSession: async (token) => memory.deleteSession(token),
    createVerificationToken: async (token) => memory.createVerificationToken(token),
    useVerificationToken: async (key) => memory.useVerificationToken(key),
    ...(extra === 'getAccounts'
      ? { getAccounts: async (userId) => accounts.filter((row) => isFolded(row.userId, userId)) }
      : {}),
    ...(extra === 'getAccount' ? lookUp : {})
  }
  return { adapter, users, accounts }
}

/** Ids that such a database takes for `admin`. */
const twins = ['ADMIN', 'admin ', 'ADMIN ', 'ádmin', 'ａdmin', 'admin\u200b'] as const

/** What `sub` cannot be: it is ASCII. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)

const someTwins = fewInTurn(2)

export const accountLookup: readonly Replay[] = [
  [
    'P10a',
    'an account id that the database takes for another signs in as its owner',
    async (t) => {
      for (const extra of ['getAccount', 'getAccounts'] as const) {
        for (const twin of someTwins(twins.filter(isAscii))) {
          const { adapter, users } = foldingAdapter(extra)
          const started = await start(t, { adapter, session: { strategy: 'database' } })
          const { browser, newBrowser, log } = started
          const owner = { sub: 'admin', name: 'Admin' }
          t.equal((await signInAtIssuer(started, browser, owner)).location, origin)
          t.equal((await signInAtIssuer(started, newBrowser(), owner)).location, origin, 'and again')
          t.equal(users.size, 1)
          const other = newBrowser()
          await signInAtIssuer(started, other, { sub: twin, name: 'Eve' })
          t.notMatch(await getSession(other), { user: { name: 'Admin' } }, `${extra}: ${twin}`)
          t.match(await getSession(browser), { user: { name: 'Admin' } })
          t.ok(log.some((line) => line.includes('ADAPTER_INEXACT_MATCH')))
          const again = newBrowser()
          t.equal((await signInAtIssuer(started, again, owner)).location, origin, 'the owner still signs in')
          t.match(await getSession(again), { user: { name: 'Admin' } })
        }
      }
    }
  ],
  [
    'P10b',
    'an id of `authorize` that the database takes for another opens its session',
    async (t) => {
      for (const extra of ['getAccount', 'getAccounts', 'neither'] as const) {
        for (const twin of someTwins(twins)) {
          const { adapter } = foldingAdapter(extra)
          const person = { id: 'admin', email: null, emailVerified: null, name: 'Admin' }
          await adapter.createUser?.(person)
          const people = credentials({
            credentials: { password: { type: 'password' } },
            authorize: ({ password }) => ({ id: password ?? '', name: 'Eve' })
          })
          const { newBrowser } = await start(t, { adapter, session: { strategy: 'database' }, providers: [people] })
          const [one, other] = [newBrowser(), newBrowser()]
          await one.submit('/api/auth/callback/credentials', { password: 'admin' })
          t.match(await getSession(one), { user: { name: 'Admin' } })
          await other.submit('/api/auth/callback/credentials', { password: twin })
          t.notMatch(await getSession(other), { user: { name: 'Admin' } }, `${extra}: ${twin}`)
        }
      }
    }
  ],
  [
    'P10c',
    'no one learns that the adapter’s accounts cannot be compared',
    async (t) => {
      const { adapter } = foldingAdapter('neither')
      const started = await start(t, { adapter, session: { strategy: 'database' } })
      const { newBrowser, log } = started
      const isReported = (line: string): boolean => line.includes('getAccount') && line.includes('binary collation')
      t.equal(log.filter(isReported).length, 1, 'startup logs it once')
      for (const extra of ['getAccount', 'getAccounts'] as const) {
        const other = await start(t, { adapter: foldingAdapter(extra).adapter })
        t.equal(other.log.filter(isReported).length, 0)
      }
      t.equal((await start(t)).log.filter(isReported).length, 0)
      const owner = { sub: 'admin', name: 'Admin' }
      t.equal((await signInAtIssuer(started, newBrowser(), owner)).location, origin)
      const other = newBrowser()
      t.equal((await signInAtIssuer(started, other, { sub: 'admin ', name: 'Eve' })).status, 503)
      t.same(await getSession(other), {}, 'an id that is a twin of another by its form is refused')
    }
  ],
  [
    'P10d',
    'an id that the database takes for another deletes its user',
    async (t) => {
      const { adapter, users } = foldingAdapter('getAccounts')
      await adapter.createUser?.({ id: 'admin', email: null, emailVerified: null })
      const { app } = await start(t, { adapter })
      const keep = { sessions: 'keep' } as const
      for (const twin of twins) await t.rejects(app.postern.deleteUser(twin, keep), { code: 'StoreUnavailable' }, twin)
      t.equal(users.size, 1)
      await app.postern.deleteUser('admin', keep)
      t.equal(users.size, 0)
    }
  ],
  [
    'P10e',
    'an address that the database compares as equal to another: the application is called with its user',
    async (t) => {
      const { adapter } = foldingAdapter('getAccounts')
      await adapter.createUser?.({ id: 'admin', email: 'admin@example.com', emailVerified: null })
      const requests: unknown[] = []
      const signIn = ({ user: { id } }: { readonly user: { readonly id: string } }): boolean => requests.push(id) > 0
      const mail = { normalizeIdentifier: (text: string) => text }
      const { browser } = await start(t, { adapter, callbacks: { signIn }, mail })
      for (const email of ['admin@example.com', 'ádmin@example.com']) {
        await browser.submit('/api/auth/signin/email', { email })
      }
      t.same(requests, ['admin', 'ádmin@example.com'])
    }
  ],
  [
    'P10f',
    'exactness costs another statement on an adapter that compares exactly',
    async (t) => {
      const adapter = memoryAdapter()
      const { findUserVersion } = adapter
      const own: Adapter = findUserVersion
        ? { ...adapter, findUserVersion: async (by) => findUserVersion(by) }
        : adapter
      for (const one of [adapter, { ...adapter, getUser: adapter.getUser }, own]) {
        const started = await start(t, { adapter: one, session: { strategy: 'database' } })
        await signInAtIssuer(started, started.newBrowser())
        started.store.forget()
        t.equal((await signInAtIssuer(started, started.newBrowser())).location, origin)
        t.equal(started.store.count('findUserVersion'), 1)
        t.equal(started.store.count('getUserByAccount') + started.store.count('getAccounts'), 0)
      }
    }
  ]
]
