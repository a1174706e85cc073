import { parse } from 'node:querystring'
import { memoryAdapter } from '@postern/adapters/memory'
import type { PosternOptions } from '@postern/core'
import { type Browser, createBrowser } from '@postern/testkit'
import { some, turnsOf } from '@postern/testkit/long'
import type { FastifyInstance } from 'fastify'
import t, { type Test, test } from 'tap'
import { requireCsrfToken } from '../../src/index.ts'
import { logout } from '../logout-token.ts'
import { encodeNextAuthToken } from '../next-auth-token.ts'
import { fewInTurn } from '../selections.ts'
import { cookieNames, fromAfar, openLinkPage, origin, type Started, signInByForm } from '../start.ts'
import { addRoutes, getCopy, isAlive, second, third, update } from './session-setup.ts'
import { accountsOf, begin, getStatus, idOf, mallory, signIn, startAccounts, strategies, vera } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

/** Some of the values for each claim in `npm test`, the next ones for the next claim. */
const fewValues = fewInTurn(2)
/** One way to end the sessions for each test, the next test the next one. */
const fewWays = fewInTurn(1)

const sessionCookie = '__Secure-next-auth.session-token'

/** Routes that show what the server knows about a session. */
function addOwnRoutes(app: FastifyInstance): void {
  addRoutes(app)
  app.after(() => {
    if (!app.hasContentTypeParser('application/x-www-form-urlencoded'))
      app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, parse(String(body)))
      )
    app.get('/who', async (request) => ({ who: await request.getAuthentication() }))
    app.post('/change', { preHandler: requireCsrfToken }, async () => 'changed')
    app.put('/change', { preHandler: requireCsrfToken }, async () => 'changed')
    app.delete('/change', { preHandler: requireCsrfToken }, async () => 'changed')
    app.get<{ Querystring: { user: string; to?: string; amr?: string } }>('/enter', async (request, reply) => {
      const { user, to, amr } = request.query
      const options = { ...(to === undefined ? {} : { callbackUrl: to }), ...(amr ? { amr: [amr] } : {}) }
      return app.postern.signIn(request, reply, user, options)
    })
  })
}

type Options = Parameters<typeof startAccounts>[1]

const open = (t: Test, options: Options = {}): Promise<Started> =>
  startAccounts(t, { before: addOwnRoutes, ...options })

/** An application whose clock starts as that of the machine, as the store's does. */
async function openToday(t: Test, options: Options = {}): Promise<Started> {
  const started = await open(t, options)
  started.clock.set(new Date())
  return started
}

interface Who {
  readonly userId: string
  readonly sessionId: string | null
  readonly amr: readonly string[]
  readonly authTime: string | null
  readonly provider: { readonly id: string; readonly acr: string | null } | null
}
const whoIn = async (browser: Browser): Promise<Who | null> => (await browser.json<{ who: Who | null }>('/who')).who

/** A patch of the session may set any claim: the carelessness of an application that impersonates users. */
const careless: NonNullable<PosternOptions['callbacks']> = {
  jwt: ({ token, trigger, session }) =>
    trigger === 'update' && typeof session === 'object' ? { ...token, ...session } : token
}

/** Signs in and then links a second account of another provider. */
async function signInAndLink(started: Started, browser: Browser, first = vera, next = second): Promise<string> {
  await signIn(started, browser, first)
  await signIn(started, browser, next, { provider: 'loose', link: 'true' })
  return (await idOf(started, first.sub)) ?? ''
}

const ways = [
  ['revokeAll', ({ app }: Started, id: string) => app.postern.sessions.revokeAll(id)],
  ['suspend', ({ app }: Started, id: string) => app.postern.users.suspend(id)],
  ['deleteUser', ({ app }: Started, id: string) => app.postern.deleteUser(id)],
  [
    'unlink',
    ({ app }: Started, id: string) => app.postern.unlink(id, { provider: 'loose', providerAccountId: second.sub })
  ],
  ['logout of the first account', (started: Started) => logout(started, { sub: vera.sub })],
  ['logout of the linked account', (started: Started) => logout(started, { sub: second.sub }, 'loose')]
] as const

test('a session whose token names another user ends with its own', async (t) => {
  for (const [name, end] of ways) {
    const started = await open(t, { session: { strategy: 'jwt' }, callbacks: careless })
    const other = started.newBrowser()
    await signIn(started, other, mallory)
    const otherId = (await idOf(started, mallory.sub)) ?? ''
    const id = await signInAndLink(started, started.browser)
    await update(started.browser, { sub: otherId })
    t.equal((await whoIn(started.browser))?.userId, id, `${name}: who signed in stays`)
    t.ok(await isAlive(started.browser), `${name}: signed in before`)
    await end(started, id)
    t.notOk(await isAlive(started.browser), `${name} ends the session`)
    t.ok(await isAlive(other), `${name} leaves the user that the token names`)
  }
})

test('a session whose token names another user does not act as that user', async (t) => {
  const started = await open(t, { session: { strategy: 'jwt' }, callbacks: careless })
  const other = started.newBrowser()
  await signIn(started, other, mallory)
  const otherId = (await idOf(started, mallory.sub)) ?? ''
  await signIn(started, started.browser, vera)
  const id = (await idOf(started, vera.sub)) ?? ''
  await update(started.browser, { sub: otherId })
  await signIn(started, started.browser, second, { provider: 'loose', link: 'true' })
  t.equal(await idOf(started, second.sub, 'loose'), id, 'a link goes to the user who signed in')
  t.strictSame(await accountsOf(started, otherId), ['demo mallory'], 'and not to the one that the token names')
  await started.browser.open('/sign-out-others')
  t.ok(await isAlive(other), 'ending the others leaves the sessions of another user')
  t.equal((await started.app.postern.sessions.list(otherId)).length, 1, 'the list of another user')
  t.equal((await started.app.postern.sessions.list(id)).length, 1, 'the own list')
})

