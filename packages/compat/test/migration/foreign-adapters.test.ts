import { withPosternTables } from '@postern/adapters/postern-tables'
import { postgresAdapter } from '@postern/adapters/postgres'
import type { PosternOptions, Session } from '@postern/core'
import { type CookieJar, createCookieJar, type Issuer } from '@postern/testkit'
import { isLong, some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getPostgresRows, type PostgresStore, postgresStores, withoutPostgres } from '../adapters/postgres.ts'
import { startNextAuth } from '../next-auth.ts'
import { origin, type Started, startPostern } from '../postern.ts'
import { serve } from '../side-by-side/pair.ts'

/** How the new build stores its rows: see docs/migration.md, step 3. */
type Storing = 'their adapter' | 'their adapter with the tables of Postern' | 'the adapter of Postern'

interface Migration {
  readonly name: string
  readonly strategy: 'jwt' | 'database'
  readonly storing: Storing
}

const migrations: readonly Migration[] = Object.keys(postgresStores).flatMap((name) =>
  (['database', 'jwt'] as const).flatMap((strategy) =>
    (['their adapter with the tables of Postern', 'the adapter of Postern', 'their adapter'] as const)
      // Revocations of JWT sessions need an adapter of Postern.
      .filter((storing) => strategy === 'database' || storing !== 'their adapter')
      // TypeORM has times as text, which no other adapter reads.
      .filter((storing) => storing !== 'the adapter of Postern' || name !== '@auth/typeorm-adapter')
      .map((storing) => ({ name, strategy, storing }))
  )
)

/** In `npm test` each adapter, strategy and way to store rows occurs, in the long run each with each. */
const someMigrations = some(migrations, ({ name, strategy, storing }) => [name, strategy, storing], 1)

const day = 86_400_000

/** What the `session` callback receives in both libraries. */
interface SessionInput {
  readonly session: Session
  readonly user?: object
  readonly token?: { readonly sub?: string | null } | null
}

/** The options of an application of next-auth v4, for both libraries. */
function createOptions({ issuer, clientId, clientSecret }: Issuer, links: string[]) {
  return {
    providers: [
      {
        id: 'demo',
        name: 'Demo',
        type: 'oauth' as const,
        wellKnown: `${issuer}/.well-known/openid-configuration`,
        clientId,
        clientSecret: clientSecret ?? '',
        authorization: { params: { scope: 'openid email profile' } },
        idToken: true,
        checks: ['pkce' as const, 'state' as const],
        profile: ({ sub, name, email }: Record<string, string>) => ({ id: sub ?? '', name, email })
      },
      {
        id: 'email',
        name: 'Email',
        type: 'email' as const,
        server: 'smtp://mail.test',
        from: 'a@app.test',
        confirm: 'never' as const,
        sendVerificationRequest: async ({ url }: { url: string }) => void links.push(url)
      }
    ],
    callbacks: {
      session: ({ session, user, token }: SessionInput) => ({
        ...session,
        ...(user && 'role' in user ? { role: user.role } : {}),
        ...(token ? { id: token.sub } : {})
      })
    }
  }
}

/** The application before and after its migration, on one database. */
async function createWorld(t: Test, { name, strategy, storing }: Migration) {
  const store = await postgresStores[name]?.(t)
  if (!store) throw new TypeError('expected the adapter')
  const issuer = await serve(t)
  const links: string[] = []
  const options = createOptions(issuer, links)
  let days = 0
  const runtime = {
    now: () => Date.now() + days * day,
    fetch: (url: string, init?: RequestInit) => issuer.fetch(url, init)
  }
  const openAdapter = async (): Promise<PosternOptions['adapter']> => {
    if (storing === 'their adapter') return store.adapter
    const own = postgresAdapter({ url: store.url, tables: store.tables })
    t.teardown(() => own.close())
    if (storing === 'their adapter with the tables of Postern') return withPosternTables(store.adapter, own)
    // Prisma generates the ids of these rows, and Kysely leaves them to the database.
    for (const table of name.includes('prisma') ? ['Account', 'Session'] : [])
      await store.raw.query(`alter table "${table}" alter id set default gen_random_uuid()::text`)
    return own
  }
  return {
    store,
    startNextAuth: () => startNextAuth(t, Object({ ...options, adapter: store.adapter, session: { strategy } })),
    startOurs: async (session: NonNullable<PosternOptions['session']>) =>
      startPostern(t, {
        ...options,
        ...{ adapter: await openAdapter(), session: { strategy, ...session }, runtime, rateLimit: false }
      }),
    advance: (by: number) => {
      days += by
    },
    signIn: async (server: Started, jar: CookieJar): Promise<string | null> => {
      const browser = server.browser(jar)
      const { location } = await browser.submit('/api/auth/signin/demo', {})
      const headers = { 'sec-fetch-site': 'cross-site' }
      return (await browser.open(await issuer.authorize(location ?? ''), { headers })).location
    },
    signInByMail: async (server: Started, jar: CookieJar): Promise<string | null> => {
      const browser = server.browser(jar)
      await browser.submit('/api/auth/signin/email', { email: 'grace@mail.test' })
      const { location } = await browser.open(links.at(-1) ?? '')
      return location
    },
    openLinkAgain: async (server: Started) => (await server.browser().open(links.at(-1) ?? '')).location
  }
}

