import { auditLog } from '@postern/account/audit-log'
import type { AuthRequest } from '@postern/core'
import { encode } from '@postern/core/jwt'
import type { Browser, BrowserResponse, Person } from '@postern/testkit'
import { displayTexts } from '@postern/testkit/display-texts'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  accountPath,
  ada,
  base,
  comeBack,
  createLimiter,
  createUser,
  findUser,
  first,
  getAddress,
  getRows,
  openAccountApplication,
  origin,
  second,
  signIn,
  strategies
} from './account-application.ts'
import { day, emailPath, getId, isSignedIn, openSession } from './email-application.ts'
import { addPasskey } from './passkey-application.ts'
import { getCookies } from './password-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { stores } from './stores.ts'

const mallory = 'mallory@example.com'
const devicesPath = `${accountPath}/devices`
const person: Person = { sub: 'ada', name: 'Ada', email: ada, email_verified: true }

const disconnect = (browser: Browser, providerAccountId: string) =>
  browser.submit(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId })

/** What is limited by user, and what a session can ask for, with the statuses of a request that is not limited. */
const limited: Readonly<Record<string, (browser: Browser, count: number) => Promise<BrowserResponse>>> = {
  'the current password': (browser) =>
    browser.submit(`${base}/password`, { currentPassword: 'a wrong one', password: second }),
  'another address': (browser, count) => browser.submit(emailPath, { email: `${count}@example.com` }),
  'an export': (browser) => browser.submit(`${accountPath}/data`, {}),
  'the mail of an enrollment': (browser) => browser.submit(`${base}/factors/totp`, { send: 'mail' })
}

for (const [name, ask] of Object.entries(limited))
  t.test(`a stolen session does not use up the limit of its owner on a known device: ${name}`, async (t) => {
    const app = await openAccountApplication(t, 'database', { rateLimit: { limiter: createLimiter() } })
    const owner = await createUser(app)
    const thief = app.newBrowser()
    for (const cookie of owner.cookies.all())
      if (!cookie.name.includes('device')) thief.cookies.set(cookie.name, cookie.value, { secure: true })
    t.not(thief.cookies.all().length, owner.cookies.all().length, 'the copy is of the session alone')
    for (const browser of [thief, owner]) await browser.submit(`${base}/factors/totp/start`, {})
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) statuses.push((await ask(thief, count)).status)
    t.equal(statuses.at(-1), 429, `${statuses}`)
    t.equal((await ask(owner, 20)).status, statuses[0], 'the owner has a limit of their own')
    const many: number[] = []
    for (let count = 30; count < 42; count++) many.push((await ask(owner, count)).status)
    t.equal(many.at(-1), 429, `${many}`)
  })

t.test('the known devices of a user together have four times the limit of one', async (t) => {
  const app = await openAccountApplication(t, 'database', { rateLimit: { limiter: createLimiter() } })
  await createUser(app)
  let count = 0
  for (let device = 1; device <= 6; device++) {
    const browser = app.newBrowser()
    await signIn(browser, ada, first)
    for (let attempt = 0; attempt < 10; attempt++)
      if ((await limited['an export']?.(browser, attempt))?.status === 200) count += 1
  }
  t.equal(count, 40)
})

t.test('who knows the password does not flood the mailbox with notices about new devices', async (t) => {
  const app = await openAccountApplication(t, 'database', { rateLimit: { limiter: createLimiter() } })
  await createUser(app)
  for (let count = 1; count <= 12; count++) {
    const thief = app.newBrowser()
    await signIn(thief, ada, first)
    t.equal(await getAddress(thief), ada)
  }
  await app.auth.close()
  t.equal(app.mailbox.mails.filter(({ subject }) => subject.startsWith('New sign-in')).length, 10)
})

