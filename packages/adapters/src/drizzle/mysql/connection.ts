import type { Column } from 'drizzle-orm'
import { type Attempts, attemptAtStart, createAttempts } from '../attempts.ts'
import { createFit, type Fit, type Limit } from '../fit.ts'
import { createReady } from '../ready.ts'
import type { ResolvedTables } from '../tables.ts'
import { faults } from './busy.ts'
import type { MysqlClient } from './client.ts'
import { prepareSchema } from './prepare-schema.ts'
import type { Tables } from './schema.ts'

/** A database, its tables, and the ways of asking it. */
export interface Connection extends Attempts, Pick<MysqlClient, 'db' | 'transaction'> {
  readonly tables: Tables
  readonly fit: Fit
  readonly ready: () => Promise<void>
}

/** Connects to the database, and brings its schema up to date before anything is asked. */
export function connect(
  { db, transaction, atLength }: MysqlClient,
  resolved: ResolvedTables<Tables>,
  isMigrated: boolean
): Connection {
  const limits = new Map<Column, Limit>()
  const ready = createReady(() =>
    attemptAtStart(faults, () => atLength((db) => prepareSchema(db, { ...resolved, isMigrated, limits })))
  )
  return { db, transaction, tables: resolved.tables, fit: createFit(limits), ready, ...createAttempts(faults, ready) }
}

/** How many rows a statement has changed, as mysql2 answers it. */
export function affectedRowsOf(result: unknown): unknown {
  const header: unknown = Array.isArray(result) ? result[0] : result
  return typeof header === 'object' && header !== null && 'affectedRows' in header ? header.affectedRows : null
}
