import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import t from 'tap'
import { createAdapter, fields, readColumns } from './own-columns.ts'
import {
  ada,
  base,
  canSignIn as canSignInWithPasskey,
  findUser,
  getAddress,
  origin,
  readOptions
} from './passkey-application.ts'
import { callback, openForSignUps, signUpPage } from './passkey-sign-up-application.ts'
import { canSignIn, first, openApplication, openLink, second } from './password-application.ts'
import { type Authenticator, type CreationOptions, createAuthenticator } from './software-authenticator.ts'

const right = { company: ' Analytical Engines ', plan: 'pro', terms: 'on' }

const signUp = async (browser: Browser, values: Readonly<Record<string, string>>): Promise<BrowserResponse> =>
  browser.submit(`${base}/password/sign-up`, { email: ada, password: first, ...values })

t.test('the form has the fields of the application, in the language of the visitor', async (t) => {
  const { newBrowser } = await openApplication(t, 'database', { password: fields })
  const page = await newBrowser().open(`${base}/password/sign-up`)
  const find = (selector: string) => page.html().querySelector(selector)
  t.equal(find('input[name=company]')?.getAttribute('autocomplete'), 'organization')
  t.match(page.body, /<label for="company"><bdi>Company<\/bdi><\/label>/)
  t.same(
    page
      .html()
      .querySelectorAll('select[name=plan] option')
      .map((option) => option.getAttribute('value')),
    ['', 'free', 'pro']
  )
  t.ok(find('input[type=checkbox][name=terms]'))
  t.equal(find('#phone')?.getAttribute('aria-describedby'), 'phone-hint')
  const german = await newBrowser().open(`${base}/password/sign-up`, { headers: { 'accept-language': 'de' } })
  for (const text of ['Firma', 'Plan', 'Profi', 'Free', 'I accept the terms']) t.match(german.body, text)
})

t.test('what is missing or refused is shown beside its field, and nothing is stored or sent', async (t) => {
  const { newBrowser, mailbox } = await openApplication(t, 'database', { password: fields })
  for (const [changes, wrong, text] of [
    [{ company: '  ' }, 'company', 'This is missing or invalid'],
    [{ company: 'x'.repeat(1001) }, 'company', 'This is missing or invalid'],
    [{ plan: 'constructor' }, 'plan', 'This is missing or invalid'],
    [{ company: 'Evil' }, 'company', 'Not this one']
  ] as const) {
    const refused = await signUp(newBrowser(), { ...right, ...changes })
    t.equal(refused.status, 400)
    t.match(refused.html().querySelector(`#${wrong}-error`)?.text, text)
    t.equal(refused.html().querySelector(`#${wrong}`)?.getAttribute('aria-invalid'), 'true')
    t.equal(refused.html().querySelectorAll('.field-error').length, 1)
    t.ok(refused.html().querySelector('#terms[checked]'), 'what was typed stays')
  }
  const { terms: _, ...unticked } = right
  t.match((await signUp(newBrowser(), unticked)).html().querySelector('#terms-error')?.text, 'missing')
  const german = await newBrowser().submit(
    `${base}/password/sign-up`,
    { email: ada, password: first, ...right, company: 'Evil' },
    { headers: { 'accept-language': 'de' } }
  )
  t.match(german.body, 'Nicht diese')
  const json = await newBrowser().submit(`${base}/password/sign-up`, { email: ada, password: first }, { json: true })
  t.match([json.status, json.body], [400, /"name":"company"/])
  t.same(mailbox.mails, [])
})

t.test('createUser gets what was typed, by the link and by the code', async (t) => {
  for (const way of ['link', 'code'] as const) {
    const created: unknown[] = []
    const events = { createUser: ({ user }: { user: object }) => void created.push(user) }
    const app = await openApplication(t, 'database', { password: fields, events, adapter: createAdapter() })
    const browser = app.newBrowser()
    t.match((await signUp(browser, { ...right, role: 'admin', id: '1', emailVerified: 'x' })).location, /check-mail/)
    if (way === 'link') await openLink(browser, app.mailbox.last())
    else {
      const page = await browser.open(`${base}/password/check-mail`)
      await browser.fill(page, 'form', { code: app.mailbox.last().code })
    }
    const expected = { company: 'Analytical Engines', plan: 'pro', terms: true, phone: null, email: ada }
    const user = readColumns(await findUser(app, ada))
    t.match(user, expected, way)
    t.notOk('role' in user, 'nothing else that was posted')
    t.not(user.id, '1')
    t.match(created, [expected])
    t.ok(await canSignIn(app.newBrowser(), ada, first))
  }
})

