import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter, Ticket } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { inTurn, some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { mysqlPort, postgresPort, withoutServer } from '../databases.ts'
import { fromAfar } from '../start.ts'
import { countedMariadb, countedPostgres, countedSqlite } from '../statements.ts'
import {
  answer,
  ask,
  type Gated,
  methods,
  pendingCookie,
  putCookie,
  startGated,
  stepUpCookie
} from './pending-setup.ts'
import { strategies, vera } from './setup.ts'

const steps = ['interrupted', 'page', 'wrong answer', 'completed'] as const

/**
 * The statements of a known user's sign-in, by request: the one that is interrupted, the page that asks, a wrong answer, and
 * the right one. Without an interruption, there is one request with 4 statements for a provider.
 * The cookie has 236 bytes; the ticket about 3,000 with the tokens of a provider, and 1,000 for a form.
 */
const figures = {
  provider: { database: [3, 2, 3, 9], jwt: [3, 2, 3, 9] },
  form: { database: [4, 2, 3, 9], jwt: [3, 1, 2, 7] }
} as const

const none = [0, 0, 0, 0] as const

/** SQLite writes the record of a database session separately. */
const moreSqlite = {
  provider: { database: [0, 0, 0, 1], jwt: none },
  form: { database: [0, 0, 0, 1], jwt: none }
} as const

/** PostgreSQL is not asked for a user whose id is no UUID; then their row is read separately. */
const morePostgres = {
  provider: { database: none, jwt: none },
  form: { database: [1, 0, 0, 0], jwt: none }
} as const

/**
 * MariaDB reads a ticket before it deletes it, and writes the record of a database session separately. A row that is missing is
 * created before it is locked.
 */
const moreMariadb = {
  provider: { database: [1, 0, 0, 3], jwt: [1, 0, 0, 2] },
  form: { database: [0, 0, 0, 3], jwt: [1, 0, 0, 2] }
} as const

const stores = [
  { name: 'SQLite', skip: false, open: countedSqlite, more: moreSqlite },
  {
    name: 'PostgreSQL',
    skip: await withoutServer('PostgreSQL', postgresPort),
    open: countedPostgres,
    more: morePostgres
  },
  { name: 'MariaDB', skip: await withoutServer('MariaDB', mysqlPort), open: countedMariadb, more: moreMariadb }
] as const

/** An adapter that knows when expired rows and events were deleted: that follows the first sign-in, in the background. */
function watchCleanup(adapter: Adapter) {
  let isDone = false
  const deleteEvents: Adapter['deleteEvents'] = async (...args) => {
    const deleted = (await adapter.deleteEvents?.(...args)) ?? 0
    isDone = true
    return deleted
  }
  const cleaned = async (): Promise<void> => {
    while (!isDone) await delay(5)
  }
  return { adapter: { ...adapter, deleteEvents }, cleaned }
}

/** The last request of a sign-in, prepared. */
async function prepare(started: Gated, method: keyof typeof figures, browser: Browser) {
  await browser.json('/api/auth/csrf')
  if (method === 'form') return () => methods.form.enter(started, browser)
  const { location } = await browser.submit('/api/auth/signin/demo', {})
  const callback = await started.issuer.authorize(location ?? '', vera)
  return () => browser.open(callback, { headers: fromAfar })
}

const cookieBytes = ({ setCookies }: BrowserResponse): number =>
  setCookies
    .filter(({ name }) => name === pendingCookie)
    .reduce((sum, { name, value }) => sum + `${name}=${value}`.length, 0)

const isTicket = (value: unknown): value is Ticket => typeof value === 'object' && value !== null && 'data' in value

/** The bytes of the data of the tickets that were created since the last call of `forget`. */
const ticketBytes = ({ store }: Gated): number =>
  store.calls
    .flatMap(({ method, args }) => (method === 'createTicket' ? args : []))
    .filter(isTicket)
    .reduce((sum, { data }) => sum + data.length, 0)

const signIns = strategies.flatMap((strategy) =>
  (['provider', 'form'] as const).map((method) => ({ strategy, method }))
)
const someStrategies = inTurn(strategies)

/** In `npm test` SQLite has every sign-in, and each server each strategy and each method. */
async function count(t: Test, { name, open, more }: (typeof stores)[number]): Promise<void> {
  const counted = name === 'SQLite' ? signIns : some(signIns, ({ strategy, method }) => [strategy, method], 1)
  for (const { strategy, method } of counted) {
    const counting = await open(t)
    const { adapter, cleaned } = watchCleanup(counting.adapter)
    const started = await startGated(t, { session: { strategy }, adapter })
    await methods[method].enter(started, started.newBrowser())
    await cleaned()
    started.gate.isDue = true
    const browser = started.newBrowser()
    const enter = await prepare(started, method, browser)
    const requests = [enter, () => browser.open(ask), () => answer(browser, 'no'), () => answer(browser)]
    started.store.forget()
    let bytes = { cookie: 0, ticket: 0 }
    const numbers: number[] = []
    for (const [index, step] of steps.entries()) {
      const { statements } = await counting.during(async () => {
        const response = await requests[index]?.()
        if (response && index === 0) bytes = { cookie: cookieBytes(response), ticket: ticketBytes(started) }
      })
      numbers.push(statements.length)
      const expected = (figures[method][strategy][index] ?? 0) + (more[method][strategy][index] ?? 0)
      t.equal(statements.length, expected, `${step}: ${statements.join('\n')}`)
    }
    t.ok(bytes.cookie > 0 && bytes.cookie < 320, `${bytes.cookie} bytes of cookie`)
    t.ok(bytes.ticket > 0 && bytes.ticket < 4096, `${bytes.ticket} bytes of ticket`)
    t.comment(
      `${strategy}, ${method}: ${numbers.join(', ')}; ${bytes.cookie} bytes of cookie, ${bytes.ticket} of ticket`
    )
  }
}

for (const store of stores) {
  const { name, skip, open } = store

  t.test(`what a sign-in that waits asks of ${name}, and its bytes`, { skip }, (t) => count(t, store))

  t.test(`pages without a session read and write nothing in ${name}`, { skip }, async (t) => {
    for (const strategy of someStrategies()) {
      const counted = await open(t)
      const started = await startGated(t, { session: { strategy }, adapter: counted.adapter })
      started.gate.isDue = true
      const forged = started.newBrowser()
      for (const cookie of [pendingCookie, stepUpCookie]) putCookie(forged, 'forged', cookie)
      const pages = [
        'signin',
        'signout',
        'verify',
        'verify/ask',
        'verify/link',
        'verify?callbackUrl=/',
        'error',
        'csrf'
      ]
      const { statements } = await counted.during(async () => {
        for (const browser of [started.newBrowser(), forged])
          for (const page of pages) await browser.open(`/api/auth/${page}`)
      })
      t.same(statements, [], strategy)
      const { statements: posted } = await counted.during(() => answer(started.newBrowser()))
      t.same(posted, [], `${strategy}, a form`)
    }
  })
}
