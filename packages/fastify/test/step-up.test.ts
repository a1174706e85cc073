import type { OAuthConfig } from '@postern/core'

import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { requireSession } from '../src/index.ts'
import { idIn, mallory, signIn, startAccounts, strategies, vera, withId } from './attacks/setup.ts'
import { createTestGate } from './interruption-feature.ts'
import { cookieNames, origin, type StartOptions, signInByForm } from './start.ts'

const json = { accept: 'application/json' }
const html = { accept: 'text/html' }

/** An application with routes that require more than a session. */
async function startGuarded(t: Test, options: StartOptions & { readonly loose?: Partial<OAuthConfig> } = {}) {
  const started = await startAccounts(t, {
    linking: { freshWithin: false },
    before: (app) => {
      app.after(() => {
        app.get('/money', { onRequest: requireSession.with({ freshWithin: 300 }) }, async () => 'money')
        app.post('/money', { onRequest: requireSession.with({ freshWithin: 300 }) }, async () => 'spent')
        app.get('/vault', { onRequest: requireSession.with({ amr: ['mfa'] }) }, async () => 'vault')
        app.get('/gold', { onRequest: requireSession.with({ acr: ['gold', 'platinum'] }) }, async () => 'gold')
        app.get('/forms', async (_request, reply) => reply.type('text/html').send('<form method=post action=/money>'))
      })
    },
    ...options
  })
  const seconds = () => Math.floor(started.clock.now() / 1000)
  return { ...started, seconds }
}

const open = (browser: Browser, path: string, headers: Record<string, string> = html) =>
  browser.request('GET', path, { headers })

async function nameIn(browser: Browser): Promise<string | undefined> {
  return (await browser.json<{ user?: { name: string } }>('/api/auth/session')).user?.name
}

/** Opens a guarded page with an old session, up to the page that asks to authenticate again. */
async function openVerification(browser: Browser, path: string = '/money') {
  const refused = await open(browser, path)
  return open(browser, new URL(refused.location ?? '').pathname + new URL(refused.location ?? '').search)
}

