import { and, type Column, getTableColumns, type Placeholder, type SQL, sql, type Table } from 'drizzle-orm'
import { lazy } from './lazy.ts'

/** A result, which SQLite has at once and a server later. */
export type Answer<T> = T | Promise<T>

/** Runs a statement, and repeats it if that may help. */
export type Run = <T>(work: () => T | PromiseLike<T>) => Promise<T>

/** A table whose rows have these fields. */
export type RowTable<Row> = Table & { readonly $inferSelect: Row } & { readonly [Field in keyof Row]-?: Column }

/** The columns of a key by their fields. */
export type Key = Readonly<Record<string, Column>>

/** The values of the placeholders of a prepared statement. */
export type Values = Readonly<Record<string, unknown>>

/** A row as a query returns it. */
export type SelectedRow = Readonly<Record<string, unknown>>

/** Which rows a query returns. */
export interface Selection {
  /** All without it. */
  readonly fields?: Key | undefined
  readonly where?: SQL | undefined
  readonly orderBy?: readonly SQL[]
  readonly limit?: number | Placeholder | undefined
}

/** A query, of one table or several. With tables or objects of columns as fields, its rows have an object for each. */
export interface Query<Base = Table, Col = Column> extends Omit<Selection, 'fields'> {
  readonly fields: Readonly<Record<string, Base | Col | Readonly<Record<string, Col>>>>
  readonly from: Base
  readonly inner?: readonly [table: Base, on: SQL]
  readonly left?: readonly [table: Base, on: SQL | undefined]
}

/** A prepared query. */
export interface Prepared<Row> {
  readonly first: (values: Values) => Answer<Row | null>
  readonly all: (values: Values) => Answer<readonly Row[]>
}

/** The conditions that compare texts. */
export interface Conditions {
  /** The condition that a key column has exactly this text. */
  isExactly(column: Column, text: string | Placeholder): SQL | undefined
  /** The condition that a key column has one of these texts. */
  isOneOf(column: Column, texts: readonly Placeholder[]): SQL | undefined
  /** The condition that a row follows another one in the order of two columns. */
  isAfter(columns: readonly [Column, Column], values: readonly [string, string]): SQL | undefined
}

/** Statements that read. What is prepared is built once, on first use. */
export interface Queries {
  select<Row>(table: RowTable<Row>, selection: Selection): Answer<readonly Row[]>
  selectFields(table: Table, selection: Selection): Answer<readonly SelectedRow[]>
  prepare<Row>(table: RowTable<Row>, selection: () => Selection): (values: Values) => Answer<readonly Row[]>
  prepareJoin<Row>(query: () => Query): Prepared<Row>
  /** The rows of a query that is written as SQL. */
  execute(query: SQL): Answer<readonly SelectedRow[]>
  /** Finds the row with a key. @param fields - All without it. */
  find<Row>(table: RowTable<Row>, key: Key, fields?: Key): (values: Values) => Answer<Row | null>
}

/** Statements that write. */
export interface Changes {
  /** @returns The first row. */
  insert(table: Table): <Row extends object>(row: Row, ...others: readonly Row[]) => Answer<Row>
  /** @returns `false` if the key exists. */
  insertNew(table: Table): (row: object) => Answer<boolean>
  /** Inserts a row, or writes it over the one with its key. @param isKnown - Whether that one most likely exists. */
  upsert(table: Table, key: Key): (row: object, isKnown?: boolean) => Answer<unknown>
  /** @returns The number of rows. */
  update(table: Table, changes: object, where: SQL | undefined): Answer<number>
  /** Changes the row with a key if its columns `expected` have these values. @returns Whether they had. */
  replace(table: Table, key: Key, expected: Key): (row: object, values: object) => Answer<boolean>
  /** Deletes the rows whose columns have these values. */
  delete(table: Table, by: Key): (values: Values) => Answer<unknown>
}

/** Statements that write one row by its key. */
export interface KeyedChanges {
  /** @returns Whether there was a row. */
  deleteOne(table: Table, key: Key): (values: Values) => Answer<boolean>
  /** Increases a number. @returns The new one; `null` if there is no row. */
  increment(table: Table, field: string, key: Key): (values: Values) => Answer<number | null>
  /** Deletes a row, and returns it as it was last. */
  take<Row>(table: RowTable<Row>, key: Key): (values: Values) => Answer<Row | null>
  /** The same for a row that never changes. */
  takeFixed<Row>(table: RowTable<Row>, key: Key): (values: Values) => Answer<Row | null>
}

/** The statements of a dialect on its tables: drizzle's builders differ by dialect, and so do their types. */
export interface Statements extends Conditions, Queries, Changes, KeyedChanges {}

/** Builds the queries of a dialect. */
export interface QueryBuilder {
  build<Row>(query: Query): Prepared<Row>
}

/** Creates the statements that read. */
export function createQueries({ build }: QueryBuilder, isExactly: Conditions['isExactly']): Omit<Queries, 'execute'> {
  const select = <Row>(table: Table, { fields = getTableColumns(table), ...selection }: Selection) =>
    build<Row>({ ...selection, fields, from: table })
  const onFirstUse = <Row>(create: () => Prepared<Row>): Prepared<Row> => {
    const statement = lazy(create)
    return { all: (values) => statement().all(values), first: (values) => statement().first(values) }
  }
  return {
    select: <Row>(table: Table, selection: Selection) => select<Row>(table, selection).all({}),
    selectFields: (table, selection) => select<SelectedRow>(table, selection).all({}),
    prepare: <Row>(table: Table, selection: () => Selection) => onFirstUse(() => select<Row>(table, selection())).all,
    prepareJoin: <Row>(query: () => Query) => onFirstUse(() => build<Row>(query())),
    find: <Row>(table: Table, key: Key, fields?: Key) =>
      onFirstUse(() => select<Row>(table, { fields, where: isKey(isExactly, key) })).first
  }
}

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
export function omitKey<Value>(key: Key, row: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !(field in key)))
}
