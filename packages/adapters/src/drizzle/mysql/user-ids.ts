import { sql } from 'drizzle-orm'
import type { UserIdMethods } from '../../methods.ts'
import { toUserRow } from '../../user-columns.ts'
import { createUserIdMethods } from '../operations/user-ids.ts'
import { rehearse } from '../rehearse.ts'
import { writableFields } from '../table-options.ts'
import type { Connection } from './connection.ts'
import { getRows } from './read-columns.ts'

/** The method that creates ids of users. */
export function userIdMethods({ tables, notes, fit, transaction, retryIdempotent }: Connection): UserIdMethods {
  const { users } = tables
  return createUserIdMethods(tables, notes, retryIdempotent, async (user) => {
    // A rollback does not return the number: the next insert gets a higher one.
    const row = { ...fit(users, toUserRow(user, '', writableFields(users))), id: sql`default` }
    let id = ''
    await rehearse(transaction, async (db) => {
      await db.insert(users).values(row)
      // Drivers may return it as a number, which is not exact beyond 2^53.
      const [last] = await getRows(db, sql`select cast(last_insert_id() as char) as id`)
      id = `${last?.['id']}`
    })
    return id
  })
}
