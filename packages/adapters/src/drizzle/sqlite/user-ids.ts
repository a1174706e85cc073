import { getTableName } from 'drizzle-orm'
import type { UserIdMethods } from '../../methods.ts'
import type { DatabaseNotes } from '../database-problems.ts'
import { lazy } from '../lazy.ts'
import { createUserIdMethods } from '../operations/user-ids.ts'
import type { Connection } from './connection.ts'
import { c, quoted } from './migrations.ts'

/** Creates the function that reserves the next id. With `autoincrement`, processes share its table of sequences. */
function createReservation({ client, tables: { users } }: Connection): () => string {
  const [name, max] = [getTableName(users), `(select coalesce(max(${c(users.id)}), 0) from ${quoted(users)})`]
  const definition = client.prepare<[string], { sql: string }>(`select sql from sqlite_master where name = ?`).get(name)
  const isShared = /\bautoincrement\b/i.test(definition?.sql ?? '')
  let last = 0
  return () => {
    if (!isShared) {
      const found = client.prepare<[], { id: number }>(`select ${max} as id`).get()
      last = Math.max(last, found?.id ?? 0) + 1
      return `${last}`
    }
    client
      .prepare(
        `insert into sqlite_sequence (name, seq) select ?, ${max} where not exists (select 1 from sqlite_sequence where name = ?)`
      )
      .run(name, name)
    const [row] = client
      .prepare<[string], { id: number }>('update sqlite_sequence set seq = seq + 1 where name = ? returning seq as id')
      .all(name)
    return `${row?.id}`
  }
}

/** The method that creates ids of users. */
export function userIdMethods(connection: Connection, notes: DatabaseNotes): UserIdMethods {
  const reserve = lazy(() => createReservation(connection))
  const { tables, read, transaction } = connection
  return createUserIdMethods(tables, notes, read, () => transaction(() => reserve()()))
}
