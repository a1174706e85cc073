import { memoryAdapter } from '@postern/adapters/memory'
import { type Browser, type BrowserResponse, createMailbox, type Mailbox } from '@postern/testkit'
import { inTurn, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  type AccountApplication,
  type AccountApplicationOptions,
  accountPath,
  ada,
  addPasskey,
  base,
  comeBack,
  createLimiter,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  getNotice,
  openAccountApplication,
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
  day,
  decide,
  emailPath,
  getDecisionUrl,
  getEmail,
  getId,
  getMail,
  grace,
  isSignedIn,
  mallory,
  openSession,
  proveEmail,
  reset,
  settle,
  third,
  waitingSubject
} from './email-application.ts'
import { openBeside } from './grace-period-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { enroll } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'

const open = async (test: Test, options?: AccountApplicationOptions) => {
  const app = await openAccountApplication(test, 'database', options)
  const browser = await createUser(app)
  return { app, browser, id: await getId(app, ada) }
}

/** What a client can see of a response, apart from what is random in each. */
const describe = (response: Awaited<ReturnType<Browser['open']>>) => ({
  status: response.status,
  location: response.location,
  body: response.body.replaceAll(/value="[^"]{40,}"|[\w.+-]+@example\.com/g, ''),
  cookies: Object.keys(response.headers).toSorted()
})

const someStrategies = inTurn(strategies)

/** What a thief, who is signed in as Ada, sees and does. */
interface Attack {
  readonly app: AccountApplication
  readonly id: string
  /** The session of the thief. */
  readonly thief: Browser
  /** Another session, of the owner. */
  readonly owner: Browser
}

/** What happens between the acts of the thief, and the address of the user 8 days later. */
interface Event {
  readonly act: (attack: Attack) => Promise<unknown>
  /** After the code was mailed, and after it was typed. */
  readonly asked: string | null
  readonly proven: string | null
  /** Whether the owner learns that the address was not changed. */
  readonly isExplained?: boolean
}

/** A wish of the owner, with a mailbox of theirs. */
const wish = 'countess@example.com'

const events: Readonly<Record<string, Event>> = {
  nothing: { act: async () => undefined, asked: mallory, proven: mallory },
  'the owner cancels with the link': {
    act: ({ app }) => decide(app.newBrowser(), getDecisionUrl(app), 'cancel'),
    ...{ asked: null, proven: ada }
  },
  'the owner cancels in a session': {
    act: ({ owner }) => owner.submit(`${emailPath}/cancel`, {}),
    ...{ asked: mallory, proven: ada }
  },
  'the owner resets the password': { act: ({ app }) => reset(app, ada, second), asked: ada, proven: ada },
  'the owner changes the address': {
    act: ({ app, owner }) => changeEmail(app, owner, wish),
    asked: wish,
    proven: wish
  },
  'the owner asks for another address': {
    act: ({ app, owner }) => proveEmail(app, owner, wish),
    // The later proof counts, in whichever session: the owner learns of it, and cancels it.
    ...{ asked: mallory, proven: wish }
  },
  'the owner signs out everywhere': {
    act: ({ app, id }) => app.auth.sessions.revokeAll(id),
    asked: ada,
    proven: mallory
  },
  'the user is suspended and resumed': {
    act: async ({ app, id }) => {
      await app.auth.users.suspend(id)
      await app.auth.users.resume(id)
    },
    ...{ asked: ada, proven: ada }
  },
  'the application changes the address': {
    act: async ({ app, id }) => app.adapter.updateUser?.({ id, email: wish }),
    ...{ asked: wish, proven: wish }
  },
  'the owner of an unverified address takes over the user': {
    act: async ({ app, id }) => {
      await app.adapter.updateUser?.({ id, emailVerified: null })
      await signInByMail(app.newBrowser(), ada, app.mailbox)
    },
    ...{ asked: ada, proven: ada }
  },
  'somebody else gets the address': {
    act: async ({ app }) => app.adapter.createUser?.({ name: null, email: mallory, emailVerified: null } as never),
    ...{ asked: ada, proven: ada, isExplained: true }
  },
  'the user is deleted': { act: ({ app, id }) => app.auth.deleteUser(id), asked: 'nobody', proven: 'nobody' }
}

