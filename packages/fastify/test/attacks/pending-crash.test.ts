import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserResponse,
  createBrowser,
  createIssuer,
  type Send,
  waitForMessage
} from '@postern/testkit'
import { listen } from '@postern/testkit/hostile'
import { inTurn, isLong, times } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { createTestDatabase, postgresPort, withoutServer } from '../databases.ts'
import { fromAfar, getSession, origin } from '../start.ts'
import { answer, ask, interrupted, startOver } from './pending-setup.ts'
import { strategies } from './setup.ts'

t.setTimeout(600_000)

interface Process {
  readonly child: ChildProcess
  readonly port: number
  readonly nextMail: () => Promise<string>
  /** Resolves when a request is held. */
  readonly nextHeld: () => Promise<void>
  readonly kill: () => Promise<unknown>
}

async function startProcess(t: Test, args: readonly string[]): Promise<Process> {
  const child = fork(join(import.meta.dirname, 'pending-process.js'), args, { execArgv: [], stdio: 'inherit' })
  t.teardown(() => child.kill('SIGKILL'))
  const port = await waitForMessage(child, (message) => message['port'])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return {
    child,
    port: Number(port),
    nextMail: async () => String(await waitForMessage(child, ({ text }) => text)),
    nextHeld: async () => {
      await waitForMessage(child, ({ isHeld }) => isHeld)
    },
    kill: () => {
      child.kill('SIGKILL')
      return ended
    }
  }
}

/** Sends requests to the process that is there at the time. */
const sendTo =
  (getPort: () => number): Send =>
  async ({ method, url, headers, body = null }) => {
    const init = { method, headers: { ...headers, connection: 'close' }, body, redirect: 'manual' } as const
    const response = await fetch(`http://127.0.0.1:${getPort()}${url}`, init)
    const fields = { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() }
    return { status: response.status, headers: fields, body: await response.text() }
  }

interface Stage {
  readonly file: string
  readonly issuer: ReturnType<typeof createIssuer>
  readonly send: Send
  readonly nextHeld: () => Promise<void>
  /** Kills the process, and starts another one in its place. */
  readonly restart: () => Promise<void>
  readonly nextMail: () => Promise<string>
  readonly rows: (sql: string) => readonly Record<string, unknown>[]
}

interface StageOptions {
  readonly kind: string
  readonly strategy: string
  /** How often the process is replaced. */
  readonly restarts: number
}

async function openStage(t: Test, { kind, strategy, restarts }: StageOptions): Promise<Stage> {
  const server = await listen()
  t.teardown(server.close)
  const issuer = createIssuer({ issuer: server.origin })
  server.serve(issuer.fetch)
  const file = join(t.testdir(), 'store.sqlite')
  const args = [file, server.origin, kind, strategy]
  let current = await startProcess(t, args)
  const startSpare = (): Promise<Process> => {
    const starting = startProcess(t, args)
    // The last one may be ended while it starts.
    starting.catch(() => undefined)
    return starting
  }
  let left = restarts
  let spare = startSpare()
  return {
    file,
    issuer,
    send: sendTo(() => current.port),
    nextHeld: () => current.nextHeld(),
    restart: async () => {
      await current.kill()
      current = await spare
      left -= 1
      if (left > 0) spare = startSpare()
    },
    nextMail: () => current.nextMail(),
    rows: (sql) => {
      const database = new Database(file)
      try {
        return database.prepare<[], Record<string, unknown>>(sql).all()
      } finally {
        database.close()
      }
    }
  }
}

type Headers = Readonly<Record<string, string>>

/** The last request of each first factor, with the headers of the test. */
const methods: Readonly<
  Record<
    string,
    (stage: Stage, browser: Browser, name: string) => Promise<(headers: Headers) => Promise<BrowserResponse>>
  >
> = {
  provider: async ({ issuer }, browser, name) => {
    const { location } = await browser.submit('/api/auth/signin/demo', {})
    const person = { sub: name, name, email: `${name}@example.com`, email_verified: true }
    const callback = await issuer.authorize(location ?? '', person)
    return (headers) => browser.open(callback, { headers: { ...fromAfar, ...headers } })
  },
  mail: async ({ nextMail }, browser, name) => {
    const mail = nextMail()
    await browser.submit('/api/auth/signin/email', { email: `${name}@example.com` })
    const link = /https:\S+callback\/email\S+/.exec(await mail)?.[0] ?? ''
    return (headers) => browser.open(link, { headers: { ...fromAfar, ...headers } })
  },
  form: async (_stage, browser, name) => {
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const fields = { username: name, password: 'lovelace', csrfToken }
    return (headers) => browser.submit('/api/auth/callback/credentials', fields, { headers })
  }
}

/** A request that is held when its process is killed. */
interface Interrupted {
  readonly method: string
  readonly phase: 'first' | 'answer'
  /** The number of its write; one that does not exist stops before the response. */
  readonly at: number
}

/** The writes of both requests: at least as many as they make. */
const writes = (['first', 'answer'] as const).flatMap((phase) =>
  Array.from({ length: phase === 'first' ? 4 : 8 }, (_, at) => ({ phase, at }))
)

const someStrategies = inTurn(strategies)
const someKinds = inTurn(['transactional', 'one by one'])

/** Each method has another write in `npm test`, and every write in the long run. */
const cases = Object.keys(methods)
  .flatMap((method) => someKinds().map((kind) => ({ method, kind })))
  .flatMap((one) => someStrategies().map((strategy) => ({ ...one, strategy })))
  .map((one, index) => {
    const own = (2 * index + (index % 2)) % writes.length
    return { ...one, writes: isLong ? writes : writes.slice(own, own + 1) }
  })

