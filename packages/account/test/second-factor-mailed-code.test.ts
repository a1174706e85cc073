import { secondFactor } from '@postern/account/second-factor'
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern, type Postern } from '@postern/core'
import { type Feature, type FeatureRoute, redirect } from '@postern/core/feature'
import email from '@postern/core/providers/email'
import { createRenderer } from '@postern/pages'
import { type Browser, createBrowser, createClock, createMailbox, fromFetch } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  type Application,
  ada,
  createLimiter,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  openLink,
  origin,
  second,
  signIn,
  strategies
} from './password-application.ts'
import {
  base,
  createApp,
  enroll,
  getKey,
  getRecoveryCodes,
  mailAndReadKey,
  openApplication,
  postEnrollment,
  signInWithPassword,
  startEnrollment,
  startWithMail
} from './second-factor-application.ts'

const grace = 'grace@example.com'

/** What the page that sets up an app shows to a client that asks for JSON. */
interface EnrollPage {
  readonly props: { readonly mail: string; readonly key: { readonly text: string } }
}

const readPage = async (browser: Browser): Promise<EnrollPage['props']> =>
  (await browser.json<EnrollPage>(`${base}/factors/totp`)).props

async function listFactors(app: Application, address: string = ada): Promise<readonly unknown[]> {
  return app.auth.features.factors.list((await findUser(app, address))?.id ?? '')
}

/** A browser in which someone has signed in with the password of Ada. */
async function openSession({ newBrowser }: Application): Promise<Browser> {
  const browser = newBrowser()
  await signInWithPassword(browser)
  return browser
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`${strategy}: who only knows the password sets up no app that locks the owner out`, async (t) => {
    const app = await openApplication(t, strategy)
    const { mailbox } = app
    await createUser(app)
    const thief = await openSession(app)
    t.equal(await getAddress(thief), ada)
    const before = mailbox.mails.length
    const page = await startEnrollment(thief)
    t.match(page.body, 'Send code by email')
    t.equal(getKey(page), '')
    t.equal(mailbox.mails.length, before, 'a page view sends nothing')
    const { mail, key } = await readPage(thief)
    t.equal(mail, 'send')
    const authenticator = createApp(key.text, app.clock.now)
    const skipped = await postEnrollment(thief, { code: authenticator.code(), mailCode: 'BBBBBBBB' })
    t.same(getRecoveryCodes(skipped), [])
    t.match(skipped.body, 'Send code by email')
    t.equal(mailbox.mails.length, before)

    await postEnrollment(thief, { send: 'mail' })
    t.equal(mailbox.mails.length, before + 1)
    t.match(mailbox.last(), { to: ada, subject: 'Your code for app.test', text: /setting up an authenticator app/ })
    for (const values of [{}, { mailCode: '' }, { mailCode: 'BBBBBBBB' }, { mailCode: '1' }, { mailCode: 'C' }]) {
      const refused = await postEnrollment(thief, { code: authenticator.code(), ...values })
      t.equal(refused.status, 400)
      t.match(refused.body, 'The code from the email is wrong')
    }
    const late = await postEnrollment(thief, { code: authenticator.code(), mailCode: mailbox.last().code })
    t.equal(late.status, 400, 'five guesses end the code')
    t.match(late.body, 'Send code by email')
    t.same(await listFactors(app), [])

    const owner = app.newBrowser()
    await forget(owner, ada)
    await openLink(owner, mailbox.last(), { password: second })
    t.equal((await signIn(owner, ada, second)).location, origin)
    t.equal(await getAddress(owner), ada)
    t.equal(await getAddress(thief), null)
    const own = await enroll(app, owner)
    t.equal(own.recoveryCodes.length, 10)
    t.match(await listFactors(app), [{ type: 'totp' }, { left: 10 }])
  })

