import { passkey } from '@postern/account/passkey'
import { createPostern } from '@postern/core'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import {
  ada,
  base,
  canSignIn,
  findUser,
  getAddress,
  getAuthentication,
  openApplication,
  origin,
  readOptions,
  strategies
} from './passkey-application.ts'
import {
  callback,
  confirm,
  getToken,
  openForSignUps,
  signUpPage,
  signUpWithPasskey
} from './passkey-sign-up-application.ts'
import { signInByMail } from './password-application.ts'
import { type CreationOptions, createAuthenticator } from './software-authenticator.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

t.test('without the option nobody signs up with a passkey', async (t) => {
  const { newBrowser } = await openApplication(t, 'database')
  const browser = newBrowser()
  t.equal((await browser.open(signUpPage)).status, 404)
  t.equal((await browser.open(`${callback}?token=${'a'.repeat(43)}`)).status, 404)
  t.notMatch((await browser.open(`${base}/signin`)).body, 'passkey/sign-up')
})

t.test('a sign-up writes no user; the link creates the verified user with the passkey', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openForSignUps(t, strategy)
    const [browser, authenticator] = [app.newBrowser(), createAuthenticator({ origin })]
    const signIn = await browser.open(`${base}/signin`)
    t.match(signIn.body, `<a class="link" href="${signUpPage}"><bdi>Create an account with a passkey</bdi></a>`)
    const sent = await signUpWithPasskey(browser, 'Ada@Example.com', authenticator)
    t.equal(sent.location, `${origin}${base}/passkey/check-mail`)
    t.match((await browser.follow(sent)).body, ada)
    t.equal(await findUser(app, ada), null)
    t.equal(await getAddress(browser), null)
    t.notOk(await canSignIn(app.newBrowser(), authenticator), 'the passkey is nobody’s yet')
    const mail = app.mailbox.last()
    t.match(mail, { to: ada, subject: 'Confirm your email address for app.test' })
    const page = await browser.open(mail.url)
    t.match(page.body, 'This creates your account with this address')
    t.equal(await findUser(app, ada), null, 'the page of the link changes nothing')
    const confirmed = await browser.fill(page, 'form')
    t.equal(confirmed.location, origin)
    t.equal(await getAddress(browser), ada)
    const user = await findUser(app, ada)
    t.ok(user?.emailVerified)
    t.match(await app.auth.features.passkey.list(user?.id ?? ''), [{ name: 'Passkey', lastUsedAt: null }])
    t.match(await getAuthentication(app, browser), { amr: [], provider: { id: 'passkey-sign-up' } })
    t.equal(app.mailbox.mails.length, 1, 'the sign-up sends one mail')
    const other = app.newBrowser()
    t.ok(await canSignIn(other, authenticator))
    t.match(await getAuthentication(app, other), { amr: ['swk', 'mfa'] })
    t.match((await browser.open(`${base}/passkeys`)).body, /Add a passkey/)
  }
})

t.test('the code does the same, in the browser that has signed up', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openForSignUps(t, strategy)
    const [browser, authenticator] = [app.newBrowser(), createAuthenticator({ origin })]
    const page = await browser.follow(await signUpWithPasskey(browser, ada, authenticator))
    const wrong = await browser.fill(page, 'form', { code: 'BBBB-BBBB' })
    t.match([wrong.status, wrong.body], [400, /This code is wrong/])
    await browser.fill(wrong, 'form', { code: app.mailbox.last().code.toLowerCase() })
    t.equal(await getAddress(browser), ada)
    t.ok(await canSignIn(app.newBrowser(), authenticator))
  }
})

t.test('in another browser the link creates a passkey there, and discards that of the sign-up', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openForSignUps(t, strategy)
    const [discarded, created] = [createAuthenticator({ origin }), createAuthenticator({ origin })]
    await signUpWithPasskey(app.newBrowser(), ada, discarded)
    const phone = app.newBrowser()
    const page = await phone.open(app.mailbox.last().url)
    t.match(page.body, 'This browser has not signed up')
    t.match(readOptions(page), { user: { name: ada, displayName: ada }, excludeCredentials: [] })
    const empty = await phone.fill(page, 'form')
    t.match([empty.status, empty.body], [400, /could not be added/])
    t.equal(await findUser(app, ada), null)
    const options = readOptions<CreationOptions>(empty)
    await phone.fill(empty, 'form', { credential: created.create(options) })
    t.equal(await getAddress(phone), ada)
    t.ok(await canSignIn(app.newBrowser(), created))
    t.notOk(await canSignIn(app.newBrowser(), discarded))
    t.equal((await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? '')).length, 1)
  }
})

t.test('who signs up for an address with a user gets a mail that says so, and signs in', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openForSignUps(t, strategy)
    await signInByMail(app.newBrowser(), ada, app.mailbox)
    const [browser, authenticator] = [app.newBrowser(), createAuthenticator({ origin })]
    await signUpWithPasskey(browser, ada, authenticator)
    const { subject, url, text } = app.mailbox.last()
    t.equal(subject, 'You already have an account at app.test')
    t.equal(url, `${origin}${base}/signin`)
    t.notMatch(text, /token=/)
    t.notOk(await canSignIn(app.newBrowser(), authenticator))
  }
})