for (const [name, { act, asked, proven, isExplained = false }] of Object.entries(events))
  t.test(`the thief of a session or of a password asks for an address, and ${name}`, async (t) => {
    for (const strategy of someStrategies())
      for (const [place, expected] of [
        ['asked', asked],
        ['proven', proven]
      ] as const) {
        if (expected === null) continue
        const app = await openAccountApplication(t, strategy)
        const owner = await createUser(app)
        const id = await getId(app, ada)
        const thief = await openSession(app)
        const attack = { app, id, thief, owner }
        await askForEmail(thief, mallory)
        const { code } = getMail(app, mallory)
        if (place === 'asked') await act(attack)
        await thief.submit(`${emailPath}/confirm`, { code })
        if (place === 'proven') await act(attack)
        if (place === 'proven' && expected !== 'nobody')
          t.ok(getMail(app, ada, waitingSubject), 'the owner was notified')
        if (expected === ada || expected === mallory) t.equal(await getEmail(app, id), ada, 'nothing changes at once')
        app.clock.advance(8 * day)
        await app.auth.features.account.changeDueEmails()
        t.equal((await getEmail(app, id)) ?? 'nobody', expected, place)
        if (expected === mallory) t.notOk(await isSignedIn(thief), 'the session of the thief has ended, too')
        if (!isExplained || place === 'asked') continue
        await settle(() => app.mailbox.mails.some(({ subject }) => /has not been changed/.test(subject)))
        t.equal(getMail(app, ada, /has not been changed/).to, ada)
      }
  })

t.test('who reads the old mailbox, the new one or both, without a session, changes nothing', async (t) => {
  const { app, browser, id } = await open(t)
  const other = await openSession(app)
  await askForEmail(browser, grace)
  const { code } = getMail(app, grace)
  for (const reader of [app.newBrowser(), other, await createUser(app, mallory, second)]) {
    t.not((await reader.submit(`${emailPath}/confirm`, { code })).status, 200)
  }
  t.notOk(
    app.mailbox.mails.some(({ subject }) => waitingSubject.test(subject)),
    'the code works in its session alone'
  )
  await browser.submit(`${emailPath}/confirm`, { code })
  const url = getDecisionUrl(app)
  const forgery = url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A')
  for (const path of [forgery, url.slice(0, -1), `${url}x`, `${origin}${emailPath}/change`])
    t.equal((await app.newBrowser().open(path)).status, 400)
  for (const decision of ['confirm', 'cancel'] as const)
    t.equal((await decide(app.newBrowser(), forgery, decision)).status, 400, 'the ticket, with another token')
  t.equal((await decide(app.newBrowser(), `${origin}/?token=${'A'.repeat(86)}`, 'confirm')).status, 400)
  const forged = { token: new URL(url).searchParams.get('token') ?? '', decision: 'confirm', csrfToken: 'forged' }
  await app.newBrowser().submit(`${emailPath}/change`, forged)
  t.equal(await getEmail(app, id), ada)
  app.clock.advance(1)
  const thief = await openSession(app)
  await decide(thief, url, 'confirm')
  t.equal(await getEmail(app, id), grace, 'with the link, the owner agrees')
})

t.test('five codes may be typed for an hour, and the newest one alone counts', async (t) => {
  const { app, browser, id } = await open(t)
  const type = (code: string): Promise<BrowserResponse> => browser.submit(`${emailPath}/confirm`, { code })
  await askForEmail(browser, grace)
  for (let count = 0; count < 5; count++) t.equal((await type('BBBBBBBB')).status, 400)
  const sixth = await type(getMail(app, grace).code)
  t.match({ status: sixth.status, body: sixth.body }, { status: 400, body: 'Too many wrong codes' })
  t.equal(
    sixth.html().querySelector('input[name=email]')?.getAttribute('value'),
    grace,
    'the address can be sent again'
  )
  t.notMatch(sixth.body, /aria-invalid|link no longer works/)
  t.match((await type('BBBBBBBB')).body, 'The code from the email is wrong or has expired.')
  await askForEmail(browser, grace)
  const { code } = getMail(app, grace)
  await askForEmail(browser, grace)
  t.equal((await type(code)).status, 400, 'it was replaced')
  app.clock.advance(3601)
  t.equal((await type(getMail(app, grace).code)).status, 400, 'it has expired')
  t.notOk(app.mailbox.mails.some(({ subject }) => waitingSubject.test(subject)))
  t.equal(await getEmail(app, id), ada)
})

