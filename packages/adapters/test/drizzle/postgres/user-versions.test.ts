import { createStatementGate, type StatementGate, withGate } from '@postern/testkit/statement-gate'
import pg from 'pg'
import type { Test } from 'tap'
import { createPerson, newRecord, newSession } from '../../../src/contract/data.ts'
import { type PostgresPool, postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres, withServer } from '../../servers.ts'
import { testPairs } from '../user-version-pairs.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'

/** A pool whose statements pass a gate. */
function openGated(t: Test, url: string, gate: StatementGate): PostgresPool {
  const pool = new pg.Pool({ connectionString: url, max: 3 })
  t.teardown(() => pool.end())
  return withGate(pool, gate)
}

/** Sets what transactions are by default. */
const withDefault = ({ url }: TestDatabase, isolation: string): string =>
  url.replace('&', `${encodeURIComponent(` -c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`)}&`)

await withServer(postgres, async (t) => {
  await t.test('a sign-in of a known user takes four statements in one transaction', async (t) => {
    const { url } = await createTestDatabase(t)
    const gate = createStatementGate()
    const adapter = postgresAdapter({ pool: openGated(t, url, gate) })
    await adapter.ready()
    const { user, account } = await createPerson(adapter)
    const signIn = async (): Promise<number> => {
      gate.reset()
      const found = await adapter.findUserVersion({ account })
      const version = found?.version?.version ?? 0
      const session = newSession(user.id)
      const isDone = await adapter.transact([
        { method: 'requireUserVersion', args: [user.id, version] },
        { method: 'updateAccount', args: [{ ...account, access_token: `${version}` }] },
        { method: 'createSession', args: [session, newRecord(user.id, { sessionToken: session.sessionToken })] }
      ])
      t.equal(isDone, true)
      return gate.count()
    }
    const beginAndCommit = 2
    t.equal(await signIn(), beginAndCommit + 5, 'the row is looked for and inserted')
    t.equal(await signIn(), beginAndCommit + 4, 'version 0')
    await adapter.advanceUser({
      ...{ userId: user.id, expected: 0, version: 1000, changeId: 'first', raises: false },
      until: new Date('2031-02-03T04:05:06.789Z')
    })
    t.equal(await signIn(), beginAndCommit + 4, 'a later version')
  })

  for (const isolation of ['read committed', 'repeatable read'])
    await t.test(`pairs of operations by statement, ${isolation} by default`, async (t) => {
      const database = await createTestDatabase(t)
      const url = withDefault(database, isolation)
      const [gate, otherGate] = [createStatementGate(), createStatementGate()]
      const pool = openGated(t, url.replace(`application_name=${database.name}`, 'application_name=gated'), gate)
      const [gated, other] = [postgresAdapter({ pool }), postgresAdapter({ pool: openGated(t, url, otherGate) })]
      await Promise.all([gated.ready(), other.ready()])
      const { rows } = await pool.query('show default_transaction_isolation')
      t.match(rows, [{ default_transaction_isolation: isolation }])
      const isBlocked = async (): Promise<boolean> => {
        const query = `select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`
        return (await database.raw.query(query, [database.name])).rows.length > 0
      }
      await testPairs(t, { gate, gated, other, otherGate, isBlocked }, isolation)
    })
})
