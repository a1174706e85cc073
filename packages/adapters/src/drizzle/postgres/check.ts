import type { Problem } from '@postern/core'
import { entityKind, is } from 'drizzle-orm'
import { PgDatabase, PgTable } from 'drizzle-orm/pg-core'
import { checkMethods, getMissingMethods, refuse } from '../../check-options.ts'
import { hasMembers, isObject } from '../../is-object.ts'
import { schemaShape } from '../check-schema.ts'
import { checkServer, type ServerExpected, serverNames, serverShape } from '../check-server.ts'
import { accounts, sessions, users, verificationTokens } from './tables.ts'

const tables = { users, accounts, sessions, verificationTokens }
const poolMethods = ['connect', 'query', 'on']
const dbMethods = ['select', 'insert', 'update', 'delete', 'execute', '$with', 'with', 'transaction']

const expected: ServerExpected = {
  of: 'postgresAdapter',
  shape: { ...serverShape, ...schemaShape(tables) },
  otherNames: serverNames,
  example: "{ url: 'postgres://…' }",
  address: 'postgres://user:password@host:5432/app',
  standard: { module: 'pg-core', base: PgTable, tables },
  getClientOption: (options) => {
    if (isDrizzle(options)) return 'db'
    return getMissingMethods(options, poolMethods).length === 0 ? 'pool' : null
  },
  checkPool,
  checkDb,
  // node-postgres also accepts sockets.
  isAddress: (url) => url.startsWith('/') || url.startsWith('socket:')
}

/** @throws ConfigError with every problem in the options of `postgresAdapter`. */
export function checkPostgres(options: unknown): void {
  refuse(checkServer(options, expected))
}

function checkPool(pool: unknown): Problem[] {
  const option = 'postgresAdapter.pool'
  const aPool = 'a pool of node-postgres'
  if (isLone(pool)) {
    const message = `expected ${aPool}, got a single connection; write new Pool() of pg`
    return [{ option, code: 'INVALID_TYPE', message }]
  }
  const hint = 'write new Pool() of pg; with another driver, pass drizzle over it as db'
  return checkMethods(pool, { option, expected: aPool, methods: poolMethods, hint })
}

function checkDb(db: unknown): Problem[] {
  const option = 'postgresAdapter.db'
  const expected = 'a drizzle database over PostgreSQL'
  if (isDrizzle(db) && !is(db, PgDatabase))
    return [{ option, code: 'INVALID_TYPE', message: `expected ${expected}, got one over another` }]
  if (isObject(db) && isLone(db.$client)) {
    const why = 'each transaction needs a separate connection'
    const message = `expected drizzle over a pool, got drizzle over a single connection: ${why}`
    return [{ option, code: 'INVALID_TYPE', message }]
  }
  const hint = 'write drizzle(pool) of drizzle-orm/node-postgres; a pool itself goes in as pool'
  return checkMethods(db, { option, expected, methods: dbMethods, hint })
}

function isDrizzle(db: unknown): boolean {
  return isObject(db) && typeof db.constructor === 'function' && entityKind in db.constructor
}

/** Whether this is a single connection of node-postgres. */
function isLone(client: unknown): boolean {
  return hasMembers(client) && 'processID' in client
}
