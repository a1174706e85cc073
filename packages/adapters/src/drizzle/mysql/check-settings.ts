import { sql } from 'drizzle-orm'
import { DatabaseError } from '../../database-error.ts'
import { requireSettings, type Setting } from '../settings.ts'
import type { MysqlDatabase } from './client.ts'
import { getRows } from './read-columns.ts'

/** @throws DatabaseError with every setting that has another value. */
export async function checkSettings(db: MysqlDatabase, checked: readonly Setting[]): Promise<void> {
  const values = checked.map(({ read }, index) => `cast(${read} as char) as value${index}`)
  const [row] = await getRows(db, sql.raw(`select ${values.join(', ')}`))
  const named = checked.map((_, index) => row?.[`value${index}`])
  if (named.some((value) => typeof value !== 'string'))
    throw new DatabaseError(
      'Setting',
      `mysqlAdapter: expected rows as objects, one level deep: create the pool without rowsAsArray and nestTables, and with the default sql_select_limit`
    )
  requireSettings('mysqlAdapter', checked, named.map(String))
}
