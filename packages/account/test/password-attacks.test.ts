import type { Browser } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import {
  ada,
  base,
  canSignIn,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  openApplication,
  openLink,
  origin,
  second,
  signInByMail,
  signUp,
  strategies
} from './password-application.ts'

/** In `npm test` a test, or a case of it, has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

t.test('pre-hijack: the owner who opens the link of an attacker chooses a password', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy)
    const [attacker, owner] = [app.newBrowser(), app.newBrowser()]
    await signUp(attacker, ada, first)
    const page = await owner.open(app.mailbox.last().url)
    t.ok(page.html().querySelector('input[name=password][autocomplete=new-password]'))
    t.equal(page.html().querySelector('input[autocomplete=username]')?.getAttribute('value'), ada)
    const short = await owner.fill(page, 'form', { password: 'short' })
    t.equal(short.status, 400)
    t.match(short.body, 'Use at least 15 characters')
    t.equal(await findUser(app, ada), null, 'a password that is refused creates nobody')
    await owner.fill(short, 'form', { password: second })
    t.equal(await getAddress(owner), ada)
    t.notOk(await canSignIn(attacker, ada, first))
    t.ok(await canSignIn(app.newBrowser(), ada, second))
  }
})

t.test(
  'pre-hijack: the password of a sign-up is discarded if the address is that of a verified user by then',
  async (t) => {
    for (const isVerified of [true, false])
      for (const strategy of someStrategies()) {
        const app = await openApplication(t, strategy)
        const browser = app.newBrowser()
        await signUp(browser, ada, first)
        const { url } = app.mailbox.last()
        const emailVerified = isVerified ? new Date(app.clock.now()) : null
        await app.adapter.createUser?.({ id: '1', name: 'Ada', email: ada, emailVerified })
        const user = await findUser(app, ada)
        const other = app.newBrowser()
        t.match((await other.open(url)).body, isVerified ? 'is not used' : 'Choose a password')
        await openLink(browser, { url })
        t.equal(await getAddress(browser), ada)
        t.ok((await findUser(app, ada))?.emailVerified)
        t.equal((await findUser(app, ada))?.id, user?.id)
        // Nobody has proven the address before: what is in this browser is the owner's.
        t.equal(await app.auth.features.password.has(user?.id ?? ''), !isVerified)
        app.clock.advance(60)
        t.equal(await canSignIn(app.newBrowser(), ada, first), !isVerified)
      }
  }
)

t.test(
  'pre-hijack: the code too discards the password if the address is that of a verified user by then',
  async (t) => {
    for (const strategy of someStrategies()) {
      const app = await openApplication(t, strategy)
      const browser = app.newBrowser()
      const page = await browser.follow(await signUp(browser, ada, first))
      const { code } = app.mailbox.last()
      const owner = app.newBrowser()
      await signInByMail(owner, ada, app.mailbox)
      await browser.fill(await browser.fill(page, 'form', { code }), 'form')
      t.equal(await getAddress(browser), ada)
      t.notOk(await canSignIn(app.newBrowser(), ada, first))
    }
  }
)

t.test('a user with an unverified address cannot set a password, and gets a link that verifies it', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app, ada)
  const user = await findUser(app, ada)
  await app.adapter.updateUser?.({ id: user?.id ?? '', emailVerified: null })
  await app.adapter.deleteFactor?.({ type: 'password', id: user?.id ?? '' })
  t.equal((await browser.open(`${base}/password`)).status, 403)
  t.equal((await browser.submit(`${base}/password`, { password: second })).status, 403)
  t.equal(await app.auth.features.password.has(user?.id ?? ''), false)
  const other = app.newBrowser()
  await forget(other, ada)
  t.match(app.mailbox.last().text, 'not verified yet')
  await openLink(other, app.mailbox.last())
  t.equal(await getAddress(other), ada)
  t.ok((await findUser(app, ada))?.emailVerified)
})

t.test('the link of a reset is used by its form only, and once', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  await forget(app.newBrowser(), ada)
  const { url } = app.mailbox.last()
  const scanner = app.newBrowser()
  for (let count = 0; count < 3; count++) t.equal((await scanner.open(url)).status, 200)
  await scanner.request('HEAD', url)
  t.equal(await getAddress(browser), ada, 'GET and HEAD change nothing')
  const page = await scanner.open(url)
  t.match(page.headers, { 'cache-control': /no-store/, 'referrer-policy': /^(no-referrer|strict-origin)$/ })
  t.equal(page.html().querySelector('input[autocomplete=username]')?.getAttribute('value'), ada)
  const refused = await scanner.fill(page, 'form', { password: 'short' })
  t.equal(refused.status, 400)
  t.match((await scanner.fill(refused, 'form', { password: second })).location, /changed/)
  const token = new URL(url).searchParams.get('token') ?? ''
  t.match((await scanner.submit(`${base}/password/reset`, { token, password: first })).body, 'Already done')
  t.equal(await getAddress(browser), null)
  t.ok(await canSignIn(browser, ada, second))
})

t.test('links have the origin of the configuration', async (t) => {
  const app = await openApplication(t, 'database')
  for (const headers of [{ host: 'evil.test' }, { 'x-forwarded-host': 'evil.test' }, { forwarded: 'host=evil.test' }]) {
    const browser = app.newBrowser()
    await browser.submit(`${base}/password/forgot`, { email: ada }, { headers })
    await browser.submit(`${base}/password/sign-up`, { email: ada, password: first }, { headers })
  }
  t.ok(app.mailbox.mails.length > 0)
  for (const { text, html } of app.mailbox.mails) t.notMatch(text + html, 'evil.test')
  for (const { url } of app.mailbox.mails) t.equal(new URL(url).origin, origin)
})

t.test('five codes are verified, and only in the browser that has signed up', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = app.newBrowser()
  await signUp(browser, ada, first)
  const { code } = app.mailbox.last()
  const enter = (from: Browser, typed: string) => from.submit(`${base}/callback/password-sign-up`, { code: typed })
  t.match((await enter(app.newBrowser(), code)).body, 'no longer works')
  for (let count = 0; count < 5; count++) t.match((await enter(browser, 'BBBBBBBB')).body, 'code is wrong')
  t.match((await enter(browser, code)).body, 'no longer works', 'the sixth code is not verified')
  t.equal(await getAddress(browser), null)
  await signUp(browser, ada, first)
  await enter(browser, app.mailbox.last().code)
  t.equal(await getAddress(browser), ada)
  t.match((await enter(browser, app.mailbox.last().code)).body, 'no longer works', 'a code is used once')
})

t.test('one token is of no use where another is expected', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  await forget(app.newBrowser(), ada)
  const resetToken = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
  await signUp(app.newBrowser(), 'grace@example.com', first)
  const signUpToken = new URL(app.mailbox.last().url).searchParams.get('token') ?? ''
  const browser = app.newBrowser()
  const asSignUp = await browser.submit(`${base}/callback/password-sign-up`, { token: resetToken })
  t.equal(asSignUp.status, 400)
  const asReset = await browser.submit(`${base}/password/reset`, { token: signUpToken, password: second })
  t.equal(asReset.status, 400)
  t.equal(await getAddress(browser), null)
})

t.test('the name of the site is no password', async (t) => {
  const app = await openApplication(t, 'database', { theme: { name: 'My Little Bookshop' } })
  const refused = await signUp(app.newBrowser(), ada, 'my little bookshop')
  t.match({ status: refused.status, body: refused.body }, { status: 400, body: 'the name of the site' })
  t.equal(app.mailbox.mails.length, 0)
})

t.test('the queue of hashes overflows with 503, and recovers', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  const browsers = Array.from({ length: 120 }, () => app.newBrowser())
  const tokens = await Promise.all(browsers.map((browser) => browser.json<{ csrfToken: string }>(`${base}/csrf`)))
  const responses = await Promise.all(
    browsers.map((browser, index) =>
      browser.submit(`${base}/callback/password`, { email: ada, password: first, ...tokens[index] })
    )
  )
  const refused = responses.filter(({ status }) => status === 503)
  t.ok(refused.length > 0, 'some are refused')
  t.ok(refused.length < responses.length, 'others are signed in')
  for (const { headers } of refused) t.match(headers['retry-after'], /^\d+$/)
  t.ok(await canSignIn(app.newBrowser(), ada, first))
})
