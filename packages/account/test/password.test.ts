import { accountPages } from '@postern/account/pages'
import { type Feature, json } from '@postern/core/feature'
import { createRenderer } from '@postern/pages'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { inTurn, turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { strengthScript } from '../src/password/strength.ts'
import { createTexts } from '../src/password/texts.ts'
import {
  type ApplicationOptions,
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
  signInByMail,
  signUp,
  strategies
} from './password-application.ts'

const someStrategies = inTurn(strategies)

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: sign up, sign out, sign in, forget, reset, change`, async (t) => {
    const app = await openApplication(t, strategy)
    const { newBrowser, mailbox } = app
    const browser = newBrowser()
    const signInPage = await browser.open(`${base}/signin`)
    const links = signInPage.html().querySelectorAll('.field-line a, .sign-up a')
    t.same(
      links.map((link) => [link.text, link.getAttribute('href')]),
      [
        ['Forgot password?', `${base}/password/forgot`],
        ['Create an account', `${base}/password/sign-up`]
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

  test(`${strategy}: the code is entered in the browser that has signed up`, async (t) => {
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

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a session knows that its user entered a password`, async (t) => {
    const app = await openApplication(t, strategy)
    const browser = await createUser(app)
    const getAuthentication = async () =>
      (await app.auth.readSession({ origin, cookies: getCookies(browser) })).getAuthentication()
    t.same((await getAuthentication())?.amr, [], 'a mailed link is no password')
    await signIn(browser, ada, first)
    t.match(await getAuthentication(), { amr: ['pwd'], provider: { id: 'password' } })
  })
}

const german = { 'accept-language': 'de' }

t.test('every screen has its inputs, and keeps what was typed except passwords', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = app.newBrowser()
  const getInputs = (page: BrowserResponse): readonly (readonly (string | undefined)[])[] =>
    page
      .html()
      .querySelectorAll('input:not([type=hidden])')
      .map((input) => [
        input.getAttribute('name'),
        input.getAttribute('type'),
        input.getAttribute('autocomplete'),
        input.getAttribute('value')
      ])
  const form = await browser.open(`${base}/password/sign-up`)
  t.equal(form.html().querySelectorAll('form').length, 1)
  t.same(getInputs(form), [
    ['email', 'email', 'username', undefined],
    ['password', 'password', 'new-password', undefined]
  ])
  const refused = await browser.fill(form, 'form', { email: 'not an address', password: 'sesame' })
  t.equal(refused.status, 400)
  t.same(getInputs(refused), [
    ['email', 'email', 'username', 'not an address'],
    ['password', 'password', 'new-password', undefined]
  ])
  for (const [name, text] of [
    ['email', 'Enter an email address, such as ada@example.com.'],
    ['password', 'Use at least 15 characters.']
  ]) {
    const input = refused.html().querySelector(`input[name=${name}]`)
    t.equal(input?.getAttribute('aria-invalid'), 'true')
    const [error] = (input?.getAttribute('aria-describedby') ?? '').split(' ')
    t.equal(refused.html().querySelector(`#${error}`)?.text, text)
  }
  t.notMatch(refused.body, 'sesame')
  t.match((await browser.follow(await signUp(browser, ada, first))).html().querySelector('input[name=code]')?.attrs, {
    autocomplete: 'one-time-code'
  })
  await openLink(browser, app.mailbox.last())
  const change = await browser.open(`${base}/password`)
  t.same(getInputs(change), [
    ['username', 'text', 'username', ada],
    ['currentPassword', 'password', 'current-password', undefined],
    ['password', 'password', 'new-password', undefined]
  ])
  const wrong = await browser.fill(change, 'form', { currentPassword: second, password: second })
  t.equal(wrong.status, 400)
  t.match(wrong.html().querySelector('#currentPassword-error')?.text, 'not your current password')
  t.notOk(await canSignIn(app.newBrowser(), ada, second))
})

