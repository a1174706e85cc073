import { postgresAdapter } from '@postern/adapters/postgres'
import { type Browser, type BrowserResponse, type CuttableWay, newProxy } from '@postern/testkit'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern from '../src/index.ts'
import { newPlace, type Place, postgresPort, withoutServer } from './databases.ts'
import {
  cookieNames,
  fromAfar,
  origin,
  people,
  type Started,
  type StartOptions,
  secret,
  sessionOf,
  signInAtIssuer,
  signInByForm,
  start
} from './start.ts'

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)

interface Cut extends Started {
  readonly place: Place
  readonly proxy: CuttableWay
}

/** An application whose database is at the end of a way that can be cut. */
async function startCut(t: Test, options: StartOptions = {}): Promise<Cut> {
  const place = await newPlace(t)
  const proxy = await newProxy(t, postgresPort)
  await proxy.up()
  const adapter = postgresAdapter({ url: place.url(proxy.port) })
  await adapter.ready()
  const started = await start(t, { adapter, session: { strategy: 'database' }, rateLimit: false, ...options })
  t.teardown(() => adapter.close())
  return { ...started, place, proxy }
}

async function rowsOf({ raw }: Place): Promise<{ users: number; accounts: number; sessions: number }> {
  const count = async (table: string): Promise<number> =>
    Number((await raw.query(`select count(*) from "${table}"`)).rows[0].count)
  return { users: await count('user'), accounts: await count('account'), sessions: await count('session') }
}

interface Way {
  readonly what: string
  /** Goes as far as the last request. @returns That request, and how it is tried again. */
  readonly begin: (
    started: Started,
    browser: Browser,
    headers: Readonly<Record<string, string>>
  ) => Promise<{
    readonly finish: () => Promise<BrowserResponse>
    readonly again: () => Promise<BrowserResponse>
  }>
}

const form = { username: 'grace', password: 'lovelace' }

const ways: readonly Way[] = [
  {
    what: 'at the provider',
    begin: async (started, browser, headers) => {
      const begun = await browser.submit('/api/auth/signin/demo', {})
      const callback = await started.issuer.authorize(begun.location ?? '')
      return {
        finish: () => browser.open(callback, { headers: { ...fromAfar, ...headers } }),
        // The provider gives out a code once.
        again: () => signInAtIssuer(started, browser)
      }
    }
  },
  {
    what: 'by a link',
    begin: async ({ mailbox }, browser, headers) => {
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      const { url } = mailbox.last()
      const finish = () => browser.open(url, { headers: { ...fromAfar, ...headers } })
      return { finish, again: () => browser.open(url, { headers: fromAfar }) }
    }
  },
  {
    what: 'by the form',
    begin: async (_, browser, headers) => {
      await browser.open('/api/auth/csrf')
      const finish = () => browser.submit('/api/auth/callback/credentials', form, { headers })
      return { finish, again: () => signInByForm(browser) }
    }
  }
]

for (const { what, begin } of ways) {
  t.test(`the database goes away in the middle of a sign-in ${what}`, { skip: withoutPostgres }, async (t) => {
    const started = await startCut(t)
    const { place, proxy, newBrowser, log } = started
    const before = await rowsOf(place)
    const kinds = { page: { accept: 'text/html' }, script: { 'x-auth-return-redirect': '1' } }
    const visitors = Object.entries(kinds).map(([kind, headers]) => ({ kind, headers, browser: newBrowser() }))
    const attempts = []
    for (const visitor of visitors)
      attempts.push({ ...visitor, ...(await begin(started, visitor.browser, visitor.headers)) })
    await proxy.down()
    for (const { kind, finish, browser } of attempts) {
      const answer = await finish()
      t.equal(answer.status, 503, kind)
      if (kind === 'page') t.match(answer.body, /You have not been signed out/)
      else t.match(answer.json<{ url: string }>().url, /error=StoreUnavailable/)
      t.notMatch(answer.body, /ECONNREFUSED|127\.0\.0\.1|postgres/i, 'no word of what is behind it')
      t.equal(browser.cookies.get(cookieNames.sessionToken), null, 'nobody is signed in')
    }
    t.ok(
      log.some((line) => line.includes('STORE_UNAVAILABLE_ERROR') && line.includes('ECONN')),
      'the log says why'
    )
    await proxy.up()
    t.same(await rowsOf(place), before, 'nothing was written')
    for (const { kind, again, browser } of attempts) {
      t.equal((await again()).location, origin, `${kind}: once more`)
      t.ok((await sessionOf(browser)).user, kind)
    }
    t.match(await rowsOf(place), { users: 1, sessions: 2 }, 'one person, two browsers')
  })
}

