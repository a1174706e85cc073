import { createBrowser, fromFetch } from '@postern/testkit'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import type { Browser, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createCode } from './create-code.ts'
import { openDemo } from './open-demo.ts'

const [old, changed] = ['ada@example.com', 'countess@example.com']

interface Visit {
  readonly url: string
  /** Opens another browser. */
  readonly open: () => Promise<Page>
  /** Requests to other hosts than the demo's. */
  readonly remote: readonly string[]
}

async function visit(t: Test, chromium: Browser): Promise<Visit> {
  const demo = await openDemo(t)
  const remote: string[] = []
  const open = async (): Promise<Page> => {
    const context = await chromium.newContext({ locale: 'en' })
    t.teardown(() => context.close())
    context.on('request', (request) => {
      const { hostname, protocol, href } = new URL(request.url())
      if (hostname !== 'localhost' && protocol !== 'data:') remote.push(href)
    })
    return context.newPage()
  }
  return { url: demo.url, open, remote }
}

/** Waits for a page with this heading. */
const waitFor = (page: Page, heading: string): Promise<void> =>
  page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor()

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string): Promise<void> =>
  page.getByRole('link', { name, exact: true }).first().click()
const read = async (page: Page, selector: string): Promise<string> => (await page.locator(selector).textContent()) ?? ''

/** Signs in as Ada at the demo's provider, and waits for a page with this heading. */
async function signIn(page: Page, url: string, heading = 'Hello, Ada Lovelace'): Promise<void> {
  await page.goto(url)
  await follow(page, 'Sign in')
  await press(page, 'Sign in with Demo provider')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await waitFor(page, heading)
}

/** Opens a page of the account, as a person does: from the front page. */
async function openAccount(page: Page, url: string, section: string): Promise<void> {
  await page.goto(url)
  await follow(page, 'Your account')
  await page.getByRole('link', { name: section }).click()
  await waitFor(page, section)
}

/** Opens the newest mail with a subject. Notices are sent in the background: the browser opens the inbox when it is there. */
async function openMail(page: Page, url: string, [to, subject]: readonly [string, string]): Promise<string> {
  const browser = createBrowser({ origin: url, send: fromFetch(fetch) })
  const isThere = async (): Promise<boolean> => {
    const inbox = await browser.open('/inbox')
    return inbox
      .html()
      .querySelectorAll('ol li')
      .some(({ text }) => text.includes(`to ${to}`) && text.includes(subject))
  }
  for (let requests = 0; requests < 5000 && !(await isThere()); requests++);
  await page.goto(`${url}/inbox`)
  const mail = page.locator('ol li', { hasText: `to ${to}` }).getByRole('link', { name: subject })
  await mail.first().click({ timeout: 1000 })
  return read(page, 'pre')
}

/** Presses the button of the open mail. */
const pressInMail = (page: Page, name: string): Promise<void> =>
  page.frameLocator('iframe').getByRole('link', { name }).click()

async function endOtherDevice(t: Test, [page, other]: readonly [Page, Page], { url }: Visit): Promise<void> {
  await signIn(other, url)
  t.match(await openMail(page, url, [old, 'New sign-in to Postern demo']), 'used on a new device: Chrome (Linux)')
  await openAccount(page, url, 'Devices')
  t.equal(await page.getByRole('listitem').count(), 2, 'two browsers')
  await press(page, 'Sign out Chrome (Linux)')
  t.match(await read(page, '[role=status]'), 'The device has been signed out.')
  t.match(await read(page, 'main'), 'You are signed in on this device only.')
  await other.goto(`${url}/members`)
  t.match(new URL(other.url()).pathname, '/signin', 'the other browser has to sign in again')
  t.same(await (await other.request.get(`${url}/api/auth/session`)).json(), {}, 'its session does not exist')
}

