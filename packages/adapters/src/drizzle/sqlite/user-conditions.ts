import { and, eq, sql } from 'drizzle-orm'
import type { UserConditions } from '../operations/user-look-ups.ts'
import type { Connection } from './connection.ts'
import { c, quoted } from './migrations.ts'
import { stablePlaceholder } from './statements.ts'

/** How SQLite compares what users are found by. */
export function userConditions({ tables }: Connection): UserConditions {
  const { users, accounts, posternUsers } = tables
  const { provider, providerAccountId } = accounts
  const key = { provider: stablePlaceholder('provider'), providerAccountId: stablePlaceholder('providerAccountId') }
  const [table, column] = [quoted(users), c(users.email)]
  return {
    // The id may be an integer, or compared without case.
    isVersionOf: () => eq(posternUsers.userId, sql`cast(${users.id} as text)`),
    accounts: {
      // The first two comparisons use the index; an application's column may be NOCASE, so the others compare bytes.
      isAccount: () =>
        and(
          eq(provider, key.provider),
          eq(providerAccountId, key.providerAccountId),
          sql`${provider} = ${key.provider} collate binary`,
          sql`${providerAccountId} = ${key.providerAccountId} collate binary`
        )
    },
    addresses: {
      database: 'sqlite',
      text: sql`${users.email}`,
      // An application's column may be NOCASE.
      inLowerCase: sql`lower(${users.email}) collate binary`,
      email: stablePlaceholder('email'),
      correction: `update ${table} set ${column} = lower(${column}) where ${column} collate binary <> lower(${column});`,
      listing: `select lower(${column}), count(*) from ${table} where ${column} is not null group by 1 having count(*) > 1;`,
      index: `create index users_address on ${table} (lower(${column}) collate binary);`
    }
  }
}
