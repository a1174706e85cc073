import type { Problem } from '@postern/core'
import { MySqlTable } from 'drizzle-orm/mysql-core'
import { checkMethods, getMissingMethods, refuse } from '../../check-options.ts'
import { hasMembers } from '../../is-object.ts'
import { schemaShape } from '../check-schema.ts'
import { checkServer, type ServerExpected, serverNames, serverShape } from '../check-server.ts'
import { accounts, sessions, users, verificationTokens } from './tables.ts'

const tables = { users, accounts, sessions, verificationTokens }
const methods = ['getConnection', 'on']

const expected: ServerExpected = {
  of: 'mysqlAdapter',
  shape: { ...serverShape, ...schemaShape(tables) },
  otherNames: serverNames,
  example: "{ url: 'mysql://…' }",
  address: 'mysql://user:password@host:3306/app',
  standard: { module: 'mysql-core', base: MySqlTable, tables },
  getClientOption: (options) => {
    if ('$client' in options) return 'db'
    return getMissingMethods(options, methods).length === 0 ? 'pool' : null
  },
  checkPool: (pool) => checkPool('mysqlAdapter.pool', pool),
  checkDb,
  isAddress: () => false
}

/** @throws ConfigError with every problem in the options of `mysqlAdapter`. */
export function checkMysql(options: unknown): void {
  refuse(checkServer(options, expected))
}

function checkPool(option: string, pool: unknown): Problem[] {
  const expected = 'a pool of mysql2, or drizzle over one'
  return checkMethods(getPromised(pool), { option, expected, methods, hint: 'write createPool() of mysql2' })
}

function checkDb(db: unknown): Problem[] {
  const option = 'mysqlAdapter.db'
  if (hasMembers(db) && '$client' in db) return checkPool(option, db.$client)
  if (getMissingMethods(getPromised(db), methods).length > 0) return checkPool(option, db)
  return [
    {
      option,
      code: 'INVALID_TYPE',
      message: 'expected drizzle over a pool of mysql2, got the pool itself; pass it as pool'
    }
  ]
}

function getPromised(pool: unknown): unknown {
  return hasMembers(pool) && typeof pool.promise === 'function' ? pool.promise() : pool
}
