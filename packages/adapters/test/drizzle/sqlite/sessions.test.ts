import { randomUUID } from 'node:crypto'
import type { Adapter, SessionRecord } from '@postern/core'
import Database from 'better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import t, { type Test } from 'tap'
import { DuplicateError, sqliteAdapter } from '../../../src/drizzle/sqlite/index.ts'
import { ada } from '../people.ts'
import { newFile, openRaw } from './files.ts'

/** A database that records its statements. */
function listening(t: Test) {
  const statements: string[] = []
  const db = new Database(':memory:', { verbose: (sql) => void statements.push(String(sql)) })
  t.teardown(() => db.close())
  return { db, sqlStatements: statements }
}

function newSession(userId: string, sessionToken: string = randomUUID()) {
  const [now, expires] = [new Date(1_700_000_000_123), new Date(1_900_000_000_456)]
  const shared = { provider: 'demo', providerSessionId: null, data: null, userAgent: "O'Brien", address: '::1' }
  const record: SessionRecord = {
    id: randomUUID(),
    userId,
    sessionToken,
    ...shared,
    createdAt: now,
    lastSeen: now,
    expires
  }
  return { session: { sessionToken, userId, expires }, record }
}

/** Starts a session, and sees that all of it is there. */
async function begins(
  t: Test,
  adapter: Pick<Required<Adapter>, 'createSession' | 'getSessionAndUser' | 'getSessionRecords'>,
  userId: string
) {
  const { session, record } = newSession(userId)
  await adapter.createSession(session, record)
  t.strictSame((await adapter.getSessionAndUser(session.sessionToken))?.session, session)
  t.strictSame(await adapter.getSessionRecords({ id: record.id }), [record])
}

t.test('a session and its record are one transaction, and write nothing else', async (t) => {
  const { db, sqlStatements: statements } = listening(t)
  const adapter = sqliteAdapter({ db })
  const { id } = await adapter.createUser(ada)
  statements.length = 0
  const { session, record } = newSession(id)
  await adapter.createSession(session, record)
  t.match(statements, [/^begin/i, /^insert/, /^insert/, /^commit/i])
  statements.length = 0
  const other = newSession(id)
  const done = await adapter.transact([
    { method: 'updateUser', args: [{ id, name: 'Countess' }] },
    { method: 'createSession', args: [other.session, other.record] }
  ])
  t.equal(done, true)
  t.match(statements, [/^begin/i, /^update/, /^insert/, /^insert/, /^commit/i])
  t.strictSame(await adapter.getSessionRecords({ id: other.record.id }), [other.record])
  t.strictSame(db.prepare('select name from sqlite_temp_master').all(), [], 'nothing is left on the connection')
})

t.test('tables and columns of any name', async (t) => {
  const { db } = listening(t)
  const adapter = sqliteAdapter({
    db,
    tables: { users: 'the "users"', sessions: `O'Brien's; "sessions"` },
    columns: { sessions: { sessionToken: 'select', userId: 'user id', expires: "end's" } }
  })
  const { id } = await adapter.createUser(ada)
  await begins(t, adapter, id)
})

t.test('a table of the application’s own, whose dates are seconds', async (t) => {
  const { db } = listening(t)
  const own = {
    sessionToken: text('token').primaryKey(),
    userId: text('owner').notNull(),
    expires: integer('until', { mode: 'timestamp' }).notNull()
  }
  const table = sqliteTable('seances', own)
  db.exec('create table "seances" ("token" text primary key, "owner" text not null, "until" integer not null)')
  const adapter = sqliteAdapter({ db, tables: { sessions: table } })
  const { id } = await adapter.createUser(ada)
  const { session, record } = newSession(id)
  await adapter.createSession(session, record)
  t.strictSame(db.prepare('select "until" from "seances"').pluck().all(), [1_900_000_000])
  db.exec('alter table "seances" add column "made" integer')
  const wider = sqliteTable('seances', { ...own, made: integer('made').$defaultFn(() => 1) })
  const other = sqliteAdapter({ db, tables: { sessions: wider } })
  const later = newSession(id)
  await other.createSession(later.session, later.record)
  t.strictSame(
    db.prepare('select "made" from "seances" where "token" = ?').pluck().all(later.session.sessionToken),
    [1]
  )
  t.equal((await other.getSessionRecords({ id: later.record.id })).length, 1)
})

