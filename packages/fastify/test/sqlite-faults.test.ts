import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { rowsBySql } from '@postern/testkit/consistency-checker'
import { isLong, times } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { type Judged, judged, type SignInMethod } from './judged.ts'
import { getSession, origin, type Started, start } from './start.ts'

interface Stage extends Started, Judged {
  readonly file: string
  /** The connection of the application. */
  readonly database: Database.Database
}

async function openStage(t: Test): Promise<Stage> {
  const file = join(t.testdir(), 'app.db')
  const database = new Database(file, { timeout: 250 })
  database.pragma('journal_mode = WAL')
  t.teardown(() => database.close())
  const reader = new Database(file, { readonly: true })
  t.teardown(() => reader.close())
  const adapter = sqliteAdapter({ db: database })
  const started = await start(t, { adapter, session: { strategy: 'database' }, rateLimit: false })
  const rows = () => rowsBySql((sql) => reader.prepare<[], unknown>(sql).all())
  return { ...started, ...judged(started, rows), file, database }
}

/** Another process that holds the file. */
async function hold(t: Test, file: string, seconds: number): Promise<{ readonly released: Promise<unknown> }> {
  const args = [file, `${seconds * 1000}`]
  const child = fork(join(import.meta.dirname, 'sqlite-holder.js'), args, { execArgv: [] })
  t.teardown(() => child.kill())
  const released = once(child, 'exit')
  await once(child, 'message')
  return { released }
}

const methods: readonly SignInMethod[] = ['the provider', 'the link', 'the form']
const personBy = (method: SignInMethod): string => `by-${method.slice(4)}`

// @first: the tests wait for time limits and connections.

for (const seconds of isLong ? [1, 3, 10] : [1, 8]) {
  t.test(`another process holds the file for ${seconds} s: reads succeed, writes wait for at most 5 s`, async (t) => {
    const { file, getBrowser, begin, signIn, settle } = await openStage(t)
    const present = getBrowser('grace')
    await signIn(present, 'grace', 'the form')
    const attempts = []
    for (const method of methods) {
      const browser = getBrowser(personBy(method))
      attempts.push({ signInMethod: method, browser, finish: await begin(browser, personBy(method), method) })
    }
    const { released } = await hold(t, file, seconds)
    let [isOver, isHeld] = [false, true]
    void released.then(() => {
      isHeld = false
    })
    const began = performance.now()
    const responses = Promise.all(attempts.map(({ finish }) => finish())).finally(() => {
      isOver = true
    })
    let maxDuration = 0
    let reads = 0
    while (!isOver) {
      const requests = performance.now()
      t.match(await getSession(present), { user: { name: 'grace' } })
      maxDuration = Math.max(maxDuration, performance.now() - requests)
      if (isHeld) reads += 1
      await delay(isLong ? 20 : 100)
    }
    const waited = performance.now() - began
    const places = (await responses).map(({ status, location }) => (status === 503 ? 'unavailable' : location))
    t.same([...new Set(places)], [seconds < 5 ? origin : 'unavailable'])
    t.ok(waited < 8000, `writers waited ${Math.round(waited)} ms`)
    t.ok(reads > 0, `${reads} reads before the file was released`)
    // Writers wait for the file a quarter of a second each at a time, in which nothing else happens.
    if (seconds > 1) t.ok(maxDuration < waited / 2, `the slowest reader waited ${Math.round(maxDuration)} ms`)
    await released
    if (seconds > 5)
      for (const { signInMethod: method, browser, finish } of attempts) {
        const response = method === 'the provider' ? await signIn(browser, personBy(method), method) : await finish()
        t.equal(response.location, origin, `${method}: again`)
      }
    await settle(t, `SQLite, held for ${seconds} s`)
  })
}

type Break = (database: Database.Database) => () => unknown

const breaks: Readonly<Record<string, Break>> = {
  'has no room left': (database) => {
    database.exec('create table filling (text text)')
    database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 1}`)
    const fill = database.prepare('insert into filling values (?)')
    // The last bytes of the last page too.
    for (const size of [4000, 1000, 100, 10])
      for (let isFull = false; !isFull; )
        try {
          fill.run('x'.repeat(size))
        } catch {
          isFull = true
        }
    return () => {
      database.pragma('max_page_count = 1000000')
      database.exec('drop table filling')
    }
  },
  'turns read-only': (database) => {
    database.pragma('query_only = on')
    return () => database.pragma('query_only = off')
  }
}

for (const [title, breakDown] of Object.entries(breaks)) {
  t.test(`a file that ${title}: 503, nothing half-written, and on it goes when that has ended`, async (t) => {
    const { database, getBrowser, begin, signIn, settle, log } = await openStage(t)
    const present = getBrowser('grace')
    await signIn(present, 'grace', 'the form')
    // The first rows fit into pages that are there.
    const signIns = title.includes('room') ? 30 : times(9, 30)
    const attempts = []
    for (let index = 0; index < signIns; index++) {
      const method = methods[index % 3] ?? 'the form'
      const person = `${personBy(method)}-${index}`
      const browser = getBrowser(person)
      attempts.push({ signInMethod: method, person, browser, finish: await begin(browser, person, method) })
    }
    const restore = breakDown(database)
    let unavailable = 0
    for (const { finish } of attempts) if ((await finish()).status === 503) unavailable += 1
    t.ok(unavailable >= 5, `${unavailable} of ${signIns} got 503`)
    t.ok(
      log.some((line) => /SQLITE_(FULL|READONLY)/.test(line)),
      'the log contains the reason'
    )
    t.match(await getSession(present), { user: { name: 'grace' } }, 'sessions are read')
    restore()
    for (const { signInMethod: method, person, browser, finish } of attempts) {
      if ((await getSession(browser)).user) continue
      const response = method === 'the provider' ? await signIn(browser, person, method) : await finish()
      t.equal(response.location, origin, `${person}: again`)
    }
    await settle(t, `SQLite, a file that ${title}`)
  })
}
