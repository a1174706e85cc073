import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { follow, followInFrame, openChromium, readText, withoutChromium } from '@postern/testkit/chromium'
import { inAndOut, linkElsewhere, mailButton } from '@postern/testkit/journey'
import { isLong } from '@postern/testkit/long'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Demo } from '../src/main.ts'
import { openDemo } from './open-demo.ts'

const folder = mkdtempSync(join(tmpdir(), 'postern-demo-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

/** A demo whose database stays: those of one database know its users. */
const openStored = (t: Test, session: 'database' | 'jwt', database: string): Promise<Demo> =>
  openDemo(t, {
    DATABASE: join(folder, database),
    SESSION: session,
    AUTH_SECRET: 'a secret for the journey through the demo'
  })

async function openContext(t: Test, browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  t.teardown(() => context.close())
  return context
}

t.test('in Chromium, without JavaScript', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()
  const context = await openContext(t, browser, { javaScriptEnabled: false })
  const page = await context.newPage()
  for (const session of ['database', 'jwt'] as const) {
    await t.test(`${session} sessions: all three sign-in methods, and out again`, async (t) => {
      // The second time reads what the first one stored. Both strategies store it alike: in `npm test`, one after the other.
      const demo = await openStored(t, session, isLong ? `${session}.db` : 'demo.db')
      const times = isLong ? ['first', 'second'] : [session === 'database' ? 'first' : 'second']
      await inAndOut(t, page, demo.url, times)
    })
  }

  await t.test('a mailed link that another browser opens asks for one press of a button', async (t) => {
    const demo = await openStored(t, 'database', 'link.db')
    await context.clearCookies()
    const other = await openContext(t, browser, { javaScriptEnabled: false })
    await linkElsewhere(t, [page, await other.newPage()], demo.url)
  })
})

t.test('in Chromium, with a passkey', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()
  const demo = await openStored(t, 'database', 'passkey.db')
  const context = await openContext(t, browser, {})
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('WebAuthn.enable', { enableUI: false })
  const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...abilities, automaticPresenceSimulation: true }
  })
  await page.goto(`${demo.url}/api/auth/signin?callbackUrl=/`)
  await follow(page, mailButton, { 'main input[type=email]': 'visitor@example.com' })
  await page.goto(`${demo.url}/inbox`)
  await follow(page, 'ol a')
  await followInFrame(page, 'a')
  // The device can create passkeys, so the new user is offered one.
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.waitForURL(`${demo.url}/`)
  await follow(page, 'text=Add a passkey')
  await page.locator('.rows a').waitFor()
  // Another test signs out with buttons.
  await context.clearCookies()
  // The simulated user chooses the passkey in the autofill of the field for the address.
  await page.goto(`${demo.url}/api/auth/signin?callbackUrl=/`)
  await page.waitForURL(`${demo.url}/`)
  t.equal(await readText(page, 'h1'), 'Hello, visitor@example.com')
  t.match(await readText(page, 'main'), 'You are signed in by a passkey.')
})
