import { isObject } from '../../is-object.ts'
import { requireSettings, type Setting } from '../settings.ts'
import type { SqliteClient } from './source.ts'

const pragma = (name: string, value: '0' | '1'): Setting => ({
  name,
  read: name,
  // A new connection has this value.
  value: null,
  accepts: (found) => found === value,
  expected: value,
  hint: `run db.pragma('${name} = ${value}')`
})

/** The pragmas that the adapter relies on. They belong to a connection; one that Postern opens has the right ones. */
export const settings: readonly Setting[] = [
  // Statements that write would return rows, which better-sqlite3 refuses.
  pragma('count_changes', '0'),
  // The columns of a result would have other names.
  pragma('full_column_names', '0'),
  pragma('short_column_names', '1')
]

/** @throws DatabaseError with every pragma that has another value. */
export function checkSettings(client: SqliteClient): void {
  const values = settings.map(({ read }) => {
    const found = client.pragma(read)
    const [row]: readonly unknown[] = Array.isArray(found) ? found : []
    return isObject(row) ? `${Object.values(row)[0]}` : ''
  })
  requireSettings('sqliteAdapter', settings, values)
}
