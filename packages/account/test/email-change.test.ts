import { memoryAdapter } from '@postern/adapters/memory'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
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
  getNotice,
  openAccountApplication,
  origin,
  signIn,
  strategies
} from './account-application.ts'
import {
  askForEmail,
  changeEmail,
  day,
  decide,
  emailPath,
  getDecisionUrl,
  getEmail,
  getId,
  getMail,
  grace,
  isSignedIn,
  openSession,
  proveEmail,
  settle
} from './email-application.ts'
import { openBeside } from './grace-period-application.ts'
import { enroll } from './second-factor-application.ts'

const turns = turnsOf(strategies, t)

/** Sends the form that mails another code until the limit refuses it. @returns The refusal. */
async function sendUntilRefused(browser: Browser, form: BrowserResponse): Promise<BrowserResponse> {
  for (let count = 0; count < 20; count++) {
    const sent = await browser.fill(form, 'form:has([data-wait])')
    if (sent.status >= 400) return sent
  }
  throw new Error('expected a limit')
}

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the new address is proven by its code, and the owner of the current one confirms it`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const other = await openSession(app)
    const id = await getId(app, ada)
    const asked = await browser.fill(await browser.open(emailPath), emailPath, { email: ' Grace@Example.com ' })
    t.equal(asked.location, `${origin}${emailPath}/confirm`)
    const form = await browser.follow(asked)
    t.match(form.body, grace)
    t.same(getMail(app, grace).links, [], 'the mail to the new address has a code alone')
    const wrong = await browser.fill(form, `${emailPath}/confirm`, { code: 'BBBB-BBBB' })
    t.equal(wrong.status, 400)
    t.equal(wrong.html().querySelector('#code')?.getAttribute('aria-invalid'), 'true')
    const { code } = getMail(app, grace)
    const proven = await browser.fill(wrong, `${emailPath}/confirm`, { code: code.toLowerCase() })
    t.equal(proven.location, origin + emailPath)
    const repeated = await browser.submit(`${emailPath}/confirm`, { code })
    t.equal(repeated.location, origin + emailPath, 'a second click sees what it has done')
    t.equal(await getEmail(app, id), ada, 'nothing has changed')
    for (const session of [browser, other])
      for (const path of [accountPath, emailPath])
        t.match((await session.open(path)).body, /Your email address changes to .*January 8, 2030/s, path)
    const url = getDecisionUrl(app)
    t.notMatch(getMail(app, ada).text, grace, 'the mail does not contain the new address')
    const page = await browser.open(url)
    t.match(page.body, grace)
    t.equal(await getEmail(app, id), ada, 'a GET changes nothing')
    t.equal(page.html().querySelectorAll('.button-danger').length, 0, 'to keep the address is safe')
    const confirmed = await browser.fill(page, 'form:has(input[value=confirm])')
    t.match(confirmed.body, 'Your email address has been changed.')
    t.match(await findUser(app, grace), { id, email: grace, emailVerified: new Date(app.clock.now()) })
    t.ok(await isSignedIn(browser), 'the session that has confirmed it continues')
    t.notOk(await isSignedIn(other), 'all others have ended')
    await app.auth.close()
    t.same(getMail(app, ada, /has been changed/).links, [])
    t.match(getMail(app, grace, /is your email address/).text, 'UTC')
    const types = ((await app.adapter.listEvents?.({ userId: id, limit: 9 })) ?? []).map(({ type }) => type)
    for (const type of ['email-change-requested', 'email-changed']) t.ok(types.includes(type), type)
  })

  test(`${strategy}: the page that asks for the code sends another one, which replaces it, as often as is allowed`, async (t) => {
    const app = await openAccountApplication(t, strategy, { rateLimit: { limiter: createLimiter() } })
    const browser = await createUser(app)
    await askForEmail(browser, grace)
    const form = await browser.open(`${emailPath}/confirm`)
    const first = getMail(app, grace)
    const again = await browser.fill(form, 'form:has([data-wait])')
    t.equal(again.location, `${origin}${emailPath}/confirm`)
    const second = getMail(app, grace)
    t.not(second.code, first.code)
    const wrong = await browser.fill(await browser.follow(again), `${emailPath}/confirm`, { code: first.code })
    t.equal(wrong.status, 400)
    const limited = await sendUntilRefused(browser, wrong)
    t.equal(limited.status, 429)
    const { code } = getMail(app, grace)
    const proven = await browser.fill(wrong, `${emailPath}/confirm`, { code })
    t.equal(proven.location, origin + emailPath, 'the last one is right')
  })

  test(`${strategy}: the link confirms and cancels in any browser, once, and says so again`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const id = await getId(app, ada)
    await proveEmail(app, browser, grace)
    const cancelled = getDecisionUrl(app)
    const anywhere = app.newBrowser()
    const page = await anywhere.open(cancelled)
    t.match((await anywhere.fill(page, 'form:has(input[value=cancel])')).body, 'has been canceled')
    for (const decision of ['cancel', 'confirm'] as const)
      t.match((await decide(app.newBrowser(), cancelled, decision)).body, 'has been canceled', decision)
    t.equal(await getEmail(app, id), ada)
    t.notMatch((await browser.open(emailPath)).body, 'changes to')
    await proveEmail(app, browser, grace)
    const confirmed = getDecisionUrl(app)
    t.equal((await decide(app.newBrowser(), confirmed, 'confirm')).status, 200)
    t.equal(await getEmail(app, id), grace)
    t.notOk(await isSignedIn(browser), 'all sessions have ended')
    for (const decision of ['cancel', 'confirm'] as const)
      t.match((await decide(app.newBrowser(), confirmed, decision)).body, 'has been changed', decision)
    t.equal(await getEmail(app, id), grace)
  })

  test(`${strategy}: after 7 days, the address changes once by itself, and all sessions end`, async (t) => {
    const app = await openAccountApplication(t, strategy, { adapter: memoryAdapter() })
    const beside = await openBeside(t, app, { session: { strategy } })
    const browser = await createUser(app)
    const id = await getId(app, ada)
    await proveEmail(app, browser, grace)
    const url = getDecisionUrl(app)
    app.clock.advance(7 * day - 1)
    const owner = await openSession(app)
    t.equal(await app.auth.features.account.changeDueEmails(), 0)
    t.equal(await getEmail(app, id), ada, 'a second before')
    app.clock.advance(1)
    const processes = [app, beside, app, beside]
    const counts = await Promise.all(processes.map(({ auth }) => auth.features.account.changeDueEmails()))
    t.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1
    )
    t.equal(await getEmail(app, id), grace)
    for (const session of [browser, owner]) t.notOk(await isSignedIn(session))
    t.equal((await app.newBrowser().open(url)).status, 400)
    await settle(() => app.mailbox.mails.some(({ to, subject }) => to === grace && /is your email/.test(subject)))
    t.equal(app.mailbox.mails.filter(({ subject }) => /has been changed/.test(subject)).length, 1, 'one notice')
    const events = (await app.adapter.listEvents?.({ userId: id, limit: 99 })) ?? []
    t.equal(events.filter(({ type }) => type === 'email-changed').length, 1)
  })

  test(`${strategy}: a sign-in after 7 days changes the address, and begins again with the new one`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    await proveEmail(app, await createUser(app), grace)
    const id = await getId(app, ada)
    app.clock.advance(7 * day)
    const browser = app.newBrowser()
    const refused = await signIn(browser, ada, first)
    t.match(refused.location, 'error=EmailChanged')
    t.match((await browser.follow(refused)).body, 'Your email address has been changed, as you asked for it.')
    t.equal(await getEmail(app, id), grace)
    t.equal(await getAddress(browser), null)
    t.equal(await getAddress(await openSession(app, first, grace)), grace)
  })

  test(`${strategy}: a second factor that is given for the change makes it at once`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const id = await getId(app, ada)
    const { app: authenticator } = await enroll(app, browser)
    t.match((await askForEmail(browser, grace)).location, /\/verify\?.*amr=mfa/, 'it also asks for both factors first')
    const giveFactor = async (): Promise<void> => {
      await signIn(browser, ada, first)
      app.clock.advance(31)
      await browser.submit(`${base}/verify/factor`, { code: authenticator.code() })
    }
    await giveFactor()
    await proveEmail(app, browser, grace)
    const read = async () =>
      (await browser.json<{ props: { waiting: Record<string, string | null> } }>(emailPath)).props
    const { waiting } = await read()
    t.match(waiting, { approveAction: null, factorUrl: /\/verify\?.*max_age=0&amr=mfa/ })
    t.equal((await browser.submit(`${emailPath}/approve`, {})).status, 403, 'the one from before does not count')
    t.equal(await getEmail(app, id), ada)
    t.equal((await browser.open(waiting['factorUrl'] ?? '')).status, 200)
    await giveFactor()
    t.match((await read()).waiting, { approveAction: `${emailPath}/approve`, factorUrl: null })
    app.clock.advance(601)
    t.equal((await browser.submit(`${emailPath}/approve`, {})).status, 403, 'ten minutes later')
    await giveFactor()
    const other = await openSession(app)
    const page = await browser.open(emailPath)
    const changed = await browser.fill(page, `${emailPath}/approve`)
    t.equal(getNotice(await browser.follow(changed)), 'Your email address has been changed.')
    t.equal(await getEmail(app, id), grace)
    t.ok((await app.adapter.listFactors?.(id, 'factors-totp'))?.length, 'proving an address ends no factor')
    t.notOk(await isSignedIn(other))
    await app.auth.close()
    t.match(getMail(app, ada, /has been changed/).text, 'If it was not you')
  })
}

t.test('an unconfirmed address is confirmed with the code alone, without a notice', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  const id = await getId(app, ada)
  for (const email of [ada, grace]) {
    const from = (await getEmail(app, id)) ?? ''
    await app.adapter.updateUser?.({ id, emailVerified: null })
    t.match((await browser.open(accountPath)).body, 'not confirmed yet')
    t.equal((await browser.open(emailPath)).html().querySelector('#email')?.getAttribute('value'), from)
    const confirmed = await proveEmail(app, browser, email)
    t.equal(getNotice(await browser.follow(confirmed)), 'Your email address has been confirmed.')
    t.match(await findUser(app, email), { id, emailVerified: Date })
  }
  await app.auth.close()
  t.notOk(app.mailbox.mails.some(({ to, subject }) => to === ada && subject.includes('changed')))
})

t.test('a user without an address gets the first one with the code alone', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = app.newBrowser()
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), { sub: 'grace', name: 'Grace' })
  t.match((await browser.open(emailPath)).body, 'No email address')
  await changeEmail(app, browser, grace)
  t.ok((await findUser(app, grace))?.emailVerified)
})

t.test('the pages respond with JSON', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  const page = await browser.json(emailPath)
  const unchanged = { email: ada, isVerified: true, pending: null, waiting: null }
  t.match(page, { screen: 'account/email', props: unchanged, csrfToken: String })
  t.match(await browser.json(accountPath), { props: { emailChange: null } })
  await askForEmail(browser, grace)
  t.match(await browser.json(`${emailPath}/confirm`), { screen: 'account/email-confirm', props: { email: grace } })
  await proveEmail(app, browser, grace)
  const at = new Date(app.clock.now() + 7 * day * 1000).toISOString()
  const waiting = { email: grace, at, cancelAction: `${emailPath}/cancel`, factorUrl: null, approveAction: null }
  t.match(await browser.json(emailPath), { props: { pending: null, waiting } })
  t.match(await browser.json(accountPath), { props: { emailChange: waiting } })
  const shown = await app.newBrowser().json(getDecisionUrl(app).replace(origin, ''))
  t.match(shown, { screen: 'account/email-agree', props: { email: grace, at, token: String }, csrfToken: String })
  const id = await getId(app, ada)
  t.match(await app.auth.exportUser(id), { features: { account: { emailChange: { email: grace, at } } } })
  const decided = await decide(app.newBrowser(), getDecisionUrl(app), 'cancel')
  t.match(decided.body, '<title>Change of your email address</title>')
  t.match(await browser.json(`${emailPath}/change?token=x`), { props: { reason: 'gone' } })
})

t.test('the section can be hidden', async (t) => {
  const app = await openAccountApplication(t, 'database', { accountPages: { hidden: ['account/email'] } })
  const browser = await createUser(app)
  t.equal((await browser.open(emailPath)).status, 404, 'its page does not exist')
  t.equal(await app.auth.features.account.changeDueEmails(), 0)
})
