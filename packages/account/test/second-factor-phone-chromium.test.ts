/// <reference lib="dom" />
import { withoutChromium } from '@postern/testkit/chromium'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openPhone, openSite, type Site, type Visitor } from './chromium-site.ts'
import { ada, base, createApp, createUser, enroll, openApplication } from './second-factor-application.ts'

interface Visit extends Visitor {
  /** Checks the screen, which `second-factor-chromium.test.ts` judges: one main button at most, and a heading. */
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
