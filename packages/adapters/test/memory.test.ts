import t from 'tap'
import { testAdapter } from '../src/contract/index.ts'
import { DuplicateError, memoryAdapter } from '../src/memory/index.ts'
import { testPromises } from './promises.ts'

await testAdapter(t, memoryAdapter)
await testPromises(t, memoryAdapter, DuplicateError)

t.test('changing arguments or results does not change stored rows', async (t) => {
  const adapter = memoryAdapter()
  const proven = new Date('2031-02-03T04:05:06.789Z')
  const created = await adapter.createUser({ name: 'Ada', email: 'ada@example.com', emailVerified: proven })
  const time = proven.getTime()
  proven.setFullYear(1990)
  created.name = 'Eve'
  created.emailVerified?.setFullYear(1990)
  const read = await adapter.getUser(created.id)
  t.equal(read?.name, 'Ada')
  t.equal(read?.emailVerified?.getTime(), time)
  read?.emailVerified?.setFullYear(1990)
  t.equal((await adapter.getUserByEmail('ada@example.com'))?.emailVerified?.getTime(), time)
})

t.test('two adapters share nothing', async (t) => {
  const user = await memoryAdapter().createUser({ email: 'ada@example.com', emailVerified: null })
  t.equal(await memoryAdapter().getUser(user.id), null)
})
