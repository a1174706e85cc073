import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { createBrowser, fromInject, type Send } from '@postern/testkit'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { isClustered } from './cluster-notes.ts'
import { anyOf, origin, start } from './start.ts'

/** `POSTERN_LONG=1` for a thousand rounds. */
const isLong = Boolean(process.env['POSTERN_LONG'])
const rounds = isLong ? 1000 : isClustered ? 20 : 100
const uses = 50
if (isLong) t.setTimeout(0)
const how = isLong ? '' : ' (POSTERN_LONG=1 for 1000 rounds)'

/** Each request to any of the instances. */
const sendToAny =
  (app: FastifyInstance): Send =>
  (request) =>
    fromInject(anyOf(app, request.url))(request)

for (const store of ['memory', 'sqlite'] as const) {
  const options = { store, session: { strategy: 'database' }, rateLimit: false } as const

  t.test(`${store}: of ${uses} uses of one link at once one signs in`, async (t) => {
    const { app, browser, mailbox, adapter } = await start(t, { ...options, mail: { confirm: 'never' } })
    let winners = 0
    for (let round = 0; round < rounds; round++) {
      const address = `person-${round}@example.com`
      await browser.submit('/api/auth/signin/email', { email: address })
      const url = mailbox.last().url.slice(origin.length)
      const answers = await Promise.all(Array.from({ length: uses }, () => anyOf(app, url).inject({ url })))
      const won = answers.filter(({ headers }) => headers['location'] === origin).length
      const user = await adapter?.getUserByEmail?.(address)
      const sessions = await adapter?.listSessions?.(user?.id ?? '')
      if (won !== 1 || sessions?.length !== 1) t.fail(`round ${round}: ${won} signed in, ${sessions?.length} sessions`)
      winners += won
    }
    t.equal(winners, rounds, 'one session a round')
    console.log(`exactly once, ${store}: ${rounds} rounds of ${uses} uses of a link${how}`)
  })

  t.test(`${store}: of ${uses} uses of one code, and of its link, at once one signs in`, async (t) => {
    const { app, newBrowser, mailbox, adapter, clock } = await start(t, options)
    const some = Math.ceil(rounds / 4)
    let winners = 0
    for (let round = 0; round < some; round++) {
      const address = `person-${round}@example.com`
      const asking = newBrowser()
      await asking.submit('/api/auth/signin/email', { email: address })
      const { code, url } = mailbox.last()
      const { csrfToken } = await asking.json<{ csrfToken: string }>('/api/auth/csrf')
      const answers = await Promise.all(
        Array.from({ length: uses }, (_, index) => {
          const twin = createBrowser({ origin, clock, send: sendToAny(app), cookies: asking.cookies.clone() })
          return index % 2 === 0 ? twin.submit('/api/auth/callback/email', { code, csrfToken }) : twin.open(url)
        })
      )
      const won = answers.filter(({ location }) => location === origin).length
      const user = await adapter?.getUserByEmail?.(address)
      const sessions = await adapter?.listSessions?.(user?.id ?? '')
      if (won !== 1 || sessions?.length !== 1) t.fail(`round ${round}: ${won} signed in, ${sessions?.length} sessions`)
      winners += won
    }
    t.equal(winners, some)
    console.log(`exactly once, ${store}: ${some} rounds of ${uses} uses of a code and its link${how}`)
  })

  t.test(`${store}: of many wrong codes at once no more than five are looked at`, async (t) => {
    const { app, browser, mailbox, clock } = await start(t, options)
    for (let round = 0; round < 5; round++) {
      await browser.submit('/api/auth/signin/email', { email: `person-${round}@example.com` })
      const { code, url } = mailbox.last()
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const guess = (text: string) =>
        createBrowser({ origin, clock, send: sendToAny(app), cookies: browser.cookies.clone() }).submit(
          '/api/auth/callback/email',
          { code: text, csrfToken }
        )
      let mayTryAgain = 0
      for (let burst = 0; burst < 6; burst++) {
        const answers = await Promise.all(
          Array.from({ length: uses }, (_, index) => guess(`BCDFGHJ${'BCDFGHJKLM'[index % 10]}`))
        )
        mayTryAgain += answers.filter(({ location }) => location?.includes('error=code')).length
      }
      t.equal(mayTryAgain, 4, 'four wrong codes may be followed by another')
      t.match((await guess(code)).location, /error=Verification/, 'then the right one is refused')
      t.match((await browser.open(url)).location, /error=Verification/, 'and the row is gone')
    }
  })
}

interface Instance {
  readonly process: ChildProcess
  readonly port: number
  readonly nextMail: () => Promise<string>
}

async function startInstance(t: Test, file: string): Promise<Instance> {
  const child = fork(join(import.meta.dirname, 'exactly-once-instance.js'), [file], { execArgv: [], stdio: 'inherit' })
  t.teardown(() => child.kill())
  const next = <T>(): Promise<T> => new Promise((resolve) => child.once('message', (message) => resolve(message as T)))
  const { port } = await next<{ port: number }>()
  return { process: child, port, nextMail: async () => (await next<{ text: string }>()).text }
}

t.test(`two processes on one SQLite file: of ${uses} uses of one link at once one signs in`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-once-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'app.db')
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close?.())
  const first = await startInstance(t, file)
  const second = await startInstance(t, file)
  const send = ({ port }: Instance, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
  const csrf = await send(first, '/api/auth/csrf')
  const cookie = csrf.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const some = isLong ? 1000 : 40
  for (let round = 0; round < some; round++) {
    const address = `person-${round}@example.com`
    const mail = first.nextMail()
    const body = new URLSearchParams({ csrfToken, email: address })
    await send(first, '/api/auth/signin/email', { method: 'POST', body, headers: { cookie } })
    const [path = ''] = /\/api\/auth\/callback\/email\?\S+/.exec(await mail) ?? []
    const answers = await Promise.all(
      Array.from({ length: uses }, (_, index) => send(index % 2 === 0 ? first : second, path))
    )
    const won = answers.filter(({ headers }) => headers.get('location') === origin).length
    const user = await adapter.getUserByEmail?.(address)
    const sessions = await adapter.listSessions?.(user?.id ?? '')
    const failed = answers.filter(({ status }) => status >= 500).length
    if (won !== 1 || sessions?.length !== 1)
      t.fail(`round ${round}: ${won} signed in, ${sessions?.length} sessions, ${failed} failed`)
    else t.pass(`round ${round}`)
  }
  console.log(`exactly once, two processes: ${some} rounds of ${uses} uses of a link${how}`)
})
