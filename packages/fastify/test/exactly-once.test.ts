import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { createBrowser, type Send, waitForMessage } from '@postern/testkit'
import { getSurvivor, Ledger, rowsBySql, settle, watchedBrowser, watching } from '@postern/testkit/consistency-checker'
import { isLong, times, turnsOf } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { getPerson, startJudged } from './judged.ts'
import { origin, start } from './start.ts'

const rounds = times(2, 1000)
const uses = 50
t.setTimeout(isLong ? 0 : 300_000)

for (const { value: store, test } of turnsOf(['memory', 'sqlite'] as const, t)()) {
  const options = { store, session: { strategy: 'database' }, rateLimit: false } as const

  test(`email-2: ${store}: of ${uses} uses of one link at once one signs in`, async (t) => {
    const { getBrowser, begin, mailbox, settle } = await startJudged(t, { ...options, mail: { confirm: 'never' } })
    let winners = 0
    for (let round = 0; round < rounds; round++) {
      const person = `person-${round}`
      await begin(getBrowser(person), person, 'the link')
      const { url } = mailbox.last()
      const responses = await Promise.all(Array.from({ length: uses }, () => getBrowser(person).open(url)))
      const won = responses.filter(({ location }) => location === origin).length
      if (won !== 1) t.fail(`round ${round}: ${won} signed in`)
      winners += won
    }
    t.equal(winners, rounds, 'one session a round')
    await settle(t, `${store}, ${rounds} rounds of ${uses} uses of a link`, ['error Verification'])
  })

  test(`email-2: ${store}: of ${uses} uses of one code, and of its link, at once one signs in`, async (t) => {
    const { getBrowser, begin, mailbox, ledger, send, clock, settle } = await startJudged(t, options)
    const some = Math.ceil(rounds / 4)
    let winners = 0
    for (let round = 0; round < some; round++) {
      const person = `person-${round}`
      const asking = getBrowser(person)
      await begin(asking, person, 'the link')
      const { code, url } = mailbox.last()
      const { csrfToken } = await asking.json<{ csrfToken: string }>('/api/auth/csrf')
      const watched = watching(ledger, getPerson(person))(send)
      const responses = await Promise.all(
        Array.from({ length: uses }, (_, index) => {
          const twin = createBrowser({ origin, clock, send: watched, cookies: asking.cookies.clone() })
          return index % 2 === 0 ? twin.submit('/api/auth/callback/email', { code, csrfToken }) : twin.open(url)
        })
      )
      const won = responses.filter(({ location }) => location === origin).length
      if (won !== 1) t.fail(`round ${round}: ${won} signed in`)
      winners += won
    }
    t.equal(winners, some)
    await settle(t, `${store}, ${some} rounds of ${uses} uses of a code and its link`, ['error Verification'])
  })

  test(`email-2: ${store}: of many wrong codes at once no more than five are looked at`, async (t) => {
    const { send, browser, mailbox, clock } = await start(t, options)
    for (let round = 0; round < times(1, 5); round++) {
      await browser.submit('/api/auth/signin/email', { email: `person-${round}@example.com` })
      const { code, url } = mailbox.last()
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const guess = (text: string) =>
        createBrowser({ origin, clock, send, cookies: browser.cookies.clone() }).submit('/api/auth/callback/email', {
          code: text,
          csrfToken
        })
      let mayTryAgain = 0
      for (let burst = 0; burst < 6; burst++) {
        const responses = await Promise.all(
          Array.from({ length: uses }, (_, index) => guess(`BCDFGHJ${'BCDFGHJKLM'[index % 10]}`))
        )
        mayTryAgain += responses.filter(({ location }) => location?.includes('error=code')).length
      }
      t.equal(mayTryAgain, 4, 'four wrong codes may be followed by another')
      t.match((await guess(code)).location, /error=Verification/, 'then the right one is refused')
      t.match((await browser.open(url)).location, /error=Verification/, 'and the row no longer exists')
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
  const port = Number(await waitForMessage(child, (message) => message['port']))
  return { process: child, port, nextMail: async () => String(await waitForMessage(child, ({ text }) => text)) }
}

t.test(`two processes on one SQLite file: of ${uses} uses of one link at once one signs in`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-once-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'app.db')
  await sqliteAdapter({ file }).close()
  const first = await startInstance(t, file)
  const second = await startInstance(t, file)
  const reader = new Database(file, { readonly: true })
  t.teardown(() => reader.close())
  const ledger = new Ledger()
  const sendTo =
    ({ port }: Instance): Send =>
    async ({ method, url, headers, body = null }) => {
      const init = { method, headers, body, redirect: 'manual' } as const
      const response = await fetch(`http://127.0.0.1:${port}${url}`, init)
      const cookies = { 'set-cookie': response.headers.getSetCookie() }
      const answered = { ...Object.fromEntries(response.headers), ...cookies }
      return { status: response.status, headers: answered, body: await response.text() }
    }
  const newLink = async (person: string): Promise<string> => {
    const mail = first.nextMail()
    const browser = watchedBrowser(ledger, getPerson(person), { origin, send: sendTo(first) })
    await browser.submit('/api/auth/signin/email', { email: getPerson(person).address })
    return /\/api\/auth\/callback\/email\?\S+/.exec(await mail)?.[0] ?? ''
  }
  const some = times(2, 200)
  for (let round = 0; round < some; round++) {
    const person = getPerson(`person-${round}`)
    const path = await newLink(person.name)
    const responses = await Promise.all(
      Array.from({ length: uses }, (_, index) => {
        const send = sendTo(index % 2 === 0 ? first : second)
        return watchedBrowser(ledger, person, { origin, send }).open(path)
      })
    )
    const won = responses.filter(({ location }) => location === origin).length
    const failed = responses.filter(({ status }) => status >= 500).length
    t.same({ won, failed }, { won: 1, failed: 0 }, `round ${round}`)
  }
  // Mails are identified by their order: one after the other.
  let turn: Promise<unknown> = Promise.resolve()
  const survivor = getSurvivor(ledger, {
    origin,
    send: sendTo(second),
    rows: () => rowsBySql((sql) => reader.prepare<[], unknown>(sql).all()),
    signIn: (browser, { name }) => {
      const work = turn.then(async () => browser.open(await newLink(name)))
      turn = work
      return work
    }
  })
  const title = `two processes, ${some} rounds of ${uses} uses of a link`
  await settle(t, ledger, survivor, { title, allowedErrors: ['error Verification'] })
})
