import t from 'tap'
import {
  ada,
  base,
  canSignIn,
  change,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  getCookies,
  openApplication,
  openLink,
  origin,
  second,
  signIn,
  signUp,
  strategies
} from './password-application.ts'

for (const strategy of strategies) {
  t.test(`${strategy}: sign up, sign out, sign in, forget, reset, change`, async (t) => {
    const app = await openApplication(t, strategy)
    const { newBrowser, mailbox } = app
    const browser = newBrowser()
    const signInPage = await browser.open(`${base}/signin`)
    const links = signInPage.html().querySelectorAll('.links a')
    t.same(
      links.map((link) => [link.text, link.getAttribute('href')]),
      [
        ['Create account', `${base}/password/sign-up`],
        ['Forgot password?', `${base}/password/forgot`]
      ]
    )
    const sent = await signUp(browser, ada, first)
    t.equal(sent.location, `${origin}${base}/password/check-mail`)
    t.match((await browser.follow(sent)).body, ada)
    t.equal(await findUser(app, ada), null, 'a sign-up writes no user')
    t.notOk(await canSignIn(newBrowser(), ada, first), 'the password does not work yet')
    t.equal(mailbox.mails.length, 1)
    const confirmation = await browser.open(mailbox.last().url)
    t.equal(confirmation.status, 200)
    t.equal(await findUser(app, ada), null, 'GET creates no user')
    await browser.fill(confirmation, 'form')
    t.equal(await getAddress(browser), ada)
    t.ok((await findUser(app, ada))?.emailVerified)

    await browser.fill(await browser.open(`${base}/signout`), `${base}/signout`)
    t.equal(await getAddress(browser), null)
    const wrong = await signIn(browser, ada, second)
    t.match(wrong.location, /CredentialsSignin/)
    t.equal(await getAddress(browser), null)
    t.ok(await canSignIn(browser, ada, first))

    const forgetful = newBrowser()
    await forget(forgetful, ada)
    const reset = await openLink(forgetful, mailbox.last(), { password: second })
    t.equal(reset.location, `${origin}${base}/password/changed`)
    t.match((await forgetful.follow(reset)).body, 'Your password was changed')
    t.equal(await getAddress(forgetful), null, 'a reset signs nobody in')
    t.equal(await getAddress(browser), null, 'a reset ends all sessions')
    t.match(mailbox.last().subject, 'was changed')
    t.notOk(await canSignIn(browser, ada, first))
    t.ok(await canSignIn(browser, ada, second))

    const other = newBrowser()
    t.ok(await canSignIn(other, ada, second))
    app.clock.advance(601)
    const changed = await change(browser, { currentPassword: second, password: first })
    t.equal(changed.location, `${origin}${base}/password/changed`)
    t.equal(await getAddress(browser), ada)
    t.equal(await getAddress(other), null, 'a change ends the other sessions')
    t.notOk(await canSignIn(other, ada, second))
    t.ok(await canSignIn(other, ada, first))
  })

  t.test(`${strategy}: the code is entered in the browser that has signed up`, async (t) => {
    const { newBrowser, mailbox } = await openApplication(t, strategy)
    const browser = newBrowser()
    const page = await browser.follow(await signUp(browser, ada, first))
    const wrong = await browser.fill(page, 'form', { code: 'BBBB-BBBB' })
    t.equal(wrong.status, 400)
    t.match(wrong.body, 'This code is wrong')
    await browser.fill(wrong, 'form', { code: mailbox.last().code.toLowerCase() })
    t.equal(await getAddress(browser), ada)
    t.ok(await canSignIn(newBrowser(), ada, first))
  })
}

for (const strategy of strategies) {
  t.test(`${strategy}: a session knows that its user entered a password`, async (t) => {
    const app = await openApplication(t, strategy)
    const browser = await createUser(app)
    const getAuthentication = async () =>
      (await app.auth.readSession({ origin, cookies: getCookies(browser) })).getAuthentication()
    t.same((await getAuthentication())?.amr, [], 'a mailed link is no password')
    await signIn(browser, ada, first)
    t.match(await getAuthentication(), { amr: ['pwd'], provider: { id: 'password' } })
  })
}