test('a patch of the session cannot state what only Postern states', async (t) => {
  const started = await open(t, { session: { strategy: 'jwt', absoluteMaxAge: 3600 }, callbacks: careless })
  await signIn(started, started.newBrowser(), mallory)
  const otherId = (await idOf(started, mallory.sub)) ?? ''
  const past = Math.floor(started.clock.now() / 1000) - 3000
  await signIn(started, started.browser, { ...vera, auth_time: past })
  const id = (await idOf(started, vera.sub)) ?? ''
  const names = Object.keys(await started.browser.json<object>('/token')).filter(
    (name) => !['name', 'email'].includes(name)
  )
  t.ok(
    names.some((name) => name.startsWith('session_')),
    'names of Postern'
  )
  const now = Math.floor(started.clock.now() / 1000) + 100
  for (const name of [
    ...names,
    'session_user',
    'auth_time',
    'session_start',
    'session_started',
    'exp',
    'iat',
    'amr',
    'acr'
  ]) {
    const values = [otherId, now, null, ['pwd', 'mfa'], { amr: ['pwd'], provider: { id: 'demo', acr: 'gold' } }]
    for (const value of fewValues<unknown>(values)) {
      await update(started.browser, { [name]: value })
    }
    const who = await whoIn(started.browser)
    t.equal(who?.userId, id, `${name}: the user`)
    t.strictSame(who?.amr, [], `${name}: amr`)
    t.equal(await getStatus(started.browser, '/fresh'), 401, `${name}: not fresh`)
    t.equal(await getStatus(started.browser, '/gold'), 401, `${name}: no acr`)
  }
  started.clock.advance(3601)
  t.notOk(await isAlive(started.browser), 'the session ends at its absolute lifetime')
})

