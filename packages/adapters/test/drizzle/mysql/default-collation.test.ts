import { DuplicateError, mysqlAdapter } from '@postern/adapters/mysql'
import type { Account } from '@postern/core'
import { isLong, times } from '@postern/testkit/long'
import type { RowDataPacket } from 'mysql2'
import type { Test } from 'tap'
import { testAdapter } from '../../../src/contract/index.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { until } from '../../until.ts'
import { ada, github } from '../people.ts'
import { authJsSchema } from './auth-js.ts'
import { reuseDatabases, type TestDatabase } from './databases.ts'
import { getConnections } from './locks.ts'

const twins = ['JOSÉ', 'jose', 'josé ', 'jose\u0301', 'ｊosé', 'JOSE ']

function open(t: Test, { url }: TestDatabase) {
  const adapter = mysqlAdapter({ url })
  t.teardown(() => adapter.close())
  return adapter
}

const storedIds = async ({ raw }: TestDatabase): Promise<readonly unknown[]> =>
  (await raw.query<RowDataPacket[]>('select providerAccountId as id from account order by length(id), id'))[0].map(
    ({ id }) => id
  )

const newPerson = (adapter: ReturnType<typeof open>, key: Account, email: string) =>
  adapter.createUserWithAccount({ email, emailVerified: null }, key)