async function changeAddress(t: Test, page: Page, { url }: Visit): Promise<void> {
  await openAccount(page, url, 'Email address')
  await page.getByLabel('New email address').fill(changed)
  await press(page, 'Send a confirmation')
  t.match(await openMail(page, url, [changed, 'Confirm your new email address']), 'within an hour')
  await pressInMail(page, 'Confirm email address')
  await press(page, 'Confirm email address')
  t.match(await read(page, '[role=status]'), 'Your email address has been changed.')
  t.match(await read(page, 'main'), changed)
  t.match(
    await openMail(page, url, [changed, 'This is your email address']),
    'If it was not you, contact Postern demo.'
  )
}

async function undoChange(t: Test, page: Page, { url }: Visit): Promise<void> {
  t.match(await openMail(page, url, [old, 'has been changed']), 'undo the change within 7 days')
  await pressInMail(page, 'Undo the change')
  await waitFor(page, 'Undo the change of your email address')
  t.match(await read(page, 'main'), 'signed out on every device')
  t.equal(
    await page.getByRole('button', { name: 'Undo the change' }).count(),
    0,
    'the session is from before the change'
  )
  await follow(page, 'Confirm that it is you')
  await press(page, 'Sign in with Demo provider')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await waitFor(page, 'Undo the change of your email address')
  await press(page, 'Undo the change')
  await waitFor(page, 'The change has been undone')
  await page.goto(url)
  t.equal(await read(page, 'h1'), 'Hello, stranger', 'this browser is signed out, too')
  for (const to of [old, changed]) t.match(await openMail(page, url, [to, 'was undone']), 'All devices were signed out')
  await signIn(page, url)
  await openAccount(page, url, 'Email address')
  t.match(await read(page, 'main'), old)
}

/** @returns The key of the authenticator app. */
async function addSecondFactor(t: Test, page: Page, { url }: Visit): Promise<string> {
  await openAccount(page, url, 'Second factor')
  await press(page, 'Set up an authenticator app')
  await press(page, 'Send code by email')
  await page.getByLabel('Code from the email').waitFor()
  const enrollment = page.url()
  const mailCode = /^[B-Z]{8}$/m.exec(await openMail(page, url, [old, 'Your code for']))?.[0] ?? ''
  await page.goto(enrollment)
  const key = await read(page, 'code')
  await page.getByLabel('Code from the email').fill(mailCode)
  await page.getByLabel('Code from the app').fill(createCode(key, 0))
  await press(page, 'Confirm')
  const codes = await read(page, 'pre')
  t.equal(codes.trim().split('\n').length, 10, 'recovery codes')
  t.match(await openMail(page, url, [old, 'A second factor was added']), 'from the IP address 127.0.0.1')
  return key
}

async function signInWithSecondFactor(t: Test, page: Page, { url }: Visit, key: string): Promise<void> {
  await page.goto(url)
  await press(page, 'Sign out')
  await page.locator('#submitButton').click()
  await waitFor(page, 'Hello, stranger')
  await signIn(page, url, 'Confirm that it is you')
  t.same(await (await page.request.get(`${url}/api/auth/session`)).json(), {}, 'the provider is not enough')
  await page.getByLabel('Code from the app').fill(createCode(key, 1))
  await press(page, 'Continue')
  await waitFor(page, 'Hello, Ada Lovelace')
}

t.test('the tour of the README, in Chromium', { skip: withoutChromium }, async (t) => {
  const chromium = await openChromium()
  const tour = await visit(t, chromium)
  const [page, other] = [await tour.open(), await tour.open()]
  await signIn(page, tour.url)
  await endOtherDevice(t, [page, other], tour)
  await changeAddress(t, page, tour)
  await undoChange(t, page, tour)
  await signInWithSecondFactor(t, page, tour, await addSecondFactor(t, page, tour))
  await openAccount(page, tour.url, 'Recent activity')
  const activity = await read(page, 'main')
  for (const event of [
    'Second factor added',
    'Change of the email address undone',
    'Email address changed',
    'Signed out'
  ])
    t.match(activity, event)
  t.same(tour.remote, [], 'nothing but localhost')
})