t.test('the address that was typed is shown after it in this browser, and in no URL', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  const [path, sent] = [`${base}/password/forgot`, `${base}/password/forgot/sent`]
  for (const address of [ada, 'nobody@example.com']) {
    const browser = app.newBrowser()
    t.equal((await browser.open(sent)).location, origin + path, 'nothing was typed yet')
    const asked = await browser.fill(await browser.open(path), 'form', { email: ` ${address.toUpperCase()} ` })
    t.equal(asked.location, origin + sent)
    const page = (await browser.follow(asked)).html()
    t.match(page.querySelector('main')?.text, address)
    const urls = page.querySelectorAll('a').map((link) => link.getAttribute('href'))
    t.same(
      urls.filter((url) => url?.includes('example')),
      []
    )
    t.match(app.mailbox.last(), { to: address })
  }
  const browser = app.newBrowser()
  await browser.fill(await browser.open(path), 'form', { email: ada })
  const form = await browser.open(app.mailbox.last().url)
  await browser.fill(form, 'form', { password: second })
  t.equal((await browser.open(sent)).location, origin + path, 'once the password is changed, it is cleared')
})

t.test('screens and mails are in German', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = app.newBrowser()
  for (const [path, title] of [
    ['/password/sign-up', 'Konto erstellen'],
    ['/password/forgot', 'Passwort vergessen?'],
    ['/password/reset', 'Dieser Link gilt nicht mehr'],
    ['/password/changed', 'Ihr Passwort wurde geändert']
  ]) {
    const page = await browser.open(base + path, { headers: german })
    t.equal(page.html().querySelector('h1')?.text, title)
    t.equal(page.html().querySelector('html')?.getAttribute('lang'), 'de')
  }
  await browser.submit(`${base}/password/forgot`, { email: ada }, { headers: german })
  const sent = await browser.open(`${base}/password/forgot/sent`, { headers: german })
  t.equal(sent.html().querySelector('h1')?.text, 'Sehen Sie in Ihr Postfach')
  t.match(app.mailbox.last().subject, 'Kein Konto')
  const page = await browser.open(`${base}/signin`, { headers: german })
  t.match(page.body, 'Passwort vergessen?')
  t.match(page.html().querySelector('label')?.text, 'E-Mail-Adresse')
  const short = { email: ada, password: 'kurz' }
  t.match((await browser.submit(`${base}/password/sign-up`, short, { headers: german })).body, 'mindestens 15 Zeichen')
})

t.test('without a renderer, everything works on plain pages', async (t) => {
  const app = await openApplication(t, 'database', { renderer: undefined })
  const browser = await createUser(app)
  t.equal(await getAddress(browser), ada)
  await forget(browser, ada)
  const refused = await openLink(browser, app.mailbox.last(), { password: 'short' })
  t.match(refused.body, 'Use at least 15 characters')
  t.match((await browser.fill(refused, 'form', { password: second })).location, /changed/)
  t.ok(await canSignIn(browser, ada, second))
})

t.test('clients that ask for JSON get screens and URLs', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = app.newBrowser()
  t.match(await browser.json(`${base}/password/sign-up`), {
    screen: 'password/sign-up',
    props: { form: { action: `${base}/password/sign-up`, fields: [{ name: 'email' }, { name: 'password' }] } }
  })
  const sent = await browser.submit(`${base}/password/sign-up`, { email: ada, password: first, json: 'true' })
  t.match(sent.json(), { url: `${origin}${base}/password/check-mail` })
  t.equal((await browser.request('GET', `${base}/password`, { headers: { accept: 'application/json' } })).status, 401)
})

t.test('options', async (t) => {
  const app = await openApplication(t, 'database', {
    password: { minLength: 8, links: false, breached: async (text) => text === 'breached text' }
  })
  const browser = app.newBrowser()
  t.equal((await browser.open(`${base}/signin`)).html().querySelector('.links, .sign-up, .field-line'), null)
  const refuse = async (chosen: string): Promise<string | undefined> =>
    (await signUp(browser, ada, chosen)).html().querySelector('#password-error')?.text
  t.match(await refuse('seven c'), 'at least 8')
  t.match(await refuse('password1'), 'many people')
  t.match(await refuse('breached text'), 'data breach')
  t.match(await refuse(ada), 'address')
  t.match(await refuse('x'.repeat(257)), '256')
  t.equal((await signUp(browser, ada, 'eight ch')).status, 302)
  for (const wrong of [{ minLength: 7 }, { minLength: 65 }, { minLenght: 12 }])
    await t.rejects(openApplication(t, 'database', { password: wrong }), { code: 'POSTERN_CONFIG' })
})

