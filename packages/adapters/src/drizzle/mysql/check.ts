import type { Problem } from '@postern/core'
import { MySqlTable } from 'drizzle-orm/mysql-core'
import { checkMethods, hasMembers, lackingOf, refuse } from '../../check-options.ts'
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
  checkDb,
  isAddress: () => false
}

/** @throws ConfigError with every mistake in the options of `mysqlAdapter`. */
export function checkMysql(options: unknown): void {
  refuse(checkServer(options, expected))
}

function checkPool(option: string, pool: unknown): Problem[] {
  const expected = 'a pool of mysql2, or drizzle over one'
  return checkMethods(promisedOf(pool), { option, expected, methods, mend: 'write createPool() of mysql2' })
}

function checkDb(db: unknown): Problem[] {
  const option = 'mysqlAdapter.db'
  if (hasMembers(db) && '$client' in db) return checkPool(option, db.$client)
  if (lackingOf(promisedOf(db), methods).length > 0) return checkPool(option, db)
  return [{ option, message: 'expected drizzle over a pool of mysql2, got the pool itself; pass it as pool' }]
}

function promisedOf(pool: unknown): unknown {
  return hasMembers(pool) && typeof pool.promise === 'function' ? pool.promise() : pool
}
