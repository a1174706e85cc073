import { count, eq, isNotNull, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { type AddressCounts, createUserByEmail } from '../user-by-email.ts'
import type { Connection } from './connection.ts'
import { c, quoted } from './migrations.ts'
import { stablePlaceholder } from './stable-placeholder.ts'
import { withVersion } from './user-versions.ts'

/** The method that finds users by address, and the one that counts addresses with capital letters. */
export function userByEmailMethods({ db, tables, read }: Connection) {
  const { users } = tables
  const email = stablePlaceholder('email')
  // An application's column may be NOCASE.
  const inLowerCase = sql`lower(${users.email}) collate binary`
  const exact = lazy(() => withVersion({ db, tables }).where(eq(users.email, email)).prepare())
  const similar = lazy(() => withVersion({ db, tables }).where(sql`${inLowerCase} = ${email}`).prepare())
  const countUsers = (): AddressCounts => {
    const capitals = sql<unknown>`coalesce(sum(${users.email} <> ${inLowerCase}), 0)`
    const found = db.select({ users: count(), capitals }).from(users).get()
    const several = () =>
      db
        .select({ one: sql`1` })
        .from(users)
        .where(isNotNull(users.email))
        .groupBy(inLowerCase)
        .having(sql`count(*) > 1`)
        .all()
    const shared = Number(found?.capitals) === 0 ? [] : several()
    return { users: found?.users ?? 0, capitals: Number(found?.capitals ?? 0), shared: shared.length }
  }
  const [table, column] = [quoted(users), c(users.email)]
  return createUserByEmail({
    database: 'sqlite',
    findExact: (email) => read(() => exact().get({ email }) ?? null),
    findInLowerCase: (email) => read(() => similar().all({ email })),
    count: () => read(countUsers),
    correction: `update ${table} set ${column} = lower(${column}) where ${column} collate binary <> lower(${column});`,
    listing: `select lower(${column}), count(*) from ${table} where ${column} is not null group by 1 having count(*) > 1;`,
    index: `create index users_address on ${table} (lower(${column}) collate binary);`
  })
}