for (const sub of [42, null, '', { id: 1 }])
  test(`a token whose sub is ${JSON.stringify(sub)?.slice(0, 12)} is still ended by its user`, async (t) => {
    const started = await open(t, {
      session: { strategy: 'jwt' },
      callbacks: { jwt: ({ token }) => ({ ...token, sub: sub as string }) }
    })
    const copy = started.newBrowser()
    await signIn(started, started.browser, vera)
    await signIn(started, copy, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    await update(started.browser, {})
    t.ok(await isAlive(started.browser), 'signed in')
    t.equal((await whoIn(started.browser))?.userId, id, 'the user')
    await started.browser.open('/sign-out-others')
    t.ok(await isAlive(started.browser), 'the current session stays')
    t.notOk(await isAlive(copy), 'the other session ends')
    await started.app.postern.sessions.revokeAll(id)
    t.notOk(await isAlive(started.browser), 'ended')
  })

test('sub that is set back names the same user, and the session still ends', async (t) => {
  const started = await open(t, { session: { strategy: 'jwt' }, callbacks: careless })
  await signIn(started, started.browser, vera)
  const id = (await idOf(started, vera.sub)) ?? ''
  for (const sub of ['somebody', id, 'else', id]) await update(started.browser, { sub })
  t.equal((await whoIn(started.browser))?.userId, id)
  await started.app.postern.sessions.revokeAll(id)
  t.notOk(await isAlive(started.browser))
})

for (const { value: strategy, test } of turns()) {
  test(`link-2: ${strategy}: a chain of links neither lengthens nor refreshes a session`, async (t) => {
    const started = await open(t, {
      session: { strategy, absoluteMaxAge: 1000, maxAge: 5000 },
      linking: { freshWithin: 900 }
    })
    const authTime = Math.floor(started.clock.now() / 1000)
    await signIn(started, started.browser, { ...vera, auth_time: authTime })
    const before = await whoIn(started.browser)
    started.clock.advance(400)
    const now = () => Math.floor(started.clock.now() / 1000)
    await signIn(
      started,
      started.browser,
      { ...second, auth_time: now(), acr: 'gold' },
      { provider: 'loose', link: 'true' }
    )
    started.clock.advance(400)
    await signIn(
      started,
      started.browser,
      { ...third, auth_time: now(), acr: 'gold' },
      { provider: 'loose', link: 'true' }
    )
    const id = (await idOf(started, vera.sub)) ?? ''
    t.equal(await idOf(started, third.sub, 'loose'), id, 'linked')
    const after = await whoIn(started.browser)
    t.equal(after?.authTime, before?.authTime, 'the time stays')
    t.equal(await getStatus(started.browser, '/fresh'), 401, 'not fresh')
    t.equal(await getStatus(started.browser, '/gold'), 401, 'no acr of the linked account')
    started.clock.advance(150)
    await signIn(started, started.browser, { ...mallory, auth_time: now() }, { provider: 'loose', link: 'true' })
    t.equal(await idOf(started, mallory.sub, 'loose'), null, 'the window of linking did not start again')
    started.clock.advance(60)
    t.notOk(await isAlive(started.browser), 'the absolute lifetime is that of the sign-in')
  })

  test(`unlink-1: ${strategy}: each account of a chain of links ends the session`, async (t) => {
    const accounts = [
      ['demo', vera],
      ['loose', second],
      ['loose', third]
    ] as const
    const all = accounts.flatMap(([provider, person]) =>
      (['unlink', 'logout'] as const).map((how) => ({ provider, person, how }))
    )
    for (const { provider, person, how } of some(all, ({ person, how }) => [person.sub, how], 1)) {
      const started = await open(t, { session: { strategy } })
      const id = await signInAndLink(started, started.browser)
      await signIn(started, started.browser, third, { provider: 'loose', link: 'true' })
      const early = getCopy(started, started.browser)
      t.ok(await isAlive(early))
      if (how === 'unlink') await started.app.postern.unlink(id, { provider, providerAccountId: person.sub })
      else await logout(started, { sub: person.sub }, provider)
      t.notOk(await isAlive(started.browser), `${how} of ${provider} ${person.sub}`)
      t.notOk(await isAlive(early), `${how} of ${provider} ${person.sub} ends copies`)
    }
  })

  test(`${strategy}: the token from before a link is dead`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    const stolen = getCopy(started, started.browser)
    await signIn(started, started.browser, second, { provider: 'loose', link: 'true' })
    t.ok(await isAlive(started.browser))
    t.notOk(await isAlive(stolen), 'a copy from before')
  })

  test(`${strategy}: a link keeps the decision of "remember me"`, async (t) => {
    for (const remembered of [false, 600] as const) {
      let answer: boolean | number = remembered
      const started = await open(t, { session: { strategy, maxAge: 5000, remember: () => answer } })
      await signIn(started, started.browser, vera)
      answer = true
      await signIn(started, started.browser, second, { provider: 'loose', link: 'true' })
      const cookie = started.browser.cookies.all().find(({ name }) => name.startsWith(sessionCookie))
      t.ok(cookie, 'a session')
      if (remembered === false) t.equal(cookie?.expires, null, 'ends with the browser')
      else {
        started.clock.advance(601)
        t.notOk(await isAlive(started.browser), 'ends after its own lifetime')
      }
    }
  })

  test(`${strategy}: a link that started as one user is not made for another`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    const { finish } = await begin(started, started.browser, second, { provider: 'loose', link: 'true' })
    await signIn(started, started.newBrowser(), mallory)
    const other = (await idOf(started, mallory.sub)) ?? ''
    await started.browser.submit('/api/auth/signout', {})
    await signIn(started, started.browser, mallory)
    t.equal((await whoIn(started.browser))?.userId, other, 'signed in as another user')
    await finish()
    t.equal(await idOf(started, second.sub, 'loose'), null, 'nothing is linked')
    t.strictSame(await accountsOf(started, other), ['demo mallory'])
  })

  test(`${strategy}: a link that the application's sign-in overtakes is not made for its user`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.newBrowser(), mallory)
    const other = (await idOf(started, mallory.sub)) ?? ''
    await signIn(started, started.browser, vera)
    const old = getCopy(started, started.browser)
    const { finish } = await begin(started, started.browser, second, { provider: 'loose', link: 'true' })
    await started.browser.open(`/enter?user=${encodeURIComponent(other)}`)
    t.equal((await whoIn(started.browser))?.userId, other, 'signed in by the application')
    t.notOk(await isAlive(old), 'the previous session ended')
    await finish()
    t.equal(await idOf(started, second.sub, 'loose'), null, 'nothing is linked')
  })

  test(`${strategy}: the confirmation of a link ends with the session that it is for`, async (t) => {
    for (const how of ['revokeAll', 'sign-out', 'later', 'twice', 'other user', 'no token'] as const) {
      const started = await open(t, { session: { strategy } })
      await signIn(started, started.newBrowser(), mallory)
      await signIn(started, started.browser, vera)
      const id = (await idOf(started, vera.sub)) ?? ''
      const response = await signIn(started, started.browser, second, { provider: 'loose' })
      const page = await openLinkPage(started.browser, response)
      const action = /<form[^>]*action="([^"]+)"/.exec(page.body)?.[1] ?? ''
      if (how === 'revokeAll') await started.app.postern.sessions.revokeAll(id)
      if (how === 'sign-out') await started.browser.submit('/api/auth/signout', {})
      if (how === 'later') started.clock.advance(601)
      if (how === 'other user') await started.browser.open(`/enter?user=${await idOf(started, mallory.sub)}`)
      if (how === 'twice') await started.browser.fill(page, 'form')
      if (how === 'no token') await started.browser.submit(action, { csrfToken: 'x' })
      else await started.browser.fill(page, 'form').catch(() => undefined)
      const linked = await idOf(started, second.sub, 'loose')
      if (how === 'twice') t.equal(linked, id, 'control: confirmed')
      else t.equal(linked, null, `${how}: nothing is linked`)
    }
  })

  test(`cookie-1: ${strategy}: a copy of the cookie ends with the others, and its late answers clear no cookie`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    const stolen = getCopy(started, started.browser)
    await started.browser.open('/sign-out-others')
    t.ok(await isAlive(started.browser), 'the browser that asked')
    const before = stolen.cookies.get(cookieNames.sessionToken)
    t.notOk(await isAlive(stolen), 'the copy')
    t.equal(stolen.cookies.get(cookieNames.sessionToken), before)
  })

  test(`${strategy}: double clicks on ending the others leave the browser signed in`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    const others = [started.newBrowser(), started.newBrowser()]
    for (const other of others) await signIn(started, other, vera)
    await Promise.all([1, 2, 3].map(() => started.browser.open('/sign-out-others')))
    t.ok(await isAlive(started.browser), 'the browser that asked')
    for (const other of others) t.notOk(await isAlive(other), 'others')
  })

  test(`${strategy}: of two browsers that end each other one stays`, async (t) => {
    const started = await open(t, { session: { strategy } })
    const two = [started.browser, started.newBrowser()] as const
    for (const browser of two) await signIn(started, browser, vera)
    await Promise.all(two.map((browser) => browser.open('/sign-out-others')))
    const alive = await Promise.all(two.map(isAlive))
    t.strictSame(alive.toSorted(), [false, true])
  })

  test(`${strategy}: the application's sign-in redirects only to its own origin, and not the suspended`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.newBrowser(), vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    for (const to of [
      'https://evil.test/',
      '//evil.test',
      '/\\evil.test',
      'javascript:alert(1)',
      'https:evil.test',
      '/\t/evil.test',
      'https://app.test@evil.test/'
    ]) {
      const outcome = await started
        .newBrowser()
        .json<{ url?: string }>(`/enter?user=${id}&to=${encodeURIComponent(to)}`)
      t.equal(new URL(outcome.url ?? '', origin).origin, origin, to)
    }
    await started.app.postern.users.suspend(id)
    const browser = started.newBrowser()
    await browser.open(`/enter?user=${id}`)
    t.notOk(await isAlive(browser), 'suspended')
  })
}

