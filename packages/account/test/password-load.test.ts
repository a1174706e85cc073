import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { type Browser, createBrowser } from '@postern/testkit'
import { isLong, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { withMysql, withoutServer, withPostgres } from './databases.ts'
import {
  ada,
  base,
  canSignIn,
  first,
  getAddress,
  openApplication,
  origin,
  second,
  signUp
} from './password-application.ts'
import { startProcess } from './password-processes.ts'

t.setTimeout(1_200_000)

const getMedian = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const getPercentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0

/** The time of each of two requests, which take turns. */
async function compare(rounds: number, acts: readonly [() => Promise<unknown>, () => Promise<unknown>]) {
  const taken: readonly [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const start = performance.now()
      await acts[which]()
      taken[which].push(performance.now() - start)
    }
  return { one: getMedian(taken[0]), other: getMedian(taken[1]) }
}

/** Times are only compared in the complete long run: fewer requests prove nothing. */
const timed = 1000

if (times(1, timed) >= timed)
  t.test('enumeration: the medians of requests for known and unknown addresses differ by less than 5 %', async (t) => {
    const rounds = times(1, timed)
    const { adapter, auth, newBrowser } = await openApplication(t, 'database', {
      adapter: sqliteAdapter({ file: ':memory:' }),
      // The mailbox of the tests would take longer for a longer mail.
      runtime: { now: Date.now, sendMail: async () => undefined }
    })
    const hash = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    // Every request is about another address, as limits require.
    for (const kind of ['known', 'links'])
      for (let index = 0; index < rounds; index++) {
        const email = `${kind}-${index}@example.com`
        const user = await adapter.createUser?.({ name: null, email, emailVerified: new Date() } as never)
        if (kind === 'known') await auth.features.password.setHash(user?.id ?? '', hash)
      }
    const browser = newBrowser()
    const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
    const post = (path: string, kind: string, fields: Record<string, string> = {}) => {
      let count = 0
      return () => {
        const email = `${kind}-${count++ % rounds}@example.com`
        return browser.submit(base + path, { ...fields, email, csrfToken })
      }
    }
    const typed = { password: second }
    const pairs = [
      ['sign-in', post('/callback/password', 'known', typed), post('/callback/password', 'never', typed)],
      [
        'sign-in without a password',
        post('/callback/password', 'links', typed),
        post('/callback/password', 'never', typed)
      ],
      ['sign-up', post('/password/sign-up', 'known', typed), post('/password/sign-up', 'never', typed)],
      ['forgot', post('/password/forgot', 'known'), post('/password/forgot', 'never')]
    ] as const
    for (const [name, known, unknown] of pairs) {
      const { one, other } = await compare(rounds, [known, unknown])
      const difference = Math.abs(one - other) / Math.min(one, other)
      t.comment(
        `${name}: ${one.toFixed(2)} ms known, ${other.toFixed(2)} ms unknown, ${(difference * 100).toFixed(1)} %`
      )
      t.ok(difference < 0.05, `${name}: ${(difference * 100).toFixed(1)} %`)
    }
  })

if (times(1, timed) >= timed)
  t.test('other routes remain responsive while 50 sign-ins wait for their hashes', async (t) => {
    const process = await startProcess(t, { address: join(t.testdir(), 'store.sqlite'), strategy: 'database' })
    const browser = createBrowser({ origin, send: process.send })
    const token = process.nextToken()
    await signUp(browser, ada, first)
    await browser.submit(`${base}/callback/password-sign-up`, { token: await token })
    t.equal(await getAddress(browser), ada)
    const measure = async (count: number): Promise<readonly number[]> => {
      const taken: number[] = []
      for (let done = 0; done < count; done++) {
        const start = performance.now()
        await browser.json(`${base}/session`)
        taken.push(performance.now() - start)
      }
      return taken
    }
    await measure(200)
    const idle = getPercentile(await measure(500), 0.95)
    const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
    let isOver = false
    const statuses = new Map<number, number>()
    const guess = async (): Promise<void> => {
      const copy = createBrowser({ origin, send: process.send, cookies: browser.cookies.clone() })
      while (!isOver) {
        const { status } = await copy.submit(`${base}/callback/password`, { email: ada, password: second, csrfToken })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const guesses = Array.from({ length: 50 }, guess)
    const loaded = getPercentile(await measure(500), 0.95)
    isOver = true
    await Promise.all(guesses)
    t.comment(
      `p95 of a session: ${idle.toFixed(2)} ms idle, ${loaded.toFixed(2)} ms while 50 sign-ins hash, factor ${(loaded / idle).toFixed(2)}; ${JSON.stringify([...statuses])}`
    )
    t.ok(loaded > 0)
  })

const stores: readonly { name: string; skip: string | false; getAddress: (t: Test) => Promise<string> }[] = [
  { name: 'SQLite', skip: false, getAddress: async (t) => join(t.testdir(), 'store.sqlite') },
  { name: 'PostgreSQL', skip: await withoutServer('PostgreSQL', 5432), getAddress: withPostgres },
  { name: 'MariaDB', skip: await withoutServer('MariaDB', 3306), getAddress: withMysql }
]

const chosenStores = isLong ? stores : stores.slice(0, 1)

for (const { name, skip, getAddress: open } of chosenStores)
  t.test(`${name}: two processes use each sign-up and each reset exactly once`, { skip }, async (t) => {
    const address = await open(t)
    const [one, two] = [
      await startProcess(t, { address, strategy: 'database' }),
      await startProcess(t, { address, strategy: 'jwt' })
    ]
    const newBrowser = (index = 0): Browser =>
      createBrowser({ origin, send: (request) => (index % 2 === 0 ? one : two).send(request) })
    for (let round = 0; round < times(1, 20); round++) {
      const email = `${randomBytes(4).toString('hex')}@example.com`
      const browser = newBrowser()
      const sent = one.nextToken()
      await signUp(browser, email, first)
      const token = await sent
      const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
      const confirmed = await Promise.all(
        Array.from({ length: 50 }, (_, index) => {
          const send = index % 2 === 0 ? one.send : two.send
          const copy = createBrowser({ origin, send, cookies: browser.cookies.clone() })
          return copy.submit(`${base}/callback/password-sign-up`, { token, csrfToken })
        })
      )
      t.equal(confirmed.filter(({ location }) => location === origin).length, 1, `${round}: one of 50 is signed in`)
      const asked = one.nextToken()
      await newBrowser().submit(`${base}/password/forgot`, { email })
      const reset = await asked
      const chosen = (index: number): string => `the sentence of the browser ${index}`
      const changed = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          newBrowser(index).submit(`${base}/password/reset`, { token: reset, password: chosen(index) })
        )
      )
      const winners = changed.flatMap(({ location }, index) => (/changed/.test(location ?? '') ? [index] : []))
      t.equal(winners.length, 1, `${round}: one of 50 chooses the password`)
      t.ok(await canSignIn(newBrowser(), email, chosen(winners[0] ?? 0)))
    }
  })