t.test('a forged position in the activity is no query that a database refuses', async (t) => {
  const [, skip, openStore] = stores.find(([name]) => name === 'PostgreSQL') ?? [null, true, null]
  const app = await openAccountApplication(t, 'database', skip || !openStore ? {} : { adapter: await openStore(t) })
  const browser = await createUser(app)
  for (const before of [
    '999999999999999.a',
    '253402300800000.a',
    '253402300799999.a',
    "0.'--",
    '1e9.a',
    '-1.a',
    '1.'
  ]) {
    t.equal((await browser.open(`${accountPath}/activity?${new URLSearchParams({ before })}`)).status, 200, before)
  }
  await t.rejects(app.auth.events.list({ before: '253402300800000.a' }), TypeError)
  t.same((await app.auth.events.list({ before: '0.a' })).events, [])
})

t.test('a session that another process has just ended deletes no user, account or session', async (t) => {
  const app = await openAccountApplication(t, 'jwt')
  const { adapter, clock } = app
  const beside = await openAccountApplication(t, 'jwt', { adapter, runtime: { now: clock.now } })
  const thief = await createUser(app)
  await comeBack(app, thief, await thief.submit(`${base}/signin/acme`, { link: 'true' }), person)
  const id = await getId(app, ada)
  t.equal((await thief.open(accountPath)).status, 200, 'this process has just read that it is valid')
  await beside.auth.sessions.revokeAll(id)
  const owner = app.newBrowser()
  await signIn(owner, ada, first)
  const [session] = await app.auth.sessions.list(id)
  await thief.submit(`${devicesPath}/end`, { id: session?.id ?? '' })
  await thief.submit(`${devicesPath}/end-others`, {})
  t.equal(await getAddress(owner), ada)
  await thief.submit(`${accountPath}/profile`, { name: 'Mallory' })
  await disconnect(thief, 'ada')
  await thief.submit(`${accountPath}/data`, {})
  await thief.submit(`${accountPath}/delete`, { confirmation: 'DELETE' })
  t.match(await findUser(app, ada), { name: null })
  t.equal((await adapter.getAccounts?.(id))?.length, 1)
  t.notOk((await app.auth.events.list({ type: 'data-exported' })).events.length)
})

t.test('a thief does not bury what happened under events of their own', async (t) => {
  const app = await openAccountApplication(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const thief = await createUser(app)
  for (let count = 1; count <= 62; count++) {
    await thief.submit(`${accountPath}/profile`, { name: `Mallory ${count}` })
    await thief.submit(`${devicesPath}/end-others`, {})
  }
  for (const type of ['profile-changed', 'other-sessions-ended'])
    t.equal((await app.auth.events.list({ type })).events.length, 60, type)
})

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`the thief of a session does not end each session of the owner as soon as it begins: ${strategy}`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const thief = copy(app, await createUser(app))
    const id = await getId(app, ada)
    app.clock.advance(601)
    const owner = app.newBrowser()
    await signIn(owner, ada, first)
    const begun = await app.auth.sessions.list(id)
    for (const headers of [{}, { accept: 'application/json' }]) {
      for (const session of begun) {
        const ended = await thief.submit(`${devicesPath}/end`, { id: session.id }, { headers })
        t.match(new URL(ended.location ?? ended.json<{ url: string }>().url).pathname, `${base}/verify`)
      }
      const ended = await thief.submit(`${devicesPath}/end-others`, {}, { headers })
      t.match(new URL(ended.location ?? ended.json<{ url: string }>().url).pathname, `${base}/verify`)
    }
    t.equal(await getAddress(owner), ada)
    const page = await thief.open(devicesPath)
    t.equal(getRows(page).length, 2, 'the devices are shown')
    t.equal(page.html().querySelectorAll(`form[action^="${devicesPath}"]`).length, 0)
    t.match(page.body, 'Confirm that it is you')
    await owner.fill(await owner.open(devicesPath), `${devicesPath}/end-others`)
    t.equal(await getAddress(thief), null, 'the owner, who has just signed in, ends that of the thief')
    t.equal(await getAddress(owner), ada)
  })

