import type { Problem } from '@postern/core'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  checkAlternatives,
  checkMethods,
  checkNames,
  type Expected,
  getMissingMethods,
  refuse
} from '../../check-options.ts'
import { isObject } from '../../is-object.ts'
import { checkSchema, type Standard, schemaShape } from '../check-schema.ts'
import { getOtherAdapter, getScheme } from '../check-url.ts'
import { accounts, sessions, users, verificationTokens } from './tables.ts'

const tables = { users, accounts, sessions, verificationTokens }
const standard: Standard = { module: 'sqlite-core', base: SQLiteTable, tables }
const methods = ['prepare', 'exec', 'pragma', 'transaction']

const expected: Expected = {
  of: 'sqliteAdapter',
  shape: { file: 'string', db: 'any', ...schemaShape(tables) },
  otherNames: { filename: 'file', path: 'file', url: 'file', client: 'db' },
  example: "{ file: 'app.db' }"
}

/** @throws ConfigError with every problem in the options of `sqliteAdapter`. */
export function checkSqlite(options: unknown): void {
  refuse(findMistakes(options))
}

function findMistakes(options: unknown): Problem[] {
  const { of } = expected
  if (isObject(options) && isDatabase(options))
    return [{ option: of, code: 'INVALID_TYPE', message: 'expected an object with file or db; write { db }' }]
  const names = checkNames(options, expected)
  if (!isObject(options)) return names
  const { file, db } = options
  return [
    ...names,
    ...checkAlternatives(options, ['file', 'db'], expected, names),
    ...checkFile(file),
    ...(db === undefined ? [] : checkDatabase(db)),
    ...checkSchema(of, options, standard)
  ]
}

function checkFile(file: unknown): Problem[] {
  if (typeof file !== 'string') return []
  const note = (got: string): Problem[] => [
    {
      option: 'sqliteAdapter.file',
      code: 'INVALID_VALUE',
      message: `expected the path of a file, or :memory:, got ${got}`
    }
  ]
  if (file === '') return note('an empty string, which SQLite takes for a temporary database')
  if (!file.includes('://')) return []
  return note(`an address: ${getOtherAdapter(getScheme(file) ?? '', 'sqliteAdapter') ?? 'write the path alone'}`)
}

function isDatabase(value: Readonly<Record<string, unknown>>): boolean {
  return getMissingMethods('$client' in value ? value.$client : value, methods).length === 0
}

function checkDatabase(db: unknown): Problem[] {
  return checkMethods(isObject(db) && '$client' in db ? db.$client : db, {
    option: 'sqliteAdapter.db',
    expected: 'a better-sqlite3 database, or drizzle over one',
    methods,
    hint: "write new Database('app.db') of better-sqlite3, or file in place of db"
  })
}
