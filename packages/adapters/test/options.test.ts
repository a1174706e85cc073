import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { redisRevocations, withRedisSessions } from '@postern/adapters/redis'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { ConfigError } from '@postern/core'
import Database from 'better-sqlite3'
import { drizzle as sqliteDrizzle } from 'drizzle-orm/better-sqlite3'
import { drizzle as mysqlDrizzle } from 'drizzle-orm/mysql2'
import { drizzle as postgresDrizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core'
import { Cluster, Redis } from 'ioredis'
import mysql from 'mysql2'
import pg from 'pg'
import t from 'tap'
import { testAdapter } from '../src/contract/index.ts'
import { memoryAdapter } from '../src/memory/index.ts'

/** The value in place of a password: no message may contain it. */
const secret = 'hunter2'

const open = {
  sqliteAdapter: (options?: unknown) => sqliteAdapter(options as never),
  postgresAdapter: (options?: unknown) => postgresAdapter(options as never),
  mysqlAdapter: (options?: unknown) => mysqlAdapter(options as never),
  redisRevocations: (options?: unknown) => redisRevocations(options as never),
  withRedisSessions: (options?: unknown) => withRedisSessions(memoryAdapter(), options as never)
}

const memory = new Database(':memory:')
// No one listens there.
const pool = new pg.Pool({ host: '127.0.0.1', port: 1 })
const mysqlPool = mysql.createPool({ host: '127.0.0.1', port: 1 })
const redis = new Redis({ lazyConnect: true })
const cluster = new Cluster([{ host: '127.0.0.1', port: 6379 }], { lazyConnect: true })
const lone = mysql.createConnection({ uri: 'mysql://127.0.0.1:1' }).on('error', () => undefined)
t.teardown(() => {
  memory.close()
  lone.destroy()
})

/** A client that is a function as well, such as those that take template literals. */
const callable = (client: object): unknown =>
  new Proxy(() => undefined, {
    has: (_, name) => name in client,
    get: (_, name) => {
      const value = Reflect.get(client, name)
      return typeof value === 'function' ? value.bind(client) : value
    }
  })

/** The function, its options, and the message for each invalid option. */
type Row = readonly [of: keyof typeof open, options: unknown, mistakes: Readonly<Record<string, RegExp>>]

const sqlite: readonly Row[] = [
  ['sqliteAdapter', undefined, { '': /expected an object, got nothing; write \{ file: 'app.db' }/ }],
  ['sqliteAdapter', {}, { '': /expected one of file, db, got nothing; write \{ file/ }],
  ['sqliteAdapter', `${secret}.db`, { '': /expected an object, got a string; write \{ file/ }],
  ['sqliteAdapter', memory, { '': /expected an object with file or db; write \{ db }/ }],
  ['sqliteAdapter', sqliteDrizzle({ client: memory }), { '': /write \{ db }/ }],
  ['sqliteAdapter', { filename: 'app.db' }, { filename: /unknown option; did you mean sqliteAdapter\.file\?/ }],
  ['sqliteAdapter', { fiel: 'app.db' }, { fiel: /did you mean sqliteAdapter\.file\?/ }],
  ['sqliteAdapter', { file: undefined }, { file: /got nothing; is the environment variable for .* set\?/ }],
  ['sqliteAdapter', { file: '' }, { file: /got an empty string/ }],
  ['sqliteAdapter', { file: new URL('file:///app.db') }, { file: /expected a string, got an object/ }],
  ['sqliteAdapter', { file: `postgres://me:${secret}@host/app` }, { file: /which is for postgresAdapter/ }],
  ['sqliteAdapter', { file: 'sqlite://app.db' }, { file: /write the path alone/ }],
  ['sqliteAdapter', { file: ':memory:', db: memory }, { '': /got file and db; pass only one/ }],
  [
    'sqliteAdapter',
    { db: 'app.db' },
    { db: /expected a better-sqlite3 database, .* got a string; write new Database/ }
  ],
  ['sqliteAdapter', { db: Database }, { db: /got a function/ }],
  ['sqliteAdapter', { db: null }, { db: /got null/ }],
  ['sqliteAdapter', { db: { prepare() {}, exec() {} } }, { db: /got an object without pragma, transaction/ }],
  ['sqliteAdapter', { db: postgresDrizzle.mock() }, { db: /got an object without prepare/ }]
]

const schema: readonly Row[] = [
  ['sqliteAdapter', { file: ':memory:', migrate: 'no' }, { migrate: /expected true or false, got a string/ }],
  ['sqliteAdapter', { file: ':memory:', migrations: false }, { migrations: /there are file, db, migrate, tables/ }],
  ['sqliteAdapter', { file: ':memory:', tables: ['people'] }, { tables: /expected an object, got a list of 1/ }],
  ['sqliteAdapter', { file: ':memory:', tables: null }, { tables: /expected an object, got null/ }],
  [
    'sqliteAdapter',
    { file: ':memory:', tables: { user: 'people', accounts: 5, sessions: '', verificationTokens: {} } },
    {
      'tables.user': /did you mean sqliteAdapter\.tables\.users\?/,
      'tables.accounts': /expected a string or an object, got a number/,
      'tables.sessions': /expected a name, got an empty string/,
      'tables.verificationTokens': /a table of drizzle-orm\/sqlite-core, got an object that is none/
    }
  ],
  [
    'sqliteAdapter',
    { file: ':memory:', tables: { users: pgTable('people', { id: text('id') }) } },
    { 'tables.users': /got a table of another database/ }
  ],
  [
    'sqliteAdapter',
    {
      file: ':memory:',
      tables: { sessions: sqliteTable('visits', { userId: sqliteText('u') }) },
      columns: { sessions: {} }
    },
    {
      'columns.sessions': /expected none, since sqliteAdapter\.tables\.sessions names its own columns/,
      'tables.sessions': /expected visits to have the field (sessionToken|expires) with values of type/
    }
  ],
  ['mysqlAdapter', { url: 'mysql://h/app', tables: { users: 'session' } }, { tables: /one name for users, sessions/ }],
  [
    'postgresAdapter',
    {
      url: 'postgres://h/app',
      column: {},
      columns: { user: {}, users: { mail: 'address' }, accounts: { scope: '' }, sessions: { userId: 'expires' } }
    },
    {
      column: /did you mean postgresAdapter\.columns\?/,
      'columns.user': /did you mean postgresAdapter\.columns\.users\?/,
      'columns.users.mail': /did you mean postgresAdapter\.columns\.users\.email\?/,
      'columns.accounts.scope': /expected a name, got an empty string/,
      'columns.sessions': /a separate name for each column, got one name for userId, expires|expires, userId/
    }
  ]
]

const servers: readonly Row[] = [
  ['postgresAdapter', {}, { '': /expected one of url, pool, db, got nothing; write \{ url: 'postgres:\/\/…' }/ }],
  ['postgresAdapter', `postgres://me:${secret}@host/app`, { '': /expected an object, got a string; write \{ url/ }],
  ['postgresAdapter', { connectionString: `postgres://me:${secret}@h` }, { connectionString: /\.url\?/ }],
  ['postgresAdapter', { database_url: undefined }, { database_url: /did you mean postgresAdapter\.url\?/ }],
  ['postgresAdapter', { url: undefined }, { url: /is the environment variable for url set\?/ }],
  ['postgresAdapter', { url: '' }, { url: /got an empty string; is its environment variable/ }],
  [
    'postgresAdapter',
    { url: `mysql://me:${secret}@host/app` },
    { url: /begins with mysql:, which is for mysqlAdapter/ }
  ],
  ['postgresAdapter', { url: 'https://host/app' }, { url: /got one that begins with https:/ }],
  [
    'postgresAdapter',
    { url: `${secret}:5432/app` },
    { url: /expected an address like postgres:.*got a string that is not a URL/ }
  ],
  ['postgresAdapter', { url: `postgres://me:${secret}#5@host/app` }, { url: /cannot be parsed; write %23 for a #/ }],
  [
    'postgresAdapter',
    { url: 'postgres://h/app', max: 0, statementTimeout: '5000' },
    { max: /1 or more, got 0/, statementTimeout: /write it without quotes/ }
  ],
  [
    'postgresAdapter',
    { host: 'host', port: 5432, user: 'me', password: secret, database: 'app' },
    {
      host: /part of url/,
      port: /part of url/,
      user: /part of url/,
      password: /part of url/,
      database: /part of url/,
      '': /got nothing/
    }
  ],
  ['postgresAdapter', pool, { '': /write \{ pool }/ }],
  ['postgresAdapter', postgresDrizzle.mock(), { '': /write \{ db }/ }],
  ['postgresAdapter', { pool, max: 5, statementTimeout: 0 }, { max: /only with url/, statementTimeout: /only with/ }],
  [
    'postgresAdapter',
    { pool: { host: 'host' } },
    { pool: /a pool of node-postgres, got an object without connect, q/ }
  ],
  ['postgresAdapter', { pool: pg.Pool }, { pool: /expected a pool of node-postgres, got a function; write new Pool/ }],
  ['postgresAdapter', { pool: Promise.resolve(pool) }, { pool: /got a promise; await it$/ }],
  ['postgresAdapter', { pool: new pg.Client() }, { pool: /got a single connection; write new Pool\(\)/ }],
  ['postgresAdapter', { pool: mysqlPool }, { pool: /got an object without connect/ }],
  ['postgresAdapter', { db: pool }, { db: /a pool itself goes in as pool/ }],
  ['postgresAdapter', { db: mysqlDrizzle.mock() }, { db: /over PostgreSQL, got one over another/ }],
  ['postgresAdapter', { url: 'postgres://h/app', pool }, { '': /got url and pool/ }],
  ['mysqlAdapter', {}, { '': /expected one of url, pool, db, got nothing; write \{ url: 'mysql:\/\/…' }/ }],
  ['mysqlAdapter', { uri: 'mysql://h/app', connectionLimit: 5 }, { uri: /\.url\?/, connectionLimit: /\.max\?/ }],
  [
    'mysqlAdapter',
    { url: `postgres://me:${secret}@h` },
    { url: /begins with postgres:, which is for postgresAdapter/ }
  ],
  ['mysqlAdapter', { url: `jdbc:mysql://h/app?password=${secret}` }, { url: /begins with jdbc:/ }],
  ['mysqlAdapter', { url: 'localhost/app' }, { url: /got a string that is not a URL/ }],
  ['mysqlAdapter', mysqlPool, { '': /write \{ pool }/ }],
  ['mysqlAdapter', mysqlDrizzle({ client: mysqlPool }), { '': /write \{ db }/ }],
  [
    'mysqlAdapter',
    { pool: { host: 'host' } },
    { pool: /a pool of mysql2.* without getConnection, on; write createPool/ }
  ],
  [
    'mysqlAdapter',
    { db: mysqlPool },
    { db: /expected drizzle over a pool of mysql2, got the pool itself; pass it as p/ }
  ],
  ['mysqlAdapter', { db: mysqlPool.promise() }, { db: /got the pool itself; pass it as pool$/ }],
  ['mysqlAdapter', { pool: lone }, { pool: /without getConnection/ }],
  ['mysqlAdapter', { db: postgresDrizzle({ client: pool }) }, { db: /or drizzle over one, got an object without get/ }]
]

const stores: readonly Row[] = [
  ['withRedisSessions', undefined, { '': /expected an object, got nothing; write \{ client: new Redis\(\) }/ }],
  ['withRedisSessions', {}, { client: /expected a client of ioredis, got nothing; write new Redis\(\)/ }],
  ['withRedisSessions', redis, { '': /expected an object with client; write \{ client }/ }],
  ['withRedisSessions', memoryAdapter(), { '': /expected the adapter first/ }],
  [
    'withRedisSessions',
    { client: `redis://:${secret}@host` },
    { client: /got a string; write new Redis\(url\) of ioredis/ }
  ],
  ['withRedisSessions', { url: `redis://:${secret}@host` }, { url: /write client: new Redis\(…\) of ioredis/ }],
  ['withRedisSessions', { redis }, { redis: /did you mean withRedisSessions\.client\?/ }],
  ['withRedisSessions', { client: redis, keyprefix: 'a' }, { keyprefix: /did you mean withRedisSessions\.prefix\?/ }],
  ['withRedisSessions', { client: { get() {}, sendCommand() {} } }, { client: /got an object without call/ }],
  ['redisRevocations', `redis://:${secret}@host`, { '': /expected an object, got a string/ }],
  ['redisRevocations', {}, { client: /got nothing/ }],
  ['redisRevocations', { client: Redis }, { client: /got a function/ }],
  ['redisRevocations', { client: redis, prefix: 5 }, { prefix: /expected a string, got a number/ }]
]

for (const [of, options, mistakes] of [...sqlite, ...schema, ...servers, ...stores]) {
  t.test(`${of}: ${Object.values(mistakes).map(String).join(' ')}`, async (t) => {
    try {
      open[of](options)
      t.fail('accepted')
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const messages = new Map(error.problems.map(({ option, message }) => [option, message]))
      const expected = Object.entries(mistakes).map(
        ([name, message]) => [name ? `${of}.${name}` : of, message] as const
      )
      t.strictSame([...messages.keys()].sort(), expected.map(([option]) => option).sort())
      for (const [option, message] of expected) t.match(messages.get(option), message)
      t.notMatch(error.message, secret)
    }
  })
}

t.test('what withRedisSessions goes around is an adapter that knows its users', async (t) => {
  const refused = (adapter: unknown, message: RegExp) =>
    t.throws(() => withRedisSessions(adapter as never, { client: redis }), { name: 'ConfigError', message })
  refused(
    { client: redis },
    /withRedisSessions\(adapter\): expected an adapter, got an object without getUser, deleteUser/
  )
  refused(undefined, /expected an adapter, got nothing; write withRedisSessions\(adapter, \{ client }\)/)
  refused(Promise.resolve(memoryAdapter()), /got a promise; await it/)
  refused(memoryAdapter, /got a function/)
})

t.test('the contract reports invalid arguments', async (t) => {
  const run = testAdapter(t, memoryAdapter() as never, { caller: 4, nul: 'lost' } as never)
  const error: unknown = await run.catch((error) => error)
  if (!(error instanceof ConfigError)) throw error
  t.match(error.problems, [
    { option: 'testAdapter(open)', message: /expected a function that opens an adapter, got an object; write \(\) =>/ },
    { option: 'testAdapter.caller', message: /did you mean testAdapter\.callers\?/ },
    { option: 'testAdapter.nul', message: /expected "kept" or "refused", got another string/ }
  ])
})

t.test('what fits is taken', async (t) => {
  const url = 'postgres://127.0.0.1:1/app'
  const rows: readonly (readonly [of: keyof typeof open, options: unknown])[] = [
    ['sqliteAdapter', { file: ':memory:', db: undefined, migrate: undefined, tables: {}, columns: {} }],
    [
      'sqliteAdapter',
      { file: ':memory:', tables: { users: 'people' }, columns: { users: { name: 'email', email: 'name' } } }
    ],
    ['sqliteAdapter', { file: undefined, db: memory }],
    ['sqliteAdapter', { db: sqliteDrizzle({ client: memory }) }],
    ['postgresAdapter', { url, max: 1, statementTimeout: 0 }],
    ['postgresAdapter', { url: 'postgresql://me:p%23@127.0.0.1:1/app?sslmode=disable' }],
    ['postgresAdapter', { url: 'postgres://me@/app?host=/nowhere' }],
    ['postgresAdapter', { url: 'postgres://%2Fnowhere/app' }],
    ['postgresAdapter', { url: '/nowhere app' }],
    ['postgresAdapter', { url: 'socket:/nowhere?db=app' }],
    ['postgresAdapter', { url: undefined, pool }],
    ['postgresAdapter', { pool: callable(pool) }],
    ['postgresAdapter', { db: postgresDrizzle({ client: pool }) }],
    ['mysqlAdapter', { url: 'mariadb://127.0.0.1:1/app' }],
    ['mysqlAdapter', { pool: mysqlPool }],
    ['mysqlAdapter', { url: undefined, pool: mysqlPool.promise() }],
    ['mysqlAdapter', { db: mysqlDrizzle({ client: mysqlPool }) }],
    ['withRedisSessions', { client: redis }],
    ['redisRevocations', { client: cluster, prefix: 'app:' }],
    ['redisRevocations', { client: { call: async () => null } }]
  ]
  for (const [of, options] of rows) t.doesNotThrow(() => open[of](options), of)
})
