import { times } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import t from 'tap'
import { testAdapter } from '../../../src/contract/index.ts'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { isRequired, postgres, withServer } from '../../servers.ts'
import { openOnce, suitesNamed } from '../../suites.ts'
import { createTestDatabase } from './databases.ts'
import { program, startPgbouncer } from './pgbouncer.ts'

if (program) {
  await withServer(postgres, async (t) => {
    await t.test('the contract holds by address, whatever the defaults of the server', async (t) => {
      const settings = [`set datestyle = 'German'`, `set default_transaction_isolation = 'serializable'`]
      const url = await startPgbouncer(t, await createTestDatabase(t), settings)
      const open = openOnce(t, () => postgresAdapter({ url, statementTimeout: 0 }))
      const suites = /^(dates|races|batches with tickets|batches with versions of users)$/
      await testAdapter(suitesNamed(t, suites), open, { nul: 'refused', callers: times(12, 50) })
    })

    await t.test('the contract holds with a pool', async (t) => {
      const url = await startPgbouncer(t, await createTestDatabase(t))
      const pool = new pg.Pool({ connectionString: url, max: 12 })
      t.teardown(() => pool.end())
      const open = openOnce(t, () => postgresAdapter({ pool }))
      const suites = /^(leases|races for factors|races for versions of users|versions of users|expiry|sessions)$/
      await testAdapter(suitesNamed(t, suites), open, { nul: 'refused', callers: times(12, 50) })
    })

    /** Statements that keep a name fail on the connection of another client: porsager/postgres#547. */
    await t.test('no statement has a name with a drizzle database, either', async (t) => {
      const url = await startPgbouncer(t, await createTestDatabase(t))
      const pool = new pg.Pool({ connectionString: url, max: 12 })
      t.teardown(() => pool.end())
      const open = openOnce(t, () => postgresAdapter({ db: drizzle({ client: pool }) }))
      const suites = /^(users|races|transactions)$/
      await testAdapter(suitesNamed(t, suites), open, { nul: 'refused', callers: times(12, 50) })
      const { rows } = await pool.query('select name from pg_prepared_statements')
      t.strictSame(rows, [])
    })

    /** A schema in the address: neondatabase/neon#6291. */
    await t.test('another refused parameter is named', async (t) => {
      const database = await createTestDatabase(t)
      const url = await startPgbouncer(t, database)
      const options = `?options=${encodeURIComponent(`-c search_path=${database.name}`)}`
      const adapter = postgresAdapter({ url: url + options, statementTimeout: 0 })
      t.teardown(() => adapter.close())
      const error = await adapter.ready().then(
        () => null,
        (error: unknown) => error
      )
      t.match(error, { message: /unsupported startup parameter: options/ })
      t.notMatch(error, { message: /statementTimeout/ }, 'an option that does not help')
    })

    /** A new installation that does not start: logto-io/logto#8065. */
    await t.test('what PgBouncer refuses names the option that is right', async (t) => {
      const url = await startPgbouncer(t, await createTestDatabase(t))
      const adapter = postgresAdapter({ url })
      t.teardown(() => adapter.close())
      await t.rejects(adapter.ready(), {
        code: 'Setting',
        message: /unsupported startup parameter: statement_timeout.*statementTimeout: 0/
      })
    })
  })
} else {
  await t.test('PgBouncer', { skip: isRequired ? false : 'PgBouncer is not installed' }, async (t) => {
    t.fail('PgBouncer is not installed')
  })
}
