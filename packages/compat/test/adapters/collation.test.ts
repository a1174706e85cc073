import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { KyselyAdapter } from '@auth/kysely-adapter'
import type { PosternOptions } from '@postern/core'
import { createIssuer } from '@postern/testkit'
import { drizzle } from 'drizzle-orm/mysql2'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import t, { type Test } from 'tap'
import { origin, startPostern } from '../postern.ts'

const server = 'mysql://root@127.0.0.1:3306'

/** Why the tests are skipped; `false` if the server is there, or if nothing may be skipped. */
const skip = await new Promise<string | false>((resolve) => {
  const socket = connect({ host: '127.0.0.1', port: 3306 })
  const missing = process.env['POSTERN_REQUIRE_ALL'] ? false : 'no MariaDB at 127.0.0.1:3306'
  socket.once('error', () => resolve(missing))
  socket.once('connect', () => resolve(socket.destroy() && false))
})

/** The tables of the adapters' documentation; `key` is the collation of account ids. */
const tables = (key: string, [user, account, session, token]: readonly string[]): readonly string[] => [
  `create table ${user} (id varchar(191) primary key, name varchar(191), email varchar(191) unique,
    emailVerified timestamp(3) null, image varchar(191))`,
  `create table ${account} (userId varchar(191) not null references ${user} (id), type varchar(191) not null,
    provider varchar(100) not null, providerAccountId varchar(191) collate ${key} not null, refresh_token text,
    access_token text, expires_at int, token_type varchar(191), scope varchar(191), id_token text,
    session_state varchar(191), primary key (provider, providerAccountId))`,
  `create table ${session} (sessionToken varchar(191) primary key, userId varchar(191) not null references ${user} (id),
    expires timestamp(3) not null)`,
  `create table ${token} (identifier varchar(191) not null, token varchar(191) not null,
    expires timestamp(3) not null, primary key (identifier, token))`
]

/** A database of MariaDB whose texts have no case, no accents and no spaces at the end. */
async function openDatabase(t: Test, key: string, names = ['user', 'account', 'session', 'verificationToken']) {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const root = createPool({ uri: server, connectionLimit: 1 })
  await root.promise().query(`create database ${name} character set utf8mb4 collate utf8mb4_unicode_ci`)
  const pool = createPool({ uri: `${server}/${name}`, connectionLimit: 4 })
  t.teardown(async () => {
    await pool.promise().end()
    await root.promise().query(`drop database ${name}`)
    await root.promise().end()
  })
  for (const table of tables(key, names)) await pool.promise().query(table)
  return pool
}

/** Signs in at the issuer, and by a form whose ids are what was typed. */
async function startApplication(t: Test, adapter: NonNullable<PosternOptions['adapter']>) {
  const issuer = createIssuer()
  const started = await startPostern(t, {
    adapter,
    session: { strategy: 'database' },
    providers: [
      {
        id: 'demo',
        name: 'Demo',
        type: 'oidc',
        issuer: issuer.issuer,
        clientId: issuer.clientId,
        clientSecret: issuer.clientSecret ?? undefined
      },
      {
        id: 'people',
        name: 'People',
        type: 'credentials',
        credentials: { id: { type: 'text' } },
        authorize: ({ id = '' }: Record<string, string>) => ({ id, name: 'Eve' })
      }
    ],
    runtime: { fetch: (url, init) => issuer.fetch(url, init) }
  })
  const signIn = async (sub: string, name: string) => {
    const browser = started.browser()
    const response = await browser.submit('/api/auth/signin/demo', {})
    const callback = await issuer.authorize(response.location ?? '', { sub, name })
    const reply = await browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
    return { reply: reply, session: await browser.json<{ user?: { name?: string } }>('/api/auth/session') }
  }
  return { ...started, signIn }
}

const rows = async (pool: Awaited<ReturnType<typeof openDatabase>>, table: string) => {
  const [found] = await pool.promise().query(`select * from ${table}`)
  return Array.isArray(found) ? found : []
}

t.test('@auth/drizzle-adapter on MariaDB: accounts and users with similar ids stay separate', { skip }, async (t) => {
  const pool = await openDatabase(t, 'utf8mb4_unicode_ci')
  const adapter = DrizzleAdapter(drizzle({ client: pool.promise() }))
  const { signIn, browser, log } = await startApplication(t, adapter)
  for (const _ of ['first', 'second']) {
    const { reply: response, session } = await signIn('admin', 'Admin')
    t.equal(response.location, origin)
    t.match(session, { user: { name: 'Admin' } })
  }
  const id = String(Object((await rows(pool, 'user'))[0]).id)
  for (const twin of ['ADMIN', 'admin ', 'ADMIN ']) {
    const { reply: response, session } = await signIn(twin, 'Eve')
    t.not(response.location, origin, `the table's own key has no room for ${JSON.stringify(twin)}`)
    t.same(session, {})
  }
  t.ok(log.some(({ code }) => code === 'ADAPTER_INEXACT_MATCH'))
  const own = browser()
  await own.submit('/api/auth/callback/people', { id })
  t.match(await own.json('/api/auth/session'), { user: { name: 'Admin' } }, 'the id of the user, as it is')
  for (const twin of [`${id} `, id.toUpperCase()]) {
    const other = browser()
    await other.submit('/api/auth/callback/people', { id: twin })
    t.notMatch(await other.json('/api/auth/session'), { user: { name: 'Admin' } }, JSON.stringify(twin))
  }
  t.match((await signIn('admin', 'Admin')).session, { user: { name: 'Admin' } }, 'the owner still signs in')
})

t.test('@auth/drizzle-adapter on MariaDB: an exact column has room for both', { skip }, async (t) => {
  const pool = await openDatabase(t, 'utf8mb4_nopad_bin')
  const adapter = DrizzleAdapter(drizzle({ client: pool.promise() }))
  const { signIn, log } = await startApplication(t, adapter)
  for (const sub of ['admin', 'ADMIN', 'admin ', 'admin', 'ADMIN']) {
    t.match((await signIn(sub, `the name of ${sub}.`)).session, { user: { name: `the name of ${sub}.` } })
  }
  t.equal((await rows(pool, 'user')).length, 3)
  t.notOk(log.some(({ level, code }) => level === 'error' || code === 'ADAPTER_INEXACT_MATCH'))
})

t.test('@auth/kysely-adapter on MariaDB: accounts cannot be compared, which startup logs', { skip }, async (t) => {
  const names = ['User', 'Account', 'Session', 'VerificationToken']
  for (const [collation, users] of [
    ['utf8mb4_unicode_ci', 1],
    ['utf8mb4_nopad_bin', 2]
  ] as const) {
    const pool = await openDatabase(t, collation, names)
    const db: Kysely<never> = new Kysely({ dialect: new MysqlDialect({ pool }) })
    // The types of Auth.js are of tables that it names itself.
    const { signIn, log } = await startApplication(t, KyselyAdapter(Object(db)))
    const warnings = log.filter(
      ({ code, metadata }) => code === 'CONFIGURATION' && /binary collation/.test(String(metadata))
    )
    t.equal(warnings.length, 1)
    t.match((await signIn('admin', 'Admin')).session, { user: { name: 'Admin' } })
    const { reply: response, session } = await signIn('admin ', 'Eve')
    t.equal(response.status, 503, 'a form that only serves to be taken for another id')
    t.same(session, {})
    await signIn('ADMIN', 'Eve')
    t.equal((await rows(pool, 'User')).length, users, collation)
  }
})
