import { createHash } from 'node:crypto'
import type { AdapterSession, SessionRecord } from '@postern/core'
import type { Database } from 'better-sqlite3'
import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { toRecordRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'
import type { RecordStatements } from './records.ts'

/** How sessions begin. */
export interface SessionBeginnings {
  /** Writes a session, and its record where there is one: both are there afterwards, or neither. */
  readonly begin: (session: AdapterSession, record?: SessionRecord) => void
  /** Takes back what the connection was given for it. */
  readonly forget: () => void
}

/** What writes into both tables at once, and how the connection calls it. */
interface Both {
  readonly view: string
  readonly create: string
  readonly insert: string
}

const moved = 'postern: a table was renamed'

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Makes the writing of sessions: one statement, with a record too.
 *
 * SQLite has none that writes two tables, but what is written into a view is for its trigger to write. Both are
 * temporary: they are the connection's, and the database stays as it is. A connection that cannot have them, or has
 * lost them, takes two statements in one transaction.
 */
export function createBeginnings(connection: Connection, records: RecordStatements): SessionBeginnings {
  const { client, db, tables } = connection
  const bind = createEncode(tables.sessions)
  const [sessionToken, userId, expires] = [named('sessionToken'), named('userId'), named('expires')]
  const alone = db.insert(tables.sessions).values({ sessionToken, userId, expires }).prepare()
  const both = toBoth(connection)
  const valuesOf = createValues(connection)
  let together = both && prepare(client, both)
  const apart = (session: AdapterSession, record: SessionRecord): void => {
    alone.run(bind(session))
    records.put(record)
  }
  const beginBoth = (session: AdapterSession, record: SessionRecord): void => {
    try {
      if (together) return void together.run(...valuesOf(session, record))
    } catch (error) {
      if (!isLost(error)) throw error
      together = null
    }
    client.transaction(() => apart(session, record)).immediate()
  }
  return {
    begin: (session, record) => (record ? beginBoth(session, record) : void alone.run(bind(session))),
    forget: () => {
      together = null
      if (both) attempt(() => client.exec(`drop view if exists temp.${both.view}`))
    }
  }
}

/** What cannot be done to a connection that is closed, busy or read-only is left: it ends with the connection. */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** Makes the values that the statement for both takes, as the driver takes them. */
function createValues({ tables }: Connection): (session: AdapterSession, record: SessionRecord) => readonly unknown[] {
  const [bindSession, bindRecord] = [createEncode(tables.sessions), createEncode(tables.posternSessions)]
  const fields = Object.keys(getTableColumns(tables.posternSessions))
  return (session, record) => {
    const begun = bindSession(session)
    const noted = bindRecord(toRecordRow(record))
    return [begun['sessionToken'], begun['userId'], begun['expires'], ...fields.map((field) => noted[field])]
  }
}

/** @returns `null` where sessions have columns of the application's own: drizzle makes their values. */
function toBoth({ tables }: Connection): Both | null {
  const { sessions, posternSessions: records } = tables
  if (Object.keys(getTableColumns(sessions)).length > 3) return null
  const begun = [sessions.sessionToken, sessions.userId, sessions.expires].map(({ name }) => quote(name))
  const noted = Object.values(getTableColumns(records)).map(({ name }) => quote(name))
  const parameters = [...begun, ...noted].map((_, i) => `p${i}`)
  const values = parameters.map((parameter) => `new.${parameter}`)
  const changes = noted.map((name) => `${name} = excluded.${name}`)
  const body = `${insertInto(sessions, begun, values.slice(0, 3))};
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

/** A table that this connection renames is renamed in its triggers: they would go on to fill it. */
function refuseMoved(trigger: string, tables: readonly Table[]): string {
  // In two pieces, so as not to find itself.
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

/** Whether view or trigger are gone, or lead elsewhere. */
function isLost(error: unknown): boolean {
  return error instanceof Error && (('code' in error && error.code === 'SQLITE_ERROR') || error.message === moved)
}
