import type { DatabaseNotes } from '../database-problems.ts'
import type { Fit } from '../fit-columns.ts'
import type { QueryRunner } from '../retry.ts'
import type { TableAccess } from '../table-access.ts'

/** The connection of a database server: its tables, and the functions to query them. */
export interface ServerConnection extends QueryRunner, TableAccess {
  readonly fit: Fit
  readonly notes: DatabaseNotes
}
