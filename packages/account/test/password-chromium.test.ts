/// <reference lib="dom" />
import { createRenderer } from '@postern/pages'
import { runAxe } from '@postern/testkit/axe'
import { fill, follow, openChromium, readText, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openSite, type Site } from './chromium-site.ts'
import { type ApplicationOptions, ada, base, first, openApplication } from './password-application.ts'

const open = (t: Test, options: ApplicationOptions = {}): Promise<Site> =>
  openSite(t, (own) => openApplication(t, 'database', { ...options, ...own }))

async function openContext(t: Test, browser: Browser, language = 'en'): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: language, reducedMotion: 'reduce' })
  t.teardown(() => context.close())
  return context
}

const submit = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  const named = Object.entries(fields).map(([name, value]) => [`main input[name=${name}]`, value])
  await follow(page, 'main form button', Object.fromEntries(named))
}

/** Visits every screen once, and does something on each. */
async function visitAll(
  t: Test,
  browser: Browser,
  language: string,
  look: (page: Page, name: string) => Promise<void>
) {
  const { app, url } = await open(t)
  const context = await openContext(t, browser, language)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  // The status of a refused form is an error for the browser. The application has no page of its own, and no icon.
  page.on('console', (message) => {
    const isOwn = message.location().url.startsWith(url + base)
    if (isOwn && !/status of 400/.test(message.text())) complaints.push(message.text())
  })
  const visit = async (path: string, name: string): Promise<void> => {
    await page.goto(url + base + path)
    await look(page, name)
  }
  const lastUrl = (): string => app.mailbox.last().url.replace(url + base, '')
  await visit('/signin', 'sign-in')
  await visit('/password/sign-up', 'sign-up')
  await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''))
  await submit(page, { email: 'none', password: 'short' })
  await look(page, 'sign-up, refused')
  await page.goto(`${url}${base}/password/sign-up`)
  await submit(page, { email: ada, password: first })
  await look(page, 'check-mail')
  const signUp = lastUrl()
  const stranger = await (await openContext(t, browser, language)).newPage()
  await stranger.goto(url + base + signUp)
  await look(stranger, 'choose')
  await visit(signUp, 'confirm')
  await submit(page, {})
  await visit('/password', 'change')
  await visit('/password/forgot', 'forgot')
  await submit(page, { email: ada })
  await look(page, 'check-mail of a reset')
  await visit(lastUrl(), 'reset')
  await submit(page, { password: 'another sentence to remember' })
  await look(page, 'changed')
  await visit(signUp, 'gone')
  t.same(complaints, [], `${language}: no complaints`)
}

/** What leaves the page or its box at 320 pixels. */
const findMisfits = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : []
    for (const box of document.querySelectorAll('.button, .notice, .identity, .card, .field, .links')) {
      const { left, right } = box.getBoundingClientRect()
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        for (const rect of range.getClientRects())
          if (rect.left < left - 1 || rect.right > right + 1)
            found.push(`${box.className}: ${texts.currentNode.textContent}`)
      }
    }
    return found
  })

t.test('the screens of passwords in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  for (const language of isLong ? ['en', 'de', 'ar', 'he', 'ja', 'pl'] : ['ar'])
    await t.test(`${language}: axe-core finds nothing, and everything fits into 320 pixels`, async (t) => {
      const calculated = { light: 0, dark: 0 }
      /** Screens that are shown in both schemes: in `npm test` one in three, as they share a style sheet. */
      const inBoth = { seen: 0, calculated: 0 }
      await visitAll(t, browser, language, async (page, name) => {
        const isInBoth = isLong || inBoth.seen++ % 3 === 0
        for (const colorScheme of isInBoth ? (['light', 'dark'] as const) : (['light'] as const)) {
          await page.emulateMedia({ colorScheme })
          // A dark screen differs from a light one in its colors.
          const about = colorScheme === 'dark' && !isLong ? 'colors' : 'all'
          const { found, hasContrast } = await runAxe(page, about)
          t.same(found, [], `${name}, ${colorScheme}`)
          if (hasContrast) calculated[colorScheme] += 1
          if (hasContrast && isInBoth && colorScheme === 'light') inBoth.calculated += 1
        }
        await page.setViewportSize({ width: 320, height: 640 })
        t.same(await findMisfits(page), [], `${name}, 320 pixels`)
        await page.setViewportSize({ width: 1024, height: 768 })
      })
      t.ok(calculated.light >= 10, `light: contrast on ${calculated.light} screens`)
      t.ok(calculated.dark > 0)
      t.equal(calculated.dark, inBoth.calculated, 'dark: contrast on as many screens')
    })

  await t.test('the strength is shown while a password is typed', async (t) => {
    const { url } = await open(t)
    const page = await (await openContext(t, browser)).newPage()
    await page.goto(`${url}${base}/password/sign-up`)
    const getStatus = () => readText(page, '[role=status]')
    t.equal(await getStatus(), '')
    for (const [password, expected] of [
      ['s', ''],
      ['fourteen signs', ''],
      ['aaaaaaaaaaaaaaaaaaaa', 'Fair password: a longer one is better.'],
      ['a good way to work', 'Good password.'],
      [first, 'Strong password.'],
      ['', '']
    ] as const) {
      await fill(page, { 'input[name=password]': password })
      t.equal(await getStatus(), expected, password)
    }
    const field = page.getByLabel('Password', { exact: true })
    await field.fill('short')
    t.equal(await getStatus(), '', 'nothing is wrong while it is typed')
    await field.blur()
    t.equal(await getStatus(), 'Too short', 'the field was left')
    await field.fill('shorter')
    t.equal(await getStatus(), '')
    // Apple, "Customizing Password AutoFill rules".
    const rules = 'minlength: 15; maxlength: 256; allowed: unicode;'
    t.equal(await field.getAttribute('passwordrules'), rules)
    t.same(await Promise.all(['minlength', 'autocomplete'].map((name) => field.getAttribute(name))), [
      '15',
      'new-password'
    ])
    await fill(page, { 'input[name=password]': first })
    t.equal(await page.getByRole('button', { name: 'Show password' }).count(), 0, 'the application has no script')
    t.match(await runAxe(page), { found: [], hasContrast: true }, 'axe-core finds nothing')
  })
  await t.test('a button shows a new password, in the language of the page', async (t) => {
    const { url } = await open(t, { renderer: await createRenderer({ script: true }) })
    const page = await (await openContext(t, browser, 'de')).newPage()
    await page.goto(`${url}${base}/password/sign-up`)
    const field = page.locator('input[name=password]')
    await field.fill(first)
    await page.getByRole('button', { name: 'Passwort anzeigen' }).click()
    t.equal(await field.getAttribute('type'), 'text')
    t.match(await runAxe(page), { found: [], hasContrast: true }, 'axe-core finds nothing')
    await page.setViewportSize({ width: 320, height: 640 })
    t.same(await findMisfits(page), [])
    if (process.env['SHOT']) await page.screenshot({ path: process.env['SHOT'] })
  })
})