t.test('a wrong code loses nothing, and the mailed code works once', async (t) => {
  const adapter = memoryAdapter()
  const consume = adapter.consumeTicket?.bind(adapter)
  const consumed: string[] = []
  const consumeTicket: typeof adapter.consumeTicket = async (ticket) => {
    const found = (await consume?.(ticket)) ?? null
    if (found) consumed.push(found.kind)
    return found
  }
  const app = await openApplication(t, 'database', { adapter: { ...adapter, consumeTicket } })
  const browser = await createUser(app)
  const { app: key, mailCode } = await startWithMail(app, browser)
  const before = await readPage(browser)
  t.equal(before.mail, 'sent')
  t.match((await postEnrollment(browser, { code: key.wrongCode(), mailCode })).body, 'The code is wrong')
  t.same(await readPage(browser), { ...before, mail: 'none', step: 'key' })
  t.equal(consumed.filter((kind) => kind.endsWith('mailed-code')).length, 1)
  const spaced = `${mailCode.slice(0, 4)}-${mailCode.slice(4)}`.toLowerCase()
  const values = { code: key.code(), mailCode: spaced }
  const all = await Promise.all(Array.from({ length: 3 }, () => postEnrollment(browser, values)))
  // The session gets a new token: those that come later find none.
  const shown = all.filter(({ status }) => status === 200)
  t.equal(shown.filter((page) => getRecoveryCodes(page).length === 10).length, 1)
  t.equal(consumed.filter((kind) => kind.endsWith('mailed-code')).length, 1)
  t.not((await postEnrollment(browser, values)).status, 200)
  t.match(await listFactors(app), [{ type: 'totp' }, { left: 10 }])

  app.clock.advance(31)
  await browser.submit(`${base}/factors/totp/remove`, { code: key.code() })
  t.same(await listFactors(app), [])
  const next = await startWithMail(app, browser)
  t.equal((await postEnrollment(browser, { code: next.app.code(), mailCode })).status, 400, 'used before')
  t.same(await listFactors(app), [])
})

t.test('a wrong code of the app keeps the mailed code that was right, however often it is wrong', async (t) => {
  let isRequired = false
  const app = await openApplication(t, 'database', { secondFactor: { required: () => isRequired } })
  const browser = await createUser(app)
  const { app: key, mailCode } = await startWithMail(app, browser)
  for (let count = 0; count < 6; count++) {
    const wrong = await postEnrollment(browser, { code: key.wrongCode(), mailCode })
    t.equal(wrong.status, 400)
    t.match(wrong.body, 'The code is wrong')
    t.equal(wrong.html().querySelector('[name=mailCode]'), null, 'nothing to type again')
  }
  t.equal((await readPage(browser)).mail, 'none')
  t.equal(getRecoveryCodes(await postEnrollment(browser, { code: key.code() })).length, 10)

  await browser.submit(`${base}/factors/totp/remove`, { code: key.code(31) })
  isRequired = true
  const pending = await openSession(app)
  await pending.submit(`${base}/verify/enroll`, { send: 'mail' })
  const required = createApp((await pending.json<EnrollPage>(`${base}/verify/enroll`)).props.key.text, app.clock.now)
  const both = { code: required.wrongCode(), mailCode: app.mailbox.last().code }
  t.match((await pending.submit(`${base}/verify/enroll`, both)).body, 'The code is wrong')
  const done = await pending.submit(`${base}/verify/enroll`, { code: required.code() })
  t.equal(getRecoveryCodes(done).length, 10)
})

t.test('a mailed code belongs to one enrollment, user and address', async (t) => {
  let isRequired = false
  const app = await openApplication(t, 'database', { secondFactor: { required: () => isRequired } })
  const browser = await createUser(app)
  const other = await createUser(app, grace, second)
  const { mailCode: ofOther } = await startWithMail(app, other)
  const { mailCode: ofEarlier } = await startWithMail(app, browser)
  isRequired = true
  const pending = await openSession(app)
  t.equal(await getAddress(pending), null)
  const required = await mailAndReadKey(pending)
  const ofSignIn = app.mailbox.last().code
  const { app: key, mailCode } = await startWithMail(app, browser)
  const refuse = async (codes: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, mailCode] of Object.entries(codes)) {
      const refused = await postEnrollment(browser, { code: key.code(), mailCode })
      t.match(refused.body, 'The code from the email is wrong', name)
      t.same(getRecoveryCodes(refused), [], name)
    }
  }
  await refuse({ 'of another user': ofOther, 'of another enrollment': ofEarlier, 'of a sign-in': ofSignIn })
  const code = createApp(required, app.clock.now).code()
  const swapped = await pending.submit(`${base}/verify/enroll`, { code, mailCode })
  t.match(swapped.body, 'The code from the email is wrong', 'of an enrollment, in a sign-in')

  const id = (await findUser(app, ada))?.id ?? ''
  const emailVerified = new Date(app.clock.now())
  await app.adapter.updateUser?.({ id, email: 'new@example.com', emailVerified })
  await refuse({ 'of another address': mailCode })
  await postEnrollment(browser, { send: 'mail' })
  t.match(app.mailbox.last(), { to: 'new@example.com' })
  const done = await postEnrollment(browser, { code: key.code(), mailCode: app.mailbox.last().code })
  t.equal(getRecoveryCodes(done).length, 10)
  t.same(await listFactors(app, grace), [])
})