t.test('imported hashes are compared by the application, and replaced at the first sign-in', async (t) => {
  const verified: string[] = []
  const verifyLegacy = (hash: string, typed: string): boolean => {
    verified.push(hash)
    return hash === `legacy:${typed}`
  }
  const app = await openApplication(t, 'database', { password: { verifyLegacy } })
  const user = await app.adapter.createUser?.({ id: '1', name: 'Ada', email: ada, emailVerified: null })
  const { features } = app.auth
  t.equal(await features.password.has(user?.id ?? ''), false)
  await features.password.setHash(user?.id ?? '', 'legacy:short')
  t.equal(await features.password.has(user?.id ?? ''), true)
  t.notOk(await canSignIn(app.newBrowser(), ada, 'other'))
  t.ok(await canSignIn(app.newBrowser(), ada, 'short'))
  t.equal(verified.length, 2)
  t.ok(await canSignIn(app.newBrowser(), ada, 'short'))
  t.equal(verified.length, 2, 'the hash was replaced')
  await features.password.setHash(user?.id ?? '', 'legacy:again')
  t.ok(await canSignIn(app.newBrowser(), ada, 'again'))
})

t.test('export, deletion, and the last way to sign in', async (t) => {
  const app = await openApplication(t, 'database', { features: [accountPages()] })
  const browser = await createUser(app)
  const id = (await findUser(app, ada))?.id ?? ''
  t.ok((await browser.open(`${base}/account`)).html().querySelector(`.row a[href="${base}/password"]`))
  const exported = await app.auth.exportUser(id)
  t.match(exported, { features: { password: { createdAt: Date } } })
  t.notMatch(JSON.stringify(exported), 'argon2')
  await app.auth.deleteUser(id)
  t.equal(await app.auth.features.password.has(id), false)
  t.notOk(await canSignIn(app.newBrowser(), ada, first))
})

t.test('a password is a way to sign in, so that an account can be removed', async (t) => {
  const app = await openApplication(t, 'database', { providers: [], withoutEmail: true })
  await createUser(app)
  const id = (await findUser(app, ada))?.id ?? ''
  const account = { provider: 'github', providerAccountId: '7' }
  await app.adapter.linkAccount?.({ ...account, type: 'oauth', userId: id })
  await app.auth.unlink(id, account)
  t.same(await app.adapter.getAccounts?.(id), [])
})

t.test('a notice that cannot be sent does not undo the change', async (t) => {
  const app = await openApplication(t, 'jwt')
  const browser = await createUser(app)
  app.mailbox.fail(new Error('no'))
  t.match((await change(browser, { password: second })).location, /changed/)
  t.ok(await canSignIn(app.newBrowser(), ada, second))
  await app.auth.close()
  t.match(app.logged, [['NOTICE_NOT_SENT', { ref: String }]])
})

t.test('a user without a password sets one after a fresh sign-in', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openApplication(t, strategy)
    const browser = app.newBrowser()
    await signInByMail(browser, ada, app.mailbox)
    app.clock.advance(601)
    const asked = await browser.open(`${base}/password`)
    t.match(asked.location, /\/verify\?callbackUrl=.*max_age=600/)
    t.match((await browser.submit(`${base}/password`, { password: first })).location, /\/verify/)
    t.equal((await browser.follow(asked)).status, 200)
    await signInByMail(browser, ada, app.mailbox)
    t.match((await change(browser, { password: first })).location, /changed/)
    t.ok(await canSignIn(app.newBrowser(), ada, first))
  }
})

t.test('password managers find the page to change a password at the root of the site', async (t) => {
  const { newBrowser } = await openApplication(t, 'jwt')
  const browser = newBrowser()
  // WICG, "A Well-Known URL for Changing Passwords": a redirect with 302, 303 or 307, for everybody.
  const found = await browser.open('/.well-known/change-password')
  t.match(found, { status: 302, location: `${origin}${base}/password` })
  const signInUrl = new URL((await browser.follow(found)).location ?? '', origin)
  t.equal(signInUrl.searchParams.get('callbackUrl'), `${origin}${base}/password`, 'it is the page after the sign-in')
  const missing = await browser.open('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200')
  t.equal(missing.status, 404)
})

