import type { Test } from 'tap'
import t from 'tap'
import { newAccount, newFactor, newSession } from '../src/contract/data.ts'
import { ada } from './drizzle/people.ts'
import { onEachDialect, type StoredRows } from './stored-rows.ts'

/** MySQL reads the first comment, and MariaDB the second. */
const collation = '/*!80000 utf8mb4_0900_bin */ /*M! utf8mb4_nopad_bin */'
const key = { sqlite: 'text', postgres: 'text', mysql: `varchar(255) character set utf8mb4 collate ${collation}` }

/** Tables of an application that refer to the users. */
const posts = (dialect: StoredRows['dialect'], reference: string): string =>
  `create table "posts" ("id" integer primary key, "author" ${key[dialect]} ${reference})`

const restricts = 'not null, constraint "posts_author_fk" foreign key ("author") references "user" ("id")'

async function createPerson({ open }: StoredRows) {
  const adapter = open()
  const { id } = await adapter.createUser(ada)
  await adapter.linkAccount({ ...newAccount(), userId: id })
  const session = newSession(id)
  await adapter.createSession(session)
  const factor = newFactor(id)
  await adapter.createFactor(factor)
  return { adapter, id, session, factor }
}

async function checkRefusal(t: Test, rows: StoredRows, reference: string): Promise<void> {
  const { adapter, id, session, factor } = await createPerson(rows)
  await rows.run(posts(rows.dialect, reference))
  await adapter.checkUserDeletion(id)
  t.ok(await adapter.getUser(id), 'trying deletes nothing')
  await rows.run(`insert into "posts" values (1, '${id}')`)
  for (const method of ['checkUserDeletion', 'deleteUser'] as const) {
    const error = await Promise.resolve(adapter[method](id)).then(
      () => null,
      (error: Error) => error
    )
    t.equal(error?.name, 'DatabaseError', method)
    t.match(error?.message, /posts/, `${method} names the table`)
    if (rows.dialect !== 'sqlite') t.match(error?.message, /posts_author_fk/, `${method} names the constraint`)
    t.notMatch(error?.message, id, 'no value')
  }
  t.ok(await adapter.getSessionAndUser(session.sessionToken), 'the session is there')
  t.ok(await adapter.getFactor(factor), 'the factor is there')
  t.equal((await adapter.getAccounts(id)).length, 1, 'the account is there')
  await rows.run('delete from "posts"')
  await adapter.checkUserDeletion(id)
  await adapter.deleteUser(id)
  t.equal(await adapter.getUser(id), null)
}

await onEachDialect(t, 'a constraint that refuses a deletion is named, and nothing is deleted', (t, rows) =>
  checkRefusal(t, rows, restricts)
)

await onEachDialect(t, 'so is one that is only checked at the commit', async (t, rows) => {
  if (rows.dialect === 'mysql') t.pass('the server has none')
  else await checkRefusal(t, rows, `${restricts} deferrable initially deferred`)
})

await onEachDialect(t, 'a constraint that cascades refuses nothing', async (t, rows) => {
  const { adapter, id } = await createPerson(rows)
  await rows.run(posts(rows.dialect, `${restricts} on delete cascade`))
  await rows.run(`insert into "posts" values (1, '${id}')`)
  await adapter.checkUserDeletion(id)
  t.equal((await rows.run('select * from "posts"')).length, 1)
  await adapter.deleteUser(id)
  t.equal((await rows.run('select * from "posts"')).length, 0)
})
