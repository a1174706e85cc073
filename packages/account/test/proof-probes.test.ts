import { memoryAdapter } from '@postern/adapters/memory'
import type { AuthRequest } from '@postern/core'
import type { Feature, FeatureContext } from '@postern/core/feature'
import { encode } from '@postern/core/jwt'
import type { Browser, BrowserResponse, Person } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { findPasswords, recordNewPassword } from '../src/pages/email/replaced-passwords.ts'
import { registerPasswordCheck } from '../src/password-check.ts'
import {
  type AccountApplication,
  accountPath,
  ada,
  addPasskey,
  base,
  canSignIn,
  change,
  comeBack,
  createLimiter,
  createUser,
  first,
  getAddress,
  getCookies,
  openAccountApplication,
  origin,
  second,
  signIn,
  signInByMail,
  strategies
} from './account-application.ts'
import {
  changeEmail,
  emailPath,
  getEmail,
  getId,
  getToken,
  getUndoUrl,
  grace,
  isSignedIn,
  undo
} from './email-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { enroll, startWithMail } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { day, mallory, openSession, person, reset, thiefsPerson, third } from './undo-application.ts'

const mallory2 = 'mallory2@example.com'
const devicesPath = `${accountPath}/devices`
/** Why a second factor is refused. */
const changed = 'The email address was changed less than 7 days ago'
const json = { accept: 'application/json' }
const sessionCookie = '__Secure-next-auth.session-token'

/** In `npm test` a test has one strategy, and the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

/** A user whose password is older than 7 days. */
async function open(t: Test, strategy: (typeof strategies)[number] = 'database', options = {}) {
  const app = await openAccountApplication(t, strategy, options)
  const browser = await createUser(app)
  const id = await getId(app, ada)
  app.clock.advance(8 * day)
  return { app, browser, id }
}

/** A request of the application, with the cookies of a browser. */
const createRequest = (browser: Browser): AuthRequest => ({
  ...{ method: 'POST', path: '/callback/application', query: {}, body: {}, headers: {} },
  ...{ origin, cookies: getCookies(browser), client: '192.0.2.1', clientsBehindIp: 1, id: 'request' }
})

/** Records and lists the replaced passwords of a user, by processes whose clocks differ. */
async function openRecord(t: Test) {
  const contexts: FeatureContext[] = []
  const probe: Feature = {
    id: 'probe',
    needs: ['createTicket', 'readTicket', 'consumeTicket'],
    setup: (context) => {
      contexts.push(context)
      return {}
    }
  }
  const { clock } = await openAccountApplication(t, 'database', { adapter: memoryAdapter(), features: [probe] })
  const [context] = contexts
  if (!context) throw new Error('expected a context')
  const { tickets, now } = context
  const api = { has: async () => true, setHash: async () => undefined }
  const features = { password: registerPasswordCheck(api, { factorType: 'password', compare: async () => false }) }
  const about = { name: null, lastUsedAt: null, version: 0, createdAt: new Date(now() - 8 * day * 1000) }
  const factor = { ...about, type: 'password', id: 'ada', userId: 'ada', data: 'current' }
  // The first day of a period.
  clock.advance(7 * day - ((clock.now() / 1000) % (7 * day)))
  return {
    clock,
    record: (hash: string, offset: number = 0) =>
      recordNewPassword('ada', hash, { now: () => now() + offset, tickets }),
    find: () =>
      findPasswords('ada', [factor], { features, now, tickets }).then(({ replacedPassword }) => replacedPassword)
  }
}

