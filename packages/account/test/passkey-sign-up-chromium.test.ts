/// <reference lib="dom" />
import { freePort } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { follow, openChromium, press, readText, withoutChromium } from '@postern/testkit/chromium'
import { inTurn, isLong } from '@postern/testkit/long'
import type { Browser, ConsoleMessage, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { ada, base, findUser } from './passkey-application.ts'
import { openForSignUps, signUpPage } from './passkey-sign-up-application.ts'
import { serve } from './web-server.ts'

const [createPasskey, emailField] = ['text=Create a passkey', 'main [name=email]']

const model = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true
} as const

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
  const url = `http://localhost:${await freePort()}`
  const app = await openForSignUps(t, 'database', { url })
  await serve(t, app.auth, url)
  const complaints: string[] = []

  /** A browser of a person, with an authenticator that Chromium simulates. */
  const open = async (person: Person = 'visitor', look: Look = {}) => {
    const page = await openShared(browser, person)
    const context = page.context()
    const { colorScheme = null, viewport = { width: 1280, height: 720 }, locale = 'en' } = look
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await page.setExtraHTTPHeaders({ 'accept-language': locale })
    const onError = ({ message }: Error): void => void complaints.push(message)
    const onConsole = (message: ConsoleMessage): void => {
      if (!/the server responded with a status/.test(message.text())) complaints.push(message.text())
    }
    page.on('pageerror', onError).on('console', onConsole)
    t.teardown(() => page.off('pageerror', onError).off('console', onConsole))
    const devTools = await context.newCDPSession(page)
    t.teardown(() => devTools.detach())
    await devTools.send('WebAuthn.enable', { enableUI: false })
    const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', { options: model })
    const listCredentials = async () =>
      (await devTools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
    const setVerified = (isUserVerified: boolean) =>
      devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    return { page, listCredentials, setVerified }
  }

  /** Checks the page that is shown. */
  const check = async (page: Page, name: string): Promise<void> => {
    const { inline, width, visible } = await page.evaluate(() => ({
      inline: document.querySelectorAll('style, [style], script:not([src])').length,
      width: document.documentElement.scrollWidth,
      visible: window.innerWidth
    }))
    t.equal(inline, 0, `${name}: nothing inline`)
    t.ok(width <= visible, `${name}: no sideways scrolling`)
    t.same((await runAxe(page)).found, [], `${name}: accessible`)
    t.same(complaints, [], `${name}: nothing refused by the policy`)
  }
  return { url, app, open, check }
}

const getSessionEmail = async (page: Page, url: string): Promise<string | undefined> =>
  (await (await page.request.get(`${url}${base}/session`)).json()).user?.email

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

  await t.test('without JavaScript the page says what is needed', async (t) => {
    const { url } = await openStage(t, browser)
    const page = await browser.newPage({ javaScriptEnabled: false, locale: 'en' })
    t.teardown(() => page.close())
    await page.goto(`${url}${signUpPage}`)
    // Chromium parses pages as if it ran scripts.
    t.match(await readText(page, 'noscript'), 'Passkeys need JavaScript')
    await follow(page, createPasskey, { [emailField]: ada })
    t.match(await readText(page, 'main'), 'The passkey could not be added. Passkeys need JavaScript')
    t.equal(await page.locator(emailField).inputValue(), ada)
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