t.test('the database goes away: nobody is signed out, and no cookie changes', { skip: withoutPostgres }, async (t) => {
  const { browser, proxy } = await startCut(t)
  await signInByForm(browser)
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
})

t.test(
  'connections that are ended at any moment: a session or 503, and no other',
  { skip: withoutPostgres },
  async (t) => {
    const started = await startCut(t)
    const { place, newBrowser } = started
    const told: string[] = []
    let isOver = false
    const kills = (async () => {
      while (!isOver) {
        await place.raw.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
          [place.name]
        )
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })()
    const visit = async (index: number): Promise<void> => {
      const name = `visitor${index}`
      const browser = newBrowser()
      let answer = await signInByForm(browser, name)
      // A reload after an outage.
      for (let tries = 0; answer.status === 503 && tries < 10; tries++) answer = await signInByForm(browser, name)
      const isIn = answer.location === origin && browser.cookies.get(cookieNames.sessionToken) !== null
      told.push(isIn ? name : `${name}: ${answer.status} ${answer.location}`)
      if (!isIn) return
      const read = await browser.open('/api/auth/session')
      t.ok(
        read.status === 503 || read.json<{ user?: { name: string } }>().user?.name === name,
        `${name}: ${read.status}`
      )
    }
    await Promise.all(Array.from({ length: 40 }, (_, index) => visit(index)))
    isOver = true
    await kills
    t.same(
      told.filter((name) => !/^visitor\d+$/.test(name)),
      [],
      'everybody is signed in in the end'
    )
    const { rows } = await place.raw.query('select email, count(*) from "user" group by email having count(*) > 1')
    t.same(rows, [], 'nobody is doubled')
    t.equal((await rowsOf(place)).users, 40, 'nobody is lost')
  }
)

t.test(
  'an application starts before its database, and works when it is there',
  { skip: withoutPostgres },
  async (t) => {
    const place = await newPlace(t)
    const proxy = await newProxy(t, postgresPort)
    const adapter = postgresAdapter({ url: place.url(proxy.port) })
    t.teardown(() => adapter.close())
    const started = await start(t, { adapter, session: { strategy: 'database' } })
    const { app, browser, log } = started
    const begin = performance.now()
    await app.ready()
    t.ok(performance.now() - begin < 6000)
    t.ok(log.some((line) => line.includes('ADAPTER_NOT_READY') && line.includes('ECONNREFUSED')))
    t.equal((await browser.open('/api/auth/signin')).status, 200)
    t.same(await browser.json('/api/auth/session'), {}, 'nobody needs no database')
    t.equal((await signInByForm(browser)).status, 503)
    await proxy.up()
    t.equal((await signInByForm(browser)).location, origin)
    t.match(await sessionOf(browser), { user: { name: 'grace' } })
  }
)

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
  const place = await newPlace(t)
  const adapter = postgresAdapter({ url: place.url(), migrate: false })
  t.teardown(() => adapter.close())
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(postern, { url: origin, secret, providers: [people], adapter })
  await t.rejects(async () => app.ready(), { code: 'Schema', message: /migrations\/postgres\/0001_tables\.sql/ })
})
