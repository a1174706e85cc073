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
  addPasskey,
  base,
  canSignIn,
  comeBack,
  createUser,
  findUser,
  first,
  getAddress,
  openAccountApplication,
  origin,
  signInByMail,
  strategies
} from './account-application.ts'
import { withMysql, withoutServer, withPostgres } from './databases.ts'
import { deleteByLink } from './grace-period-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

const stores: readonly (readonly [name: string, skip: string | false, open: (t: Test) => Promise<Adapter>])[] = [
  [
    'SQLite',
    false,
    async () => {
      const db = new Database(':memory:')
      db.exec(
        'create table members (id integer primary key, name text, email text unique, emailVerified integer, image text)'
      )
      return sqliteAdapter({ db, tables: { users: 'members' } })
    }
  ],
  [
    'PostgreSQL',
    await withoutServer('PostgreSQL', 5432),
    async (t) => {
      const pool = new pg.Pool({ connectionString: await withPostgres(t, true), max: 4 })
      t.teardown(() => pool.end())
      await pool.query(
        'create table members (id integer primary key generated always as identity, name text, email text unique, "emailVerified" timestamp, image text)'
      )
      return postgresAdapter({ pool, tables: { users: 'members' } })
    }
  ],
  [
    'MariaDB',
    await withoutServer('MariaDB', 3306),
    async (t) => {
      const pool = mysql.createPool({ uri: await withMysql(t, true), connectionLimit: 4 })
      t.teardown(() => pool.end())
      await pool.query(
        'create table members (id int primary key auto_increment, name text, email varchar(255) unique, emailVerified datetime(3), image text)'
      )
      return mysqlAdapter({ pool, tables: { users: 'members' } })
    }
  ]
]

const turns = turnsOf(strategies, t)

for (const [name, skip, open] of stores)
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: users with integer ids sign up, sign in and leave`, { skip }, async (t) => {
      const application = await openAccountApplication(t, strategy, { adapter: await open(t) })
      const { newBrowser, mailbox, logged } = application
      const browser = await createUser(application)
      const user = await findUser(application, ada)
      t.match(user?.id, /^\d+$/)
      t.ok(await canSignIn(newBrowser(), ada, first), 'with a password')
      await addPasskey(browser, createAuthenticator({ origin }))

      const mailed = newBrowser()
      await signInByMail(mailed, 'bob@example.com', mailbox)
      t.equal(await getAddress(mailed), 'bob@example.com', 'a new user by mail')

      const atProvider = newBrowser()
      const person = { sub: 'carl', name: 'Carl', email: 'carl@example.com', email_verified: true }
      await comeBack(application, atProvider, await atProvider.submit(`${base}/signin/acme`, {}), person)
      t.equal(await getAddress(atProvider), 'carl@example.com', 'a new user of a provider')
      const again = newBrowser()
      await comeBack(application, again, await again.submit(`${base}/signin/acme`, {}), person)
      t.equal(await getAddress(again), 'carl@example.com', 'the same again')
      const ids = await Promise.all(
        [ada, 'bob@example.com', 'carl@example.com'].map(async (address) => (await findUser(application, address))?.id)
      )
      t.equal(new Set(ids).size, 3)

      t.equal((await deleteByLink(application, browser)).status, 200)
      t.equal(await getAddress(browser), null)
      t.equal(await findUser(application, ada), null)
      t.same(
        logged.filter(([code]) => code.startsWith('adapter_error')),
        []
      )
    })
