import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Test } from 'tap'

/** A new database file, deleted after the test. */
export function newFile(t: Test): string {
  return join(t.testdir({}), 'app.db')
}

/** A bare connection to the file, closed after the test. */
export function openRaw(t: Test, file: string, timeout = 0): Database.Database {
  const db = new Database(file, { timeout })
  t.teardown(() => db.close())
  return db
}
