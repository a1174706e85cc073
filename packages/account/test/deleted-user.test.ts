// The table "What stays of a deleted user" of docs/users.md, for every column of every table.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { type AccountApplication, accountPath, addPasskey, comeBack } from './account-application.ts'
import { openAuditApplication } from './audit-log-application.ts'
import { proveEmail } from './email-application.ts'
import { ada, base, createUser, findUser, first, forget, signIn, strategies } from './password-application.ts'
import { enroll } from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

type Row = Readonly<Record<string, unknown>>

/** A database whose tables can be read without the adapter; those of the other dialects have the same columns. */
interface Opened {
  readonly adapter: Adapter
  readonly query: (statement: string) => readonly Row[]
}

function open(t: Test): Opened {
  const file = join(t.testdir(), 'store.sqlite')
  const [adapter, database] = [sqliteAdapter({ file }), new Database(file)]
  t.teardown(async () => {
    database.close()
    await adapter.close?.()
  })
  return { adapter, query: (statement) => database.prepare<[], Row>(statement).all() }
}

/** What stays of the values of each column, by table and column. */
function readPage(): ReadonlyMap<string, string> {
  const page = readFileSync(new URL('../../../../docs/users.md', import.meta.url), 'utf8')
  const [, section = ''] = /\n## What stays of a deleted user\n(.*?)(?:\n## |$)/s.exec(page) ?? []
  const rows = Array.from(section.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \|/gm))
  return new Map(
    rows.flatMap(([, table = '', columns = '', stays = '']) =>
      Array.from(columns.matchAll(/`(\w+)`/g), ([, column = '']) => [`${table}.${column}`, stays] as const)
    )
  )
}

const browserName = 'Firefox/1.0 of Ada'
const address = '192.0.2.77'
const headers = { 'user-agent': browserName }

/** Everything that the application stores about Ada. */
async function fill(app: AccountApplication): Promise<void> {
  const { newBrowser, auth } = app
  const browser = await createUser(app)
  await browser.submit(`${accountPath}/profile`, { name: 'Ada Lovelace' }, { headers })
  const path = `${accountPath}/connections`
  const started = await browser.fill(await browser.open(path), `${base}/signin/acme`)
  await comeBack(app, browser, started, { sub: 'acme-ada', name: 'Ada Lovelace', email: ada, email_verified: true })
  await addPasskey(browser, createAuthenticator({ origin: 'https://app.test' }))
  await proveEmail(app, browser, 'lovelace@example.com')
  await enroll(app, browser)
  await signIn(newBrowser(), ada, first, headers)
  await signIn(newBrowser(), ada, 'a wrong password', headers)
  await forget(newBrowser(), ada)
  await newBrowser().submit(`${base}/signin/email`, { email: ada }, { headers })
  await auth.features['audit-log'].flush()
}

/** Every stored value, by table and column. */
function readValues({ query }: Opened): ReadonlyMap<string, readonly string[]> {
  const listed = query(
    `select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`
  )
  return new Map(
    listed.map(({ table, column }) => {
      const found = query(`select "${column}" as v from "${table}"`).flatMap(({ v }) => (v === null ? [] : [String(v)]))
      return [`${table}.${column}`, found]
    })
  )
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`${strategy}: the page says what stays of a deleted user`, async (t) => {
    const opened = open(t)
    const app = await openAuditApplication(t, strategy, { adapter: opened.adapter })
    await fill(app)
    const id = (await findUser(app, ada))?.id ?? ''
    // Requests of this test have no address.
    const [event] = (await app.adapter.listEvents?.({ userId: id, limit: 1 })) ?? []
    if (event) await app.adapter.addEvents?.([{ ...event, id: 'with-address', ip: address }])
    const before = readValues(opened)
    const isAbout = (value: string): boolean =>
      [id, 'Lovelace', ada, 'acme-ada', browserName, address].some((text) => value.includes(text))
    const page = readPage()
    t.same([...page.keys()].sort(), [...before.keys()].sort(), 'every column of every table is on the page')
    for (const column of [
      'user.email',
      'account.userId',
      'postern_factor.userId',
      'postern_ticket.userId',
      'postern_event.ip',
      'postern_event.userAgent'
    ])
      t.ok(before.get(column)?.some(isAbout), `${column} had something about the user`)

    // A refusal that waits in memory is stored before the deletion.
    await signIn(app.newBrowser(), ada, 'a wrong password', headers)
    await app.auth.deleteUser(id)
    await app.auth.features['audit-log'].flush()
    const after = readValues(opened)
    for (const [column, values] of after) {
      const left = values.filter(isAbout)
      if (page.get(column)?.startsWith('Nothing')) t.same(left, [], `nothing stays in ${column}`)
      else
        for (const value of left)
          t.ok(
            value.includes(id) || column === 'verificationToken.identifier',
            `${column} has no more than the id: ${value}`
          )
    }
    t.same(after.get('postern_event.userAgent'), [])
    const types = after.get('postern_event.type') ?? []
    for (const type of ['delete', 'profile-changed', 'sign-in-refused']) t.ok(types.includes(type), type)
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: a deletion that fails in the store takes no factor from the user`, async (t) => {
    const opened = open(t)
    const transact: typeof opened.adapter.transact = async (calls) => {
      if (calls.some(({ method }) => method === 'deleteUser')) throw new Error('the connection is lost')
      return (await opened.adapter.transact?.(calls)) ?? false
    }
    const app = await openAuditApplication(t, strategy, { adapter: { ...opened.adapter, transact } })
    const browser = await createUser(app)
    await addPasskey(browser, createAuthenticator({ origin: 'https://app.test' }))
    const id = (await findUser(app, ada))?.id ?? ''
    await proveEmail(app, browser, 'lovelace@example.com')
    await enroll(app, browser)
    const listFactors = (): readonly Row[] => opened.query('select type, id from postern_factor order by type, id')
    const before = listFactors()
    const types = new Set(before.map(({ type }) => type))
    t.equal(types.size, 4, 'a password, a passkey, an app and recovery codes')
    await t.rejects(app.auth.deleteUser(id))
    t.same(listFactors(), before, 'they go with the user, in one transaction of the store')
  })
