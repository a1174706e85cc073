import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  ada,
  addPasskey,
  base,
  change,
  comeBack,
  createUser,
  findUser,
  first,
  getNotice,
  openAccountApplication,
  openLink,
  origin,
  second,
  signIn,
  strategies
} from './account-application.ts'
import {
  askForEmail,
  changeEmail,
  emailPath,
  getEmail,
  getId,
  getMail,
  getUndoUrl,
  grace,
  isSignedIn,
  undo
} from './email-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { enroll } from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the address is changed with the mailed link, and both addresses are notified`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const id = await getId(app, ada)
    const page = await browser.open(emailPath)
    t.match(page.body, ada)
    const asked = await browser.fill(page, emailPath, { email: ' Grace@Example.com ' })
    t.equal(asked.location, `${origin}${emailPath}/confirm`)
    t.match((await browser.follow(asked)).body, grace)
    t.match((await browser.open(emailPath)).body, grace, 'the section names the address that waits')
    t.equal(await getEmail(app, id), ada, 'nothing has changed')
    const opened = await browser.open(getMail(app, grace).url)
    t.equal(opened.status, 200)
    t.equal(await getEmail(app, id), ada, 'a GET changes nothing')
    const confirmed = await browser.fill(opened, `${emailPath}/confirm`)
    t.equal(getNotice(await browser.follow(confirmed)), 'Your email address has been changed.')
    t.match(await findUser(app, grace), { id, email: grace, emailVerified: new Date(app.clock.now()) })
    await app.auth.close()
    t.match(getMail(app, ada, /has been changed/).url, `${emailPath}/undo?token=`)
    t.notMatch(
      getMail(app, ada, /has been changed/).text,
      grace,
      'the mailbox that was left does not learn the new one'
    )
    t.match(getMail(app, grace, /is your email address/).text, app.clock.now() ? /UTC/ : '')
    const [event] = (await app.adapter.listEvents?.({ userId: id, limit: 1 })) ?? []
    t.equal(event?.type, 'email-changed')
  })

  test(`${strategy}: the typed code confirms the address`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const id = await getId(app, ada)
    const page = await browser.follow(await askForEmail(browser, grace))
    const wrong = await browser.fill(page, `${emailPath}/confirm`, { code: 'BBBB-BBBB' })
    t.equal(wrong.status, 400)
    t.equal(wrong.html().querySelector('#code')?.getAttribute('aria-invalid'), 'true')
    const { code } = getMail(app, grace)
    await browser.fill(wrong, `${emailPath}/confirm`, { code: code.toLowerCase() })
    t.equal(await getEmail(app, id), grace)
  })

  test(`${strategy}: the owner undoes a change with the password from before it`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const id = await getId(app, ada)
    await changeEmail(app, browser, grace)
    const url = getUndoUrl(app)
    const owner = app.newBrowser()
    const page = await owner.open(url)
    t.match(page.body, ada)
    t.equal(await getEmail(app, id), grace, 'a GET changes nothing')
    const undone = await owner.fill(page, `${emailPath}/undo`, { password: first })
    t.equal(undone.status, 200)
    t.match(undone.html().querySelector('h1')?.text, 'undone')
    t.match(await findUser(app, ada), { id, emailVerified: Date })
    t.equal(await findUser(app, grace), null)
    t.notOk(await isSignedIn(owner), 'an undo signs nobody in')
    t.notOk(await isSignedIn(browser), 'all sessions have ended')
    await app.auth.close()
    for (const address of [ada, grace]) t.match(getMail(app, address, /was undone/).text, 'UTC')
    const types = ((await app.adapter.listEvents?.({ userId: id, limit: 9 })) ?? []).map(({ type }) => type)
    t.ok(types.includes('email-undone'))
  })
}

t.test('an unconfirmed address is confirmed in the session, without a notice and an undo', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  const id = await getId(app, ada)
  await app.adapter.updateUser?.({ id, emailVerified: null })
  t.match((await browser.open(`${base}/account`)).body, 'not confirmed yet')
  const page = await browser.open(emailPath)
  t.equal(page.html().querySelector('#email')?.getAttribute('value'), ada)
  await browser.fill(page, emailPath)
  const confirmed = await openLink(browser, getMail(app, ada, /Confirm your new/))
  t.equal(getNotice(await browser.follow(confirmed)), 'Your email address has been confirmed.')
  t.ok((await app.adapter.getUser?.(id))?.emailVerified)
  await app.auth.close()
  t.notOk(app.mailbox.mails.some(({ subject }) => subject.includes('has been changed')))
})

t.test('a user without an address gets the first one', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = app.newBrowser()
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), { sub: 'grace', name: 'Grace' })
  t.match((await browser.open(emailPath)).body, 'No email address')
  await changeEmail(app, browser, grace)
  t.ok((await findUser(app, grace))?.emailVerified)
})

