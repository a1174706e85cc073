/// <reference lib="dom" />
import { follow, openChromium, press, readText, withoutChromium } from '@postern/testkit/chromium'
import { inTurn, isLong } from '@postern/testkit/long'
import type { Browser, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { addAuthenticator, checkPage, getSessionEmail, listenForComplaints, openSite } from './chromium-site.ts'
import { ada, base, findUser } from './passkey-application.ts'
import { openForSignUps, signUpPage } from './passkey-sign-up-application.ts'

const [createPasskey, emailField] = ['text=Create a passkey', 'main [name=email]']

/** What differs between visits with JavaScript. */
interface Look {
  readonly colorScheme?: 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly locale?: string
}

/** The pages of two people, which all tests share: to open others takes longer than most of what the tests do. */
const people: Partial<Record<Person, Promise<Page>>> = {}
type Person = 'visitor' | 'other'

async function openShared(browser: Browser, person: Person): Promise<Page> {
  people[person] ??= browser.newPage()
  const page = await people[person]
  // What the test before has begun ends, so that none of it sets a cookie any more.
  await page.goto('about:blank')
  await page.context().clearCookies()
  return page
}

async function openStage(t: Test, browser: Browser) {
  const site = await openSite(t, ({ url }) => openForSignUps(t, 'database', { url }))
  const complaints: (readonly string[])[] = []

  /** A browser of a person, with an authenticator that Chromium simulates. */
  const open = async (person: Person = 'visitor', look: Look = {}) => {
    const page = await openShared(browser, person)
    const { colorScheme = null, viewport = { width: 1280, height: 720 }, locale = 'en' } = look
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await page.setExtraHTTPHeaders({ 'accept-language': locale })
    complaints.push(listenForComplaints(t, page))
    const { listCredentials, setVerified, detach } = await addAuthenticator(page)
    t.teardown(detach)
    return { page, listCredentials, setVerified }
  }

  /** Checks the page that is shown. */
  const check = async (page: Page, name: string): Promise<void> => {
    await checkPage(t, page, `passkey-sign-up-${name}`)
    t.same(complaints.flat(), [], `${name}: nothing refused by the policy`)
  }
  return { ...site, open, check }
}

/** One look in `npm test`, all of them in the long run. */
const someLooks = inTurn<Look>([
  { viewport: { width: 320, height: 640 }, locale: 'ar', colorScheme: 'dark' },
  { viewport: { width: 1024, height: 768 } }
])

t.test('in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  await t.test('a visitor creates an account, confirms it, and signs in with the passkey', async (t) => {
    const { url, app, open, check } = await openStage(t, browser)
    const { page, listCredentials } = await open()
    await page.goto(`${url}${base}/signin`)
    await follow(page, 'text=Create an account with a passkey')
    t.equal(page.url(), `${url}${signUpPage}`)
    await press(page, createPasskey)
    t.same(await listCredentials(), [], 'the browser asks for the address first')
    await follow(page, createPasskey, { [emailField]: ada })
    t.match(await readText(page, 'h1'), 'Check your email')
    if (isLong) await check(page, 'check-mail')
    t.match(await listCredentials(), [{ userName: ada, userDisplayName: ada, rpId: 'localhost' }])
    t.equal(await findUser(app, ada), null)
    await page.goto(app.mailbox.last().url)
    await check(page, 'confirm')
    await follow(page, 'text=Confirm and sign in')
    t.equal(page.url(), `${url}/`)
    t.equal(await getSessionEmail(page, url), ada)
    await page.goto(`${url}${base}/signout?callbackUrl=/`)
    await follow(page, '#submitButton')
    t.equal(page.url(), `${url}/`)
    t.equal(await getSessionEmail(page, url), undefined)
    // The virtual authenticator chooses in the autofill at once.
    await page.goto(`${url}${base}/signin?callbackUrl=/members`)
    await page.waitForURL(`${url}/members`)
    t.equal(await getSessionEmail(page, url), ada)
  })

  await t.test('the link in another browser creates a passkey there; who refuses can try again', async (t) => {
    const { url, app, open, check } = await openStage(t, browser)
    const first = await open()
    await first.page.goto(`${url}${signUpPage}`)
    await first.setVerified(false)
    await press(first.page, createPasskey, { [emailField]: ada })
    await first.page.getByText('No passkey was created: you canceled').waitFor()
    t.same(await first.listCredentials(), [])
    await check(first.page, 'cancelled')
    await first.setVerified(true)
    await follow(first.page, createPasskey)
    t.match(await readText(first.page, 'h1'), 'Check your email')
    const { page, listCredentials } = await open('other')
    await page.goto(app.mailbox.last().url)
    t.match(await readText(page, 'main'), 'This browser has not signed up.')
    if (isLong) await check(page, 'create')
    await follow(page, createPasskey)
    t.equal(page.url(), `${url}/`)
    t.equal(await getSessionEmail(page, url), ada)
    const [credential] = await listCredentials()
    t.equal(credential?.userName, ada)
    const stored = await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? '')
    t.same(
      stored.map(({ credentialId }) => credentialId),
      [Buffer.from(credential?.credentialId ?? '', 'base64').toString('base64url')]
    )
  })

  for (const look of someLooks())
    await t.test(`screens: ${JSON.stringify(look)}`, async (t) => {
      const { url, app, open, check } = await openStage(t, browser)
      const { page } = await open('visitor', look)
      await page.goto(`${url}${signUpPage}`)
      await check(page, 'sign-up')
      await follow(page, 'form[action$="/passkey/sign-up"] button', { [emailField]: ada })
      t.equal(await page.evaluate(() => document.querySelectorAll('[name=code]').length), 1)
      await check(page, 'check-mail')
      const other = await open('other', look)
      await other.page.goto(app.mailbox.last().url)
      await check(other.page, 'create')
    })
})
