import { sql } from 'drizzle-orm'
import { requireSettings } from '../settings.ts'
import type { PostgresDatabase } from './client.ts'
import { getRows } from './read-columns.ts'
import { settings } from './settings.ts'

/** @throws DatabaseError with every setting that has another value. */
export async function checkSettings(db: PostgresDatabase): Promise<void> {
  const values = settings.map((setting, index) => `${setting.read} as "value${index}"`)
  const [row] = getRows(await db.execute(sql.raw(`select ${values.join(', ')}`)))
  requireSettings(
    'postgresAdapter',
    settings,
    settings.map((_, index) => `${row?.[`value${index}`]}`)
  )
}
