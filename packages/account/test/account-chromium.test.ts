/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { follow, openChromium, readText, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import {
  type AccountApplication,
  accountPath,
  ada,
  addPasskey,
  base,
  comeBack,
  createUser,
  openAccountApplication,
  signIn
} from './account-application.ts'
import { openSite } from './chromium-site.ts'
import { askForEmail, changeEmail, getDecisionUrl, proveEmail } from './email-application.ts'
import { deletePath, getDeletionUrl, linkPath, openWithGrace } from './grace-period-application.ts'
import { first } from './password-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

/** Where screenshots go, for a person to look at; none are made without it. */
const gallery = process.env['SCREENSHOTS']

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
]

interface Visit {
  readonly app: AccountApplication
  readonly url: string
  readonly browser: Browser
  /** The page on which the owner of the current address decides. */
  readonly decisionPath: string
}

/** An application with a user who has a name, an account at a provider, a passkey, and three devices. */
async function openVisit(t: Test): Promise<Visit> {
  const { url, app } = await openSite(t, (options) => openAccountApplication(t, 'database', options))
  const newBrowser = app.newBrowser
  const browser = await createUser(app)
  await browser.submit(`${accountPath}/profile`, { name: 'Ada Lovelace' })
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }))
  await addPasskey(browser, createAuthenticator({ origin: url }))
  const own = 'ada.lovelace@example.com'
  await changeEmail(app, browser, own)
  for (const agent of agents) await signIn(newBrowser(), own, first, { 'user-agent': agent })
  await proveEmail(app, browser, 'lovelace@example.com')
  await askForEmail(browser, 'countess@example.com')
  return { app, url, browser, decisionPath: getDecisionUrl(app, own).replace(url + base, '') }
}

const pages = [
  ['overview', '/account'],
  ['profile', '/account/profile'],
  ['email', '/account/email'],
  ['email-confirm', '/account/email/confirm'],
  ['email-gone', '/account/email/change?token=unknown'],
  ['connections', '/account/connections?done=accountConnected'],
  ['devices', '/account/devices?done=deviceEnded'],
  ['activity', '/account/activity'],
  ['data', '/account/data'],
  ['delete', '/account/delete'],
  ['password', '/password'],
  ['password-changed', '/password/changed']
] as const

async function check(t: Test, page: Page, name: string): Promise<void> {
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  t.ok(Number(width[0]) <= Number(width[1]), `${name}: no sideways scrolling`)
  const short = await page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement>('.stack > .button, .stack > form > .button'))
      .filter(({ offsetWidth, parentElement }) => offsetWidth < (parentElement?.clientWidth ?? 0))
      .map(({ textContent }) => textContent)
  )
  if (Number(width[1]) <= 480) t.same(short, [], `${name}: the buttons are as wide as the text of a phone`)
  if (gallery) {
    mkdirSync(gallery, { recursive: true })
    await page.screenshot({ path: join(gallery, `account-${name}.png`), fullPage: true })
  }
  const { found, hasContrast } = await runAxe(page)
  // axe-core takes joined Arabic letters for ligatures of an icon font, and judges no colors of such text. The colors
  // are those of the same pages in other languages.
  const isArabic = await page.evaluate(() => document.documentElement.lang === 'ar')
  if (!isArabic) t.ok(hasContrast, `${name}: colors are judged`)
  t.same(found, [], `${name}: accessible`)
}

