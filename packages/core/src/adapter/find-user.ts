import { isSameEmailAddress } from '../model/same-email.ts'
import type { AdapterUser, UserVersionQuery, UserWithVersion } from './adapter.ts'
import { type FoundUser, type Store, StoreError, type VersionStore } from './store.ts'
import { noUserVersion } from './user-version.ts'

/** The methods that find users. */
type Lookups = Pick<Store, 'getUser' | 'getUserByAccount' | 'getUserByEmail' | 'getAccounts' | 'versions'>

/**
 * Creates the method that finds a user together with their row.
 *
 * @param findAtOnce - The method of the adapter that does it in one query; `null` if it has none.
 */
export function createFindUser(
  store: Lookups,
  findAtOnce: ((by: UserVersionQuery) => Promise<UserWithVersion | null>) | null
): Store['findUser'] {
  const { versions } = store
  if (!versions)
    return async (by) => {
      const user = await find(by, store)
      return user && { user, version: noUserVersion(user.id) }
    }
  if (!findAtOnce) return (by) => findInSteps(by, store, versions)
  return async (by) => {
    const found = await findAtOnce(by)
    // Only exact matches are accepted, as by the other methods.
    if (found && !isMatch(by, found))
      throw new StoreError('findUserVersion', 'the adapter returned a user with another key')
    return found && { ...found, version: found.version ?? noUserVersion(found.user.id) }
  }
}

function isMatch(by: UserVersionQuery, { user, account }: UserWithVersion): boolean {
  if ('userId' in by) return user.id === by.userId
  if ('email' in by) return isSameEmailAddress(user.email, by.email)
  const { provider, providerAccountId } = by.account
  return account?.provider === provider && account.providerAccountId === providerAccountId
}

function find(by: UserVersionQuery, store: Lookups): Promise<AdapterUser | null> {
  if ('userId' in by) return store.getUser(by.userId)
  return 'email' in by ? store.getUserByEmail(by.email) : store.getUserByAccount(by.account)
}

/** How often the user of an account or an address may change while they are read. */
const maxReads = 3

/**
 * The row is read first, and what leads to the user again after it: a change between the two raises the version, so that it is
 * noticed.
 */
async function findInSteps(by: UserVersionQuery, store: Lookups, versions: VersionStore): Promise<FoundUser | null> {
  let userId = 'userId' in by ? by.userId : (await find(by, store))?.id
  for (let reads = 0; reads < maxReads; reads += 1) {
    if (userId === undefined) return null
    const version = await versions.get(userId)
    const user = await find(by, store)
    if (user?.id === userId) return { user, version, ...(await findAccount(by, userId, store)) }
    userId = user?.id
  }
  throw new StoreError('getUserVersion', 'the user changed while they were read')
}

async function findAccount(
  by: UserVersionQuery,
  userId: string,
  { getAccounts }: Lookups
): Promise<Pick<FoundUser, 'account'>> {
  if (!('account' in by) || !getAccounts) return {}
  const { provider, providerAccountId } = by.account
  const isAccount = (row: { provider: string; providerAccountId: string }): boolean =>
    row.provider === provider && row.providerAccountId === providerAccountId
  const account = (await getAccounts(userId)).find(isAccount)
  return account ? { account } : {}
}
