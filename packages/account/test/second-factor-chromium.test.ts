/// <reference lib="dom" />
import { readFile } from 'node:fs/promises'
import { createBrowser, fromFetch } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import {
  type Fields,
  follow,
  openChromium,
  press as pressControl,
  readText,
  withoutChromium
} from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { addAuthenticator, openPhone, openSite, type Site, type Visitor } from './chromium-site.ts'
import { openLink, signUp } from './password-application.ts'
import {
  ada,
  base,
  createApp,
  createUser,
  enroll,
  type FactorApplicationOptions,
  first,
  openApplication
} from './second-factor-application.ts'

const open = (t: Test, options: FactorApplicationOptions = {}): Promise<Site> =>
  openSite(t, (own) => openApplication(t, 'database', { ...options, ...own }))

/** What leaves the page at 320 pixels. */
const getOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Where the first and the last line of a text begin, on a page from right to left. */
const getColumns = (page: Page, selector: string): Promise<readonly [first: number, last: number]> =>
  page.evaluate((selected) => {
    const text = document.querySelector(`${selected} span`)?.firstChild
    if (!text) throw new Error(`expected ${selected}`)
    const { dir } = document.documentElement
    document.documentElement.dir = 'rtl'
    const measure = (start: number, end: number): number => {
      const range = document.createRange()
      range.setStart(text, start)
      range.setEnd(text, end)
      return range.getBoundingClientRect().left
    }
    const { length } = text.textContent ?? ''
    const columns = [measure(0, 11), measure(length - 11, length)] as const
    document.documentElement.dir = dir
    return columns
  }, selector)

/** The pages have the style sheet of all others, whose colors other tests judge in both schemes. */
const looks = [['dark', 'de'], ...(isLong ? [['light', 'en'] as const] : [])] as const

t.test('every page is accessible, fits a phone, and works without JavaScript', { skip: withoutChromium }, async (t) => {
  const { app, url } = await open(t)
  const chromium = await openChromium()
  for (const [colorScheme, locale] of looks) {
    const address = `${locale}.${ada}`
    const context = await chromium.newContext({ locale, colorScheme, reducedMotion: 'reduce', bypassCSP: false })
    t.teardown(() => context.close())
    const page = await context.newPage()
    await page.setViewportSize({ width: 320, height: 640 })
    const look = async (name: string): Promise<void> => {
      t.same((await runAxe(page)).found, [], `${locale} ${name}`)
      t.ok((await getOverflow(page)) <= 0, `${locale} ${name} fits`)
    }
    const press = (selector: string, fields: Fields = {}): Promise<void> => follow(page, selector, fields)
    const browser = createBrowser({ origin: url, send: fromFetch(app.auth.fetch) })
    await signUp(browser, address, first)
    await openLink(browser, app.mailbox.last())
    await context.addCookies(browser.cookies.all().map(({ name, value }) => ({ name, value, url })))
    await page.goto(`${url}${base}/factors`)
    await look('without an app')
    await press('main form button')
    await look('enroll, before the mail')
    await press('main form button')
    await look('enroll, after the mail')
    await press('form:has(input[name=mailCode]) button', { 'input[name=mailCode]': app.mailbox.last().code })
    await look('enroll, the key')
    const key = createApp(await readText(page, 'main code'), Date.now)
    await press('main a[href$="?step=code"]')
    await look('enroll, the code')
    await press('main form button', { 'input[name=code]': key.wrongCode() })
    await look('enroll, refused')
    t.equal(await page.evaluate(() => document.activeElement?.id), 'code', 'the field has the focus')
    await press('main form button', { 'input[name=code]': key.code() })
    await look('recovery codes')
    const codes = (await readText(page, 'main pre')).split('\n')
    const [start, end] = await getColumns(page, 'main pre')
    t.ok(start > end + 100, `codes are in two columns, from right to left on such a page: ${start}, ${end}`)
    const download = page.waitForEvent('download')
    await pressControl(page, 'main a[download]')
    const file = await download
    t.equal(await readFile(await file.path(), 'utf8'), codes.join('\n'), 'the file has the codes')
    t.match(file.suggestedFilename(), /^localhost-\d+-recovery-codes\.txt$/)
    for (const path of ['factors', 'factors/totp', 'factors/recovery-codes']) {
      await page.goto(`${url}${base}/${path}`)
      await look(`${path} with an app`)
    }
    await context.clearCookies()
    await page.goto(`${url}${base}/signin`)
    const form = 'form[action$="/callback/password"]'
    await press(`${form} button`, { [`${form} input[name=email]`]: address, [`${form} input[name=password]`]: first })
    await look('challenge')
    await press('main a[href$="?lost=yes"]')
    await look('lost')
    await press('main a[href$="/verify/factor"]')
    await press('form:has(input[name=code]) button', { 'input[name=code]': key.wrongCode() })
    await look('challenge, refused')
    await pressControl(page, 'summary')
    await look('challenge, recovery code')
    await press('main details form button', { 'input[name=recoveryCode]': codes[0] ?? '' })
    await page.goto(`${url}${base}/factors`)
    t.match(await readText(page, 'main'), locale === 'de' ? 'Wiederherstellungscodes: 9.' : 'Recovery codes left: 9.')
  }
})

