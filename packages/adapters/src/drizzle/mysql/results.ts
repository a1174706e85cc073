import { isObject } from '../../is-object.ts'

/** The number of rows that a statement changed, as mysql2 returns it. */
export function getAffectedRows(result: unknown): unknown {
  const header: unknown = Array.isArray(result) ? result[0] : result
  return isObject(header) ? (header.affectedRows ?? null) : null
}

/** The last inserted id of a statement that sets it, as mysql2 returns it. */
export function getInsertId(result: unknown): number {
  const header: unknown = Array.isArray(result) ? result[0] : result
  const id = isObject(header) ? Number(header.insertId ?? 0) : 0
  if (id > 0) return id
  throw new TypeError('mysqlAdapter: expected the driver to return insertId, got 0')
}
