import type { Adapter } from '@postern/core'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { sqliteAdapter } from '../../src/drizzle/sqlite/index.ts'
import { postgres, withServer } from '../servers.ts'
import { createTestDatabase } from './postgres/databases.ts'
import { openLogged } from './postgres/logged.ts'

/** The calls that look for what most rows do not have, by the index that finds it. */
const getCalls = (adapter: Required<Adapter>): Readonly<Record<string, () => unknown>> => ({
  postern_record_provider: () => adapter.getSessionRecords({ provider: 'demo', providerSessionId: 'one' }),
  postern_ticket_userId: () => adapter.deleteTickets('one'),
  postern_ticket_dueAt: () => adapter.listDueTickets('wait', new Date(), 10),
  postern_event_userId: () => adapter.listEvents({ userId: 'one', limit: 10 }),
  postern_user_deleteAfter: () => adapter.deleteExpired(new Date(), 10)
})

/**
 * Rows that have none of it, and one that has.
 *
 * @param rows - A table with the numbers `n`.
 * @param past - An instant of long ago; `future` is one of later.
 */
const fill = (rows: string, past: string, future: string): string => `
  insert into postern_session (id, "userId", provider, "createdAt", "lastSeen", expires)
    select n, 'user-' || n, 'demo', ${past}, ${past}, ${future} from ${rows};
  insert into postern_ticket (kind, id, data, tries, expires) select 'wait', n, '', 0, ${future} from ${rows};
  insert into postern_event (id, time, type) select n, ${past}, 'sign-in-failed' from ${rows};
  insert into postern_user ("userId", version, "sessionsFrom") select 'user-' || n, 1, 1 from ${rows};
  insert into postern_session (id, "userId", provider, "providerSessionId", "createdAt", "lastSeen", expires)
    values ('own', 'one', 'demo', 'one', ${past}, ${past}, ${future});
  insert into postern_ticket (kind, id, "userId", data, tries, expires, "dueAt")
    values ('wait', 'own', 'one', '', 0, ${future}, ${past});
  insert into postern_event (id, time, type, "userId") values ('own', ${past}, 'sign-in', 'one');
  insert into postern_user ("userId", version, "sessionsFrom", "deleteAfter") values ('one', 1, 1, ${future})`

const isPlanned = (statement: string): boolean => /^\W*(select|delete|with)\b/i.test(statement)

t.test('SQLite: an index without rows that have no value finds those that have one', async (t) => {
  const statements: string[] = []
  const db = new Sqlite(':memory:', { verbose: (statement) => statements.push(String(statement)) })
  t.teardown(() => db.close())
  const adapter = sqliteAdapter({ db })
  db.exec(`create temp table made as
    with recursive made(n) as (select 1 union all select n + 1 from made where n < 2000) select n from made`)
  db.exec(`${fill('made', '1', '4102444800000')}; analyze`)
  for (const [index, call] of Object.entries(getCalls(adapter))) {
    statements.length = 0
    await call()
    const plans = statements.filter(isPlanned).map((statement) => db.prepare(`explain query plan ${statement}`).all())
    t.match(JSON.stringify(plans), index, JSON.stringify(statements))
  }
})

await withServer(postgres, async (t) => {
  await t.test('PostgreSQL: an index without rows that have no value finds those that have one', async (t) => {
    const { url, raw } = await createTestDatabase(t)
    const { adapter, sent } = await openLogged(t, url)
    await raw.query(fill('generate_series(1, 2000) as n', `timestamp '2000-01-01'`, `timestamp '2100-01-01'`))
    await raw.query('analyze')
    for (const [index, call] of Object.entries(getCalls(adapter))) {
      sent.length = 0
      await call()
      const asked = sent.filter(({ query }) => isPlanned(query))
      const plans: unknown[] = []
      for (const { query, params } of asked) plans.push((await raw.query(`explain ${query}`, [...params])).rows)
      t.match(JSON.stringify(plans), index, asked.map(({ query }) => query).join('\n'))
    }
  })
})
