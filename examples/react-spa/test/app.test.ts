// The example itself, as a visitor uses it.

import { openChromium, withoutChromium } from '@postern/testkit/chromium'
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
  const greets = (page: Page, name: string): Promise<void> =>
    page.getByRole('heading', { name: `Hello, ${name}`, exact: true }).waitFor()

  t.test('a visitor signs in with a password, changes the name, asks the API and signs out', async (t) => {
    const page = await visiting()
    await page.goto(url)
    await page.getByLabel('Name').fill('ada')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor()
    await page.getByLabel('Password').fill('lovelace')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await greets(page, 'Ada Lovelace')
    await page.getByLabel('New name').fill('Augusta')
    await page.getByRole('button', { name: 'Change my name' }).click()
    await greets(page, 'Augusta')
    await page.getByRole('button', { name: 'Ask the API who I am' }).click()
    t.match(JSON.parse((await page.locator('pre').textContent()) ?? ''), { name: 'Augusta' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.equal((await page.request.get(`${url}/api/me`)).status(), 401)
  })

  t.test('a visitor signs in through a mailed link', async (t) => {
    const page = await visiting()
    await page.goto(url)
    await page.getByLabel('Email').fill('visitor@example.com')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('status').waitFor()
    await page.goto(linkFor('visitor@example.com'))
    await greets(page, 'visitor@example.com')
    t.equal(page.url(), `${url}/`)
  })

  t.test('a visitor signs in through the OpenID Provider', async (t) => {
    const page = await visiting()
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in with the demo provider' }).click()
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await greets(page, 'Ada Lovelace')
    t.equal(page.url(), `${url}/`)
  })

  t.test('a visitor adds a passkey, and signs in with it', async (t) => {
    const page = await visiting()
    t.teardown(await addAuthenticator(page))
    await page.goto(url)
    await page.getByLabel('Email').fill('passkey@example.com')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('status').waitFor()
    await page.goto(linkFor('passkey@example.com'))
    await greets(page, 'passkey@example.com')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('You can sign in with the passkey now.').waitFor()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('PasskeyExists').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await greets(page, 'passkey@example.com')
    t.equal(page.url(), `${url}/`)
  })

  t.test('a visitor sees another browser, and signs it out', async (t) => {
    const page = await visiting()
    const signIn = async (visitor: Page): Promise<void> => {
      await visitor.goto(url)
      await visitor.getByLabel('Email').fill('devices@example.com')
      await visitor.getByRole('button', { name: 'Mail me a link' }).click()
      await visitor.getByRole('status').waitFor()
      await visitor.goto(linkFor('devices@example.com'))
      await greets(visitor, 'devices@example.com')
    }
    await signIn(page)
    const other = await page.context().browser()?.newContext()
    if (!other) throw new Error('expected the browser')
    t.teardown(() => other.close())
    const elsewhere = await other.newPage()
    await signIn(elsewhere)
    await page.reload()
    await page.getByText('This device').waitFor()
    t.equal(await page.getByRole('listitem').count(), 2)
    await page.getByRole('button', { name: 'Sign out there' }).click()
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
    await page.goto(url)
    await page.getByLabel('Email').fill('before@example.com')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('status').waitFor()
    await page.goto(linkFor('before@example.com'))
    await greets(page, 'before@example.com')
    await page.getByLabel('New address').fill('before@example.com')
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByText('This is your address already.').waitFor()
    await page.getByLabel('New address').fill('after@example.com')
    await page.getByRole('button', { name: 'Send a code' }).click()
    const code = page.getByLabel('The code that was mailed to after@example.com')
    await code.fill('BBBBBBBB')
    await page.getByRole('button', { name: 'Change my address' }).click()
    await page.getByText('This code is wrong.').waitFor()
    await code.fill(codeFor('after@example.com'))
    await page.getByRole('button', { name: 'Change my address' }).click()
    await page.getByText('Your address has been changed.').waitFor()
    await page.getByText('after@example.com', { exact: true }).waitFor()
    t.equal(await code.count(), 0)
  })

  t.test('the page for members asks a stranger to sign in, and is shown then', async (t) => {
    const page = await visiting()
    await page.goto(`${url}/members`)
    await page.waitForURL('**/api/auth/signin?*')
    await page.locator('#input-username-for-credentials-provider').fill('grace')
    await page.locator('#input-password-for-credentials-provider').fill('hopper')
    await page.getByRole('button', { name: /Credentials/ }).click()
    await page.waitForURL(`${url}/members`)
    await page.getByText('Good to see you, Grace Hopper.').waitFor()
    t.equal(page.url(), `${url}/members`)
  })
}