const getPlace = ({ kind, strategy }: (typeof cases)[number]): string => `${strategy}, ${kind}`

/** What is held at each kill: a write of each method. */
function getRounds(place: string): readonly (readonly Interrupted[])[] {
  const own = cases.filter((one) => getPlace(one) === place)
  const count = Math.max(...own.map((one) => one.writes.length))
  return Array.from({ length: count }, (_, round) =>
    own.flatMap(({ method, writes }) => writes.slice(round, round + 1).map((write) => ({ method, ...write })))
  )
}

/** Sends a request up to the write at which it is held. @returns What resolves with whether it got no response in the end. */
async function hold(
  { nextHeld }: Stage,
  at: number,
  send: (headers: Headers) => Promise<BrowserResponse>
): Promise<{ readonly isCut: Promise<boolean> }> {
  const held = nextHeld()
  const response = send({ 'x-hold-at': `${at}` })
  const answered = response.then(({ status }) => Promise.reject(new Error(`expected no response, got ${status}`)))
  await Promise.race([held, answered])
  return {
    isCut: response.then(
      () => false,
      () => true
    )
  }
}

for (const [place, { kind, strategy }] of new Map(cases.map((one) => [getPlace(one), one])))
  t.test(`${place}: killed at each write between the first factor and the session`, async (t) => {
    const rounds = getRounds(place)
    const stage = await openStage(t, { kind, strategy, restarts: rounds.length })
    const { send, restart, rows } = stage
    const of = (table: string, name: string) =>
      rows(`select * from "${table}" where "userId" in (select "id" from "user" where "email" = '${name}@example.com')`)
    const users = (name: string) => rows(`select * from "user" where "email" = '${name}@example.com'`)
    for (const round of rounds) {
      const cut = []
      for (const { method, phase, at } of round) {
        const name = `${method}-${phase}-${at}`
        const browser = createBrowser({ origin, send })
        const prepare = methods[method]
        if (!prepare) throw new Error(`expected a method, got ${method}`)
        const enter = await prepare(stage, browser, name)
        const signInAgain = async (): Promise<BrowserResponse> => (await prepare(stage, browser, name))({})
        const tried = { method, phase, name, browser, signInAgain }
        if (phase === 'first') cut.push({ ...tried, ...(await hold(stage, at, enter)) })
        else {
          t.equal((await enter({})).location, interrupted, name)
          const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
          const send = (headers: Headers) => browser.submit(ask, { answer: 'yes', csrfToken }, { headers })
          cut.push({ ...tried, ...(await hold(stage, at, send)) })
        }
      }
      await restart()
      for (const { method, phase, name, browser, signInAgain, isCut } of cut) {
        const isStored = method !== 'form' || strategy === 'database'
        t.ok(await isCut, `${name}: killed`)
        t.same(await getSession(browser), {}, `${name}: nobody is signed in`)
        if (phase === 'first') {
          t.same([users(name), of('session', name), of('account', name)], [[], [], []], `${name}: nothing is written`)
        } else {
          const [{ length: sessions }, { length: accounts }] = [of('session', name), of('account', name)]
          t.ok(sessions <= 1, `${name}: ${sessions} sessions`)
          if (method === 'provider') t.equal(accounts, users(name).length, `${name}: no user without an account`)
        }
        // What is left goes on, or starts over.
        const again = await answer(browser)
        t.ok(
          [origin, startOver, `${origin}/api/auth/verify`].includes(again.location ?? ''),
          `${name}: ${again.location}`
        )
        if (again.location !== origin) {
          t.same(await getSession(browser), {}, name)
          t.equal((await signInAgain()).location, interrupted, `${name}: the next try waits, too`)
          t.equal((await answer(browser)).location, origin, `${name}: and is completed`)
        }
        t.match(await getSession(browser), { user: { email: `${name}@example.com` } }, name)
        if (isStored) t.equal(users(name).length, 1, `${name}: one user`)
        if (method === 'provider') t.equal(of('account', name).length, 1, `${name}: one account`)
      }
    }
  })

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)

for (const { store, skip } of [
  { store: 'PostgreSQL', skip: withoutPostgres },
  ...(isLong ? [{ store: 'SQLite', skip: false as const }] : [])
])
  for (const strategy of someStrategies())
    t.test(
      `${strategy}, two processes on ${store}: many completions at once create one session`,
      { skip },
      async (t) => {
        const server = await listen()
        t.teardown(server.close)
        const address = store === 'SQLite' ? join(t.testdir(), 'store.sqlite') : (await createTestDatabase(t)).url()
        const args = [address, server.origin, 'one by one', strategy]
        const [one, two] = [await startProcess(t, args), await startProcess(t, args)]
        for (let round = 0; round < times(1, 4); round++) {
          const browser = createBrowser({ origin, send: sendTo(() => one.port) })
          const mail = one.nextMail()
          await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
          const waiting = await browser.open(/https:\S+callback\/email\S+/.exec(await mail)?.[0] ?? '')
          t.equal(waiting.location, interrupted)
          const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
          const done = await Promise.all(
            Array.from({ length: times(20, 50) }, (_, index) => {
              const send = sendTo(() => (index % 2 === 0 ? one : two).port)
              const copy = createBrowser({ origin, send, cookies: browser.cookies.clone() })
              return copy.submit(ask, { answer: 'yes', csrfToken })
            })
          )
          const won = done.filter(({ location }) => location === origin).length
          const failed = done.filter(({ status }) => status >= 500).length
          t.same({ won, failed }, { won: 1, failed: 0 }, `round ${round}`)
        }
      }
    )