t.test('the undo of a later change, in the hands of the thief, takes nothing from the owner', async (t) => {
  const { app, id } = await open(t)
  const thief = await openSession(app)
  await change(thief, { password: second })
  await changeEmail(app, thief, mallory)
  const owners = getUndoUrl(app)
  await change(thief, { currentPassword: second, password: third })
  await changeEmail(app, thief, mallory2)
  const thiefs = getUndoUrl(app, mallory)
  for (const password of [second, third])
    t.equal((await undo(app.newBrowser(), thiefs, { password })).status, 403, 'the thief had it after the first change')
  t.equal(await getEmail(app, id), mallory2)
  t.equal((await undo(app.newBrowser(), owners, { password: third })).status, 403, 'set after the change of the owner')
  t.equal((await undo(app.newBrowser(), owners, { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
  for (const [password, isRight] of [
    [second, false],
    [third, false],
    [first, true]
  ] as const)
    t.equal(await canSignIn(app.newBrowser(), ada, password), isRight, password)
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: an undo needs the CSRF token, and a GET with a password undoes nothing`, async (t) => {
    const { app, id } = await open(t, strategy)
    await changeEmail(app, await openSession(app), mallory)
    const token = getToken(getUndoUrl(app))
    const browser = app.newBrowser()
    await browser.submit(`${emailPath}/undo`, { token, password: first, csrfToken: 'forged' })
    await browser.open(`${emailPath}/undo?${new URLSearchParams({ token, password: first })}`)
    t.equal(await getEmail(app, id), mallory)
    t.equal((await undo(browser, getUndoUrl(app), { password: first })).status, 200)
    t.equal(await getEmail(app, id), ada)
  })

t.test('the tries of a link are used up by nobody who does not have it', async (t) => {
  const { app, id } = await open(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const thief = await openSession(app)
  await changeEmail(app, thief, mallory)
  const owners = getUndoUrl(app)
  await changeEmail(app, thief, mallory2)
  const thiefs = getUndoUrl(app, mallory)
  for (let count = 1; count <= 6; count++) {
    await undo(app.newBrowser(), `${origin}/?token=${String(count).padStart(43, 'x')}`, { password: second })
    await undo(app.newBrowser(), thiefs, { password: second })
  }
  t.equal((await undo(app.newBrowser(), owners, { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: an administrator who acts as the user undoes nothing, and ends no session`, async (t) => {
    const { app, id } = await open(t, strategy)
    const owner = await openSession(app)
    await changeEmail(app, owner, grace)
    const admin = await createUser(app, 'admin@example.com', second)
    const { cookies } = await app.auth.users.impersonate(createRequest(admin), id, { reason: 'a test' })
    for (const [name, { value }] of cookies) {
      if (value === '') admin.cookies.delete(name)
      else admin.cookies.set(name, value, { secure: true })
    }
    t.ok(await getAddress(admin))
    t.not((await undo(admin, getUndoUrl(app))).status, 200)
    const sessions = await app.auth.sessions.list(id)
    for (const session of sessions) await admin.submit(`${devicesPath}/end`, { id: session.id })
    await admin.submit(`${devicesPath}/end-others`, {})
    t.equal(await getEmail(app, id), grace)
    t.ok(await isSignedIn(owner))
    t.equal((await app.auth.sessions.list(id)).length, sessions.length)
  })

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
  test(`${strategy}: the thief of an old session links no account of their own to become recent`, async (t) => {
    const { app, browser: thief, id } = await open(t, strategy)
    await signIn(thief, ada, first)
    app.clock.advance(601)
    const owner = await openSession(app)
    await comeBack(app, thief, await thief.submit(`${base}/signin/acme`, { link: 'true' }), thiefsPerson).catch(
      () => null
    )
    t.same(await app.adapter.getAccounts?.(id), [])
    t.ok(await isSignedIn(thief))
    const asked = await thief.submit(`${devicesPath}/end-others`, {})
    await thief.open((asked.location ?? '').replace(origin, ''))
    await comeBack(app, thief, await thief.submit(`${base}/signin/acme`, {}), thiefsPerson).catch(() => null)
    await thief.submit(`${devicesPath}/end-others`, {})
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

for (const { value: strategy, test } of turns())
  test(`${strategy}: the page to authenticate leads to no other origin`, async (t) => {
    const { app, browser } = await open(t, strategy)
    await signIn(browser, ada, first)
    app.clock.advance(601)
    for (const callbackUrl of [
      'https://evil.test/',
      '//evil.test/',
      '/\\evil.test/',
      '\\\\evil.test',
      'https://app.test@evil.test/',
      'https://app.test.evil.test/',
      'javascript:alert(1)',
      '\thttps://evil.test/',
      `${origin}${base}/signout`,
      `${base}/verify?callbackUrl=https://evil.test/`
    ])
      for (const headers of [{}, json]) {
        const asked = await browser.submit(`${devicesPath}/end-others`, { callbackUrl }, { headers })
        const url = new URL(asked.location ?? asked.json<{ url: string }>().url)
        t.equal(url.origin, origin, callbackUrl)
        t.equal(url.searchParams.get('callbackUrl'), origin, callbackUrl)
      }
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: a session that another process ended by its id ends no session of the owner`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const { adapter, clock } = app
    const beside = await openAccountApplication(t, strategy, { adapter, runtime: { now: clock.now } })
    const thief = await createUser(app)
    const id = await getId(app, ada)
    const [stolen] = await app.auth.sessions.list(id)
    const owner = await openSession(app)
    const others = (await app.auth.sessions.list(id)).filter((session) => session.id !== stolen?.id)
    t.equal(others.length, 1)
    t.ok(await isSignedIn(thief))
    t.ok(await beside.auth.sessions.revoke(stolen?.id ?? '', id))
    await thief.submit(`${devicesPath}/end`, { id: others[0]?.id ?? '' })
    await thief.submit(`${devicesPath}/end-others`, {})
    t.ok(await isSignedIn(owner))
    t.same((await app.auth.events.list({ type: 'other-sessions-ended' })).events, [])
  })

t.test(
  'a thief who has changed the address, with many browsers, mails the owner twenty codes in an hour, and no more',
  async (t) => {
    const limiter = createLimiter()
    const { app } = await open(t, 'database', { rateLimit: { limiter } })
    const thief = await openSession(app)
    await changeEmail(app, thief, mallory)
    const sent = app.mailbox.mails.length
    app.clock.advance(1)
    const again = await openSession(app, first, mallory)
    // Each browser that signed in has a share of its own, of five.
    const sessions = [again, copy(app, again)]
    for (let count = 1; count <= 4; count++) sessions.push(await openSession(app, first, mallory))
    for (let count = 1; count <= 3; count++)
      for (const session of sessions) {
        await session.submit(`${base}/factors/totp/start`, {})
        await session.submit(`${base}/factors/totp`, { send: 'mail' })
        await session.submit(`${base}/passkeys/code`, {})
      }
    const codes = app.mailbox.mails.slice(sent).filter(({ subject }) => subject.startsWith('Your code'))
    t.equal(codes.length, 20)
    t.same(new Set(codes.map(({ to }) => to)), new Set([ada]))
  }
)

t.test('a code that was mailed before a change of the address adds no second factor after it', async (t) => {
  const { app, id } = await open(t)
  const thief = await openSession(app)
  const { app: authenticator, mailCode } = await startWithMail(app, thief)
  await changeEmail(app, thief, mallory)
  await thief.submit(`${base}/factors/totp`, { code: authenticator.code(), mailCode })
  t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
})

t.test('a change of the address by a thief and back again does not move the codes to the thief', async (t) => {
  const { app } = await open(t)
  const thief = await openSession(app)
  await changeEmail(app, thief, mallory)
  app.clock.advance(1)
  await changeEmail(app, thief, mallory2)
  app.clock.advance(1)
  await undo(app.newBrowser(), getUndoUrl(app, mallory), { password: first })
  const again = await openSession(app, first, mallory)
  await startWithMail(app, again)
  t.equal(app.mailbox.last().to, ada)
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: an account that was connected since the change, and disconnected again, proves no undo`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const owner = await createUser(app)
    const id = await getId(app, ada)
    await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, { link: 'true' }), person)
    const stolen = await openSession(app)
    await changeEmail(app, owner, grace)
    app.clock.advance(1)
    const [thief, other] = [app.newBrowser(), app.newBrowser()]
    await comeBack(app, stolen, await stolen.submit(`${base}/signin/acme`, { link: 'true' }), thiefsPerson)
    for (const browser of [thief, other])
      await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), thiefsPerson)
    t.equal((await undo(thief, getUndoUrl(app))).status, 403)
    const account = { provider: 'acme', providerAccountId: thiefsPerson.sub }
    t.match((await thief.submit(`${accountPath}/connections/remove`, account)).location, /reason=disconnected/)
    for (const browser of [thief, other, stolen]) t.equal((await undo(browser, getUndoUrl(app))).status, 403)
    t.equal(await getEmail(app, id), grace)
    app.clock.advance(1)
    const again = app.newBrowser()
    await comeBack(app, again, await again.submit(`${base}/signin/acme`, {}), person)
    t.equal((await undo(again, getUndoUrl(app))).status, 200, 'the account from before the change proves it')
  })

t.test(
  'the thief of the mailbox that was left does not undo the change with a password that they had reset',
  async (t) => {
    const { app, id } = await open(t)
    // The thief reads the mailbox, and nothing else.
    await reset(app, ada, third)
    const thief = await openSession(app, third)
    t.ok(await isSignedIn(thief))
    app.clock.advance(3600)
    // The owner takes the account back, and leaves the mailbox.
    await reset(app, ada, second)
    t.notOk(await isSignedIn(thief))
    await changeEmail(app, await openSession(app, second), grace)
    t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: third })).status, 403)
    t.equal(await getEmail(app, id), grace)
    t.notOk(await canSignIn(app.newBrowser(), ada, third), 'the thief is not in the account')
    t.ok(await canSignIn(app.newBrowser(), grace, second), 'the owner is not locked out')
  }
)

