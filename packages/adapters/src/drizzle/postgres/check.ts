import type { Problem } from '@postern/core'
import { entityKind, is } from 'drizzle-orm'
import { PgDatabase, PgTable } from 'drizzle-orm/pg-core'
import { checkMethods, hasMembers, isObject, lackingOf, refuse } from '../../check-options.ts'
import { schemaShape } from '../check-schema.ts'
import { checkServer, type ServerExpected, serverNames, serverShape } from '../check-server.ts'
import { accounts, sessions, users, verificationTokens } from './schema.ts'

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
  wholeOf: (options) => {
    if (isDrizzle(options)) return 'db'
    return lackingOf(options, poolMethods).length === 0 ? 'pool' : null
  },
  checkPool,
  checkDb,
  // What node-postgres takes besides: sockets.
  isAddress: (url) => url.startsWith('/') || url.startsWith('socket:')
}

/** @throws ConfigError with every mistake in the options of `postgresAdapter`. */
export function checkPostgres(options: unknown): void {
  refuse(checkServer(options, expected))
}

function checkPool(pool: unknown): Problem[] {
  const option = 'postgresAdapter.pool'
  const aPool = 'a pool of node-postgres'
  if (isLone(pool)) return [{ option, message: `expected ${aPool}, got a single connection; write new Pool() of pg` }]
  const mend = 'write new Pool() of pg; with another driver, pass drizzle over it as db'
  return checkMethods(pool, { option, expected: aPool, methods: poolMethods, mend })
}

function checkDb(db: unknown): Problem[] {
  const option = 'postgresAdapter.db'
  const expected = 'a drizzle database over PostgreSQL'
  if (isDrizzle(db) && !is(db, PgDatabase)) return [{ option, message: `expected ${expected}, got one over another` }]
  if (isObject(db) && isLone(db.$client)) {
    const why = 'each transaction needs a connection of its own'
    return [{ option, message: `expected drizzle over a pool, got drizzle over a single connection: ${why}` }]
  }
  const mend = 'write drizzle(pool) of drizzle-orm/node-postgres; a pool itself goes in as pool'
  return checkMethods(db, { option, expected, methods: dbMethods, mend })
}

function isDrizzle(db: unknown): boolean {
  return isObject(db) && typeof db.constructor === 'function' && entityKind in db.constructor
}

/** Whether this is a connection of node-postgres. */
function isLone(client: unknown): boolean {
  return hasMembers(client) && 'processID' in client
}