t.test('a session that is not recent, and a form without the CSRF token, change nothing', async (t) => {
  const { app, browser, id } = await open(t)
  const plain = (path: string, fields: Record<string, string>) =>
    browser.submit(path, { csrfToken: 'forged', ...fields })
  await plain(emailPath, { email: grace })
  t.notOk(app.mailbox.mails.some(({ to }) => to === grace))
  await askForEmail(browser, grace)
  const { code } = getMail(app, grace)
  await plain(`${emailPath}/confirm`, { code })
  t.notOk(app.mailbox.mails.some(({ subject }) => waitingSubject.test(subject)))
  await browser.submit(`${emailPath}/confirm`, { code })
  await plain(`${emailPath}/cancel`, {})
  t.match((await browser.open(emailPath)).body, 'changes to')
  app.clock.advance(601)
  t.match((await askForEmail(browser, 'other@example.com')).location, /\/verify\?/)
  t.match((await browser.submit(`${emailPath}/cancel`, {})).location, /done=emailCancelled/, 'any session cancels')
  t.equal(await getEmail(app, id), ada)
})

t.test('a mail server that refuses the mail to the owner leaves no change that nobody could cancel', async (t) => {
  const mailbox = createMailbox()
  let isDown = false
  const sendMail: Mailbox['sendMail'] = async (server, message) => {
    if (isDown) throw new Error('down')
    return mailbox.sendMail(server, message)
  }
  const app = { ...(await openAccountApplication(t, 'database', { runtime: { sendMail } })), mailbox }
  const browser = await createUser(app)
  await askForEmail(browser, grace)
  const { code } = getMail(app, grace)
  isDown = true
  t.match((await browser.submit(`${emailPath}/confirm`, { code })).location, 'error=EmailSignin')
  t.match(await browser.json(emailPath), { props: { waiting: null, pending: grace } })
  isDown = false
  await browser.submit(`${emailPath}/confirm`, { code })
  t.match(await browser.json(emailPath), { props: { waiting: { email: grace } } }, 'the code can be typed again')
  t.ok(getDecisionUrl(app))
})

t.test('a passkey of one factor, and one without two-step verification, change nothing at once', async (t) => {
  for (const options of [{ secondFactor: null }, {}]) {
    const { app, browser: thief, id } = await open(t, options)
    const own = createAuthenticator({ origin })
    await addPasskey(thief, own)
    await proveEmail(app, thief, mallory)
    app.clock.advance(1)
    await signInWithPasskey(thief, own)
    t.match(await thief.json(emailPath), { props: { waiting: { approveAction: null } } })
    t.equal((await thief.submit(`${emailPath}/approve`, {})).status, 403)
    t.equal(await getEmail(app, id), ada)
  }
})

t.test('a change of another user is neither shown nor canceled, and its link is of no use to a session', async (t) => {
  const { app, browser, id } = await open(t)
  const other = await createUser(app, grace, second)
  await proveEmail(app, browser, `${third.replaceAll(' ', '')}@example.com`)
  t.match(await other.json(emailPath), { props: { waiting: null } })
  await other.submit(`${emailPath}/cancel`, {})
  t.equal((await other.submit(`${emailPath}/approve`, {})).status, 400)
  t.match(await browser.json(emailPath), { props: { waiting: { at: String } } })
  await decide(other, getDecisionUrl(app), 'confirm')
  t.not(await getEmail(app, id), ada)
  t.ok(await isSignedIn(other), 'the link of another user ends no session of this one')
})

t.test('codes that are typed at the same time count', async (t) => {
  const { app, browser, id } = await open(t)
  await askForEmail(browser, grace)
  const guesses = Array.from({ length: 12 }, (_, index) => `BCDFGHJ${'BCDFGHJKLMNP'[index]}`)
  const pages = await Promise.all(guesses.map((code) => copy(app, browser).submit(`${emailPath}/confirm`, { code })))
  t.equal(pages.filter(({ body }) => body.includes('This code is wrong')).length, 5)
  t.equal(await getEmail(app, id), ada)
})

