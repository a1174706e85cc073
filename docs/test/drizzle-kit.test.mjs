// Every block that is a schema file of drizzle-kit creates tables that the adapter works with.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { postgresAdapter } from '@postern/adapters/postgres'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { getTableName } from 'drizzle-orm'
import { transform } from 'esbuild'
import pg from 'pg'
import t from 'tap'
import { blocks, docs, getName, lacks, withDatabase } from './blocks.mjs'

const schemas = blocks.filter(({ language, code }) => language === 'ts' && /export .*posternTickets/.test(code))
const folder = join(docs, 'build/schemas')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

/** Loads the exports of a block; one whose exports follow in the same block has them all. */
async function load(block) {
  const file = join(folder, `${getName(block)}.mjs`)
  writeFileSync(file, (await transform(block.code, { loader: 'ts' })).code)
  return import(pathToFileURL(file).href)
}

t.ok(schemas.length >= 2, 'with the exported tables, and with an own table of users')

/** Makes the tables of a block, and uses them. */
async function useTables(t, block, address) {
  const schema = await load(block)
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    for (const statement of await generateMigration(generateDrizzleJson({}), generateDrizzleJson({ ...schema })))
      await client.query(statement)
  } finally {
    await client.end()
  }
  const { users, accounts, sessions, verificationTokens } = schema
  const names = { accounts, sessions, verificationTokens }
  const tables = Object.fromEntries(Object.entries(names).map(([name, table]) => [name, getTableName(table)]))
  const adapter = postgresAdapter({ url: address, migrate: false, tables: { users, ...tables } })
  const account = { type: 'oauth', provider: 'github', providerAccountId: '1' }
  const user = await adapter.createUserWithAccount({ email: 'ada@example.com', emailVerified: null }, account)
  await adapter.createSession({ sessionToken: 'token', userId: user.id, expires: new Date(Date.now() + 60_000) })
  t.equal((await adapter.getSessionAndUser('token'))?.user.email, 'ada@example.com')
  await adapter.deleteUser(user.id)
  t.same(await adapter.getAccounts(user.id), [])
  t.equal(await adapter.getSessionAndUser('token'), null)
  await adapter.close()
}

for (const block of schemas)
  t.test(
    `${block.page}:${block.line} creates tables that the adapter works with`,
    { skip: await lacks({ code: '@postern/adapters/postgres' }) },
    (t) => withDatabase((address) => useTables(t, block, address))
  )