t.test('the ids of another user name nothing', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  await addPasskey(browser, createAuthenticator({ origin }))
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }), person)
  const id = await getId(app, ada)
  const [session] = await app.auth.sessions.list(id)
  const [added] = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
  const thief = await createUser(app, mallory, second)
  t.equal((await disconnect(thief, 'ada')).status, 400)
  t.equal((await thief.submit(`${accountPath}/devices/end`, { id: session?.id ?? '', userId: id })).status, 400)
  await thief.submit(`${base}/passkeys/${added?.id}/remove`, { userId: id })
  await thief.submit(`${base}/passkeys/${added?.id}/rename`, { name: 'mine' })
  await thief.submit(`${accountPath}/profile`, { id, userId: id, name: 'Mallory' })
  const shown = await thief.open(`${accountPath}/activity?userId=${id}`, { headers: { accept: 'application/json' } })
  t.notMatch(shown.body, /passkey-added/)
  t.equal(await getAddress(browser), ada)
  t.match(await findUser(app, ada), { name: null })
  t.match(await app.adapter.listFactors?.(id, 'passkey'), [{ name: added?.name }])
  t.equal((await app.adapter.getAccounts?.(id))?.length, 1)
})

const createRequest = (browser: Browser): AuthRequest => ({
  ...{ method: 'POST', path: '/callback/application', query: {}, body: {} },
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' },
  ...{ origin, cookies: getCookies(browser), client: '192.0.2.99', clientsBehindIp: 1, id: 'the-request' }
})

for (const features of [[], [auditLog()]])
  t.test(`the user does not learn where the administrator is, or why: ${features.length}`, async (t) => {
    const app = await openAccountApplication(t, 'database', { features })
    const user = await createUser(app)
    const admin = await createUser(app, 'admin@example.com', second)
    const request = createRequest(admin)
    await app.auth.users.impersonate(request, await getId(app, ada), { reason: 'an internal reason' })
    const adminSessions = await app.auth.sessions.list(await getId(app, 'admin@example.com'))
    const headers = { accept: 'application/json' }
    const activity = await user.open(`${accountPath}/activity`, { headers })
    t.match(activity.body, 'impersonation-start', 'the user learns that it happened')
    const data = await user.submit(`${accountPath}/data`, {})
    for (const { body, status } of [activity, data, await user.open(`${accountPath}/devices`, { headers })]) {
      t.equal(status, 200)
      t.notMatch(body, /192\.0\.2\.99|Firefox|internal reason|the-request/)
      t.notOk(body.includes(adminSessions[0]?.id ?? '?'))
    }
    const [event] = (await app.auth.events.list({ type: 'impersonation-start' })).events
    t.match(event, { ip: '192.0.2.99', data: /internal reason/ }, 'the operator has all of it')
  })

for (const { value: strategy, test } of turns())
  test(`a form of another user's page changes nothing of the user who signed in since: ${strategy}`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const page = await browser.open(`${accountPath}/delete`)
    const csrfToken = page.html().querySelector('input[name=csrfToken]')?.getAttribute('value') ?? ''
    await createUser(app, mallory, second)
    await signIn(browser, mallory, second)
    for (const [path, values] of [
      ['delete', { confirmation: 'DELETE' }],
      ['profile', { name: 'Ada' }],
      ['email', { email: 'x@example.com' }],
      ['devices/end-others', {}]
    ] as const)
      t.match((await browser.submit(`${accountPath}/${path}`, { ...values, csrfToken })).location, /csrf=true/, path)
    t.match(await findUser(app, mallory), { name: null, email: mallory })
    t.ok(await findUser(app, ada))
    t.match((await browser.open(`${emailPath}/confirm`)).location, emailPath, 'no code waits')
  })

t.test('a name is read as it looks, of a user and of a passkey', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  await addPasskey(browser, createAuthenticator({ origin }))
  const id = (await findUser(app, ada))?.id ?? ''
  const [passkey] = await app.auth.features.passkey.list(id)
  let named = passkey?.name ?? null
  for (const [what, sent, read] of displayTexts) {
    // A form is UTF-8, which has no lone surrogates.
    if (/\p{Surrogate}/u.test(sent)) continue
    await browser.submit(`${accountPath}/profile`, { name: sent })
    t.equal((await findUser(app, ada))?.name, read, `user: ${what}`)
    const { status } = await browser.submit(`${base}/passkeys/${passkey?.id}/rename`, { name: sent })
    t.equal(status === 400, read === null, what)
    named = read ?? named
    t.equal((await app.auth.features.passkey.list(id))[0]?.name, named, `passkey: ${what}`)
  }
})

