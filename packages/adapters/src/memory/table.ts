import { DuplicateError } from '../duplicate-error.ts'

/** Rows by their key. What goes in and what comes out are copies. */
export interface Table<Row extends object> {
  readonly get: (key: string) => Row | null
  readonly filter: (test: (row: Row) => boolean) => Row[]
  /** @throws DuplicateError where the key is there already. */
  readonly insert: (row: Row) => Row
  readonly replace: (row: Row) => Row
  readonly take: (key: string) => Row | null
}

/** Makes an empty table whose rows are found by `keyOf`. */
export function createTable<Row extends object>(keyOf: (row: Row) => string): Table<Row> {
  const rows = new Map<string, Row>()
  const get = (key: string): Row | null => structuredClone(rows.get(key) ?? null)
  const replace = (row: Row): Row => {
    rows.set(keyOf(row), structuredClone(row))
    return structuredClone(row)
  }
  return {
    get,
    filter: (test) => [...rows.values()].filter(test).map((row) => structuredClone(row)),
    insert: (row) => {
      if (rows.has(keyOf(row))) throw new DuplicateError('memory: expected a key that no other row has')
      return replace(row)
    },
    replace,
    take: (key) => {
      const row = get(key)
      rows.delete(key)
      return row
    }
  }
}
