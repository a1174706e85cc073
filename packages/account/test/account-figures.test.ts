import { gzipSync } from 'node:zlib'
import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import {
  accountPath,
  ada,
  createUser,
  findUser,
  openAccountApplication,
  origin,
  type Strategy,
  strategies
} from './account-application.ts'
import { waitFor } from './email-application.ts'

/** An adapter that lists the calls of its methods, and the number of rows in each list that they returned. */
function createCountingAdapter(store: Adapter = memoryAdapter()) {
  const calls: string[] = []
  const rows: number[] = []
  const adapter = new Proxy(store, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return async (...args: readonly unknown[]) => {
        calls.push(String(name))
        const result: unknown = await Reflect.apply(value, target, args)
        if (Array.isArray(result)) rows.push(result.length)
        return result
      }
    }
  })
  return { adapter, calls, rows }
}

const paths = ['', '/profile', '/connections', '/devices', '/activity', '/data', '/delete']

for (const strategy of strategies)
  t.test(`${strategy}: the account page takes three queries, and one for what waits`, async (t) => {
    const { adapter, calls } = createCountingAdapter()
    const application = await openAccountApplication(t, strategy, { adapter })
    const browser = await createUser(application)
    await browser.open(accountPath)
    // The cleanup of expired rows begins 50 ms after the first request.
    await waitFor(() => calls.includes('deleteEvents'))
    calls.length = 0
    await browser.open(accountPath)
    t.comment(calls.join(' '))
    const own = strategy === 'jwt' ? 'getUser' : 'getSessionAndUser'
    t.same(calls.toSorted(), ['getAccounts', own, 'listFactors', 'readTickets'].toSorted())
  })

/** Adds sessions of a user, with records: JWT sessions have nothing else. They expire after those of the tests. */
function addSessions(db: Sqlite.Database, strategy: Strategy, { userId, now }: { userId: string; now: number }): void {
  const expires = now + 100 * 24 * 60 * 60 * 1000
  const made = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)'
  if (strategy === 'database')
    db.prepare(
      `insert into session ("sessionToken", "userId", expires) ${made} select 'h1.' || i, ?, ? + i from n`
    ).run(userId, expires)
  const token = strategy === 'database' ? `'h1.' || i` : 'null'
  // The id of a JWT session begins with the version of the user's revocations: here, one that nothing has revoked.
  db.prepare(
    `insert into postern_session (id, "userId", "sessionToken", "userAgent", "createdAt", "lastSeen", expires)
     ${made} select 'z0000000.' || i, ?, ${token}, 'Firefox', ?, ?, ? + i from n`
  ).run(userId, now, now, expires)
}

for (const strategy of strategies)
  t.test(`${strategy}: the page of devices reads 51 of 10,000 sessions, and the own one`, async (t) => {
    const db = new Sqlite(':memory:')
    t.teardown(() => db.close())
    const { adapter, calls, rows } = createCountingAdapter(sqliteAdapter({ db }))
    const application = await openAccountApplication(t, strategy, { adapter })
    const browser = await createUser(application)
    const read = async () => {
      calls.length = 0
      rows.length = 0
      const page = await browser.open(`${accountPath}/devices`, { headers: { accept: 'application/json' } })
      t.equal(page.status, 200)
      const { props } = JSON.parse(page.body)
      return { props, calls: calls.toSorted(), most: Math.max(...rows), sum: rows.reduce((sum, count) => sum + count) }
    }
    // The first request reads new revocations, as one does in each second.
    await read()
    const alone = await read()
    t.match(alone.props, { devices: [{ isCurrent: true }], hasMore: false })
    const userId = (await findUser(application, ada))?.id ?? ''
    addSessions(db, strategy, { userId, now: application.clock.now() })
    const { props, ...counted } = await read()
    t.comment(counted)
    t.equal(props.devices.length, 50)
    t.same(
      props.devices.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent),
      alone.props.devices,
      'with the own session, which expires before all others'
    )
    t.equal(props.hasMore, true)
    t.equal(counted.most, 51, 'one more than the page has')
    t.equal(counted.sum, strategy === 'jwt' ? 52 : 103, 'sessions with their records, and the own record')
    const added = strategy === 'jwt' ? ['getRevocations', 'getSessionRecords'] : ['getSessionRecords']
    t.same(counted.calls, [...alone.calls, ...added].toSorted(), 'the own session takes one more query')
    t.equal((await application.auth.sessions.list(userId)).length, 10_001, 'all without a limit')
  })

t.test(
  'every page is at most 15 kB with its style sheet, compressed, and loads nothing from other sites',
  async (t) => {
    const application = await openAccountApplication(t, 'database')
    const browser = await createUser(application)
    for (const path of paths) {
      const page = await browser.open(accountPath + path)
      const stylesheet = page.html().querySelector('link[rel=stylesheet]')?.getAttribute('href') ?? ''
      const style = await browser.open(stylesheet)
      const size = gzipSync(page.body).length + gzipSync(style.body).length
      t.comment(`${path || '/'}: ${size} bytes`)
      t.ok(size <= 15_000, `${path}: ${size} bytes`)
      t.same(page.body.match(/(?:src|href)="(?:https?:)?\/\/(?!app\.test)[^"]*"/g), null, `${path}: nothing remote`)
      t.notMatch(style.body, /url\(|@import/, 'the style sheet loads nothing')
      t.ok(stylesheet.startsWith('/'), origin)
    }
  }
)
