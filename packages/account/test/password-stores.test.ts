import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import mysql from 'mysql2/promise'
import pg from 'pg'
import t, { type Test } from 'tap'
import {
  ada,
  base,
  canSignIn,
  change,
  findUser,
  first,
  forget,
  getAddress,
  openApplication,
  openLink,
  second,
  signInByMail,
  signUp,
  strategies
} from './password-application.ts'

const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL'])

/** Why the tests of a server are skipped; `false` if it responds, or if nothing may be skipped. */
async function withoutServer(name: string, port: number): Promise<string | false> {
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
  return isThere || isRequired ? false : `no ${name} at 127.0.0.1:${port}`
}

/** Closes the connections before the database is dropped. */
function closing(t: Test, adapter: Adapter): Adapter {
  t.teardown(() => adapter.close?.())
  return adapter
}

/** A schema that is dropped after the test. */
async function openPostgres(t: Test): Promise<Adapter> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const options = `-c search_path=${name}`
  const server = 'postgres://root@127.0.0.1:5432/test'
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create schema ${name}`)
  t.teardown(async () => {
    await client.query(`drop schema ${name} cascade`)
    await client.end()
  })
  return closing(t, postgresAdapter({ url: `${server}?options=${encodeURIComponent(options)}` }))
}

/** A database that is dropped after the test. */
async function openMysql(t: Test): Promise<Adapter> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const server = 'mysql://root@127.0.0.1:3306'
  const root = await mysql.createConnection(server)
  await root.query(`create database ${name}`)
  t.teardown(async () => {
    await root.query(`drop database ${name}`)
    await root.end()
  })
  return closing(t, mysqlAdapter({ url: `${server}/${name}` }))
}

/** An adapter that makes one write after another. */
function withoutTransactions(): Adapter {
  const { transact: _, createUserWithAccount: _together, ...adapter } = memoryAdapter()
  return adapter
}

const stores: readonly (readonly [name: string, skip: string | false, open: (t: Test) => Promise<Adapter>])[] = [
  ['memory', false, async () => memoryAdapter()],
  ['without transactions', false, async () => withoutTransactions()],
  ['SQLite', false, async () => sqliteAdapter({ file: ':memory:' })],
  ['PostgreSQL', await withoutServer('PostgreSQL', 5432), openPostgres],
  ['MariaDB', await withoutServer('MariaDB', 3306), openMysql]
]

const getToken = (url: string): string => new URL(url).searchParams.get('token') ?? ''

/** In `npm test` a test has one strategy on a store, and the other one on the next; in the long run each has both. */
const turns = turnsOf(strategies, t)

for (const [name, skip, open] of stores)
  for (const { value: strategy, test } of turns()) {
    test(`${name}, ${strategy}: sign up, reset, change, delete`, { skip }, async (t) => {
      const app = await openApplication(t, strategy, { adapter: await open(t) })
      const browser = app.newBrowser()
      await signUp(browser, ada, first)
      t.equal(await findUser(app, ada), null)
      await openLink(browser, app.mailbox.last())
      t.equal(await getAddress(browser), ada)
      const id = (await findUser(app, ada))?.id ?? ''
      const [factor] = (await app.adapter.listFactors?.(id)) ?? []
      t.match(factor, { type: 'password', id, userId: id })
      t.notMatch(factor?.data, 'argon2id', 'the hash is encrypted')
      const thief = app.newBrowser()
      t.ok(await canSignIn(thief, ada, first))
      await change(browser, { password: second })
      t.same([await getAddress(browser), await getAddress(thief)], [ada, null])
      t.notOk(await canSignIn(thief, ada, first))
      await forget(thief, ada)
      await openLink(thief, app.mailbox.last(), { password: first })
      t.equal(await getAddress(browser), null)
      t.ok(await canSignIn(browser, ada, first))
      await app.auth.deleteUser(id)
      t.same(await app.adapter.listFactors?.(id), [])
      t.notOk(await canSignIn(browser, ada, first))
    })

    test(`${name}, ${strategy}: links are used exactly once`, { skip }, async (t) => {
      const app = await openApplication(t, strategy, { adapter: await open(t) })
      const race = async <T>(act: (index: number) => Promise<T>): Promise<readonly T[]> =>
        Promise.all(Array.from({ length: 20 }, (_, index) => act(index)))
      const browser = app.newBrowser()
      await signUp(browser, ada, first)
      const token = getToken(app.mailbox.last().url)
      const csrf = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
      const confirmed = await race(() => browser.submit(`${base}/callback/password-sign-up`, { token, ...csrf }))
      const sessions = confirmed.filter(({ setCookies }) =>
        setCookies.some((cookie) => cookie.name.includes('session-token') && cookie.value !== '')
      )
      t.equal(sessions.length, 1)
      t.ok(await canSignIn(app.newBrowser(), ada, first))

      // The first password of a user has no version that could stop the second writer.
      const other = app.newBrowser()
      await signInByMail(other, 'grace@example.com', app.mailbox)
      await forget(other, 'grace@example.com')
      const reset = getToken(app.mailbox.last().url)
      const browsers = await race(async () => app.newBrowser())
      const chosen = (index: number): string => `the sentence of the browser ${index}`
      const changed = await race(async (index) =>
        browsers[index]?.submit(`${base}/password/reset`, { token: reset, password: chosen(index) })
      )
      const winners = changed.flatMap((response, index) => (/changed/.test(response?.location ?? '') ? [index] : []))
      t.equal(winners.length, 1)
      t.ok(await canSignIn(app.newBrowser(), 'grace@example.com', chosen(winners[0] ?? 0)))
      t.equal((await app.adapter.listEvents?.({ type: 'password-reset', limit: 10 }))?.length, 1)
    })
  }
