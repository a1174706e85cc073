import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserResponse } from '@postern/testkit'
import { isLong, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { type Judged, judged, type SignInMethod } from './judged.ts'
import { type Limits, type OwnAdapter, reuseDatabases, servers, type TestDatabase } from './servers.ts'
import { getSession, origin, type Started, start } from './start.ts'

const methods: readonly SignInMethod[] = ['the provider', 'the link', 'the form']

/** Visitors of a database whose connections are used up, and users who sign in at once in serializable transactions. */
const waiting = times(6, 9)
const concurrent = times(12, 24)
/** Visitors who are one person, and uses of one link. */
const firstSignIns = times(5, 30)
const uses = times(8, 50)

/** Connections of an application: fewer than requests at one moment. */
const max = 4

/** Milliseconds between requests to routes without a database. */
const pause = isLong ? 10 : 100

interface Stage extends Started, Judged {
  readonly database: TestDatabase
}

type GetDatabase = ReturnType<typeof reuseDatabases>

async function openStage(t: Test, getDatabase: GetDatabase, limits: Limits = {}): Promise<Stage> {
  const database = await getDatabase(t)
  return openWith(t, database, database.open(undefined, { max, ...limits }))
}

async function openWith(t: Test, database: TestDatabase, adapter: OwnAdapter, instances?: number): Promise<Stage> {
  await adapter.ready()
  const several = instances === undefined ? {} : { instances }
  const started = await start(t, { ...several, adapter, session: { strategy: 'database' }, rateLimit: false })
  t.teardown(() => adapter.close())
  return { ...started, ...judged(started, database.rows), database }
}

const getMethod = (index: number): SignInMethod => methods[index % 3] ?? 'the form'

/** The maximum response time of a route without a database, meanwhile. */
async function getMaxResponseTime({ getBrowser }: Stage, until: Promise<unknown>): Promise<number> {
  const browser = getBrowser('another user')
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  let maxDuration = 0
  let results = 0
  while (!isOver) {
    const began = performance.now()
    for (const path of ['csrf', 'providers', 'session']) {
      const { status } = await browser.open(`/api/auth/${path}`)
      if (status !== 200) throw new Error(`${path} was answered ${status}`)
      results += 1
    }
    maxDuration = Math.max(maxDuration, performance.now() - began)
    await delay(pause)
  }
  return results > 10 ? maxDuration : Number.POSITIVE_INFINITY
}

// @first: the tests wait for time limits and connections.

for (const server of servers) {
  const { name, missing: skip } = server
  const getDatabase = reuseDatabases(t, server)

  t.test(`${name} is slow and its connections are used up: 503 in time, other routes respond`, { skip }, async (t) => {
    const stage = await openStage(t, getDatabase, { max: 2, statementTimeout: isLong ? 1000 : 500 })
    const { database, getBrowser, begin, signIn, settle, log } = stage
    const present = getBrowser('grace')
    await signIn(present, 'grace', 'the form')
    const attempts: (() => Promise<BrowserResponse>)[] = []
    for (let index = 0; index < waiting; index++)
      attempts.push(await begin(getBrowser(`person${index}`), `person${index}`, getMethod(index)))
    const release = await database.hold('users')
    const began = performance.now()
    const responses = Promise.all([...attempts.map((finish) => finish()), present.open('/api/auth/session')])
    const maxDuration = await getMaxResponseTime(stage, responses)
    t.same([...new Set((await responses).map(({ status }) => status))], [503])
    const duration = performance.now() - began
    t.ok(duration < 15_000, `${Math.round(duration)} ms until all were answered`)
    t.ok(maxDuration < duration / 2, `others waited ${Math.round(maxDuration)} of ${Math.round(duration)} ms at most`)
    t.ok(log.some((line) => /STORE_UNAVAILABLE_ERROR/.test(line)))
    await release()
    t.match(await getSession(present), { user: { name: 'grace' } }, 'no user was signed out')
    for (let index = 0; index < waiting; index++)
      await signIn(getBrowser(`person${index}`), `person${index}`, getMethod(index))
    await settle(t, `${name}, slow`, ['error Verification'])
  })

  t.test(`${name} has no room left: 503, nothing half-written, and on it goes when there is`, { skip }, async (t) => {
    const { database, getBrowser, begin, signIn, settle } = await openStage(t, getDatabase)
    const present = getBrowser('grace')
    await signIn(present, 'grace', 'the form')
    const attempts = []
    for (const method of methods) {
      const person = `new by ${method}`.replaceAll(' ', '-')
      const browser = getBrowser(person)
      attempts.push({ signInMethod: method, person, browser, finish: await begin(browser, person, method) })
    }
    const empty = await database.fillDisk()
    for (const { signInMethod: method, finish } of attempts) t.equal((await finish()).status, 503, method)
    t.match(await getSession(present), { user: { name: 'grace' } }, 'sessions are read')
    const { users, sessions } = await database.rows()
    t.same([users.length, sessions?.length], [1, 1], 'nothing half-written')
    await empty()
    for (const { signInMethod: method, person, browser, finish } of attempts) {
      const response = method === 'the provider' ? await signIn(browser, person, method) : await finish()
      t.equal(response.location, origin, `${method}: again`)
    }
    await settle(t, `${name}, disk full`)
  })

  t.test(`${name} takes no writes for a time: 503, and nothing half-written`, { skip }, async (t) => {
    const { database, getBrowser, begin, signIn, settle } = await openStage(t, getDatabase, { statementTimeout: 500 })
    const attempts = []
    for (const method of ['the provider', 'the form'] as const)
      attempts.push({
        signInMethod: method,
        finish: await begin(getBrowser(`by-${method.slice(4)}`), `by-${method.slice(4)}`, method)
      })
    const release = await database.hold('writes of accounts')
    for (const { signInMethod: method, finish } of attempts) t.equal((await finish()).status, 503, method)
    await release()
    const { users, sessions } = await database.rows()
    t.same([users.length, sessions?.length], [0, 0], 'nothing half-written')
    for (const { signInMethod: method } of attempts)
      await signIn(getBrowser(`by-${method.slice(4)}`), `by-${method.slice(4)}`, method)
    await settle(t, `${name}, writes held up`)
  })

  t.test(`${name} turns read-only: sessions are read, sign-ins are 503 until it is over`, { skip }, async (t) => {
    const database = await getDatabase(t)
    // Its tables are made first.
    const owner = database.open()
    await owner.ready()
    await owner.close()
    const { adapter, turn } = await database.openReadOnly(t)
    const { getBrowser, begin, signIn, settle } = await openWith(t, database, adapter)
    const present = getBrowser('grace')
    await signIn(present, 'grace', 'the form')
    const attempts = []
    for (const method of methods) {
      const person = `by-${method.slice(4)}`
      const browser = getBrowser(person)
      attempts.push({ signInMethod: method, person, browser, finish: await begin(browser, person, method) })
    }
    await turn(true)
    for (const { signInMethod: method, finish } of attempts) t.equal((await finish()).status, 503, method)
    t.match(await getSession(present), { user: { name: 'grace' } }, 'sessions are read')
    t.equal((await present.submit('/api/auth/signout', {})).status, 503)
    await turn(false)
    for (const { signInMethod: method, person, browser, finish } of attempts) {
      const response = method === 'the provider' ? await signIn(browser, person, method) : await finish()
      t.equal(response.location, origin, `${method}: again`)
    }
    await settle(t, `${name}, read-only`)
  })

  t.test(`${name}, with serializable transactions: concurrent users are signed in`, { skip }, async (t) => {
    const database = await getDatabase(t)
    const { getBrowser, begin, settle } = await openWith(t, database, database.openSerializable(t))
    const finishes = await Promise.all(
      Array.from({ length: concurrent }, (_, index) => {
        const person = `person${index % (concurrent / 2)}`
        return begin(getBrowser(person), person, getMethod(index))
      })
    )
    const responses = await Promise.all(finishes.map((finish) => finish()))
    t.same([...new Set(responses.map(({ location }) => location))], [origin])
    await settle(t, `${name}, serialisable`)
  })

  t.test(`${name}: first sign-ins of one person, ${firstSignIns} at once, are one user`, { skip }, async (t) => {
    const { getBrowser, begin, settle } = await openStage(t, getDatabase)
    const finishes = await Promise.all(
      Array.from({ length: firstSignIns }, () => begin(getBrowser('ada'), 'ada', 'the provider'))
    )
    const responses = await Promise.all(finishes.map((finish) => finish()))
    t.same([...new Set(responses.map(({ location }) => location))], [origin])
    await settle(t, `${name}, first sign-ins at once`)
  })

  t.test(`${name}: one link, ${uses} times at once, is one session`, { skip }, async (t) => {
    const database = await getDatabase(t)
    const { getBrowser, begin, mailbox, settle } = await openWith(t, database, database.open(undefined, { max }), 2)
    for (let round = 0; round < times(1, 4); round++) {
      const person = `person${round}`
      const first = getBrowser(person)
      await begin(first, person, 'the link')
      const { url } = mailbox.last()
      const twins = Array.from({ length: uses }, () => getBrowser(person))
      for (const { cookies } of twins) for (const { name, value } of first.cookies.all()) cookies.set(name, value)
      const responses = await Promise.all(twins.map((twin) => twin.open(url)))
      t.equal(responses.filter(({ location }) => location === origin).length, 1, person)
    }
    await settle(t, `${name}, links used at once`, ['error Verification'])
  })
}
