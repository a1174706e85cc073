import type { Column } from 'drizzle-orm'
import type { DatabaseError } from '../database-error.ts'

/** Columns of dates whose type holds no instant. */
export interface UnreadableDates {
  readonly columns: ReadonlySet<Column>
  readonly error: DatabaseError
}