t.test('an address that is none, and a form without a passkey, are explained beside the form', async (t) => {
  const app = await openForSignUps(t, 'database')
  const browser = app.newBrowser()
  const page = await browser.open(signUpPage)
  t.equal(page.status, 200)
  t.match(page.html().querySelector('noscript')?.text, 'Passkeys need JavaScript')
  const failures = page.html().querySelector('[data-passkey-failures]')?.getAttribute('data-passkey-failures')
  t.match(failures, 'No passkey was created')
  const credential = createAuthenticator({ origin }).create(readOptions<CreationOptions>(page))
  const wrong = await browser.fill(page, signUpPage, { email: 'nobody', credential })
  t.match([wrong.status, wrong.body], [400, /Enter an email address/])
  const field = wrong.html().querySelector('input[name=email]')
  t.match(field?.attrs, { value: 'nobody', 'aria-invalid': 'true', autocomplete: 'username', type: 'email' })
  const empty = await browser.fill(wrong, signUpPage, { email: ada })
  t.match([empty.status, empty.body], [400, /Passkeys need JavaScript/])
  t.equal(empty.html().querySelector('input[name=email]')?.getAttribute('value'), ada)
  t.same(app.mailbox.mails, [])
  const again = createAuthenticator({ origin }).create(readOptions<CreationOptions>(empty))
  t.match((await browser.fill(empty, signUpPage, { email: ada, credential: again })).location, /check-mail/)
})

t.test('clients that ask for JSON get the options, and where to go', async (t) => {
  const app = await openForSignUps(t, 'database')
  const [browser, authenticator] = [app.newBrowser(), createAuthenticator({ origin })]
  const { screen, props } = await browser.json<{ screen: string; props: { form: { options: CreationOptions } } }>(
    signUpPage
  )
  t.equal(screen, 'passkey/sign-up')
  const headers = { 'x-auth-return-redirect': '1' }
  const credential = authenticator.create(props.form.options)
  const sent = await browser.submit(signUpPage, { email: ada, credential }, { headers })
  t.match([sent.status, JSON.parse(sent.body)], [200, { url: `${origin}${base}/passkey/check-mail` }])
  const used = await browser.submit(signUpPage, { email: ada, credential }, { headers })
  t.match([used.status, JSON.parse(used.body)], [400, { screen: 'passkey/sign-up', props: { problem: 'expired' } }])
  app.mailbox.fail(new Error('no'))
  const { props: next } = await browser.json<{ props: { form: { options: CreationOptions } } }>(signUpPage)
  const fields = { email: 'grace@example.com', credential: authenticator.create(next.form.options) }
  const failed = await browser.submit(signUpPage, fields, { headers })
  t.match([failed.status, JSON.parse(failed.body)], [200, { url: /error=EmailSignin/ }])
  const { code } = app.mailbox.last()
  const confirmed = await browser.submit(callback, { code }, { headers })
  t.match([confirmed.status, JSON.parse(confirmed.body)], [200, { url: origin }])
  t.equal(await getAddress(browser), ada)
})

t.test('without a renderer the pages have the same forms', async (t) => {
  const app = await openForSignUps(t, 'database', { renderer: undefined })
  const browser = app.newBrowser()
  const page = await browser.open(signUpPage)
  t.match(page.body, 'Passkeys need JavaScript')
  const authenticator = createAuthenticator({ origin })
  const credential = authenticator.create(readOptions<CreationOptions>(page))
  const sent = await browser.follow(await browser.fill(page, signUpPage, { email: ada, credential }))
  await browser.fill(sent, 'form', { code: app.mailbox.last().code })
  t.equal(await getAddress(browser), ada)
  await signUpWithPasskey(app.newBrowser(), 'grace@example.com')
  const { url } = app.mailbox.last()
  const other = app.newBrowser()
  await confirm(other, url, authenticator)
  t.equal(await getAddress(other), 'grace@example.com')
  t.match((await browser.open(url)).body, 'Already done')
})

t.test('the pages are in the language of the visitor', async (t) => {
  const app = await openForSignUps(t, 'database')
  const browser = app.newBrowser()
  const headers = { 'accept-language': 'de' }
  t.match((await browser.open(`${base}/signin`, { headers })).body, '><bdi>Konto mit einem Passkey erstellen</bdi></a>')
  const page = await browser.open(signUpPage, { headers })
  t.match(page.html().querySelector('h1')?.text, 'Konto mit einem Passkey erstellen')
  const credential = createAuthenticator({ origin }).create(readOptions<CreationOptions>(page))
  await browser.fill(page, signUpPage, { email: ada, credential }, { headers })
  t.match(app.mailbox.last().subject, 'Bestätigen Sie Ihre')
})

t.test('sign-up requires a mail server', async (t) => {
  const settings = { url: origin, secret: 'a secret of the tests, 32 characters or more' }
  const { adapter } = await openApplication(t, 'database')
  t.throws(() => createPostern({ ...settings, adapter, providers: [passkey({ signUp: true })] }), /mail/)
  await createPostern({ ...settings, adapter, providers: [passkey()] }).close()
})

t.test('a sign-up lasts an hour', async (t) => {
  const app = await openForSignUps(t, 'database')
  const [browser, authenticator] = [app.newBrowser(), createAuthenticator({ origin })]
  await signUpWithPasskey(browser, ada, authenticator)
  const { url, code } = app.mailbox.last()
  app.clock.advance(3599)
  t.equal((await browser.open(url)).status, 200)
  app.clock.advance(2)
  const gone = await browser.open(url)
  t.match([gone.status, gone.body], [400, /This link no longer works/])
  t.equal((await browser.submit(callback, { token: getToken(url) })).status, 400)
  t.equal((await browser.submit(callback, { code })).status, 400)
  t.match((await browser.open(`${base}/passkey/check-mail`)).location, /passkey\/sign-up/)
  t.equal(await findUser(app, ada), null)
})
