import type { Problem } from '@postern/core'
import { MySqlTable } from 'drizzle-orm/mysql-core'
import { checkMethods, isObject, lackingOf, refuse } from '../../check-options.ts'
import { schemaShape } from '../check-schema.ts'
import { checkServer, type ServerExpected, serverNames, serverShape } from '../check-server.ts'
import { accounts, sessions, users, verificationTokens } from './schema.ts'

const tables = { users, accounts, sessions, verificationTokens }
const methods = ['getConnection', 'on']

const expected: ServerExpected = {
  of: 'mysqlAdapter',
  shape: { ...serverShape, ...schemaShape(tables) },
  otherNames: serverNames,
  example: "{ url: 'mysql://…' }",
  address: 'mysql://user:password@host:3306/app',
  standard: { module: 'mysql-core', base: MySqlTable, tables },
  wholeOf: (options) => {
    if ('$client' in options) return 'db'
    return lackingOf(options, methods).length === 0 ? 'pool' : null
  },
  checkPool: (pool) => checkPool('mysqlAdapter.pool', pool),
  checkDb: (db) => checkPool('mysqlAdapter.db', isObject(db) && '$client' in db ? db.$client : db),
  isAddress: () => false
}

/** @throws ConfigError with every mistake in the options of `mysqlAdapter`. */
export function checkMysql(options: unknown): void {
  refuse(checkServer(options, expected))
}

function checkPool(option: string, pool: unknown): Problem[] {
  const promised: unknown = isObject(pool) && typeof pool.promise === 'function' ? pool.promise() : pool
  const expected = 'a pool of mysql2, or drizzle over one'
  return checkMethods(promised, { option, expected, methods, mend: 'write createPool() of mysql2' })
}
