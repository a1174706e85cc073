import { setTimeout as delay } from 'node:timers/promises'
import { migrations, postgresAdapter } from '@postern/adapters/postgres'
import { type CuttableWay, newProxy } from '@postern/testkit'
import { type Rows, rowsBySql } from '@postern/testkit/oracle'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern from '../src/index.ts'
import { newPlace, postgresPort, withoutServer } from './databases.ts'
import { type Judged, judged } from './judged.ts'
import { type DatabaseServer, type Place, servers } from './servers.ts'
import {
  cookieNames,
  origin,
  people,
  type Started,
  type StartOptions,
  secret,
  sessionOf,
  signInAtIssuer,
  start
} from './start.ts'

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)

interface Cut extends Started, Judged {
  readonly place: Place
  readonly proxy: CuttableWay
}

/** An application whose database is at the end of a way that can be cut. */
async function startCut(t: Test, server: DatabaseServer, options: StartOptions = {}): Promise<Cut> {
  const place = await server.newPlace(t)
  const proxy = await newProxy(t, server.port)
  await proxy.up()
  const adapter = place.open(proxy.port)
  await adapter.ready()
  const started = await start(t, { adapter, session: { strategy: 'database' }, rateLimit: false, ...options })
  t.teardown(() => adapter.close())
  const isSigned = options.session?.strategy === 'jwt'
  const rows = async (): Promise<Rows> => {
    const stored = await place.rows()
    return isSigned ? { ...stored, sessions: null } : stored
  }
  return { ...started, ...judged(started, rows), place, proxy }
}

const ways = ['the provider', 'the link', 'the form'] as const
const kinds = { page: { accept: 'text/html' }, script: { 'x-auth-return-redirect': '1' } }

