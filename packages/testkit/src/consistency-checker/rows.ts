import type { Person } from './ledger.ts'

/** The stored data that the checker reads. */
export interface Rows {
  readonly users: readonly { readonly id: string; readonly email: string | null; readonly isProven: boolean }[]
  readonly accounts: readonly { readonly userId: string; readonly key: string }[]
  /** `null` for JWT sessions, which are not stored. */
  readonly sessions: readonly { readonly userId: string }[] | null
  /** The addresses with valid one-time links and codes. */
  readonly links: readonly string[]
}

type Query = (sql: string) => Promise<readonly unknown[]> | readonly unknown[]

interface Row {
  readonly [column: string]: unknown
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value))

/** Reads the four tables. */
export async function rowsBySql(query: Query, quote: '"' | '`' = '"'): Promise<Rows> {
  const all = async (table: string): Promise<readonly Row[]> => {
    const rows = await query(`select * from ${quote}${table}${quote}`)
    return rows.filter(isRow)
  }
  const [users, accounts, sessions, links] = [
    await all('user'),
    await all('account'),
    await all('session'),
    await all('verificationToken')
  ]
  return {
    users: users.map(({ id, email, emailVerified }) => ({
      id: text(id),
      email: typeof email === 'string' ? email : null,
      isProven: emailVerified !== null
    })),
    accounts: accounts.map(({ userId, provider, providerAccountId }) => ({
      userId: text(userId),
      key: `${text(provider)}:${text(providerAccountId)}`
    })),
    sessions: sessions.map(({ userId }) => ({ userId: text(userId) })),
    links: links.map(({ identifier }) => text(identifier))
  }
}

type Awaitable<T> = T | Promise<T>

/** The methods that {@link rowsByAdapter} uses for a store that has no SQL. */
export interface ReadableStore {
  getUserByEmail?(address: string): Awaitable<StoredUser | null | undefined>
  getUserByAccount?(key: { provider: string; providerAccountId: string }): Awaitable<StoredUser | null | undefined>
  getAccounts?(userId: string): Awaitable<readonly { readonly provider: string; readonly providerAccountId: string }[]>
  listSessions?(userId: string): Awaitable<readonly unknown[]>
}

interface StoredUser {
  readonly id: string
  readonly email: string | null
  readonly emailVerified: Date | null
}

/** Reads the rows of these people through an adapter. Other users, and links, are not included. */
export async function rowsByAdapter(store: ReadableStore, people: Iterable<Person>): Promise<Rows> {
  const users = new Map<string, StoredUser>()
  for (const { address, accounts = [] } of people) {
    const found = [await store.getUserByEmail?.(address)]
    for (const key of accounts) found.push(await store.getUserByAccount?.(getKey(key)))
    for (const user of found) if (user) users.set(user.id, user)
  }
  const accounts: { userId: string; key: string }[] = []
  const sessions: { userId: string }[] = []
  for (const userId of users.keys()) {
    for (const { provider, providerAccountId } of (await store.getAccounts?.(userId)) ?? [])
      accounts.push({ userId, key: `${provider}:${providerAccountId}` })
    for (const _ of (await store.listSessions?.(userId)) ?? []) sessions.push({ userId })
  }
  const found = [...users.values()].map(({ id, email, emailVerified }) => ({
    id,
    email,
    isProven: emailVerified !== null
  }))
  return { users: found, accounts, sessions: store.listSessions ? sessions : null, links: [] }
}

function getKey(key: string): { provider: string; providerAccountId: string } {
  const colon = key.indexOf(':')
  return { provider: key.slice(0, colon), providerAccountId: key.slice(colon + 1) }
}
