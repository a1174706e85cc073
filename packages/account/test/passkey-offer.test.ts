import github from '@postern/core/providers/github'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import {
  type Application,
  ada,
  base,
  canSignIn,
  createUser,
  findUser,
  getAddress,
  getAuthentication,
  openApplication,
  origin,
  type PasskeyApplicationOptions,
  readOptions,
  type Strategy,
  signInWithPasskey,
  strategies
} from './passkey-application.ts'
import { first, openLink, signIn, signInByMail, signUp } from './password-application.ts'
import {
  answer,
  type FactorApplication,
  openWithFactor,
  openApplication as openWithFactors,
  signInWithPassword
} from './second-factor-application.ts'
import { type Changes, type CreationOptions, createAuthenticator } from './software-authenticator.ts'

const path = `${base}/passkey/offer`
const offer = `${origin}${path}?callbackUrl=${encodeURIComponent(origin)}`

/** A browser whose script has found that its device can create passkeys. */
function newAbleBrowser({ newBrowser }: Pick<Application, 'newBrowser'>): Browser {
  const browser = newBrowser()
  browser.cookies.set('postern.passkeys', '1')
  return browser
}

const signInAsAda = (browser: Browser): Promise<BrowserResponse> => signIn(browser, ada, first)

async function openWithUser(
  t: Parameters<typeof openApplication>[0],
  strategy: Strategy = 'database',
  options: PasskeyApplicationOptions = {}
): Promise<Application & { readonly userId: string; readonly other: Browser }> {
  const app = await openApplication(t, strategy, options)
  const other = await createUser(app)
  return { ...app, other, userId: (await findUser(app, ada))?.id ?? '' }
}

/** Creates a passkey on the page of the offer, as its script does. */
async function accept(
  browser: Browser,
  values: Readonly<Record<string, string>> = {},
  changes: Changes = {},
  authenticator = createAuthenticator({ origin })
): Promise<BrowserResponse> {
  const page = await browser.open(offer)
  const credential = authenticator.create(readOptions<CreationOptions>(page), changes)
  return browser.fill(page, path, { credential, ...values })
}

/** What a browser reports that asks nobody. @see Web Authentication Level 3 §7.1, step 15 */
const without = { isUserPresent: false, isUserVerified: false }

const nextStrategies = inTurn(strategies)

for (const strategy of nextStrategies())
  t.test(`${strategy}: a passkey is offered after a password, and added; other sessions stay`, async (t) => {
    const app = await openWithUser(t, strategy)
    const browser = newAbleBrowser(app)
    const signedIn = await signInAsAda(browser)
    t.equal(signedIn.location, offer)
    t.equal(await getAddress(browser), ada, 'the session exists')
    const page = await browser.follow(signedIn)
    t.match(page.html().querySelector('h1')?.text, 'Sign in faster next time')
    t.equal(page.html().querySelector('a.button')?.getAttribute('href'), origin, 'not now')
    const mails = app.mailbox.mails.length
    const authenticator = createAuthenticator({ origin })
    const before = browser.cookies.all().map(({ value }) => value)
    const added = await accept(browser, {}, {}, authenticator)
    t.equal(added.location, origin)
    t.equal((await app.auth.features.passkey.list(app.userId)).length, 1)
    t.notOk(
      browser.cookies.all().some(({ name, value }) => name.includes('session-token') && before.includes(value)),
      'the session has a new token'
    )
    t.match([await getAddress(browser), await getAddress(app.other)], [ada, ada], 'others stay')
    t.equal(app.mailbox.mails.length, mails + 1)
    t.match(app.mailbox.last().subject, 'A passkey was added')
    t.ok(await canSignIn(app.newBrowser(), authenticator))
    t.equal((await browser.open(offer)).location, origin, 'there is nothing to offer any more')
    t.equal((await signInAsAda(newAbleBrowser(app))).location, origin)
  })

t.test(
  'nothing is offered without a script, to a client without pages, or by an application without offers',
  async (t) => {
    const app = await openWithUser(t)
    t.equal((await signInAsAda(app.newBrowser())).location, origin)
    const script = newAbleBrowser(app)
    const answered = await script.submit(`${base}/callback/password`, { email: ada, password: first, json: 'true' })
    t.match(JSON.parse(answered.body), { url: origin })
    const quiet = await openWithUser(t, 'database', { passkey: { offer: false } })
    t.equal((await signInAsAda(newAbleBrowser(quiet))).location, origin)
  }
)

