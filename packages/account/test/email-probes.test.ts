import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, PosternOptions } from '@postern/core'
import type { Feature, FeatureContext } from '@postern/core/feature'
import { type Browser, type BrowserResponse, createClock, createIssuer, type Person } from '@postern/testkit'
import { isLong, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  type AccountApplication,
  type AccountApplicationOptions,
  accountPath,
  ada,
  addPasskey,
  base,
  change,
  comeBack,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  openAccountApplication,
  openLink,
  origin,
  second,
  signIn,
  signInByMail,
  signUp,
  strategies
} from './account-application.ts'
import {
  askForEmail,
  changeEmail,
  emailPath,
  getEmail,
  getId,
  getMail,
  getToken,
  getUndoUrl,
  grace,
  isSignedIn,
  undo
} from './email-application.ts'
import { getAuthentication, signInWithPasskey } from './passkey-application.ts'
import { addFactorPasskey, enroll, postEnrollment, startWithMail } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'

const turns = turnsOf(strategies, t)

const mallory = 'mallory@example.com'
const day = 86_400
const person: Person = { sub: 'ada', name: 'Ada', email: ada, emailVerified: true }
const thiefsPerson: Person = { sub: 'mallory', name: 'Mallory', email: mallory }
const json = { accept: 'application/json' }

const signInAtAcme = async (app: AccountApplication, browser: Browser, who: Person = person) =>
  comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), who)

const link = async (app: AccountApplication, browser: Browser, who: Person) =>
  comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }), who)

const disconnect = (browser: Browser, who: Person = person): Promise<BrowserResponse> =>
  browser.submit(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId: who.sub })

const confirmWith = (browser: Browser, url: string): Promise<BrowserResponse> =>
  browser.submit(`${emailPath}/confirm`, { token: getToken(url) })

/** A user with a password, in the browser that is signed in. */
async function openWithPassword(t: Test, options: AccountApplicationOptions = {}) {
  const app = await openAccountApplication(t, 'database', options)
  const browser = await createUser(app)
  return { app, browser, id: await getId(app, ada) }
}

/** A user whose only ways in are an account and the mailbox. */
async function openWithAccount(t: Test, options: AccountApplicationOptions = {}) {
  const app = await openAccountApplication(t, 'database', options)
  const browser = app.newBrowser()
  await signInAtAcme(app, browser)
  const id = await getId(app, ada)
  await app.adapter.updateUser?.({ id, emailVerified: new Date(app.clock.now()) })
  return { app, browser, id }
}

/** Asserts that the session cannot change the address, whose owner gets no mail. */
async function refuses(t: Test, app: AccountApplication, browser: Browser, about: string): Promise<void> {
  const sent = app.mailbox.mails.length
  t.equal((await askForEmail(browser, mallory)).status, 403, about)
  const later = app.mailbox.mails.slice(sent)
  t.notOk(
    later.some(({ to }) => to === mallory),
    about
  )
}

const getPasskeyId = async (app: AccountApplication, id: string): Promise<string> =>
  (await app.adapter.listFactors?.(id, 'passkey'))?.[0]?.id ?? ''

for (const { value: strategy, test } of turns())
  test(`${strategy}: removing a passkey delays the session that has removed it`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const thief = await createUser(app)
    const id = await getId(app, ada)
    await addPasskey(thief, createAuthenticator({ origin }))
    app.clock.advance(7 * day)
    await signIn(thief, ada, first)
    app.clock.advance(1)
    await thief.submit(`${base}/passkeys/${await getPasskeyId(app, id)}/remove`, {})
    t.same(await app.adapter.listFactors?.(id, 'passkey'), [])
    t.ok(await isSignedIn(thief), 'the session continues')
    await refuses(t, app, thief, 'with the time at which it was authenticated')
    await change(thief, { password: second, currentPassword: second })
    await refuses(t, app, thief, 'a new token is no new authentication')
    t.equal(await getEmail(app, id), ada)
  })