t.test(
  'the sessions of a user have four times the mails of a device, and leave the owner those of a sign-in',
  async (t) => {
    let isRequired = false
    const app = await openApplication(t, 'database', {
      rateLimit: { limiter: createLimiter() },
      secondFactor: { required: () => isRequired }
    })
    const owner = await createUser(app)
    const send = async (browser: Browser): Promise<number> => {
      await startEnrollment(browser)
      return (await postEnrollment(browser, { send: 'mail' })).status
    }
    const before = app.mailbox.mails.length
    for (let device = 0; device < 4; device++) {
      const browser = await openSession(app)
      for (let count = 0; count < 5; count++) t.equal(await send(browser), 200)
      t.equal(await send(browser), 429)
    }
    t.equal(await send(await openSession(app)), 429, 'each sign-in of a thief is another device')
    t.equal(app.mailbox.mails.length, before + 20)
    isRequired = true
    await owner.submit(`${base}/signout`, {})
    await signIn(owner, ada, first)
    t.equal((await owner.submit(`${base}/verify/enroll`, { send: 'mail' })).status, 200)
    t.equal(app.mailbox.mails.length, before + 21)
  }
)

t.test('a code that cannot be sent leaves the enrollment, without one', async (t) => {
  let isBroken = false
  const mailbox = createMailbox()
  const sendMail: typeof mailbox.sendMail = (...mail) =>
    isBroken ? Promise.reject(new Error('no answer')) : mailbox.sendMail(...mail)
  const app = { ...(await openApplication(t, 'database', { runtime: { sendMail } })), mailbox }
  const browser = await createUser(app)
  const page = await startEnrollment(browser)
  isBroken = true
  const failed = await postEnrollment(browser, { send: 'mail' })
  t.match(failed.location ?? failed.body, 'EmailSignin')
  isBroken = false
  t.equal((await readPage(browser)).mail, 'send')
  t.match(page.body, 'Send code by email')
  await postEnrollment(browser, { send: 'mail' })
  const key = createApp((await readPage(browser)).key.text, app.clock.now)
  const done = await postEnrollment(browser, { code: key.code(), mailCode: app.mailbox.last().code })
  t.equal(getRecoveryCodes(done).length, 10)
})

for (const [name, mailer, address] of [
  ['mail server', undefined, ada],
  ['address', email({ server: 'smtp://mail.test', from: 'mail@app.test' }), null]
] as const)
  t.test(`without ${name}, a user sets up an app without a mailed code`, async (t) => {
    const [clock, mailbox, adapter] = [createClock(), createMailbox(), memoryAdapter()]
    const profile = { name: 'Ada', image: null, email: address, emailVerified: address && new Date(clock.now()) }
    const { id = '' } = (await adapter.createUser?.(profile)) ?? {}
    const run: FeatureRoute['run'] = async (request) => {
      const { url, cookies } = await auth.signIn(request, id)
      return redirect(url, cookies)
    }
    const own: Feature = {
      id: 'own',
      setup: () => ({ routes: [{ method: 'POST', path: '/own', access: 'anyone', run }] })
    }
    const auth: Postern = createPostern({
      ...{ url: origin, secret: 'a secret of the tests, 32 characters or more', renderer: await createRenderer() },
      ...{ adapter, providers: [], features: [secondFactor(), own], rateLimit: false },
      runtime: { now: clock.now, sendMail: mailbox.sendMail },
      ...(mailer && { mailer })
    })
    t.teardown(auth.close)
    const browser = createBrowser({ origin, send: fromFetch(auth.fetch), clock })
    await browser.submit(`${base}/own`, {})
    const page = await startEnrollment(browser)
    const key = createApp(getKey(page), clock.now)
    t.equal((await readPage(browser)).mail, 'none')
    const same = await postEnrollment(browser, { send: 'mail' })
    t.equal(getKey(same), getKey(page))
    t.equal(page.html().querySelector('input[name=mailCode]'), null)
    const done = await postEnrollment(browser, { code: key.code() })
    t.equal(getRecoveryCodes(done).length, 10)
    t.equal(mailbox.mails.length, 0)
    t.match(await auth.features.factors.list(id), [{ type: 'totp' }, { left: 10 }])
  })