t.test('in another browser, the owner of the address fills in the fields too', async (t) => {
  const app = await openApplication(t, 'database', { password: fields, adapter: createAdapter() })
  await signUp(app.newBrowser(), { ...right, company: 'Of somebody else' })
  const owner = app.newBrowser()
  const page = await owner.open(app.mailbox.last().url)
  t.equal(page.html().querySelector('#company')?.getAttribute('value'), '')
  const refused = await owner.fill(page, 'form', { password: second })
  t.equal(refused.status, 400)
  t.ok(refused.html().querySelector('#company-error'))
  await owner.fill(refused, 'form', { ...right, password: second })
  t.equal(await getAddress(owner), ada)
  t.match(readColumns(await findUser(app, ada)), { company: 'Analytical Engines' })
})

t.test('a field has no name that Postern uses', async (t) => {
  for (const name of ['email', 'password', 'id', 'emailVerified', 'csrfToken', 'a-b', '1'])
    t.throws(
      () =>
        createPostern({
          ...{ url: origin, secret: 'a secret of the tests, 32 characters or more', adapter: memoryAdapter() },
          providers: [password({ signUpFields: { [name]: { label: 'x' } } })]
        }),
      new RegExp(`another name of a field of signUpFields than ${name}`)
    )
})

t.test('an error for no field of the form is not lost, and an undefined one is none', async (t) => {
  for (const [errors, isSent] of [
    [{ company: undefined }, true],
    [{ other: 'Where is it shown?' }, false]
  ] as const) {
    const options = { ...fields, validateSignUp: () => errors }
    const app = await openApplication(t, 'database', { password: options })
    const { location } = await signUp(app.newBrowser(), right)
    t.match(location, isSent ? /check-mail/ : /error/)
    t.equal(
      app.logged.some(([, metadata]) => JSON.stringify(metadata).includes('validateSignUp')),
      !isSent
    )
  }
})

type Values = Readonly<Record<string, string>>

/** Posts the form of a page with a new passkey, as its script does. */
function createAt(browser: Browser, page: BrowserResponse, values: Values, by: Authenticator) {
  const credential = by.create(readOptions<CreationOptions>(page))
  const path = new URL(page.url).pathname
  return browser.submit(path === signUpPage ? signUpPage : callback, { credential, ...values })
}

const signUpWithPasskey = async (
  browser: Browser,
  values: Values,
  by = createAuthenticator({ origin })
): Promise<BrowserResponse> => createAt(browser, await browser.open(signUpPage), { email: ada, ...values }, by)

t.test(
  'a sign-up with a passkey: the form has the fields of the application, and shows what is wrong with each',
  async (t) => {
    const { newBrowser, mailbox } = await openForSignUps(t, 'database', { passkey: fields })
    const page = await newBrowser().open(signUpPage)
    const find = (selector: string) => page.html().querySelector(selector)
    t.equal(find('input[name=company]')?.getAttribute('autocomplete'), 'organization')
    t.ok(find('select[name=plan]'))
    t.ok(find('input[type=checkbox][name=terms]'))
    for (const [changes, wrong, text] of [
      [{ plan: 'constructor' }, 'plan', 'This is missing or invalid'],
      [{ company: 'Evil' }, 'company', 'Not this one']
    ] as const) {
      const refused = await signUpWithPasskey(newBrowser(), { ...right, ...changes })
      t.equal(refused.status, 400)
      t.match(refused.html().querySelector(`#${wrong}-error`)?.text, text)
      t.equal(refused.html().querySelectorAll('.field-error').length, 1)
      t.equal(refused.html().querySelector('#email')?.getAttribute('value'), ada, 'what was typed stays')
      t.ok(refused.html().querySelector('#terms[checked]'))
      t.ok(readOptions<CreationOptions>(refused).challenge, 'another passkey can be created')
    }
    const json = await newBrowser().submit(signUpPage, { email: ada }, { json: true })
    t.match([json.status, json.body], [400, /"name":"company"/])
    t.same(mailbox.mails, [])
  }
)

