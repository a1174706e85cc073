import { isSameEmailAddress } from '../model/same-email.ts'
import type { AdapterUser, UserVersionQuery, UserWithVersion } from './adapter.ts'
import { type Store, StoreError, type VersionStore } from './store.ts'

type Find = VersionStore['find']

/** Accepts exact matches only, like `withExactMatches`. @throws StoreError for a user that was not asked for. */
export function withExactFind(find: Find): Find {
  return async (by) => {
    const found = await find(by)
    if (found && !isMatch(by, found))
      throw new StoreError('findUserVersion', 'the adapter returned a user with another key')
    return found
  }
}

function isMatch(by: UserVersionQuery, { user, account }: UserWithVersion): boolean {
  if ('userId' in by) return user.id === by.userId
  if ('email' in by) return isSameEmailAddress(user.email, by.email)
  const { provider, providerAccountId } = by.account
  return account?.provider === provider && account.providerAccountId === providerAccountId
}

/** How often the user of an account or an address may change while they are read. */
const maxReads = 3

/**
 * Finds a user and their row in several queries, for an adapter that cannot do it in one. The row is read first, and what
 * leads to the user again after it: a change between the two raises the version, so that it is noticed.
 */
export function createFind(
  store: Pick<Store, 'getUser' | 'getUserByAccount' | 'getUserByEmail' | 'getAccounts'>,
  getVersion: VersionStore['get']
): Find {
  const findUser = (by: UserVersionQuery): Promise<AdapterUser | null> => {
    if ('userId' in by) return store.getUser(by.userId)
    return 'email' in by ? store.getUserByEmail(by.email) : store.getUserByAccount(by.account)
  }
  return async (by) => {
    let userId = 'userId' in by ? by.userId : (await findUser(by))?.id
    for (let reads = 0; reads < maxReads; reads += 1) {
      if (userId === undefined) return null
      const version = await getVersion(userId)
      const user = await findUser(by)
      if (user?.id === userId) return { user, version, ...(await findAccount(by, userId, store)) }
      userId = user?.id
    }
    throw new StoreError('getUserVersion', 'the user changed while they were read')
  }
}

async function findAccount(
  by: UserVersionQuery,
  userId: string,
  { getAccounts }: Pick<Store, 'getAccounts'>
): Promise<Pick<UserWithVersion, 'account'>> {
  if (!('account' in by) || !getAccounts) return {}
  const { provider, providerAccountId } = by.account
  const isAccount = (row: { provider: string; providerAccountId: string }): boolean =>
    row.provider === provider && row.providerAccountId === providerAccountId
  const account = (await getAccounts(userId)).find(isAccount)
  return account ? { account } : {}
}
