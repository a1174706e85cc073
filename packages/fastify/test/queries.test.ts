import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter } from '@postern/core'
import type { Browser } from '@postern/testkit'
import { some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { mysqlPort, postgresPort, withoutServer } from './databases.ts'
import { fromAfar, getSession, type Started, signInAtIssuer, signInByForm, start } from './start.ts'
import { type Counted, countedMariadb, countedPostgres, countedSqlite } from './statements.ts'

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)
const withoutMariadb = await withoutServer('MariaDB', mysqlPort)
const page = readFileSync(new URL('../../../../docs/scaling.md', import.meta.url), 'utf8')

/** How many statements a request makes on SQLite, PostgreSQL and MariaDB. */
type Numbers = readonly [sqlite: number, postgres: number, mariadb: number]

interface Case {
  readonly title: string
  readonly stored: Numbers
  /** With JWT sessions. */
  readonly signed: Numbers
  /** Prepares, and gives the requests that are counted. */
  readonly begin: (started: Started) => Promise<() => Promise<unknown>>
}

const ada = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }
const grace = { sub: 'grace', name: 'Grace Hopper', email: 'grace@example.org', email_verified: true }

/** Signs in at the provider and stops before the callback. */
async function atTheProvider({ issuer }: Started, browser: Browser, person = ada): Promise<() => Promise<unknown>> {
  const response = await browser.submit('/api/auth/signin/demo', {})
  const callback = await issuer.authorize(response.location ?? '', person)
  return () => browser.open(callback, { headers: fromAfar })
}

async function signedIn(started: Started): Promise<Browser> {
  const browser = started.newBrowser()
  await signInAtIssuer(started, browser, ada)
  return browser
}

async function requested({ newBrowser }: Started): Promise<Browser> {
  const browser = newBrowser()
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  return browser
}

const returning: Case = {
  title: 'Provider sign-in: callback, existing user',
  stored: [5, 4, 6],
  signed: [4, 4, 5],
  begin: async (started) => atTheProvider(started, started.newBrowser())
}

const cases: readonly Case[] = [
  {
    title: 'Session route or `request.getSession()`',
    stored: [1, 1, 1],
    signed: [0, 0, 0],
    begin: async (started) => {
      const browser = await signedIn(started)
      // Once in a second a process asks which tokens count no longer.
      await getSession(browser)
      return () => getSession(browser)
    }
  },
  {
    title: 'A protected route of the application',
    stored: [1, 1, 1],
    signed: [0, 0, 0],
    begin: async (started) => {
      const browser = await signedIn(started)
      await getSession(browser)
      return () => browser.open('/me')
    }
  },
  {
    title: 'Session route without a cookie, pages, `csrf`, `providers`',
    stored: [0, 0, 0],
    signed: [0, 0, 0],
    begin: async ({ newBrowser }) => {
      const paths = ['session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request']
      return async () => {
        for (const path of paths) await newBrowser().open(`/api/auth/${path}`)
      }
    }
  },
  {
    title: 'Provider sign-in: start',
    stored: [0, 0, 0],
    signed: [0, 0, 0],
    begin: async ({ newBrowser }) => {
      return () => newBrowser().submit('/api/auth/signin/demo', {})
    }
  },
  returning,
  {
    // One more than for a known user: no user has the address, also in another letter case.
    title: 'Provider sign-in: callback, new user',
    stored: [10, 10, 10],
    signed: [9, 10, 9],
    begin: async (started) => atTheProvider(started, started.newBrowser(), grace)
  },
  {
    title: 'Credentials sign-in, existing user',
    stored: [5, 4, 6],
    signed: [3, 3, 4],
    begin: async ({ newBrowser }) => {
      // The first sign-in of a known user creates their row.
      await signInByForm(newBrowser(), 'bob')
      await signInByForm(newBrowser(), 'bob')
      return () => signInByForm(newBrowser(), 'bob')
    }
  },
  {
    title: 'Email sign-in: request',
    stored: [3, 3, 3],
    signed: [3, 3, 3],
    begin: async (started) => () => requested(started)
  },
  {
    title: 'Email sign-in: link, opened in the same browser',
    stored: [8, 7, 11],
    signed: [7, 7, 10],
    begin: async (started) => {
      const browser = await requested(started)
      return () => browser.open(started.mailbox.last().url, { headers: fromAfar })
    }
  },
  {
    title: 'Email sign-in: link, opened in another browser: confirmation page',
    stored: [1, 1, 1],
    signed: [1, 1, 1],
    begin: async (started) => {
      await requested(started)
      return () => started.newBrowser().open(started.mailbox.last().url, { headers: fromAfar })
    }
  },
  {
    title: 'Email sign-in: code',
    stored: [7, 6, 10],
    signed: [6, 6, 9],
    begin: async (started) => {
      const browser = await requested(started)
      return () => browser.submit('/api/auth/callback/email', { code: started.mailbox.last().code })
    }
  },
  {
    title: 'Sign-out',
    stored: [6, 4, 7],
    signed: [5, 4, 6],
    begin: async (started) => {
      const browser = await signedIn(started)
      return () => browser.submit('/api/auth/signout', {})
    }
  }
]

