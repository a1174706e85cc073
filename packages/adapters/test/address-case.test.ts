import { memoryAdapter } from '@postern/adapters/memory'
import { withPosternTables } from '@postern/adapters/postern-tables'
import type { Adapter } from '@postern/core'
import t, { type Test } from 'tap'
import { ada } from './drizzle/people.ts'
import { onEachDialect } from './stored-rows.ts'

type Users = Pick<Required<Adapter>, 'createUser' | 'getUserByEmail'>

const create = async (adapter: Pick<Users, 'createUser'>, email: string) =>
  adapter.createUser({ name: email, email, emailVerified: null })

/** The table of an application whose rows are there before Postern. */
const tables = {
  sqlite:
    'create table "user" ("id" text primary key not null, "name" text, "email" text, "emailVerified" integer, "image" text)',
  postgres:
    'create table "user" ("id" text primary key not null, "name" text, "email" text, "emailVerified" timestamp, "image" text)',
  mysql:
    'create table "user" ("id" varchar(36) primary key not null, "name" text, "email" varchar(255), "emailVerified" datetime(3), "image" text)'
} as const

/** A user who signed up with capitals cannot sign in: langfuse/langfuse#393. */
async function find(t: Test, adapter: Users): Promise<void> {
  const user = await create(adapter, 'Ada.Lovelace@Example.COM')
  const found = await adapter.getUserByEmail('ada.lovelace@example.com')
  t.equal(found?.id, user.id)
  t.equal(found?.email, 'Ada.Lovelace@Example.COM', 'as it is stored')
  t.equal(await adapter.getUserByEmail('ada_lovelace@example.com'), null)
  // The Kelvin sign is a k in lower case.
  await create(adapter, '\u212aarl@example.com')
  t.equal(await adapter.getUserByEmail('karl@example.com'), null, 'another letter')
}

/** Two users have one address: supabase/supabase-js#165. */
async function chooseExact(t: Test, adapter: Users): Promise<void> {
  await create(adapter, 'RRR@gmail.com')
  const exact = await create(adapter, 'rrr@gmail.com')
  t.equal((await adapter.getUserByEmail('rrr@gmail.com'))?.id, exact.id)
}

/** A look-up without case takes any of the rows that match: better-auth/better-auth#10296. */
async function refuseSeveral(t: Test, adapter: Users): Promise<void> {
  const [one, other] = [await create(adapter, 'Alice@x.example'), await create(adapter, 'ALICE@x.example')]
  const error = await Promise.resolve(adapter.getUserByEmail('alice@x.example')).then(
    () => null,
    (error: Error) => error
  )
  t.equal(error?.name, 'AmbiguousAddressError')
  t.match(error?.message, one.id)
  t.match(error?.message, other.id)
  t.notMatch(error?.message, /alice/i, 'no address')
}

for (const [name, run] of [
  ['an address that is stored with capitals finds its user, and no other', find],
  ['of two addresses that differ in case, the exact one is found', chooseExact],
  ['of several addresses that all differ in case, none is guessed', refuseSeveral]
] as const) {
  t.test(`memory: ${name}`, async (t) => run(t, memoryAdapter()))
  await onEachDialect(t, name, async (t, { open, run: sql, dialect }) => {
    await sql(tables[dialect])
    // With MySQL's default collation, the unique index of Auth.js would not let both in.
    await run(t, open())
  })
}

await onEachDialect(t, 'startup counts addresses with capitals, and names SQL that corrects them', async (t, rows) => {
  const { open, run } = rows
  await run(tables[rows.dialect])
  const adapter = open()
  for (const email of ['Ada@Example.com', 'Bob@example.com', 'BOB@example.com', 'carl@example.com'])
    await create(adapter, email)
  const [bob] = (await adapter.listUsers({ after: null, limit: 9 })).filter(({ email }) => email === 'BOB@example.com')
  await adapter.createUser({ name: 'None', email: null, emailVerified: null })
  await adapter.createUser({ name: 'None', email: null, emailVerified: null })
  const [problem, ...others] = await adapter.findProblems()
  t.same(others, [])
  t.equal(problem?.code, 'ADDRESS_NOT_LOWER_CASE')
  t.match(problem?.message, /3 of 6 users/)
  t.match(problem?.message, /merge the users of 1 address/)
  const [listing = '', correction = ''] = [/select lower.*?;/, /update .*?;/].map(
    (pattern) => pattern.exec(problem?.message ?? '')?.[0]
  )
  const shared = await run(listing)
  t.equal(shared.length, 1)
  t.ok(Object.values(shared[0] ?? {}).includes('bob@example.com'))
  await run(`delete from "user" where "id" = '${bob?.id}'`)
  await run(correction)
  t.same(
    (await run('select "email" from "user" where "email" is not null order by "email"')).map(({ email }) => email),
    ['ada@example.com', 'bob@example.com', 'carl@example.com']
  )
  t.same(await adapter.findProblems(), [])
})

await onEachDialect(t, 'a key that exists is a DuplicateError', async (t, { open }) => {
  const adapter = open()
  await adapter.createUser(ada)
  await t.rejects(adapter.createUser({ ...ada, name: 'Eve' }), { name: 'DuplicateError' })
})

await onEachDialect(t, 'an adapter of another library finds them with the postern tables', async (t, rows) => {
  await rows.run(tables[rows.dialect])
  const tables2 = rows.open()
  const { findProblems: _, checkUserDeletion: _deletion, ...foreign } = rows.open()
  const exactOnly = {
    ...foreign,
    getUserByEmail: async (email: string) =>
      (await foreign.listUsers({ after: null, limit: 100 })).find((user) => user.email === email) ?? null
  }
  const adapter = withPosternTables(exactOnly, tables2)
  const user = await create(foreign, 'Ada@Example.com')
  t.equal((await adapter.getUserByEmail('ada@example.com'))?.id, user.id)
  t.equal(await adapter.getUserByEmail('bob@example.com'), null)
  t.equal((await adapter.findProblems?.())?.length, 1)
})