/** Another process of the same application: its store is shared, and it reads revocations every second. */
async function openSecond(t: Test, first: Started, options: Options = {}): Promise<Started> {
  if (!first.adapter) throw new Error('expected an adapter')
  return open(t, { adapter: first.adapter, runtime: { now: first.clock.now }, ...options })
}

const lateEnds = ways
  .filter(([way]) => way === 'revokeAll' || way === 'unlink')
  .flatMap(([name, end]) => (['revokeOthers', 'update', 'link'] as const).map((action) => ({ name, end, action })))

for (const { name, end, action } of some(lateEnds, ({ name, action }) => [name, action], 1))
  test(`jwt: in the second until another process knows of ${name}, ${action} does not prolong a session`, async (t) => {
    const first = await openToday(t, { session: { strategy: 'jwt' } })
    const other = await openSecond(t, first, { session: { strategy: 'jwt' } })
    const id = await signInAndLink(first, first.browser)
    const owner = first.newBrowser()
    await signIn(first, owner, vera)
    first.clock.advance(5)
    const attacker = getCopy(other, first.browser)
    const { finish } = await begin(other, attacker, third, { provider: 'loose', link: 'true' })
    t.ok(await isAlive(attacker), 'the other process has read the revocations')
    await end(first, id)
    await signIn(first, owner, vera)
    if (action === 'revokeOthers') await attacker.open('/sign-out-others')
    if (action === 'update') await update(attacker, {})
    if (action === 'link') await finish()
    first.clock.advance(2)
    t.not((await whoIn(attacker))?.userId, id, 'ended in the other process')
    t.not((await whoIn(getCopy(first, attacker)))?.userId, id, 'ended in the first process')
    t.not(await idOf(first, third.sub, 'loose'), id, 'nothing is linked')
    t.ok(await isAlive(owner), 'the owner stays')
  })

test('jwt: the others that were ended cannot end the browser that ended them, from another process', async (t) => {
  const first = await openToday(t, { session: { strategy: 'jwt' } })
  const other = await openSecond(t, first, { session: { strategy: 'jwt' } })
  const thief = first.newBrowser()
  await signIn(first, thief, vera)
  await signIn(first, first.browser, vera)
  first.clock.advance(5)
  const away = getCopy(other, thief)
  t.ok(await isAlive(away))
  await first.browser.open('/sign-out-others')
  await away.open('/sign-out-others')
  first.clock.advance(2)
  t.notOk(await isAlive(away), 'the thief')
  t.notOk(await isAlive(getCopy(first, away)), 'the thief, elsewhere')
  t.ok(await isAlive(first.browser), 'the owner')
})

for (const { value: strategy, test } of turns()) {
  test(`link-3: ${strategy}: a page that names one user does not link to another`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.newBrowser(), mallory)
    const other = (await idOf(started, mallory.sub)) ?? ''
    await signIn(started, started.browser, vera)
    const page = await openLinkPage(
      started.browser,
      await signIn(started, started.browser, second, { provider: 'loose' })
    )
    t.match(page.body, 'vera@example.com')
    await started.browser.open(`/enter?user=${other}`)
    await openLinkPage(started.browser, await signIn(started, started.browser, second, { provider: 'loose' }))
    await started.browser.fill(page, 'form')
    t.equal(await idOf(started, second.sub, 'loose'), null, 'the page named Vera')
  })

  test(`${strategy}: linking a provider that is assumed fresh makes no session fresh`, async (t) => {
    const started = await open(t, { session: { strategy }, loose: { assumeFresh: true } })
    await signIn(started, started.browser, vera)
    await signIn(started, started.browser, second, { provider: 'loose', link: 'true' })
    t.ok(await idOf(started, second.sub, 'loose'), 'linked')
    t.equal(await getStatus(started.browser, '/fresh'), 401)
  })

  test(`${strategy}: a form that links an account proves nothing about the user`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    await signInByForm(started.browser, 'vera')
    const isLinked = strategy === 'database'
    t.equal((await accountsOf(started, id)).includes('credentials id-vera'), isLinked, 'control')
    // Without stored sessions, a form signs in its own user.
    t.equal((await whoIn(started.browser))?.userId, isLinked ? id : 'id-vera')
    if (isLinked) t.strictSame((await whoIn(started.browser))?.amr, [])
    if (isLinked) t.equal(await getStatus(started.browser, '/fresh'), 401)
  })

  test(`${strategy}: clocks that are set back lock nobody out, and bring nothing back`, async (t) => {
    const started = await openToday(t, { session: { strategy }, linking: { freshWithin: false } })
    await signIn(started, started.browser, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    const old = getCopy(started, started.browser)
    await started.app.postern.sessions.revokeAll(id)
    started.clock.advance(-3600)
    t.notOk(await isAlive(old), 'ended sessions stay ended')
    await signIn(started, started.browser, vera)
    t.ok(await isAlive(started.browser), 'the owner signs in again')
    started.clock.advance(3601)
    await started.browser.open('/sign-out-others')
    t.ok(await isAlive(started.browser), 'and ends other sessions')
    await signIn(started, started.browser, second, { provider: 'loose', link: 'true' })
    t.ok(await isAlive(started.browser), 'and links an account')
    t.equal(await idOf(started, second.sub, 'loose'), id)
    t.notOk(await isAlive(old), 'ended sessions stay ended')
    await started.app.postern.sessions.revokeAll(id)
    t.notOk(await isAlive(started.browser), 'and ends everything')
  })

  test(`${strategy}: a clock that is set back makes no session fresh for longer than the clock went`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, { ...vera, auth_time: Math.floor(started.clock.now() / 1000) })
    t.equal(await getStatus(started.browser, '/fresh'), 200)
    started.clock.advance(-3600)
    t.equal(await getStatus(started.browser, '/fresh'), 401, 'before it began, it was not fresh')
  })

  test(`${strategy}: the application's sign-in does not meet a step-up of another user`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.newBrowser(), mallory)
    const other = (await idOf(started, mallory.sub)) ?? ''
    await signIn(started, started.browser, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    await started.browser.followAll(await started.browser.open('/fresh'))
    const refused = await started.browser.open(`/enter?user=${other}`)
    t.equal(refused.status, 401)
    t.equal((await whoIn(started.browser))?.userId, id, 'the session stays')
  })

  for (const missing of [
    ['putSessionRecord', 'getSessionRecords', 'deleteSessionRecord'],
    ['createTicket', 'readTicket', 'countTry', 'consumeTicket', 'deleteTickets'],
    ['transact', 'createUserWithAccount', 'withLease']
  ])
    test(`${strategy}: without ${missing[0]}, each way to end a linked session ends it`, async (t) => {
      const endings = ways.filter(([way]) => way === 'revokeAll' || way === 'unlink' || way.includes('linked'))
      for (const [name, end] of fewWays(endings)) {
        const adapter = Object.fromEntries(
          Object.entries(memoryAdapter()).filter(([method]) => !missing.includes(method))
        )
        const started = await open(t, { session: { strategy }, adapter })
        const id = await signInAndLink(started, started.browser)
        const wasLinked = (await idOf(started, second.sub, 'loose')) === id
        t.ok(wasLinked, `${name}: linked`)
        await end(started, id)
        t.notOk(await isAlive(started.browser), name)
      }
    })
}