const people = { ada: 'ada@example.com', grace: 'grace@mail.test' } as const

/** Asserts that the devices are signed in at these servers. */
async function areSignedIn(
  t: Test,
  servers: readonly Started[],
  devices: ReadonlyMap<CookieJar, string>,
  when: string
) {
  for (const server of servers) {
    for (const [jar, email] of devices)
      t.match(await server.browser(jar).json('/api/auth/session'), { user: { email } }, `${when}: ${email}`)
  }
}

const getErrors = ({ log }: Started): readonly unknown[] => log.filter(({ level }) => level === 'error')

/** The rows that a migration must not change. */
async function getKept(store: PostgresStore) {
  const [users, accounts] = [
    await getPostgresRows(store, store.tables.users),
    await getPostgresRows(store, store.tables.accounts)
  ]
  return {
    users: users.map(({ id, email, name, role }) => ({ id, email, name, role })),
    accounts: accounts.map(({ id, userId, provider, providerAccountId }) => ({
      id,
      userId,
      provider,
      providerAccountId
    }))
  }
}

async function getTokens(store: PostgresStore): Promise<readonly string[]> {
  return (await getPostgresRows(store, store.tables.sessions)).map(({ sessionToken }) => String(sessionToken))
}

/** The options of the columns of docs/migration.md, step 4. */
const columns = {
  database: [{ storage: 'plain' }, { storage: 'both' }, { storage: 'hashed' }],
  jwt: [{ revocations: false }, {}, {}]
} as const

// In `npm test` two adapters, one with each strategy.
for (const migration of isLong ? someMigrations : someMigrations.slice(0, 2)) {
  const { name, strategy, storing } = migration
  const title = `docs/migration.md with ${name}, ${strategy}, ${storing}: nobody has to sign in again`
  t.test(title, { skip: withoutPostgres }, async (t) => {
    const world = await createWorld(t, migration)
    const { store } = world
    const nextAuth = await world.startNextAuth()
    const [ada, grace, phone, elsewhere] = [createCookieJar(), createCookieJar(), createCookieJar(), createCookieJar()]
    const devices = new Map<CookieJar, string>([
      [ada, people.ada],
      [phone, people.ada],
      [grace, people.grace]
    ])
    for (const jar of [ada, phone]) t.equal(await world.signIn(nextAuth, jar), origin)
    t.equal(await world.signInByMail(nextAuth, grace), origin)
    await store.raw.query(`update "${store.tables.users}" set role = 'admin' where email = '${people.ada}'`)
    const kept = await getKept(store)
    t.match([kept.users.length, kept.accounts.length], [2, 1])

    const [whileItRuns, afterIt, inTheEnd] = columns[strategy]
    const first = await world.startOurs(whileItRuns)
    await areSignedIn(t, [first, nextAuth], devices, 'while next-auth is running')
    t.equal(await world.signIn(first, elsewhere), origin)
    devices.set(elsewhere, people.ada)
    await areSignedIn(t, [first, nextAuth], devices, 'after a sign-in at Postern')
    t.equal(await world.signInByMail(first, createCookieJar()), origin)
    t.match(await world.openLinkAgain(first), /error=Verification/, 'a mailed link works once')
    t.equal(await world.signIn(nextAuth, createCookieJar()), origin, 'and back')

    const second = await world.startOurs(afterIt)
    await areSignedIn(t, [second], devices, 'after next-auth has stopped')
    const session = await second.browser(ada).json<{ role?: string; id?: string }>('/api/auth/session')
    if (strategy === 'jwt') t.equal(session.id, kept.users.find(({ email }) => email === people.ada)?.id)
    else if (storing !== 'the adapter of Postern')
      t.equal(session.role, 'admin', 'callbacks see the columns of the user')
    if (strategy === 'database') {
      const cookie = '__Secure-next-auth.session-token'
      const stored = await getTokens(store)
      for (const jar of devices.keys())
        t.notOk(stored.includes(String(jar.get(cookie))), 'a row that was used is hashed')
    }
    const late = createCookieJar()
    t.equal(await world.signIn(second, late), origin)
    t.equal(await world.signInByMail(second, createCookieJar()), origin)
    await second.browser(late).submit('/api/auth/signout', {})
    t.same(await second.browser(late).json('/api/auth/session'), {}, 'and out')

    const third = await world.startOurs(inTheEnd)
    world.advance(2)
    await areSignedIn(t, [third], devices, 'in the end, two days later')
    await areSignedIn(t, [third], devices, 'and again, after they were renewed')
    t.same(await getKept(store), kept, 'the users and accounts are those of before')
    for (const server of [nextAuth, first, second, third]) t.same(getErrors(server), [])
  })
}

t.test(
  'docs/migration.md, step 1: options of next-auth with database sessions',
  { skip: withoutPostgres },
  async (t) => {
    const world = await createWorld(t, { name: '@auth/kysely-adapter', strategy: 'database', storing: 'their adapter' })
    const jar = createCookieJar()
    t.equal(await world.signIn(await world.startNextAuth(), jar), origin)
    const postern = await world.startOurs({})
    t.same(await postern.browser(jar).json('/api/auth/session'), {})
    const warnings = postern.log.filter(({ metadata }) => String(metadata).startsWith('session.storage: not set'))
    t.match(warnings, [{ level: 'warn' }], 'startup says why nobody is signed in, and what to set')
  }
)
