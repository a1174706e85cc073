import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t from 'tap'
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
import { deleteByLink } from './grace-period-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

/** The other dialects: `user-ids.test.ts` of @postern/adapters. */
function openStore(): Adapter {
  const db = new Database(':memory:')
  db.exec(
    'create table members (id integer primary key, name text, email text unique, emailVerified integer, image text)'
  )
  return sqliteAdapter({ db, tables: { users: 'members' } })
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`${strategy}: users with integer ids sign up, sign in and leave`, async (t) => {
    const application = await openAccountApplication(t, strategy, { adapter: openStore() })
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
