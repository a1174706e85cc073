import type { Column } from 'drizzle-orm'
import { onlyOnce } from '../atomically.ts'
import { type Attempts, attemptAtStart, createAttempts } from '../retry.ts'
import { createFit, type Fit, type Limit } from '../fit-columns.ts'
import { createReady } from '../ready.ts'
import type { ResolvedTables } from '../table-options.ts'
import { faults } from './busy.ts'
import type { PostgresClient, PostgresDatabase } from './client.ts'
import { prepareSchema } from './prepare-schema.ts'
import type { Tables } from './schema.ts'

/** A database, its tables, and the ways of asking it. Each method is one statement: it takes effect, or does not. */
export interface Connection extends Attempts {
  readonly db: PostgresDatabase
  readonly tables: Tables
  readonly fit: Fit
}

/** A database that may be asked when it is ready. */
export interface Access extends Connection {
  readonly transaction: PostgresClient['transaction']
  readonly ready: () => Promise<void>
}

/** Connects to the database, and brings its schema up to date before anything is asked. */
export function connect(
  { db, transaction, atLength }: PostgresClient,
  resolved: ResolvedTables<Tables>,
  isMigrated: boolean
): Access {
  const limits = new Map<Column, Limit>()
  const ready = createReady(() =>
    attemptAtStart(faults, () => atLength((db) => prepareSchema(db, { ...resolved, isMigrated, limits })))
  )
  const { tables } = resolved
  return { db, transaction, tables, fit: createFit(limits), ready, ...createAttempts(faults, ready) }
}

/** The same database in the middle of a transaction. */
export function within({ tables, fit }: Connection, db: PostgresDatabase): Connection {
  return { db, tables, fit, ...onlyOnce }
}