t.test('it is offered to new users, and not at each mailed link or provider, nor in a step-up', async (t) => {
  const app = await openApplication(t, 'database', {
    providers: [github({ clientId: 'client', clientSecret: 'secret' })]
  })
  const grace = newAbleBrowser(app)
  t.equal((await signInByMail(grace, 'grace@example.com', app.mailbox)).location, offer, 'a new user')
  t.equal((await signInByMail(grace, 'grace@example.com', app.mailbox)).location, origin, 'the same user again')
  const browser = newAbleBrowser(app)
  await signUp(browser, ada, first)
  t.equal((await openLink(browser, app.mailbox.last())).location, offer, 'a new user with a password')
  app.clock.advance(3600)
  const asked = await browser.open(`${base}/verify?callbackUrl=/members&max_age=60`)
  const again = await browser.fill(asked, `${base}/callback/password`, { email: ada, password: first })
  t.equal(again.location, `${origin}/members`, 'a step-up')
})

t.test('the offer continues at the page of new users, and never at another site', async (t) => {
  const app = await openApplication(t, 'database', { pages: { newUser: '/welcome' } })
  const browser = newAbleBrowser(app)
  const welcome = `${origin}/welcome?callbackUrl=${encodeURIComponent(origin)}`
  const signedIn = await signInByMail(browser, 'grace@example.com', app.mailbox)
  t.equal(signedIn.location, `${origin}${path}?callbackUrl=${encodeURIComponent(welcome)}`)
  const getNext = (page: BrowserResponse) => page.html().querySelector('a.button')?.getAttribute('href')
  t.equal(getNext(await browser.follow(signedIn))?.replaceAll('&amp;', '&'), welcome)
  const elsewhere = await browser.open(`${path}?callbackUrl=${encodeURIComponent('https://evil.example/')}`)
  t.equal(getNext(elsewhere), origin)
  t.equal((await browser.fill(elsewhere, `${path}/refuse`, { callbackUrl: 'https://evil.example/' })).location, origin)
})

t.test('who does not want to be asked is not asked again, in this browser', async (t) => {
  const app = await openWithUser(t)
  const browser = newAbleBrowser(app)
  const page = await browser.follow(await signInAsAda(browser))
  t.equal((await browser.fill(page, `${path}/refuse`)).location, origin)
  t.equal((await signInAsAda(browser)).location, origin)
  t.equal((await signInAsAda(newAbleBrowser(app))).location, offer, 'another browser')
  await createUser(app, 'grace@example.com')
  t.equal((await signIn(browser, 'grace@example.com', first)).location, offer, 'another user of the browser')
})

t.test('a passkey that was refused is explained on the page of the offer', async (t) => {
  const app = await openWithUser(t)
  const browser = newAbleBrowser(app)
  await signInAsAda(browser)
  const page = await browser.open(offer)
  const empty = await browser.fill(page, path)
  t.match([empty.status, empty.html().querySelector('h1')?.text], [400, 'Sign in faster next time'])
  t.match(empty.body, 'The passkey could not be added.')
  t.equal(empty.html().querySelector('a.button')?.getAttribute('href'), origin)
  const absent = await accept(browser, {}, without)
  t.match([absent.status, absent.body], [400, /could not be added/], 'the user was not present')
  t.same(await app.auth.features.passkey.list(app.userId), [])
})

t.test('a passkey that the browser creates without a question is one factor', async (t) => {
  const app = await openWithUser(t)
  const browser = newAbleBrowser(app)
  await signInAsAda(browser)
  t.ok((await browser.open(offer)).html().querySelector('input[name=conditional]'))
  const authenticator = createAuthenticator({ origin })
  // An authenticator may state that it has verified the user, which nobody has seen.
  const added = await accept(browser, { conditional: 'true' }, { isUserPresent: false }, authenticator)
  t.equal(added.location, origin)
  t.match(app.mailbox.last().subject, 'A passkey was added')
  t.equal(await getAddress(app.other), ada, 'others stay')
  const next = app.newBrowser()
  await signInWithPasskey(next, authenticator)
  t.same((await getAuthentication(app, next))?.amr, ['swk'])
  const asked = await openWithUser(t)
  const [again, other] = [newAbleBrowser(asked), createAuthenticator({ origin })]
  await signInAsAda(again)
  await accept(again, {}, {}, other)
  const third = asked.newBrowser()
  await signInWithPasskey(third, other)
  t.same((await getAuthentication(asked, third))?.amr.toSorted(), ['mfa', 'swk'], 'one with a question')
})

t.test('a passkey that was created without a question, for a user not even verified, is one factor', async (t) => {
  const app = await openWithUser(t)
  const browser = newAbleBrowser(app)
  await signInAsAda(browser)
  const authenticator = createAuthenticator({ origin })
  t.equal((await accept(browser, { conditional: 'true' }, without, authenticator)).location, origin)
  t.match(app.mailbox.last().subject, 'A passkey was added')
  t.equal(await getAddress(app.other), ada, 'others stay')
  const next = app.newBrowser()
  await signInWithPasskey(next, authenticator)
  t.same((await getAuthentication(app, next))?.amr, ['swk'])
})