/** An adapter that knows when the cleanup of expired rows has run: it follows the first sign-in, in the background. */
function watchCleanup(adapter: Adapter) {
  let isDone = false
  const deleteExpired = async (before: Date, max: number): Promise<number> => {
    const deleted = (await adapter.deleteExpired?.(before, max)) ?? 0
    isDone = true
    return deleted
  }
  const cleaned = async (): Promise<void> => {
    while (!isDone) await delay(5)
  }
  return { adapter: { ...adapter, deleteExpired }, cleaned }
}

/** Counts with both kinds of sessions. @param at - Which of the numbers it has to be. */
async function count(t: Test, open: (t: Test) => Counted | Promise<Counted>, at: number) {
  for (const [strategy, kind] of [
    ['database', 'stored'],
    ['jwt', 'signed']
  ] as const) {
    const store = await open(t)
    const { adapter, cleaned } = watchCleanup(store.adapter)
    const started = await start(t, { adapter, session: { strategy }, rateLimit: false, instances: 1 })
    await signedIn(started)
    await cleaned()
    for (const { title, begin, [kind]: numbers } of cases) {
      const requests = await begin(started)
      const { statements, transactions } = await store.during(requests)
      t.equal(statements.length, numbers[at], `${strategy}, ${title}: ${statements.join('\n')}`)
      t.ok(transactions <= 2)
    }
  }
}

t.test('what each request asks of SQLite', (t) => count(t, countedSqlite, 0))
t.test('what each request asks of PostgreSQL', { skip: withoutPostgres }, (t) => count(t, countedPostgres, 1))
t.test('what each request asks of MariaDB', { skip: withoutMariadb }, (t) => count(t, countedMariadb, 2))

const stores = [
  { store: 'SQLite', open: countedSqlite, skip: false },
  { store: 'PostgreSQL', open: countedPostgres, skip: withoutPostgres },
  { store: 'MariaDB', open: countedMariadb, skip: withoutMariadb }
] as const
const returns = some(
  stores.flatMap((one) => (['database', 'jwt'] as const).map((strategy) => ({ ...one, strategy }))),
  ({ store, strategy }) => [store, strategy],
  1
)

/** A returning user's whole way through the provider: one read, and the rest in one transaction. */
for (const { store: name, open, skip, strategy } of returns) {
  const title = `${name}, ${strategy}: a returning user signs in at a provider with one read and one transaction`
  t.test(title, { skip }, async (t) => {
    const store = await open(t)
    const { adapter, cleaned } = watchCleanup(store.adapter)
    const started = await start(t, { adapter, session: { strategy }, instances: 1 })
    await signedIn(started)
    await cleaned()
    const { statements, transactions } = await store.during(() => signedIn(started))
    const { [strategy === 'database' ? 'stored' : 'signed']: numbers } = returning
    t.equal(statements.length, numbers[stores.findIndex((one) => one.store === name)], strategy)
    t.equal(transactions, 1, strategy)
  })
}

t.test('the scaling page has the same values', async (t) => {
  for (const { title, stored, signed } of cases)
    t.ok(page.includes(`| ${title} | ${[...stored, ...signed].join(' | ')} |`), title)
})
