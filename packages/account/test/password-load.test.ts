import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { type Browser, createBrowser } from '@postern/testkit'
import { isLong, times } from '@postern/testkit/long'
import t from 'tap'
import { sharedStores } from './factor-processes.ts'
import { addPasskey, loadOptions } from './passkey-application.ts'
import {
  ada,
  base,
  canSignIn,
  first,
  getAddress,
  getCookies,
  openApplication,
  origin,
  second,
  signUp
} from './password-application.ts'
import { startProcess } from './password-processes.ts'
import { createAuthenticator } from './software-authenticator.ts'

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
        const user = await adapter.createUser?.({ name: null, email, emailVerified: new Date() })
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

/** The requests of a client, one after another, on a connection that stays open. @returns Their times in milliseconds. */
async function measureSession(port: number, cookie: string, count: number): Promise<readonly number[]> {
  const taken: number[] = []
  for (let done = 0; done < count; done++) {
    const start = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}${base}/session`, { headers: { cookie } })
    if (!(await response.text()).includes(ada)) throw new Error('expected the session of the user')
    taken.push(performance.now() - start)
  }
  return taken
}

if (times(1, timed) >= timed)
  t.test('other routes remain responsive while 50 sign-ins wait for their hashes', async (t) => {
    const application = await startProcess(t, { address: join(t.testdir(), 'store.sqlite'), strategy: 'database' })
    const { port } = application
    const browser = createBrowser({ origin, send: application.send })
    const token = application.nextToken()
    await signUp(browser, ada, first)
    await browser.submit(`${base}/callback/password-sign-up`, { token: await token })
    t.equal(await getAddress(browser), ada)
    const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
    const cookie = Array.from(getCookies(browser), ([name, value]) => `${name}=${value}`).join('; ')
    const form = new URLSearchParams({ email: ada, password: second, csrfToken }).toString()
    await measureSession(port, cookie, 300)
    // Both are measured one after the other, so that the speed of the machine does not count; the median of the rounds does.
    const factors: number[] = []
    for (let round = 0; round < 5; round++) {
      const idle = getPercentile(await measureSession(port, cookie, 400), 0.95)
      const statuses = new Map<number, number>()
      const load = fork(join(import.meta.dirname, 'password-load-client.js'), [`${port}`, '50', cookie, form], {
        execArgv: []
      })
      t.teardown(() => load.kill('SIGKILL'))
      const ended = new Promise((resolve) => load.once('exit', resolve))
      const isBusy = new Promise<void>((resolve) => {
        load.on('message', (status: number) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (statuses.get(302) === 20) resolve()
        })
      })
      await isBusy
      const loaded = getPercentile(await measureSession(port, cookie, 400), 0.95)
      load.disconnect()
      await ended
      factors.push(loaded / idle)
      t.comment(
        `p95 of a session: ${idle.toFixed(2)} ms idle, ${loaded.toFixed(2)} ms while 50 sign-ins hash, factor ${(loaded / idle).toFixed(2)}; ${JSON.stringify([...statuses])}`
      )
    }
    const factor = factors.toSorted((one, other) => one - other)[Math.floor(factors.length / 2)] ?? Number.NaN
    t.ok(factor <= 2, `factor ${factor.toFixed(2)}`)
  })

/** Requests at once. */
const crowd = isLong ? 50 : 16

const chosenStores = isLong ? sharedStores : sharedStores.slice(0, 1)

for (const { name, skip, create } of chosenStores)
  t.test(`${name}: two processes use each sign-up, each reset and each challenge exactly once`, { skip }, async (t) => {
    const address = await create(t)
    const [one, two] = [
      await startProcess(t, { address, strategy: 'database', module: 'account-process.js' }),
      await startProcess(t, { address, strategy: 'database', module: 'account-process.js' })
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
        Array.from({ length: crowd }, (_, index) => {
          const send = index % 2 === 0 ? one.send : two.send
          const copy = createBrowser({ origin, send, cookies: browser.cookies.clone() })
          return copy.submit(`${base}/callback/password-sign-up`, { token, csrfToken })
        })
      )
      t.equal(
        confirmed.filter(({ location }) => location === origin).length,
        1,
        `${round}: one of ${crowd} is signed in`
      )
      const asked = one.nextToken()
      await newBrowser().submit(`${base}/password/forgot`, { email })
      const reset = await asked
      const chosen = (index: number): string => `the sentence of the browser ${index}`
      const changed = await Promise.all(
        Array.from({ length: crowd }, (_, index) =>
          newBrowser(index).submit(`${base}/password/reset`, { token: reset, password: chosen(index) })
        )
      )
      const winners = changed.flatMap(({ location }, index) => (/changed/.test(location ?? '') ? [index] : []))
      t.equal(winners.length, 1, `${round}: one of ${crowd} chooses the password`)
      const owner = newBrowser()
      t.ok(await canSignIn(owner, email, chosen(winners[0] ?? 0)))

      const authenticator = createAuthenticator({ origin })
      t.equal((await addPasskey(owner, authenticator)).status, 302)
      const visitor = newBrowser()
      const credential = authenticator.get(await loadOptions(visitor))
      const csrf = await visitor.json<{ csrfToken: string }>(`${base}/csrf`)
      const signedIn = await Promise.all(
        Array.from({ length: crowd }, (_, index) => {
          const send = index % 2 === 0 ? one.send : two.send
          const copy = createBrowser({ origin, send, cookies: visitor.cookies.clone() })
          return copy.submit(`${base}/callback/passkey`, { credential, ...csrf })
        })
      )
      t.equal(signedIn.filter(({ location }) => location === origin).length, 1, `${round}: one challenge signs in once`)
    }
  })
