/// <reference lib="dom" />
import { createBrowser, fromFetch } from '@postern/testkit'
import { follow, followInFrame, openChromium, readText, withoutChromium } from '@postern/testkit/chromium'
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

/** Expects a page with this heading. */
async function expectHeading(page: Page, heading: string): Promise<void> {
  const found = await readText(page, 'h1')
  if (found.trim() !== heading) throw new Error(`expected ${heading}, found ${found} on ${page.url()}`)
}

const press = (page: Page, name: string): Promise<void> => follow(page, `text=${name}`)
const read = readText

/** Signs in as Ada at the demo's provider, and waits for a page with this heading. */
async function signIn(page: Page, url: string, heading = 'Hello, Ada Lovelace'): Promise<void> {
  await page.goto(url)
  await press(page, 'Sign in')
  await press(page, 'Sign in with Demo provider')
  await follow(page, 'button[value=ada]')
  await expectHeading(page, heading)
}

/** Opens a page of the account. */
async function openAccount(page: Page, url: string, section: string): Promise<void> {
  if (!page.url().startsWith(`${url}/api/auth/account`)) {
    await page.goto(url)
    await press(page, 'Your account')
  } else await page.goto(`${url}/api/auth/account`)
  await press(page, section)
  await expectHeading(page, section)
}

type Letter = readonly [to: string, subject: string]

/** Waits for the newest mail with a subject: notices are sent in the background. @returns Its path, and its text */
async function readMail(url: string, [to, subject]: Letter): Promise<{ readonly path: string; readonly text: string }> {
  const browser = createBrowser({ origin: url, send: fromFetch(fetch) })
  for (let requests = 0; requests < 5000; requests++) {
    const inbox = await browser.open('/inbox')
    const mail = inbox
      .html()
      .querySelectorAll('ol li')
      .find(({ text }) => text.includes(`to ${to}`) && text.includes(subject))
    const path = mail?.querySelector('a')?.getAttribute('href')
    if (path) return { path, text: (await browser.open(path)).html().querySelector('pre')?.text ?? '' }
  }
  throw new Error(`expected a mail to ${to}: ${subject}`)
}

/** Opens a mail in the inbox. @returns Its text */
async function openMail(page: Page, url: string, letter: Letter): Promise<string> {
  const { path } = await readMail(url, letter)
  await page.goto(`${url}/inbox`)
  await follow(page, `a[href="${path}"]`)
  return read(page, 'pre')
}

/** Presses the button of the open mail. */
const pressInMail = (page: Page, name: string): Promise<void> => followInFrame(page, `text=${name}`)

async function endOtherDevice(t: Test, [page, other]: readonly [Page, Page], { url }: Visit): Promise<void> {
  await signIn(other, url)
  t.match((await readMail(url, [old, 'New sign-in to Postern demo'])).text, 'used on a new device: Chrome (Linux)')
  await openAccount(page, url, 'Devices')
  t.equal(await page.evaluate(() => document.querySelectorAll('main li').length), 2, 'two browsers')
  await press(page, 'Sign out Chrome (Linux)')
  t.match(await read(page, '[role=status]'), 'The device has been signed out.')
  t.match(await read(page, 'main'), 'You are signed in on this device only.')
  await other.goto(`${url}/members`)
  t.match(new URL(other.url()).pathname, '/signin', 'the other browser has to sign in again')
  t.same(await (await other.request.get(`${url}/api/auth/session`)).json(), {}, 'its session does not exist')
}

async function changeAddress(t: Test, page: Page, { url }: Visit): Promise<void> {
  await openAccount(page, url, 'Email address')
  await follow(page, 'text=Send a confirmation', { 'main [name=email]': changed })
  const { text } = await readMail(url, [changed, 'Confirm your new email address'])
  const code = /^[B-Z]{4}-[B-Z]{4}$/m.exec(text)?.[0] ?? ''
  await follow(page, 'text=Confirm email address', { 'main [name=code]': code })
  t.match(await read(page, 'main'), `Your email address changes to ${changed}`)
  t.match(await openMail(page, url, [old, 'will be changed']), 'cancel the change')
  await pressInMail(page, 'Confirm or cancel')
  await press(page, 'Confirm the change')
  t.match(await read(page, 'main'), 'Your email address has been changed.')
  const welcome = await readMail(url, [changed, 'This is your email address'])
  t.match(welcome.text, 'If it was not you, contact Postern demo.')
}

/** @returns The key of the authenticator app. */
async function addSecondFactor(t: Test, page: Page, { url }: Visit): Promise<string> {
  await openAccount(page, url, 'Two-step verification')
  await press(page, 'Set up an authenticator app')
  await press(page, 'Send code by email')
  const { text } = await readMail(url, [changed, 'Your code for'])
  const mailCode = /^[B-Z]{8}$/m.exec(text)?.[0] ?? ''
  await follow(page, 'text=Continue', { '[name=mailCode]': mailCode })
  const key = await read(page, 'code')
  await press(page, 'Continue')
  await follow(page, 'text=Confirm', { 'main [name=code]': createCode(key, 0) })
  const codes = await read(page, 'pre')
  t.equal(codes.trim().split('\n').length, 10, 'recovery codes')
  t.match((await readMail(url, [changed, 'Two-step verification was turned on'])).text, 'from the IP address 127.0.0.1')
  return key
}

async function signInWithSecondFactor(t: Test, page: Page, { url }: Visit, key: string): Promise<void> {
  await page.goto(url)
  await press(page, 'Sign out')
  await follow(page, '#submitButton')
  await expectHeading(page, 'Hello, stranger')
  await signIn(page, url, 'Confirm that it is you')
  t.same(await (await page.request.get(`${url}/api/auth/session`)).json(), {}, 'the provider is not enough')
  await follow(page, 'text=Continue', { 'main [name=code]': createCode(key, 1) })
  await expectHeading(page, 'Hello, Ada Lovelace')
}

t.test('the tour of the README, in Chromium', { skip: withoutChromium }, async (t) => {
  const chromium = await openChromium()
  const tour = await visit(t, chromium)
  const [page, other] = [await tour.open(), await tour.open()]
  await signIn(page, tour.url)
  await endOtherDevice(t, [page, other], tour)
  await changeAddress(t, page, tour)
  await signInWithSecondFactor(t, page, tour, await addSecondFactor(t, page, tour))
  await openAccount(page, tour.url, 'Recent activity')
  const activity = await read(page, 'main')
  for (const event of ['Two-step verification turned on', 'Email address changed', 'Signed out'])
    t.match(activity, event)
  t.same(tour.remote, [], 'nothing but localhost')
})
