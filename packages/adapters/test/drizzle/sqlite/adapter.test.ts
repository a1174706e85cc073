import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { sqliteAdapter } from '../../../src/drizzle/sqlite/index.ts'
import { ada, adaToken, github } from '../people.ts'
import { newFile, openRaw } from './files.ts'

t.test('a file is opened in WAL mode, and closed', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  await adapter.createUser(ada)
  t.equal(openRaw(t, file).pragma('journal_mode', { simple: true }), 'wal')
  await adapter.close()
  await t.rejects(async () => adapter.getUser('1'), { message: /not open/ })
})

t.test('written rows exist after reopening', async (t) => {
  const file = newFile(t)
  const first = sqliteAdapter({ file })
  const user = await first.createUserWithAccount(ada, github)
  await first.close()
  const second = sqliteAdapter({ file })
  t.strictSame(await second.getUserByAccount(github), user)
  await second.close()
})

t.test('a connection that returns BigInts keeps doing so for the application', async (t) => {
  const db = openRaw(t, newFile(t)).defaultSafeIntegers(true)
  const adapter = sqliteAdapter({ db })
  await sqliteAdapter({ db: { $client: db } }).close()
  const emailVerified = new Date(1700000000123)
  const user = await adapter.createUserWithAccount({ ...ada, emailVerified }, { ...github, expires_at: 5 })
  const session = { sessionToken: 'h1.1', userId: user.id, expires: new Date(1700000000456) }
  const times = { createdAt: emailVerified, lastSeen: emailVerified, expires: emailVerified }
  const visitor = { provider: null, providerSessionId: null, userAgent: null, address: null }
  await adapter.createSession(session, { id: '1', userId: user.id, sessionToken: 'h1.1', ...visitor, ...times })
  t.strictSame(await adapter.getSessionAndUser('h1.1'), { session, user: { ...user, emailVerified } })
  t.equal((await adapter.getAccounts(user.id))[0]?.expires_at, 5)
  t.strictSame((await adapter.getSessionRecords({ id: '1' }))[0]?.createdAt, emailVerified)
  const version = await adapter.revoke('user:1', new Date(1700000000456))
  t.type(version, 'number')
  t.match(await adapter.listRevocations(new Date(0), 10), [{ subject: 'user:1', version }])
  t.equal(await adapter.deleteExpired(new Date(1700000001000), 10), 3)
  t.strictSame(db.prepare('select 1 as one').get(), { one: 1n })
})

t.test('a connection of the application’s is left as it was, and open', async (t) => {
  const db = openRaw(t, newFile(t), 1234)
  db.pragma('foreign_keys = OFF')
  const pragmas = () => ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map((name) => db.pragma(name))
  const before = pragmas()
  const adapter = sqliteAdapter({ db })
  const user = await adapter.createUserWithAccount(ada, github)
  await adapter.createSession({ sessionToken: 'h1.1', userId: user.id, expires: new Date() })
  await adapter.deleteUser(user.id)
  t.equal(await adapter.getUserByAccount(github), null)
  t.equal(await adapter.getSessionAndUser('h1.1'), null)
  t.strictSame(pragmas(), before)
  await adapter.close()
  t.equal(db.open, true)
})

t.test('a wrapper whose members are private, and whose statements have no choice of numbers', async (t) => {
  class Wrapped {
    readonly #db = openRaw(t, newFile(t))
    prepare(source: string) {
      const statement = this.#db.prepare(source)
      return {
        run: (...values: unknown[]) => statement.run(...values),
        get: (...values: unknown[]) => statement.get(...values),
        all: (...values: unknown[]) => statement.all(...values),
        raw: () => statement.raw()
      }
    }
    exec(source: string) {
      return this.#db.exec(source)
    }
    pragma(source: string) {
      return this.#db.pragma(source)
    }
    transaction<T>(work: () => T) {
      return this.#db.transaction(work)
    }
    close() {
      return this.#db.close()
    }
  }
  const db = new Wrapped()
  for (const adapter of [sqliteAdapter({ db }), sqliteAdapter({ db: { $client: db } })]) {
    const user = await adapter.createUser({ email: null, emailVerified: null })
    await adapter.createSession({ sessionToken: user.id, userId: user.id, expires: new Date(4_000_000_000_000) })
    t.strictSame((await adapter.getSessionAndUser(user.id))?.user, user)
    await adapter.close()
  }
})

t.test('what is not a better-sqlite3 database is refused', async (t) => {
  const foreign = { $client: { ...new Database(':memory:') } }
  t.throws(() => sqliteAdapter({ db: foreign }), { name: 'ConfigError', message: /expected a better-sqlite3 database/ })
})

t.test('a file that cannot be opened fails at once', async (t) => {
  t.throws(() => sqliteAdapter({ file: `${t.testdir({})}/missing/app.db` }))
  const directory = t.testdir({ 'app.db': 'this is not a database, whatever its name says'.repeat(100) })
  t.throws(() => sqliteAdapter({ file: `${directory}/app.db` }), { code: 'SQLITE_NOTADB' })
})

