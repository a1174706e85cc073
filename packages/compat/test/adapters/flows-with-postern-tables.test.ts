import { password } from '@postern/account/password'
import { secondFactor } from '@postern/account/second-factor'
import { withPosternTables } from '@postern/adapters/postern-tables'
import { postgresAdapter } from '@postern/adapters/postgres'
import type { Browser } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import { generateSync } from 'otplib'
import t, { type Test } from 'tap'
import { origin } from '../postern.ts'
import { type SignInMethods, startTestSite } from '../ways.ts'
import { getPostgresRows, type PostgresStore, postgresStores, withoutPostgres } from './postgres.ts'

type Strategy = 'jwt' | 'database'

interface World {
  readonly t: Test
  readonly store: PostgresStore
  readonly site: SignInMethods
  readonly strategy: Strategy
}

async function open(t: Test, name: string, strategy: Strategy): Promise<World> {
  const store = await postgresStores[name]?.(t)
  if (!store) throw new TypeError('expected the adapter')
  const own = postgresAdapter({ url: store.url, tables: store.tables })
  t.teardown(() => own.close())
  const adapter = withPosternTables(store.adapter, own, { sharedTables: true })
  const features = [password(), secondFactor()]
  // The ids of TypeORM's users are UUIDs.
  const person = { id: '6f1c7a1e-3f0b-4c8e-9a57-0d2b8f4e6a11', name: 'Ada', email: 'ada@form.test' }
  const credentials = { authorize: () => person }
  // What one instance ended counts at once.
  const constants = { revocationRefresh: 0 }
  const options = {
    adapter,
    features,
    constants,
    session: { strategy },
    rateLimit: false as const,
    instances: 1,
    credentials
  }
  return { t, store, strategy, site: await startTestSite(t, options) }
}

const getEmail = async (browser: Browser): Promise<string | null> =>
  (await browser.json<{ user?: { email?: string } }>('/api/auth/session')).user?.email ?? null

/** The row of a user, by address. */
async function findUser({ store }: World, email: string): Promise<string> {
  const users = await getPostgresRows(store, store.tables.users)
  return String(users.find((user) => user['email'] === email)?.['id'])
}

async function signInInThreeWays({ t, site, store }: World): Promise<void> {
  for (const time of ['first', 'second']) {
    const browser = site.browser()
    t.equal((await site.byIssuer(browser)).location, origin, `provider, the ${time} time`)
    t.equal(await getEmail(browser), 'ada@example.com')
  }
  t.equal((await getPostgresRows(store, store.tables.accounts)).length, 1)
  const browser = site.browser()
  t.equal((await site.byMail(browser)).location, origin, 'a mailed link')
  const again = await browser.fill(await browser.open(site.mailbox.last().url), '/api/auth/callback/email')
  t.match(again.location, /error=Verification/, 'works once')
  const other = site.browser()
  await other.submit('/api/auth/signin/email', { email: 'ada@mail.test' })
  const code = await other.submit('/api/auth/callback/email', { code: site.mailbox.last().code })
  t.equal(code.location, origin, 'a mailed code')
  t.equal((await site.byForm(site.browser())).location, origin, 'a form')
}

/** Links the provider to the user of a mail, and removes it from the user who had it first. */
async function moveAccount(world: World): Promise<void> {
  const { t, site } = world
  const { postern } = site.app
  const account = { provider: 'demo', providerAccountId: 'ada' }
  const [first, id] = [await findUser(world, 'ada@example.com'), await findUser(world, 'ada@mail.test')]
  const [owner, other] = [site.browser(), site.browser()]
  await site.byIssuer(owner)
  await site.byMail(other)
  t.match((await site.byIssuer(other)).location, /error=OAuthAccountNotLinked/)
  t.match(await postern.accounts.list(first), [account])
  t.match(await owner.json('/token'), { token: String })
  await postern.unlink(first, account)
  t.same(await postern.accounts.list(first), [])
  t.equal(await getEmail(owner), null, 'its sessions have ended')
  t.equal((await site.byIssuer(other)).location, origin, 'linked to the user who is signed in')
  t.match(await postern.accounts.list(id), [account])
  t.equal(await getEmail(other), 'ada@mail.test')
}

async function endSessions(world: World): Promise<void> {
  const { t, site } = world
  const { sessions } = site.app.postern
  const [browser, other] = [site.browser(), site.browser()]
  for (const one of [browser, other]) await site.byMail(one)
  await browser.submit('/api/auth/signout', {})
  t.equal(await getEmail(browser), null, 'signed out')
  t.equal(await getEmail(other), 'ada@mail.test')
  const id = await findUser(world, 'ada@mail.test')
  const listed = await sessions.list(id)
  t.ok(listed.length >= 2, `${listed.length} sessions`)
  for (const { id: session } of listed) await sessions.revoke(session, id)
  t.equal(await getEmail(other), null, 'one ended by its id')
  await site.byMail(other)
  await sessions.revokeAll(id)
  t.equal(await getEmail(other), null, 'all ended')
}

async function useSecondFactor(world: World): Promise<void> {
  const { t, site } = world
  const browser = site.browser()
  const fields = { email: 'grace@mail.test', password: 'a long sentence to remember' }
  const signUp = '/api/auth/password/sign-up'
  await browser.fill(await browser.open(signUp), signUp, fields)
  const confirmed = await browser.fill(await browser.open(site.mailbox.last().url), 'form')
  t.equal(confirmed.location, origin, 'sign-up with a password')
  const id = await findUser(world, fields.email)
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  await site.app.postern.features.factors.importTotp(id, { secret })
  const other = site.browser()
  const signIn = await other.submit('/api/auth/callback/password', fields)
  t.match(signIn.location, /SecondFactorRequired/)
  t.equal(await getEmail(other), null)
  const answered = await other.submit('/api/auth/verify/factor', { code: generateSync({ secret }) })
  t.equal(answered.location, origin, 'a code of the app')
  t.equal(await getEmail(other), fields.email)
}

async function removeEverything(world: World): Promise<void> {
  const { t, site, store } = world
  const { postern } = site.app
  const browser = site.browser()
  await site.byMail(browser)
  for (const user of await getPostgresRows(store, store.tables.users)) await postern.deleteUser(String(user['id']))
  t.equal(await getEmail(browser), null, 'deleted')
  for (const table of ['users', 'accounts', 'sessions'] as const)
    t.same(await getPostgresRows(store, store.tables[table]), [], `${table} are deleted`)
}

/** In `npm test` one adapter with one strategy: the migrations have each adapter. */
const cases = Object.keys(postgresStores)
  .toReversed()
  .flatMap((name) => (['jwt', 'database'] as const).map((strategy) => ({ name, strategy })))

for (const { name, strategy } of inTurn(cases)()) {
  t.test(`${name} with the tables of Postern, ${strategy}: every flow`, { skip: withoutPostgres }, async (t) => {
    const world = await open(t, name, strategy)
    for (const flow of [signInInThreeWays, moveAccount, endSessions, useSecondFactor, removeEverything])
      await flow({ ...world, t })
    const errors = world.site.log.filter(({ level }) => level === 'error')
    t.same(errors, [], 'no error is logged')
  })
}
