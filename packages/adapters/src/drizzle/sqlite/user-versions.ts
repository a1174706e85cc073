import type { UserAdvance } from '@postern/core'
import { and, eq, sql } from 'drizzle-orm'
import { toVersionRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'
import type { revocationOperations } from './revocations.ts'

const userId = placeholder('userId')

/**
 * The synchronous parts of the methods that a transaction may contain. A transaction begins with the lock of the database, so what
 * is required needs no lock of its own.
 */
export function userVersionOperations(connection: Connection, { revoke }: ReturnType<typeof revocationOperations>) {
  const statements = lazy(() => prepareStatements(connection))
  const write = lazy(() => createAdvance(connection))
  return {
    requireUserVersion: (userId: string, version: number): boolean =>
      (statements().version.get({ userId })?.version ?? 0) === version,
    requireAddress: (userId: string, email: string | null): boolean => {
      const user = statements().address.get({ userId })
      return user !== undefined && user.email === email
    },
    advanceUser: (advance: UserAdvance): boolean => {
      const version = write()(advance)
      if (version === null) return false
      if (advance.raises) revoke(`user:${advance.userId}`, advance.until, version)
      return true
    }
  }
}

function prepareStatements({ db, tables }: Connection) {
  const { users, posternUsers: versions } = tables
  return {
    version: db.select({ version: versions.version }).from(versions).where(eq(versions.userId, userId)).prepare(),
    address: db.select({ email: users.email }).from(users).where(eq(users.id, userId)).prepare()
  }
}

/** Creates the statement that changes or inserts a row. @returns The new version, or `null` if the row has another one. */
function createAdvance({ db, tables }: Connection) {
  const { posternUsers: versions } = tables
  const { version, sessionsFrom, suspendedAt, until } = versions
  const bind = createEncode(versions)
  const isExpected = sql`(${placeholder('expected')} is null or ${version} = ${placeholder('expected')})`
  const next = sql`max(${placeholder('version')}, case when ${placeholder('expected')} is null then ${version} + 1 else 0 end)`
  const last = sql`max(coalesce(${until}, 0), ${placeholder('until')})`
  const update = db
    .update(versions)
    .set({
      version: next,
      sessionsFrom: sql`case when ${placeholder('raises')} then ${next} else ${sessionsFrom} end`,
      suspendedAt: sql`case when ${placeholder('isSet')} then ${placeholder('suspendedAt')} else ${suspendedAt} end`,
      changeId: placeholder('changeId'),
      until: last,
      deleteAfter: sql`case when ${placeholder('isGone')} then ${last} end`
    })
    .where(and(eq(versions.userId, userId), isExpected))
    .returning({ version })
    .prepare()
  return (advance: UserAdvance): number | null => {
    const { expected, raises, suspendedAt, isGone } = advance
    const row = toVersionRow(advance)
    const isSet = suspendedAt === undefined ? 0 : 1
    const [changed] = update.all({ ...bind(row), expected, raises: raises ? 1 : 0, isSet, isGone: isGone ? 1 : 0 })
    if (changed) return changed.version
    if (expected !== null && expected !== 0) return null
    return db.insert(versions).values(row).onConflictDoNothing().run().changes > 0 ? row.version : null
  }
}