t.test('an account that is connected again does not end the delay', async (t) => {
  const { app, browser, id } = await openWithAccount(t)
  app.clock.advance(7 * day)
  await signInAtAcme(app, browser)
  t.match((await disconnect(browser)).location, /reason=disconnected/)
  const thief = app.newBrowser()
  await signInByMail(thief, ada, app.mailbox)
  await link(app, thief, person)
  app.clock.advance(1)
  const again = app.newBrowser()
  await signInAtAcme(app, again)
  t.ok(await isSignedIn(again))
  await refuses(t, app, again, 'an account does not state when it was connected')
  t.equal((await disconnect(again, { ...person, sub: 'none' })).status, 400)
  await refuses(t, app, again, 'a removal that is refused leaves the earlier delay')
  app.clock.advance(7 * day - 2)
  await signInAtAcme(app, again)
  await refuses(t, app, again, 'one second before its end')
  app.clock.advance(1)
  await changeEmail(app, again, grace)
  t.equal(await getEmail(app, id), grace)
})

t.test('a user whose mailbox is the last way in is delayed like others', async (t) => {
  const { app, browser, id } = await openWithAccount(t)
  await disconnect(browser)
  t.same(await app.adapter.getAccounts?.(id), [])
  const thief = app.newBrowser()
  await signInByMail(thief, ada, app.mailbox)
  await refuses(t, app, thief, 'nothing is left to undo the change with')
})

t.test('a removal and a change that overlap leave the owner a proof, or change nothing', async (t) => {
  for (let count = 0; count < 8; count += isLong ? 1 : 3) {
    const { app, browser, id } = await openWithAccount(t)
    await askForEmail(browser, mallory)
    const { url } = getMail(app, mallory)
    const other = copy(app, browser)
    const pause = async () => {
      for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all([confirmWith(browser, url), pause().then(() => disconnect(other))])
    const isChanged = (await getEmail(app, id)) === mallory
    const accounts = (await app.adapter.getAccounts?.(id)) ?? []
    t.equal(accounts.length, isChanged ? 1 : accounts.length, 'the change is made only with the account')
    if (!isChanged) continue
    app.clock.advance(1)
    const owner = app.newBrowser()
    await signInAtAcme(app, owner)
    t.equal((await undo(owner, getUndoUrl(app))).status, 200)
  }
})

t.test('of two changes at once, one is made, and the owner undoes it', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  const other = app.newBrowser()
  await signIn(other, ada, first)
  await askForEmail(browser, grace)
  await askForEmail(other, mallory)
  const urls = [getMail(app, grace).url, getMail(app, mallory).url] as const
  const responses = await Promise.all([confirmWith(browser, urls[0]), confirmWith(other, urls[1])])
  t.equal(responses.filter(({ location }) => location?.includes('done=')).length, 1)
  const email = await getEmail(app, id)
  t.ok(email === grace || email === mallory)
  await app.auth.close()
  t.equal(app.mailbox.mails.filter(({ to, subject }) => to === ada && /has been changed/.test(subject)).length, 1)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
})

t.test('an undo and a later change at once leave the owner in control', async (t) => {
  for (let count = 0; count < 8; count += isLong ? 1 : 3) {
    const { app, browser, id } = await openWithPassword(t)
    await changeEmail(app, browser, grace)
    const url = getUndoUrl(app)
    await askForEmail(browser, mallory)
    const next = getMail(app, mallory).url
    const owner = app.newBrowser()
    const pause = async () => {
      for (let turn = 0; turn < count * 4; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    const [undone] = await Promise.all([
      undo(owner, url, { password: first }),
      pause().then(() => confirmWith(browser, next))
    ])
    if (undone.status !== 200) t.equal((await undo(owner, url, { password: first })).status, 200, String(count))
    t.equal(await getEmail(app, id), ada)
    t.notOk(await isSignedIn(browser))
  }
})

t.test('an undo works once, also if it is sent twice at the same time', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  const statuses = (
    await Promise.all(Array.from({ length: 6 }, () => undo(app.newBrowser(), url, { password: first })))
  ).map(({ status }) => status)
  // The others answer that it is done, or that another change is running.
  t.same(
    statuses.filter((status) => status !== 200 && status !== 409),
    []
  )
  t.equal(await getEmail(app, id), ada)
  const types = ((await app.adapter.listEvents?.({ userId: id, limit: 20 })) ?? []).map(({ type }) => type)
  t.equal(types.filter((type) => type === 'email-undone').length, 1)
})

t.test('an undo and the reservation end at the same second', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  app.clock.advance(7 * day - 1)
  const thief = await createUser(app, mallory, second)
  await askForEmail(thief, ada)
  t.match(getMail(app, ada).subject, 'has an account')
  t.equal((await app.newBrowser().open(url)).status, 200)
  app.clock.advance(1)
  t.equal((await app.newBrowser().open(url)).status, 400)
  t.equal((await undo(app.newBrowser(), url, { password: first })).status, 400)
  await askForEmail(thief, ada)
  await openLink(thief, getMail(app, ada, /Confirm your new/))
  t.equal((await findUser(app, ada))?.email, ada)
  t.equal(await getEmail(app, id), grace)
})

