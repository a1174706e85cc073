import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { UserConditions } from '../operations/user-look-ups.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'
import { c, quoted } from './migrations.ts'

/**
 * Compares bytes, in addition to a comparison that uses the index: the column may be `citext`, or have its own
 * collation.
 */
const hasBytes = (column: SQLWrapper, text: SQL): SQL => sql`${column}::text collate "C" = ${text}::text collate "C"`

/** How PostgreSQL compares what users are found by. */
export function userConditions({ tables }: Connection): UserConditions {
  const { users, accounts, posternUsers } = tables
  const { provider, providerAccountId } = accounts
  const key = { provider: placeholder('provider'), providerAccountId: placeholder('providerAccountId') }
  // Other collations have rules of their own: in Turkish, `I` becomes a dotless `ı`. The column may be `citext`.
  const text = sql`${users.email}::text collate "C"`
  const [table, email] = [quoted(users), c(users.email)]
  const lower = `lower(${email}::text collate "C")`
  return {
    isVersionOf: () => eq(posternUsers.userId, sql`${users.id}::text`),
    accounts: {
      isAccount: () =>
        and(
          eq(provider, key.provider),
          eq(providerAccountId, key.providerAccountId),
          hasBytes(provider, key.provider),
          hasBytes(providerAccountId, key.providerAccountId)
        )
    },
    addresses: {
      database: 'postgres',
      text,
      inLowerCase: sql`lower(${text})`,
      email: placeholder('email'),
      correction: `update ${table} set ${email} = ${lower} where ${email}::text <> ${lower};`,
      listing: `select ${lower}, count(*) from ${table} where ${email} is not null group by 1 having count(*) > 1;`,
      index: `create index concurrently on ${table} (${lower});`
    }
  }
}