t.test('a change asks for the second factor of the user, and is then final', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  const id = await getId(app, ada)
  const { app: authenticator } = await enroll(app, browser)
  const refused = await askForEmail(browser, grace)
  t.match(refused.location, /\/verify\?.*amr=mfa/)
  t.equal((await browser.open(emailPath)).html().querySelector('#email'), null)
  app.clock.advance(7 * 86_400)
  const again = app.newBrowser()
  await signIn(again, ada, first)
  await again.submit(`${base}/verify/factor`, { code: authenticator.code() })
  await changeEmail(app, again, grace)
  t.equal(await getEmail(app, id), grace)
  t.ok((await app.adapter.listFactors?.(id, 'factors-totp'))?.length, 'proving an address ends no factor')
  await app.auth.close()
  t.same(getMail(app, ada, /has been changed/).links, [], 'no undo is offered')
})

t.test('a change of a user who has the mailbox alone cannot be undone', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = app.newBrowser()
  await browser.submit(`${base}/signin/email`, { email: ada })
  await browser.open(app.mailbox.last().url)
  await changeEmail(app, browser, grace)
  t.ok(await findUser(app, grace))
  await app.auth.close()
  t.same(getMail(app, ada, /has been changed/).links, [])
})

t.test('an account from before the change undoes it, one from after it does not', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }), {
    sub: 'ada',
    name: 'Ada',
    email: ada
  })
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  const owner = app.newBrowser()
  await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, {}), { sub: 'ada', name: 'Ada', email: ada })
  app.clock.advance(601)
  const stale = await owner.open(url)
  t.ok(stale.html().querySelector('a.button[href*="/signin?"]'), 'a session that is not recent has to be confirmed')
  t.equal((await undo(owner, url)).status, 403)
  const fresh = app.newBrowser()
  await comeBack(app, fresh, await fresh.submit(`${base}/signin/acme`, {}), { sub: 'ada', name: 'Ada', email: ada })
  t.equal((await fresh.open(url)).html().querySelector('#password'), null, 'the session is enough')
  t.equal((await undo(fresh, url)).status, 200)
  t.ok(await findUser(app, ada))
})

t.test('a passkey from before the change undoes it, and one that was added since does not', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  const id = await getId(app, ada)
  const own = createAuthenticator({ origin })
  await addPasskey(browser, own)
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  app.clock.advance(1)
  const added = createAuthenticator({ origin })
  await addPasskey(browser, added)
  for (const [authenticator, status] of [
    [added, 403],
    [own, 200]
  ] as const) {
    const session = app.newBrowser()
    await signInWithPasskey(session, authenticator)
    t.ok(await isSignedIn(session))
    t.equal((await undo(session, url)).status, status)
  }
  t.match(await app.adapter.listFactors?.(id, 'passkey'), { length: 1 }, 'the undo removes the other one')
  t.ok(await findUser(app, ada))
})

t.test('an undo removes what was added since the change, and restores what was removed', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  const id = await getId(app, ada)
  const own = createAuthenticator({ origin })
  await addPasskey(browser, own)
  const [passkey] = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
  await changeEmail(app, browser, grace)
  const url = getUndoUrl(app)
  // A thief in the session of the user.
  await app.adapter.deleteFactor?.({ type: 'passkey', id: passkey?.id ?? '' })
  app.clock.advance(1)
  await addPasskey(browser, createAuthenticator({ origin }))
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }), {
    sub: 'mallory',
    name: 'Mallory',
    email: 'mallory@example.com'
  })
  await change(browser, { password: second })
  t.equal((await app.adapter.getAccounts?.(id))?.length, 1)
  t.equal((await undo(app.newBrowser(), url, { password: first })).status, 200)
  const factors = (await app.adapter.listFactors?.(id)) ?? []
  t.same(factors.map(({ type }) => type).toSorted(), ['passkey', 'password'])
  t.match(
    factors.find(({ type }) => type === 'passkey'),
    { id: passkey?.id, createdAt: passkey?.createdAt }
  )
  t.same(await app.adapter.getAccounts?.(id), [])
  const again = app.newBrowser()
  await signIn(again, ada, second)
  t.notOk(await isSignedIn(again), 'the password of the thief')
  await signIn(again, ada, first)
  t.ok(await isSignedIn(again))
})

t.test('the pages respond with JSON', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = await createUser(app)
  const headers = { accept: 'application/json' }
  const page = JSON.parse((await browser.open(emailPath, { headers })).body)
  t.match(page, { screen: 'account/email', props: { email: ada, isVerified: true, pending: null }, csrfToken: String })
  await askForEmail(browser, grace)
  const confirm = JSON.parse((await browser.open(`${emailPath}/confirm`, { headers })).body)
  t.match(confirm, { screen: 'account/email-confirm', props: { email: grace, token: null } })
  const other = JSON.parse((await app.newBrowser().open(`${emailPath}/confirm`, { headers })).body)
  t.match(other, { screen: 'account/email-link', props: { reason: 'elsewhere' } })
  const gone = JSON.parse((await browser.open(`${emailPath}/undo?token=x`, { headers })).body)
  t.match(gone, { screen: 'account/email-link', props: { reason: 'gone' } })
})

t.test('the section can be hidden', async (t) => {
  const app = await openAccountApplication(t, 'database', { accountPages: { hidden: ['account/email'] } })
  const browser = await createUser(app)
  t.equal((await browser.open(emailPath)).status, 404, 'its page does not exist')
})
