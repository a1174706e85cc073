import { times } from '@postern/testkit/long'
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
      const suites = /^(dates|races|batches with tickets)$/
      await testAdapter(suitesNamed(t, suites), open, { nul: 'refused', callers: times(12, 50) })
    })

    await t.test('the contract holds with a pool', async (t) => {
      const url = await startPgbouncer(t, await createTestDatabase(t))
      const pool = new pg.Pool({ connectionString: url, max: 12 })
      t.teardown(() => pool.end())
      const open = openOnce(t, () => postgresAdapter({ pool }))
      const suites = /^(leases|races for factors|expiry|sessions)$/
      await testAdapter(suitesNamed(t, suites), open, { nul: 'refused', callers: times(12, 50) })
    })

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
