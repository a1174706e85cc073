/// <reference lib="dom" />
import { freePort } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { inTurn, isLong } from '@postern/testkit/long'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { ada, base, findUser } from './passkey-application.ts'
import { openForSignUps, signUpPage } from './passkey-sign-up-application.ts'
import { serve } from './web-server.ts'

const model = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true
} as const

async function openStage(t: Test, browser: Browser) {
  const url = `http://localhost:${await freePort()}`
  const app = await openForSignUps(t, 'database', { url })
  await serve(t, app.auth, url)
  const complaints: string[] = []

  /** A browser of its own, with an authenticator that Chromium simulates. */
  const open = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext(options)
    t.teardown(() => context.close())
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (!/the server responded with a status/.test(message.text())) complaints.push(message.text())
    })
    const devTools = await context.newCDPSession(page)
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
    t.equal(await page.locator('style, [style], script:not([src])').count(), 0, `${name}: nothing inline`)
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
    t.ok(Number(width[0]) <= Number(width[1]), `${name}: no sideways scrolling`)
    t.same((await runAxe(page)).found, [], `${name}: accessible`)
    t.same(complaints, [], `${name}: nothing refused by the policy`)
  }
  return { url, app, open, check }
}

const getSessionEmail = async (page: Page, url: string): Promise<string | undefined> =>
  (await (await page.request.get(`${url}${base}/session`)).json()).user?.email

/** One look in `npm test`, all of them in the long run. */
const someLooks = inTurn<BrowserContextOptions>([
  { viewport: { width: 320, height: 640 }, locale: 'ar', colorScheme: 'dark' },
  { viewport: { width: 1024, height: 768 } }
])

t.test('in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  await t.test('a visitor creates an account, confirms it, and signs in with the passkey', async (t) => {
    const { url, app, open, check } = await openStage(t, browser)
    const { page, listCredentials } = await open()
    await page.goto(`${url}${base}/signin`)
    await page.getByRole('link', { name: 'Create account with a passkey' }).click()
    await page.waitForURL(`${url}${signUpPage}`)
    await page.getByRole('button', { name: 'Create passkey' }).click()
    t.same(await listCredentials(), [], 'the browser asks for the address first')
    await page.getByLabel('Email address').fill(ada)
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    if (isLong) await check(page, 'check-mail')
    t.match(await listCredentials(), [{ userName: ada, userDisplayName: ada, rpId: 'localhost' }])
    t.equal(await findUser(app, ada), null)
    await page.goto(app.mailbox.last().url)
    await check(page, 'confirm')
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.waitForURL(`${url}/`)
    t.equal(await getSessionEmail(page, url), ada)
    await page.goto(`${url}${base}/signout?callbackUrl=/`)
    await page.locator('#submitButton').click()
    await page.waitForURL(`${url}/`)
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
    await first.page.getByLabel('Email address').fill(ada)
    await first.setVerified(false)
    await first.page.getByRole('button', { name: 'Create passkey' }).click()
    const [created] = await first.listCredentials()
    if (!created) {
      await first.page.getByText('No passkey was created. Try again.').waitFor()
      await check(first.page, 'cancelled')
      await first.setVerified(true)
      await first.page.getByRole('button', { name: 'Create passkey' }).click()
    }
    await first.page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const { page, listCredentials } = await open()
    await page.goto(app.mailbox.last().url)
    await page.getByText('This browser has not signed up.').waitFor()
    if (isLong) await check(page, 'create')
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await page.waitForURL(`${url}/`)
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
    const { url, open } = await openStage(t, browser)
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(`${url}${signUpPage}`)
    // Chromium parses pages as if it ran scripts.
    t.match(await page.locator('noscript').textContent(), 'Passkeys need JavaScript')
    await page.getByLabel('Email address').fill(ada)
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await page.getByText('The passkey could not be added. Passkeys need JavaScript').waitFor()
    t.equal(await page.getByLabel('Email address').inputValue(), ada)
  })

  for (const look of someLooks())
    await t.test(`screens: ${JSON.stringify(look)}`, async (t) => {
      const { url, app, open, check } = await openStage(t, browser)
      const { page } = await open(look)
      await page.goto(`${url}${signUpPage}`)
      await check(page, 'sign-up')
      await page.locator('[name=email]').fill(ada)
      await page.locator(`form[action$="/passkey/sign-up"] button`).click()
      await page.locator('[name=code]').waitFor()
      await check(page, 'check-mail')
      const other = await open(look)
      await other.page.goto(app.mailbox.last().url)
      await check(other.page, 'create')
    })
})