await withServer(server, async (t) => {
  const getDatabase = reuseDatabases(t, authJsSchema)

  if (isLong) {
    await t.test('the contract, on tables of Auth.js with the collation of the database', async (t) => {
      const { url } = await getDatabase(t)
      await testAdapter(t, () => mysqlAdapter({ url }), { keyLength: 255 })
    })
  }

  await t.test('ids that the table takes for one are as many people, in every method', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const people = new Map<string, string>()
    for (const [i, providerAccountId] of ['josé', ...twins].entries()) {
      const key = { ...github, providerAccountId }
      t.equal(await adapter.getUserByAccount(key), null, 'no one yet')
      const { id } = await newPerson(adapter, key, `${i}@example.com`)
      people.set(providerAccountId, id)
    }
    for (const [providerAccountId, userId] of people) {
      const key = { provider: 'github', providerAccountId }
      t.equal((await adapter.getUserByAccount(key))?.id, userId)
      await t.rejects(
        async () => adapter.linkAccount({ ...github, ...key, userId }),
        DuplicateError,
        'an account has one owner'
      )
      t.match(await adapter.updateAccount({ ...key, refresh_token: userId }), { providerAccountId })
      t.match(await adapter.updateAccount({ ...key, scope: 'a' }, { refresh_token: userId }), { providerAccountId })
      t.equal(await adapter.updateAccount({ ...key, scope: 'b' }, { refresh_token: 'other' }), false)
      t.match(await adapter.updateAccount(key), { providerAccountId })
      t.match(await adapter.getAccounts(userId), [{ providerAccountId, refresh_token: userId, scope: 'a' }])
    }
    for (const [providerAccountId, userId] of people) {
      const key = { provider: 'github', providerAccountId }
      t.match(await adapter.unlinkAccount(key), { providerAccountId, userId })
      t.equal(await adapter.getUserByAccount(key), null)
    }
    t.strictSame(await storedIds(database), [])
  })

  await t.test('the first query of a process finds the user of an encoded id with their version', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await newPerson(adapter, { ...github, providerAccountId: 'josé' }, '0@example.com')
    const account = { provider: 'github', providerAccountId: 'JOSÉ' }
    const user = await newPerson(adapter, { ...github, ...account }, '1@example.com')
    t.match(await open(t, database).findUserVersion({ account }), { user: { id: user.id }, account })
    t.match(await open(t, database).findUserVersion({ userId: user.id }), { user: { id: user.id } })
  })

  await t.test('an id has one owner even when the one it was taken for no longer exists', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const [one, twin] = [
      { ...github, providerAccountId: 'ada' },
      { ...github, providerAccountId: 'ADA' }
    ]
    await newPerson(adapter, one, 'one@example.com')
    const { id } = await newPerson(adapter, twin, 'twin@example.com')
    t.strictSame(await storedIds(database), ['ada', '!postern:414441'])
    await adapter.unlinkAccount(one)
    await t.rejects(async () => newPerson(adapter, twin, 'another@example.com'), DuplicateError)
    t.equal((await adapter.getUserByAccount(twin))?.id, id)
    t.equal((await newPerson(adapter, one, 'again@example.com')).id, (await adapter.getUserByAccount(one))?.id)
    t.strictSame(await storedIds(database), ['ada', '!postern:414441'])
  })

  await t.test('an id has one owner when its other spelling is written at the same moment', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const { id: userId } = await adapter.createUser(ada)
    const key = { ...github, providerAccountId: 'ADA' }
    const isWaiting = async () => (await getConnections(database, 'lock in share mode')).length > 0
    const calls = [
      () => newPerson(adapter, key, 'late@example.com'),
      () => adapter.linkAccount({ ...key, userId }),
      () => adapter.transact([{ method: 'linkAccount', args: [{ ...key, userId }] }])
    ]
    for (const call of calls) {
      const other = await database.raw.getConnection()
      await other.query(`start transaction;
        insert into account (userId, type, provider, providerAccountId) values ('${userId}', 'oauth', 'github', '!postern:414441')`)
      const [late] = await Promise.all([
        Promise.allSettled([call()]),
        until(isWaiting).then(() => other.query('commit'))
      ])
      other.release()
      t.match(late, [{ status: 'rejected', reason: { name: 'DuplicateError' } }])
      t.strictSame(await storedIds(database), ['!postern:414441'])
      await database.raw.query('delete from account')
    }
    t.equal(await adapter.getUserByEmail('late@example.com'), null)
  })

  await t.test('an id has one owner while the one it is taken for comes and goes', async (t) => {
    const database = await getDatabase(t)
    const [one, another] = [open(t, database), open(t, database)]
    const [key, twin] = [
      { ...github, providerAccountId: 'ADA' },
      { ...github, providerAccountId: 'ada' }
    ]
    let count = 0
    const signUp = (adapter: typeof one, key: Account) => {
      count += 1
      return newPerson(adapter, key, `${count}@example.com`)
    }
    for (let round = 0; round < times(6, 100); round += 1) {
      if (round % 2 === 0) await signUp(one, twin)
      const signInAndOut = async () => {
        for (let i = 0; i < 3; i += 1) {
          await another.unlinkAccount(twin)
          await signUp(another, twin)
        }
      }
      const racing = [one, another, one, another].map((adapter) => signUp(adapter, key))
      const [got] = await Promise.all([Promise.allSettled(racing), signInAndOut()])
      const failed = got.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      if (failed.length !== 3 || failed.some((error) => !(error instanceof DuplicateError)))
        t.fail('expected one owner', { round, failed, stored: await storedIds(database) })
      await database.raw.query('delete from account')
    }
  })

  await t.test('an id that is there in both spellings is renewed and taken away', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const { id } = await adapter.createUser(ada)
    await database.raw.query(
      `insert into account (userId, type, provider, providerAccountId, refresh_token)
       values (?, 'oauth', 'github', 'ADA', 'a'), (?, 'oauth', 'github', '!postern:414441', 'a')`,
      [id, id]
    )
    const key = { provider: 'github', providerAccountId: 'ADA' }
    t.match(await adapter.updateAccount({ ...key, refresh_token: 'b' }, { refresh_token: 'a' }), { refresh_token: 'b' })
    t.match(await adapter.updateAccount({ ...key, scope: 'c' }), { scope: 'c' })
    t.match(await adapter.unlinkAccount(key), { providerAccountId: 'ADA', userId: id })
    t.strictSame(await storedIds(database), [])
  })

  await t.test('an id that looks like another’s spelling is its own', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const ids = ['ada', 'ADA', '!postern:414441', '!POSTERN:414441', '!postern:', '!postern:zz']
    const owners: string[] = []
    for (const [i, providerAccountId] of ids.entries()) {
      const key = { ...github, providerAccountId }
      t.equal(await adapter.getUserByAccount(key), null)
      owners.push((await newPerson(adapter, key, `${i}@example.com`)).id)
    }
    for (const [i, providerAccountId] of ids.entries()) {
      t.equal((await adapter.getUserByAccount({ provider: 'github', providerAccountId }))?.id, owners[i])
      t.match(await adapter.getAccounts(owners[i] ?? ''), [{ providerAccountId }])
    }
  })

  await t.test('an id that the table takes for another’s spelling does not take its place', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const lookalikes = ['!pöstern:414441', '！postern:414441', '\u00ad!postern:414441', '\u0001!ｐostern:414441', '!']
    const ids = ['ada', ...lookalikes, 'ADA']
    const owners: string[] = []
    for (const [i, providerAccountId] of ids.entries())
      owners.push((await newPerson(adapter, { ...github, providerAccountId }, `${i}@example.com`)).id)
    for (const [i, providerAccountId] of ids.entries()) {
      const key = { provider: 'github', providerAccountId }
      t.equal((await adapter.getUserByAccount(key))?.id, owners[i])
      t.match(await adapter.getAccounts(owners[i] ?? ''), [{ providerAccountId }])
      await t.rejects(async () => newPerson(adapter, { ...github, ...key }, `again${i}@example.com`), DuplicateError)
    }
  })

  await t.test('an id that was stored as it is, and would be spelt now, has one owner', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const { id: userId } = await adapter.createUser(ada)
    const key = { ...github, providerAccountId: '!pöstern:414441' }
    await database.raw.query(
      `insert into account (userId, type, provider, providerAccountId) values (?, 'oauth', ?, ?)`,
      [userId, key.provider, key.providerAccountId]
    )
    t.equal((await adapter.getUserByAccount(key))?.id, userId)
    await t.rejects(async () => newPerson(adapter, key, 'another@example.com'), DuplicateError)
    t.strictSame(await storedIds(database), ['!pöstern:414441'])
  })

  await t.test('an id that looks like another’s spelling and is too long to be spelt is refused', async (t) => {
    const adapter = open(t, await getDatabase(t))
    const spelt = 'V'.repeat(100)
    for (const prefix of ['!postern:', '!PÖSTERN:', '！postern:', '\u00ad!postern:']) {
      const lookalike = { ...github, providerAccountId: `${prefix}${Buffer.from(spelt).toString('hex')}` }
      await t.rejects(async () => newPerson(adapter, lookalike, 'eve@example.com'), { code: 'ER_DATA_TOO_LONG' })
      t.equal(await adapter.getUserByAccount(lookalike), null)
    }
    t.equal(await adapter.getUserByAccount({ provider: 'github', providerAccountId: spelt }), null)
  })

  await t.test('a twin in a transaction with other calls, and one too long to be spelt otherwise', async (t) => {
    const adapter = open(t, await getDatabase(t))
    const user = await adapter.createUser(ada)
    const long = 'a'.repeat(124)
    for (const providerAccountId of ['ada', 'ADA', long])
      t.equal(
        await adapter.transact([{ method: 'linkAccount', args: [{ ...github, providerAccountId, userId: user.id }] }]),
        true
      )
    t.equal((await adapter.getAccounts(user.id)).length, 3)
    const twin = { ...github, providerAccountId: long.toUpperCase() }
    await t.rejects(async () => adapter.linkAccount({ ...twin, userId: user.id }), DuplicateError)
    t.equal(await adapter.getUserByAccount(twin), null)
  })

  await t.test('many twins at one moment', async (t) => {
    const adapter = open(t, await getDatabase(t))
    const ids = ['josé', ...twins]
    const found = await Promise.all(
      ids.map((providerAccountId, i) => newPerson(adapter, { ...github, providerAccountId }, `${i}@example.com`))
    )
    for (const [i, providerAccountId] of ids.entries())
      t.equal((await adapter.getUserByAccount({ provider: 'github', providerAccountId }))?.id, found[i]?.id)
  })

  await t.test('addresses and tokens are distinguished, and a row that the table refuses is a duplicate', async (t) => {
    const adapter = open(t, await getDatabase(t))
    const { id } = await adapter.createUser({ email: 'jose@example.com', emailVerified: null })
    t.equal(await adapter.getUserByEmail('josé@example.com'), null)
    await t.rejects(async () => adapter.createUser({ email: 'josé@example.com', emailVerified: null }), DuplicateError)
    t.equal((await adapter.getUserByEmail('jose@example.com'))?.id, id)
    const expires = new Date(4_000_000_000_000)
    await adapter.createSession({ sessionToken: 'h1.aB', userId: id, expires })
    t.equal(await adapter.getSessionAndUser('h1.Ab'), null)
    await t.rejects(async () => adapter.createSession({ sessionToken: 'h1.Ab', userId: id, expires }), DuplicateError)
    await adapter.createVerificationToken({ identifier: 'ada', token: 'aB', expires })
    t.equal(await adapter.useVerificationToken({ identifier: 'ada', token: 'Ab' }), null)
    await t.rejects(
      async () => adapter.createVerificationToken({ identifier: 'Ada', token: 'aB', expires }),
      DuplicateError
    )
    t.ok(await adapter.useVerificationToken({ identifier: 'ada', token: 'aB' }))
  })
})
