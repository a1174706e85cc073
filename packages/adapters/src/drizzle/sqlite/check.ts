import type { Problem } from '@postern/core'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { checkMethods, checkNames, checkWays, type Expected, isObject, lackingOf, refuse } from '../../check-options.ts'
import { checkSchema, type Standard, schemaShape } from '../check-schema.ts'
import { meantFor, schemeOf } from '../check-url.ts'
import { accounts, sessions, users, verificationTokens } from './schema.ts'

const tables = { users, accounts, sessions, verificationTokens }
const standard: Standard = { module: 'sqlite-core', base: SQLiteTable, tables }
const methods = ['prepare', 'exec', 'pragma', 'transaction']

const expected: Expected = {
  of: 'sqliteAdapter',
  shape: { file: 'text', db: 'any', ...schemaShape(tables) },
  otherNames: { filename: 'file', path: 'file', url: 'file', client: 'db' },
  example: "{ file: 'app.db' }"
}

/** @throws ConfigError with every mistake in the options of `sqliteAdapter`. */
export function checkSqlite(options: unknown): void {
  refuse(mistakesOf(options))
}

function mistakesOf(options: unknown): Problem[] {
  const { of } = expected
  if (isObject(options) && isDatabase(options))
    return [{ option: of, message: 'expected an object with file or db; write { db }' }]
  const names = checkNames(options, expected)
  if (!isObject(options)) return names
  const { file, db } = options
  return [
    ...names,
    ...checkWays(options, ['file', 'db'], expected, names),
    ...checkFile(file),
    ...(db === undefined ? [] : checkDatabase(db)),
    ...checkSchema(of, options, standard)
  ]
}

function checkFile(file: unknown): Problem[] {
  if (typeof file !== 'string') return []
  const note = (got: string): Problem[] => [
    { option: 'sqliteAdapter.file', message: `expected the path of a file, or :memory:, got ${got}` }
  ]
  if (file === '') return note('an empty text, with which the data would be gone at the end')
  if (!file.includes('://')) return []
  return note(`an address: ${meantFor(schemeOf(file) ?? '', 'sqliteAdapter') ?? 'write the path alone'}`)
}

function isDatabase(value: Readonly<Record<string, unknown>>): boolean {
  return lackingOf('$client' in value ? value.$client : value, methods).length === 0
}

function checkDatabase(db: unknown): Problem[] {
  return checkMethods(isObject(db) && '$client' in db ? db.$client : db, {
    option: 'sqliteAdapter.db',
    expected: 'a better-sqlite3 database, or drizzle over one',
    methods,
    mend: "write new Database('app.db') of better-sqlite3, or file in place of db"
  })
}