/** Presses Enter on a link or button, and waits for the next page. */
async function pressEnter(page: Page, name: string): Promise<void> {
  await page.evaluate((name) => {
    const controls = [...document.querySelectorAll<HTMLElement>('a, button')]
    const control = controls.find((each) => (each.ariaLabel ?? each.textContent).trim() === name)
    control?.focus()
    if (!control || document.activeElement !== control) throw new Error(`${name} cannot be focused`)
  }, name)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

interface Look {
  readonly locale: string
  readonly colorScheme?: 'light' | 'dark'
  readonly forcedColors?: 'active'
  readonly viewport: { readonly width: number; readonly height: number }
}

/** Makes the page of the browser another user's, in a browser of another look. */
async function lookAs(page: Page, { cookies }: Browser, url: string, look: Look): Promise<void> {
  const { locale, colorScheme = null, forcedColors = null, viewport } = look
  await page.context().clearCookies()
  await page.context().addCookies(cookies.all().map(({ name, value }) => ({ name, value, url })))
  await page.setExtraHTTPHeaders({ 'accept-language': locale })
  await page.emulateMedia({ colorScheme, forcedColors })
  await page.setViewportSize(viewport)
}

/** What the pages are looked at with: every combination in the long run; otherwise every page with one of them. */
const looks: readonly (readonly [name: string, options: Look])[] = [
  ['en-light', { locale: 'en', colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['de-dark-320', { locale: 'de', colorScheme: 'dark', viewport: { width: 320, height: 700 } }],
  ['ar-light-768', { locale: 'ar', colorScheme: 'light', viewport: { width: 768, height: 900 } }],
  ['en-forced', { locale: 'en', forcedColors: 'active', viewport: { width: 1024, height: 768 } }],
  ...(isLong
    ? ([
        ['en-dark', { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
        ['en-light-320', { locale: 'en', colorScheme: 'light', viewport: { width: 320, height: 700 } }],
        ['de-light', { locale: 'de', colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
        ['ar-dark-320', { locale: 'ar', colorScheme: 'dark', viewport: { width: 320, height: 700 } }]
      ] as const)
    : [])
]

t.test('in Chromium', { skip: withoutChromium }, async (t) => {
  const chromium = await openChromium()
  // One page for all tests: to open another one takes longer than to look at a screen.
  const context = await chromium.newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  const { url, browser, decisionPath } = await openVisit(t)
  const allPages = [...pages, ['email-agree', decisionPath] as const]

  for (const [index, [name, options]] of looks.entries())
    await t.test(`${name}: every page is accessible`, async (t) => {
      await lookAs(page, browser, url, options)
      const shown = allPages.filter((_, place) => isLong || gallery || place % looks.length === index)
      for (const [title, path] of shown) {
        await page.goto(url + base + path)
        await check(t, page, `${title}-${name}`)
      }
    })

  await t.test('a user deletes the account, signs in again, and keeps it', async (t) => {
    const { url: site, app } = await openSite(t, (options) => openWithGrace(t, 'database', options))
    const owner = await createUser(app)
    const signInAs = (user: Browser) =>
      lookAs(page, user, site, { locale: 'en', viewport: { width: 320, height: 700 } })
    await signInAs(owner)
    await page.goto(site + deletePath)
    await check(t, page, 'deletion-later')
    await follow(page, 'text=Delete my account', { 'main form input:not([type=hidden])': 'delete' })
    t.equal(await readText(page, 'h1'), 'Your account will be deleted')
    await check(t, page, 'deletion-scheduled')
    await page.goto(site + accountPath)
    t.match(page.url(), /signin/, 'the session has ended')
    const again = app.newBrowser()
    await signIn(again, ada, first)
    await signInAs(again)
    for (const path of [deletePath, accountPath]) {
      await page.goto(site + path)
      t.match(await readText(page, 'main'), 'You can keep it until then.')
      await check(t, page, `deletion-pending${path.replaceAll('/', '-')}`)
    }
    await pressEnter(page, 'Keep the account')
    t.equal(await readText(page, '[role=status]'), 'Your account is kept. ')
    t.notMatch(await readText(page, 'main'), 'Keep the account')
  })

  await t.test('a user asks for the deletion, and confirms it with the link in another browser', async (t) => {
    const { url: site, app } = await openSite(t, (options) => openAccountApplication(t, 'database', options))
    const narrow = { locale: 'en', viewport: { width: 320, height: 700 } }
    await lookAs(page, await createUser(app), site, narrow)
    await page.goto(site + deletePath)
    await page.setViewportSize({ width: 320, height: 600 })
    await follow(page, 'text=Delete my account', { 'main form input:not([type=hidden])': 'account' })
    // The browser scrolls to the field that has the focus, if it is not in sight.
    await page.waitForFunction(() => {
      const { bottom = Infinity } = document.querySelector('#confirmation:focus')?.getBoundingClientRect() ?? {}
      return bottom <= window.innerHeight
    })
    const box = await page.getByRole('alert').boundingBox()
    t.ok(box && box.y >= 0 && box.y + box.height <= 600, 'the message is in sight')
    await check(t, page, 'deletion-wrong')
    await follow(page, 'text=Delete my account', { 'main form input:not([type=hidden])': 'delete' })
    t.match(await readText(page, 'main'), 'open the email that we sent to you')
    await check(t, page, 'deletion-waiting')
    await lookAs(page, app.newBrowser(), site, narrow)
    await page.goto(`${site}${linkPath}?token=unknown`)
    await check(t, page, 'deletion-gone')
    await page.goto(getDeletionUrl(app))
    t.match(await readText(page, 'main'), 'Your account will be deleted on')
    await check(t, page, 'deletion-confirm')
    await pressEnter(page, 'Delete my account')
    t.equal(await readText(page, 'h1'), 'Your account has been deleted')
  })

  await t.test('the keyboard ends another device', async (t) => {
    await lookAs(page, browser, url, { locale: 'en', viewport: { width: 1280, height: 720 } })
    await page.goto(url + accountPath)
    await pressEnter(page, 'Devices')
    t.match(page.url(), /devices/)
    await pressEnter(page, 'Sign out Safari (iPhone)')
    t.equal(await readText(page, '[role=status]'), 'The device has been signed out. ')
    t.notMatch(await readText(page, 'main'), 'Safari (iPhone)')
  })

  await t.test('another code for a new address can be sent after a while, which is counted down', async (t) => {
    await lookAs(page, browser, url, { locale: 'en', viewport: { width: 390, height: 720 } })
    await page.clock.install()
    await page.goto(`${url}${accountPath}/email/confirm`)
    const again = page.locator('[data-wait]')
    t.equal(await again.textContent(), 'Ask for a new email (30)')
    t.ok(await again.isDisabled())
    await page.clock.runFor(30_000)
    t.equal(await again.textContent(), 'Ask for a new email')
    t.ok(await again.isEnabled())
  })
})
