import { createHash } from 'node:crypto'
import type { AdapterSession, SessionRecord } from '@postern/core'
import type { Database } from 'better-sqlite3'
import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { toRecordRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import type { recordOperations } from '../operations/records.ts'
import type { Connection } from './connection.ts'
import { quote } from './quote.ts'

/** Inserts sessions. */
export interface SessionInserter {
  /** Inserts a session, and its record if there is one, atomically. */
  readonly insert: (session: AdapterSession, record?: SessionRecord) => void
  /** Removes the temporary objects from the connection. */
  readonly forget: () => void
}

/** The view that inserts into both tables, and its name on the connection. */
interface Both {
  readonly view: string
  readonly create: string
  readonly insert: string
}

const moved = 'postern: a table was renamed'

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Creates the insertion of sessions: one statement, even with a record.
 *
 * SQLite has no statement that writes two tables, but a trigger can write the rows inserted into a view. Both are
 * temporary: they belong to the connection, and the database does not change. A connection that cannot have them, or
 * has lost them, uses two statements in one transaction.
 */
export function createSessionInserter(
  connection: Connection,
  { putSessionRecord }: Pick<ReturnType<typeof recordOperations>, 'putSessionRecord'>
): SessionInserter {
  const { client, tables, statements } = connection
  const alone = statements.insert(tables.sessions)
  const both = toBoth(connection)
  const getValues = createValues(connection)
  let together = both && prepare(client, both)
  const apart = (session: AdapterSession, record: SessionRecord): void => {
    alone(session)
    putSessionRecord(record)
  }
  const beginBoth = (session: AdapterSession, record: SessionRecord): void => {
    try {
      if (together) return void together.run(...getValues(session, record))
    } catch (error) {
      if (!isLost(error)) throw error
      together = null
    }
    client.transaction(() => apart(session, record)).immediate()
  }
  return {
    insert: (session, record) => (record ? beginBoth(session, record) : void alone(session)),
    forget: () => {
      together = null
      if (both) attempt(() => client.exec(`drop view if exists temp.${both.view}`))
    }
  }
}

/** Cleanup of a connection that is closed, busy or read-only may fail: temporary objects end with it. */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** Creates the driver values of the statement for both tables. */
function createValues({ tables }: Connection): (session: AdapterSession, record: SessionRecord) => readonly unknown[] {
  const [bindSession, bindRecord] = [createEncode(tables.sessions), createEncode(tables.posternSessions)]
  const fields = Object.keys(getTableColumns(tables.posternSessions))
  return (session, record) => {
    const signIn = bindSession(session)
    const noted = bindRecord(toRecordRow(record))
    return [signIn['sessionToken'], signIn['userId'], signIn['expires'], ...fields.map((field) => noted[field])]
  }
}

/** @returns `null` if sessions have columns of the application, whose values drizzle generates. */
function toBoth({ tables }: Connection): Both | null {
  const { sessions, posternSessions: records } = tables
  if (Object.keys(getTableColumns(sessions)).length > 3) return null
  const signIn = [sessions.sessionToken, sessions.userId, sessions.expires].map(({ name }) => quote(name))
  const noted = Object.values(getTableColumns(records)).map(({ name }) => quote(name))
  const parameters = [...signIn, ...noted].map((_, i) => `p${i}`)
  const values = parameters.map((parameter) => `new.${parameter}`)
  const changes = noted.map((name) => `${name} = excluded.${name}`)
  const body = `${insertInto(sessions, signIn, values.slice(0, 3))};
  ${insertInto(records, noted, values.slice(3))}
    on conflict (${quote(records.id.name)}) do update set ${changes.join(', ')};`
  const name = `postern_session_${createHash('sha256').update(body).digest('hex').slice(0, 16)}`
  const [view, trigger] = [quote(name), `${name}_insert`]
  return {
    view,
    insert: `insert into temp.${view} values (${parameters.map(() => '?').join(', ')})`,
    create: `create temp view if not exists ${view} as select ${parameters.map((name) => `null as ${name}`).join(', ')};
create temp trigger if not exists ${quote(trigger)} instead of insert on ${view} begin
  ${refuseMoved(trigger, [sessions, records])};
  ${body}
end`
  }
}

function insertInto(table: Table, columns: readonly string[], values: readonly string[]): string {
  return `insert into ${quote(getTableName(table))} (${columns.join(', ')}) values (${values.join(', ')})`
}

/** Renaming a table on this connection also renames it in its triggers, which would keep writing to it. */
function refuseMoved(trigger: string, tables: readonly Table[]): string {
  // Split, so that the trigger does not match its own text.
  const isThere = tables.map((table) => `instr(sql, 'insert ' || ${literal(`into ${quote(getTableName(table))} (`)})`)
  return `select raise(abort, ${literal(moved)}) from sqlite_temp_master
    where name = ${literal(trigger)} and not (${isThere.join(' and ')})`
}

function prepare(client: Database, { create, insert }: Both) {
  return attempt(() => {
    client.exec(create)
    return client.prepare(insert)
  })
}

/** Whether view or trigger no longer exist, or write to another table. */
function isLost(error: unknown): boolean {
  return error instanceof Error && (('code' in error && error.code === 'SQLITE_ERROR') || error.message === moved)
}
