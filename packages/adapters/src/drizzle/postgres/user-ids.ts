import { sql } from 'drizzle-orm'
import type { UserIdMethods } from '../../methods.ts'
import { createUserIdMethods } from '../operations/user-ids.ts'
import type { Connection } from './connection.ts'
import { quoted } from './migrations.ts'
import { getRows } from './read-columns.ts'

/** SQL for the next id: of the sequence of a serial or identity column, or by the default of the column. */
async function findNextId({ db, tables: { users } }: Connection): Promise<string> {
  const [row] = getRows(
    await db.execute(sql`
      select coalesce('nextval(' || quote_literal(pg_get_serial_sequence(${quoted(users)}, ${users.id.name})) || ')',
        (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum)) as "next"
      from pg_attribute where attrelid = to_regclass(${quoted(users)}) and attname = ${users.id.name}`)
  )
  return `${row?.['next'] ?? 'null'}`
}

/** The method that creates ids of users. */
export function userIdMethods(connection: Connection): UserIdMethods {
  const { db, tables, notes, retryIdempotent } = connection
  let next: string | null = null
  return createUserIdMethods(tables, notes, retryIdempotent, async () => {
    next ??= await findNextId(connection)
    const [row] = getRows(await db.execute(sql`select (${sql.raw(next)})::text as "id"`))
    return `${row?.['id']}`
  })
}