t.test('the thief of a session and of the mailbox that was left adds no second factor', async (t) => {
  const { app, id } = await open(t)
  const owner = await openSession(app)
  const stolen = await openSession(app)
  await changeEmail(app, owner, grace)
  app.clock.advance(5)
  const sent = app.mailbox.mails.length
  const asked = await stolen.submit(`${base}/factors/totp/start`, {})
  t.match(asked.location, /verify\?.*max_age=0$/)
  t.notMatch((await stolen.follow(asked)).location, /factors/, 'the session does not pass')
  await stolen.submit(`${base}/factors/totp`, { send: 'mail' })
  await stolen.submit(`${base}/passkeys/code`, {})
  t.equal(app.mailbox.mails.length, sent, 'no code is mailed')
  t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
  const authenticator = createAuthenticator({ origin })
  await addPasskey(stolen, authenticator)
  app.clock.advance(1)
  const thief = app.newBrowser()
  await signInWithPasskey(thief, authenticator)
  t.ok(await isSignedIn(thief))
  const refused = await thief.submit(`${base}/factors/totp/start`, {})
  t.match(refused.body, changed, 'a passkey that was added since')
  const [added] = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
  await thief.submit(`${base}/passkeys/${added?.id}/remove`, {})
  t.match((await thief.submit(`${base}/factors/totp/start`, {})).body, changed, 'and removed again')
  t.equal(app.mailbox.mails.filter(({ subject }) => subject.startsWith('Your code')).length, 0)
  app.clock.advance(1)
  const back = await openSession(app, first, grace)
  await enroll(app, back)
  t.equal((await app.adapter.listFactors?.(id, 'factors-totp'))?.length, 1, 'the owner who signs in again adds one')
})

