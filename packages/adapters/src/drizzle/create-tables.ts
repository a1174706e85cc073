import type { Column } from 'drizzle-orm'
import type { ColumnNames, TableNames } from './table-options.ts'

/** The application's users table, and the names of the other tables of Auth.js if they differ. */
export interface CreatedTables<Users> extends Omit<TableNames, 'users'> {
  /** A drizzle table of the application. */
  readonly users: Users
  /** The names of columns that differ from the field names. */
  readonly columns?: Omit<ColumnNames, 'users'> | undefined
}

/** Gives a column the SQL type of the one that it refers to. Its values stay text, as ids are for the adapter. */
export function setReferenceType(column: Column, type: string): void {
  column.getSQLType = () => type
  column.mapFromDriverValue = String
}