for (const { value: strategy, test } of turnsOf(strategies, t)()) {
  const session = { strategy }

  test(`${strategy}: a browser authenticates again, and returns to the page`, async (t) => {
    const { browser, clock } = await startGuarded(t, { session })
    await signInByForm(browser, 'vera')
    const before = browser.cookies.get(cookieNames.sessionToken)
    t.equal((await open(browser, '/money')).status, 200, 'a new session')
    clock.advance(301)
    const page = await openVerification(browser)
    t.equal(page.status, 200)
    t.match(page.body, 'Confirm that it is you')
    t.match(page.body, 'vera')
    // A user of a form is only stored with database sessions.
    const isStored = strategy === 'database'
    t.equal(page.body.includes('Send a code to vera@example.com'), isStored, 'in place of a sign-in by email')
    t.notMatch(page.body, 'name="email"', 'a mailed link would be the sign-in of another user')
    t.equal(await nameIn(browser), 'vera', 'the session stays')
    const wrong = await browser.fill(page, 'form[action$="callback/credentials"]', {
      username: 'vera',
      password: 'wrong'
    })
    const again = await open(browser, new URL(wrong.location ?? '').pathname + new URL(wrong.location ?? '').search)
    t.match(again.body, 'Confirm that it is you', 'a wrong password is asked for again')
    const done = await browser.fill(again, 'form[action$="callback/credentials"]', {
      username: 'vera',
      password: 'lovelace'
    })
    t.equal(done.location, `${origin}/money`)
    t.equal((await open(browser, '/money')).body, 'money')
    t.not(browser.cookies.get(cookieNames.sessionToken), before, 'the session has a new token')
    t.equal(browser.cookies.get('__Secure-postern.step-up'), null, 'it is over')
  })

  test(`${strategy}: only the ways of the user are offered, and nobody signs up`, async (t) => {
    const started = await startGuarded(t, { session, linking: { signedIn: 'link', freshWithin: false } })
    const { browser, newBrowser, clock, seconds } = started
    const ways = ['signin/demo', 'signin/loose', 'callback/credentials'] as const
    const openWays = async (user: Browser) => {
      clock.advance(301)
      const { body } = await openVerification(user)
      return ways.filter((way) => body.includes(`action="/api/auth/${way}"`))
    }
    await signInByForm(browser, 'vera')
    t.same(await openWays(browser), ['callback/credentials'])
    const other = newBrowser()
    await signIn(started, other, { ...mallory, auth_time: seconds() })
    t.same(await openWays(other), ['signin/demo'])
    await signIn(started, other, { ...mallory, auth_time: seconds() })
    await signIn(started, other, mallory, { provider: 'loose', link: 'true' })
    t.same(await openWays(other), ['signin/demo', 'signin/loose'])
  })

  test(`${strategy}: after too many tries, the other ways of the user are there`, async (t) => {
    const { browser, clock } = await startGuarded(t, { session, rateLimit: undefined })
    await signInByForm(browser, 'vera')
    clock.advance(301)
    const page = await openVerification(browser)
    const guess = () =>
      browser.fill(page, 'form[action$="callback/credentials"]', { username: 'vera', password: 'wrong' })
    let limited = await guess()
    for (let count = 0; count < 20 && limited.status !== 429; count++) limited = await guess()
    t.equal(limited.status, 429)
    t.notMatch(limited.body, /callback\/credentials|signin\/demo/, 'neither the form nor the ways of others')
    // A user of a form is only stored, with an address, with database sessions.
    const isStored = strategy === 'database'
    t.match(limited.body, `<title>${isStored ? 'Error: Confirm that it is you' : 'Error'}</title>`)
    t.equal(limited.body.includes('Or sign in another way now.'), isStored)
    t.equal(limited.body.includes('Send a code to vera@example.com'), isStored)
  })

  test(`${strategy}: "Not now" leads back, and never to what asks again or to another site`, async (t) => {
    const { browser, clock } = await startGuarded(t, { session })
    await signInByForm(browser, 'vera')
    clock.advance(301)
    const verify = `/api/auth/verify?max_age=300&callbackUrl=${encodeURIComponent(`${origin}/money`)}`
    const findBack = async (path: string, referer?: string) => {
      const page = await open(browser, path, { ...html, ...(referer === undefined ? {} : { referer }) })
      const links = page
        .html()
        .querySelectorAll('a')
        .filter(({ text }) => text === 'Not now')
      return links.map((link) => link.getAttribute('href'))
    }
    t.same(await findBack(verify, `${origin}/start?page=2`), [`${origin}/start?page=2`])
    t.same(await findBack(verify), [origin], 'without a page of the account')
    for (const referer of ['https://evil.test/', `${origin}/money`, `${origin}/api/auth/signout`, 'not a URL'])
      t.same(await findBack(verify, referer), [origin], referer)
    t.same(await findBack(`${verify}&repeat=true`, `${origin}/start`), [`${origin}/money`], 'the page with the form')
    t.same(await findBack('/api/auth/verify', `${origin}/elsewhere`), [`${origin}/money`], 'on another step of it')
    t.match((await open(browser, '/api/auth/verify')).body, 'send the form again', 'as is what it requires')
    t.same(await findBack('/api/auth/signin?error=CredentialsSignin'), [`${origin}/money`], 'after a mistake')
  })

  test(`${strategy}: after a POST, the page says what to repeat`, async (t) => {
    const { browser, clock } = await startGuarded(t, { session })
    await signInByForm(browser, 'vera')
    clock.advance(301)
    const refused = await browser.request('POST', '/money', {
      headers: { ...html, referer: `${origin}/forms?a=1`, origin }
    })
    t.equal(refused.status, 303)
    const url = new URL(refused.location ?? '')
    t.equal(url.searchParams.get('callbackUrl'), `${origin}/forms?a=1`)
    const page = await open(browser, url.pathname + url.search)
    t.match(page.body, 'send the form again')
    const done = await browser.fill(page, 'form[action$="callback/credentials"]', {
      username: 'vera',
      password: 'lovelace'
    })
    t.equal(done.location, `${origin}/forms?a=1`)
  })

  test(`${strategy}: other clients get the challenge of RFC 9470`, async (t) => {
    const { browser, clock } = await startGuarded(t, { session })
    t.match((await open(browser, '/money', json)).json(), { code: 'SESSION_REQUIRED' })
    await signInByForm(browser, 'vera')
    clock.advance(301)
    for (const [path, parameters, query] of [
      ['/money', ', max_age="300"', '?max_age=300'],
      ['/vault', '', '?amr=mfa'],
      ['/gold', ', acr_values="gold platinum"', '?acr_values=gold+platinum']
    ] as const) {
      const refused = await open(browser, path, json)
      t.equal(refused.status, 401, path)
      t.match(refused.json(), {
        code: 'INSUFFICIENT_USER_AUTHENTICATION',
        url: `${origin}/api/auth/verify${query}`
      })
      t.equal(
        refused.headers['www-authenticate'],
        `Bearer error="insufficient_user_authentication", error_description="Authenticate again"${parameters}`
      )
    }
    const described = await open(browser, '/api/auth/verify?max_age=300&acr_values=gold', json)
    t.same(described.json(), { required: { maxAge: 300, amr: [], acr: ['gold'] }, url: `${origin}/api/auth/signin` })
  })

  // RFC 9470 leaves it to the server what proves freshness.
  test(`${strategy}: a user whose provider states no time confirms with a mailed code`, async (t) => {
    // The application's own page for links has no field for a code.
    const started = await startGuarded(t, { session, callbacks: withId, pages: { verifyRequest: '/check-your-mail' } })
    const { browser, clock, mailbox } = started
    await signIn(started, browser, vera)
    const id = await idIn(browser)
    const before = browser.cookies.get(cookieNames.sessionToken)
    t.equal((await open(browser, '/money', json)).status, 401)
    const page = await openVerification(browser)
    const sent = await browser.follow(await browser.fill(page, '/api/auth/signin/mailed-code'))
    t.match(mailbox.last(), { to: 'vera@example.com' })
    t.notMatch(mailbox.last().text, 'callback/', 'there is no link, which would work in another browser')
    t.notMatch(sent.body, 'different address')
    const wrong = await browser.fill(sent, '/api/auth/callback/mailed-code', { code: 'BBBBBBBB' })
    t.match(wrong.location, /verify-request\?.*error=code/)
    const { code } = mailbox.last()
    t.equal((await browser.fill(sent, '/api/auth/callback/mailed-code', { code })).location, `${origin}/money`)
    t.equal((await open(browser, '/money')).body, 'money')
    t.equal(await idIn(browser), id)
    t.not(browser.cookies.get(cookieNames.sessionToken), before, 'the session has a new token')
    clock.advance(301)
    t.equal((await open(browser, '/money', json)).status, 401)
  })

  test(`${strategy}: a mailed code only confirms, and only the user who asked for it`, async (t) => {
    const started = await startGuarded(t, { session, callbacks: withId })
    const { browser, newBrowser, mailbox, adapter } = started
    const providers = await browser.json<object>('/api/auth/providers')
    t.notOk('mailed-code' in providers, 'it is no way to sign in')
    const count = mailbox.mails.length
    const nobody = await browser.submit('/api/auth/signin/mailed-code', { email: 'vera@example.com' })
    t.match(nobody.location, /error=SessionRequired/)
    t.equal(mailbox.mails.length, count, 'without a session nothing is mailed')
    await signIn(started, browser, vera)
    await openVerification(browser)
    await browser.submit('/api/auth/signin/mailed-code', { email: 'mallory@evil.test' })
    t.equal(mailbox.last().to, 'vera@example.com', 'whatever address a form names')
    const { code } = mailbox.last()
    const other = newBrowser()
    await signIn(started, other, mallory)
    await openVerification(other)
    t.match((await other.submit('/api/auth/callback/mailed-code', { code })).location, /error=Verification/)
    const user = await adapter?.getUserByEmail?.('vera@example.com')
    await adapter?.updateUser?.({ id: user?.id ?? '', email: 'moved@example.com' })
    t.match((await browser.submit('/api/auth/callback/mailed-code', { code })).location, /error=Verification/)
    t.equal((await open(browser, '/money', json)).status, 401, 'the address has changed since')
  })

  test(`${strategy}: a second factor that is given now is recent, whatever the provider states`, async (t) => {
    const gate = createTestGate(true, ['otp'])
    const started = await startGuarded(t, { session, features: [gate.feature], store: 'sqlite' })
    const { browser, clock, seconds } = started
    const long = { ...vera, auth_time: seconds() - 900 }
    for (const person of [vera, { ...vera, auth_time: 0 }, long]) {
      await signIn(started, browser, person)
      await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
      t.equal((await open(browser, '/money', json)).status, 200, String(person['auth_time']))
      clock.advance(301)
      await openVerification(browser)
      await signIn(started, browser, person)
      t.equal((await open(browser, '/money', json)).status, 401, 'not before it is given')
      await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
      t.equal((await open(browser, '/money', json)).status, 200, `again: ${person['auth_time']}`)
      await browser.submit('/api/auth/signout', {})
    }
  })

  // Providers send 0 for a time that they do not know.
  test(`${strategy}: an auth_time of 0 is none, which assumeFresh replaces`, async (t) => {
    for (const assumeFresh of [true, false]) {
      const started = await startGuarded(t, { session, demo: { assumeFresh } })
      await signIn(started, started.browser, { ...vera, auth_time: 0 })
      t.equal((await open(started.browser, '/money', json)).status, assumeFresh ? 200 : 401)
    }
  })

  test(`${strategy}: a user who opens the sign-in page may sign in as another one`, async (t) => {
    const { browser, clock } = await startGuarded(t, { session })
    await signInByForm(browser, 'vera')
    clock.advance(301)
    await openVerification(browser)
    await open(browser, '/api/auth/signin')
    await signInByForm(browser, 'grace')
    t.equal(await nameIn(browser), 'grace')
  })

  test(`${strategy}: a provider without OpenID Connect is offered only if the application trusts it`, async (t) => {
    for (const assumeFresh of [false, true]) {
      const started = await startGuarded(t, {
        session,
        linking: { signedIn: 'link', freshWithin: false },
        loose: { type: 'oauth', idToken: false, assumeFresh, checks: ['pkce', 'state'] }
      })
      const { browser, clock, seconds } = started
      await signIn(started, browser, { ...vera, auth_time: seconds() })
      await signIn(started, browser, vera, { provider: 'loose', link: 'true' })
      clock.advance(301)
      const page = await openVerification(browser)
      t.equal(page.body.includes('/signin/loose'), assumeFresh)
      t.match(page.body, '/signin/demo')
    }
  })

  test(`${strategy}: acr of a provider, and factors of this application`, async (t) => {
    const gate = createTestGate(false, ['otp'])
    const started = await startGuarded(t, { session, features: [gate.feature], store: 'sqlite' })
    const { browser, seconds } = started
    await signIn(started, browser, { ...vera, auth_time: seconds(), acr: 'silver', amr: ['mfa'] })
    t.equal((await open(browser, '/gold', json)).status, 401)
    t.equal((await open(browser, '/vault', json)).status, 401, 'what a provider states is not verified here')
    await openVerification(browser, '/gold')
    const { location } = await browser.submit('/api/auth/signin/demo', {})
    t.equal(new URL(location ?? '').searchParams.get('acr_values'), 'gold platinum')
    t.match((await signIn(started, browser, { ...vera, acr: 'silver' })).location, /error=UnmetRequirements/)
    await openVerification(browser, '/gold')
    await signIn(started, browser, { ...vera, acr: 'gold' })
    t.equal((await open(browser, '/gold', json)).status, 200)
    gate.isDue = true
    await openVerification(browser, '/vault')
    const interrupted = await signIn(started, browser, { ...vera, auth_time: seconds() })
    t.match(interrupted.location, '/verify')
    t.equal(gate.asked.at(-1)?.isStepUp, true)
    t.equal(await idIn(browser), await idIn(browser), 'the session stays until then')
    await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.equal((await open(browser, '/vault', json)).status, 200)
  })

  test(`${strategy}: without a session, it is a sign-in like any other`, async (t) => {
    const { browser } = await startGuarded(t, { session })
    const page = await open(
      browser,
      `/api/auth/verify?max_age=300&callbackUrl=${encodeURIComponent(`${origin}/money`)}`
    )
    const url = new URL(page.location ?? '')
    t.equal(url.pathname, '/api/auth/signin')
    t.equal(url.searchParams.get('callbackUrl'), `${origin}/money`)
    const elsewhere = await open(browser, '/api/auth/verify?callbackUrl=https://evil.test/')
    t.notMatch(elsewhere.location, 'evil')
    t.equal((await browser.request('HEAD', '/api/auth/verify')).status, 200)
    t.equal(browser.cookies.get('__Secure-postern.step-up'), null)
  })
}
