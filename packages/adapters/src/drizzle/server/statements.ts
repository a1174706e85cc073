import { and, type Column, type Placeholder, type SQL, sql, type Table } from 'drizzle-orm'
import type { SelectedRow } from '../encrypted-tables.ts'

/** A table whose rows have these fields. */
export type RowTable<Row> = Table & { readonly $inferSelect: Row } & { readonly [Field in keyof Row]-?: Column }

/** The columns of a key by their fields. */
export type Key = Readonly<Record<string, Column>>

/** The values of a key, or of the placeholders of a prepared statement. */
export type Values = Readonly<Record<string, unknown>>

/** Which rows a query returns. */
export interface Selection {
  readonly where: SQL | undefined
  readonly orderBy?: readonly SQL[]
  readonly limit?: number | undefined
}

/** A row to insert, or to write over the one with its key. */
export interface Upsert {
  readonly row: object
  /** Whether the row most likely exists. */
  readonly isKnown?: boolean
}

/** The conditions of a database server that compare texts. */
export interface Conditions {
  /** The condition that a key column has exactly this text. */
  isExactly(column: Column, text: string | Placeholder): SQL | undefined
  /** The condition that a key column has one of these texts. */
  isOneOf(column: Column, texts: readonly string[]): SQL | undefined
  /** The condition that a column without an index has exactly this text. */
  hasText(column: Column, text: string): SQL
  /** The condition that a row follows another one in the order of two columns. */
  isAfter(columns: readonly [Column, Column], values: readonly [string, string]): SQL | undefined
}

/** Statements that read. */
export interface Queries {
  select<Row>(table: RowTable<Row>, selection: Selection): Promise<readonly Row[]>
  selectFields(table: Table, fields: Key, selection: Selection): Promise<readonly SelectedRow[]>
  /** Builds a query once, on first use. */
  prepare<Row>(table: RowTable<Row>, where: () => SQL | undefined): (values: Values) => Promise<readonly Row[]>
}

/** Statements that write. */
export interface Changes {
  insert(table: Table, ...rows: readonly object[]): Promise<unknown>
  /** @returns `false` if the key exists. */
  insertNew(table: Table, row: object): Promise<boolean>
  upsert(table: Table, key: Key, upsert: Upsert): Promise<unknown>
  /** @returns The number of rows. */
  update(table: Table, changes: object, where: SQL | undefined): Promise<number>
  delete(table: Table, where: SQL | undefined): Promise<unknown>
}

/** Statements that write one row by its key. */
export interface KeyedChanges {
  /** @returns Whether there was a row. */
  deleteOne(table: Table, key: Key, values: Values): Promise<boolean>
  /** Increases a number. @returns The new one; `null` if there is no row. */
  increment(table: Table, field: string, key: Key): (values: Values) => Promise<number | null>
  /** Deletes a row, and returns it as it was last. */
  take<Row>(table: RowTable<Row>, key: Key): (values: Values) => Promise<Row | null>
}

/**
 * The statements of a database server on the tables of its dialect: drizzle's builders differ by dialect, and so do their types.
 */
export interface Statements extends Conditions, Queries, Changes, KeyedChanges {}

/** The condition that a row has a key. @param values - Without them, the condition has a placeholder for each field. */
export function isKey(isExactly: Statements['isExactly'], key: Key, values?: Values): SQL | undefined {
  const toText = (field: string) => (values ? String(values[field]) : sql.placeholder(field))
  return and(...Object.entries(key).map(([field, column]) => isExactly(column, toText(field))))
}

/** The rows of a query. */
export function toRows<Row>(rows: unknown): readonly Row[] {
  return Array.isArray(rows) ? rows : []
}

/** The fields of a row beside its key. */
export function omitKey(key: Key, row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !(field in key)))
}