t.test(
  'the thief of a session and of the mailbox that was left adds no second factor with a change of their own',
  async (t) => {
    const { app, id } = await open(t)
    const owner = await openSession(app)
    const stolen = await openSession(app)
    await changeEmail(app, owner, grace)
    app.clock.advance(1)
    const authenticator = createAuthenticator({ origin })
    await addPasskey(stolen, authenticator)
    app.clock.advance(1)
    await changeEmail(app, stolen, mallory)
    app.clock.advance(1)
    const thief = app.newBrowser()
    await signInWithPasskey(thief, authenticator)
    t.equal(await getEmail(app, id), mallory)
    const sent = app.mailbox.mails.length
    t.match((await thief.submit(`${base}/factors/totp/start`, {})).body, changed)
    await thief.submit(`${base}/factors/totp`, { send: 'mail' })
    t.equal(app.mailbox.mails.length, sent, 'no code is mailed')
    t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
  }
)

t.test('clocks of two processes that differ do not remove the password of the owner', async (t) => {
  const { clock, record, find } = await openRecord(t)
  clock.advance(60)
  await record('owner')
  // The thief replaces the next ones in a process whose clock is seconds behind.
  for (let count = 1; count <= 5; count++) {
    clock.advance(2)
    await record(`thief ${count}`, -8500)
  }
  t.equal(await find(), 'owner')
})

