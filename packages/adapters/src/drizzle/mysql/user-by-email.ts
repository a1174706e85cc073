import { count, isNotNull, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { type AddressCounts, createUserByEmail } from '../user-by-email.ts'
import type { Connection } from './connection.ts'
import { c, quoted } from './migrations.ts'
import { withVersion } from './user-versions.ts'

/** The method that finds users by address, and the one that counts addresses with capital letters. */
export function userByEmailMethods({ db, tables, isExactly, columnLimits, retryIdempotent }: Connection) {
  const { users } = tables
  // The collation of the column may ignore more than the case of letters.
  const text = sql`convert(${users.email} using utf8mb4)`
  const bytes = sql`cast(${text} as binary)`
  const inLowerCase = sql`cast(lower(${text}) as binary)`
  const email = sql.placeholder('email')
  const exact = lazy(() => withVersion({ db, tables, columnLimits }).where(isExactly(users.email, email)).prepare())
  const similar = lazy(() =>
    withVersion({ db, tables, columnLimits })
      .where(sql`${inLowerCase} = cast(convert(${email} using utf8mb4) as binary)`)
      .prepare()
  )
  const several = db
    .select({ one: sql`1` })
    .from(users)
    .where(isNotNull(users.email))
    .groupBy(inLowerCase)
    .having(sql`count(*) > 1`)
  const [table, column] = [quoted(users), c(users.email)]
  return createUserByEmail({
    database: 'mysql',
    findExact: async (email) => (await retryIdempotent(() => exact().execute({ email })))[0] ?? null,
    findInLowerCase: (email) => retryIdempotent(() => similar().execute({ email })),
    count: () =>
      retryIdempotent(async (): Promise<AddressCounts> => {
        const capitals = sql<unknown>`coalesce(sum(${bytes} <> ${inLowerCase}), 0)`
        const [found] = await db.select({ users: count(), capitals }).from(users)
        const shared = Number(found?.capitals) === 0 ? [] : await several
        return { users: found?.users ?? 0, capitals: Number(found?.capitals ?? 0), shared: shared.length }
      }),
    correction: `update ${table} set ${column} = lower(${column}) where cast(${column} as binary) <> cast(lower(${column}) as binary);`,
    listing: `select lower(${column}) as address, count(*) from ${table} where ${column} is not null group by address having count(*) > 1;`,
    // Only MySQL has indexes on expressions.
    index: null
  })
}
