import { count, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import { type AddressCounts, createUserByEmail } from '../user-by-email.ts'
import type { Connection } from './connection.ts'
import { c, quoted } from './migrations.ts'
import { withVersion } from './user-versions.ts'

/** The method that finds users by address, and the one that counts addresses with capital letters. */
export function userByEmailMethods({ db, tables, retryIdempotent }: Connection) {
  const { users } = tables
  // Other collations have rules of their own: in Turkish, `I` becomes a dotless `ı`. The column may be `citext`.
  const text = sql`${users.email}::text collate "C"`
  const inLowerCase = sql`lower(${text})`
  const find = (condition: SQL) => lazy(() => withVersion({ db, tables }).where(condition).prepare(unnamedPlaceholder))
  const exact = find(eq(users.email, placeholder('email')))
  const similar = find(sql`${inLowerCase} = ${placeholder('email')}`)
  const capitals = sql<unknown>`count(*) filter (where ${text} <> ${inLowerCase})`
  const several = db
    .select({ one: sql`1` })
    .from(users)
    .where(isNotNull(users.email))
    .groupBy(inLowerCase)
    .having(sql`count(*) > 1`)
  const [table, email] = [quoted(users), c(users.email)]
  const lower = `lower(${email}::text collate "C")`
  return createUserByEmail({
    database: 'postgres',
    findExact: async (email) => (await retryIdempotent(() => exact().execute({ email })))[0] ?? null,
    findInLowerCase: (email) => retryIdempotent(() => similar().execute({ email })),
    count: () =>
      retryIdempotent(async (): Promise<AddressCounts> => {
        const [found] = await db.select({ users: count(), capitals }).from(users)
        const shared = Number(found?.capitals) === 0 ? [] : await several
        return { users: found?.users ?? 0, capitals: Number(found?.capitals ?? 0), shared: shared.length }
      }),
    correction: `update ${table} set ${email} = ${lower} where ${email}::text <> ${lower};`,
    listing: `select ${lower}, count(*) from ${table} where ${email} is not null group by 1 having count(*) > 1;`,
    index: `create index concurrently on ${table} (${lower});`
  })
}
