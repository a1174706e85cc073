import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import {
  type AccessEnd,
  type Factor,
  type Feature,
  type FeatureContext,
  json,
  type PlanChange
} from '@postern/core/feature'
import { type Browser, createBrowser, fromFetch } from '@postern/testkit'
import t, { type Test } from 'tap'
import {
  ada,
  base,
  createLimiter,
  createUser,
  findUser,
  first,
  getAddress,
  openApplication,
  origin,
  signIn,
  strategies
} from './password-application.ts'

type Plan = PlanChange<'refused'>

const path = `${base}/keys`

/** An application with a feature whose changes the test plans, and a store in which other changes come first. */
async function open(t: Test, strategy: 'jwt' | 'database' = 'database', options: object = {}) {
  const inner = memoryAdapter()
  let overtaking = 0
  let userId = ''
  const transact: Adapter['transact'] = async (calls) => {
    if (overtaking > 0 && calls.some(({ method }) => method === 'advanceUser')) {
      overtaking -= 1
      const { version = 0 } = (await inner.getUserVersion(userId)) ?? {}
      const about = { userId, changeId: 'other', until: new Date(Date.now() + 86_400_000), raises: false }
      await inner.advanceUser({ ...about, expected: null, version: version + 1 })
    }
    return inner.transact(calls)
  }
  const contexts: FeatureContext[] = []
  let plan: Plan = () => 'refused'
  let isLimited = true
  const keys: Feature = {
    id: 'keys',
    setup: (context) => {
      contexts.push(context)
      return {
        routes: [
          {
            method: 'POST',
            path: '/keys',
            run: async (request) => json({ outcome: await request.changeAccess(plan, { isLimited }) })
          },
          {
            method: 'POST',
            path: '/keys/end',
            run: async (request) => {
              await request.endOtherSessions()
              return json({})
            }
          }
        ],
        lastingTickets: (id) => [{ kind: 'lasting', id }]
      }
    }
  }
  const app = await openApplication(t, strategy, { adapter: { ...inner, transact }, features: [keys], ...options })
  const browser = await createUser(app)
  userId = (await findUser(app, ada))?.id ?? ''
  const [context] = contexts
  if (!context) throw new Error('expected the context')
  const createKey = (id: string): Factor => ({
    ...{ type: 'keys-key', id, userId, name: null, data: '{}', createdAt: new Date(), lastUsedAt: null, version: 0 }
  })
  const change = async (planned: Plan, from: Browser = browser, limited = true): Promise<unknown> => {
    plan = planned
    isLimited = limited
    const response = await from.submit(path, { json: 'true' })
    return response.status === 200 ? JSON.parse(response.body).outcome : response.status
  }
  return {
    ...{ app, browser, context, userId, createKey, change },
    listKeys: async () => (await context.factors.list(userId, 'keys-key')).map(({ id }) => id),
    overtake: (count: number): void => {
      overtaking = count
    }
  }
}

const copy = (app: Awaited<ReturnType<typeof open>>['app'], browser: Browser): Browser =>
  createBrowser({ origin, send: fromFetch(app.auth.fetch), clock: app.clock, cookies: browser.cookies.clone() })

const add = (factor: Factor, ends: AccessEnd): Plan => {
  return () => ({ ends, writes: [{ method: 'createFactor', args: [factor] }] })
}

for (const strategy of strategies)
  t.test(`${strategy}: a change gives the session a new token, and ends the others if it says so`, async (t) => {
    const { app, browser, createKey, change, listKeys } = await open(t, strategy)
    const other = app.newBrowser()
    await signIn(other, ada, first)
    const before = copy(app, browser)
    t.equal(await change(add(createKey('one'), 'token')), 'changed')
    t.equal(await getAddress(before), null, 'a copy of the cookie has ended')
    t.equal(await getAddress(other), ada, 'the others stay')
    t.equal(await change(add(createKey('two'), 'others')), 'changed')
    t.equal(await getAddress(other), null)
    t.equal(await getAddress(browser), ada)
    t.same(await listKeys(), ['one', 'two'])
    t.equal(await change(add(createKey('three'), 'token'), other), 401, 'an ended session changes nothing')
    t.same(await listKeys(), ['one', 'two'])
  })

