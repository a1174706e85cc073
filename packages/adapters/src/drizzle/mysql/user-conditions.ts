import { and, eq, sql } from 'drizzle-orm'
import type { UserConditions } from '../operations/user-look-ups.ts'
import { createAccountKeys } from './account-keys.ts'
import { getBytes } from './binary-compare.ts'
import type { Connection } from './connection.ts'
import { c, quoted } from './migrations.ts'

const standardText = { charset: 'utf8mb4', collation: 'utf8mb4_bin' }

/** How MySQL and MariaDB compare what users are found by. */
export function userConditions(connection: Connection): UserConditions {
  const { tables, columnLimits } = connection
  const { users, posternUsers } = tables
  const { isNamedKey, getParameters, toRow } = createAccountKeys(connection)
  const [table, column] = [quoted(users), c(users.email)]
  return {
    // The collation of the id may be another one: then a server refuses a plain comparison, and uses no index for the bytes alone.
    isVersionOf: () => {
      const [id, { userId }] = [users.id, posternUsers]
      const { charset, collation } = columnLimits(userId)?.textType ?? standardText
      const inTheirs = sql`convert(${id} using ${sql.raw(charset)}) collate ${sql.raw(collation)}`
      return and(eq(userId, inTheirs), eq(getBytes(userId), getBytes(id)))
    },
    accounts: { isAccount: isNamedKey, toValues: getParameters, toRow },
    addresses: {
      database: 'mysql',
      // The collation of the column may ignore more than the case of letters.
      text: getBytes(users.email),
      inLowerCase: sql`cast(lower(convert(${users.email} using utf8mb4)) as binary)`,
      email: getBytes(sql.placeholder('email')),
      correction: `update ${table} set ${column} = lower(${column}) where cast(${column} as binary) <> cast(lower(${column}) as binary);`,
      listing: `select lower(${column}) as address, count(*) from ${table} where ${column} is not null group by address having count(*) > 1;`,
      // Only MySQL has indexes on expressions.
      index: null
    }
  }
}
