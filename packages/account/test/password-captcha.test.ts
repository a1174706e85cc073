/// <reference lib="dom" />
import { type PasswordOptions, password } from '@postern/account/password'
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern } from '@postern/core'
import { follow, openChromium, withoutChromium } from '@postern/testkit/chromium'
import t from 'tap'
import { openSite } from './chromium-site.ts'
import { ada, base, findUser, first, openApplication, origin } from './password-application.ts'

const script = 'https://captcha.test/api.js'
const attributes = { class: 'captcha', 'data-sitekey': 'a key' }

/** A captcha that is passed by the answer `right`, and what it was asked with. */
function createCaptcha() {
  const asked: unknown[] = []
  const verify: NonNullable<PasswordOptions['captcha']>['verify'] = async (form) => {
    asked.push(form)
    return form.body['captcha-response'] === 'right'
  }
  return { asked, captcha: { script, attributes, verify } }
}

t.test('a form without the answer of the captcha does no work, for a sign-up and a forgotten password', async (t) => {
  const { asked, captcha } = createCaptcha()
  const checked: string[] = []
  const breached = async (typed: string): Promise<boolean> => {
    checked.push(typed)
    return false
  }
  const app = await openApplication(t, 'database', { password: { captcha, breached } })
  for (const path of ['/password/sign-up', '/password/forgot']) {
    const browser = app.newBrowser()
    const page = await browser.open(base + path)
    const widget = page.html().querySelector('form div.captcha')
    t.equal(widget?.getAttribute('data-sitekey'), 'a key')
    t.ok(page.html().querySelector(`script[src="${script}"]`))
    const typed = { email: ada, password: first }
    for (const answered of ['', 'wrong']) {
      const values = { ...typed, 'captcha-response': answered }
      const refused = await browser.submit(base + path, values)
      t.equal(refused.status, 400)
      t.match(refused.body, 'The check that you are a person failed')
      t.equal(refused.html().querySelector('#email')?.getAttribute('value'), ada, 'what was typed stays')
      t.match(asked.at(-1), { body: values })
    }
    t.same(app.mailbox.mails, [])
    t.same(checked, [])
  }
  const right = { email: ada, password: first, 'captcha-response': 'right' }
  const sent = await app.newBrowser().submit(`${base}/password/sign-up`, right)
  t.match(sent.location, /check-mail/)
  t.equal(app.mailbox.mails.length, 1)
})

t.test('only true passes, and a captcha that fails lets nobody through', async (t) => {
  for (const answered of ['true', 1, undefined, new Error('the service does not respond')]) {
    const verify = async (): Promise<boolean> => {
      if (answered instanceof Error) throw answered
      return answered as unknown as boolean
    }
    const app = await openApplication(t, 'database', { password: { captcha: { script, attributes, verify } } })
    const response = await app.newBrowser().submit(`${base}/password/sign-up`, { email: ada, password: first })
    t.notMatch(response.location ?? '', /check-mail/, String(answered))
    t.same(app.mailbox.mails, [])
  }
})

t.test('the script is loaded by https, and its element has no other attributes', async (t) => {
  for (const [changes, message] of [
    [{ script: 'http://captcha.test/api.js' }, /expected an https URL as captcha.script/],
    [{ script: '/api.js' }, /expected an https URL as captcha.script/],
    [{ attributes: { onclick: 'alert()' } }, /expected class or data-\* in captcha.attributes, got onclick/]
  ] as const)
    t.throws(
      () =>
        createPostern({
          ...{ url: origin, secret: 'a secret of the tests, 32 characters or more', adapter: memoryAdapter() },
          providers: [password({ captcha: { ...createCaptcha().captcha, ...changes } })]
        }),
      message
    )
})

t.test('a browser loads the script of a captcha that the policy allows', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()
  for (const isAllowed of [true, false]) {
    const { captcha } = createCaptcha()
    const policy = (given: string): string => given.replace('script-src', 'script-src https://captcha.test')
    const { url, app } = await openSite(t, (options) =>
      openApplication(t, 'database', {
        ...{ ...options, password: { captcha } },
        ...(isAllowed && { contentSecurityPolicy: policy })
      })
    )
    const context = await browser.newContext()
    t.teardown(() => context.close())
    const page = await context.newPage()
    const body = `const input = document.createElement('input')
      Object.assign(input, { type: 'hidden', name: 'captcha-response', value: 'right' })
      document.querySelector('.captcha').append(input)`
    await page.route('https://captcha.test/**', (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await page.goto(`${url}${base}/password/sign-up`, { waitUntil: 'load' })
    await follow(page, 'main form button', { 'main input[name=email]': ada, 'main input[name=password]': first })
    if (isAllowed) t.match(page.url(), /check-mail/)
    else t.match(await page.textContent('main'), /check that you are a person failed/)
    t.equal(app.mailbox.mails.length, isAllowed ? 1 : 0)
    t.equal(await findUser(app, ada), null)
  }
})
