import { memoryAdapter } from '@postern/adapters/memory'
import type { OAuthConfig } from '@postern/core'
import { type Browser, type BrowserResponse, createClock, createIssuer } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getAuthentication } from './passkey-application.ts'
import {
  type Application,
  ada,
  createLimiter,
  createUser,
  findUser,
  first,
  getAddress,
  openLink,
  origin,
  signInByMail,
  signUp,
  strategies
} from './password-application.ts'
import {
  type App,
  answer,
  base,
  createApp,
  enroll,
  type FactorApplicationOptions,
  getKey,
  getRecoveryCodes,
  mailAndReadKey,
  openApplication,
  postEnrollment,
  readKey,
  type Strategy,
  signInWithPassword,
  startWithMail
} from './second-factor-application.ts'
import { copy, openStage, type Stage } from './second-factor-stage.ts'

const post = (browser: Browser, values: Readonly<Record<string, string>>): Promise<BrowserResponse> =>
  browser.submit(`${base}/verify/enroll`, values)

const openPage = (browser: Browser): Promise<BrowserResponse> => browser.open(`${base}/verify/enroll`)

/** An application that requires a second factor once `require()` is called, with the user Ada, who has none. */
async function openRequired(
  t: Parameters<typeof openApplication>[0],
  strategy: Strategy,
  options: FactorApplicationOptions = {}
): Promise<Application & { readonly require: () => void }> {
  let isRequired = false
  const app = await openApplication(t, strategy, { secondFactor: { required: () => isRequired }, ...options })
  await createUser(app)
  return {
    ...app,
    require: () => {
      isRequired = true
    }
  }
}

