import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  accountPath,
  ada,
  addPasskey,
  base,
  change,
  comeBack,
  createUser,
  findUser,
  forget,
  openAccountApplication,
  origin,
  signIn,
  strategies
} from './account-application.ts'
import { proveEmail } from './email-application.ts'
import { decideDeletion, deletePath, getDeletionUrl } from './grace-period-application.ts'
import { second } from './password-application.ts'
import { answer, enroll } from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

/** The columns of every table that contain a text: `user.email`. */
function findColumns(file: string, text: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
    const found = tables.flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .flatMap((row) =>
          Object.entries(row).flatMap(([column, value]) => (String(value).includes(text) ? [`${name}.${column}`] : []))
        )
    )
    return [...new Set(found)].toSorted()
  } finally {
    database.close()
  }
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`${strategy}: after the deletion, no table contains the address, and only events and the version the id`, async (t) => {
    const file = join(t.testdir(), 'store.sqlite')
    const adapter = sqliteAdapter({ file })
    t.teardown(() => adapter.close?.())
    const application = await openAccountApplication(t, strategy, { adapter })
    const browser = await createUser(application)
    const id = (await findUser(application, ada))?.id ?? ''
    await comeBack(
      application,
      browser,
      await browser.fill(await browser.open(`${accountPath}/connections`), `${base}/signin/acme`)
    )
    t.match((await change(browser, { password: second })).location, /changed/)
    await addPasskey(browser, createAuthenticator({ origin }))
    await proveEmail(application, browser, 'grace@example.com')
    const { app } = await enroll(application, browser)
    await browser.submit(`${accountPath}/profile`, { name: 'Ada' })
    await forget(application.newBrowser(), ada)
    await application.newBrowser().submit(`${base}/signin/email`, { email: ada })
    await application.auth.oneTimeTokens.create('invitation', id, { expiresIn: 3600 })
    // It waits for the second factor.
    await signIn(application.newBrowser(), ada, second)

    const before = findColumns(file, id)
    for (const column of ['user.id', 'account.userId', 'postern_factor.userId', 'postern_ticket.userId'])
      t.ok(before.includes(column), `the test found the id in ${column}`)
    t.ok(findColumns(file, ada).includes('user.email'))
    t.ok(findColumns(file, 'email-waiting').includes('postern_ticket.kind'))

    const exported = await application.auth.exportUser(id)
    t.match(exported, { user: { email: ada, name: 'Ada' }, features: { passkey: [{}], password: {}, factors: {} } })
    t.notMatch(JSON.stringify(exported), /argon2|"secret"|"hash"/)

    await signIn(browser, ada, second)
    await answer(browser, { code: app.code() })
    await browser.fill(await browser.open(deletePath), deletePath, { confirmation: 'DELETE' })
    t.match(await decideDeletion(browser, getDeletionUrl(application), 'confirm'), { status: 200 })
    await application.auth.close()
    t.equal(await findUser(application, ada), null)
    t.same(findColumns(file, 'email-waiting'), [], 'the change of the address that waits')
    // Events outlive the user. The others end sessions and sign-ins that were under way, and expire.
    const kept = ['postern_event.userId', 'postern_revocation.subject', 'postern_user.userId']
    t.same(
      findColumns(file, id).filter((column) => !kept.includes(column)),
      []
    )
    t.same(findColumns(file, ada), ['verificationToken.identifier'], 'a link for sign-in was asked for by anyone')
  })