t.test('a stored address in another case is reserved, and restored as it was', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  await app.adapter.updateUser?.({ id, email: 'Ada@Example.com' })
  await changeEmail(app, browser, grace)
  const undoUrl = getMail(app, 'Ada@Example.com', /has been changed/).url
  for (const address of [ada, 'ADA@example.com', 'ａda@example.com']) {
    await signInByMail(app.newBrowser(), address, app.mailbox)
    t.equal(await findUser(app, ada), null, address)
  }
  const thief = await createUser(app, mallory, second)
  await askForEmail(thief, 'ADA@EXAMPLE.COM')
  t.match(app.mailbox.last(), { to: ada, subject: /has an account/ })
  t.equal((await undo(app.newBrowser(), undoUrl, { password: first })).status, 200)
  t.equal(await getEmail(app, id), 'Ada@Example.com')
})

t.test('what was mailed to the old address before the change signs nobody in after it', async (t) => {
  const { app, browser } = await openWithPassword(t)
  const thief = app.newBrowser()
  await thief.submit(`${base}/signin/email`, { email: ada })
  const signInUrl = app.mailbox.last().url
  await forget(thief, ada)
  const resetUrl = app.mailbox.last().url
  await signUp(thief, ada, second)
  const other = app.mailbox.last()
  await changeEmail(app, browser, grace)
  await thief.open(signInUrl)
  t.equal(await getAddress(thief), null)
  t.equal((await thief.open(resetUrl)).html().querySelector('form'), null)
  for (const url of other.links) await thief.open(url)
  t.equal(await findUser(app, ada), null)
  t.equal(await getAddress(thief), null)
})

/** A provider whose accounts join users by their verified address. */
function createBeta() {
  const { issuer, clientId, clientSecret, fetch, authorize } = createIssuer({
    ...{ redirectUris: [`${origin}${base}/callback/beta`], clock: createClock() }
  })
  const provider: NonNullable<PosternOptions['providers']>[number] = {
    ...{ id: 'beta', name: 'Beta', type: 'oidc', issuer, clientId, clientSecret: clientSecret ?? '' },
    ...{ verifiesEmail: true, allowDangerousEmailAccountLinking: true },
    authorization: { params: { scope: 'openid email profile' } }
  }
  const enter = async (browser: Browser, who: Person): Promise<BrowserResponse> => {
    const { location } = await browser.submit(`${base}/signin/beta`, {})
    const headers = { 'sec-fetch-site': 'cross-site' }
    return browser.open(await authorize(location ?? '', { ...who, email_verified: true }), { headers })
  }
  return { provider, enter, runtime: { fetch } }
}

t.test('a provider that asserts a reserved address joins nobody', async (t) => {
  const { provider, enter, runtime } = createBeta()
  const { app, browser, id } = await openWithPassword(t, { providers: [provider], runtime })
  await changeEmail(app, browser, grace)
  for (const email of [ada, 'ADA@example.com']) {
    const thief = app.newBrowser()
    t.match(
      (await enter(thief, { sub: `thief ${email}`, name: 'Thief', email })).location,
      /error=OAuthAccountNotLinked/
    )
    t.equal(await getAddress(thief), null)
  }
  t.equal(await findUser(app, ada), null)
  t.same(await app.adapter.getAccounts?.(id), [])
  const owner = app.newBrowser()
  await enter(owner, { sub: 'grace', name: 'Grace', email: grace })
  t.equal(await getAddress(owner), grace, 'the new address joins')
  t.equal((await app.adapter.getAccounts?.(id))?.length, 1)
  t.equal((await undo(owner, getUndoUrl(app))).status, 403, 'and is no proof from before the change')
  t.equal((await undo(owner, getUndoUrl(app), { password: first })).status, 200)
  t.same(await app.adapter.getAccounts?.(id), [], 'the undo disconnects it')
})