for (const server of servers) {
  const { name, missing: skip } = server

  for (const way of ways) {
    t.test(`${name} goes away in the middle of a sign-in by ${way}`, { skip }, async (t) => {
      const cut = await startCut(t, server)
      const { place, proxy, browserOf, begin, signIn, settle, log } = cut
      const before = await place.rows()
      const attempts = []
      for (const [kind, headers] of Object.entries(kinds)) {
        const browser = browserOf('ada')
        attempts.push({ kind, browser, finish: await begin(browser, 'ada', way), headers })
      }
      await proxy.down()
      for (const { kind, finish, browser, headers } of attempts) {
        const answer = await finish(headers)
        t.equal(answer.status, 503, kind)
        if (kind === 'page') t.match(answer.body, /You have not been signed out/)
        else t.match(answer.json<{ url: string }>().url, /error=StoreUnavailable/)
        t.notMatch(answer.body, /ECONNREFUSED|127\.0\.0\.1|postgres|mysql/i, 'no word of what is behind it')
        t.equal(browser.cookies.get(cookieNames.sessionToken), null, 'nobody is signed in')
      }
      t.ok(
        log.some((line) => line.includes('STORE_UNAVAILABLE_ERROR') && line.includes('ECONN')),
        'the log says why'
      )
      await proxy.up()
      const { links: _, ...unchanged } = before
      t.match(await place.rows(), unchanged, 'nothing was written')
      for (const { kind, finish, browser } of attempts) {
        // The provider gives out a code once.
        const answer = way === 'the provider' ? await signIn(browser, 'ada', way) : await finish()
        t.equal(answer.location, origin, `${kind}: once more`)
        t.ok((await sessionOf(browser)).user, kind)
      }
      await settle(t, `${name}, away in a sign-in by ${way}`)
    })
  }

  t.test(`${name} goes away: nobody is signed out, and no cookie changes`, { skip }, async (t) => {
    const { browserOf, signIn, proxy, settle } = await startCut(t, server)
    const browser = browserOf('grace')
    await signIn(browser, 'grace', 'the form')
    const token = browser.cookies.get(cookieNames.sessionToken)
    await proxy.down()
    for (const path of ['/api/auth/session', '/me', '/']) {
      const answer = await browser.open(path)
      t.same({ status: answer.status, cookies: answer.setCookies }, { status: 503, cookies: [] }, path)
    }
    for (const path of ['csrf', 'providers', 'signin', 'error'])
      t.equal((await browser.open(`/api/auth/${path}`)).status, 200, `${path} needs no database`)
    const out = await browser.submit('/api/auth/signout', {})
    t.equal(out.status, 503, 'a session that could not be ended is not said to be')
    await proxy.up()
    t.equal(browser.cookies.get(cookieNames.sessionToken), token)
    t.match(await sessionOf(browser), { user: { name: 'grace' } })
    await settle(t, `${name}, away from people who are signed in`)
  })

  t.test(`${name} ends connections at any moment: a session or 503, and no other`, { skip }, async (t) => {
    const { place, ledger, browserOf, signIn, settle } = await startCut(t, server)
    const people = Array.from({ length: 40 }, (_, index) => ({ person: `visitor${index}`, way: ways[index % 3] }))
    const atOnce = 8
    let isOver = false
    let ended = 0
    const answered = (): number => [...ledger.entries.values()].reduce((sum, { tries }) => sum + tries.length, 0)
    const kills = (async () => {
      while (!isOver) {
        ended += await place.endConnections()
        // However fast the machine is, each try meets a few of these.
        for (const before = answered(); !isOver && answered() < before + 3; ) await delay(10)
      }
    })()
    const work = async (): Promise<void> => {
      for (let next = people.shift(); next; next = people.shift()) {
        const { person, way = 'the form' } = next
        const browser = browserOf(person)
        const isIn = (): boolean => browser.cookies.get(cookieNames.sessionToken) !== null
        // A reload after an outage.
        for (let tries = 0; !isIn() && tries < 10; tries++) await signIn(browser, person, way)
        t.ok(isIn(), `${person} is signed in in the end`)
        for (let reads = 0; reads < 3; reads++) await browser.open('/api/auth/session')
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    isOver = true
    await kills
    t.ok(ended > 5, `${ended} connections were ended`)
    await settle(t, `${name}, ${ended} connections ended at any moment`, ['error Verification'])
  })

  t.test(`an application starts before ${name}, and works when it is there`, { skip }, async (t) => {
    const place = await server.newPlace(t)
    const proxy = await newProxy(t, server.port)
    const adapter = place.open(proxy.port)
    t.teardown(() => adapter.close())
    const started = await start(t, { adapter, session: { strategy: 'database' } })
    const { app, log } = started
    const { browserOf, signIn, settle } = judged(started, place.rows)
    const browser = browserOf('grace')
    const begin = performance.now()
    await app.ready()
    t.ok(performance.now() - begin < 6000)
    t.ok(log.some((line) => line.includes('ADAPTER_NOT_READY') && line.includes('ECONNREFUSED')))
    t.equal((await browser.open('/api/auth/signin')).status, 200)
    t.same(await browser.json('/api/auth/session'), {}, 'nobody needs no database')
    t.match(await signIn(browser, 'grace', 'the form'), { status: 503 })
    await proxy.up()
    await signIn(browser, 'grace', 'the form')
    t.match(await sessionOf(browser), { user: { name: 'grace' } })
    await settle(t, `${name}, down at start`)
  })
}

t.test('a database that does not answer at all does not keep the application from starting', async (t) => {
  const adapter = {
    ...postgresAdapter({ url: 'postgres://127.0.0.1:1/none' }),
    ready: () => new Promise<void>(() => {})
  }
  const { app, log } = await start(t, { adapter, instances: 1 })
  await app.ready()
  t.ok(log.some((line) => line.includes('ADAPTER_NOT_READY') && line.includes('5000 ms')))
})

t.test('an application does not start on tables that are missing', { skip: withoutPostgres }, async (t) => {
  const { url, raw } = await newPlace(t)
  const adapter = postgresAdapter({ url: url(), migrate: false })
  t.teardown(() => adapter.close())
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(postern, { url: origin, secret, providers: [people], adapter })
  await t.rejects(async () => app.ready(), { code: 'Schema', message: /migrations\/postgres\/0001_tables\.sql/ })
  await raw.query(migrations.map(({ sql }) => sql).join(''))
  const started = await start(t, { adapter, session: { strategy: 'database' } })
  const { browserOf, signIn, settle } = judged(started, () => rowsBySql(async (sql) => (await raw.query(sql)).rows))
  for (const way of ['the provider', 'the link', 'the form'] as const)
    await signIn(browserOf(way.slice(4)), way.slice(4), way)
  await settle(t, 'tables made by hand after a start without them')
})

for (const revocations of [true, false] as const) {
  const [server] = servers
  const what = revocations ? 'with revocations' : 'without revocations'
  if (!server) throw new Error('expected a database server')

  t.test(`signed tokens, ${what}, go on while the database is away`, { skip: server.missing }, async (t) => {
    const session = { strategy: 'jwt', ...(revocations ? {} : { revocations }) } as const
    // A process that has never read what was revoked cannot say: it answers 503.
    const { browserOf, begin, signIn, proxy, settle } = await startCut(t, server, { session, instances: 1 })
    const browser = browserOf('grace')
    await signIn(browser, 'grace', 'the provider')
    t.match(await sessionOf(browser), { user: { name: 'grace' } })
    const finish = await begin(browserOf('carol'), 'carol', 'the provider')
    await proxy.down()
    t.match(await sessionOf(browser), { user: { name: 'grace' } })
    t.equal((await finish()).status, 503, 'nobody new is let in')
    await proxy.up()
    t.match(await sessionOf(browser), { user: { name: 'grace' } })
    await settle(t, `${server.name}, away, signed tokens ${what}`)
  })
}

t.test('without a database there is nothing that could be away', async (t) => {
  const started = await start(t, { store: 'none' })
  t.equal((await signInAtIssuer(started, started.browser)).location, origin)
  t.match(await sessionOf(started.browser), { user: { name: 'Ada Lovelace' } })
})
