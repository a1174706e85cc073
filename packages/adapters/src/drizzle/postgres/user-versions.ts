import type { UserAdvance } from '@postern/core'
import { and, eq, sql } from 'drizzle-orm'
import type { UserVersionMethods } from '../../methods.ts'
import { toVersionRow } from '../../rows.ts'
import { toVersionChanges } from '../version-columns.ts'
import type { Connection } from './connection.ts'
import { revocationMethods } from './revocations.ts'

/**
 * The methods for the rows that say what may sign in as a user.
 *
 * In a transaction, the first statement locks the row until it ends: a share lock where a version is only required, and the
 * conditional update where it changes. No transaction takes a share lock first and updates later, which would deadlock.
 */
export function userVersionMethods(connection: Connection): Omit<UserVersionMethods, 'getUserVersion'> {
  const { db, tables, retryIdempotent } = connection
  const { users } = tables
  return {
    requireUserVersion: (userId, version) => retryIdempotent(() => isLockedAt(connection, userId, version)),
    requireAddress: (userId, email) =>
      retryIdempotent(async () => {
        const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId)).for('share')
        return user !== undefined && user.email === email
      }),
    advanceUser: (advance) => retryIdempotent(() => advanceRow(connection, advance))
  }
}

/** Locks the row against changes, and compares its version. A missing row is inserted, because nothing can lock it. */
async function isLockedAt({ db, tables, statements }: Connection, userId: string, expected: number): Promise<boolean> {
  const { posternUsers: versions } = tables
  const { version } = versions
  const lock = () => db.select({ version }).from(versions).where(eq(versions.userId, userId)).for('share')
  const [found] = await lock()
  if (found || expected !== 0) return found?.version === expected
  const row = { userId, version: 0, sessionsFrom: 0 }
  return (await statements.insertNew(versions)(row)) || (await lock())[0]?.version === 0
}

async function advanceRow(connection: Connection, advance: UserAdvance): Promise<boolean> {
  const { userId, expected, raises, until } = advance
  const changed = expected === null ? await advanceAny(connection, advance) : await advanceFrom(connection, advance)
  if (changed === null) return false
  if (raises) await revocationMethods(connection).revoke(`user:${userId}`, until, changed)
  return true
}

/** Changes a row with the expected version. @returns The new version; `null` if the row has another one. */
async function advanceFrom({ tables, statements }: Connection, advance: UserAdvance): Promise<number | null> {
  const { posternUsers: versions } = tables
  const { userId, expected, version } = advance
  const until = sql`greatest(${versions.until}, ${sql.param(advance.until, versions.until)})`
  const isExpected = and(eq(versions.userId, userId), eq(versions.version, expected ?? 0))
  const changes = toVersionChanges(advance, version, until)
  if ((await statements.update(versions, changes, isExpected)) === 1) return version
  return expected === 0 && (await statements.insertNew(versions)(toVersionRow(advance))) ? version : null
}

/** Changes or inserts a row, whatever its version. @returns The new version. */
async function advanceAny({ db, tables }: Connection, advance: UserAdvance): Promise<number | null> {
  const { posternUsers: versions } = tables
  const next = sql`greatest(${versions.version} + 1, excluded."version")`
  const until = sql`greatest(${versions.until}, excluded."until")`
  const [changed] = await db
    .insert(versions)
    .values(toVersionRow(advance))
    .onConflictDoUpdate({
      target: versions.userId,
      set: toVersionChanges(advance, next, until)
    })
    .returning({ version: versions.version })
  return changed?.version ?? null
}