t.test(
  'values that a table of the application’s own generates are new for each row, and for each update',
  async (t) => {
    const { db } = listening(t)
    let count = 0
    const next = (): string => `value ${++count}`
    const table = sqliteTable('seances', {
      id: text('id').primaryKey().$defaultFn(next),
      sessionToken: text('token').notNull().unique(),
      userId: text('owner').notNull(),
      expires: integer('until', { mode: 'timestamp_ms' }).notNull(),
      changed: text('changed').$onUpdate(next)
    })
    db.exec(
      'create table "seances" ("id" text primary key, "token" text not null unique, "owner" text not null, ' +
        '"until" integer not null, "changed" text)'
    )
    const adapter = sqliteAdapter({ db, tables: { sessions: table } })
    const { id } = await adapter.createUser(ada)
    const sessions = [newSession(id), newSession(id), newSession(id)]
    for (const { session, record } of sessions) await adapter.createSession(session, record)
    const read = (column: string): unknown[] => db.prepare(`select distinct "${column}" from "seances"`).pluck().all()
    t.equal(read('id').length, 3)
    t.equal(read('changed').length, 3)
    for (const { session } of sessions)
      await adapter.updateSession({ ...session, expires: new Date(1_950_000_000_000) })
    t.equal(read('changed').length, 3)
    t.equal(count, 9)
  }
)

t.test('a refused write leaves nothing behind', async (t) => {
  const { db } = listening(t)
  db.pragma('foreign_keys = ON')
  const adapter = sqliteAdapter({ db })
  const { id } = await adapter.createUser(ada)
  const { session, record } = newSession(id)
  await adapter.createSession(session, record)
  const again = newSession(id, session.sessionToken)
  await t.rejects(
    async () => adapter.createSession(again.session, again.record),
    new DuplicateError('sqlite: expected a key that no other row has')
  )
  const twin = newSession(id)
  const doubled = { ...twin.record, sessionToken: session.sessionToken }
  await t.rejects(async () => adapter.createSession(twin.session, doubled), { name: 'DuplicateError' })
  t.equal(await adapter.getSessionAndUser(twin.session.sessionToken), null, 'no session without its record')
  const anonymous = newSession('nobody')
  await t.rejects(async () => adapter.createSession(anonymous.session, anonymous.record), {
    code: 'SQLITE_CONSTRAINT_FOREIGNKEY'
  })
  t.equal((await adapter.getSessionRecords({ userId: 'nobody' })).length, 0)
  t.strictSame(await adapter.getSessionRecords({ userId: id }), [record])
  const next = newSession(id)
  await adapter.createSession(next.session, { ...next.record, id: record.id })
  t.strictSame(await adapter.getSessionRecords({ id: record.id }), [{ ...next.record, id: record.id }], 'in its place')
})

t.test('it waits until another process releases the lock, and is inserted once', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const { id } = await adapter.createUser(ada)
  const other = openRaw(t, file)
  other.exec('begin immediate')
  const { session, record } = newSession(id)
  const done = adapter.createSession(session, record)
  t.equal(other.prepare('select count(*) from "session"').pluck().get(), 0)
  other.exec('commit')
  await done
  t.strictSame(await adapter.getSessionRecords({ userId: id }), [record])
  t.equal(other.prepare('select count(*) from "session"').pluck().get(), 1)
})

t.test('a connection that only reads, or is in a transaction', async (t) => {
  const file = newFile(t)
  const first = sqliteAdapter({ file })
  const { id } = await first.createUser(ada)
  await first.close()
  const open = () => {
    const db = new Database(file)
    t.teardown(() => db.close())
    return db
  }
  await t.test('it only reads at first', async (t) => {
    const db = open()
    db.pragma('query_only = ON')
    const adapter = sqliteAdapter({ db })
    const { session, record } = newSession(id)
    await t.rejects(async () => adapter.createSession(session, record), { code: 'SQLITE_READONLY' })
    db.pragma('query_only = OFF')
    await begins(t, adapter, id)
  })
  await t.test('it can only read', async (t) => {
    const db = new Database(file, { readonly: true })
    t.teardown(() => db.close())
    const adapter = sqliteAdapter({ db })
    t.equal((await adapter.getUser(id))?.id, id)
    const { session, record } = newSession(id)
    await t.rejects(async () => adapter.createSession(session, record), { code: 'SQLITE_READONLY' })
  })
  await t.test('the adapter was made in a transaction that was taken back', async (t) => {
    const db = open()
    db.exec('begin')
    const adapter = sqliteAdapter({ db })
    db.exec('rollback')
    await begins(t, adapter, id)
  })
})

t.test('a table that is moved away and made again on the same connection', async (t) => {
  const { db } = listening(t)
  const adapter = sqliteAdapter({ db })
  const { id } = await adapter.createUser(ada)
  const sql = db.prepare("select sql from sqlite_master where type = 'table' and name = 'session'").pluck().get()
  db.exec(`alter table "session" rename to "session_old"; ${sql}`)
  await begins(t, adapter, id)
  t.equal(db.prepare('select count(*) from "session_old"').pluck().get(), 0, 'nothing goes into the old one')
  db.exec('drop table "session_old"')
  await begins(t, adapter, id)
})
