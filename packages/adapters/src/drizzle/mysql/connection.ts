import type { Column } from 'drizzle-orm'
import type { MySqlColumn } from 'drizzle-orm/mysql-core'
import { onlyOnce } from '../atomically.ts'
import { type Attempts, attemptAtStart, createAttempts } from '../retry.ts'
import { createFit, type Fit, holds } from '../fit-columns.ts'
import { createReady } from '../ready.ts'
import type { ResolvedTables } from '../table-options.ts'
import { faults } from './driver-errors.ts'
import type { MysqlClient, MysqlDatabase } from './client.ts'
import { createIsExactly, type IsExactly } from './binary-compare.ts'
import { prepareSchema } from './prepare-schema.ts'
import type { Room } from './column-limits.ts'
import type { Tables } from './schema.ts'
import { createTogether, type Together } from './compound-statement.ts'

/** A database, its tables, and the ways of asking it. */
export interface Connection extends Attempts, Pick<MysqlClient, 'db' | 'transaction'> {
  readonly tables: Tables
  readonly fit: Fit
  readonly isExactly: IsExactly
  /** What a column has room for, once the database is ready. */
  readonly roomOf: (column: MySqlColumn) => Room | undefined
  readonly together: Together
}

/** A database that may be asked when it is ready. */
export interface Access extends Connection, Pick<MysqlClient, 'transactionOnRows'> {
  readonly ready: () => Promise<void>
}

/** Connects to the database, and brings its schema up to date before anything is asked. */
export function connect(client: MysqlClient, resolved: ResolvedTables<Tables>, isMigrated: boolean): Access {
  const { db, transaction, transactionOnRows, atLength } = client
  const rooms = new Map<Column, Room>()
  const ready = createReady(() =>
    attemptAtStart(faults, () => atLength((db) => prepareSchema(db, { ...resolved, isMigrated, rooms })))
  )
  const attempts = createAttempts(faults, ready)
  const { tables } = resolved
  const roomOf = (column: MySqlColumn) => rooms.get(column)
  const isExactly = createIsExactly((column, text) => {
    const room = roomOf(column)
    return room === undefined || holds(room, text)
  })
  const [fit, together] = [createFit(rooms), createTogether(client)]
  return { db, transaction, transactionOnRows, tables, fit, isExactly, roomOf, together, ready, ...attempts }
}

/** The same database in the middle of a transaction. */
export function within({ tables, fit, isExactly, roomOf }: Connection, db: MysqlDatabase): Connection {
  const known = { tables, fit, isExactly, roomOf }
  return { db, transaction: (work) => work(db), together: async () => false, ...known, ...onlyOnce }
}

/** How many rows a statement has changed, as mysql2 answers it. */
export function affectedRowsOf(result: unknown): unknown {
  const header: unknown = Array.isArray(result) ? result[0] : result
  return typeof header === 'object' && header !== null && 'affectedRows' in header ? header.affectedRows : null
}

/** The id that a statement has made last, as mysql2 answers it. */
export function insertIdOf(result: unknown): number {
  const header: unknown = Array.isArray(result) ? result[0] : result
  const id = typeof header === 'object' && header !== null && 'insertId' in header ? Number(header.insertId) : 0
  if (id > 0) return id
  throw new TypeError(`mysqlAdapter: expected the driver to answer insertId, got ${id}`)
}