t.test('a passkey is the second factor after a password', { skip: withoutChromium }, async (t) => {
  let isRequired = false
  const { url, app } = await open(t, { secondFactor: { required: () => isRequired } })
  const { auth, mailbox } = app
  const openPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await (await openChromium()).newContext({ locale: 'en', reducedMotion: 'reduce', ...options })
    t.teardown(() => context.close())
    return context.newPage()
  }
  const signIn = async (page: Page): Promise<void> => {
    await page.goto(`${url}${base}/signin`)
    const form = 'form[action$="/callback/password"]'
    const fields = { [`${form} input[name=email]`]: ada, [`${form} input[name=password]`]: first }
    await follow(page, `${form} button`, fields)
    t.match(page.url(), /\/verify\/factor$/)
  }
  const getAuthentication = async (page: Page) => {
    const cookies = new Map((await page.context().cookies()).map(({ name, value }) => [name, value]))
    return (await auth.readSession({ origin: url, cookies })).getAuthentication()
  }
  const page = await openPage()
  const usePasskey = 'text=Use a passkey'
  const authenticator = await addAuthenticator(page)

  const browser = createBrowser({ origin: url, send: fromFetch(auth.fetch) })
  await signUp(browser, ada, first)
  await openLink(browser, mailbox.last())
  await page.context().addCookies(browser.cookies.all().map(({ name, value }) => ({ name, value, url })))
  await page.goto(`${url}${base}/passkeys`)
  if (isLong) t.same((await runAxe(page)).found, [])
  await follow(page, 'text=Send code by email')
  if (isLong) t.same((await runAxe(page)).found, [])
  const countCredentials = async (): Promise<number> => (await authenticator.listCredentials()).length
  const submitCode = 'form:has(input[name=mailCode]) button'
  await follow(page, submitCode, { '[name=mailCode]': 'BBBBBBBB' })
  t.match(await readText(page, '#notice'), 'The code from the email is wrong')
  t.equal(await countCredentials(), 0, 'a wrong code creates no passkey')
  await follow(page, submitCode, { '[name=mailCode]': mailbox.last().code })
  if (isLong) t.same((await runAxe(page)).found, [])
  await follow(page, 'text=Add a passkey')
  t.equal(await countCredentials(), 1)
  t.match(await readText(page, '.rows'), 'Passkey')
  await page.context().clearCookies()
  isRequired = true

  // Otherwise the sign-in page uses the passkey as soon as it is shown.
  await authenticator.setPresence(false)
  await signIn(page)
  await authenticator.setPresence(true)
  t.match(await readText(page, 'main'), 'Use your passkey to continue.')
  if (isLong) t.same((await runAxe(page)).found, [])
  t.equal(await getAuthentication(page), null, 'the password is not enough')

  await authenticator.setVerified(false)
  await pressControl(page, usePasskey)
  await page.getByText('No passkey was used: you canceled').waitFor()
  t.equal(await getAuthentication(page), null, 'a passkey that does not verify its user is not enough')

  await authenticator.setVerified(true)
  await pressControl(page, '[type=checkbox]')
  await follow(page, usePasskey)
  t.equal(page.url(), `${url}/`)
  t.same((await getAuthentication(page))?.amr, ['pwd', 'hwk', 'mfa'])

  await page.goto(`${url}${base}/factors/recovery-codes`)
  await follow(page, 'text=Create new recovery codes')
  const [code = ''] = (await readText(page, 'main pre')).split('\n')
  const scriptless = await openPage({ javaScriptEnabled: false })
  await signIn(scriptless)
  await t.rejects(pressControl(scriptless, usePasskey), /expected text=Use a passkey/, 'no button that does nothing')
  // Chromium parses pages as if it ran scripts.
  t.match(await readText(scriptless, 'noscript'), 'Passkeys need JavaScript')
  await pressControl(scriptless, 'summary')
  await follow(scriptless, 'main details form button', { 'input[name=recoveryCode]': code })
  t.equal(scriptless.url(), `${url}/`)
  t.same((await getAuthentication(scriptless))?.amr, ['pwd', 'mfa'])
})