t.test('what a thief has begun before an undo does not complete after it', async (t) => {
  const { app, browser: thief, id } = await openWithPassword(t)
  await changeEmail(app, thief, mallory)
  const undoUrl = getUndoUrl(app)
  const started = await thief.submit(`${base}/signin/acme`, { link: 'true' })
  await thief.submit(`${base}/factors/totp/start`, {})
  await askForEmail(thief, grace)
  const pendingUrl = getMail(app, grace).url
  await forget(thief, mallory)
  const resetUrl = app.mailbox.last().url
  const mailed = app.newBrowser()
  await mailed.submit(`${base}/signin/email`, { email: mallory })
  const signInUrl = app.mailbox.last().url
  t.equal((await undo(app.newBrowser(), undoUrl, { password: first })).status, 200)
  await comeBack(app, thief, started, thiefsPerson)
  t.same(await app.adapter.getAccounts?.(id), [], 'no account')
  t.equal((await confirmWith(thief, pendingUrl)).status, 403, 'no other address')
  t.equal((await thief.open(resetUrl)).html().querySelector('form'), null, 'no new password')
  await mailed.open(signInUrl)
  t.not(await getAddress(mailed), ada, 'no session')
  t.same(
    (await app.adapter.listFactors?.(id))?.map(({ type }) => type),
    ['password']
  )
  t.equal(await getEmail(app, id), ada)
})

t.test('an account that a thief connects after the change does not keep the owner from the undo', async (t) => {
  const { app, browser: thief, id } = await openWithAccount(t)
  await changeEmail(app, thief, mallory)
  const url = getUndoUrl(app)
  await link(app, thief, thiefsPerson)
  t.equal((await app.adapter.getAccounts?.(id))?.length, 2)
  t.match((await disconnect(thief)).body, 'undo', 'the thief does not disconnect the one of the owner')
  app.clock.advance(1)
  const owner = app.newBrowser()
  await signInAtAcme(app, owner)
  const beside = app.newBrowser()
  await signInAtAcme(app, beside, thiefsPerson)
  t.equal((await undo(beside, url)).status, 403, 'it is no proof')
  t.equal((await undo(owner, url)).status, 200)
  t.match(await app.adapter.getAccounts?.(id), [{ providerAccountId: person.sub }])
  t.equal(await getEmail(app, id), ada)
})

t.test('nothing from before the change is removed through the JSON routes', async (t) => {
  const { app, browser: thief, id } = await openWithPassword(t)
  await addPasskey(thief, createAuthenticator({ origin }))
  await link(app, thief, person)
  await changeEmail(app, thief, mallory)
  const passkeyPath = `${base}/passkeys/${await getPasskeyId(app, id)}/remove`
  const account = { provider: 'acme', providerAccountId: 'ada' }
  for (const options of [{ headers: json }, { headers: json, json: true }]) {
    const kept = await thief.submit(passkeyPath, {}, options)
    t.match(kept.json(), { props: { problem: 'undoNeeded' } })
    const same = await thief.submit(`${accountPath}/connections/remove`, account, options)
    t.match(same.json(), { props: { problem: 'undoNeeded' } })
  }
  const responses = await Promise.all([
    thief.submit(passkeyPath, {}),
    copy(app, thief).submit(`${accountPath}/connections/remove`, account),
    copy(app, thief).submit(passkeyPath, {})
  ])
  t.notOk(responses.some(({ location }) => location !== null))
  t.equal((await app.adapter.listFactors?.(id, 'passkey'))?.length, 1)
  t.equal((await app.adapter.getAccounts?.(id))?.length, 1)
})

t.test('the password of a thief, set before the change, is no help against the account of the owner', async (t) => {
  const { app, browser: thief, id } = await openWithAccount(t)
  t.match((await change(thief, { password: second })).location, /changed/)
  await changeEmail(app, thief, mallory)
  const url = getUndoUrl(app)
  app.clock.advance(1)
  const owner = app.newBrowser()
  await signInAtAcme(app, owner)
  t.equal((await undo(owner, url)).status, 200)
  t.equal(await getEmail(app, id), ada)
  t.notOk(await isSignedIn(thief))
})

