import { mock } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { migrations, postgresAdapter } from '@postern/adapters/postgres'
import type { Adapter } from '@postern/core'
import { type CuttableRoute, newProxy } from '@postern/testkit'
import { type Rows, rowsBySql } from '@postern/testkit/consistency-checker'
import { some, times } from '@postern/testkit/long'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern from '../src/index.ts'
import { createTestDatabase, postgresPort, withoutServer } from './databases.ts'
import { type Judged, judged } from './judged.ts'
import { type DatabaseServer, reuseDatabases, servers, type TestDatabase } from './servers.ts'
import {
  cookieNames,
  getSession,
  origin,
  people,
  type Started,
  type StartOptions,
  secret,
  signInAtIssuer,
  start
} from './start.ts'

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)

interface Cut extends Started, Judged {
  readonly database: TestDatabase
  readonly proxy: CuttableRoute
}

interface Place {
  readonly server: DatabaseServer
  readonly getDatabase: (t: Test) => Promise<TestDatabase>
  /** Connections of the application: each that ends is opened again. @defaultValue `2` */
  readonly max?: number
}

const places = servers.map((server): Place => ({ server, getDatabase: reuseDatabases(t, server) }))

/** An application whose database connection can be cut. */
async function startCut(t: Test, { server, getDatabase, max = 2 }: Place, options: StartOptions = {}): Promise<Cut> {
  const database = await getDatabase(t)
  const proxy = await newProxy(t, server.port)
  await proxy.up()
  const adapter = database.open(proxy.port, { max })
  await adapter.ready()
  const started = await start(t, { adapter, session: { strategy: 'database' }, rateLimit: false, ...options })
  t.teardown(() => adapter.close())
  const isSigned = options.session?.strategy === 'jwt'
  const rows = async (): Promise<Rows> => {
    const stored = await database.rows()
    return isSigned ? { ...stored, sessions: null } : stored
  }
  return { ...started, ...judged(started, rows), database, proxy }
}

const methods = ['the provider', 'the link', 'the form'] as const
const kinds = { page: { accept: 'text/html' }, script: { 'x-auth-return-redirect': '1' } }

// @first: the tests wait for time limits and connections.

/** In `npm test` each server goes away once in a sign-in, and each method is interrupted once. */
const interrupted = some(
  places.flatMap((place) => methods.map((method) => ({ place, method }))),
  ({ place, method }) => [place.server.name, method],
  1
)

