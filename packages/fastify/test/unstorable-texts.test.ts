import { postgresAdapter } from '@postern/adapters/postgres'
import { ada } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { createTestDatabase, postgresPort, withoutServer } from './databases.ts'
import { cookieNames, getSession, type StartOptions, signInAtIssuer, start } from './start.ts'

// PostgreSQL refuses NUL in any text, and stores the same replacement for each lone surrogate.
const skip = await withoutServer('PostgreSQL', postgresPort)

const bad = ['\0', '\ud800'] as const

async function startOnPostgres(t: Test, options: StartOptions) {
  const adapter = postgresAdapter({ url: (await createTestDatabase(t)).url() })
  t.teardown(() => adapter.close())
  const started = await start(t, { adapter, ...options })
  return { ...started, adapter, isOutage: () => /STORE_UNAVAILABLE|adapter_error/.test(started.log.join()) }
}

const turns = turnsOf(['database', 'jwt'] as const, t)

for (const storage of ['both', 'plain'] as const) {
  t.test(`a cookie with NUL, stored ${storage}, is no session, and no outage`, { skip }, async (t: Test) => {
    const { browser, isOutage } = await startOnPostgres(t, { session: { strategy: 'database', storage } })
    for (const value of ['\0', 'a\0', 'h1.a\0b']) {
      browser.cookies.set(cookieNames.sessionToken, value, { secure: true })
      t.same(await getSession(browser), {})
      browser.cookies.set(cookieNames.sessionToken, value, { secure: true })
      t.not((await browser.submit('/api/auth/signout', {})).status, 503)
    }
    t.notOk(isOutage())
  })
}

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a provider may state any text: its users sign in, and again`, { skip }, async (t: Test) => {
    const started = await startOnPostgres(t, { session: { strategy } })
    const { browser, issuer, adapter, isOutage } = started
    for (const character of bad) {
      const text = `a${character}b`
      issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: text })
      issuer.faults.tokenFields = { access_token: text, scope: text }
      const person = {
        ...ada,
        ...{
          sub: `ada ${bad.indexOf(character)}`,
          name: text,
          picture: `https://a.test/${text}`,
          email: `${text}@a.test`
        }
      }
      for (const time of ['first', 'second']) {
        t.notMatch((await signInAtIssuer(started, browser, person)).location, /error/, `the ${time} time`)
        t.match(await getSession(browser), { user: { name: /^a.b$/ } })
      }
      const user = await adapter.getUserByAccount({ provider: 'demo', providerAccountId: person.sub })
      t.match(user, { name: /^a[ \ufffd]b$/, email: null }, 'an address that cannot be stored is none')
      const [record] = await adapter.getSessionRecords({ userId: user?.id ?? '' })
      t.equal(record?.providerSessionId, null, 'and neither is an id of a session')
    }
    t.notOk(isOutage())
  })

  test(`${strategy}: an application may ask for any id`, { skip }, async (t: Test) => {
    const { app, isOutage } = await startOnPostgres(t, { session: { strategy } })
    const { postern } = app
    for (const character of bad) {
      const id = `a${character}`
      const account = { provider: 'demo', providerAccountId: id }
      for (const selector of [{ id }, { email: `${id}@a.test` }, { account }])
        t.equal(await postern.users.find(selector), null)
      t.same(await postern.sessions.list(id), [])
      t.equal(await postern.sessions.revoke(`${'0'.repeat(64)}.${id}`), false)
      await t.rejects(postern.unlink(id, account), { name: 'AccountError', code: 'UNKNOWN_ACCOUNT' })
      await t.rejects(postern.invite(id, { expiresIn: 60 }), { name: 'AccountError' })
      await t.rejects(postern.users.suspend(id), { name: 'AccountError' })
    }
    t.notOk(isOutage())
  })
}

t.test('a form may state any name for its user, who is stored', { skip }, async (t) => {
  const texts = bad.map((character) => `a${character}b`)
  const authorize = async ({ name }: Readonly<Record<string, unknown>>) => {
    const given = texts[Number(name)] ?? ''
    return { id: `${name}`, name: given, email: `form-${name}@example.com`, image: given }
  }
  const { browser, isOutage } = await startOnPostgres(t, {
    session: { strategy: 'database' },
    providers: [{ id: 'credentials', name: 'Form', type: 'credentials', credentials: { name: {} }, authorize }]
  })
  for (const index of texts.keys()) {
    const { status, location } = await browser.submit('/api/auth/callback/credentials', { name: String(index) })
    t.notMatch(`${status} ${location}`, /503|error/)
    t.match(await getSession(browser), { user: { email: `form-${index}@example.com` } })
  }
  t.notOk(isOutage())
})

t.test('an address that normalizeIdentifier lets pass is no outage', { skip }, async (t) => {
  const { browser, isOutage } = await startOnPostgres(t, { mail: { normalizeIdentifier: (identifier) => identifier } })
  const { status, location } = await browser.submit('/api/auth/signin/email', { email: 'ada\0@example.com' })
  t.not(status, 503)
  t.match(location, /error=/)
  t.notOk(isOutage())
})
