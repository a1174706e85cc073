import { DuplicateError } from '../duplicate-error.ts'

/** Rows by key. Arguments and results are copied. */
export interface Table<Row extends object> {
  readonly get: (key: string) => Row | null
  /** @param select - Selects some of the rows that pass the test, before they are copied. */
  readonly filter: (test: (row: Row) => boolean, select?: (rows: readonly Row[]) => readonly Row[]) => Row[]
  /** @throws DuplicateError if the key exists already. */
  readonly insert: (row: Row) => Row
  readonly replace: (row: Row) => Row
  readonly take: (key: string) => Row | null
  /** Deletes rows that pass the test, up to a maximum, and returns their number. */
  readonly drop: (test: (row: Row) => boolean, limit?: number) => number
}

/** The functions that undo the changes of a transaction, in order of the changes; `null` outside of one. */
export interface Journal {
  undo: (() => void)[] | null
}

const primitives = new Set(['string', 'number', 'boolean', 'undefined'])

function copyValue(value: unknown): unknown {
  if (value === null || primitives.has(typeof value)) return value
  return value instanceof Date ? new Date(value) : structuredClone(value)
}

/** Copies a row. `structuredClone` of all of it takes many times as long, since it serializes each name and value. */
function copyRow<Row extends object>(row: Row): Row
function copyRow(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, copyValue(value)]))
}

/** Creates an empty table whose rows are keyed by `getKey`. */
export function createTable<Row extends object>(getKey: (row: Row) => string, journal: Journal): Table<Row> {
  const rows = new Map<string, Row>()
  const note = (key: string): void => {
    const before = rows.get(key)
    journal.undo?.push(() => {
      if (before) rows.set(key, before)
      else rows.delete(key)
    })
  }
  const remove = (key: string): void => {
    note(key)
    rows.delete(key)
  }
  const get = (key: string): Row | null => {
    const row = rows.get(key)
    return row ? copyRow(row) : null
  }
  const replace = (row: Row): Row => {
    note(getKey(row))
    rows.set(getKey(row), copyRow(row))
    return copyRow(row)
  }
  return {
    get,
    filter: (test, select = (found) => found) => select([...rows.values()].filter(test)).map(copyRow),
    insert: (row) => {
      if (rows.has(getKey(row))) throw new DuplicateError('memory: expected a key that no other row has')
      return replace(row)
    },
    replace,
    take: (key) => {
      const row = get(key)
      remove(key)
      return row
    },
    drop: (test, limit = Number.POSITIVE_INFINITY) => {
      let dropped = 0
      for (const [key, row] of rows) {
        if (dropped >= limit) break
        if (!test(row)) continue
        remove(key)
        dropped += 1
      }
      return dropped
    }
  }
}

/** Runs work, and undoes its changes if it throws or returns `false`. */
export function undoable(journal: Journal, work: () => boolean): boolean {
  const undo: (() => void)[] = []
  journal.undo = undo
  let isDone = false
  try {
    isDone = work()
    return isDone
  } finally {
    journal.undo = null
    if (!isDone) for (const step of undo.reverse()) step()
  }
}