const json = { accept: 'application/json' }
const sessionCookie = '__Secure-next-auth.session-token'

/** A user whose password is older than 7 days. */
async function open(t: Test, strategy: (typeof strategies)[number] = 'database', options = {}) {
  const app = await openAccountApplication(t, strategy, options)
  const browser = await createUser(app)
  const id = await getId(app, ada)
  app.clock.advance(8 * day)
  return { app, browser, id }
}

for (const { value: strategy, test } of turns())
  test(`${strategy}: a session is recent for 600 seconds, and its renewal does not make it so again`, async (t) => {
    const { app, browser, id } = await open(t, strategy)
    await signIn(browser, ada, first)
    await openSession(app)
    app.clock.advance(600)
    t.match((await browser.submit(`${devicesPath}/end-others`, {})).location, /done=devicesEnded/)
    const owner = await openSession(app)
    app.clock.advance(1)
    // A renewal, and an update by the client.
    for (const wait of [0, 2 * day]) {
      app.clock.advance(wait)
      await getAddress(browser)
      await browser.submit(`${base}/session`, { data: '{"auth_time":9999999999}' })
      const [other] = await app.auth.sessions.list(id)
      for (const [path, values] of [
        ['end', { id: other?.id ?? '' }],
        ['end-others', {}]
      ] as const)
        t.match((await browser.submit(`${devicesPath}/${path}`, values)).location, /\/verify\?/, `${path} ${wait}`)
    }
    t.ok(await isSignedIn(browser))
    t.ok(await isSignedIn(owner))
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: a session of next-auth ends no other one, and sets no password`, async (t) => {
    const app = await openAccountApplication(t, strategy, { session: { strategy, storage: 'both' } })
    const owner = app.newBrowser()
    await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, {}), person)
    const id = await getId(app, ada)
    await app.adapter.updateUser?.({ id, emailVerified: new Date(app.clock.now()) })
    const foreign = app.newBrowser()
    const now = Math.floor(app.clock.now() / 1000)
    const secret = 'a secret of the tests, 32 characters or more'
    const value =
      strategy === 'jwt'
        ? await encode({
            token: { sub: id, name: 'Ada', email: ada, iat: now, auth_time: now, amr: ['mfa'] },
            secret,
            maxAge: 4000 * day
          })
        : '3f0c7a7e-6a8b-4f0e-9d7e-0d6f5f5c1a11'
    if (strategy === 'database')
      await app.adapter.createSession?.({
        sessionToken: value,
        userId: id,
        expires: new Date(app.clock.now() + day * 1000)
      })
    foreign.cookies.set(sessionCookie, value, { secure: true })
    t.equal(await getAddress(foreign), ada, 'it is a session')
    for (const headers of [{}, json]) {
      for (const [path, values] of [
        [`${devicesPath}/end-others`, {}],
        [`${devicesPath}/end`, { id: (await app.auth.sessions.list(id))[0]?.id ?? '' }],
        [`${base}/password`, { password: second }]
      ] as const) {
        const refused = await foreign.submit(path, values, { headers })
        t.match(refused.location ?? refused.body, '/verify?', path)
      }
    }
    t.ok(await isSignedIn(owner))
    t.same(await app.adapter.listFactors?.(id), [])
  })

t.test(
  'a session that is not recent, and not listed, is asked to authenticate on the page of the devices',
  async (t) => {
    const app = await openAccountApplication(t, 'jwt')
    await createUser(app)
    const id = await getId(app, ada)
    const foreign = app.newBrowser()
    const token = { sub: id, name: 'Ada', email: ada, iat: Math.floor(app.clock.now() / 1000) }
    const value = await encode({ token, secret: 'a secret of the tests, 32 characters or more', maxAge: 4000 * day })
    foreign.cookies.set(sessionCookie, value, { secure: true })
    const page = await foreign.open(devicesPath)
    t.equal(page.status, 200)
    t.equal(page.html().querySelectorAll(`form[action^="${devicesPath}"]`).length, 0, 'no form that is refused')
    t.match(page.body, 'Confirm that it is you')
  }
)