t.test('an undo restores an authenticator app that a thief has replaced', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  const { app: authenticator, recoveryCodes } = await enroll(app, browser)
  const stolen = app.newBrowser()
  await signIn(stolen, ada, first)
  await stolen.submit(`${base}/verify/factor`, { code: authenticator.code() })
  await changeEmail(app, stolen, mallory)
  const url = getUndoUrl(app)
  await stolen.submit(`${base}/factors/totp/remove`, { code: recoveryCodes[0] ?? '' })
  // Before the change, the session was not authenticated for this.
  app.clock.advance(1)
  const again = app.newBrowser()
  await signIn(again, mallory, first)
  const { app: replaced } = await enroll(app, again)
  t.equal((await app.adapter.listFactors?.(id, 'factors-totp'))?.length, 1)
  t.equal((await undo(app.newBrowser(), url, { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
  const owner = app.newBrowser()
  await signIn(owner, ada, first)
  await owner.submit(`${base}/verify/factor`, { code: replaced.code() })
  t.notOk(await isSignedIn(owner), 'the app of the thief')
  await owner.submit(`${base}/verify/factor`, { code: authenticator.code() })
  t.ok(await isSignedIn(owner))
})

t.test('a trusted browser changes no address', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  const { app: authenticator } = await enroll(app, browser)
  app.clock.advance(7 * day)
  const trusted = app.newBrowser()
  await signIn(trusted, ada, first)
  await trusted.submit(`${base}/verify/factor`, { code: authenticator.code(), trust: 'yes' })
  await trusted.submit(`${base}/signout`, {})
  await signIn(trusted, ada, first)
  t.ok(await isSignedIn(trusted), 'without the second factor')
  t.match((await askForEmail(trusted, mallory)).location, /\/verify\?.*amr=mfa/)
  t.equal(await getEmail(app, id), ada)
})

t.test('a store without transactions keeps the rules', async (t) => {
  const { transact: _, createUserWithAccount: _together, ...adapter } = memoryAdapter()
  const { app, browser: thief, id } = await openWithPassword(t, { adapter })
  const own = createAuthenticator({ origin })
  await addPasskey(thief, own)
  await changeEmail(app, thief, mallory)
  const url = getUndoUrl(app)
  t.equal((await thief.submit(`${base}/passkeys/${await getPasskeyId(app, id)}/remove`, {})).status, 400)
  await change(thief, { password: second })
  await link(app, thief, thiefsPerson)
  await changeEmail(app, thief, grace)
  const statuses = await Promise.all(
    Array.from({ length: 4 }, async () => (await undo(app.newBrowser(), url, { password: first })).status)
  )
  t.ok(statuses.includes(200), String(statuses))
  const undone = await app.adapter.listEvents?.({ userId: id, type: 'email-undone', limit: 9 })
  t.equal(undone?.length, 1, 'the others answer that it is done, or that another change is running')
  t.equal(await getEmail(app, id), ada)
  t.same(await app.adapter.getAccounts?.(id), [])
  const owner = app.newBrowser()
  await signInWithPasskey(owner, own)
  t.ok(await isSignedIn(owner))
  for (const address of [mallory, grace]) t.ok(await findUser(app, address).then((found) => found === null), address)
})

t.test('a second factor that was removed again does not make a change final', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  await link(app, browser, person)
  app.clock.advance(7 * day)
  // The thief of the mailbox.
  const thief = app.newBrowser()
  await signInByMail(thief, ada, app.mailbox)
  const { app: authenticator } = await enroll(app, thief)
  const again = app.newBrowser()
  await signInByMail(again, ada, app.mailbox)
  await again.submit(`${base}/verify/factor`, { code: authenticator.code() })
  t.ok(await isSignedIn(again))
  app.clock.advance(31)
  await again.submit(`${base}/factors/totp/remove`, { code: authenticator.code() })
  t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
  await refuses(t, app, again, 'the session was authenticated with a factor that no longer exists')
  t.equal(await getEmail(app, id), ada)
})

t.test('a passkey that was removed again does not make a change final', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  await link(app, browser, person)
  app.clock.advance(7 * day)
  // The thief of the mailbox.
  const thief = app.newBrowser()
  await signInByMail(thief, ada, app.mailbox)
  const own = createAuthenticator({ origin })
  await addFactorPasskey(app, thief, own)
  const again = app.newBrowser()
  await signInWithPasskey(again, own)
  t.ok((await getAuthentication(app, again))?.amr.includes('mfa'))
  app.clock.advance(1)
  await again.submit(`${base}/passkeys/${await getPasskeyId(app, id)}/remove`, {})
  t.same(await app.adapter.listFactors?.(id, 'passkey'), [])
  await refuses(t, app, again, 'the session was authenticated with a passkey that no longer exists')
  t.equal(await getEmail(app, id), ada)
})