t.test('a sign-up with a passkey: createUser gets what was typed, by the link and by the code', async (t) => {
  for (const way of ['link', 'code'] as const) {
    const app = await openForSignUps(t, 'database', { passkey: fields, adapter: createAdapter() })
    const [browser, authenticator] = [app.newBrowser(), createAuthenticator({ origin })]
    t.match(
      (await signUpWithPasskey(browser, { ...right, role: 'admin', id: '1' }, authenticator)).location,
      /check-mail/
    )
    if (way === 'link') await browser.fill(await browser.open(app.mailbox.last().url), 'form')
    else await browser.fill(await browser.open(`${base}/passkey/check-mail`), 'form', { code: app.mailbox.last().code })
    const user = readColumns(await findUser(app, ada))
    t.match(user, { company: 'Analytical Engines', plan: 'pro', terms: true, phone: null, email: ada }, way)
    t.notOk('role' in user)
    t.not(user.id, '1')
    t.ok(await canSignInWithPasskey(app.newBrowser(), authenticator))
  }
})

t.test('a sign-up with a passkey: in another browser, the owner of the address fills in the fields too', async (t) => {
  const app = await openForSignUps(t, 'database', { passkey: fields, adapter: createAdapter() })
  await signUpWithPasskey(app.newBrowser(), { ...right, company: 'Of somebody else' })
  const owner = app.newBrowser()
  const page = await owner.open(app.mailbox.last().url)
  t.equal(page.html().querySelector('#company')?.getAttribute('value'), '')
  const token = new URL(page.url).searchParams.get('token') ?? ''
  const authenticator = createAuthenticator({ origin })
  const refused = await createAt(owner, page, { token }, authenticator)
  t.equal(refused.status, 400)
  t.ok(refused.html().querySelector('#company-error'))
  await createAt(owner, refused, { token, ...right }, authenticator)
  t.equal(await getAddress(owner), ada)
  t.match(readColumns(await findUser(app, ada)), { company: 'Analytical Engines' })
})

t.test('a sign-up with a passkey: a form without the answer of the captcha does no work', async (t) => {
  const script = 'https://captcha.test/api.js'
  const attributes = { class: 'captcha', 'data-sitekey': 'a key' }
  const asked: string[] = []
  const verify = async ({ body }: { readonly body: Readonly<Record<string, unknown>> }) => {
    asked.push('captcha')
    return body['captcha-response'] === 'right'
  }
  const validateSignUp = () => {
    asked.push('fields')
    return {}
  }
  const own = { ...fields, validateSignUp, captcha: { script, attributes, verify } }
  const { newBrowser, mailbox } = await openForSignUps(t, 'database', { passkey: own })
  const page = await newBrowser().open(signUpPage)
  t.equal(page.html().querySelector('form div.captcha')?.getAttribute('data-sitekey'), 'a key')
  t.ok(page.html().querySelector(`script[src="${script}"]`))
  for (const answered of ['', 'wrong']) {
    const refused = await signUpWithPasskey(newBrowser(), { ...right, 'captcha-response': answered })
    t.equal(refused.status, 400)
    t.match(refused.body, 'The check that you are a person failed')
    t.equal(refused.html().querySelector('#email')?.getAttribute('value'), ada)
    t.equal(refused.html().querySelector('#company')?.getAttribute('value'), 'Analytical Engines')
    t.equal(refused.html().querySelectorAll('.field-error').length, 0)
  }
  t.same(asked, ['captcha', 'captcha'])
  t.same(mailbox.mails, [])
  t.match((await signUpWithPasskey(newBrowser(), { ...right, 'captcha-response': 'right' })).location, /check-mail/)
  t.same(asked.slice(2), ['captcha', 'fields'])
})

t.test(
  'a sign-up with a passkey: a field has no name that the form uses, and a captcha is loaded by https',
  async (t) => {
    const create = (options: Parameters<typeof passkey>[0]) =>
      createPostern({
        ...{ url: origin, secret: 'a secret of the tests, 32 characters or more', adapter: memoryAdapter() },
        providers: [passkey(options)]
      })
    for (const name of ['email', 'credential', 'options'])
      t.throws(
        () => create({ signUpFields: { [name]: { label: 'x' } } }),
        new RegExp(`another name of a field of signUpFields than ${name}`)
      )
    const captcha = { script: 'http://captcha.test/api.js', attributes: {}, verify: () => true }
    t.throws(() => create({ captcha }), /expected an https URL as captcha.script/)
  }
)
