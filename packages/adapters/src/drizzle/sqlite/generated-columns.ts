import { type Column, getTableColumns, type Table } from 'drizzle-orm'

const isAnyGenerated = (table: Table, written: readonly string[], isGenerated: (column: Column) => boolean): boolean =>
  Object.entries(getTableColumns(table)).some(([field, column]) => !written.includes(field) && isGenerated(column))

/**
 * Whether a table of the application has columns with `$defaultFn` or `$onUpdate` beside the inserted fields. drizzle calls these functions
 * when a statement is built, so a statement that is kept would insert the same values each time.
 *
 * @see https://github.com/drizzle-team/drizzle-orm/issues/1588
 */
export function isInsertGenerated(table: Table, fields: readonly string[]): boolean {
  return isAnyGenerated(table, fields, ({ defaultFn, onUpdateFn }) => Boolean(defaultFn ?? onUpdateFn))
}

/** The same for an update, which does not use `$defaultFn`. */
export function isUpdateGenerated(table: Table, fields: readonly string[]): boolean {
  return isAnyGenerated(table, fields, ({ onUpdateFn }) => onUpdateFn !== undefined)
}
