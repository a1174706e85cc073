import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { rowsBySql } from '@postern/testkit/oracle'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { type Judged, judged, type Way } from './judged.ts'
import { origin, type Started, sessionOf, start } from './start.ts'

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

const ways: readonly Way[] = ['the provider', 'the link', 'the form']
const personBy = (way: Way): string => `by-${way.slice(4)}`

for (const seconds of [1, 3, 10]) {
  t.test(`another process holds the file for ${seconds} s: readers go on, writers wait, for 5 s at most`, async (t) => {
    const { file, browserOf, begin, signIn, settle } = await openStage(t)
    const present = browserOf('grace')
    await signIn(present, 'grace', 'the form')
    const attempts = []
    for (const way of ways) {
      const browser = browserOf(personBy(way))
      attempts.push({ way, browser, finish: await begin(browser, personBy(way), way) })
    }
    const { released } = await hold(t, file, seconds)
    let isOver = false
    const began = performance.now()
    const answers = Promise.all(attempts.map(({ finish }) => finish())).finally(() => {
      isOver = true
    })
    let longest = 0
    let reads = 0
    while (!isOver) {
      const asked = performance.now()
      t.match(await sessionOf(present), { user: { name: 'grace' } })
      longest = Math.max(longest, performance.now() - asked)
      reads += 1
      await delay(20)
    }
    const waited = performance.now() - began
    const places = (await answers).map(({ status, location }) => (status === 503 ? 'unavailable' : location))
    t.same([...new Set(places)], [seconds < 5 ? origin : 'unavailable'])
    t.ok(waited < 8000, `writers waited ${Math.round(waited)} ms`)
    t.ok(reads > 1 && longest < 1500, `of ${reads} readers the slowest waited ${Math.round(longest)} ms`)
    await released
    if (seconds > 5)
      for (const { way, browser, finish } of attempts) {
        const answer = way === 'the provider' ? await signIn(browser, personBy(way), way) : await finish()
        t.equal(answer.location, origin, `${way}: once more`)
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

for (const [what, breakDown] of Object.entries(breaks)) {
  t.test(`a file that ${what}: 503, nothing half-written, and on it goes when that is over`, async (t) => {
    const { database, browserOf, begin, signIn, settle, log } = await openStage(t)
    const present = browserOf('grace')
    await signIn(present, 'grace', 'the form')
    const attempts = []
    for (let index = 0; index < 30; index++) {
      const way = ways[index % 3] ?? 'the form'
      const person = `${personBy(way)}-${index}`
      const browser = browserOf(person)
      attempts.push({ way, person, browser, finish: await begin(browser, person, way) })
    }
    const mend = breakDown(database)
    let unavailable = 0
    for (const { finish } of attempts) if ((await finish()).status === 503) unavailable += 1
    t.ok(unavailable >= 5, `${unavailable} of 30 were told`)
    t.ok(
      log.some((line) => /SQLITE_(FULL|READONLY)/.test(line)),
      'the log says why'
    )
    t.match(await sessionOf(present), { user: { name: 'grace' } }, 'sessions are read')
    mend()
    for (const { way, person, browser, finish } of attempts) {
      if ((await sessionOf(browser)).user) continue
      const answer = way === 'the provider' ? await signIn(browser, person, way) : await finish()
      t.equal(answer.location, origin, `${person}: once more`)
    }
    await settle(t, `SQLite, a file that ${what}`)
  })
}
