import { type Feature, json, SignInError } from '@postern/core/feature'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  type Application,
  enterPin,
  getUser,
  openApplication,
  origin,
  people,
  savePin,
  signInByForm,
  signInByMail,
  signInByPass
} from './application.ts'

const ada = 'ada@form.example'
const verifyUrl = `${origin}/api/auth/verify?error=VerificationRequired`

const ways = {
  form: (_: Application, browser: Browser) => signInByForm(browser, 'ada'),
  mail: (application: Application, browser: Browser) => signInByMail(application, browser, ada)
}

/** Signs in and sets a PIN. @returns The id of the user, as stored by the event. */
async function setPin(application: Application, way: keyof typeof ways, value = '4711'): Promise<string> {
  const browser = application.newBrowser()
  await ways[way](application, browser)
  await savePin(browser, value)
  const [event] = await application.events('pin-set')
  if (!event?.userId) throw new Error('expected the PIN to be set')
  return event.userId
}

const sessionCookies = (browser: Browser): readonly string[] =>
  browser.cookies.all().flatMap(({ name }) => (name.includes('session-token') ? [name] : []))

const turns = turnsOf(['jwt', 'database'] as const, t)

for (const { value: strategy, test } of turns()) {
  for (const way of ['form', 'mail'] as const) {
    test(`${strategy}, ${way}: the session exists only after the right PIN`, async (t) => {
      const application = await openApplication(t, strategy)
      const first = application.newBrowser()
      t.equal((await ways[way](application, first)).location, `${origin}/after`, 'a user without a PIN is not asked')
      t.equal((await savePin(first, '4711')).location, `${origin}/api/auth/account`)
      t.match(await application.events('pin-set'), [{ type: 'pin-set', userId: String, requestId: String }])

      const browser = application.newBrowser()
      const interrupted = await ways[way](application, browser)
      t.equal(interrupted.location, verifyUrl)
      t.same(sessionCookies(browser), [])
      const form = await browser.followAll(interrupted)
      t.equal(form.url, `${origin}/api/auth/verify/pin`)
      const wrong = await browser.fill(form, '/api/auth/verify/pin', { pin: '4712' })
      t.equal(wrong.status, 400)
      t.match(wrong.html().querySelector('[role=alert]')?.text, /This PIN is wrong/)
      t.equal(await getUser(browser), null)
      t.same(sessionCookies(browser), [])
      const right = await browser.fill(wrong, '/api/auth/verify/pin', { pin: '4711' })
      t.match({ status: right.status, location: right.location }, { status: 302, location: `${origin}/after` })
      t.equal(await getUser(browser), ada)
      t.match(await application.events('pin-wrong'), [{ type: 'pin-wrong', userId: String }])
    })
  }

  test(`${strategy}: five wrong PINs end the sign-in`, async (t) => {
    const application = await openApplication(t, strategy)
    await setPin(application, 'mail')
    const browser = application.newBrowser()
    await signInByMail(application, browser, ada)
    for (const value of ['1111', '2222', '3333', '4444']) t.equal((await enterPin(browser, value)).status, 400)
    const ended = await enterPin(browser, '5555')
    t.equal(ended.location, `${origin}/api/auth/signin?error=Callback`)
    t.equal((await enterPin(browser, '4711')).location, `${origin}/api/auth/signin?error=Callback`)
    t.equal(await getUser(browser), null)
    t.equal((await application.events('pin-wrong')).length, 5)
  })

  test(`${strategy}: a pass signs in once, and asks for the PIN`, async (t) => {
    const application = await openApplication(t, strategy)
    const userId = await setPin(application, 'mail')
    const pass = await application.app.postern.features.pin.createPass(userId)
    const browser = application.newBrowser()
    const signInPage = await browser.open('/api/auth/signin?callbackUrl=/after')
    const form = await browser.fill(signInPage, '/api/auth/signin/pass')
    t.match(form.html().querySelector('h1')?.text, 'Sign in with a pass')
    const interrupted = await browser.fill(form, '/api/auth/callback/pass', { pass })
    t.equal(interrupted.location, verifyUrl)

    const other = application.newBrowser()
    t.match((await signInByPass(other, pass)).location, /\/signin\?error=CredentialsSignin/, 'already consumed')
    t.equal((await enterPin(browser, '4711')).location, `${origin}/after`)
    t.equal(await getUser(browser), ada)
    t.match((await signInByPass(other, pass)).location, /\/signin\?error=CredentialsSignin/)
    t.equal(await getUser(other), null)
  })

  test(`${strategy}: of two uses of a pass at once, one signs in`, async (t) => {
    const application = await openApplication(t, strategy)
    const userId = await setPin(application, 'mail')
    await application.app.postern.features.pin.createPass(userId)
    const [one, two] = [application.newBrowser(), application.newBrowser()]
    await signInByMail(application, one, ada)
    await enterPin(one, '4711')
    await savePin(one, '')
    const pass = await application.app.postern.features.pin.createPass(userId)
    await Promise.all([one, two].map((browser) => browser.json('/api/auth/csrf')))
    one.cookies.delete(sessionCookies(one)[0] ?? '')
    const results = await Promise.all([signInByPass(one, pass), signInByPass(two, pass)])
    t.same(results.filter(({ location }) => location === `${origin}/after`).length, 1)
    t.same((await Promise.all([getUser(one), getUser(two)])).filter(Boolean), [ada])
  })

  test(`${strategy}: a pass expires after ten minutes, and an unknown one is refused`, async (t) => {
    const application = await openApplication(t, strategy)
    const userId = await setPin(application, 'mail')
    const pass = await application.app.postern.features.pin.createPass(userId)
    application.clock.advance(600_000)
    const browser = application.newBrowser()
    for (const value of [pass, 'unknown', ''])
      t.match((await signInByPass(browser, value)).location, /\/signin\?error=CredentialsSignin/)
  })

  test(`${strategy}: deleting the user deletes the PIN and the passes`, async (t) => {
    const application = await openApplication(t, strategy)
    const { app, adapter } = application
    const userId = await setPin(application, 'mail')
    const pass = await app.postern.features.pin.createPass(userId)
    t.ok(await adapter.getFactor?.({ type: 'pin', id: userId }))
    await app.postern.deleteUser(userId)
    t.notOk(await adapter.getFactor?.({ type: 'pin', id: userId }))
    t.match((await signInByPass(application.newBrowser(), pass)).location, /error=CredentialsSignin/)
    // The same address is a new user, who has no PIN.
    const browser = application.newBrowser()
    t.equal((await signInByMail(application, browser, ada)).location, `${origin}/after`)
  })

  test(`${strategy}: the export says when the PIN was set, and contains no secret`, async (t) => {
    const application = await openApplication(t, strategy)
    const userId = await setPin(application, 'mail')
    const data = await application.app.postern.exportUser(userId)
    t.same(data.features['pin'], { pinCreatedAt: new Date(application.clock.now()) })
    const factor = await application.adapter.getFactor?.({ type: 'pin', id: userId })
    t.ok(factor?.data)
    t.notMatch(factor?.data, '4711')
    t.notMatch(JSON.stringify(data), factor?.data)
  })

  test(`${strategy}: a PIN can be changed and removed`, async (t) => {
    const application = await openApplication(t, strategy)
    await setPin(application, 'mail')
    const browser = application.newBrowser()
    await signInByMail(application, browser, ada)
    await enterPin(browser, '4711')
    await savePin(browser, '123456')
    const next = application.newBrowser()
    await signInByMail(application, next, ada)
    t.equal((await enterPin(next, '4711')).status, 400)
    t.equal((await enterPin(next, '123456')).location, `${origin}/after`)
    await savePin(next, '')
    t.equal((await application.events('pin-removed')).length, 1)
    t.equal((await signInByMail(application, application.newBrowser(), ada)).location, `${origin}/after`)
  })
}

