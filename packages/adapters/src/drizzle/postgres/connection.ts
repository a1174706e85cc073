import type { Column } from 'drizzle-orm'
import { createFit, type Limit } from '../fit-columns.ts'
import { createReady } from '../ready.ts'
import { attemptAtStart, createQueryRunner } from '../retry.ts'
import type { ServerConnection } from '../server/connection.ts'
import type { ResolvedTables } from '../table-options.ts'
import { withoutRetries } from '../transact.ts'
import { checkSettings } from './check-settings.ts'
import type { PostgresClient, PostgresDatabase } from './client.ts'
import { errorClassifier } from './driver-errors.ts'
import { prepareSchema } from './prepare-schema.ts'
import type { Tables } from './schema.ts'
import { createStatements } from './statements.ts'

/** A database, its tables, and the functions to query it. Each method is one statement, which is atomic. */
export interface Connection extends ServerConnection {
  readonly db: PostgresDatabase
  readonly tables: Tables
}

/** A connection that waits until the database is ready. */
export interface Access extends Connection {
  readonly transaction: PostgresClient['transaction']
  readonly ready: () => Promise<void>
}

/** Connects to the database, and migrates its schema before the first query. */
export function connect(
  { db, transaction, withoutTimeout }: PostgresClient,
  resolved: ResolvedTables<Tables>,
  isMigrated: boolean
): Access {
  const limits = new Map<Column, Limit>()
  const ready = createReady(() =>
    attemptAtStart(errorClassifier, async () => {
      // On a connection like those of all later statements, which a pooler may refuse.
      await checkSettings(db)
      await withoutTimeout((db) => prepareSchema(db, { ...resolved, isMigrated, limits }))
    })
  )
  const { tables, notes } = resolved
  const fit = createFit(limits)
  const statements = createStatements(db, fit)
  return { db, transaction, tables, notes, statements, fit, ready, ...createQueryRunner(errorClassifier, ready) }
}

/** The same connection inside a transaction. */
export function within({ tables, fit, notes }: Connection, db: PostgresDatabase): Connection {
  return { db, tables, fit, notes, statements: createStatements(db, fit), ...withoutRetries }
}
