/// <reference lib="dom" />
import { join } from 'node:path'
import { accountPages } from '@postern/account/pages'
import github from '@postern/core/providers/github'
import { freePort } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { fill, follow, openChromium, press, withoutChromium } from '@postern/testkit/chromium'
import type { Browser, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { type Application, ada, base, createUser, openApplication } from './passkey-application.ts'
import { first } from './password-application.ts'
import { serve } from './web-server.ts'

/** Where screenshots go, for a person to look at; none are made without it. */
const gallery = process.env['SCREENSHOTS']

const model = {
  ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
  ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
}

/** A user with a phone, who uses what a screen shows, by role and name, and counts the presses. */
interface Visitor {
  readonly page: Page
  readonly app: Application
  readonly presses: () => number
  readonly press: (role: 'button' | 'link', name: string) => Promise<void>
  /** Opens what is folded. */
  readonly unfold: (name: string) => Promise<void>
  readonly type: (label: string, text: string) => Promise<void>
  readonly getHeading: () => Promise<string | null>
  /** Opens what was mailed, as a mail program does. */
  readonly openMail: () => Promise<void>
  readonly advance: (seconds: number) => void
  readonly check: (t: Test, name: string) => Promise<void>
}

/** Opens the sign-in page, as a link to the account does, in a browser whose device can create passkeys. */
async function visit(t: Test, browser: Browser): Promise<Visitor> {
  const url = `http://localhost:${await freePort()}`
  let ahead = 0
  const app = await openApplication(t, 'database', {
    ...{ url, features: [accountPages()], providers: [github({ clientId: 'client', clientSecret: 'secret' })] },
    runtime: { now: () => Date.now() + ahead }
  })
  await createUser(app)
  await serve(t, app.auth, url)
  const context = await browser.newContext({ viewport: { width: 390, height: 700 }, locale: 'en' })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('WebAuthn.enable', { enableUI: false })
  await devTools.send('WebAuthn.addVirtualAuthenticator', { options: model })
  let count = 0
  await page.goto(`${url}${base}/signin?callbackUrl=${base}/account`)
  return {
    page,
    app,
    presses: () => count,
    press: async (role, name) => {
      count += 1
      await follow(page, `${role}=${name}`)
    },
    unfold: async (name) => {
      count += 1
      await press(page, `text=${name}`)
    },
    type: (label, text) => fill(page, { [`label=${label}`]: text }),
    getHeading: () => page.getByRole('heading', { level: 1 }).textContent(),
    openMail: async () => void (await page.goto(app.mailbox.last().url)),
    advance: (seconds) => {
      ahead += seconds * 1000
    },
    check: async (t, name) => {
      if (gallery) await page.screenshot({ path: join(gallery, `${name}.png`), fullPage: true })
      t.same((await runAxe(page)).found, [], name)
    }
  }
}

const getButtons = (page: Page): Promise<readonly string[]> => page.getByRole('button').allTextContents()

t.test('authenticating again on a phone, by what the screens show', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  await t.test('with a passkey, or not now', async (t) => {
    const visitor = await visit(t, browser)
    const { page, press, type, getHeading } = visitor
    await type('Email address', ada)
    await press('button', 'Email me a sign-in link instead')
    await visitor.openMail()
    await press('link', 'Passkeys')
    await press('button', 'Add a passkey')
    await press('link', 'Back to your account')
    visitor.advance(660)
    await press('link', 'Passkeys')
    await press('link', 'Confirm that it is you to make changes')
    t.equal(await page.title(), 'Confirm that it is you')
    await visitor.check(t, 'step-up-passkey')
    t.same(await getButtons(page), ['Sign in with a passkey'], 'the strongest way of the user, and no provider')
    t.equal(await page.getByRole('textbox').count(), 0, 'the user is known')
    t.ok(await page.getByText(ada, { exact: true }).isVisible())
    await press('link', 'Not now')
    t.equal(await getHeading(), 'Your account')
    await press('link', 'Passkeys')
    await press('link', 'Confirm that it is you to make changes')
    await press('button', 'Sign in with a passkey')
    t.equal(await getHeading(), 'Passkeys')
    t.ok(await page.getByRole('button', { name: 'Add a passkey' }).isVisible(), 'changes are possible')
    t.equal(visitor.presses(), 10)
  })

  await t.test('with a password after a mistake, and with a code', async (t) => {
    const visitor = await visit(t, browser)
    const { app, page, press, type, getHeading } = visitor
    await type('Email address', ada)
    await type('Password', first)
    await press('button', 'Sign in')
    // After a sign-in with a password, a passkey is offered.
    await press('link', 'Not now')
    visitor.advance(660)
    await press('link', 'Passkeys')
    await press('link', 'Confirm that it is you to make changes')
    await type('Password', 'not the password at all')
    await press('button', 'Sign in')
    t.equal(await page.title(), 'Error: Confirm that it is you')
    const box = await page.getByRole('alert').boundingBox()
    t.ok(box && box.y >= 0 && box.y + box.height <= 600, 'inside 600 pixels')
    t.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'password')
    await visitor.check(t, 'step-up-wrong-password')
    await page.keyboard.type(first)
    await press('button', 'Sign in')
    t.equal(await getHeading(), 'Passkeys')
    t.equal(visitor.presses(), 6)
    await press('link', 'Back to your account')
    visitor.advance(660)
    await press('link', 'Passkeys')
    await press('link', 'Confirm that it is you to make changes')
    await visitor.unfold('Another way')
    await press('button', `Send a code to ${ada}`)
    await type('Code from the email', app.mailbox.last().code ?? '')
    await press('button', 'Sign in')
    t.equal(await getHeading(), 'Passkeys')
    t.equal(visitor.presses(), 12)
  })
})
