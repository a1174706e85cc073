import { setTimeout as delay } from 'node:timers/promises'
import { rowsBySql } from '@postern/testkit/consistency-checker'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Test } from 'tap'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres } from '../../servers.ts'
import type { ServerUnderTest } from '../server-under-test.ts'
import { createTestDatabase, endIdle, reuseDatabases, type TestDatabase } from './databases.ts'
import { blocked, endBlocked, open, whileLocked } from './locks.ts'

function openPool(t: Test, { url }: TestDatabase): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 3 })
  t.teardown(() => pool.end())
  return pool
}

const locks = {
  account: 'lock table account in share row exclusive mode',
  user: 'lock table "user" in access exclusive mode'
} as const

/** PostgreSQL, for the tests of one file. */
export const createServer = (t: Test): ServerUnderTest<TestDatabase> => ({
  port: postgres.port,
  open,
  methods: {
    'an address': open,
    'a pool': (t, database) => postgresAdapter({ pool: openPool(t, database) }),
    'a drizzle database': (t, database) => postgresAdapter({ db: drizzle({ client: openPool(t, database) }) })
  },
  getDatabase: reuseDatabases(t),
  createDatabase: createTestDatabase,
  whileLocked: (database, table, work) => whileLocked(database, locks[table], work),
  ...{ blocked, endBlocked, endIdle },
  endAny: async ({ raw, name }) => {
    await delay(15 * Math.random())
    const { rowCount } = await raw.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 order by random() limit 1',
      [name]
    )
    return rowCount ?? 0
  },
  countConnections: async ({ raw, name }) =>
    (await raw.query('select from pg_stat_activity where application_name = $1', [name])).rows.length,
  readRows: ({ raw }) => rowsBySql(async (sql) => (await raw.query(sql)).rows),
  run: ({ raw }, statement) => raw.query(statement),
  whileUsed: (_, database, work) =>
    whileLocked(
      database,
      `update session set expires = now() + '1h' where "sessionToken" = 'used'`,
      async (release) => {
        await work()
        await release()
      }
    ),
  fullDisk: {
    fill: `create function full_disk() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end $$;
      create trigger full_disk before insert on session for each row execute function full_disk()`,
    free: 'drop trigger full_disk on session'
  },
  // A connection may be gone before its last message is read.
  codes: { ended: /^(57P01|08006)$/, slow: /^57014$/, full: /^53100$/ },
  refusedEmail: 'secret\0'
})