interface Visit extends Visitor {
  /** Checks the screen, which the test above judges: one main button at most, and a heading. */
  readonly sees: (heading: string) => Promise<void>
}

const support = 'mailto:help@acme.example'

/** An application of this machine, whose name is Acme, with the user Ada in a browser that is signed in. */
async function openAcme(t: Test) {
  const theme = { name: 'Acme', links: { support: 'help@acme.example' } }
  const site = await openSite(t, (options) => openApplication(t, 'database', { ...options, theme }))
  return { ...site, own: await createUser(site.app) }
}

/** A phone that opens the page from which the task begins. */
async function visit(t: Test, site: Site, path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const visitor = await openPhone(t, site, path, { hasTouch: true, isMobile: true, ...options })
  const { page } = visitor
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const sees = async (heading: string): Promise<void> => {
    t.equal(await visitor.getHeading(), heading)
    t.ok((await page.locator('.button-main:visible').count()) <= 1, `${heading}: one main button at most`)
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    t.ok(scrollWidth <= 390, `${heading}: fits`)
  }
  return { ...visitor, sees }
}

const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

t.test('enroll on a phone', { skip: withoutChromium }, async (t) => {
  const site = await openAcme(t)
  const { app } = site
  const visitor = await visit(t, site, `/signin?callbackUrl=${base}/factors`)
  const { page, press, touch, type, sees } = visitor
  await visitor.signIn()
  await sees('Two-step verification')
  await press('button', 'Set up an authenticator app')
  await sees('Set up an authenticator app')
  await press('button', 'Send code by email')
  await sees('Set up an authenticator app')
  await type('Code from the email', app.mailbox.last().code)
  await press('button', 'Continue')

  await sees('Set up an authenticator app')
  t.ok(await page.getByText('Step 1 of 3').isVisible())
  const link = page.getByRole('link', { name: 'Open in your authenticator app' })
  t.match(await link.getAttribute('href'), /^otpauth:\/\/totp\/Acme:/)
  const [open, picture] = [await link.boundingBox(), await page.getByRole('img').boundingBox()]
  t.ok(open && picture && open.y < picture.y, 'an app of this phone comes before the picture for another one')
  await touch('button', 'Copy')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const authenticator = createApp(await readClipboard(page), app.clock.now)
  await press('link', 'Continue')

  await sees('Set up an authenticator app')
  t.ok(await page.getByText('Step 2 of 3').isVisible())
  await type('Code from the app', authenticator.wrongCode())
  await press('button', 'Confirm')
  t.match(await page.getByRole('alert').textContent(), 'The code is wrong')
  t.equal(await page.getByLabel('Code from the email').count(), 0, 'the mailed code was right, and counts')
  await sees('Set up an authenticator app')
  await type('Code from the app', authenticator.code())
  await press('button', 'Confirm')

  await sees('Your recovery codes')
  t.ok(await page.getByText('Step 3 of 3').isVisible())
  await touch('button', 'Copy')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const codes = (await readClipboard(page)).split('\n')
  t.equal(codes.length, 10)
  t.ok(await page.getByRole('button', { name: 'Print' }).isVisible())
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  t.equal((await download).suggestedFilename(), 'acme-recovery-codes.txt')
  await press('link', 'I have saved them')
  await sees('Two-step verification')
  t.match(await page.getByRole('list').first().textContent(), /Set up on .*Recovery codes left: 10\./)
  t.equal(visitor.presses(), 10)
  await press('link', 'Recovery codes')
  await sees('Recovery codes')
  await press('link', 'Two-step verification')
  await press('link', 'Authenticator app')
  await sees('Authenticator app')
})

