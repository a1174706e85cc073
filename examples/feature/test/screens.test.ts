/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { follow, openChromium, press, readText, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openApplication } from './application.ts'

/** Where screenshots go, for a person to look at; none are made without it. */
const gallery = process.env['SCREENSHOTS']

interface Visit {
  readonly page: Page
  readonly base: string
  /** Checks the page that is shown. */
  readonly check: (t: Test, name: string, heading: string) => Promise<void>
  readonly createPass: (address: string) => Promise<string>
}

async function visit(t: Test, browser: Browser, options: BrowserContextOptions, name: string): Promise<Visit> {
  const url = `http://localhost:${await freePort()}`
  const { app, adapter } = await openApplication(t, 'database', { url })
  app.get('/after', async (_request, reply) => reply.type('text/html').send('<!doctype html><title>after</title>'))
  await app.listen({ port: Number(new URL(url).port), host: 'localhost' })
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, ...options })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!message.text().includes('the server responded with a status')) complaints.push(message.text())
  })
  const check: Visit['check'] = async (t, screen, heading) => {
    const shown = await page.evaluate(() => ({
      heading: document.querySelector('h1')?.textContent,
      title: document.title,
      inline: document.querySelectorAll('script, style, [style]').length,
      width: document.documentElement.scrollWidth,
      visible: window.innerWidth
    }))
    t.equal(shown.heading, heading, `${screen}: heading`)
    const failed = options.locale === 'de-DE' ? `Fehler: ${heading}` : `Error: ${heading}`
    t.equal(shown.title, screen.endsWith('-wrong') ? failed : heading, `${screen}: title`)
    t.equal(shown.inline, 0, `${screen}: nothing inline`)
    t.ok(shown.width <= shown.visible, `${screen}: no sideways scrolling`)
    t.same((await runAxe(page)).found, [], `${screen}: accessible`)
    if (gallery) {
      mkdirSync(gallery, { recursive: true })
      await page.screenshot({ path: join(gallery, `${screen}-${name}.png`) })
    }
    t.same(complaints, [], `${screen}: nothing refused by the policy`)
  }
  const createPass = async (address: string): Promise<string> => {
    const user = await adapter.getUserByEmail?.(address)
    return app.postern.features.pin.createPass(user?.id ?? '')
  }
  return { page, base: `${url}/api/auth`, check, createPass }
}

const texts = {
  en: {
    account: 'Your account',
    enter: 'Enter your PIN',
    pass: 'Sign in with a pass',
    signOut: 'Sign out',
    go: 'Continue'
  },
  de: {
    account: 'Ihr Konto',
    enter: 'PIN eingeben',
    pass: 'Mit einem Pass anmelden',
    signOut: 'Abmelden',
    go: 'Weiter'
  }
}

const looks: Readonly<Record<string, BrowserContextOptions & { readonly language: 'en' | 'de' }>> = {
  light: { colorScheme: 'light', language: 'en' },
  dark: { colorScheme: 'dark', language: 'en' },
  phone: { viewport: { width: 320, height: 640 }, language: 'en' },
  german: { locale: 'de-DE', language: 'de' },
  'german-phone-dark': { colorScheme: 'dark', viewport: { width: 320, height: 640 }, locale: 'de-DE', language: 'de' }
}

const all = Object.entries(looks)

t.test('in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  // In `npm test` the last one, a dark phone in German; the test below is in a light window in English.
  for (const [name, { language, ...options }] of all.slice(isLong ? 0 : -1)) {
    await t.test(`${name}: set a PIN, enter it, sign in with a pass`, async (t) => {
      const text = texts[language]
      const go = `text=${text.go}`
      const { page, base, check, createPass } = await visit(t, browser, options, name)
      await page.goto(`${base}/account`)
      await press(page, 'main summary')
      const credentials = { '[name=username]': 'ada', '[name=password]': 'ada' }
      await follow(page, 'form[action$="/callback/credentials"] button', credentials)
      await check(t, 'account', text.account)
      await follow(page, 'text=PIN')
      await check(t, 'set', 'PIN')
      await follow(page, go, { '[name=pin]': '12' })
      await check(t, 'set-wrong', 'PIN')
      await follow(page, go, { '[name=pin]': '4711' })
      await follow(page, `text=${text.signOut}`)
      await follow(page, 'form button')

      await page.goto(`${base}/signin?callbackUrl=/after`)
      await follow(page, 'form[action$="/signin/pass"] button')
      await check(t, 'sign-in', text.pass)
      await follow(page, go, { '[name=pass]': await createPass('ada@form.example') })
      await check(t, 'enter', text.enter)
      await follow(page, go, { '[name=pin]': '0000' })
      await check(t, 'enter-wrong', text.enter)
      const description = await page.evaluate(() =>
        document.querySelector('[aria-invalid=true]')?.getAttribute('aria-describedby')
      )
      t.equal(description, 'notice')
      await follow(page, go, { '[name=pin]': '4711' })
      t.equal(new URL(page.url()).pathname, '/after')
    })
  }

  await t.test('with the keyboard alone, and without JavaScript', async (t) => {
    const { page, base } = await visit(t, browser, { javaScriptEnabled: false }, 'keyboard')
    const type = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const submit = async (): Promise<void> => {
      await Promise.all([page.waitForEvent('load'), type('Enter')])
    }
    /** Moves to a link, which is one of the next ten that the keyboard reaches. */
    const tabTo = async (text: string): Promise<void> => {
      const passed: string[] = []
      while (passed.at(-1) !== text && passed.length < 10) {
        await type('Tab')
        passed.push(await readText(page, ':focus'))
      }
      t.equal(passed.at(-1), text, passed.join(', '))
    }
    await page.goto(`${base}/account`)
    await page.evaluate(() => document.querySelector('summary')?.focus())
    await type('Enter', 'Tab')
    await page.keyboard.type('ada')
    await type('Tab')
    await page.keyboard.type('ada')
    await submit()
    await tabTo('PIN')
    await submit()
    await type('Tab')
    await page.keyboard.type('4711')
    await submit()
    t.equal(await readText(page, 'h1'), 'Your account')
    await tabTo('Sign out')
    await submit()
    await type('Tab')
    await submit()

    await page.goto(`${base}/signin?callbackUrl=/after`)
    await page.evaluate(() => document.querySelector('summary')?.focus())
    await type('Enter', 'Tab')
    await page.keyboard.type('ada')
    await type('Tab')
    await page.keyboard.type('ada')
    await submit()
    t.equal(await readText(page, 'h1'), 'Enter your PIN')
    await type('Tab')
    await page.keyboard.type('4711')
    await type('Tab')
    t.equal(await readText(page, ':focus'), 'Continue')
    await submit()
    t.equal(new URL(page.url()).pathname, '/after')
  })
})
