import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import { postgresPort, withoutServer } from './databases.ts'
import { fromAfar, type Started, sessionOf, signInAtIssuer, signInByForm, start } from './start.ts'
import { type Counted, countedPostgres, countedSqlite } from './statements.ts'

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)
const page = readFileSync(new URL('../../../../docs/scaling.md', import.meta.url), 'utf8')

/** How many statements a request makes: with database sessions on SQLite and PostgreSQL, with signed tokens on both. */
type Counts = readonly [sqlite: number, postgres: number, signedOnSqlite: number, signedOnPostgres: number]

interface Case {
  readonly what: string
  readonly counts: Counts
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
    counts: [1, 1, 0, 0],
    begin: async (started) => {
      const browser = await signedIn(started)
      // Every five seconds a process asks once which tokens count no longer.
      await sessionOf(browser)
      return () => sessionOf(browser)
    }
  },
  {
    what: 'A guarded route of the application',
    counts: [1, 1, 0, 0],
    begin: async (started) => {
      const browser = await signedIn(started)
      await sessionOf(browser)
      return () => browser.open('/me')
    }
  },
  {
    what: 'Session of nobody, pages, `csrf`, `providers`',
    counts: [0, 0, 0, 0],
    begin: async ({ newBrowser }) => {
      const paths = ['session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request']
      return async () => {
        for (const path of paths) await newBrowser().open(`/api/auth/${path}`)
      }
    }
  },
  {
    what: 'Sign-in at a provider: the start',
    counts: [0, 0, 0, 0],
    begin: async ({ newBrowser }) => {
      return () => newBrowser().submit('/api/auth/signin/demo', {})
    }
  },
  {
    what: 'Sign-in at a provider: the callback, a user who is known',
    counts: [4, 3, 4, 4],
    begin: async (started) => atTheProvider(started, started.newBrowser())
  },
  {
    what: 'Sign-in at a provider: the callback, a new user',
    counts: [7, 6, 7, 7],
    begin: async (started) => atTheProvider(started, started.newBrowser(), grace)
  },
  {
    what: 'Sign-in by the form, a user who is known',
    counts: [4, 3, 2, 2],
    begin: async ({ newBrowser }) => {
      await signInByForm(newBrowser(), 'bob')
      return () => signInByForm(newBrowser(), 'bob')
    }
  },
  {
    what: 'Asking for a mail',
    counts: [3, 3, 3, 3],
    begin: async (started) => () => asked(started)
  },
  {
    what: 'The link of a mail, opened where it was asked for',
    counts: [9, 8, 9, 9],
    begin: async (started) => {
      const browser = await asked(started)
      return () => browser.open(started.mailbox.last().url, { headers: fromAfar })
    }
  },
  {
    what: 'The link of a mail, opened elsewhere: the page that asks',
    counts: [1, 1, 1, 1],
    begin: async (started) => {
      await asked(started)
      return () => started.newBrowser().open(started.mailbox.last().url, { headers: fromAfar })
    }
  },
  {
    what: 'The code of a mail',
    counts: [8, 7, 8, 8],
    begin: async (started) => {
      const browser = await asked(started)
      return () => browser.submit('/api/auth/callback/email', { code: started.mailbox.last().code })
    }
  },
  {
    what: 'Sign-out',
    counts: [3, 2, 2, 2],
    begin: async (started) => {
      const browser = await signedIn(started)
      return () => browser.submit('/api/auth/signout', {})
    }
  }
]

async function count(t: Test, strategy: 'database' | 'jwt', store: Counted, of: (counts: Counts) => number) {
  const started = await start(t, { adapter: store.adapter, session: { strategy }, rateLimit: false, instances: 1 })
  await signedIn(started)
  // What is over is deleted after the first sign-in, in nobody's request.
  await delay(200)
  for (const { what, counts, begin } of cases) {
    const requests = await begin(started)
    const { statements, transactions } = await store.during(requests)
    t.equal(statements.length, of(counts), `${strategy}, ${what}: ${statements.join('\n')}`)
    t.ok(transactions <= 2)
  }
}

t.test('what each request asks of SQLite', async (t) => {
  await count(t, 'database', countedSqlite(t), ([sqlite]) => sqlite)
  await count(t, 'jwt', countedSqlite(t), ([, , sqlite]) => sqlite)
})

t.test('what each request asks of PostgreSQL', { skip: withoutPostgres }, async (t) => {
  await count(t, 'database', await countedPostgres(t), ([, postgres]) => postgres)
  await count(t, 'jwt', await countedPostgres(t), ([, , , postgres]) => postgres)
})

t.test('a returning user signs in at a provider with three round trips', { skip: withoutPostgres }, async (t) => {
  const store = await countedPostgres(t)
  const started = await start(t, { adapter: store.adapter, session: { strategy: 'database' }, instances: 1 })
  await signedIn(started)
  await delay(200)
  const { statements, transactions } = await store.during(() => signedIn(started))
  t.equal(statements.length, 3)
  t.equal(transactions, 0)
})

t.test('the page about growth says the same', async (t) => {
  for (const { what, counts } of cases) t.ok(page.includes(`| ${what} | ${counts.join(' | ')} |`), what)
})
