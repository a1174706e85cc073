import type { Adapter, AdapterAccount, AdapterSession, ForeignAdapter } from '@postern/core'

/** The methods that adapters of other libraries lack, and that only use tables of both. */
export const sharedMethods = [
  'getAccounts',
  'updateAccount',
  'listSessions',
  'deleteSessions'
] as const satisfies readonly (keyof Adapter)[]

/** What lists, updates and ends what the adapter of the other library writes into the tables of accounts and sessions. */
export type SharedMethods = Required<Pick<Adapter, (typeof sharedMethods)[number]>>

/** Calls a method of the adapter of the other library; `null` if it does not have it. */
type Call = (name: keyof Adapter, ...args: readonly unknown[]) => Promise<unknown>

type CheckOnce<Row> = (row: Row) => Promise<void>

/**
 * Checks that one adapter finds what the other has written, until it has found a row.
 *
 * @throws TypeError if it does not find it: with the wrong table, a list would be empty, and nothing would be ended.
 */
function checkOnce<Row>(table: 'accounts' | 'sessions', find: (row: Row) => Promise<boolean>): CheckOnce<Row> {
  let isShared = false
  return async (row) => {
    isShared ||= await find(row)
    if (!isShared)
      throw new TypeError(
        `withPosternTables: sharedTables: posternTables does not find what the adapter wrote; write the name of its table in tables.${table}`
      )
  }
}

/** Sessions whose time has a type that only the other library reads, such as text, have the time that it reads. */
function withTimes(sessions: readonly AdapterSession[], call: Call): Promise<readonly AdapterSession[]> {
  return Promise.all(
    sessions.map(async (session) => {
      if (session.expires instanceof Date) return session
      const found: { readonly session?: Partial<AdapterSession> } = Object(
        await call('getSessionAndUser', session.sessionToken)
      )
      // One that has ended meanwhile has no time.
      return { ...session, expires: new Date(found.session?.expires ?? 0) }
    })
  )
}

/** The methods that the adapter of the other library lacks. The ids of users may be numbers there. */
function getLacking(adapter: ForeignAdapter, call: Call, tables: SharedMethods): Partial<SharedMethods> {
  const { getAccounts, updateAccount, listSessions, deleteSessions } = tables
  return {
    ...(adapter.getAccounts ? {} : { getAccounts: (userId) => getAccounts(String(userId)) }),
    ...(adapter.updateAccount ? {} : { updateAccount }),
    ...(adapter.listSessions
      ? {}
      : { listSessions: async (userId, limit) => withTimes(await listSessions(String(userId), limit), call) }),
    ...(adapter.deleteSessions
      ? {}
      : { deleteSessions: (userId, ...except) => deleteSessions(String(userId), ...except) })
  }
}

/** Links an account, and checks that it is in the table of `posternTables`. */
function createLink(call: Call, { getAccounts }: SharedMethods): Required<Adapter>['linkAccount'] {
  const check = checkOnce<AdapterAccount>('accounts', async ({ userId, provider, providerAccountId }) =>
    (await getAccounts(String(userId))).some(
      (row) => row.provider === provider && row.providerAccountId === providerAccountId
    )
  )
  return async (account) => {
    const linked = await call('linkAccount', account)
    try {
      await check(account)
      return linked
    } catch (error) {
      const { provider, providerAccountId } = account
      await call('unlinkAccount', { provider, providerAccountId }).catch(() => undefined)
      throw error
    }
  }
}

/** What `posternTables` does in tables that are those of the other adapter. */
export interface SharedTables {
  readonly methods: Partial<SharedMethods> & Pick<Adapter, 'linkAccount'>
  /** Checks that a session that was just created is in the table of `posternTables`. @throws TypeError */
  readonly checkSession: CheckOnce<AdapterSession>
}

/** Adds what the adapter of the other library lacks, and checks the first rows that it writes. */
export function shareTables(adapter: ForeignAdapter, call: Call, tables: SharedMethods): SharedTables {
  const { listSessions } = tables
  return {
    methods: {
      ...getLacking(adapter, call, tables),
      ...(adapter.linkAccount ? { linkAccount: createLink(call, tables) } : {})
    },
    checkSession: checkOnce('sessions', async ({ userId, sessionToken }) =>
      (await listSessions(String(userId))).some((row) => row.sessionToken === sessionToken)
    )
  }
}