t.test('a PIN of the wrong form is refused', async (t) => {
  const application = await openApplication(t, 'database')
  const browser = application.newBrowser()
  await signInByForm(browser, 'ada')
  for (const value of ['123', '1234567890123', '12a4', ' 1234']) {
    const refused = await savePin(browser, value)
    t.equal(refused.status, 400, value)
    t.match(refused.body, 'A PIN has four to twelve digits.')
  }
  t.same(await application.events('pin-set'), [])
})

t.test('routes need a session: browsers go to the sign-in page, scripts get 401', async (t) => {
  const { newBrowser, events } = await openApplication(t, 'database')
  const browser = newBrowser()
  for (const path of ['/api/auth/pin', '/api/auth/account']) {
    const { status, location } = await browser.open(path)
    t.equal(status, 302)
    t.equal(
      location,
      `${origin}/api/auth/signin?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: origin + path })}`
    )
    const json = await browser.request('GET', path, { headers: { accept: 'application/json' } })
    t.same([json.status, json.json()], [401, { error: 'SessionRequired' }])
  }
  t.match((await savePin(browser, '4711')).location, /signin\?error=SessionRequired/)
  t.same(await events('pin-set'), [])
})

t.test('a POST needs the CSRF token: in the form, or in the header x-csrf-token', async (t) => {
  const { newBrowser, events } = await openApplication(t, 'database')
  const browser = newBrowser()
  await signInByForm(browser, 'ada')
  const post = (body: string, headers: Record<string, string> = {}): Promise<BrowserResponse> =>
    browser.post('/api/auth/pin', body, { origin, accept: 'application/json', ...headers })
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')

  t.same((await post('pin=4711')).json(), { error: 'CsrfTokenInvalid' })
  t.equal((await post('pin=4711&csrfToken=wrong')).status, 400)
  t.equal((await post('pin=4711', { 'x-csrf-token': 'wrong' })).status, 400)
  t.equal((await post('pin=4711', { 'x-csrf-token': csrfToken, origin: 'https://evil.test' })).status, 400)
  t.same(await events('pin-set'), [])
  t.equal((await post('pin=4711', { 'x-csrf-token': csrfToken })).status, 302)
  t.equal((await post(`pin=4712&csrfToken=${csrfToken}`)).status, 302)
  t.equal((await events('pin-set')).length, 2)
  const interrupted = newBrowser()
  await signInByForm(interrupted, 'ada')
  t.equal((await interrupted.post('/api/auth/verify/pin', 'pin=4712', { origin })).status, 302)
  t.equal(await getUser(interrupted), null)
})