/** Confirms the key on the page, and the recovery codes. */
async function finish(
  browser: Browser,
  { clock, values = {} }: Pick<Application, 'clock'> & { readonly values?: Readonly<Record<string, string>> }
): Promise<{ readonly app: App; readonly codes: readonly string[]; readonly last: BrowserResponse }> {
  const app = createApp(await readKey(browser), clock.now)
  const shown = await post(browser, { code: app.code(), ...values })
  const last = await post(browser, { saved: 'yes' })
  clock.advance(31)
  return { app, codes: getRecoveryCodes(shown), last }
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a thief of the password cannot enroll; the owner does with a mailed code`, async (t) => {
    const app = await openRequired(t, strategy)
    const { auth, newBrowser, mailbox, require } = app
    const userId = (await findUser(app, ada))?.id ?? ''
    require()
    const thief = newBrowser()
    t.match((await signInWithPassword(thief)).location, /\/verify\?error=SecondFactorEnrollmentRequired$/)
    const before = mailbox.mails.length
    const locked = await openPage(thief)
    t.match(locked.body, 'Send code by email')
    t.equal(getKey(locked), '')
    t.equal(mailbox.mails.length, before, 'a page view sends nothing')
    await post(thief, { send: 'mail' })
    t.equal(mailbox.mails.length, before + 1)
    t.match(mailbox.last(), { to: ada, subject: 'Your code for app.test' })
    const key = createApp(await readKey(thief), app.clock.now)
    for (const values of [{}, { mailCode: '' }, { mailCode: 'BBBBBBBB' }]) {
      const refused = await post(thief, { code: key.code(), ...values })
      t.equal(refused.status, 400)
      t.match(refused.body, 'The code from the email is wrong')
    }
    t.match((await post(thief, { saved: 'yes' })).location, /error=Callback/, 'five attempts end the sign-in')
    t.same(await auth.features.factors.list(userId), [])
    t.equal(await getAddress(thief), null)

    const owner = newBrowser()
    await signInWithPassword(owner)
    await post(owner, { send: 'mail' })
    const mailCode = mailbox.last().code
    await signInWithPassword(thief)
    await post(thief, { send: 'mail' })
    t.not(mailbox.last().code, mailCode)
    const stolen = await post(thief, { code: createApp(await readKey(thief), app.clock.now).code(), mailCode })
    t.match(stolen.body, 'The code from the email is wrong', 'the code belongs to one sign-in')
    const wrong = await post(owner, { code: createApp(await readKey(owner), app.clock.now).wrongCode(), mailCode })
    t.match(wrong.body, 'The code is wrong')
    const done = await finish(owner, { ...app, values: { mailCode: mailCode.toLowerCase() } })
    t.equal(done.last.location, origin)
    t.equal(done.codes.length, 10)
    t.equal(await getAddress(owner), ada)
    t.same((await getAuthentication(app, owner))?.amr, ['pwd', 'otp', 'mfa'])
    t.equal(mailbox.mails.filter(({ subject }) => subject.startsWith('Two-step verification was turned on')).length, 1)
    t.match(await auth.features.factors.list(userId), [{ type: 'totp' }, { type: 'recovery-codes', left: 10 }])
    const events = await app.adapter.listEvents?.({ userId, limit: 100 })
    t.equal(events?.filter(({ type }) => type === 'factor-added').length, 1)

    const next = newBrowser()
    await signInWithPassword(next)
    await answer(next, { code: done.app.code() })
    t.equal(await getAddress(next), ada)
    await signInWithPassword(next)
    t.equal((await answer(next, { recoveryCode: done.codes[9] ?? '' })).location, origin)
  })

  test(`${strategy}: a guard that requires two factors lets a user who has none enroll, with a mailed code`, async (t) => {
    const app = await openApplication(t, strategy, { secondFactor: { satisfiedBy: () => true } })
    const stepUp = async (browser: Browser, query: string): Promise<BrowserResponse> => {
      const guard = await browser.open(`${base}/verify?${query}&callbackUrl=/`)
      return browser.fill(guard, `${base}/callback/password`, { email: ada, password: first })
    }
    const browser = await createUser(app)
    t.equal((await stepUp(browser, 'max_age=60')).location, origin, 'a guard of freshness enrolls nobody')
    t.match(
      (await stepUp(browser, 'amr=mfa')).location,
      'error=SecondFactorEnrollmentRequired',
      'satisfiedBy gives no mfa'
    )
    t.equal((await browser.open(`${base}/verify`)).location, `${origin}${base}/verify/enroll`)
    await post(browser, { send: 'mail' })
    const { app: authenticator } = await finish(browser, {
      ...app,
      values: { mailCode: app.mailbox.last().code }
    })
    t.same((await getAuthentication(app, browser))?.amr, ['pwd', 'otp', 'mfa'])

    const other = app.newBrowser()
    t.equal((await signInWithPassword(other)).location, origin, 'without a guard satisfiedBy decides')
    await stepUp(other, 'amr=mfa')
    await answer(other, { code: authenticator.code() })
    t.same((await getAuthentication(app, other))?.amr, ['pwd', 'otp', 'mfa'])
  })

  test(`${strategy}: who has proven the mailbox gets no other mail, and a new user enrolls directly`, async (t) => {
    const app = await openRequired(t, strategy)
    app.require()
    const browser = app.newBrowser()
    await signInByMail(browser, ada, app.mailbox)
    t.equal((await finish(browser, app)).last.location, origin)
    t.equal(await getAddress(browser), ada)
    t.same((await getAuthentication(app, browser))?.amr, ['otp', 'mfa'])

    const grace = app.newBrowser()
    await signUp(grace, 'grace@example.com', first)
    await openLink(grace, app.mailbox.last())
    t.equal(await findUser(app, 'grace@example.com'), null)
    const done = await finish(grace, app)
    t.equal(await getAddress(grace), 'grace@example.com')
    const id = (await findUser(app, 'grace@example.com'))?.id ?? ''
    t.match(await app.auth.features.factors.list(id), [{ type: 'totp' }, { left: 10 }])
    await grace.submit(`${base}/signout`, {})
    await signInByMail(grace, 'grace@example.com', app.mailbox)
    await answer(grace, { code: done.app.code() })
    t.equal(await getAddress(grace), 'grace@example.com')
  })

  test(`${strategy}: a reclaim deletes the factor of an attacker, and keeps what the owner enrolls`, async (t) => {
    const other = await openRequired(t, strategy)
    const user = await findUser(other, ada)
    const attacker = other.newBrowser()
    await signInWithPassword(attacker)
    const own = await enroll(other, attacker)
    // Somebody has set the address, such as in a form of the application.
    await other.adapter.updateUser?.({ id: user?.id ?? '', emailVerified: null })
    t.equal((await attacker.submit(`${base}/factors/totp/start`, {})).status, 400, 'an unverified address')
    other.require()
    const owner = other.newBrowser()
    await signInByMail(owner, ada, other.mailbox)
    const page = await owner.open(`${base}/verify`)
    t.equal(page.location, `${origin}${base}/verify/enroll`, 'the factor of the attacker is not asked for')
    const { app: key, codes } = await finish(owner, other)
    t.equal(await getAddress(owner), ada)
    t.equal(await getAddress(attacker), null)
    t.match(await other.auth.features.factors.list(user?.id ?? ''), [{ type: 'totp' }, { left: 10 }])
    await owner.submit(`${base}/signout`, {})
    await signInByMail(owner, ada, other.mailbox)
    t.equal((await answer(owner, { code: own.app.code() })).status, 400)
    t.equal((await answer(owner, { recoveryCode: own.recoveryCodes[0] ?? '' })).status, 400)
    t.equal((await answer(owner, { code: key.code() })).location, origin)
    t.equal(codes.length, 10)
  })
}

t.test('a user with an unverified address enrolls with a mailed code, which verifies the address', async (t) => {
  const app = await openRequired(t, 'database')
  const { newBrowser, mailbox, adapter } = app
  const userId = (await findUser(app, ada))?.id ?? ''
  await adapter.updateUser?.({ id: userId, emailVerified: null })
  app.require()
  const browser = newBrowser()
  await signInWithPassword(browser)
  t.equal(getKey(await openPage(browser)), '', 'who only knows the password sees no key')
  await post(browser, { send: 'mail' })
  t.equal(mailbox.last().to, ada)
  t.match(
    (await post(browser, { code: createApp(await readKey(browser), app.clock.now).code() })).body,
    'The code from the email'
  )
  const { last } = await finish(browser, { ...app, values: { mailCode: mailbox.last().code } })
  t.equal(last.location, origin)
  t.ok((await findUser(app, ada))?.emailVerified)
  t.match(await app.auth.features.factors.list(userId), [{ type: 'totp' }, { left: 10 }])
  t.ok(await app.auth.features.password.has(userId), 'nothing of the user has ended')
})

// A factor is only added once the address is proven.
t.test('a mailed code that confirms a user proves the address for the enrollment, and then verifies it', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  const id = (await findUser(app, ada))?.id ?? ''
  const confirm = async () => {
    const page = await browser.open(`${base}/verify?amr=mfa`)
    const sent = await browser.followAll(await browser.fill(page, `${base}/signin/mailed-code`))
    return browser.fill(sent, `${base}/callback/mailed-code`, { code: app.mailbox.last().code })
  }
  await app.adapter.updateUser?.({ id, emailVerified: null })
  t.match((await confirm()).location, /SecondFactorEnrollmentRequired/)
  t.equal((await findUser(app, ada))?.emailVerified, null, 'the code only confirms')
  t.not(getKey(await openPage(browser)), '', 'no other mail is needed')
  await app.adapter.updateUser?.({ id, email: 'new@example.com' })
  t.equal(getKey(await openPage(browser)), '', 'the code went to another address')
  await app.adapter.updateUser?.({ id, email: ada })
  await finish(browser, app)
  t.ok((await findUser(app, ada))?.emailVerified)
  t.match(await app.auth.features.factors.list(id), [{ type: 'totp' }, { left: 10 }])
})

t.test('a required enrollment step by step, with a mistake in each, takes five attempts', async (t) => {
  const app = await openRequired(t, 'database')
  app.require()
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  const enrollPath = `${base}/verify/enroll`
  const sent = await post(browser, { send: 'mail' })
  t.equal(getKey(sent), '', 'the mailed code comes first')
  const wrongMail = await browser.fill(sent, 'form:has(input[name=mailCode])', { mailCode: 'BBBBBBBB' })
  t.match(wrongMail.body, 'The code from the email is wrong')
  const mailCode = app.mailbox.last().code
  const shown = await browser.fill(wrongMail, 'form:has(input[name=mailCode])', { mailCode })
  t.equal(shown.status, 200)
  t.match(shown.body, 'Step 1 of 3')
  const key = createApp(getKey(shown), app.clock.now)
  t.equal(key.secret.length, 20)
  t.equal(getKey(await openPage(browser)), getKey(shown), 'the page can be loaded again')
  const codePage = await browser.open(`${enrollPath}?step=code`)
  t.match(codePage.body, 'Step 2 of 3')
  const wrong = await browser.fill(codePage, 'form:has(input[name=code])', { code: key.wrongCode() })
  t.match(wrong.body, 'The code is wrong')
  const codes = await browser.fill(wrong, 'form:has(input[name=code])', { code: key.code() })
  t.match(codes.body, 'Step 3 of 3')
  t.equal(getRecoveryCodes(codes).length, 10)
  t.equal((await post(browser, { saved: 'yes' })).location, origin)
  t.equal(await getAddress(browser), ada)
})

t.test('an address that changes during the enrollment is not verified by the code that went to another', async (t) => {
  const app = await openRequired(t, 'database')
  const { mailbox, adapter } = app
  const userId = (await findUser(app, ada))?.id ?? ''
  await adapter.updateUser?.({ id: userId, emailVerified: null })
  app.require()
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  await post(browser, { send: 'mail' })
  await post(browser, { code: createApp(await readKey(browser), app.clock.now).code(), mailCode: mailbox.last().code })
  await adapter.updateUser?.({ id: userId, email: 'victim@example.com' })
  t.equal((await post(browser, { saved: 'yes' })).status, 400)
  t.match(await findUser(app, 'victim@example.com'), { emailVerified: null })
  t.same(await app.auth.features.factors.list(userId), [])
})

/** An application with a provider, in which everybody needs a second factor. */
async function openWithProvider(t: Parameters<typeof openApplication>[0], strategy: Strategy, verifiesEmail: boolean) {
  const issuer = createIssuer({ clock: createClock() })
  const acme: OAuthConfig = {
    ...{ id: 'acme', name: 'Acme', type: 'oidc', issuer: issuer.issuer, verifiesEmail },
    ...{ clientId: issuer.clientId, clientSecret: issuer.clientSecret ?? '' }
  }
  const app = await openApplication(t, strategy, {
    ...{ providers: [acme], runtime: { fetch: (url, init) => issuer.fetch(url, init) } },
    ...{ secondFactor: { required: true }, rateLimit: { limiter: createLimiter() } }
  })
  const enter = async (browser: Browser): Promise<BrowserResponse> => {
    const { location } = await browser.submit(`${base}/signin/acme`, {})
    return browser.open((await issuer.authorize(location ?? '')).replace(origin, ''))
  }
  return { ...app, enter }
}

for (const { value: strategy, test } of turns()) {
  test(`prove-2: ${strategy}: a new user whose provider only claims the address proves it before a factor is added`, async (t) => {
    const app = await openWithProvider(t, strategy, false)
    const browser = app.newBrowser()
    t.match((await app.enter(browser)).location, /SecondFactorEnrollmentRequired/)
    const page = await openPage(browser)
    t.equal(getKey(page), '', 'the key is not shown yet')
    t.match(page.body, 'Send code by email')
    const key = createApp(await readKey(browser), app.clock.now)
    t.match((await post(browser, { code: key.code() })).body, 'Send code by email', 'the code of the app is not enough')
    t.match((await post(browser, { saved: 'yes' })).body, 'Send code by email')
    t.equal(app.mailbox.mails.length, 0)
    const sent = await post(browser, { send: 'mail' })
    t.match(app.mailbox.last(), { to: ada, subject: 'Your code for app.test' })
    const wrong = await browser.fill(sent, 'form:has(input[name=mailCode])', { mailCode: 'BBBBBBBB' })
    t.match(wrong.body, 'The code from the email is wrong')
    const { code } = app.mailbox.last()
    const shown = await browser.fill(wrong, 'form:has(input[name=mailCode])', { mailCode: code })
    t.not(getKey(shown), '')
    t.equal(await findUser(app, ada), null, 'nobody is stored yet')
    t.equal((await finish(browser, app)).last.location, origin)
    t.equal(await getAddress(browser), ada)
    const user = await findUser(app, ada)
    t.ok(user?.emailVerified, 'the address is proven')
    t.match(await app.auth.features.factors.list(user?.id ?? ''), [{ type: 'totp' }, { left: 10 }])
    t.same(
      app.mailbox.mails.map(({ subject }) => subject),
      ['Your code for app.test', 'Two-step verification was turned on for your account at app.test']
    )
    // The owner of the address is the one who has proven it: nobody reclaims the user.
    const other = app.newBrowser()
    await signInByMail(other, ada, app.mailbox)
    t.match((await other.open(`${base}/verify`)).location, '/verify/factor')
  })

  test(`${strategy}: a new user whose provider is trusted for the address needs no mail`, async (t) => {
    const app = await openWithProvider(t, strategy, true)
    const browser = app.newBrowser()
    await app.enter(browser)
    t.not(getKey(await openPage(browser)), '')
    t.equal((await finish(browser, app)).last.location, origin)
    t.ok((await findUser(app, ada))?.emailVerified)
  })
}

t.test('the codes to an address that new users claim are limited', async (t) => {
  const app = await openWithProvider(t, 'database', false)
  const browser = app.newBrowser()
  await app.enter(browser)
  for (let count = 0; count < 4; count++) await post(browser, { send: 'mail' })
  const other = app.newBrowser()
  await app.enter(other)
  await post(other, { send: 'mail' })
  t.equal(app.mailbox.mails.length, 5)
  t.equal((await post(other, { send: 'mail' })).status, 429)
  t.equal(app.mailbox.mails.length, 5)
})

t.test('an invited administrator comes in at a provider that is trusted for the address', async (t) => {
  const issuer = createIssuer({ clock: createClock() })
  const acme: OAuthConfig = {
    ...{ id: 'acme', name: 'Acme', type: 'oidc', issuer: issuer.issuer, verifiesEmail: true },
    ...{ clientId: issuer.clientId, clientSecret: issuer.clientSecret ?? '' }
  }
  const app = await openApplication(t, 'database', {
    ...{ withoutEmail: true, providers: [acme], runtime: { fetch: (url, init) => issuer.fetch(url, init) } },
    secondFactor: { required: ({ name }) => name === 'Administrator' }
  })
  const { adapter, auth, clock, mailbox } = app
  const invited = { name: 'Administrator', email: ada, emailVerified: null, image: null }
  const { id = '' } = (await adapter.createUser?.(invited)) ?? {}
  await auth.invite(id, { expiresIn: 3600 })
  const browser = app.newBrowser()
  const { location } = await browser.submit(`${base}/signin/acme`, {})
  const back = await browser.open((await issuer.authorize(location ?? '')).replace(origin, ''))
  t.match(back.location, /SecondFactorEnrollmentRequired/)
  t.equal((await finish(browser, { clock })).last.location, origin)
  t.equal(await getAddress(browser), ada)
  t.ok((await findUser(app, ada))?.emailVerified)
  t.match(await auth.features.factors.list(id), [{ type: 'totp' }, { left: 10 }])
  t.match(
    mailbox.mails.map(({ subject }) => subject),
    ['Two-step verification was turned on for your account at app.test']
  )
})

t.test('an enrollment that was confirmed in one sign-in is of no use in another', async (t) => {
  const app = await openRequired(t, 'database')
  app.require()
  const [one, other] = [app.newBrowser(), app.newBrowser()]
  for (const browser of [one, other]) await signInByMail(browser, ada, app.mailbox)
  const key = createApp(await readKey(one), app.clock.now)
  t.not(await readKey(other), await readKey(one))
  await post(one, { code: key.code() })
  t.equal((await post(other, { saved: 'yes' })).status, 400)
  t.equal(await getAddress(other), null)
  const reloaded = await openPage(one)
  t.same(getRecoveryCodes(reloaded), [], 'the codes are shown once')
  t.match(reloaded.headers['cache-control'], 'no-store')
  t.equal((await post(one, { saved: 'yes' })).location, origin)
  t.equal(await getAddress(one), ada)
  t.match((await post(other, { code: key.code() })).location, /error=Callback/, 'the other sign-in has ended')
})

t.test('the fifth attempt does not end the sign-in if it confirms the app', async (t) => {
  const app = await openRequired(t, 'database')
  app.require()
  const [browser, other] = [app.newBrowser(), app.newBrowser()]
  for (const one of [browser, other]) {
    await signInByMail(one, ada, app.mailbox)
    const key = createApp(await readKey(one), app.clock.now)
    for (let count = 1; count <= 4; count++) t.equal((await post(one, { code: key.wrongCode() })).status, 400)
    const shown = await post(one, { code: key.code() })
    t.equal(getRecoveryCodes(shown).length, 10)
    t.match((await openPage(one)).body, 'already shown')
  }
  t.match((await post(other, {})).location, /error=Callback/, 'one more attempt is left')
  t.match((await post(other, { saved: 'yes' })).location, /error=Callback/)
  t.equal(await getAddress(other), null)
  t.equal((await post(browser, { saved: 'yes' })).location, origin)
  t.equal(await getAddress(browser), ada)
})

const enrollPage = `${base}/verify/enroll`

interface AdaWithoutFactor extends Stage {
  readonly userId: string
  /** Requires a second factor from now on. */
  readonly require: () => void
  /** Runs once, while the next sign-in creates its session. */
  readonly runMeanwhile: (work: () => Promise<unknown>) => void
}

/** Ada has no second factor. */
async function openAda(
  t: Test,
  strategy: Strategy = 'database',
  options: Parameters<typeof openStage>[2] = {}
): Promise<AdaWithoutFactor> {
  let isRequired = false
  const waiting: (() => Promise<unknown>)[] = []
  const stage = await openStage(t, strategy, {
    ...options,
    secondFactor: { required: () => isRequired },
    session: {
      strategy,
      remember: async () => {
        await waiting.pop()?.()
        return true
      }
    }
  })
  const require = (): void => {
    isRequired = true
  }
  return { ...stage, userId: await stage.addUser(ada), require, runMeanwhile: (work) => void waiting.push(work) }
}

/** Signs in, and sets up the required app up to the recovery codes. */
async function confirmRequired({ clock, mailbox }: Stage, browser: Browser): Promise<App> {
  await signInByMail(browser, ada, mailbox)
  const app = createApp(getKey(await browser.open(enrollPage)), clock.now)
  await post(browser, { code: app.code() })
  return app
}

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a required enrollment ends the sessions of who only knows the password`, async (t) => {
    const stage = await openAda(t, strategy)
    const [thief, owner] = [stage.newBrowser(), stage.newBrowser()]
    await stage.enter(thief, stage.userId)
    t.equal(await getAddress(thief), ada)
    stage.require()
    await confirmRequired(stage, owner)
    t.equal(await getAddress(thief), ada, 'until it is complete')
    t.equal((await post(owner, { saved: 'yes' })).location, origin)
    t.equal(await getAddress(owner), ada)
    t.equal(await getAddress(thief), null)
  })

  test(`${strategy}: a guard that enrolls a user ends the other sessions, and copies of this one`, async (t) => {
    const stage = await openAda(t, strategy)
    const [owner, other] = [stage.newBrowser(), stage.newBrowser()]
    for (const browser of [owner, other]) await stage.enter(browser, stage.userId)
    const before = copy(stage, owner)
    await owner.open(`${base}/verify?callbackUrl=/&amr=mfa`)
    await stage.enter(owner, stage.userId)
    const app = createApp(await mailAndReadKey(owner), stage.clock.now)
    await post(owner, { code: app.code(), mailCode: stage.mailbox.last().code })
    t.equal((await post(owner, { saved: 'yes' })).location, origin)
    t.same((await getAuthentication(stage, owner))?.amr, ['pwd', 'otp', 'mfa'])
    for (const browser of [other, before]) t.equal(await getAddress(browser), null)
    stage.clock.advance(31)
    await stage.enter(other, stage.userId)
    t.equal((await answer(other, { code: app.code() })).location, origin)
    t.equal(await getAddress(owner), ada)
  })

  test(`${strategy}: a sign-in that overlaps a required enrollment keeps no session`, async (t) => {
    const { readTickets, ...withoutReadTickets } = memoryAdapter()
    for (const adapter of [memoryAdapter(), withoutReadTickets]) {
      const stage = await openAda(t, strategy, { adapter })
      const [thief, owner] = [stage.newBrowser(), stage.newBrowser()]
      stage.runMeanwhile(async () => {
        stage.require()
        await confirmRequired(stage, owner)
        t.equal((await post(owner, { saved: 'yes' })).location, origin)
      })
      t.match((await stage.enter(thief, stage.userId)).location, /error=/)
      t.match(await stage.auth.features.factors.list(stage.userId), [{ type: 'totp' }, {}])
      t.equal(await getAddress(thief), null)
      t.equal(await getAddress(owner), ada)
    }
  })

  test(`${strategy}: a sign-in that overlaps an enrollment keeps no session, whatever the clocks say`, async (t) => {
    for (const difference of [-2000, 0]) {
      const stage = await openAda(t, strategy)
      const runtime = { now: () => stage.clock.now() + difference, sendMail: stage.mailbox.sendMail }
      const process = await openStage(t, strategy, { adapter: stage.adapter, runtime })
      const [thief, owner] = [stage.newBrowser(), process.newBrowser()]
      await process.enter(owner, stage.userId)
      stage.runMeanwhile(async () => {
        const { app, mailCode } = await startWithMail(stage, owner)
        await postEnrollment(owner, { code: app.code(), mailCode })
      })
      t.match((await stage.enter(thief, stage.userId)).location, /error=/)
      t.match(await stage.auth.features.factors.list(stage.userId), [{ type: 'totp' }, {}])
      t.equal(await getAddress(thief), null, `${difference}`)
      t.equal(await getAddress(owner), ada)
    }
  })
}