t.test('a browser is not asked without a question again after the passkey was refused', async (t) => {
  const app = await openWithUser(t)
  const browser = newAbleBrowser(app)
  await signInAsAda(browser)
  const refused = await accept(browser, { conditional: 'true' }, { ...without, origin: 'https://evil.example' })
  t.equal(refused.html().querySelector('h1')?.text, 'Sign in faster next time')
  t.equal(refused.html().querySelector('input[name=conditional]'), null, 'it would create one after the other')
  const title = refused.html().querySelector('title')?.text
  t.equal(title, 'Sign in faster next time', 'it says no error: the user has asked for nothing')
  t.equal(refused.html().querySelector('a.button')?.getAttribute('href'), origin, 'not now')
  t.same(await app.auth.features.passkey.list(app.userId), [])
  const authenticator = createAuthenticator({ origin })
  const credential = authenticator.create(readOptions<CreationOptions>(refused))
  t.equal((await browser.fill(refused, path, { credential })).location, origin, 'with a question')
})

t.test('no passkey is created without a question if users must be verified, or after a mail', async (t) => {
  const app = await openWithUser(t, 'database', { passkey: { userVerification: 'required' } })
  const browser = newAbleBrowser(app)
  await signInAsAda(browser)
  t.equal((await browser.open(offer)).html().querySelector('input[name=conditional]'), null)
  const options = readOptions<CreationOptions>(await browser.open(offer))
  const credential = createAuthenticator({ origin }).create(options, { isUserPresent: false })
  t.equal((await browser.submit(path, { credential, conditional: 'true' })).status, 400)
  const mailed = newAbleBrowser(app)
  await signInByMail(mailed, ada, app.mailbox)
  t.equal((await mailed.open(offer)).html().querySelector('input[name=conditional]'), null)
})

/** Adds a passkey without a question. @returns The values of `amr` of a sign-in with it. */
async function upgrade(app: Application, browser: Browser): Promise<readonly string[] | undefined> {
  const authenticator = createAuthenticator({ origin })
  const added = await accept(browser, { conditional: 'true' }, { isUserPresent: false }, authenticator)
  t.equal(added.location, origin)
  const next = app.newBrowser()
  await signInWithPasskey(next, authenticator)
  return (await getAuthentication(app, next))?.amr.toSorted()
}

t.test('with a second factor, a passkey without a question has the level of the account', async (t) => {
  const app: FactorApplication = await openWithFactor(t, 'database')
  const browser = newAbleBrowser(app)
  await signInWithPassword(browser)
  app.clock.advance(31)
  t.equal((await answer(browser, { code: app.app.code() })).location, offer)
  t.same(await upgrade(app, browser), ['mfa', 'swk'], 'two factors, as the session has')
  const single = await openWithFactors(t, 'database')
  await createUser(single)
  const one = newAbleBrowser(single)
  await signInWithPassword(one)
  t.same(await upgrade(single, one), ['swk'], 'one factor')
})

t.test('it is offered after a recovery code, and not after a code of the app', async (t) => {
  const app = await openWithFactor(t, 'database')
  const browser = newAbleBrowser(app)
  const pending = async (): Promise<void> => void (await signInByMail(browser, ada, app.mailbox))
  await pending()
  app.clock.advance(31)
  t.equal((await answer(browser, { code: app.app.code() })).location, origin)
  await pending()
  t.equal((await answer(browser, { recoveryCode: app.recoveryCodes[0] ?? '' })).location, offer)
})

t.test('a feature that fails after the sign-in does not stop it', async (t) => {
  const fail = { id: 'fail', setup: () => ({ pageAfterSignIn: () => Promise.reject(new Error('no page')) }) }
  const app = await openWithUser(t, 'database', { features: [fail] })
  const browser = newAbleBrowser(app)
  t.equal((await signInAsAda(browser)).location, offer, 'the next feature is asked')
  t.equal(await getAddress(browser), ada)
  t.match(app.logged, [['BACKGROUND_TASK_ERROR', { task: 'features.fail: pageAfterSignIn' }]])
})

t.test('a user who is not fresh continues, and a visitor signs in', async (t) => {
  const app = await openWithUser(t)
  const browser = newAbleBrowser(app)
  await signInAsAda(browser)
  app.clock.advance(601)
  t.equal((await browser.open(offer)).location, origin)
  t.match((await app.newBrowser().open(offer)).location, /\/signin/, 'nobody is signed in')
})