/** Makes every call that a statement is kept for. */
async function callAll(adapter: ReturnType<typeof sqliteAdapter>, id: string): Promise<void> {
  const account = { ...github, providerAccountId: id }
  const pair = { identifier: id, token: 'hash' }
  const user = await adapter.createUserWithAccount({ email: id, emailVerified: null }, account)
  await adapter.createUser({ email: null, emailVerified: null })
  await adapter.linkAccount({ ...account, provider: 'gitlab', userId: user.id })
  await adapter.createSession({ sessionToken: id, userId: user.id, expires: new Date() })
  await adapter.createVerificationToken({ ...pair, expires: new Date() })
  await adapter.getUser(user.id)
  await adapter.getUserByEmail(id)
  await adapter.getUserByAccount(account)
  await adapter.getSessionAndUser(id)
  await adapter.getAccounts(user.id)
  await adapter.getVerificationToken(pair)
  await adapter.listSessions(user.id)
  await adapter.updateUser({ id: user.id, name: id })
  await adapter.updateAccount({ ...account, scope: id })
  await adapter.updateSession({ sessionToken: id, expires: new Date() })
  await adapter.withLease(id, async () => null)
  const record = { userId: user.id, sessionToken: id, provider: null, providerSessionId: id, userAgent: null }
  const times = { createdAt: new Date(), lastSeen: new Date(), expires: new Date() }
  await adapter.putSessionRecord({ id, address: null, ...record, ...times })
  await adapter.getSessionRecords({ id })
  await adapter.getSessionRecords({ userId: id })
  await adapter.getSessionRecords({ provider: id, providerSessionId: id })
  await adapter.deleteSessionRecord(id)
  await adapter.revoke(id, new Date())
  await adapter.getRevocations([id, user.id])
  await adapter.listRevocations(new Date(0), 10)
  await adapter.readTickets([id, user.id].map((id) => ({ kind: 'reset', id })))
  await adapter.deleteExpired(new Date(0), 10)
  await adapter.transact([
    { method: 'updateUser', args: [{ id: user.id, name: id }] },
    { method: 'updateAccount', args: [{ ...account, scope: id }, { refresh_token: null }] },
    { method: 'createSession', args: [{ sessionToken: `${id}-2`, userId: user.id, expires: new Date() }] }
  ])
  await adapter.useVerificationToken(pair)
  await adapter.unlinkAccount(account)
  await adapter.deleteSession(id)
  await adapter.deleteSessions(user.id, id)
  await adapter.deleteUser(user.id)
}

t.test('every statement is compiled once, when it is first needed at the latest', async (t) => {
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  const compiled: string[] = []
  const prepare = db.prepare.bind(db)
  t.intercept(db, 'prepare', {
    value: (source: string) => {
      compiled.push(source)
      return prepare(source)
    }
  })
  const adapter = sqliteAdapter({ db })
  t.ok(compiled.length > 0)
  compiled.length = 0
  let first: readonly string[] | null = null
  for (const id of ['1', '2', '3']) {
    await callAll(adapter, id)
    first ??= [...compiled]
  }
  t.strictSame(compiled, first)
  t.strictSame([...new Set(compiled)], compiled)
})

t.test('many tickets are read with short statements, in one transaction', async (t) => {
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  const adapter = sqliteAdapter({ db })
  const parameters: number[] = []
  const prepare = db.prepare.bind(db)
  t.intercept(db, 'prepare', {
    value: (source: string) => {
      t.ok(db.inTransaction)
      parameters.push(source.split('?').length - 1)
      return prepare(source)
    }
  })
  const keys = Array.from({ length: 1001 }, (_, index) => ({ kind: 'reset', id: `${index}` }))
  for (let reads = 0; reads < 2; reads += 1) t.strictSame(await adapter.readTickets(keys), [])
  t.strictSame(parameters, [200, 2], 'and each is compiled once')
})

/** The statements that the adapter prepares, at startup and in each method. */
async function compiledBy(t: Test, db: Database.Database): Promise<readonly string[]> {
  const compiled: string[] = []
  const prepare = db.prepare.bind(db)
  t.intercept(db, 'prepare', {
    value: (source: string) => {
      compiled.push(source)
      return prepare(source)
    }
  })
  await callAll(sqliteAdapter({ db }), '1')
  return compiled
}

t.test('no search over two tables compares a bare parameter, for which SQLite would compile it again', async (t) => {
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  const joins = (await compiledBy(t, db)).filter((source) => source.includes(' join '))
  t.ok(joins.length >= 2)
  for (const source of joins) t.notMatch(source, /= \?/, source)
})

