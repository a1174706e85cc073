import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserResponse } from '@postern/testkit'
import t, { type Test } from 'tap'
import { type Judged, judged, type Way } from './judged.ts'
import { type DatabaseServer, type Limits, type OwnAdapter, type Place, servers } from './servers.ts'
import { origin, type Started, sessionOf, start } from './start.ts'

const ways: readonly Way[] = ['the provider', 'the link', 'the form']

interface Stage extends Started, Judged {
  readonly place: Place
}

async function openStage(t: Test, server: DatabaseServer, limits: Limits = {}): Promise<Stage> {
  const place = await server.newPlace(t)
  return openWith(t, place, place.open(server.port, limits))
}

async function openWith(t: Test, place: Place, adapter: OwnAdapter, instances?: number): Promise<Stage> {
  await adapter.ready()
  const several = instances === undefined ? {} : { instances }
  const started = await start(t, { ...several, adapter, session: { strategy: 'database' }, rateLimit: false })
  t.teardown(() => adapter.close())
  return { ...started, ...judged(started, place.rows), place }
}

const wayOf = (index: number): Way => ways[index % 3] ?? 'the form'

/** The longest that anybody waits for what needs no database, while this lasts. */
async function longestAnswer({ browserOf }: Stage, until: Promise<unknown>): Promise<number> {
  const browser = browserOf('somebody else')
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  let longest = 0
  let answers = 0
  while (!isOver) {
    const began = performance.now()
    for (const path of ['csrf', 'providers', 'session']) {
      const { status } = await browser.open(`/api/auth/${path}`)
      if (status !== 200) throw new Error(`${path} was answered ${status}`)
      answers += 1
    }
    longest = Math.max(longest, performance.now() - began)
    await delay(10)
  }
  return answers > 10 ? longest : Number.POSITIVE_INFINITY
}

for (const server of servers) {
  const { name, missing: skip } = server

  t.test(`${name} is slow and its connections are used up: 503 in time, others go on`, { skip }, async (t) => {
    const stage = await openStage(t, server, { max: 2, statementTimeout: 1000 })
    const { place, browserOf, begin, signIn, settle, log } = stage
    const present = browserOf('grace')
    await signIn(present, 'grace', 'the form')
    const attempts: (() => Promise<BrowserResponse>)[] = []
    for (let index = 0; index < 9; index++)
      attempts.push(await begin(browserOf(`person${index}`), `person${index}`, wayOf(index)))
    const release = await place.hold('users')
    const began = performance.now()
    const answers = Promise.all([...attempts.map((finish) => finish()), present.open('/api/auth/session')])
    const longest = await longestAnswer(stage, answers)
    t.same([...new Set((await answers).map(({ status }) => status))], [503])
    t.ok(performance.now() - began < 15_000, `${Math.round(performance.now() - began)} ms until all were answered`)
    t.ok(longest < 500, `others waited ${Math.round(longest)} ms at most`)
    t.ok(log.some((line) => /STORE_UNAVAILABLE_ERROR/.test(line)))
    await release()
    t.match(await sessionOf(present), { user: { name: 'grace' } }, 'nobody was signed out')
    for (let index = 0; index < 9; index++) await signIn(browserOf(`person${index}`), `person${index}`, wayOf(index))
    await settle(t, `${name}, slow`, ['error Verification'])
  })

  t.test(`${name} has no room left: 503, nothing half-written, and on it goes when there is`, { skip }, async (t) => {
    const { place, browserOf, begin, signIn, settle } = await openStage(t, server)
    const present = browserOf('grace')
    await signIn(present, 'grace', 'the form')
    const attempts = []
    for (const way of ways) {
      const person = `new by ${way}`.replaceAll(' ', '-')
      const browser = browserOf(person)
      attempts.push({ way, person, browser, finish: await begin(browser, person, way) })
    }
    const empty = await place.fillDisk()
    for (const { way, finish } of attempts) t.equal((await finish()).status, 503, way)
    t.match(await sessionOf(present), { user: { name: 'grace' } }, 'sessions are read')
    const { users, sessions } = await place.rows()
    t.same([users.length, sessions?.length], [1, 1], 'nothing half-written')
    await empty()
    for (const { way, person, browser, finish } of attempts) {
      const answer = way === 'the provider' ? await signIn(browser, person, way) : await finish()
      t.equal(answer.location, origin, `${way}: once more`)
    }
    await settle(t, `${name}, disk full`)
  })

  t.test(`${name} takes no writes for a time: 503, and nothing half-written`, { skip }, async (t) => {
    const { place, browserOf, begin, signIn, settle } = await openStage(t, server, { statementTimeout: 500 })
    const attempts = []
    for (const way of ['the provider', 'the form'] as const)
      attempts.push({ way, finish: await begin(browserOf(`by-${way.slice(4)}`), `by-${way.slice(4)}`, way) })
    const release = await place.hold('writes of accounts')
    for (const { way, finish } of attempts) t.equal((await finish()).status, 503, way)
    await release()
    const { users, sessions } = await place.rows()
    t.same([users.length, sessions?.length], [0, 0], 'nothing half-written')
    for (const { way } of attempts) await signIn(browserOf(`by-${way.slice(4)}`), `by-${way.slice(4)}`, way)
    await settle(t, `${name}, writes held up`)
  })

  t.test(`${name} turns read-only: sessions are read, sign-ins are 503 until it is over`, { skip }, async (t) => {
    const place = await server.newPlace(t)
    // Its tables are made first.
    const owner = place.open()
    await owner.ready()
    await owner.close()
    const { adapter, turn } = await place.openReadOnly(t)
    const { browserOf, begin, signIn, settle } = await openWith(t, place, adapter)
    const present = browserOf('grace')
    await signIn(present, 'grace', 'the form')
    const attempts = []
    for (const way of ways) {
      const person = `by-${way.slice(4)}`
      const browser = browserOf(person)
      attempts.push({ way, person, browser, finish: await begin(browser, person, way) })
    }
    await turn(true)
    for (const { way, finish } of attempts) t.equal((await finish()).status, 503, way)
    t.match(await sessionOf(present), { user: { name: 'grace' } }, 'sessions are read')
    t.equal((await present.submit('/api/auth/signout', {})).status, 503)
    await turn(false)
    for (const { way, person, browser, finish } of attempts) {
      const answer = way === 'the provider' ? await signIn(browser, person, way) : await finish()
      t.equal(answer.location, origin, `${way}: once more`)
    }
    await settle(t, `${name}, read-only`)
  })

  t.test(`${name}, with serialisable transactions: whoever comes at once is signed in`, { skip }, async (t) => {
    const place = await server.newPlace(t)
    const { browserOf, begin, settle } = await openWith(t, place, place.openSerializable(t))
    const finishes = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const person = `person${index % 12}`
        return begin(browserOf(person), person, wayOf(index))
      })
    )
    const answers = await Promise.all(finishes.map((finish) => finish()))
    t.same([...new Set(answers.map(({ location }) => location))], [origin])
    await settle(t, `${name}, serialisable`)
  })

  t.test(`${name}: first sign-ins of one person, thirty at once, are one user`, { skip }, async (t) => {
    const { browserOf, begin, settle } = await openStage(t, server)
    const finishes = await Promise.all(Array.from({ length: 30 }, () => begin(browserOf('ada'), 'ada', 'the provider')))
    const answers = await Promise.all(finishes.map((finish) => finish()))
    t.same([...new Set(answers.map(({ location }) => location))], [origin])
    await settle(t, `${name}, thirty first sign-ins at once`)
  })
}