test('jwt: a callback that returns another object loses nothing that Postern needs', async (t) => {
  const started = await open(t, {
    session: { strategy: 'jwt', absoluteMaxAge: 3600 },
    callbacks: { jwt: () => ({ sub: 'external', name: 'X' }) }
  })
  for (const [name, end] of ways.filter(([way]) => way === 'revokeAll' || way.includes('linked'))) {
    const fresh = await open(t, { session: { strategy: 'jwt' }, callbacks: { jwt: () => ({ sub: 'external' }) } })
    const id = await signInAndLink(fresh, fresh.browser)
    await update(fresh.browser, {})
    t.ok(await isAlive(fresh.browser), `${name}: signed in`)
    t.equal((await whoIn(fresh.browser))?.userId, id)
    await end(fresh, id)
    t.notOk(await isAlive(fresh.browser), name)
  }
  await signIn(started, started.browser, vera)
  for (let turn = 0; turn < 4; turn += 1) {
    started.clock.advance(850)
    await update(started.browser, {})
  }
  t.ok(await isAlive(started.browser))
  started.clock.advance(201)
  await update(started.browser, {})
  t.notOk(await isAlive(started.browser), 'its absolute lifetime')
})

/** Puts a token into a browser in place of its session. */
function putToken(browser: Browser, token: string): void {
  for (const { name } of browser.cookies.all()) if (name.startsWith(sessionCookie)) browser.cookies.delete(name)
  browser.cookies.set(sessionCookie, token, { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' })
}

test('a token that next-auth has written again ends with its user and with an account that it linked', async (t) => {
  for (const [name, end] of ways.filter(([way]) => way === 'revokeAll' || way.includes('linked'))) {
    const started = await open(t, { session: { strategy: 'jwt' } })
    const id = await signInAndLink(started, started.browser)
    const claims = await started.browser.json<Record<string, unknown>>('/token')
    t.equal(claims['session_user'], undefined, 'none until sub changes')
    putToken(started.browser, encodeNextAuthToken(claims, started.clock.now()))
    t.equal((await whoIn(started.browser))?.userId, id, 'the token is accepted')
    await end(started, id)
    t.notOk(await isAlive(started.browser), name)
  }
})

test('a token that next-auth has written again gets its user before an update replaces sub', async (t) => {
  const started = await open(t, { session: { strategy: 'jwt' }, callbacks: careless })
  await signIn(started, started.newBrowser(), mallory)
  const other = (await idOf(started, mallory.sub)) ?? ''
  await signIn(started, started.browser, vera)
  const id = (await idOf(started, vera.sub)) ?? ''
  const { session_user: _, ...claims } = await started.browser.json<Record<string, unknown>>('/token')
  putToken(started.browser, encodeNextAuthToken(claims, started.clock.now()))
  await update(started.browser, { sub: other, session_user: other })
  t.equal((await whoIn(started.browser))?.userId, id)
  await update(started.browser, { sub: id, session_user: other })
  t.equal((await whoIn(started.browser))?.userId, id)
  await started.app.postern.sessions.revokeAll(id)
  t.notOk(await isAlive(started.browser))
})

for (const { value: strategy, test } of turns()) {
  for (const skew of [-9])
    test(`${strategy}: double clicks that reach two processes whose clocks differ by ${skew} s`, async (t) => {
      for (const mode of ['at once', 'with the old cookie', 'in one browser'] as const) {
        const first = await openToday(t, { session: { strategy } })
        const other = await open(t, {
          session: { strategy },
          adapter: first.adapter as NonNullable<typeof first.adapter>,
          runtime: { now: () => first.clock.now() + skew * 1000 }
        })
        await signIn(first, first.browser, vera)
        const thief = first.newBrowser()
        await signIn(first, thief, vera)
        first.clock.advance(20)
        const same = first.browser.cookies
        const away = createBrowser({
          origin,
          send: other.send,
          clock: first.clock,
          cookies: mode === 'in one browser' ? same : same.clone()
        })
        t.ok(await isAlive(away))
        const click = () => away.open('/sign-out-others')
        if (mode !== 'with the old cookie') await Promise.all([first.browser.open('/sign-out-others'), click()])
        else {
          await first.browser.open('/sign-out-others')
          first.clock.advance(0.2)
          await click()
        }
        first.clock.advance(2)
        t.notOk(await isAlive(thief), `${mode}: the other browser`)
        // Whichever answer came last, a browser keeps its cookies.
        t.ok((await isAlive(first.browser)) || (await isAlive(away)), `${mode}: the browser that asked`)
      }
    })

  test(`${strategy}: guards check every method, and no header weakens them`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    for (const path of ['/fresh', '/gold', '/with-password'])
      for (const headers of [
        {},
        { accept: 'text/html' },
        { 'x-http-method-override': 'GET' },
        { 'x-forwarded-uri': '/me' },
        { 'x-original-url': '/me' },
        { upgrade: 'websocket', connection: 'upgrade' }
      ])
        for (const method of ['GET', 'HEAD'] as const) {
          const { status } = await started.browser.request(method, path, { headers })
          t.not(status, 200, `${method} ${path} ${JSON.stringify(headers)}`)
        }
  })

  test(`${strategy}: the freshness of a silent sign-in at another provider does not pass a step-up`, async (t) => {
    const started = await open(t, { session: { strategy } })
    const now = () => Math.floor(started.clock.now() / 1000)
    await signIn(started, started.browser, { ...vera, auth_time: now() })
    started.clock.advance(120)
    await started.browser.followAll(await started.browser.open('/fresh'))
    await signIn(started, started.browser, { ...vera, auth_time: now() - 120 })
    t.equal(await getStatus(started.browser, '/fresh'), 401, 'an old time')
    await started.browser.followAll(await started.browser.open('/fresh'))
    await signIn(started, started.browser, { ...vera, auth_time: now() + 86_400 })
    t.equal(await getStatus(started.browser, '/fresh'), 401, 'a time in the future')
    await started.browser.followAll(await started.browser.open('/fresh'))
    await signIn(started, started.browser, { ...vera, auth_time: `${now()}` })
    t.equal(await getStatus(started.browser, '/fresh'), 401, 'a time that is text')
    await started.browser.followAll(await started.browser.open('/fresh'))
    await signIn(started, started.browser, { ...second, auth_time: now() }, { provider: 'loose', link: 'true' })
    t.equal(await idOf(started, second.sub, 'loose'), null, 'an account of nobody is not linked during a step-up')
    t.equal(await getStatus(started.browser, '/fresh'), 401, 'an account of nobody')
    await started.browser.followAll(await started.browser.open('/fresh'))
    await signIn(started, started.browser, { ...vera, auth_time: now() })
    t.equal(await getStatus(started.browser, '/fresh'), 200, 'control: the user authenticated')
  })

  test(`${strategy}: a form with the token of another browser, or none, changes nothing`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    const { csrfToken } = await started.browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const foreign = (await started.newBrowser().json<{ csrfToken: string }>('/api/auth/csrf')).csrfToken
    const form = 'application/x-www-form-urlencoded'
    const same = { origin, 'sec-fetch-site': 'same-origin' }
    const attempts: [string, Record<string, string>, string][] = [
      ['no token', { 'content-type': form, ...same }, 'a=1'],
      ['empty', { 'content-type': form, ...same }, 'csrfToken='],
      ['foreign', { 'content-type': form, ...same }, `csrfToken=${foreign}`],
      ['twice', { 'content-type': form, ...same }, `csrfToken=${foreign}&csrfToken=${foreign}`],
      ['in the header', { 'content-type': form, ...same, 'x-csrf-token': foreign }, 'a=1'],
      ['list', { 'content-type': 'application/json', ...same }, JSON.stringify({ csrfToken: [foreign] })],
      ['null', { 'content-type': 'application/json', ...same }, 'null'],
      ['true', { 'content-type': 'application/json', ...same }, '{"csrfToken":true}'],
      ['object', { 'content-type': 'application/json', ...same }, '{"csrfToken":{"length":64}}'],
      [
        'cross-site',
        { 'content-type': form, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
        `csrfToken=${csrfToken}`
      ],
      ['another origin', { 'content-type': form, origin: 'https://evil.test' }, `csrfToken=${csrfToken}`],
      [
        'same site',
        { 'content-type': form, origin: 'https://sub.app.test', 'sec-fetch-site': 'same-site' },
        `csrfToken=${csrfToken}`
      ],
      ['override', { 'content-type': form, ...same, 'x-http-method-override': 'GET' }, 'a=1']
    ]
    for (const [name, headers, body] of attempts) {
      for (const method of ['POST', 'PUT', 'DELETE'] as const) {
        const { status } = await started.browser.request(method, `/change?csrfToken=${csrfToken}`, { headers, body })
        t.not(status, 200, `${name} ${method}`)
      }
    }
    const right = await started.browser.post('/change', `csrfToken=${csrfToken}`, same)
    t.equal(right.status, 200, 'control')
  })

  test(`${strategy}: the query and the body of a sign-in add no parameter of the protocol`, async (t) => {
    const names = [
      'scope',
      'acr_values',
      'max_age',
      'redirect_uri',
      'state',
      'nonce',
      'client_id',
      'response_type',
      'response_mode',
      'code_challenge',
      'code_challenge_method',
      'request',
      'request_uri',
      'claims',
      'id_token_hint',
      'prompt',
      'registration',
      'resource',
      'iss',
      'dpop_jkt',
      'Prompt',
      'MAX_AGE',
      'audience'
    ]
    const started = await open(t, {
      session: { strategy },
      demo: {
        requires: { acr: ['gold'], maxAge: 60 },
        authorization: { params: { scope: 'openid email', prompt: 'login' } },
        allowedAuthorizationParams: ['scope', 'acr_values', 'max_age', 'prompt', 'resource', 'audience']
      }
    })
    const plain = new URL((await started.browser.submit('/api/auth/signin/demo', {})).location ?? '')
    const query = new URLSearchParams(
      names.flatMap((name): [string, string][] => [
        [name, 'evil'],
        [name, 'worse']
      ])
    )
    const changed = new URL(
      (
        await started.browser.submit(
          `/api/auth/signin/demo?${query}`,
          Object.fromEntries(names.map((name) => [name, 'evil']))
        )
      ).location ?? 'https://none.test'
    )
    const added = [...changed.searchParams].filter(
      ([name, value]) => !plain.searchParams.has(name) || /evil|worse/.test(value)
    )
    t.strictSame(
      added.map(([name]) => name).filter((name) => !['scope', 'resource', 'audience'].includes(name)),
      [],
      'only what is allowed'
    )
    for (const name of [
      'redirect_uri',
      'client_id',
      'response_type',
      'code_challenge_method',
      'prompt',
      'acr_values',
      'max_age'
    ])
      t.strictSame(changed.searchParams.getAll(name), plain.searchParams.getAll(name), name)
    for (const name of [
      'request',
      'request_uri',
      'response_mode',
      'state',
      'nonce',
      'code_challenge',
      'claims',
      'id_token_hint',
      'registration',
      'iss',
      'dpop_jkt'
    ])
      t.notMatch(`${changed.searchParams.getAll(name)}`, /evil|worse/, name)
  })

  test(`${strategy}: a step-up asks again, whatever the query says`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    await started.browser.followAll(await started.browser.open('/fresh'))
    const { location } = await started.browser.submit('/api/auth/signin/demo?prompt=none&max_age=99999&login_hint=x', {
      prompt: 'none'
    })
    const { searchParams } = new URL(location ?? '')
    t.strictSame(searchParams.getAll('prompt'), ['login'])
    t.strictSame(searchParams.getAll('max_age'), ['60'])
  })

  test(`${strategy}: a return at another provider of the same issuer signs nobody in`, async (t) => {
    const started = await open(t, { session: { strategy } })
    await signIn(started, started.browser, vera)
    for (const [from, to] of [
      ['demo', 'loose'],
      ['loose', 'demo']
    ] as const) {
      const { callback } = await begin(started, started.browser, third, { provider: from, link: 'true' })
      await started.browser.open(callback.replace(`/callback/${from}`, `/callback/${to}`), { headers: fromAfar })
      t.equal(await idOf(started, third.sub, 'demo'), null, `${from} ${to}`)
      t.equal(await idOf(started, third.sub, 'loose'), null, `${from} ${to}`)
      await started.browser.open(callback, { headers: fromAfar })
      t.equal(await idOf(started, third.sub, from), null, 'the state was consumed')
    }
  })
}