t.test('a refusal and a conflict write nothing, and leave the session', async (t) => {
  const { app, browser, createKey, change, listKeys } = await open(t)
  const before = copy(app, browser)
  t.equal(await change(() => 'refused'), 'refused')
  t.equal(await change(add(createKey('one'), 'token')), 'changed')
  const again = copy(app, browser)
  const twice: Plan = () => ({
    ends: 'others',
    writes: [
      { method: 'createFactor', args: [createKey('two')] },
      { method: 'createFactor', args: [createKey('one')] }
    ]
  })
  t.equal(await change(twice), 'conflict')
  const gone = { type: 'keys-key', id: 'gone' }
  t.equal(
    await change(() => ({
      ends: 'others',
      writes: [{ method: 'consumeTicket', args: [{ kind: 'none', id: 'none' }] }]
    })),
    'conflict'
  )
  t.equal(
    await change(() => ({ ends: 'others', writes: [{ method: 'deleteFactor', args: [gone], isRequired: true }] })),
    503,
    'what is required and never there is tried again'
  )
  t.same(await listKeys(), ['one'])
  t.equal(await getAddress(again), ada)
  t.equal(await getAddress(before), null)
})

t.test('if another change comes first, the plan is made again, at most three times', async (t) => {
  const { createKey, change, listKeys, overtake, context, userId } = await open(t)
  const versions: number[] = []
  const plan =
    (id: string): Plan =>
    ({ version }) => {
      versions.push(version)
      return { ends: 'token', writes: [{ method: 'createFactor', args: [createKey(id)] }] }
    }
  overtake(3)
  t.equal(await change(plan('one')), 'changed')
  t.equal(new Set(versions).size, 4)
  t.same(
    versions,
    versions.toSorted((one, other) => one - other)
  )
  overtake(4)
  t.equal(await change(plan('two')), 503)
  overtake(3)
  t.equal(await context.changeAccess(userId, plan('three')), 'changed')
  t.same(await listKeys(), ['one', 'three'])
})

t.test('without a session, a change needs nothing but its plan', async (t) => {
  const { app, browser, createKey, context, userId, listKeys } = await open(t)
  const { version } = (await context.findUser({ email: ada })) ?? { version: 0 }
  t.equal(await context.changeAccess(userId, () => 'refused'), 'refused')
  t.equal(await getAddress(browser), ada)
  t.equal(await context.changeAccess(userId, add(createKey('one'), 'others')), 'changed')
  t.equal(await getAddress(browser), null)
  const after = await context.readVersion(userId)
  t.ok(after.sessionsFrom > version)
  t.equal(after.sessionsFrom, after.version)
  await app.auth.users.suspend(userId)
  t.match(await context.findUser({ userId }), { isSuspended: true, user: { email: ada } })
  t.equal(await context.changeAccess(userId, add(createKey('two'), 'nothing')), 'changed', 'the application may do it')
  t.same(await listKeys(), ['one', 'two'])
  t.equal(await context.findUser({ email: 'nobody@example.com' }), null)
})

t.test('the changes of a session are limited, and its ends are not', async (t) => {
  const { browser, createKey, change } = await open(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const outcomes = new Set<unknown>()
  for (let index = 0; index < 20; index++) outcomes.add(await change(add(createKey(`${index}`), 'token')))
  t.same([...outcomes], ['changed'])
  t.equal(await change(add(createKey('more'), 'token')), 429)
  t.equal(await change(add(createKey('cancel'), 'token'), browser, false), 'changed')
  for (let index = 0; index < 25; index++) t.equal((await browser.submit(`${path}/end`, {})).status, 200)
})

t.test('a suspension leaves the tickets that last', async (t) => {
  const { app, context, userId } = await open(t)
  const about = { userId, data: 'x', tries: 0, expires: new Date(app.clock.now() + 86_400_000) }
  for (const kind of ['lasting', 'other']) await context.tickets.create({ kind, id: userId, ...about })
  await app.auth.users.suspend(userId)
  t.match(await context.tickets.read({ kind: 'lasting', id: userId }), { data: 'x', userId })
  t.equal(await context.tickets.read({ kind: 'other', id: userId }), null)
  await app.auth.users.resume(userId)
  await app.auth.deleteUser(userId)
  t.equal(await context.tickets.read({ kind: 'lasting', id: userId }), null)
})
