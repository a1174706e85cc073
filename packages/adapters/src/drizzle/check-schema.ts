import { ConfigError, type Problem, type Shape } from '@postern/core'
import { type Column, getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { isObject } from '../is-object.ts'
import { isIdColumn } from './text-ids.ts'

/** The standard tables of a dialect, and the dialect's drizzle module. */
export interface Standard {
  /** `sqlite-core` */
  readonly module: string
  readonly base: Parameters<typeof is>[1]
  readonly tables: Readonly<Record<'users' | 'accounts' | 'sessions' | 'verificationTokens', Table>>
}

type Options = Readonly<Record<string, unknown>>

const keys = ['users', 'accounts', 'sessions', 'verificationTokens'] as const

/** The shape of the options `migrate`, `tables` and `columns`. */
export function schemaShape(tables: Standard['tables']): Shape {
  const columns = keys.map((key) => {
    const fields = Object.keys(getTableColumns(tables[key]))
    return [key, Object.fromEntries(fields.map((field) => [field, 'string' as const]))] as const
  })
  return {
    migrate: 'boolean',
    tables: Object.fromEntries(keys.map((key) => [key, { oneOf: ['string', 'object'] }])),
    columns: Object.fromEntries(columns)
  }
}

/** @returns The problems of tables and names; the shape of the options is validated elsewhere. */
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
      const message = `expected a name, or a table of drizzle-orm/${standard.module}, got ${got}`
      return [{ option, code: 'INVALID_TYPE', message }]
    }
    const renamed: Problem = {
      option: `${of}.columns.${key}`,
      code: 'OPTIONS_CONFLICT',
      message: `expected none, since ${option} names its own columns`
    }
    return [...(names === undefined ? [] : [renamed]), ...checkFields(option, table, own)]
  })
  const named = keys
    .map((key) => ({ key, name: tables[key] ?? getTableName(standard.tables[key]) }))
    .filter(({ name }) => typeof name === 'string' && name !== '')
  return [...problems, ...checkTwice(`${of}.tables`, 'table', named)]
}

function checkName(option: string, name: unknown): Problem[] {
  return name === '' ? [{ option, code: 'INVALID_VALUE', message: 'expected a name, got an empty string' }] : []
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

/** @returns The problem of a name that is used twice. */
function checkTwice(option: string, kind: string, all: readonly { key: string; name: unknown }[]): Problem[] {
  const twice = all.filter(({ name }) => all.filter((other) => other.name === name).length > 1)
  if (twice.length === 0) return []
  const got = `got one name for ${twice.map(({ key }) => key).join(', ')}`
  return [{ option, code: 'TABLE_NAME_DUPLICATE', message: `expected a separate name for each ${kind}, ${got}` }]
}

/** @returns The problems of an application's table that lacks standard fields, or has them with another type. */
function checkFields(option: string, given: Table, own: Table): Problem[] {
  const columns: Readonly<Record<string, Column>> = getTableColumns(given)
  return Object.entries(getTableColumns(own)).flatMap(([field, { dataType }]): Problem[] => {
    const found = columns[field]
    // The application's own type converts its values.
    if (found?.dataType === dataType || found?.dataType === 'custom') return []
    if (found && isIdColumn(field, found.dataType)) return []
    // drizzle's columns of dates have modes.
    const mode = dataType === 'date' && found?.dataType === 'string' ? "; declare it with mode: 'date'" : ''
    const but = found ? `they are of type ${found.dataType}${mode}` : 'it has not'
    const has = `${getTableName(given)} to have the field ${field} with values of type ${dataType}`
    return [{ option, code: 'TABLE_INCOMPATIBLE', message: `expected ${has}, but ${but}` }]
  })
}

/** @throws ConfigError if an application's table lacks a standard field. */
export function requireFields<T extends Table>(key: string, given: Table, own: T): asserts given is T {
  const problems = checkFields(`tables.${key}`, given, own)
  if (problems.length > 0) throw new ConfigError(problems)
}