t.test('a response does not say whether another user has an address', async (t) => {
  const { app, browser, id } = await open(t)
  await createUser(app, grace, second)
  await app.adapter.createUser?.({ name: null, image: null, email: mallory, emailVerified: null } as never)
  const seen: unknown[] = []
  for (const address of ['nobody@example.com', grace, mallory]) {
    const asked = await askForEmail(browser, address)
    const shown = await browser.follow(asked)
    const wrong = await browser.submit(`${emailPath}/confirm`, { code: 'BBBBBBBB' })
    const more = []
    for (let count = 0; count < 5; count++)
      more.push(describe(await browser.submit(`${emailPath}/confirm`, { code: 'CCCCCCCC' })))
    seen.push([asked, shown, wrong].map(describe).concat(more))
  }
  t.same(seen[1], seen[0])
  t.same(seen[2], seen[0])
  t.match(getMail(app, grace).subject, 'has an account')
  t.same(getMail(app, grace).links, [], 'the owner gets no link')
  t.equal(await getEmail(app, id), ada)
})

t.test('an address that differs in case or in its Unicode form is the same address', async (t) => {
  const { app, browser } = await open(t)
  await createUser(app, grace, second)
  const sent = app.mailbox.mails.length
  for (const same of ['ADA@EXAMPLE.COM', ' ada@example.com\t', 'ａｄａ@example.com', 'ada@ｅxample.com'])
    t.equal((await askForEmail(browser, same)).status, 400, same)
  t.equal(app.mailbox.mails.length, sent, 'no mail')
  for (const taken of ['GRACE@example.com', 'ｇrace@example.com']) {
    await askForEmail(browser, taken)
    t.match(app.mailbox.last(), { to: grace, subject: /has an account/ }, taken)
  }
  for (const invalid of [
    '',
    'x',
    'a@b',
    'a b@example.com',
    '"a"@example.com',
    'a@example.com,b@example.com',
    'аda@example.com'
  ])
    t.equal((await askForEmail(browser, invalid)).status, 400, invalid)
})

t.test('a change ends the links for a new password, which do not come back with the address', async (t) => {
  const { app, browser } = await open(t)
  await forget(app.newBrowser(), ada)
  const reset = app.mailbox.last()
  await changeEmail(app, browser, grace)
  await changeEmail(app, browser, ada)
  t.ok(await findUser(app, ada))
  t.equal((await app.newBrowser().open(reset.url)).html().querySelector('form'), null)
})

t.test('what was mailed to the old address before the change leads to no user of the new one', async (t) => {
  const { app, browser, id } = await open(t)
  const thief = app.newBrowser()
  await thief.submit(`${base}/signin/email`, { email: ada })
  const signInUrl = app.mailbox.last().url
  await forget(thief, ada)
  const resetUrl = app.mailbox.last().url
  await signUp(thief, ada, second)
  const other = app.mailbox.last()
  await changeEmail(app, browser, grace)
  await thief.open(signInUrl)
  t.equal((await thief.open(resetUrl)).html().querySelector('form'), null)
  for (const url of other.links) await thief.open(url)
  t.not(await getId(app, ada), id)
  t.match(await app.adapter.getUser?.(id), { email: grace })
})

t.test('a trusted browser changes no address', async (t) => {
  const { app, browser, id } = await open(t)
  const { app: authenticator } = await enroll(app, browser)
  app.clock.advance(7 * 86_400)
  const trusted = app.newBrowser()
  await signIn(trusted, ada, first)
  await trusted.submit(`${base}/verify/factor`, { code: authenticator.code(), trust: 'yes' })
  await trusted.submit(`${base}/signout`, {})
  await signIn(trusted, ada, first)
  t.ok(await isSignedIn(trusted), 'without the second factor')
  t.match((await askForEmail(trusted, mallory)).location, /\/verify\?.*amr=mfa/)
  t.equal(await getEmail(app, id), ada)
})

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
