// Measures sign-ins with many expired rows, before and during their deletion. Run it after `tsc -b`:
// node scripts/measure-expired-row-cleanup.mjs sqlite|postgres [rows] [rows of a batch]
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const [store = 'sqlite', rows = '1000000', batch = '500'] = process.argv.slice(2)
const [count, limit] = [Number(rows), Number(batch)]
const signIns = 400
/** Milliseconds from one sign-in to the next, and from one batch to the next. */
const [signInEvery, batchEvery] = [10, 50]

const places = { sqlite: openSqlite, postgres: openPostgres }
const { adapter, fill, close } = await places[store]()
const user = await adapter.createUser({ email: 'ada@example.com', emailVerified: null })

try {
  await measure('none that have ended')
  const begin = performance.now()
  await fill(user.id)
  console.log(`${store}: ${count} rows that have ended, in three tables, written in ${seconds(begin)} s`)
  await measure('with them')
  const cleaning = startCleaning()
  await measure(`while they are deleted, ${limit} of each table every ${batchEvery} ms`)
  cleaning.stop()
  await cleaning.ended
} finally {
  await close()
}

async function measure(what) {
  const times = []
  for (let i = 0; i < signIns; i += 1) {
    const due = delay(signInEvery)
    const begin = performance.now()
    await signIn()
    times.push(performance.now() - begin)
    await due
  }
  console.log(`${store}: a sign-in, ${what}: ${summary(times)}`)
}

/** What a sign-in by mail writes. */
async function signIn() {
  const [sessionToken, expires] = [randomUUID(), new Date(Date.now() + 86_400_000)]
  const token = { identifier: 'ada@example.com', token: randomUUID(), expires }
  const seen = { createdAt: new Date(), lastSeen: new Date(), expires }
  const from = { provider: 'email', providerSessionId: null, userAgent: 'Mozilla/5.0', address: '192.0.2.1' }
  await adapter.createVerificationToken(token)
  await adapter.transact([
    { method: 'useVerificationToken', args: [token] },
    { method: 'updateUser', args: [{ id: user.id, emailVerified: new Date() }] },
    {
      method: 'createSession',
      args: [
        { sessionToken, userId: user.id, expires },
        { id: randomUUID(), userId: user.id, sessionToken, ...from, ...seen }
      ]
    }
  ])
}

/** Deletes batch after batch until it is stopped. */
function startCleaning() {
  let isStopped = false
  const run = async () => {
    const [times, begin] = [[], performance.now()]
    let deleted = 0
    while (!isStopped) {
      const from = performance.now()
      deleted += await adapter.deleteExpired(new Date(), limit)
      times.push(performance.now() - from)
      await delay(batchEvery)
    }
    console.log(`${store}: a batch: ${summary(times)}; ${deleted} rows in ${seconds(begin)} s`)
  }
  return { ended: run(), stop: () => (isStopped = true) }
}

async function openSqlite() {
  const { sqliteAdapter } = await import('../dist/drizzle/sqlite/index.js')
  const { default: Database } = await import('better-sqlite3')
  const folder = mkdtempSync(join(tmpdir(), 'postern-cleaning-'))
  const file = join(folder, 'app.db')
  const adapter = sqliteAdapter({ file })
  const fill = (userId) => {
    const db = new Database(file)
    const third = Math.ceil(count / 3)
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n limit ?)'
    db.prepare(`insert into session ${numbers} select hex(randomblob(16)), ?, i from n`).run(third, userId)
    db.prepare(
      `insert into "verificationToken" ${numbers} select hex(randomblob(16)), hex(randomblob(16)), i from n`
    ).run(third)
    db.prepare(
      `insert into postern_session ${numbers}
      select hex(randomblob(16)), ?, hex(randomblob(16)), 'email', null, 'Mozilla/5.0', '192.0.2.1', i, i, i from n`
    ).run(third, userId)
    db.close()
  }
  const close = async () => {
    await adapter.close()
    rmSync(folder, { recursive: true })
  }
  return { adapter, fill, close }
}

async function openPostgres() {
  const { postgresAdapter } = await import('../dist/drizzle/postgres/index.js')
  const { default: pg } = await import('pg')
  const server = process.env.DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test'
  const schema = `postern_${randomBytes(6).toString('hex')}`
  const options = `-c search_path=${schema}`
  const raw = new pg.Client({ connectionString: server, options })
  await raw.connect()
  await raw.query(`create schema ${schema}`)
  const adapter = postgresAdapter({ url: `${server}?options=${encodeURIComponent(options)}` })
  const fill = async (userId) => {
    const third = Math.ceil(count / 3)
    const [id, ends] = ['gen_random_uuid()::text', `timestamp '2020-01-01' + i * interval '1 second'`]
    const numbers = `from generate_series(1, ${third}) as i`
    await raw.query(`insert into session select ${id}, '${userId}', ${ends} ${numbers}`)
    await raw.query(`insert into "verificationToken" select ${id}, ${id}, ${ends} ${numbers}`)
    await raw.query(
      `insert into postern_session
      select ${id}, '${userId}', ${id}, 'email', null, 'Mozilla/5.0', '192.0.2.1', ${ends}, ${ends}, ${ends} ${numbers}`
    )
    await raw.query('analyze session; analyze "verificationToken"; analyze postern_session')
  }
  const close = async () => {
    await adapter.close()
    await raw.query(`drop schema ${schema} cascade`)
    await raw.end()
  }
  return { adapter, fill, close }
}

function summary(times) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2)} ms`
  return `median ${at(0.5)}, 95 % within ${at(0.95)}, 99 % within ${at(0.99)}, longest ${at(1)}`
}

function seconds(begin) {
  return ((performance.now() - begin) / 1000).toFixed(1)
}
