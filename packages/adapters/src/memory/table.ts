import { DuplicateError } from '../duplicate-error.ts'

/** Rows by their key. What goes in and what comes out are copies. */
export interface Table<Row extends object> {
  readonly get: (key: string) => Row | null
  readonly filter: (test: (row: Row) => boolean) => Row[]
  /** @throws DuplicateError where the key is there already. */
  readonly insert: (row: Row) => Row
  readonly replace: (row: Row) => Row
  readonly take: (key: string) => Row | null
  /** Deletes rows that pass the test, all of them or so many, and gives their number. */
  readonly drop: (test: (row: Row) => boolean, most?: number) => number
}

/** What undoes the changes of a transaction, in order of the changes; `null` outside of one. */
export interface Journal {
  undo: (() => void)[] | null
}

/** Makes an empty table whose rows are found by `keyOf`. */
export function createTable<Row extends object>(keyOf: (row: Row) => string, journal: Journal): Table<Row> {
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
  const get = (key: string): Row | null => structuredClone(rows.get(key) ?? null)
  const replace = (row: Row): Row => {
    note(keyOf(row))
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
      remove(key)
      return row
    },
    drop: (test, most = Number.POSITIVE_INFINITY) => {
      let dropped = 0
      for (const [key, row] of rows) {
        if (dropped >= most) break
        if (!test(row)) continue
        remove(key)
        dropped += 1
      }
      return dropped
    }
  }
}

/** Runs work whose changes are undone where it throws or gives `false`. */
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
