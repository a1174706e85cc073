import { mysqlAdapter } from '@postern/adapters/mysql'
import type { Test } from 'tap'
import { mysql as server, withServer } from '../../servers.ts'
import { ada, github } from '../people.ts'
import { authJsSchema } from './auth-js.ts'
import { reuseDatabases } from './databases.ts'

type GetDatabase = ReturnType<typeof reuseDatabases>

const inCharset = (t: Test, charset: string): GetDatabase =>
  reuseDatabases(t, `alter database character set ${charset}; ${authJsSchema}`)

async function open(t: Test, getDatabase: GetDatabase) {
  const { url } = await getDatabase(t)
  const adapter = mysqlAdapter({ url })
  t.teardown(() => adapter.close())
  return adapter
}

const cases: readonly [charset: string, text: string, held: string][] = [
  ['utf8mb3', ' Ada 😀 Привет€', 'Ada  Привет€'],
  ['latin1', 'Ada😀 é€ÿ\u0081 Ωт', 'Ada é€ÿ\u0081'],
  ['ascii', 'Adé-[\\]^ 😀', 'Ad-[\\]^']
]

await withServer(server, async (t) => {
  for (const [charset, text, held] of cases) {
    const getDatabase = inCharset(t, charset)

    await t.test(`tables in ${charset} hold what they can`, async (t) => {
      const adapter = await open(t, getDatabase)
      const user = await adapter.createUserWithAccount(
        { ...ada, name: text, image: `https://example.com/${text}` },
        { ...github, scope: text, access_token: 'access', id_token: text }
      )
      t.match(user, { name: held, image: null })
      t.strictSame(await adapter.getUserByAccount(github), user)
      t.match(await adapter.getAccounts(user.id), [{ scope: null, access_token: 'access', id_token: null }])
      await adapter.updateAccount({ ...github, refresh_token: text, scope: held })
      t.match(await adapter.getAccounts(user.id), [{ scope: held, refresh_token: null }])
      t.match(await adapter.updateUser({ id: user.id, name: '😀' }), { name: null })
      t.match(await adapter.updateUser({ id: user.id, name: held }), { name: held })
    })

    await t.test(`no user has an id that ${charset} lacks, nor gets it`, async (t) => {
      const adapter = await open(t, getDatabase)
      const user = await adapter.createUser(ada)
      const session = { sessionToken: 'h1.1', userId: user.id, expires: new Date(4_000_000_000_000) }
      await adapter.createSession(session)
      const id = text
      const account = { ...github, providerAccountId: id }
      t.equal(await adapter.getUser(id), null)
      t.equal(await adapter.getUserByEmail(id), null)
      t.equal(await adapter.getUserByAccount(account), null)
      t.equal(await adapter.getUserByAccount({ ...github, provider: id }), null)
      t.equal(await adapter.unlinkAccount(account), null)
      t.equal(await adapter.updateAccount({ ...account, scope: 'a' }), null)
      t.equal(await adapter.updateAccount({ ...account, scope: 'a' }, { refresh_token: id }), false)
      t.equal(await adapter.getSessionAndUser(id), null)
      t.equal(await adapter.deleteSession(id), null)
      t.equal(await adapter.deleteUser(id), null)
      t.strictSame(await adapter.getAccounts(id), [])
      t.strictSame(await adapter.listSessions(id), [])
      t.equal(await adapter.useVerificationToken({ identifier: id, token: 'hash' }), null)
      t.ok(await adapter.getSessionAndUser('h1.1'))
      await adapter.deleteSessions(user.id, id)
      t.equal(await adapter.getSessionAndUser('h1.1'), null, 'all but one that is not there')
      const error = { name: 'DatabaseError', code: 'CharacterSet' }
      const expires = new Date(4_000_000_000_000)
      await t.rejects(async () => adapter.createUser({ email: id, emailVerified: null }), error)
      await t.rejects(async () => adapter.linkAccount({ ...account, userId: user.id }), error)
      await t.rejects(
        async () => adapter.createUserWithAccount({ email: 'b@example.com', emailVerified: null }, account),
        error
      )
      await t.rejects(async () => adapter.createVerificationToken({ identifier: id, token: 'hash', expires }), error)
      t.equal(await adapter.getUserByEmail('b@example.com'), null, 'nothing is left of it')
    })
  }

  await t.test('a twin in latin1 is another', async (t) => {
    const adapter = await open(t, inCharset(t, 'latin1'))
    const users = ['josé', 'JOSÉ', 'jose'].map((providerAccountId, i) =>
      adapter.createUserWithAccount(
        { email: `${i}@example.com`, emailVerified: null },
        { ...github, providerAccountId }
      )
    )
    for (const user of await Promise.all(users)) t.equal((await adapter.getAccounts(user.id)).length, 1)
    await adapter.updateAccount({ ...github, providerAccountId: 'josé', access_token: 'é'.repeat(40_000) })
    t.equal((await adapter.getUserByAccount({ provider: 'github', providerAccountId: 'JOSÉ' }))?.email, '1@example.com')
  })
})