t.test('a lost phone', { skip: withoutChromium }, async (t) => {
  const site = await openAcme(t)
  const { recoveryCodes } = await enroll(site.app, site.own)

  await t.test('a wrong recovery code, and a right one', async (t) => {
    const visitor = await visit(t, site, '/signin')
    const { page, press, type, sees } = visitor
    await visitor.signIn()
    await sees('Confirm that it is you')
    await visitor.touch('text', 'Use a recovery code')
    await type('Recovery code', 'AAAAA-AAAAA')
    await press('button', 'Continue', 'group')
    t.match(await page.getByRole('alert').textContent(), 'This recovery code is wrong')
    t.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'recoveryCode')
    await sees('Confirm that it is you')
    await type('Recovery code', recoveryCodes[0] ?? '')
    await press('button', 'Continue', 'group')
    t.equal(await visitor.isSignedInAs(), ada)
    t.equal(visitor.presses(), 4)
  })

  await t.test('no phone and no codes', async (t) => {
    const visitor = await visit(t, site, '/signin')
    const { page, press, sees } = visitor
    await visitor.signIn()
    await press('link', 'I have lost my phone and my codes')
    await sees('Lost your phone and your codes?')
    t.match(await page.getByRole('main').textContent(), 'in the file acme-recovery-codes.txt')
    t.equal(await page.getByRole('link', { name: 'Contact support' }).getAttribute('href'), support)
    await press('link', 'Back')
    await sees('Confirm that it is you')
    t.equal(visitor.presses(), 3)
  })

  await t.test('cancel, and another account', async (t) => {
    const visitor = await visit(t, site, '/signin')
    const { page, press } = visitor
    const challenge = `${site.url}${base}/verify/factor`
    await visitor.signIn()
    t.equal(page.url(), challenge)
    t.match(await page.getByRole('main').textContent(), 'a…@example.com')
    for (const name of ['Cancel', 'Use another account']) {
      await press('button', name)
      t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Sign in')
      t.equal(await page.getByRole('alert').count(), 0, 'nothing went wrong')
      t.equal(await visitor.isSignedInAs(), undefined)
      await visitor.signIn()
      t.equal(page.url(), challenge)
    }
    t.equal(visitor.presses(), 5)
  })
})

t.test('on a phone without script, a key is selected and nothing copies it', { skip: withoutChromium }, async (t) => {
  const site = await openAcme(t)
  const { app } = site
  const options = { javaScriptEnabled: false }
  const visitor = await visit(t, site, `/signin?callbackUrl=${base}/factors`, options)
  const { page, press, type } = visitor
  await visitor.signIn()
  await press('button', 'Set up an authenticator app')
  await press('button', 'Send code by email')
  await type('Code from the email', app.mailbox.last().code)
  await press('button', 'Continue')
  t.equal(await page.getByRole('button').count(), 0, 'no button that does nothing')
  const key = await page.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()
  await press('link', 'Continue')
  await type('Code from the app', createApp(key ?? '', app.clock.now).code())
  await press('button', 'Confirm')
  t.equal(await page.getByRole('button').count(), 0)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  t.equal((await download).suggestedFilename(), 'acme-recovery-codes.txt')
  await press('link', 'I have saved them')
  t.equal(visitor.presses(), 7)
})
