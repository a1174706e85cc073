import { type AccountKey, exactLookup, type UserVersionQuery } from '@postern/core'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { AccountRow } from '../../rows.ts'
import { isKey, type Run, type Values } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'
import { type AddressCounts, type AddressStatements, createUserByEmail, type Found } from '../user-by-email.ts'
import { versionColumns } from '../version-columns.ts'

/** How a dialect compares what users are found by. */
export interface UserConditions {
  /** Whether a row of `postern_user` is that of the joined user, whose id may be of another type. */
  readonly isVersionOf: () => SQL | undefined
  readonly accounts: {
    /** Compares with the values of `toValues` byte for byte: by default, those of the key. */
    readonly isAccount: () => SQL | undefined
    readonly toValues?: (key: AccountKey) => Values
    /** The row with the id as the provider issued it, if it is stored in another form. */
    readonly toRow?: (row: AccountRow) => AccountRow
  }
  readonly addresses: Pick<AddressStatements, 'database' | 'correction' | 'listing' | 'index'> & {
    /** The address of a user, whose comparison ignores nothing. */
    readonly text: SQL
    readonly inLowerCase: SQL
    /** The placeholder `email`, to compare with `inLowerCase`. */
    readonly email: SQL
  }
}

/** The methods that find users by what identifies them, with their rows. */
export function userLookUpMethods(access: TableAccess, conditions: UserConditions, read: Run) {
  const { tables, statements } = access
  const { users, accounts, posternUsers } = tables
  const { isAccount, toValues = (key) => ({ ...key }), toRow = (row) => row } = conditions.accounts
  const version = versionColumns(posternUsers)
  const ofUser = (where: () => SQL | undefined) =>
    statements.prepareJoin<Found>(() => ({
      fields: { user: users, version },
      from: users,
      left: [posternUsers, conditions.isVersionOf()],
      where: where()
    }))
  const byId = ofUser(() => isKey(statements.isExactly, { id: users.id }))
  const ofAccount = { from: accounts, inner: [users, eq(users.id, accounts.userId)] } as const
  const userByAccount = statements.prepareJoin<Pick<Found, 'user'>>(() => ({
    ...ofAccount,
    fields: { user: users },
    where: isAccount()
  }))
  const versionByAccount = statements.prepareJoin<Found & { readonly account: AccountRow }>(() => ({
    ...ofAccount,
    fields: { user: users, account: accounts, version },
    left: [posternUsers, conditions.isVersionOf()],
    where: isAccount()
  }))
  const { inLowerCase, email } = conditions.addresses
  const exact = ofUser(() => isKey(statements.isExactly, { email: users.email }))
  const similar = ofUser(() => sql`${inLowerCase} = ${email}`)
  const byEmail = createUserByEmail({
    ...conditions.addresses,
    findExact: (email) => read(() => exact.first({ email })),
    findInLowerCase: (email) => read(() => similar.all({ email })),
    count: () => countAddresses(access, conditions.addresses, read)
  })
  return {
    getUserByEmail: byEmail.getUserByEmail,
    findProblems: byEmail.findProblems,
    getUserByAccount: exactLookup(async (key: AccountKey) => {
      const found = await read(() => userByAccount.first(toValues(key)))
      return found?.user ?? null
    }),
    findUserVersion: async (by: UserVersionQuery) => {
      if ('email' in by) return byEmail.find(by.email)
      if ('userId' in by) return read(() => byId.first({ id: by.userId }))
      const found = await read(() => versionByAccount.first(toValues(by.account)))
      return found && { ...found, account: toRow(found.account) }
    }
  }
}

async function countAddresses(
  { tables: { users }, statements }: TableAccess,
  { text, inLowerCase }: UserConditions['addresses'],
  read: Run
): Promise<AddressCounts> {
  const isCapital = sql`case when ${text} <> ${inLowerCase} then 1 else 0 end`
  const [found] = await read(() =>
    statements.execute(sql`select count(*) as users, coalesce(sum(${isCapital}), 0) as capitals from ${users}`)
  )
  const counts = { users: Number(found?.['users'] ?? 0), capitals: Number(found?.['capitals'] ?? 0), shared: 0 }
  if (counts.capitals === 0) return counts
  const several = sql`select 1 as one from ${users} where ${users.email} is not null
    group by ${inLowerCase} having count(*) > 1`
  const [row] = await read(() => statements.execute(sql`select count(*) as shared from (${several}) as several`))
  return { ...counts, shared: Number(row?.['shared'] ?? 0) }
}
