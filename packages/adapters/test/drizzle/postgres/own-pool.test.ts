import pg from 'pg'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres, withServer } from '../../servers.ts'
import { createTestDatabase } from './databases.ts'

const expires = new Date('2040-01-01')

await withServer(postgres, async (t) => {
  await t.test('a pool keeps its connection after a statement whose values the server refuses', async (t) => {
    const { url } = await createTestDatabase(t)
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    t.teardown(() => pool.end())
    const adapter = postgresAdapter({ pool })
    await adapter.ready()
    const before = pool.totalCount
    let opened = 0
    pool.on('connect', () => {
      opened += 1
    })
    const create = async (id: string): Promise<unknown> =>
      adapter.createTicket({ kind: 'test', id, userId: null, data: '', tries: 0, expires })
    await create('one')
    for (let count = 0; count < 3; count++) await t.rejects(create('one'), { name: 'DuplicateError' })
    t.strictSame([opened, pool.totalCount], [0, before])

    await pool.query('alter table postern_ticket rename to moved')
    await t.rejects(create('two'), { name: 'DatabaseError' })
    t.equal(pool.totalCount, before - 1, 'after another error, the next statement opens one')
    await pool.query('alter table moved rename to postern_ticket')
    await create('two')
    t.strictSame([opened, pool.totalCount], [1, before])
  })
})
