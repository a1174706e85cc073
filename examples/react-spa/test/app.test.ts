// The example itself, as a visitor uses it.

import { follow, openChromium, press, waitForTexts, withoutChromium } from '@postern/testkit/chromium'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { addAuthenticator } from './chromium.ts'
import { empty } from './journey.ts'
import { buildPages, type Started, start } from './start.ts'

t.test('the example in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()
  const server = await start(await buildPages('app', ['index.html']))
  t.teardown(() => server.close())
  const page = await browser.newPage()
  page.on('pageerror', (error) => t.fail(error.message))
  testApp(t, server, () => empty(page))
})

function testApp(t: Test, { url, linkFor, codeFor }: Started, visiting: () => Promise<Page>): void {
  const greets = (page: Page, name: string): Promise<void> => waitForTexts(page, { h1: `Hello, ${name}` })
  const opens = async (page: Page): Promise<void> => {
    await page.goto(url)
    await waitForTexts(page, { h1: 'Sign in' })
  }
  /** Signs in by mail; a test of its own does so in the page. */
  const signInByMail = async (page: Page, email: string): Promise<void> => {
    const { csrfToken } = await (await page.request.get(`${url}/api/auth/csrf`)).json()
    const form = { csrfToken, email, callbackUrl: url, json: 'true' }
    await page.request.post(`${url}/api/auth/signin/email`, { form })
    await page.goto(linkFor(email))
    await greets(page, email)
  }

  t.test('a visitor signs in with a password, changes the name, asks the API and signs out', async (t) => {
    const page = await visiting()
    await opens(page)
    await press(page, 'text=Sign in', { '[aria-label=Name]': 'ada', '[aria-label=Password]': 'wrong' })
    await waitForTexts(page, { '[role=alert]': 'Name and password do not belong together.' })
    await press(page, 'text=Sign in', { '[aria-label=Password]': 'lovelace' })
    await greets(page, 'Ada Lovelace')
    await press(page, 'text=Change my name', { '[aria-label="New name"]': 'Augusta' })
    await greets(page, 'Augusta')
    await press(page, 'text=Ask the API who I am')
    t.match(JSON.parse((await page.locator('pre').textContent()) ?? ''), { name: 'Augusta' })
    await press(page, 'text=Sign out')
    await waitForTexts(page, { h1: 'Sign in' })
    t.equal((await page.request.get(`${url}/api/me`)).status(), 401)
  })

  t.test('a visitor signs in through a mailed link', async (t) => {
    const page = await visiting()
    await opens(page)
    await press(page, 'text=Mail me a link', { '[aria-label=Email]': 'visitor@example.com' })
    await waitForTexts(page, { '[role=status]': 'A link is on its way to you.' })
    await page.goto(linkFor('visitor@example.com'))
    await greets(page, 'visitor@example.com')
    t.equal(page.url(), `${url}/`)
  })

  t.test('a visitor signs in through the OpenID Provider', async (t) => {
    const page = await visiting()
    await opens(page)
    await follow(page, 'text=Sign in with the demo provider')
    await follow(page, 'text=Ada Lovelace')
    await greets(page, 'Ada Lovelace')
    t.equal(page.url(), `${url}/`)
  })

  t.test('a visitor adds a passkey, and signs in with it', async (t) => {
    const page = await visiting()
    t.teardown(await addAuthenticator(page))
    await signInByMail(page, 'passkey@example.com')
    await press(page, 'text=Add a passkey')
    await waitForTexts(page, { pre: 'You can sign in with the passkey now.' })
    await press(page, 'text=Add a passkey')
    await waitForTexts(page, { pre: 'PasskeyExists' })
    await press(page, 'text=Sign out')
    await waitForTexts(page, { h1: 'Sign in' })
    await press(page, 'text=Sign in with a passkey')
    await greets(page, 'passkey@example.com')
    t.equal(page.url(), `${url}/`)
  })

  t.test('a visitor sees another browser, and signs it out', async (t) => {
    const page = await visiting()
    await signInByMail(page, 'devices@example.com')
    const other = await page.context().browser()?.newContext()
    if (!other) throw new Error('expected the browser')
    t.teardown(() => other.close())
    const elsewhere = await other.newPage()
    await signInByMail(elsewhere, 'devices@example.com')
    await page.reload()
    await waitForTexts(page, { strong: 'This device' })
    t.equal(await page.getByRole('listitem').count(), 2)
    await press(page, 'text=Sign out there')
    await page.getByRole('button', { name: 'Sign out there' }).waitFor({ state: 'detached' })
    t.equal(await page.getByRole('listitem').count(), 1)
    // Another process of a cluster reads the end of a JWT session a second later: until then, some requests find the session.
    const signInHeading = elsewhere.getByRole('heading', { name: 'Sign in' })
    const greeting = elsewhere.getByRole('heading', { name: 'Hello, devices@example.com' })
    do {
      await elsewhere.reload()
      await signInHeading.or(greeting).waitFor()
    } while (await greeting.isVisible())
    t.ok(await signInHeading.isVisible())
  })

  t.test('a visitor changes the email address with a mailed code', async (t) => {
    const page = await visiting()
    await signInByMail(page, 'before@example.com')
    await waitForTexts(page, { 'section p': 'before@example.com' })
    const [sendCode, newAddress, code] = ['text=Send a code', '[aria-label="New address"]', '#code']
    await press(page, sendCode, { [newAddress]: 'before@example.com' })
    await waitForTexts(page, { '[role=status]': 'This is your address already.' })
    await press(page, sendCode, { [newAddress]: 'after@example.com' })
    await waitForTexts(page, { 'label[for=code]': 'The code that was mailed to after@example.com' })
    await press(page, 'text=Change my address', { [code]: 'BBBBBBBB' })
    await waitForTexts(page, { '[role=status]': 'This code is wrong.' })
    await press(page, 'text=Change my address', { [code]: codeFor('after@example.com') })
    await page.getByText(/It becomes after@example.com when you open the link/).waitFor()
    t.equal(await page.evaluate((code) => document.querySelectorAll(code).length, code), 0)
    await press(page, 'text=Keep the address')
    await waitForTexts(page, { '[role=status]': 'Your address stays.', 'section p': 'before@example.com' })
    await press(page, sendCode, { [newAddress]: 'after@example.com' })
    await waitForTexts(page, { 'label[for=code]': 'The code that was mailed to after@example.com' })
    await press(page, 'text=Change my address', { [code]: codeFor('after@example.com') })
    await page.getByText(/It becomes after@example.com when you open the link/).waitFor()
    await page.goto(linkFor('before@example.com'))
    const done = page.waitForResponse((response) => response.request().method() === 'POST')
    await press(page, 'form[action$="/account/email/change"] button[type=submit]')
    await (await done).finished()
    await page.goto(url)
    await waitForTexts(page, { 'section p': 'after@example.com' })
  })

  t.test('the page for members asks a stranger to sign in, and is shown then', async (t) => {
    const page = await visiting()
    await page.goto(`${url}/members`)
    await page.waitForURL('**/api/auth/signin?*')
    await press(page, 'summary')
    await follow(page, 'form[action$="/callback/credentials"] button', {
      '#input-username-for-credentials-provider': 'grace',
      '#input-password-for-credentials-provider': 'hopper'
    })
    await waitForTexts(page, { p: 'Good to see you, Grace Hopper.' })
    t.equal(page.url(), `${url}/members`)
  })
}