t.test('every form with a new password says what it must be, and can show it', async (t) => {
  const app = await openApplication(t, 'database', { renderer: await createRenderer({ script: true }) })
  const browser = app.newBrowser()
  const check = async (name: string, opened: Promise<BrowserResponse>, autocompletes: readonly string[]) => {
    const page = (await opened).html()
    const inputs = page.querySelectorAll('input[type=password]')
    t.same(
      inputs.map((input) => input.getAttribute('autocomplete')),
      autocompletes,
      name
    )
    t.equal(page.querySelectorAll('.secret > input').length, inputs.length, `${name}: a button can be added to each`)
    t.equal(page.querySelector('script[data-show-password]')?.getAttribute('data-show-password'), 'Show password', name)
    const chosen = page.querySelector('input[autocomplete=new-password]')
    if (!chosen) return
    t.equal(chosen.getAttribute('minlength'), '15', name)
    t.equal(chosen.getAttribute('passwordrules'), 'minlength: 15; maxlength: 256; allowed: unicode;', name)
    t.equal(chosen.getAttribute('data-strength-short'), 'Too short', name)
  }
  await check('sign-in', browser.open(`${base}/signin`), ['current-password'])
  await check('sign-up', browser.open(`${base}/password/sign-up`), ['new-password'])
  await signUp(browser, ada, first)
  const { url } = app.mailbox.last()
  await check('choose', app.newBrowser().open(url), ['new-password'])
  await openLink(browser, app.mailbox.last())
  await check('change', browser.open(`${base}/password`), ['current-password', 'new-password'])
  await forget(app.newBrowser(), ada)
  await check('reset', app.newBrowser().open(app.mailbox.last().url), ['new-password'])
  const grace = app.newBrowser()
  await signInByMail(grace, 'grace@example.com', app.mailbox)
  await check('set', grace.open(`${base}/password`), ['new-password'])
})

const day = 86_400
const ticked = { remember: 'on' }

/** Signs in with the form of the page. */
const fillForm = async (browser: Browser, values: Readonly<Record<string, string>> = {}): Promise<BrowserResponse> =>
  browser.fill(await browser.open(`${base}/signin`), `${base}/callback/password`, {
    email: ada,
    password: first,
    ...values
  })

/** How long the browser keeps the new session. */
const getMaxAge = ({ setCookies }: BrowserResponse): number | null | undefined =>
  setCookies.find(({ name, value }) => name.endsWith('session-token') && value !== '')?.maxAge

/** A second step of every sign-in, which a click passes. */
const secondStep: Feature = {
  id: 'step',
  setup: () => ({
    interruptions: [
      { id: 'click', order: 400, isDue: () => true, show: () => json({ step: 'click' }), verify: () => 'passed' }
    ]
  })
}

async function open(t: Parameters<typeof openApplication>[0], options: ApplicationOptions) {
  const app = await openApplication(t, 'database', options)
  await createUser(app)
  return app
}

for (const strategy of strategies)
  t.test(`${strategy}: a session ends with the browser unless the user ticks the box`, async (t) => {
    const app = await openApplication(t, strategy, { password: { remember: true } })
    await createUser(app)
    const browser = app.newBrowser()
    const page = await browser.open(`${base}/signin`)
    const box = page.html().querySelector('input[type=checkbox][name=remember]')
    t.ok(box)
    t.notOk(box?.getAttribute('checked'))
    t.match(page.body, 'Stay signed in')
    t.equal(getMaxAge(await fillForm(browser)), null)
    t.equal(await getAddress(browser), ada)
    app.clock.advance(2 * day)
    t.equal(await getAddress(browser), ada)
    const kept = app.newBrowser()
    t.equal(getMaxAge(await fillForm(kept, ticked)), 30 * day)
    const script = await app
      .newBrowser()
      .submit(`${base}/callback/password`, { email: ada, password: first, ...ticked })
    t.equal(getMaxAge(script), 30 * day)
  })

t.test('without the option, there is no box, and what is posted does not matter', async (t) => {
  const app = await open(t, {})
  const browser = app.newBrowser()
  t.notOk((await browser.open(`${base}/signin`)).html().querySelector('input[name=remember]'))
  t.equal(getMaxAge(await signIn(browser, ada, first)), 30 * day)
})

