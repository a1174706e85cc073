import { configure, getSession, signIn } from '@postern/react'
import {
  confirmEnrollment,
  getPendingSignIn,
  getSecondFactor,
  removeSecondFactor,
  sendEnrollmentCode,
  startEnrollment,
  verifySecondFactor
} from '@postern/react/second-factor'
import { type Browser, createBrowser, fromFetch } from '@postern/testkit'
import t, { type Test } from 'tap'
import { createCode } from './create-code.ts'
import { openDemo } from './open-demo.ts'

const ada = 'ada@second-factor.example'

/** Starts the demo. @returns A browser there, whose cookies the calls of `@postern/react` use. */
async function open(test: Test): Promise<Browser> {
  const demo = await openDemo(test)
  const { fetch } = globalThis
  const browser = createBrowser({ origin: demo.url, send: fromFetch(fetch) })
  globalThis.fetch = async (url, { method, headers, body } = {}) => {
    const response = await browser.request(method === 'POST' ? 'POST' : 'GET', String(url), {
      headers: Object.fromEntries(new Headers(headers)),
      ...(body && { body: String(body) })
    })
    return new Response(response.body, { status: response.status })
  }
  test.teardown(() => {
    globalThis.fetch = fetch
  })
  Object.defineProperty(globalThis, 'location', { value: { href: `${demo.url}/` }, configurable: true })
  configure({ baseUrl: demo.url })
  return browser
}

/** The text of the newest mail. */
async function readMail(browser: Browser): Promise<string> {
  const inbox = await browser.open('/inbox')
  const mail = await browser.open(inbox.html().querySelector('ol a')?.getAttribute('href') ?? '')
  return mail.html().querySelector('pre')?.text ?? ''
}

/** Signs in by the link of the newest mail. @returns Where the browser is sent. */
async function signInByMail(browser: Browser): Promise<string | null> {
  await signIn('email', { email: ada, redirect: false, callbackUrl: '/' })
  const link = /http\S+\/callback\/email\S+/.exec(await readMail(browser))
  // A request by fetch is no navigation, so that the page asks.
  const page = await browser.open(link?.[0] ?? '')
  return (await browser.fill(page, 'form')).location
}

t.test('a person sets up an authenticator app, and is asked for it at the next sign-in', async (t) => {
  const browser = await open(t)
  t.equal(await signInByMail(browser), browser.origin)
  t.match((await browser.open('/')).body, '/api/auth/factors')
  t.match(await getSecondFactor(), { totp: null, recoveryCodes: null, problem: null })
  t.match(await startEnrollment(), { ok: true, key: null, mail: 'send' })
  const { key } = await sendEnrollmentCode()
  const text = key?.text ?? ''
  const mailCode = /^[B-Z]{8}$/m.exec(await readMail(browser))?.[0]
  t.match(key, { url: /^otpauth:\/\/totp\/Postern%20demo:/, qrCode: { size: Number, path: String } })
  t.match(await confirmEnrollment({ code: '12345' }), { ok: false, error: 'mailWrong' })
  t.match(await confirmEnrollment({ code: '12345', mailCode }), { ok: false, error: 'codeWrong' })
  const { recoveryCodes } = await confirmEnrollment({ code: createCode(text, 0), mailCode })
  t.equal(recoveryCodes.length, 10)
  t.match(await getSecondFactor(), { totp: { createdAt: String }, recoveryCodes: 10, needsCode: true })

  browser.cookies.clear()
  t.match(await signInByMail(browser), /\/api\/auth\/verify\?error=SecondFactorRequired$/)
  t.equal(await getSession(), null)
  t.match(await getPendingSignIn(), { step: 'factor', methods: ['totp', 'recovery-code'], mail: 'none', trustDays: 30 })
  t.match(await verifySecondFactor({ code: '12345' }), { ok: false, error: 'codeWrong' })
  t.match(await verifySecondFactor({ code: createCode(text, 1), redirect: false }), {
    ok: true,
    url: browser.origin
  })
  t.match(await getSession(), { user: { email: ada } })
  t.equal(await getPendingSignIn(), null)
  t.match(await removeSecondFactor({ code: '00000-00000' }), { ok: false, error: 'anyWrong' })
  t.match(await removeSecondFactor({ code: recoveryCodes[0] ?? '' }), { ok: true })

  browser.cookies.clear()
  t.equal(await signInByMail(browser), browser.origin)
})
