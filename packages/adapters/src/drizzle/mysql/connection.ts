import type { Column } from 'drizzle-orm'
import { createFit, holds } from '../fit-columns.ts'
import { createReady } from '../ready.ts'
import { attemptAtStart, createQueryRunner } from '../retry.ts'
import type { ServerConnection } from '../server/connection.ts'
import type { ResolvedTables } from '../table-options.ts'
import { withoutRetries } from '../transact.ts'
import { createBinaryCompare, type IsExactly } from './binary-compare.ts'
import type { MysqlClient, MysqlDatabase } from './client.ts'
import type { ColumnLimits } from './column-limits.ts'
import { type CompoundStatement, createCompoundStatement } from './compound-statement.ts'
import { errorClassifier } from './driver-errors.ts'
import { prepareSchema } from './prepare-schema.ts'
import type { Tables } from './schema.ts'
import { createStatements } from './statements.ts'

/** A database, its tables, and the functions to query it. */
export interface Connection extends ServerConnection, Pick<MysqlClient, 'db' | 'transaction'> {
  readonly tables: Tables
  readonly isExactly: IsExactly
  /** The limits of a column, known once the database is ready. */
  readonly columnLimits: (column: Column) => ColumnLimits | undefined
  readonly compoundStatement: CompoundStatement
}

/** A connection that waits until the database is ready. */
export interface Access extends Connection, Pick<MysqlClient, 'transactionOnRows'> {
  readonly ready: () => Promise<void>
}

/** Connects to the database, and migrates its schema before the first query. */
export function connect(client: MysqlClient, resolved: ResolvedTables<Tables>, isMigrated: boolean): Access {
  const { db, transaction, transactionOnRows, withoutTimeout } = client
  const rooms = new Map<Column, ColumnLimits>()
  const ready = createReady(() =>
    attemptAtStart(errorClassifier, () => withoutTimeout((db) => prepareSchema(db, { ...resolved, isMigrated, rooms })))
  )
  const attempts = createQueryRunner(errorClassifier, ready)
  const { tables, notes } = resolved
  const columnLimits = (column: Column) => rooms.get(column)
  const isExactly = createBinaryCompare((column, text) => {
    const room = columnLimits(column)
    return room === undefined || holds(room, text)
  })
  const [fit, compoundStatement] = [createFit(rooms), createCompoundStatement(client)]
  const statements = createStatements({ db, transaction, isExactly, fit })
  return {
    db,
    transaction,
    transactionOnRows,
    ready,
    tables,
    notes,
    fit,
    isExactly,
    columnLimits,
    statements,
    compoundStatement,
    ...attempts
  }
}

/** The same connection inside a transaction. */
export function within({ tables, fit, notes, isExactly, columnLimits }: Connection, db: MysqlDatabase): Connection {
  const transaction: MysqlClient['transaction'] = (work) => work(db)
  const statements = createStatements({ db, transaction, isExactly, fit })
  return {
    db,
    transaction,
    statements,
    compoundStatement: async () => false,
    tables,
    fit,
    notes,
    isExactly,
    columnLimits,
    ...withoutRetries
  }
}
