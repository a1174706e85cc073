import type { UserAdvance } from '@postern/core'
import { and, eq, sql } from 'drizzle-orm'
import type { UserVersionMethods } from '../../methods.ts'
import { toVersionChanges } from '../version-columns.ts'
import type { Connection } from './connection.ts'
import { getRows, type Row } from './read-columns.ts'
import { revocationMethods } from './revocations.ts'

/**
 * The methods for the rows that say what may sign in as a user.
 *
 * In a transaction, the first statement locks the row until it ends: a share lock where a version is only required, an exclusive
 * one where it changes. No transaction takes a share lock first and updates later, which would deadlock. Each comparison is a
 * locking read or an update, which sees what others have committed; other reads do not under `repeatable read`.
 */
export function userVersionMethods(connection: Connection): Omit<UserVersionMethods, 'getUserVersion'> {
  const { db, tables, isExactly, retryIdempotent } = connection
  const { users } = tables
  return {
    requireUserVersion: (userId, version) => retryIdempotent(() => isLockedAt(connection, userId, version)),
    requireAddress: (userId, email) =>
      retryIdempotent(async () => {
        const isUser = isExactly(users.id, userId)
        const query = sql`select ${users.email} as email from ${users} where ${isUser} lock in share mode`
        const [user] = await getRows(db, query)
        return user !== undefined && user['email'] === email
      }),
    advanceUser: (advance) => retryIdempotent(() => advanceRow(connection, advance))
  }
}

const toVersion = (row: Row | undefined): number | null => (row ? Number(row['version']) : null)

/**
 * Locks the row against changes, and compares its version.
 *
 * A missing row is inserted first: a locking read that finds nothing locks the gap, and two that then insert into it deadlock.
 * Where the row exists, the failed insert takes a share lock, too.
 */
async function isLockedAt(connection: Connection, userId: string, expected: number): Promise<boolean> {
  const { db, tables, isExactly, statements } = connection
  const { posternUsers: versions } = tables
  const row = { userId, version: 0, sessionsFrom: 0 }
  if (expected === 0 && (await statements.insertNew(versions)(row))) return true
  const isTheirs = isExactly(versions.userId, userId)
  const query = sql`select ${versions.version} as version from ${versions} where ${isTheirs} lock in share mode`
  return toVersion((await getRows(db, query))[0]) === expected
}

/** Changes the row, which is created first if it may be missing. */
async function advanceRow(connection: Connection, advance: UserAdvance): Promise<boolean> {
  const { userId, raises, until } = advance
  if (advance.expected === null || advance.expected === 0) await lockOrInsert(connection, userId)
  const expected = advance.expected ?? (await lockedVersion(connection, userId))
  const version = advance.expected === null ? Math.max(advance.version, expected + 1) : advance.version
  if (!(await updateRow(connection, { ...advance, expected, version }))) return false
  if (raises) await revocationMethods(connection).revoke(`user:${userId}`, until, version)
  return true
}

/** Takes the exclusive lock of the row, which has version 0 if it is new. Who inserted it does not matter. */
async function lockOrInsert({ db, tables: { posternUsers: versions } }: Connection, userId: string): Promise<void> {
  await db
    .insert(versions)
    .values({ userId, version: 0, sessionsFrom: 0 })
    .onDuplicateKeyUpdate({ set: { userId: sql`${versions.userId}` } })
}

async function lockedVersion({ db, tables, isExactly }: Connection, userId: string): Promise<number> {
  const { posternUsers: versions } = tables
  const isTheirs = isExactly(versions.userId, userId)
  const query = sql`select ${versions.version} as version from ${versions} where ${isTheirs} for update`
  return toVersion((await getRows(db, query))[0]) ?? 0
}

/** Changes a row with the expected version. The version changes, so that the server counts the row. */
async function updateRow({ tables, isExactly, statements }: Connection, advance: UserAdvance): Promise<boolean> {
  const { posternUsers: versions } = tables
  const { userId, expected, version } = advance
  const given = sql`cast(${sql.param(advance.until, versions.until)} as datetime(3))`
  const until = sql`greatest(coalesce(${versions.until}, ${given}), ${given})`
  const isExpected = and(isExactly(versions.userId, userId), eq(versions.version, expected ?? 0))
  return (await statements.update(versions, toVersionChanges(advance, version, until), isExpected)) === 1
}