t.test('who only knows the password does not end the enrollment of the owner by starting others', async (t) => {
  const stage = await openAda(t)
  const [owner, thief, guarded] = [stage.newBrowser(), stage.newBrowser(), stage.newBrowser()]
  for (const browser of [owner, thief, guarded]) await stage.enter(browser, stage.userId)
  await guarded.open(`${base}/verify?callbackUrl=/&amr=mfa`)
  await stage.enter(guarded, stage.userId)
  const key = await mailAndReadKey(guarded)
  const { app, mailCode } = await startWithMail(stage, owner)
  await thief.submit(`${base}/factors/totp/start`, {})
  t.equal(await readKey(guarded), key)
  t.equal(getRecoveryCodes(await postEnrollment(owner, { code: app.code(), mailCode })).length, 10)
})

t.test('of two enrollments that are saved at once, one signs in, and its codes are those that work', async (t) => {
  const stage = await openAda(t)
  stage.require()
  const browsers = [stage.newBrowser(), stage.newBrowser()]
  const apps: App[] = []
  for (const browser of browsers) apps.push(await confirmRequired(stage, browser))
  await Promise.all(browsers.map((browser) => post(browser, { saved: 'yes' })))
  const addresses = await Promise.all(browsers.map(getAddress))
  t.equal(addresses.filter((address) => address === ada).length, 1)
  stage.clock.advance(31)
  const next = stage.newBrowser()
  await stage.enter(next, stage.userId)
  t.equal((await answer(next, { code: apps[addresses.indexOf(ada)]?.code() ?? '' })).location, origin)
})

t.test('an app that is set up while another one waits to be saved keeps its recovery codes', async (t) => {
  const stage = await openAda(t)
  const [owner, waiting] = [stage.newBrowser(), stage.newBrowser()]
  await stage.enter(owner, stage.userId)
  stage.require()
  await confirmRequired(stage, waiting)
  const { recoveryCodes } = await enroll(stage, owner)
  t.match((await post(waiting, { saved: 'yes' })).location, /error=Callback/)
  t.equal(await getAddress(waiting), null)
  const next = stage.newBrowser()
  await stage.enter(next, stage.userId)
  t.equal((await answer(next, { recoveryCode: recoveryCodes[9] ?? '' })).location, origin)
})