t.test('each look-up finds its row by an index', async (t) => {
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  const prepare = db.prepare.bind(db)
  const compiled = await compiledBy(t, db)
  // Startup looks at the first and the last row that has a date.
  const lookups = compiled.filter(
    (source) => /^(select .* from|update|delete from) "/.test(source) && !source.includes('typeof(')
  )
  t.ok(lookups.length > 30)
  for (const source of lookups) {
    const plan = prepare(`explain query plan ${source}`).all(...Array.from(source.matchAll(/\?/g), () => '1'))
    t.notMatch(JSON.stringify(plan), /SCAN/, source)
  }
})

t.test('a write waits, without blocking the event loop, until another process releases the lock', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const other = openRaw(t, file)
  other.exec('begin immediate')
  const writes = [
    adapter.createUserWithAccount(ada, github),
    adapter.createUser({ email: 'bob@example.com', emailVerified: null })
  ]
  t.equal(await adapter.getUserByEmail(ada.email), null, 'readers are not blocked')
  other.exec('commit')
  const [user] = await Promise.all(writes)
  t.strictSame(await adapter.getUserByAccount(github), user)
})

t.test('a write that could not be committed is never answered as done', async (t) => {
  const file = newFile(t)
  const db = openRaw(t, file, 0)
  db.pragma('journal_mode = DELETE')
  const adapter = sqliteAdapter({ db })
  const user = await adapter.createUser(ada)
  const session = { sessionToken: 'h1.1', userId: user.id, expires: new Date() }
  await adapter.createSession(session)
  await adapter.createVerificationToken(adaToken)
  const reader = openRaw(t, file)
  for (const take of [() => adapter.useVerificationToken(adaToken), () => adapter.deleteSession('h1.1')]) {
    // In this journal mode a reader keeps every writer from committing, though not from writing.
    reader.exec('begin')
    reader.prepare('select * from user').all()
    let isAnswered = false
    const taken = Promise.resolve(take()).finally(() => {
      isAnswered = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    t.equal(isAnswered, false, 'it waits while the reader is there')
    reader.exec('commit')
    t.ok(await taken)
  }
  t.equal(reader.prepare('select count(*) from session').pluck().get(), 0)
  t.equal(reader.prepare('select count(*) from verificationToken').pluck().get(), 0)
})

t.test('a lease whose process died is deleted in the end', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const raw = openRaw(t, file)
  const lock = raw.prepare('insert into postern_lock (key, owner, until) values (?, ?, ?)')
  lock.run('old', 'a process that died', 999)
  lock.run('new', 'another', 1000)
  t.equal(await adapter.deleteExpired(new Date(1000), 10), 1)
  t.strictSame(raw.prepare('select key from postern_lock').pluck().all(), ['new'])
})

t.test('other callers proceed while expired rows are deleted', async (t) => {
  const adapter = sqliteAdapter({ file: ':memory:' })
  t.teardown(() => adapter.close())
  let turns = 0
  const count = () => {
    turns += 1
    if (turns < 100) setImmediate(count)
  }
  setImmediate(count)
  await adapter.deleteExpired(new Date(), 10)
  t.ok(turns >= 4 && turns < 100, `after each table: ${turns}`)
  turns = 100
})

t.test('a batch waits as a whole while another process writes', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  await adapter.createVerificationToken(adaToken)
  const other = openRaw(t, file)
  other.exec('begin immediate')
  const batch = adapter.transact([
    { method: 'useVerificationToken', args: [adaToken] },
    { method: 'createUser', args: [{ ...ada, id: '1' }] }
  ])
  t.ok(await adapter.getVerificationToken(adaToken), 'readers see nothing of it')
  t.equal(await adapter.getUser('1'), null)
  other.exec('commit')
  t.equal(await batch, true)
  t.ok(await adapter.getUser('1'))
})

t.test('a lease whose process died is free after its time', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const raw = openRaw(t, file)
  const lock = raw.prepare('insert into postern_lock (key, owner, until) values (?, ?, ?)')
  lock.run('refresh', 'a process that died', Date.now() - 1)
  const rows = await adapter.withLease('refresh', async () => raw.prepare('select * from postern_lock').all())
  t.match(rows, [{ key: 'refresh', until: Number }])
  t.notMatch(rows, [{ owner: 'a process that died' }])
  t.strictSame(raw.prepare('select * from postern_lock').all(), [], 'given back')
})

t.test('a lease that another process holds is waited for', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const raw = openRaw(t, file, 1000)
  raw.prepare('insert into postern_lock values (?, ?, ?)').run('refresh', 'another', Date.now() + 60_000)
  const order: string[] = []
  const work = adapter.withLease('refresh', async () => order.push('work'))
  t.equal(await adapter.withLease('another name', async () => 'in'), 'in')
  order.push('released')
  raw.prepare('delete from postern_lock').run()
  await work
  t.strictSame(order, ['released', 'work'])
})

t.test('a lease that was lost is not given back for its new owner', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const raw = openRaw(t, file, 1000)
  await adapter.withLease('refresh', async () => raw.prepare(`update postern_lock set owner = 'another'`).run())
  t.match(raw.prepare('select * from postern_lock').all(), [{ key: 'refresh', owner: 'another' }])
})
