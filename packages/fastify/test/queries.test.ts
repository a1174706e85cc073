import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import { mysqlPort, postgresPort, withoutServer } from './databases.ts'
import { fromAfar, type Started, sessionOf, signInAtIssuer, signInByForm, start } from './start.ts'
import { type Counted, countedMariadb, countedPostgres, countedSqlite } from './statements.ts'

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)
const withoutMariadb = await withoutServer('MariaDB', mysqlPort)
const page = readFileSync(new URL('../../../../docs/scaling.md', import.meta.url), 'utf8')

/** How many statements a request makes on SQLite, PostgreSQL and MariaDB. */
type Numbers = readonly [sqlite: number, postgres: number, mariadb: number]

interface Case {
  readonly what: string
  readonly stored: Numbers
  /** With signed tokens. */
  readonly signed: Numbers
  /** Prepares, and gives the requests that are counted. */
  readonly begin: (started: Started) => Promise<() => Promise<unknown>>
}

const ada = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }
const grace = { sub: 'grace', name: 'Grace Hopper', email: 'grace@example.org', email_verified: true }

/** Goes to the provider and stops before the way back. */
async function atTheProvider({ issuer }: Started, browser: Browser, person = ada): Promise<() => Promise<unknown>> {
  const begun = await browser.submit('/api/auth/signin/demo', {})
  const callback = await issuer.authorize(begun.location ?? '', person)
  return () => browser.open(callback, { headers: fromAfar })
}

async function signedIn(started: Started): Promise<Browser> {
  const browser = started.newBrowser()
  await signInAtIssuer(started, browser, ada)
  return browser
}

async function asked({ newBrowser }: Started): Promise<Browser> {
  const browser = newBrowser()
  await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  return browser
}

const cases: readonly Case[] = [
  {
    what: 'Session, its route or `request.getSession()`',
    stored: [1, 1, 1],
    signed: [0, 0, 0],
    begin: async (started) => {
      const browser = await signedIn(started)
      // Every five seconds a process asks once which tokens count no longer.
      await sessionOf(browser)
      return () => sessionOf(browser)
    }
  },
  {
    what: 'A guarded route of the application',
    stored: [1, 1, 1],
    signed: [0, 0, 0],
    begin: async (started) => {
      const browser = await signedIn(started)
      await sessionOf(browser)
      return () => browser.open('/me')
    }
  },
  {
    what: 'Session of nobody, pages, `csrf`, `providers`',
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
    what: 'Sign-in at a provider: the start',
    stored: [0, 0, 0],
    signed: [0, 0, 0],
    begin: async ({ newBrowser }) => {
      return () => newBrowser().submit('/api/auth/signin/demo', {})
    }
  },
  {
    what: 'Sign-in at a provider: the callback, a user who is known',
    stored: [3, 3, 3],
    signed: [3, 3, 3],
    begin: async (started) => atTheProvider(started, started.newBrowser())
  },
  {
    what: 'Sign-in at a provider: the callback, a new user',
    stored: [6, 6, 7],
    signed: [6, 6, 6],
    begin: async (started) => atTheProvider(started, started.newBrowser(), grace)
  },
  {
    what: 'Sign-in by the form, a user who is known',
    stored: [3, 3, 3],
    signed: [1, 1, 1],
    begin: async ({ newBrowser }) => {
      await signInByForm(newBrowser(), 'bob')
      return () => signInByForm(newBrowser(), 'bob')
    }
  },
  {
    what: 'Asking for a mail',
    stored: [3, 3, 3],
    signed: [3, 3, 3],
    begin: async (started) => () => asked(started)
  },
  {
    what: 'The link of a mail, opened where it was asked for',
    stored: [8, 8, 12],
    signed: [8, 8, 11],
    begin: async (started) => {
      const browser = await asked(started)
      return () => browser.open(started.mailbox.last().url, { headers: fromAfar })
    }
  },
  {
    what: 'The link of a mail, opened elsewhere: the page that asks',
    stored: [1, 1, 1],
    signed: [1, 1, 1],
    begin: async (started) => {
      await asked(started)
      return () => started.newBrowser().open(started.mailbox.last().url, { headers: fromAfar })
    }
  },
  {
    what: 'The code of a mail',
    stored: [7, 7, 11],
    signed: [7, 7, 10],
    begin: async (started) => {
      const browser = await asked(started)
      return () => browser.submit('/api/auth/callback/email', { code: started.mailbox.last().code })
    }
  },
  {
    what: 'Sign-out',
    stored: [3, 2, 3],
    signed: [2, 2, 2],
    begin: async (started) => {
      const browser = await signedIn(started)
      return () => browser.submit('/api/auth/signout', {})
    }
  }
]

/** Counts with both kinds of sessions. @param at - Which of the numbers it has to be. */
async function count(t: Test, open: (t: Test) => Counted | Promise<Counted>, at: number) {
  for (const [strategy, kind] of [
    ['database', 'stored'],
    ['jwt', 'signed']
  ] as const) {
    const store = await open(t)
    const started = await start(t, { adapter: store.adapter, session: { strategy }, rateLimit: false, instances: 1 })
    await signedIn(started)
    // What is over is deleted after the first sign-in, in nobody's request.
    await delay(200)
    for (const { what, begin, [kind]: numbers } of cases) {
      const requests = await begin(started)
      const { statements, transactions } = await store.during(requests)
      t.equal(statements.length, numbers[at], `${strategy}, ${what}: ${statements.join('\n')}`)
      t.ok(transactions <= 2)
    }
  }
}

t.test('what each request asks of SQLite', (t) => count(t, countedSqlite, 0))
t.test('what each request asks of PostgreSQL', { skip: withoutPostgres }, (t) => count(t, countedPostgres, 1))
t.test('what each request asks of MariaDB', { skip: withoutMariadb }, (t) => count(t, countedMariadb, 2))

/** A returning user's whole way through the provider: three statements, and no transaction around them. */
async function countReturn(t: Test, open: (t: Test) => Counted | Promise<Counted>) {
  for (const strategy of ['database', 'jwt'] as const) {
    const store = await open(t)
    const started = await start(t, { adapter: store.adapter, session: { strategy }, instances: 1 })
    await signedIn(started)
    await delay(200)
    const { statements, transactions } = await store.during(() => signedIn(started))
    t.equal(statements.length, 3, strategy)
    t.equal(transactions, 0, strategy)
  }
}

t.test('a returning user signs in at a provider with three round trips', async (t) => {
  await t.test('SQLite', (t) => countReturn(t, countedSqlite))
  await t.test('PostgreSQL', { skip: withoutPostgres }, (t) => countReturn(t, countedPostgres))
  await t.test('MariaDB', { skip: withoutMariadb }, (t) => countReturn(t, countedMariadb))
})

t.test('the page about growth says the same', async (t) => {
  for (const { what, stored, signed } of cases)
    t.ok(page.includes(`| ${what} | ${[...stored, ...signed].join(' | ')} |`), what)
})