for (const place of places) {
  const { server } = place
  const { name, missing: skip } = server

  for (const { method } of interrupted.filter((one) => one.place === place)) {
    t.test(`${name} goes away in the middle of a sign-in by ${method}`, { skip }, async (t) => {
      const cut = await startCut(t, place)
      const { database, proxy, getBrowser, begin, signIn, settle, log } = cut
      const before = await database.rows()
      const attempts = []
      for (const [kind, headers] of Object.entries(kinds)) {
        const browser = getBrowser('ada')
        attempts.push({ kind, browser, finish: await begin(browser, 'ada', method), headers })
      }
      await proxy.down()
      for (const { kind, finish, browser, headers } of attempts) {
        const response = await finish(headers)
        t.equal(response.status, 503, kind)
        if (kind === 'page') t.match(response.body, /You have not been signed out/)
        else t.match(response.json<{ url: string }>().url, /error=StoreUnavailable/)
        t.notMatch(response.body, /ECONNREFUSED|127\.0\.0\.1|postgres|mysql/i, 'no word of what is behind it')
        t.equal(browser.cookies.get(cookieNames.sessionToken), null, 'no user is signed in')
      }
      t.ok(
        log.some((line) => line.includes('STORE_UNAVAILABLE_ERROR') && line.includes('ECONN')),
        'the log contains the reason'
      )
      await proxy.up()
      const { links: _, ...unchanged } = before
      t.match(await database.rows(), unchanged, 'nothing was written')
      for (const { kind, finish, browser } of attempts) {
        // The provider gives out a code once.
        const response = method === 'the provider' ? await signIn(browser, 'ada', method) : await finish()
        t.equal(response.location, origin, `${kind}: again`)
        t.ok((await getSession(browser)).user, kind)
      }
      await settle(t, `${name}, away in a sign-in by ${method}`)
    })
  }

  t.test(`${name} goes away: no user is signed out, and no cookie changes`, { skip }, async (t) => {
    const { getBrowser, signIn, proxy, settle } = await startCut(t, place)
    const browser = getBrowser('grace')
    await signIn(browser, 'grace', 'the form')
    const token = browser.cookies.get(cookieNames.sessionToken)
    await proxy.down()
    for (const path of ['/api/auth/session', '/me', '/']) {
      const response = await browser.open(path)
      t.same({ status: response.status, cookies: response.setCookies }, { status: 503, cookies: [] }, path)
    }
    for (const path of ['csrf', 'providers', 'signin', 'error'])
      t.equal((await browser.open(`/api/auth/${path}`)).status, 200, `${path} needs no database`)
    const out = await browser.submit('/api/auth/signout', {})
    t.equal(out.status, 503, 'a sign-out that failed does not report success')
    await proxy.up()
    t.equal(browser.cookies.get(cookieNames.sessionToken), token)
    t.match(await getSession(browser), { user: { name: 'grace' } })
    await settle(t, `${name}, away from people who are signed in`)
  })

  t.test(`${name} ends connections at any moment: a session or 503, and no other`, { skip }, async (t) => {
    const { database, ledger, getBrowser, signIn, settle } = await startCut(t, { ...place, max: 4 })
    const people = times(12, 40)
    const [concurrent, enough] = [8, 6]
    let isOver = false
    let ended = 0
    let begun = 0
    const answered = (): number => [...ledger.entries.values()].reduce((sum, { tries }) => sum + tries.length, 0)
    const kills = (async () => {
      while (!isOver) {
        ended += await database.endConnections()
        // However fast the machine is, each try meets a few of these.
        for (const before = answered(); !isOver && answered() < before + 3; ) await delay(10)
      }
    })()
    const work = async (): Promise<void> => {
      // However few connections are open when they are ended, enough of them are.
      while (begun < people || ended < enough) {
        const index = begun++
        const [person, method = 'the form'] = [`visitor${index}`, methods[index % 3]]
        const browser = getBrowser(person)
        const isIn = (): boolean => browser.cookies.get(cookieNames.sessionToken) !== null
        // A reload after an outage.
        for (let tries = 0; !isIn() && tries < 10; tries++) await signIn(browser, person, method)
        t.ok(isIn(), `${person} is signed in in the end`)
        for (let reads = 0; reads < 3; reads++) await browser.open('/api/auth/session')
      }
    }
    await Promise.all(Array.from({ length: concurrent }, work))
    isOver = true
    await kills
    t.ok(ended >= enough, `${ended} connections were ended`)
    await settle(t, `${name}, ${ended} connections ended at any moment`, ['error Verification'])
  })

  t.test(`an application starts before ${name}, and works when it is there`, { skip }, async (t) => {
    const database = await server.createTestDatabase(t)
    const proxy = await newProxy(t, server.port)
    const adapter = database.open(proxy.port, { max: 2 })
    t.teardown(() => adapter.close())
    const started = await start(t, { adapter, session: { strategy: 'database' } })
    const { app, log } = started
    const { getBrowser, signIn, settle } = judged(started, database.rows)
    const browser = getBrowser('grace')
    const begin = performance.now()
    await app.ready()
    t.ok(performance.now() - begin < 6000)
    t.ok(log.some((line) => line.includes('ADAPTER_NOT_READY') && line.includes('ECONNREFUSED')))
    t.equal((await browser.open('/api/auth/signin')).status, 200)
    t.same(await browser.json('/api/auth/session'), {}, 'no one needs no database')
    t.match(await signIn(browser, 'grace', 'the form'), { status: 503 })
    await proxy.up()
    await signIn(browser, 'grace', 'the form')
    t.match(await getSession(browser), { user: { name: 'grace' } })
    await settle(t, `${name}, down at start`)
  })
}