t.test('removing an authenticator app delays changes of the address', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  const { recoveryCodes } = await enroll(app, browser)
  await browser.submit(`${base}/factors/totp/remove`, { code: recoveryCodes[0] ?? '' })
  t.same(
    (await app.adapter.listFactors?.(id))?.map(({ type }) => type),
    ['password']
  )
  await refuses(t, app, browser, 'the session is from before the removal')
  t.equal(await getEmail(app, id), ada)
})

t.test('a password that was reset in the last 7 days ends no delay', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  await link(app, browser, person)
  app.clock.advance(7 * day)
  // The thief of the mailbox.
  const thief = app.newBrowser()
  await forget(thief, ada)
  await openLink(thief, app.mailbox.last(), { password: second })
  await signIn(thief, ada, second)
  t.ok(await isSignedIn(thief))
  t.equal((await disconnect(thief, { ...person, sub: 'none' })).status, 400, 'a removal that is refused')
  t.match((await disconnect(thief)).location, /done=accountRemoved/)
  app.clock.advance(1)
  const again = app.newBrowser()
  await signIn(again, ada, second)
  await refuses(t, app, again, 'the password is new')
  t.equal(await getEmail(app, id), ada)
})

t.test('a password that was changed in the last 7 days ends no delay', async (t) => {
  const { app, browser, id } = await openWithPassword(t)
  await link(app, browser, person)
  app.clock.advance(7 * day)
  const thief = app.newBrowser()
  await signIn(thief, ada, first)
  t.match((await disconnect(thief)).location, /done=accountRemoved/)
  await change(thief, { password: second })
  app.clock.advance(1)
  const again = app.newBrowser()
  await signIn(again, ada, second)
  t.ok(await isSignedIn(again))
  await refuses(t, app, again, 'the owner does not know the password')
  t.equal(await getEmail(app, id), ada)
})

for (const number of [1, 2, 3])
  t.test(
    `a password that a thief replaces at read ${number} of a change does not undo it in place of the earlier one`,
    async (t) => {
      const inner = memoryAdapter()
      let reads = 0
      let duringDelay: (() => Promise<unknown>) | null = null
      const adapter: Adapter = {
        ...inner,
        readTickets: async (keys) => {
          const found = (await inner.readTickets?.(keys)) ?? []
          if (!duringDelay || !keys[0]?.kind.endsWith('new-password') || ++reads < number) return found
          const act = duringDelay
          duringDelay = null
          await act()
          return found
        }
      }
      const { app, browser, id } = await openWithPassword(t, { adapter })
      await link(app, browser, person)
      app.clock.advance(7 * day)
      const thief = app.newBrowser()
      await signIn(thief, ada, first)
      await disconnect(thief)
      app.clock.advance(31)
      await signIn(thief, ada, first)
      await askForEmail(thief, mallory)
      duringDelay = async () => t.match((await change(copy(app, thief), { password: second })).location, /changed/)
      await confirmWith(thief, getMail(app, mallory).url)
      t.equal(duringDelay, null, 'it overlapped')
      if ((await getEmail(app, id)) === ada) return
      t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
      t.equal(await getEmail(app, id), ada)
    }
  )