test('jwt: a sub that is replaced when a token is renewed leaves its user', async (t) => {
  let sub: string | null = null
  const started = await open(t, {
    session: { strategy: 'jwt', updateAge: 1 },
    callbacks: { jwt: ({ token }) => (sub === null ? token : { ...token, sub }) }
  })
  await signIn(started, started.newBrowser(), mallory)
  await signIn(started, started.browser, vera)
  const id = (await idOf(started, vera.sub)) ?? ''
  sub = await idOf(started, mallory.sub)
  for (let turn = 0; turn < 3; turn += 1) {
    started.clock.advance(10)
    await started.browser.json('/api/auth/session')
  }
  t.equal((await started.browser.json<{ sub: string }>('/token')).sub, sub, 'control: replaced')
  t.equal((await whoIn(started.browser))?.userId, id)
  await signIn(started, started.browser, second, { provider: 'loose', link: 'true' })
  t.equal(await idOf(started, second.sub, 'loose'), id)
  await started.app.postern.sessions.revokeAll(id)
  t.notOk(await isAlive(started.browser))
})

for (const { value: strategy, test } of turns()) {
  test(`join-3: ${strategy}: what somebody prepared does not survive the claim of the address`, async (t) => {
    const unverified = { ...mallory, email: vera.email, email_verified: false }
    for (const pending of ['link', 'page', 'session'] as const) {
      const started = await open(t, { session: { strategy } })
      started.clock.set(new Date())
      const attacker = started.browser
      await signIn(started, attacker, unverified, { provider: 'loose' })
      const id = (await idOf(started, mallory.sub, 'loose')) ?? ''
      t.ok(id, 'prepared')
      await signIn(started, attacker, second, { provider: 'loose', link: 'true' })
      const copy = getCopy(started, attacker)
      const begun = await begin(started, attacker, third, { provider: 'demo', link: pending === 'link' ? 'true' : '' })
      const page = pending === 'page' ? await openLinkPage(attacker, await begun.finish()) : null
      started.clock.advance(1)
      const owner = started.newBrowser()
      await owner.submit('/api/auth/signin/email', { email: vera.email as string })
      await owner.open(started.mailbox.last().url, { headers: fromAfar })
      t.equal((await whoIn(owner))?.userId, id, 'the owner reclaims the user')
      started.clock.advance(1)
      if (pending === 'link') await begun.finish()
      if (page) await attacker.fill(page, 'form').catch(() => undefined)
      started.clock.advance(2)
      t.not((await whoIn(attacker))?.userId, id, `${pending}: the session`)
      t.notOk(await isAlive(copy), `${pending}: a copy`)
      t.not(await idOf(started, third.sub), id, `${pending}: nothing is linked`)
      t.strictSame(await accountsOf(started, id), [], `${pending}: the accounts are removed`)
      t.ok(await isAlive(owner))
    }
  })

  test(`join-4: ${strategy}: an invitation is for one join, for its address and its time`, async (t) => {
    for (const how of ['twice', 'expired', 'address', 'suspend', 'unverified', 'other provider', 'control'] as const) {
      const trust = { demo: { verifiesEmail: true }, loose: { verifiesEmail: false } }
      const started = await open(t, { session: { strategy }, ...trust })
      const user = await started.adapter?.createUser?.({ name: null, email: vera.email as string, emailVerified: null })
      const id = user?.id ?? ''
      await started.app.postern.invite(id, { expiresIn: 3600 })
      if (how === 'expired') started.clock.advance(3601)
      if (how === 'address') await started.adapter?.updateUser?.({ id, email: 'changed@example.com' })
      if (how === 'suspend') {
        await started.app.postern.users.suspend(id)
        await started.app.postern.users.resume(id)
      }
      const changed = { ...vera, email: 'changed@example.com' }
      const person = how === 'unverified' ? { ...vera, email_verified: false } : how === 'address' ? changed : vera
      if (how === 'twice') {
        const people = [vera, { ...second, email: vera.email }]
        const begun = await Promise.all(people.map((person) => begin(started, started.newBrowser(), person)))
        await Promise.all(begun.map(({ finish }) => finish()))
        t.equal((await accountsOf(started, id)).length, 1, 'one join')
      } else {
        await signIn(started, started.browser, person, how === 'other provider' ? { provider: 'loose' } : {})
        const joined = (await accountsOf(started, id)).length
        t.equal(joined, how === 'control' ? 1 : 0, how)
      }
    }
  })
}

