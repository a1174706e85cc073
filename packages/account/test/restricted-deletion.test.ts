import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import mysql from 'mysql2/promise'
import pg from 'pg'
import t, { type Test } from 'tap'
import {
  ada,
  canSignIn,
  createUser,
  findUser,
  first,
  getAddress,
  openAccountApplication,
  strategies
} from './account-application.ts'
import { withMysql, withoutServer, withPostgres } from './databases.ts'
import { deleteByLink } from './grace-period-application.ts'

interface Opened {
  readonly adapter: Adapter
  readonly run: (sql: string) => Promise<unknown>
}

const stores: readonly (readonly [name: string, skip: string | false, open: (t: Test) => Promise<Opened>])[] = [
  [
    'SQLite',
    false,
    async () => {
      const db = new Database(':memory:')
      return { adapter: sqliteAdapter({ db }), run: async (sql) => db.exec(sql) }
    }
  ],
  [
    'PostgreSQL',
    await withoutServer('PostgreSQL', 5432),
    async (t) => {
      const pool = new pg.Pool({ connectionString: await withPostgres(t, true), max: 4 })
      t.teardown(async () => {
        await pool.query('drop table "posts"')
        await pool.end()
      })
      return { adapter: postgresAdapter({ pool }), run: (sql) => pool.query(sql) }
    }
  ],
  [
    'MariaDB',
    await withoutServer('MariaDB', 3306),
    async (t) => {
      const pool = mysql.createPool({ uri: await withMysql(t, true), connectionLimit: 4 })
      t.teardown(async () => {
        await pool.query('drop table posts')
        await pool.end()
      })
      const key = 'varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin'
      return {
        adapter: mysqlAdapter({ pool }),
        run: (sql) => pool.query(sql.replaceAll('"', '`').replace('text not', `${key} not`))
      }
    }
  ]
]

const turns = turnsOf(strategies, t)

for (const [name, skip, open] of stores)
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: a deletion that a constraint refuses ends nothing`, { skip }, async (t) => {
      const { adapter, run } = await open(t)
      const application = await openAccountApplication(t, strategy, { adapter, accountPages: { hidden: [] } })
      const { auth, logged, newBrowser } = application
      const browser = await createUser(application)
      const id = (await findUser(application, ada))?.id ?? ''
      await run(
        'create table "posts" ("id" integer primary key, "author" text not null, constraint "posts_author_fk" foreign key ("author") references "user" ("id"))'
      )
      await run(`insert into "posts" values (1, '${id}')`)

      const refused = await deleteByLink(application, browser)
      t.equal(refused.status, 409)
      t.match(refused.body, /this site still has data that belongs to it/)
      await t.rejects(auth.deleteUser(id), { code: 'UserReferenced' })
      t.match(JSON.stringify(logged), name === 'SQLite' ? /posts.*author/ : /posts_author_fk/)
      t.equal(await getAddress(browser), ada, 'the session is there')
      t.ok(await canSignIn(newBrowser(), ada, first), 'and the password')

      await run('delete from "posts"')
      t.equal((await deleteByLink(application, browser)).status, 200)
      t.equal(await findUser(application, ada), null)
      t.equal(await getAddress(browser), null)
    })