t.test('scripts get JSON', async (t) => {
  const application = await openApplication(t, 'database')
  const userId = await setPin(application, 'form')
  const browser = application.newBrowser()
  const submit = (path: string, fields: Record<string, string>): Promise<BrowserResponse> =>
    browser.submit(`/api/auth${path}`, { json: 'true', ...fields }, { json: true })
  const interrupted = await submit('/callback/credentials', { username: 'ada', password: 'ada', callbackUrl: '/after' })
  t.same([interrupted.status, interrupted.json()], [401, { url: verifyUrl }])
  const screen = await browser.json<{ screen: string; props: object; csrfToken: string }>('/api/auth/verify/pin')
  t.match(screen, { screen: 'pin/enter', props: { action: '/api/auth/verify/pin', problem: null }, csrfToken: String })
  const wrong = await submit('/verify/pin', { pin: '1' })
  t.match([wrong.status, wrong.json()], [400, { screen: 'pin/enter', props: { problem: 'wrong' } }])
  const right = await submit('/verify/pin', { pin: '4711' })
  t.same([right.status, right.json()], [200, { url: `${origin}/after` }])
  t.equal(await getUser(browser), ada)
  const account = await browser.json<{ props: { sections: { id: string }[] } }>('/api/auth/account')
  t.match(account, { screen: 'account/account', props: { email: ada } })
  t.match(
    account.props.sections.filter(({ id }) => id.startsWith('pin/')),
    [{ id: 'pin/pin', href: '/api/auth/pin' }]
  )
  const saved = await submit('/pin', { pin: '' })
  t.same([saved.status, saved.json()], [200, { url: `${origin}/api/auth/account` }])

  const pass = await application.app.postern.features.pin.createPass(userId)
  const refused = await submit('/callback/pass', { pass: 'unknown' })
  t.match([refused.status, refused.json()], [401, { url: /error=CredentialsSignin/ }])
  const signedIn = await submit('/callback/pass', { pass, callbackUrl: '/after' })
  t.same([signedIn.status, signedIn.json()], [200, { url: `${origin}/after` }])
  const providers = await browser.json<Record<string, unknown>>('/api/auth/providers')
  t.match(providers, { pass: { id: 'pass', type: 'credentials', callbackUrl: `${origin}/api/auth/callback/pass` } })
})

t.test('the PIN is limited by user, also across sign-ins', async (t) => {
  const application = await openApplication(t, 'database', {
    rateLimit: { callbackPerClient: { points: 1000, seconds: 60 } }
  })
  await setPin(application, 'form')
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) {
    const browser = application.newBrowser()
    await signInByForm(browser, 'ada')
    statuses.push((await enterPin(browser, '0000')).status)
  }
  t.same(statuses, [...Array.from({ length: 20 }, () => 400), 429])
})

t.test('the last account can be removed only if passes are issued on request', async (t) => {
  for (const passOnRequest of [false, true]) {
    const application = await openApplication(t, 'database', { pinOptions: { passOnRequest } })
    const browser = application.newBrowser()
    await signInByForm(browser, 'ada')
    await savePin(browser, '4711')
    const [event] = await application.events('pin-set')
    const removed = application.app.postern
      .unlink(event?.userId ?? '', { provider: 'credentials', providerAccountId: 'ada' })
      .then(
        () => 'removed',
        (error) => error.code
      )
    t.equal(await removed, passOnRequest ? 'removed' : 'LAST_WAY_IN')
  }
})

