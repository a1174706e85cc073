import { postgresAdapter } from '@postern/adapters/postgres'
import t, { type Test } from 'tap'
import { createTestDatabase, postgresPort, withoutServer } from './databases.ts'
import { getSession, signInAtIssuer, signInByForm, start } from './start.ts'

const skip = await withoutServer('PostgreSQL', postgresPort)

/** An application whose user ids are UUIDs; its form returns other ids. */
async function startWithUuids(t: Test, strategy: 'jwt' | 'database') {
  const database = await createTestDatabase(t)
  await database.raw.query(`create table "user"
    (id uuid primary key, name text, email text unique, "emailVerified" timestamp(3) with time zone, image text)`)
  const adapter = postgresAdapter({ url: database.url() })
  t.teardown(() => adapter.close())
  return start(t, { adapter, session: { strategy } })
}

t.test('with user ids that are UUIDs', { skip }, async (t) => {
  await t.test('authorize with another id is refused with a message to the operator, and is no outage', async (t) => {
    const { browser, log } = await startWithUuids(t, 'database')
    for (let count = 0; count < 2; count++) {
      const { status, location } = await signInByForm(browser)
      t.match([status, location], [302, /error=CredentialsSignin/])
    }
    t.match(log.join(), /expected providers\.credentials\.authorize to return the id of a stored user/)
    t.notMatch(log.join(), /STORE_UNAVAILABLE/)
    t.same(await getSession(browser), {})
  })

  await t.test('a user of the form, whom the store cannot have, can sign in at a provider', async (t) => {
    const started = await startWithUuids(t, 'jwt')
    const { browser } = started
    await signInByForm(browser)
    t.match(await getSession(browser), { user: { name: 'grace' } })
    t.notMatch((await signInAtIssuer(started, browser)).location, /error/)
    t.match(await getSession(browser), { user: { name: 'Ada Lovelace' } })
  })

  for (const strategy of ['jwt', 'database'] as const)
    await t.test(`${strategy}: a call with another id is an error of its caller`, async (t) => {
      const { postern } = (await startWithUuids(t, strategy)).app
      const refused = { name: 'AccountError', code: 'INVALID_USER_ID', statusCode: 400 }
      // The records of JWT sessions have ids of any form.
      if (strategy === 'jwt') t.same(await postern.sessions.list('x'), [])
      else await t.rejects(postern.sessions.list('x'), refused)
      await t.rejects(postern.deleteUser('x'), refused)
      await t.rejects(postern.invite('x', { expiresIn: 60 }), refused)
      await t.rejects(postern.unlink('x', { provider: 'demo', providerAccountId: '1' }), refused)
      await t.rejects(postern.users.suspend('x'), refused)
      await t.rejects(postern.users.resume('x'), refused)
      t.equal(await postern.sessions.revoke(`${'0'.repeat(64)}.x`), false)
      t.same(await postern.sessions.list('8a2c8b1e-1f0d-4c8e-9d53-57a6f0a1c2d3'), [])
    })
})