/** The server trusts its proxy, so clients have addresses of their own. */
const limited = {
  rateLimit: { credentialsPerClient: { points: 5, seconds: 3600 } },
  server: { trustProxy: true },
  session: { strategy: 'jwt' }
} as const
const from = { headers: { 'x-forwarded-for': '203.0.113.9' } } as const

test('limit-4: every spelling of a username and each kind of body shares a counter', async (t) => {
  const started = await open(t, { rateLimit: {}, session: { strategy: 'jwt' } })
  const spellings = [
    'ada',
    'ADA',
    ' ada ',
    'a\u200bda',
    'a\u0301da',
    '\uff41da',
    'ad\u00e4',
    'Ada\u00ad',
    'a da',
    '\u{1d41a}da'
  ]
  for (const [index, username] of spellings.entries()) {
    const json = index % 2 === 0
    const headers = {
      'x-forwarded-for': `203.0.113.${index}`,
      'x-real-ip': `203.0.113.${index}`,
      forwarded: `for=203.0.113.${index}`
    }
    const { status } = await started
      .newBrowser()
      .submit('/api/auth/callback/credentials', { username, password: 'wrong' }, { json, headers })
    t.equal(status === 429, false, `${index} is counted`)
  }
  const browser = started.newBrowser()
  t.equal(
    (await browser.submit('/api/auth/callback/credentials', { username: 'ada', password: 'lovelace' }, { json: true }))
      .status,
    429
  )
})

