import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern, type EmailConfig, type SignInCallbackInput } from '@postern/core'
import email from '@postern/core/providers/email'
import { createBrowser, createMailbox, fromFetch } from '@postern/testkit'
import t from 'tap'
import { origin, start } from './start.ts'

type Captcha = NonNullable<EmailConfig['captcha']>

const script = 'https://captcha.test/api.js'
const attributes = { class: 'captcha', 'data-sitekey': 'a key' }
const address = 'ada@example.com'
const path = '/api/auth/signin/email'

/** A captcha that is passed by the answer `right`, and what it was asked with. */
function createCaptcha() {
  const asked: unknown[] = []
  const verify: Captcha['verify'] = async (form) => {
    asked.push(form)
    return form.body['captcha-response'] === 'right'
  }
  return { asked, captcha: { script, attributes, verify } }
}

t.test('a form without the answer of the captcha does no work, and says so', async (t) => {
  const { asked, captcha } = createCaptcha()
  const calls: SignInCallbackInput[] = []
  const callbacks = { signIn: (input: SignInCallbackInput) => calls.push(input) > 0 }
  const rateLimit = { mailPerIdentifier: { points: 1, seconds: 900 } }
  const { newBrowser, mailbox } = await start(t, { mail: { captcha }, callbacks, rateLimit })
  const browser = newBrowser()
  const page = await browser.open('/api/auth/signin')
  const form = page.html().querySelector(`form[action="${path}"]`)
  t.equal(form?.querySelector('div.captcha')?.getAttribute('data-sitekey'), 'a key')
  t.ok(page.html().querySelector(`script[src="${script}"][async]`), 'React puts it into the head')
  for (const answered of ['', 'wrong']) {
    const values = { email: address, 'captcha-response': answered }
    const refused = await browser.submit(path, values)
    t.match(refused.location, `${origin}/api/auth/signin?error=EmailSignin&reason=captcha&ref=`)
    const shown = await browser.follow(refused)
    t.match(shown.body, 'The check that you are a person failed.')
    t.equal(shown.html().querySelector('input[name=email]')?.getAttribute('value'), address, 'what was typed stays')
    t.ok(shown.html().querySelector('div.captcha'), 'it can be answered again')
    t.notOk(shown.html().querySelector('[aria-invalid=true]'), 'no field is wrong')
    t.match(asked.at(-1), { body: values, client: '127.0.0.1' })
  }
  const german = await browser.open('/api/auth/signin?error=EmailSignin&reason=captcha', {
    headers: { 'accept-language': 'de' }
  })
  t.match(german.body, 'Die Prüfung, ob Sie ein Mensch sind, ist fehlgeschlagen.')
  t.same([mailbox.mails, calls], [[], []])

  const sent = await browser.submit(path, { email: address, 'captcha-response': 'right' })
  t.match(sent.location, /verify-request/, 'refused forms do not count against the limit of mails')
  t.equal(mailbox.mails.length, 1)
  const after = await browser.follow(sent)
  t.notOk(after.html().querySelector(`form[action="${path}"]`), 'another mail needs another answer')
  t.ok(after.html().querySelector('a[href="/api/auth/signin"]'))
  await browser.open(mailbox.last().url)
  t.match(await browser.json('/api/auth/session'), { user: { email: address } })
})

t.test('only true passes, and a captcha that fails lets nobody through', async (t) => {
  for (const answered of ['true', 1, undefined, new Error('the service does not respond')]) {
    const verify = async (): Promise<boolean> => {
      if (answered instanceof Error) throw answered
      return answered as unknown as boolean
    }
    const { browser, mailbox } = await start(t, { mail: { captcha: { script, attributes, verify } } })
    const response = await browser.submit(path, { email: address })
    t.notMatch(response.location ?? '', /verify-request/, String(answered))
    t.same(mailbox.mails, [])
  }
})

t.test('the plain page has it too, and a script over http is refused at startup', async (t) => {
  const { captcha } = createCaptcha()
  const create = (changes: Partial<Captcha> = {}) =>
    createPostern({
      ...{ url: origin, secret: 'a secret of the tests, 32 characters or more', adapter: memoryAdapter() },
      providers: [email({ server: 'smtp://localhost', from: 'a@example.com', captcha: { ...captcha, ...changes } })],
      runtime: { sendMail: createMailbox().sendMail }
    })
  const page = await createBrowser({ origin, send: fromFetch(create().fetch) }).open('/api/auth/signin')
  t.ok(page.html().querySelector(`form div.captcha[data-sitekey]`))
  t.ok(page.html().querySelector(`form script[src="${script}"]`))
  t.throws(() => create({ script: 'http://captcha.test/api.js' }), /providers.email.captcha: expected an https URL/)
  t.throws(() => create({ attributes: { onclick: 'alert()' } }), /expected class or data-\* in captcha.attributes/)
})
