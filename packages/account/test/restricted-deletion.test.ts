import { sqliteAdapter } from '@postern/adapters/sqlite'
import { turnsOf } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t from 'tap'
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
import { deleteByLink } from './grace-period-application.ts'

const turns = turnsOf(strategies, t)

// The other dialects: `user-deletion.test.ts` of @postern/adapters.
for (const { value: strategy, test } of turns())
  test(`${strategy}: a deletion that a constraint refuses ends nothing`, async (t) => {
    const db = new Database(':memory:')
    const adapter = sqliteAdapter({ db })
    const application = await openAccountApplication(t, strategy, { adapter, accountPages: { hidden: [] } })
    const { auth, logged, newBrowser } = application
    const browser = await createUser(application)
    const id = (await findUser(application, ada))?.id ?? ''
    db.exec(
      'create table "posts" ("id" integer primary key, "author" text not null, constraint "posts_author_fk" foreign key ("author") references "user" ("id"))'
    )
    db.exec(`insert into "posts" values (1, '${id}')`)

    const refused = await deleteByLink(application, browser)
    t.equal(refused.status, 409)
    t.match(refused.body, /this site still has data that belongs to it/)
    await t.rejects(auth.deleteUser(id), { code: 'UserReferenced' })
    t.match(JSON.stringify(logged), /posts.*author/)
    t.equal(await getAddress(browser), ada, 'the session is there')
    t.ok(await canSignIn(newBrowser(), ada, first), 'and the password')

    db.exec('delete from "posts"')
    t.equal((await deleteByLink(application, browser)).status, 200)
    t.equal(await findUser(application, ada), null)
    t.equal(await getAddress(browser), null)
  })