t.test('a later interruption cannot be posted before the PIN', async (t) => {
  const seen: string[] = []
  const welcome: Feature = {
    id: 'welcome',
    setup: () => ({
      texts: { en: { hello: 'Hello' } },
      screens: [{ name: 'hello', title: 'hello', component: async () => null, plain: () => ({ text: 'Hello' }) }],
      interruptions: [
        {
          id: 'hello',
          order: 300,
          isDue: () => true,
          show: (_, request) => request.screen('hello', {}),
          verify: () => {
            seen.push('hello')
            return 'passed'
          }
        }
      ]
    })
  }
  const application = await openApplication(t, 'database', { features: [welcome] })
  const first = application.newBrowser()
  await signInByForm(first, 'ada')
  t.equal((await first.submit('/api/auth/verify/hello', {})).location, `${origin}/after`)
  await savePin(first, '4711')
  const browser = application.newBrowser()
  await signInByForm(browser, 'ada')
  t.equal((await browser.submit('/api/auth/verify/hello', {})).location, `${origin}/api/auth/verify`)
  t.same(seen, ['hello'], 'the second request was not verified')
  t.equal((await enterPin(browser, '4711')).location, verifyUrl)
  t.equal((await browser.open('/api/auth/verify')).location, `${origin}/api/auth/verify/hello`)
  t.equal(await getUser(browser), null)
  t.equal((await browser.submit('/api/auth/verify/hello', {})).location, `${origin}/after`)
  t.equal(await getUser(browser), ada)
})

t.test('an interruption refuses a sign-in with a code, and its failure creates no session', async (t) => {
  const thrown = [new SignInError('AccessDenied'), new SignInError('Locked'), new Error('broken')]
  const lock: Feature = {
    id: 'lock',
    setup: () => ({
      interruptions: [
        {
          id: 'lock',
          order: 400,
          isDue: () => true,
          show: () => json({}),
          verify: () => {
            throw thrown.shift()
          }
        }
      ]
    })
  }
  const { newBrowser } = await openApplication(t, 'database', { features: [lock] })
  for (const code of ['AccessDenied', 'Locked', 'Configuration']) {
    const browser = newBrowser()
    await signInByForm(browser, 'ada')
    t.match((await browser.submit('/api/auth/verify/lock', {})).location, `${origin}/api/auth/error?error=${code}&ref=`)
    t.equal(await getUser(browser), null)
  }
})

t.test('a stolen cookie of a pending sign-in is useless once the sign-in completed', async (t) => {
  const application = await openApplication(t, 'database')
  await setPin(application, 'form')
  const browser = application.newBrowser()
  await signInByForm(browser, 'ada')
  const copy = browser.cookies.clone()
  await enterPin(browser, '4711')
  for (const { name, value, ...attributes } of copy.all())
    if (name.includes('pending')) browser.cookies.set(name, value, attributes)
  t.match((await enterPin(browser, '4711')).location, /signin\?error=Callback/)
})

t.test('a secret that was rotated keeps the PINs', async (t) => {
  const secrets = ['the first secret of the tests, 32 characters', 'the second secret of the tests, 32 characters']
  const old = await openApplication(t, 'database', { secret: secrets.slice(0, 1) })
  await setPin(old, 'form')
  const application = await openApplication(t, 'database', { secret: secrets.toReversed(), adapter: old.adapter })
  const browser = application.newBrowser()
  await signInByForm(browser, 'ada')
  t.equal((await enterPin(browser, '4712')).status, 400)
  t.equal((await enterPin(browser, '4711')).location, `${origin}/after`)
})

t.test('without a renderer, the screens are plain', async (t) => {
  const { createPostern } = await import('@postern/core')
  const { pin } = await import('../src/pin.ts')
  const { accountPages } = await import('@postern/account/pages')
  const { memoryAdapter } = await import('@postern/adapters/memory')
  const auth = createPostern({
    url: origin,
    secret: 'a secret of the tests, 32 characters or more',
    adapter: memoryAdapter(),
    providers: [people, pin()],
    features: [accountPages()]
  })
  const { createBrowser, fromFetch } = await import('@postern/testkit')
  const browser = createBrowser({ origin, send: fromFetch(auth.fetch) })
  await signInByForm(browser, 'ada')
  const account = await browser.open('/api/auth/account')
  t.match(account.html().querySelector('p')?.text, 'Signed in as ada ada@form.example')
  const links = account
    .html()
    .querySelectorAll('a')
    .map((link) => [link.text, link.getAttribute('href')])
  t.same(
    links.filter(([, href]) => !href?.startsWith('/api/auth/account/')),
    [
      ['PIN', '/api/auth/pin'],
      ['Back to app.test', origin],
      ['Sign out', '/api/auth/signout']
    ]
  )
  const form = await browser.open('/api/auth/pin')
  t.equal((await browser.fill(form, '/api/auth/pin', { pin: '4711' })).location, `${origin}/api/auth/account`)
  await auth.close()
})