t.test('an unresponsive database does not prevent the start of the application', async (t) => {
  let onAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve
  })
  const adapter = {
    ...postgresAdapter({ url: 'postgres://127.0.0.1:1/none' }),
    ready: () => {
      onAsked()
      return new Promise<void>(() => {})
    }
  }
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { app, log } = await start(t, { adapter, instances: 1 })
  let isReady = false
  const ready = app.ready().then(() => {
    isReady = true
  })
  await asked
  await nextTurn()
  mock.timers.tick(4999)
  await nextTurn()
  t.notOk(isReady, 'it waits for the database')
  mock.timers.tick(1)
  await ready
  t.ok(log.some((line) => line.includes('ADAPTER_NOT_READY') && line.includes('5000 ms')))
})

t.test('an application does not start on tables that are missing', { skip: withoutPostgres }, async (t) => {
  const { url, raw } = await createTestDatabase(t)
  const adapter = postgresAdapter({ url: url(), migrate: false })
  t.teardown(() => adapter.close())
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(postern, { url: origin, secret, providers: [people], adapter })
  await t.rejects(async () => app.ready(), { code: 'Schema', message: /migrations\/postgres\/0001_tables\.sql/ })
  await raw.query(migrations.map(({ sql }) => sql).join(''))
  const started = await start(t, { adapter, session: { strategy: 'database' } })
  const { getBrowser, signIn, settle } = judged(started, () => rowsBySql(async (sql) => (await raw.query(sql)).rows))
  for (const method of ['the provider', 'the link', 'the form'] as const)
    await signIn(getBrowser(method.slice(4)), method.slice(4), method)
  await settle(t, 'tables made by hand after a start without them')
})

t.test('an application does not start on a store that it would misread', { skip: withoutPostgres }, async (t) => {
  const { url, raw } = await createTestDatabase(t)
  const begin = async (adapter: { readonly close: () => unknown }) => {
    t.teardown(() => adapter.close())
    const app = Fastify()
    t.teardown(() => app.close())
    app.register(postern, { url: origin, secret, providers: [people], adapter: adapter as Adapter })
    await app.ready()
  }
  await begin(postgresAdapter({ url: url() }))
  await raw.query(`alter table session alter expires type text; set datestyle = 'German'`)
  await t.rejects(begin(postgresAdapter({ url: url() })), {
    code: 'ColumnType',
    message: /"session"."expires" is text/
  })
  await t.rejects(begin(postgresAdapter({ pool: raw })), { code: 'Setting', message: /DateStyle to be ISO/ })
})

for (const revocations of [true, false] as const) {
  const [place] = places
  const title = revocations ? 'with revocations' : 'without revocations'
  if (!place) throw new Error('expected a database server')

  t.test(
    `JWT sessions, ${title}, remain valid while the database is down`,
    { skip: place.server.missing },
    async (t) => {
      const session = { strategy: 'jwt', ...(revocations ? {} : { revocations }) } as const
      // A process that has never read what was revoked cannot say: it responds with 503.
      const { getBrowser, begin, signIn, proxy, settle } = await startCut(t, place, { session, instances: 1 })
      const browser = getBrowser('grace')
      await signIn(browser, 'grace', 'the provider')
      t.match(await getSession(browser), { user: { name: 'grace' } })
      const finish = await begin(getBrowser('carol'), 'carol', 'the provider')
      await proxy.down()
      t.match(await getSession(browser), { user: { name: 'grace' } })
      t.equal((await finish()).status, 503, 'no one new is admitted')
      await proxy.up()
      t.match(await getSession(browser), { user: { name: 'grace' } })
      await settle(t, `${place.server.name}, away, JWT sessions ${title}`)
    }
  )
}

t.test('without a database there is nothing that could be away', async (t) => {
  const started = await start(t, { store: 'none' })
  t.equal((await signInAtIssuer(started, started.browser)).location, origin)
  t.match(await getSession(started.browser), { user: { name: 'Ada Lovelace' } })
})