t.test('session.remember is asked for those who ticked the box only', async (t) => {
  const asked: string[] = []
  const remember = ({ user }: { user: { email?: string | null } }): number => {
    asked.push(user.email ?? '')
    return 90 * day
  }
  const app = await open(t, {
    password: { remember: true },
    session: { strategy: 'database', remember, maxAge: 365 * day }
  })
  asked.length = 0
  t.equal(getMaxAge(await fillForm(app.newBrowser())), null)
  t.same(asked, [])
  t.equal(getMaxAge(await fillForm(app.newBrowser(), ticked)), 90 * day)
  t.same(asked, [ada])
})

t.test('a sign-in with a second step keeps what the user has chosen', async (t) => {
  const app = await openApplication(t, 'database', { password: { remember: true }, features: [secondStep] })
  const owner = await createUser(app)
  await owner.submit(`${base}/verify/click`, {})
  for (const [values, maxAge] of [
    [{}, null],
    [ticked, 30 * day]
  ] as const) {
    const browser = app.newBrowser()
    t.match((await fillForm(browser, values)).location, /verify/)
    t.equal(await getAddress(browser), null)
    t.equal(getMaxAge(await browser.submit(`${base}/verify/click`, {})), maxAge)
    t.equal(await getAddress(browser), ada)
  }
})

const texts = createTexts(15)

const isLanguage = (name: string): name is keyof typeof texts => Object.hasOwn(texts, name)

t.test('screens from right to left are in their language', async (t) => {
  const app = await openApplication(t, 'database')
  for (const language of ['ar', 'he'].filter(isLanguage)) {
    const page = await app.newBrowser().open(`${base}/password/sign-up`, { headers: { 'accept-language': language } })
    t.match(page.html().querySelector('html')?.attrs, { lang: language, dir: 'rtl' })
    t.equal(page.html().querySelector('h1')?.text, texts[language].createAccount)
    t.equal(page.html().querySelector('#password-hint')?.text, texts[language].passwordHint)
  }
})

const passwords: readonly (readonly [password: string, strength: string])[] = [
  ['a', 'strengthFair'],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'strengthFair'],
  ['abcdefghijklmnopqrstuvwxyz', 'strengthFair'],
  ['abababababababababababab', 'strengthFair'],
  ['98765432109876543210', 'strengthFair'],
  ['qwertyuiopasdfgh', 'strengthFair'],
  ['1qaz2wsx3edc4rfv', 'strengthFair'],
  ['\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u0439\u043a\u043b\u043c\u043d\u043e\u043f', 'strengthFair'],
  ['fifteen letters', 'strengthFair'],
  ['a sentence that is easy to remember', 'strengthStrong'],
  ['correct horse battery', 'strengthGood'],
  ['\u{1F511}\u{1F512}'.repeat(20), 'strengthFair'],
  ['\uff41\uff42\uff43 full width letters', 'strengthGood'],
  ['', 'strengthFair'],
  ['a good sentence to know', 'strengthStrong']
]

t.test('the script counts neither repetitions nor sequences', async (t) => {
  const getStrength: unknown = new Function(`${strengthScript}\nreturn getStrength`)()
  if (typeof getStrength !== 'function') throw new Error('expected a function')
  for (const [password, strength] of passwords) t.equal(getStrength(password), strength, password)
})

t.test('a form that is refused shows no strength of its empty field, and the script is a file', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = app.newBrowser()
  const page = await browser.open(`${base}/password/sign-up`)
  t.equal(page.html().querySelectorAll('script:not([src])').length, 0, 'no inline script')
  const source = page
    .html()
    .querySelectorAll('script[src]')
    .map((script) => script.getAttribute('src') ?? '')
    .find((src) => src.includes('/assets/password-'))
  t.equal((await browser.open(source ?? '')).body, strengthScript)
  const fields = { email: 'no address', password: 'a long sentence to remember' }
  const refused = await browser.fill(page, 'form', fields)
  t.equal(refused.html().querySelector('#password-hint')?.text, texts.en.passwordHint)
  t.notMatch(refused.body, fields.password)
  const short = await browser.fill(page, 'form', { ...fields, password: 'short' })
  t.equal(short.html().querySelector('#password-error')?.text, 'Use at least 15 characters.')
  const forgot = await browser.open(`${base}/password/forgot`)
  t.notMatch(forgot.body, /assets\/password-/, 'only where a password is chosen')
})
