import { type AdapterProblem, isSameEmailAddress } from '@postern/core'
import { AmbiguousAddressError } from '../ambiguous-address-error.ts'
import type { VersionRow } from '../rows.ts'
import type { UserRow } from '../user-columns.ts'

/** How many users a table has. */
export interface AddressCounts {
  readonly users: number
  /** How many have an address with capital letters. */
  readonly capitals: number
  /** How many addresses belong to several users if the case of letters is ignored. */
  readonly shared: number
}

/** A user with the row of their version. */
export interface Found {
  readonly user: UserRow
  readonly version: VersionRow | null
}

/** The statements of a dialect. */
export interface AddressStatements {
  /** The name of the database in messages. */
  readonly database: string
  readonly findExact: (email: string) => Promise<Found | null>
  /** Finds the users whose address in lower case is this one. */
  readonly findInLowerCase: (email: string) => Promise<readonly Found[]>
  readonly count: () => Promise<AddressCounts>
  /** SQL that converts the addresses, and SQL that lists those that several users would have. */
  readonly correction: string
  readonly listing: string
  /** SQL of an index for the second lookup; `null` if the database has none. */
  readonly index: string | null
}

/** Above this number of users, a scan of the table takes longer than a visitor should wait. */
const manyUsers = 100_000

/**
 * Finds users by address. Rows of other libraries and imports may have capital letters, which a second statement finds if the
 * first one finds nothing.
 *
 * Few tables have an index for the second statement. It is skipped in a large table if `findProblems` found no such address.
 */
export function createUserByEmail({ findExact, findInLowerCase, count, ...about }: AddressStatements) {
  let isSkipped = false
  const find = async (email: string): Promise<Found | null> => {
    const exact = await findExact(email)
    if (exact || isSkipped) return exact
    // The database may convert letters of other scripts to ASCII.
    const similar = (await findInLowerCase(email)).filter(({ user }) => isSameEmailAddress(user.email, email))
    const [found = null, ...others] = similar
    if (others.length > 0)
      throw new AmbiguousAddressError(
        about.database,
        similar.map(({ user }) => user)
      )
    return found
  }
  return {
    find,
    getUserByEmail: async (email: string): Promise<UserRow | null> => (await find(email))?.user ?? null,
    findProblems: async (): Promise<readonly AdapterProblem[]> => {
      const { users, capitals, shared } = await count()
      isSkipped = users > manyUsers && capitals === 0
      return capitals === 0 ? [] : [describe({ users, capitals, shared }, about)]
    }
  }
}

function describe(
  { users, capitals, shared }: AddressCounts,
  { database, correction, listing, index }: Pick<AddressStatements, 'database' | 'correction' | 'listing' | 'index'>
): AdapterProblem {
  const merge =
    shared > 0
      ? `first merge the users of ${shared} addresses that then belong to several users, who cannot sign in with them until then: ${listing}; `
      : ''
  const isIndexed = index === null ? '' : `, unless there is an index: ${index}`
  const slow = users > manyUsers ? `; until then, each unknown address scans the table${isIndexed}` : ''
  return {
    code: 'ADDRESS_NOT_LOWER_CASE',
    message: `${database}: ${capitals} of ${users} users have an address with capital letters; ${merge}correct them with: ${correction}${slow}`
  }
}
