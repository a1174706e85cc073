import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/mysql-core'
import type { StoredColumn, StoredTables } from '../stored-columns.ts'
import type { MysqlDatabase } from './client.ts'
import { type ColumnLimits, getColumnLimits } from './column-limits.ts'
import { quoted } from './migrations.ts'
import type { Tables } from './schema.ts'

/** A column of MySQL or MariaDB. */
export interface MysqlColumn extends StoredColumn {
  readonly limit: ColumnLimits
  /** Whether the server sets the column to the current time when another column of the row changes. */
  readonly isTouched: boolean
}

/** A row of a query. */
export type Row = Readonly<Record<string, unknown>>

/** Reads all columns of the tables that exist, with one query. */
export async function readColumns(db: MysqlDatabase, schema: Tables): Promise<StoredTables<MysqlColumn>> {
  const tables = Object.values(schema)
  const configs = tables.map((table) => getTableConfig(table))
  const inSchemas = sql.join(
    [sql`database()`, ...configs.flatMap(({ schema }) => (schema === undefined ? [] : sql`${schema}`))],
    sql`, `
  )
  const inNames = sql.join(
    configs.map(({ name }) => sql`${name.toLowerCase()}`),
    sql`, `
  )
  const rows = await getRows(
    db,
    sql`select lower(table_schema) as ${sql.identifier('schema')}, lower(table_name) as ${sql.identifier('table')},
        column_name as ${sql.identifier('column')}, lower(database()) as current, data_type as type,
        character_maximum_length as characters, character_octet_length as bytes,
        character_set_name as charset, collation_name as collation, is_nullable as nullable,
        nullif(column_default, 'NULL') is not null or extra like '%auto_increment%' or extra like '%generated%' as filled,
        coalesce(generation_expression, '') <> '' as made,
        extra like '%on update%' as touched
      from information_schema.columns
      where table_schema in (${inSchemas}) and lower(table_name) in (${inNames})`
  )
  return new Map(
    tables.flatMap((table) => {
      const { schema, name } = getTableConfig(table)
      const isIn = (row: Row) => row['schema'] === (schema?.toLowerCase() ?? row['current'])
      const columns = rows.filter((row) => row['table'] === name.toLowerCase() && isIn(row)).map(toColumn)
      const find = ({ name }: { readonly name: string }) =>
        columns.find((column) => column.name.toLowerCase() === name.toLowerCase())
      return columns.length === 0 ? [] : [[table, { name: quoted(table), columns, find }] as const]
    })
  )
}

/** The rows of a query, whose result mysql2 returns together with the fields. */
export async function getRows(db: MysqlDatabase, query: SQL): Promise<readonly Row[]> {
  const result: unknown = await db.execute(query)
  const rows: unknown = Array.isArray(result) ? result[0] : null
  return Array.isArray(rows) ? rows : []
}

function toColumn(row: Row): MysqlColumn {
  return {
    name: `${row['column']}`,
    type: `${row['type']}`.toLowerCase(),
    isNullable: row['nullable'] === 'YES',
    hasDefault: Number(row['filled']) === 1,
    isGenerated: Number(row['made']) === 1,
    isTouched: Number(row['touched']) === 1,
    limit: getColumnLimits(row)
  }
}