t.test('a thief who replaces the password twice, a week apart, leaves the one of the owner as a proof', async (t) => {
  const { app, id } = await open(t)
  const thief = await openSession(app)
  await change(thief, { password: second })
  await change(thief, { currentPassword: second, password: first })
  app.clock.advance(7 * day - 1)
  const again = await openSession(app)
  await change(again, { password: second })
  app.clock.advance(2)
  await changeEmail(app, again, mallory)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
})

t.test('no password that a thief replaces takes the place of one that the owner used for long', async (t) => {
  const { clock, record, find } = await openRecord(t)
  await record('owner before')
  clock.advance(3600)
  await record('owner')
  for (let count = 1; count <= 5; count++) {
    clock.advance(3660)
    await record(`thief ${count}`)
  }
  t.equal(await find(), 'owner before')
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

for (const { value: strategy, test } of turns())
  test(`${strategy}: a passkey that was added since the change, and removed again, proves no undo`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const owner = await createUser(app)
    const id = await getId(app, ada)
    await addPasskey(owner, createAuthenticator({ origin }))
    const [known] = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
    const stolen = await openSession(app)
    await changeEmail(app, owner, grace)
    app.clock.advance(1)
    t.equal((await undo(stolen, getUndoUrl(app))).status, 403, 'the stolen session was signed in with the password')
    const thief = app.newBrowser()
    const authenticator = createAuthenticator({ origin })
    await addPasskey(stolen, authenticator)
    await signInWithPasskey(thief, authenticator)
    t.equal((await undo(thief, getUndoUrl(app))).status, 403, 'the passkey is new')
    const added = (await app.adapter.listFactors?.(id, 'passkey'))?.find((factor) => factor.id !== known?.id)
    await thief.submit(`${base}/passkeys/${added?.id}/remove`, {})
    t.match(await app.adapter.listFactors?.(id, 'passkey'), [{ id: known?.id }], 'only that of the owner is left')
    t.equal((await undo(thief, getUndoUrl(app))).status, 403)
    t.equal(await getEmail(app, id), grace)
    await reset(app, ada, third)
    t.notOk(await canSignIn(app.newBrowser(), ada, third), 'the thief of the old mailbox is not in the account')
  })

/** Signs in again with the password, as for a guard that requires two factors. */
const stepUp = async (browser: Browser, email: string, password: string): Promise<BrowserResponse> => {
  const page = await browser.open(`${base}/verify?amr=mfa&callbackUrl=/`)
  return browser.fill(page, `${base}/callback/password`, { email, password })
}

/** Signs in again at the provider, as for a guard that requires two factors. */
const stepUpAtAcme = async (app: AccountApplication, browser: Browser, who: Person): Promise<BrowserResponse> => {
  const page = await browser.open(`${base}/verify?amr=mfa&callbackUrl=/`)
  return comeBack(app, browser, await browser.fill(page, `${base}/signin/acme`), who)
}

const getSentCodes = ({ mailbox }: AccountApplication): number =>
  mailbox.mails.filter(({ subject }) => subject.startsWith('Your code')).length

t.test('the thief of the mailbox that was left enrolls at no sign-in with what they have added', async (t) => {
  const { app, id } = await open(t)
  const owner = await openSession(app)
  const stolen = await openSession(app)
  await changeEmail(app, owner, grace)
  const authenticator = createAuthenticator({ origin })
  await addPasskey(stolen, authenticator)
  app.clock.advance(1)
  const thief = app.newBrowser()
  await signInWithPasskey(thief, authenticator)
  await thief.open(`${base}/verify?amr=mfa&callbackUrl=/`)
  t.match((await signInWithPasskey(thief, authenticator)).location, /SecondFactorEnrollmentRequired/)
  const page = await thief.open(`${base}/verify/enroll`)
  t.equal(page.status, 403)
  t.ok(page.html().querySelector(`a[href="${base}/signin"]`), 'the user signs in in another way')
  t.match(page.body, changed)
  t.equal((await thief.submit(`${base}/verify/enroll`, { send: 'mail' })).status, 403)
  t.equal(getSentCodes(app), 0)
  const back = await openSession(app, first, grace)
  await stepUp(back, grace, first)
  await back.submit(`${base}/verify/enroll`, { send: 'mail' })
  t.equal(app.mailbox.last().to, ada, 'the password of the owner is from before')
  t.equal(getSentCodes(app), 1)
  t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
})

t.test('a password that was reset with the mailbox of a later change adds no second factor', async (t) => {
  const { app, id } = await open(t)
  const owner = await openSession(app)
  const stolen = await openSession(app)
  await changeEmail(app, owner, grace)
  app.clock.advance(1)
  await changeEmail(app, stolen, mallory)
  app.clock.advance(1)
  await reset(app, mallory, third)
  const thief = await openSession(app, third, mallory)
  const refused = await thief.submit(`${base}/factors/totp/start`, {})
  t.equal(refused.status, 400)
  t.match(refused.body, changed)
  await thief.submit(`${base}/passkeys/code`, {})
  t.match((await stepUp(thief, mallory, third)).location, /SecondFactorEnrollmentRequired/)
  t.equal((await thief.submit(`${base}/verify/enroll`, { send: 'mail' })).status, 403)
  const mailed = app.newBrowser()
  await signInByMail(mailed, mallory, app.mailbox)
  t.equal((await mailed.submit(`${base}/factors/totp/start`, {})).status, 400, 'nor does the mailbox')
  await mailed.open(`${base}/verify?amr=mfa&callbackUrl=/`)
  await signInByMail(mailed, mallory, app.mailbox)
  t.equal((await mailed.submit(`${base}/verify/enroll`, { send: 'mail' })).status, 403)
  t.equal(getSentCodes(app), 0)
  t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
})

t.test('an account that a thief has connected since the change enrolls nobody', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const owner = await createUser(app)
  const id = await getId(app, ada)
  await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, { link: 'true' }), person)
  const stolen = await openSession(app)
  await changeEmail(app, owner, grace)
  await comeBack(app, stolen, await stolen.submit(`${base}/signin/acme`, { link: 'true' }), thiefsPerson)
  await stepUpAtAcme(app, stolen, thiefsPerson)
  t.equal((await stolen.submit(`${base}/verify/enroll`, { send: 'mail' })).status, 403)
  t.equal(getSentCodes(app), 0)
  const back = app.newBrowser()
  await comeBack(app, back, await back.submit(`${base}/signin/acme`, {}), person)
  await stepUpAtAcme(app, back, person)
  await back.submit(`${base}/verify/enroll`, { send: 'mail' })
  t.equal(getSentCodes(app), 1, 'the account of the owner is from before')
  t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
})
