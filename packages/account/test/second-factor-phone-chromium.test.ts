/// <reference lib="dom" />
import { freePort } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { fill, follow, openChromium, press, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openLink, signUp } from './password-application.ts'
import { type Application, ada, base, createApp, enroll, first, openApplication } from './second-factor-application.ts'
import { serve } from './web-server.ts'

/** A visitor with a phone, who uses what a screen shows, by role and name, and counts the presses. */
interface Visitor {
  readonly page: Page
  readonly presses: () => number
  /** Presses what leads to another page. */
  readonly press: (role: 'button' | 'link', name: string, within?: 'group' | 'main') => Promise<void>
  /** Presses what changes this page. */
  readonly touch: (role: 'button' | 'group', name: string) => Promise<void>
  readonly type: (label: string, text: string) => Promise<void>
  /** Checks the screen: no violation, one main button at most, and a heading. */
  readonly sees: (heading: string) => Promise<void>
  readonly isSignedInAs: () => Promise<string | undefined>
}

interface Phone {
  readonly app: Application
  readonly url: string
  readonly advance: (seconds: number) => void
}

const support = 'mailto:help@acme.example'

/** The headings of the screens that axe-core has judged: in `npm test`, each once. */
const judged = new Set<string>()

/** An application of this machine, whose name is Acme. */
async function openPhoneApplication(t: Test): Promise<Phone> {
  const url = `http://localhost:${await freePort()}`
  let ahead = 0
  const app = await openApplication(t, 'database', {
    url,
    theme: { name: 'Acme', links: { support: 'help@acme.example' } },
    runtime: { now: () => Date.now() + ahead }
  })
  await serve(t, app.auth, url)
  const advance = (seconds: number): void => {
    ahead += seconds * 1000
  }
  return { app: { ...app, clock: { ...app.clock, now: () => Date.now() + ahead, advance } }, url, advance }
}

/** A phone that opens the page from which the task begins. */
async function visit(t: Test, browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const viewport = { width: 390, height: 700 }
  const context = await browser.newContext({ viewport, locale: 'en', hasTouch: true, isMobile: true, ...options })
  t.teardown(() => context.close())
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  let count = 0
  await page.goto(url)
  return {
    page,
    presses: () => count,
    press: async (role, name, within = 'main') => {
      count += 1
      if (within === 'main') return follow(page, `${role}=${name}`)
      const loaded = page.waitForEvent('load')
      await page.getByRole(within).getByRole(role, { name, exact: true }).first().click({ noWaitAfter: true })
      await loaded
    },
    touch: async (role, name) => {
      count += 1
      if (role === 'group') await press(page, `text=${name}`)
      else await page.getByRole(role, { name }).click()
    },
    type: (label, text) => fill(page, { [`label=${label}`]: text }),
    sees: async (heading) => {
      t.equal(await page.getByRole('heading', { level: 1 }).textContent(), heading)
      t.ok((await page.locator('.button-main:visible').count()) <= 1, `${heading}: one main button at most`)
      // `second-factor-chromium.test.ts` judges every page of a form.
      if (isLong || !judged.has(heading)) t.same((await runAxe(page)).found, [], heading)
      judged.add(heading)
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      t.ok(scrollWidth <= viewport.width, `${heading}: fits`)
    },
    isSignedInAs: async () => {
      const session: { readonly user?: { readonly email?: string } } = await (
        await page.request.get(`${new URL(url).origin}${base}/session`)
      ).json()
      return session.user?.email
    }
  }
}

/** Signs in with the password. */
async function signIn({ type, press }: Visitor): Promise<void> {
  await type('Email address', ada)
  await type('Password', first)
  await press('button', 'Sign in')
}

const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

t.test('enroll on a phone', { skip: withoutChromium }, async (t) => {
  const { app, url } = await openPhoneApplication(t)
  const own = app.newBrowser()
  await signUp(own, ada, first)
  await openLink(own, app.mailbox.last())
  const visitor = await visit(t, await openChromium(), `${url}${base}/signin?callbackUrl=${base}/factors`)
  const { page, press, touch, type, sees } = visitor
  await signIn(visitor)
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
  const { app, url, advance } = await openPhoneApplication(t)
  const own = app.newBrowser()
  await signUp(own, ada, first)
  await openLink(own, app.mailbox.last())
  const { recoveryCodes } = await enroll(app, own)
  advance(31)
  const chromium = await openChromium()

  await t.test('a wrong recovery code, and a right one', async (t) => {
    const visitor = await visit(t, chromium, `${url}${base}/signin`)
    const { page, press, type, sees } = visitor
    await signIn(visitor)
    await sees('Confirm that it is you')
    await visitor.touch('group', 'Use a recovery code')
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
    const visitor = await visit(t, chromium, `${url}${base}/signin`)
    const { page, press, sees } = visitor
    await signIn(visitor)
    await press('link', 'I have lost my phone and my codes')
    await sees('Lost your phone and your codes?')
    t.match(await page.getByRole('main').textContent(), 'in the file acme-recovery-codes.txt')
    t.equal(await page.getByRole('link', { name: 'Contact support' }).getAttribute('href'), support)
    await press('link', 'Back')
    await sees('Confirm that it is you')
    t.equal(visitor.presses(), 3)
  })

  await t.test('cancel, and another account', async (t) => {
    const visitor = await visit(t, chromium, `${url}${base}/signin`)
    const { page, press } = visitor
    const challenge = `${url}${base}/verify/factor`
    await signIn(visitor)
    t.equal(page.url(), challenge)
    t.match(await page.getByRole('main').textContent(), 'a…@example.com')
    for (const name of ['Cancel', 'Use another account']) {
      await press('button', name)
      t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Sign in')
      t.equal(await page.getByRole('alert').count(), 0, 'nothing went wrong')
      t.equal(await visitor.isSignedInAs(), undefined)
      await signIn(visitor)
      t.equal(page.url(), challenge)
    }
    t.equal(visitor.presses(), 5)
  })
})

t.test('on a phone without script, a key is selected and nothing copies it', { skip: withoutChromium }, async (t) => {
  const { app, url } = await openPhoneApplication(t)
  const own = app.newBrowser()
  await signUp(own, ada, first)
  await openLink(own, app.mailbox.last())
  const options = { javaScriptEnabled: false }
  const visitor = await visit(t, await openChromium(), `${url}${base}/signin?callbackUrl=${base}/factors`, options)
  const { page, press, type } = visitor
  await signIn(visitor)
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