t.test('an undo ends the recovery codes that were created since the change', async (t) => {
  const contexts: FeatureContext[] = []
  const probe: Feature = {
    id: 'probe',
    setup: (context) => {
      contexts.push(context)
      return {}
    }
  }
  const { app, browser, id } = await openWithPassword(t, { features: [probe] })
  const readSet = async (): Promise<unknown> =>
    JSON.parse((await contexts[0]?.factors.list(id, 'factors-recovery-codes'))?.[0]?.data ?? '{}').set
  const own = createAuthenticator({ origin })
  await addFactorPasskey(app, browser, own)
  const stolen = app.newBrowser()
  await signInWithPasskey(stolen, own)
  await stolen.submit(`${base}/factors/recovery-codes`, {})
  const before = await readSet()
  t.type(before, 'string')
  await changeEmail(app, stolen, mallory)
  await stolen.submit(`${base}/factors/recovery-codes`, {})
  t.not(await readSet(), before, 'the thief has new codes')
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
  t.equal(await readSet(), before)
})

/** The code that adds a second factor, by the receiver of its mail. */
const getFactorMails = (app: AccountApplication, since: number): readonly string[] =>
  app.mailbox.mails
    .slice(since)
    .filter(({ subject }) => subject.startsWith('Your code'))
    .map(({ to }) => to)

t.test('a thief who has changed the address sets up no second factor that the owner would be asked for', async (t) => {
  const { app, browser: thief, id } = await openWithAccount(t)
  await changeEmail(app, thief, mallory)
  const url = getUndoUrl(app)
  const sent = app.mailbox.mails.length
  app.clock.advance(1)
  t.match((await thief.submit(`${base}/factors/totp/start`, {})).location, /verify\?.*max_age=0$/)
  const again = app.newBrowser()
  await signInByMail(again, mallory, app.mailbox)
  t.equal((await again.submit(`${base}/factors/totp/start`, {})).status, 400)
  await again.submit(`${base}/factors/totp`, { send: 'mail' })
  await again.submit(`${base}/passkeys/code`, {})
  t.same(getFactorMails(app, sent), [], 'no code is mailed')
  await addPasskey(again, createAuthenticator({ origin }))
  const owner = app.newBrowser()
  await signInAtAcme(app, owner)
  const { app: authenticator } = await startWithMail(app, owner)
  t.same(getFactorMails(app, sent), [ada], 'the code of the owner is mailed to the address from before')
  const page = await postEnrollment(owner, { code: authenticator.code(), mailCode: 'BBBB-BBBB' })
  t.match(page.html().querySelector('#mailCode')?.getAttribute('aria-invalid'), 'true')
  await owner.submit(`${base}/passkeys/code`, {})
  t.same(getFactorMails(app, sent), [ada, ada], 'as is that of a passkey')
  t.equal((await undo(owner, url)).status, 200, 'the owner has the link, and the account from before the change')
  t.equal(await getEmail(app, id), ada)
  t.same(await app.adapter.listFactors?.(id), [])
})

t.test(
  'a thief who has changed the address enrolls at no sign-in either, with the mailbox of the new one',
  async (t) => {
    let isRequired = false
    const { app, browser: thief, id } = await openWithAccount(t, { secondFactor: { required: () => isRequired } })
    await changeEmail(app, thief, mallory)
    isRequired = true
    const sent = app.mailbox.mails.length
    const again = app.newBrowser()
    const asked = await signInByMail(again, mallory, app.mailbox)
    const page = await again.follow(await again.follow(asked))
    t.equal(page.status, 403)
    t.notOk(page.html().querySelector('#code'), 'the key is not shown')
    t.equal((await again.submit(`${base}/verify/enroll`, { send: 'mail' })).status, 403)
    t.same(getFactorMails(app, sent), [], 'no code is mailed')
    t.same(await app.adapter.listFactors?.(id), [])
  }
)

t.test('after the time of the undo, the current address proves who sets up a second factor', async (t) => {
  const { app, browser } = await openWithAccount(t)
  await changeEmail(app, browser, grace)
  const owner = app.newBrowser()
  app.clock.advance(7 * day - 1)
  await signInAtAcme(app, owner)
  const sent = app.mailbox.mails.length
  await startWithMail(app, owner)
  t.same(getFactorMails(app, sent), [ada])
  app.clock.advance(1)
  await startWithMail(app, owner)
  t.same(getFactorMails(app, sent), [ada, grace])
})

t.test('the owner undoes the change of a thief who has changed the password before', async (t) => {
  const { app, id } = await openWithPassword(t)
  app.clock.advance(7 * day)
  const thief = app.newBrowser()
  await signIn(thief, ada, first)
  await change(thief, { password: second })
  await changeEmail(app, thief, mallory)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
})
