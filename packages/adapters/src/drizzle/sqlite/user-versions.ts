import type { UserAdvance } from '@postern/core'
import { and, eq, sql } from 'drizzle-orm'
import type { UserVersionMethods } from '../../methods.ts'
import { toVersionRow, type VersionRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import { versionColumns } from '../version-columns.ts'
import type { Connection } from './connection.ts'
import type { revocationOperations } from './revocations.ts'

const userId = placeholder('userId')

/**
 * The synchronous parts of the methods that a transaction may contain. A transaction begins with the lock of the database, so what
 * is required needs no lock of its own.
 */
export function userVersionOperations(
  connection: Connection,
  { revokeUser }: Pick<ReturnType<typeof revocationOperations>, 'revokeUser'>
) {
  const statements = lazy(() => prepareStatements(connection))
  const write = lazy(() => createAdvance(connection))
  const find = (id: string): VersionRow | null => statements().byUser.get({ userId: id }) ?? null
  return {
    find,
    requireUserVersion: (id: string, version: number): boolean => (find(id)?.version ?? 0) === version,
    requireAddress: (id: string, email: string | null): boolean => {
      const user = statements().address.get({ userId: id })
      return user !== undefined && user.email === email
    },
    advanceUser: (advance: UserAdvance): boolean => {
      const version = write()(advance)
      if (version === null) return false
      if (advance.raises) revokeUser(advance.userId, version, advance.until)
      return true
    }
  }
}

/** The methods for the rows that say what may sign in as a user. */
export function userVersionMethods(
  { read }: Connection,
  { find }: Pick<ReturnType<typeof userVersionOperations>, 'find'>
): Pick<UserVersionMethods, 'getUserVersion'> {
  return {
    getUserVersion: (id) => read(() => find(id))
  }
}

/** Whether a row is that of the joined user, whose id may be an integer, or compared without case. */
export function isVersionOf({ users, posternUsers }: Connection['tables']) {
  return eq(posternUsers.userId, sql`cast(${users.id} as text)`)
}

/** Selects users with their rows. */
export function withVersion({ db, tables }: Pick<Connection, 'db' | 'tables'>) {
  return db
    .select({ user: tables.users, version: versionColumns(tables.posternUsers) })
    .from(tables.users)
    .leftJoin(tables.posternUsers, isVersionOf(tables))
}

function prepareStatements({ db, tables }: Connection) {
  const { users, posternUsers: versions } = tables
  return {
    byUser: db.select(versionColumns(tables.posternUsers)).from(versions).where(eq(versions.userId, userId)).prepare(),
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
