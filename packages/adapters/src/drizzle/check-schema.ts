import { ConfigError, type Problem, type Shape } from '@postern/core'
import { type Column, getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { isObject } from '../check-options.ts'

/** The standard tables of a dialect, and what its tables are. */
export interface Standard {
  /** `sqlite-core` */
  readonly module: string
  readonly base: Parameters<typeof is>[1]
  readonly tables: Readonly<Record<'users' | 'accounts' | 'sessions' | 'verificationTokens', Table>>
}

type Options = Readonly<Record<string, unknown>>

const keys = ['users', 'accounts', 'sessions', 'verificationTokens'] as const

/** What `migrate`, `tables` and `columns` may be. */
export function schemaShape(tables: Standard['tables']): Shape {
  const columns = keys.map((key) => {
    const fields = Object.keys(getTableColumns(tables[key]))
    return [key, Object.fromEntries(fields.map((field) => [field, 'text' as const]))] as const
  })
  return {
    migrate: 'flag',
    tables: Object.fromEntries(keys.map((key) => [key, { oneOf: ['text', 'object'] }])),
    columns: Object.fromEntries(columns)
  }
}

/** @returns Tables and names that cannot be used, of options whose shape is looked at elsewhere. */
export function checkSchema(of: string, options: Options, standard: Standard): Problem[] {
  const tables = isObject(options.tables) ? options.tables : {}
  const columns = isObject(options.columns) ? options.columns : {}
  const problems = keys.flatMap((key): Problem[] => {
    const option = `${of}.tables.${key}`
    const names = columns[key]
    const table = tables[key]
    const own = standard.tables[key]
    if (!isObject(table)) return [...checkName(option, table), ...checkColumns(`${of}.columns.${key}`, names, own)]
    if (!is(table, Table) || !is(table, standard.base)) {
      const got = is(table, Table) ? 'a table of another database' : 'an object that is none'
      return [{ option, message: `expected a name, or a table of drizzle-orm/${standard.module}, got ${got}` }]
    }
    const renamed = { option: `${of}.columns.${key}`, message: `expected none, since ${option} names its own columns` }
    return [...(names === undefined ? [] : [renamed]), ...checkFields(option, table, own)]
  })
  const named = keys
    .map((key) => ({ key, name: tables[key] ?? getTableName(standard.tables[key]) }))
    .filter(({ name }) => typeof name === 'string' && name !== '')
  return [...problems, ...checkTwice(`${of}.tables`, 'table', named)]
}

function checkName(option: string, name: unknown): Problem[] {
  return name === '' ? [{ option, message: 'expected a name, got an empty text' }] : []
}

function checkColumns(option: string, names: unknown, own: Table): Problem[] {
  if (!isObject(names)) return []
  const empty = Object.entries(names).flatMap(([field, name]) => checkName(`${option}.${field}`, name))
  if (empty.length > 0) return empty
  const columns = Object.entries(getTableColumns(own)).map(([field, { name }]) => ({
    key: field,
    name: names[field] ?? name
  }))
  return checkTwice(option, 'column', columns)
}

/** @returns The mistake that several have one name. */
function checkTwice(option: string, kind: string, all: readonly { key: string; name: unknown }[]): Problem[] {
  const twice = all.filter(({ name }) => all.filter((other) => other.name === name).length > 1)
  if (twice.length === 0) return []
  const got = `got one name for ${twice.map(({ key }) => key).join(', ')}`
  return [{ option, message: `expected a name of its own for each ${kind}, ${got}` }]
}

/** @returns The fields of our own table that a table of the application's lacks, or has with values of another type. */
function checkFields(option: string, given: Table, own: Table): Problem[] {
  const columns: Readonly<Record<string, Column>> = getTableColumns(given)
  return Object.entries(getTableColumns(own)).flatMap(([field, { dataType }]): Problem[] => {
    const found = columns[field]
    if (found?.dataType === dataType) return []
    const but = found ? `they are of type ${found.dataType}` : 'it has not'
    const has = `${getTableName(given)} to have the field ${field} with values of type ${dataType}`
    return [{ option, message: `expected ${has}, but ${but}` }]
  })
}

/** @throws ConfigError where a table of the application's lacks a field of our own. */
export function requireFields<T extends Table>(key: string, given: Table, own: T): asserts given is T {
  const problems = checkFields(`tables.${key}`, given, own)
  if (problems.length > 0) throw new ConfigError(problems)
}
