import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, type BrowserResponse, createBrowser, createIssuer, type Send } from '@postern/testkit'
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
}

/** A message of the process, or its end. */
const next = (child: ChildProcess): Promise<Readonly<Record<string, unknown>>> =>
  new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the process ended too early')))
    child.once('message', (message) => resolve(message as Readonly<Record<string, unknown>>))
  })

async function startProcess(t: Test, args: readonly string[]): Promise<Process> {
  const child = fork(join(import.meta.dirname, 'pending-process.js'), args, { execArgv: [], stdio: 'inherit' })
  t.teardown(() => child.kill('SIGKILL'))
  const { port } = await next(child)
  return { child, port: Number(port), nextMail: async () => String((await next(child))['text']) }
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
  /** Starts another process, which replaces the one before. */
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
    restart: async () => {
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

/** The writes of both requests: at least as many as they make. */
const writes = (['first', 'answer'] as const).flatMap((phase) =>
  Array.from({ length: phase === 'first' ? 4 : 8 }, (_, at) => ({ phase, at }))
)

let cases = 0

/** Each case kills at another write in `npm test`, and at every write in the long run. */
function writesOfCase(): typeof writes {
  const own = (2 * cases + (cases % 2)) % writes.length
  cases += 1
  return isLong ? writes : writes.slice(own, own + 1)
}

const someStrategies = inTurn(strategies)
const someKinds = inTurn(['transactional', 'one by one'])

/** Whether a request killed its process. */
const isCut = (work: Promise<BrowserResponse>): Promise<boolean> =>
  work.then(
    () => false,
    () => true
  )

for (const [method, prepare] of Object.entries(methods))
  for (const kind of someKinds())
    for (const strategy of someStrategies())
      t.test(
        `${strategy}, ${kind}, ${method}: killed at each write between the first factor and the session`,
        async (t) => {
          const cutWrites = writesOfCase()
          const stage = await openStage(t, { kind, strategy, restarts: cutWrites.length })
          const { send, restart, rows } = stage
          const isStored = method !== 'form' || strategy === 'database'
          const of = (table: string, name: string) =>
            rows(
              `select * from "${table}" where "userId" in (select "id" from "user" where "email" = '${name}@example.com')`
            )
          const users = (name: string) => rows(`select * from "user" where "email" = '${name}@example.com'`)
          const signIn = async (browser: Browser, name: string): Promise<BrowserResponse> =>
            (await prepare(stage, browser, name))({})
          let kills = 0
          // The number of a write that does not exist kills before the response.
          for (const { phase, at } of cutWrites) {
            const name = `${phase}-${at}`
            const browser = createBrowser({ origin, send })
            const headers = { 'x-kill-at': `${at}` }
            const enter = await prepare(stage, browser, name)
            if (phase === 'first') t.ok(await isCut(enter(headers)), `${name}: killed`)
            else {
              t.equal((await enter({})).location, interrupted, name)
              const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
              t.ok(await isCut(browser.submit(ask, { answer: 'yes', csrfToken }, { headers })), `${name}: killed`)
            }
            kills++
            await restart()
            t.same(await getSession(browser), {}, `${name}: nobody is signed in`)
            if (phase === 'first') {
              t.same(
                [users(name), of('session', name), of('account', name)],
                [[], [], []],
                `${name}: nothing is written`
              )
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
              t.equal((await signIn(browser, name)).location, interrupted, `${name}: the next try waits, too`)
              t.equal((await answer(browser)).location, origin, `${name}: and is completed`)
            }
            t.match(await getSession(browser), { user: { email: `${name}@example.com` } }, name)
            if (isStored) t.equal(users(name).length, 1, `${name}: one user`)
            if (method === 'provider') t.equal(of('account', name).length, 1, `${name}: one account`)
          }
          t.comment(`${kills} kills`)
        }
      )

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)

for (const { store, skip } of [
  { store: 'SQLite', skip: false as const },
  { store: 'PostgreSQL', skip: withoutPostgres }
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