test('limit-4: a right password for an own account gives no guesses at another', async (t) => {
  const started = await open(t, limited)
  const enter = (username: string, password: string) =>
    started.newBrowser().submit('/api/auth/callback/credentials', { username, password }, from)
  for (let turn = 0; turn < 5; turn += 1) {
    t.not((await enter(`victim${turn}`, 'wrong')).status, 429, `guess ${turn}`)
    if (turn < 4) t.equal((await enter('mallory', 'lovelace')).status, 302)
  }
  t.equal((await enter('victim9', 'wrong')).status, 429)
})

test('codes are guessed five times, also at once', async (t) => {
  for (const wrong of [4, 12]) {
    const started = await open(t, { session: { strategy: 'jwt' } })
    const asked = await started.browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
    const { code } = started.mailbox.last()
    const page = await started.browser.followAll(asked)
    const enter = (code: string) => started.browser.fill(page, '/api/auth/callback/email', { code })
    await Promise.all(Array.from({ length: wrong }, () => enter('BBBBBBBB')))
    await enter(code)
    t.equal(await isAlive(started.browser), wrong < 5, `the right code after ${wrong} wrong ones`)
  }
})

test('every spelling of an address shares the limit of mails', async (t) => {
  const started = await open(t, { rateLimit: {}, session: { strategy: 'jwt' } })
  const spellings = [
    'ada@example.com',
    'ADA@example.com',
    'ada@EXAMPLE.com',
    ' ada@example.com ',
    '\uff41da@example.com',
    'Ada@Example.com'
  ]
  for (const email of spellings) await started.newBrowser().submit('/api/auth/signin/email', { email })
  await started.newBrowser().submit('/api/auth/signin/email', { email: 'ada@example.com' })
  t.ok(started.mailbox.mails.length <= 5, `${started.mailbox.mails.length} mails`)
})

test('a session whose token names another user reads access tokens of its own', async (t) => {
  const started = await open(t, {
    session: { strategy: 'jwt' },
    callbacks: careless,
    before: (app) => {
      addOwnRoutes(app)
      app.after(() => {
        app.get('/access', async (request) => ({ access: await request.getAccessToken('demo') }))
      })
    }
  })
  const accessIn = async (browser: Browser) => (await browser.json<{ access: string }>('/access')).access
  const other = started.newBrowser()
  await signIn(started, other, mallory)
  await signIn(started, started.browser, vera)
  const [own, foreign] = [await accessIn(started.browser), await accessIn(other)]
  t.not(own, foreign, 'control')
  await update(started.browser, { sub: await idOf(started, mallory.sub) })
  t.equal(await accessIn(started.browser), own)
})
