import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { isObject } from '../../is-object.ts'
import type { Limit } from '../fit-columns.ts'
import type { StoredColumn, StoredTables } from '../stored-columns.ts'
import type { ResolvedTables } from '../table-options.ts'
import type { PostgresDatabase } from './client.ts'
import { foundBy, madeAt } from './find-table.ts'
import { quoted } from './migrations.ts'
import type { Tables } from './schema.ts'

/** The tables to read, and whether Postern creates those that are missing. */
export interface RequiredTables extends ResolvedTables<Tables> {
  readonly isMigrated: boolean
}

/** A column of PostgreSQL; the type of a domain is the one that it is based on. */
export interface PostgresColumn extends StoredColumn {
  /** Whether the role may read it. */
  readonly isReadable: boolean
  readonly limit: Limit
}

/** Rows of a query: drivers return them, or an object that contains them. */
export type Row = Readonly<Record<string, unknown>>

/** Reads all columns of the tables that exist, with one query. */
export async function readColumns(
  db: PostgresDatabase,
  required: RequiredTables
): Promise<StoredTables<PostgresColumn>> {
  const tables = Object.values(required.tables)
  const rows = getRows(
    await db.execute(sql`
      select wanted.name as "table", attname as "column", case when own.typtype = 'e' then 'enum' else coalesce(base.typname, own.typname) end as "type",
        has_column_privilege(attrelid, attnum, 'select') as "isReadable",
        case when base.oid is null then atttypmod else own.typtypmod end as "size",
        attnotnull or own.typnotnull as "isRequired", atthasdef or attidentity <> '' as "hasDefault",
        attgenerated <> '' or attidentity = 'a' as "isGenerated"
      from (values ${sql.join(
        tables.map((table) => sql`(${quoted(table)}::text, ${sql.raw(getTable(table, required))})`),
        sql`, `
      )}) as wanted(name, found)
      join pg_attribute on attrelid = wanted.found and attnum > 0 and not attisdropped
      join pg_type as own on own.oid = atttypid
      left join pg_type as base on own.typtype = 'd' and base.oid = own.typbasetype`)
  )
  return new Map(
    tables.flatMap((table) => {
      const columns = rows.filter((row) => row['table'] === quoted(table)).map(toColumn)
      const find = ({ name }: { readonly name: string }) => columns.find((column) => column.name === name)
      return columns.length === 0 ? [] : [[table, { name: quoted(table), columns, find }] as const]
    })
  )
}

/**
 * SQL for a table. A table that Postern creates is looked up where it is created. The application's own tables, and all
 * tables if migration is off, are those that statements find.
 */
export function getTable(table: Tables[keyof Tables], { given, isMigrated }: RequiredTables): string {
  const name = quoted(table)
  return isMigrated && !given.has(table) ? madeAt(name, getTableConfig(table)) : foundBy(name)
}

/** The rows of a result: drivers return them, or an object that contains them. */
export function getRows(result: unknown): readonly Row[] {
  const rows = isObject(result) ? result.rows : result
  return Array.isArray(rows) ? rows : []
}

function toColumn(row: Row): PostgresColumn {
  return {
    name: `${row['column']}`,
    type: `${row['type']}`,
    isNullable: row['isRequired'] === false,
    hasDefault: row['hasDefault'] === true,
    isGenerated: row['isGenerated'] === true,
    isReadable: row['isReadable'] === true,
    limit: getLimit(row)
  }
}

function getLimit({ type, size }: Row): Limit {
  const isSized = (type === 'varchar' || type === 'bpchar') && typeof size === 'number' && size > 4
  return {
    greatest: type === 'int2' ? 2 ** 15 - 1 : type === 'int4' ? 2 ** 31 - 1 : null,
    // PostgreSQL's `atttypmod` includes four bytes of overhead.
    characters: isSized ? size - 4 : null,
    bytes: null,
    lacking: null
  }
}
