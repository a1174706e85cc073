/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { freePort } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { follow, openChromium, press, withoutChromium } from '@postern/testkit/chromium'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { type Application, ada, base, findUser, openApplication } from './passkey-application.ts'
import { createUser, first } from './password-application.ts'
import { serve } from './web-server.ts'

/** Where screenshots go, for a person to look at; none are made without it. */
const gallery = process.env['SCREENSHOTS']

const model = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true
} as const

/** A user with a phone, who uses what a screen shows, by role and name, and counts the presses. */
interface Visitor {
  readonly page: Page
  readonly app: Application
  readonly presses: () => number
  readonly press: (role: 'button' | 'link', name: string) => Promise<void>
  /** Presses a button after which the page stays. */
  readonly touch: (name: string) => Promise<void>
  readonly signIn: () => Promise<void>
  readonly startAgain: () => Promise<void>
  readonly signedIn: () => Promise<string | undefined>
  readonly countPasskeys: () => Promise<number>
  /** Whether the user verifies themselves; otherwise, the authenticator refuses. */
  readonly setVerified: (isUserVerified: boolean) => Promise<unknown>
  /** Takes the simulated authenticator away: Chromium asks its own ones. */
  readonly removeAuthenticator: () => Promise<unknown>
}

/** Opens the sign-in page, in a browser whose device can create passkeys. */
async function visit(t: Test, browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const url = `http://localhost:${await freePort()}`
  const app = await openApplication(t, 'database', { url, runtime: { now: Date.now } })
  await createUser(app)
  await serve(t, app.auth, url)
  const context = await browser.newContext({ viewport: { width: 390, height: 700 }, locale: 'en', ...options })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', { options: model })
  let count = 0
  const touch = async (name: string): Promise<void> => {
    count += 1
    await press(page, `button=${name}`)
  }
  const start = `${url}${base}/signin?callbackUrl=/members`
  const startAgain = async (): Promise<void> => {
    await context.clearCookies({ name: /session-token/ })
    await page.goto(start)
    // Only a device that can create passkeys sets it.
    await page.waitForFunction(() => document.cookie.includes('postern.passkeys=1'))
  }
  await startAgain()
  return {
    page,
    app,
    presses: () => count,
    press: async (role, name) => {
      count += 1
      await follow(page, `${role}=${name}`)
    },
    touch,
    startAgain,
    signIn: async () => {
      count += 1
      await follow(page, 'button=Sign in', { 'label=Email address': ada, 'label=Password': first })
    },
    signedIn: async () => {
      const session: { readonly user?: { readonly email?: string } } = await (
        await page.request.get(`${url}${base}/session`)
      ).json()
      return session.user?.email
    },
    countPasskeys: async () => (await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? '')).length,
    setVerified: (isUserVerified) => devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    removeAuthenticator: () => devTools.send('WebAuthn.disable')
  }
}

async function look(t: Test, page: Page, name: string): Promise<void> {
  if (gallery) {
    mkdirSync(gallery, { recursive: true })
    await page.screenshot({ path: `${gallery}/${name}.png`, fullPage: true })
  }
  t.same((await runAxe(page)).found, [], `${name}: accessible`)
}

const heading = (page: Page): Promise<string | null> => page.getByRole('heading').textContent()

t.test('passkeys on a phone, by what the screens show', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  await t.test('a passkey after the password, and the next sign-in with it', async (t) => {
    const { page, press, signIn, startAgain, signedIn, countPasskeys, presses, setVerified } = await visit(t, browser)
    await signIn()
    t.equal(await heading(page), 'Sign in faster next time')
    await look(t, page, 'offer')
    await press('button', 'Create a passkey')
    t.equal(new URL(page.url()).pathname, '/members')
    t.equal(await countPasskeys(), 1)
    await setVerified(false)
    await startAgain()
    await setVerified(true)
    await press('button', 'Sign in with a passkey')
    t.equal(await signedIn(), ada)
    t.equal(presses(), 3)
  })

  await t.test('a passkey canceled when it is offered, and not now', async (t) => {
    const { page, press, touch, signIn, setVerified, signedIn, presses } = await visit(t, browser)
    await signIn()
    await setVerified(false)
    await touch('Create a passkey')
    const notice = page.getByRole('alert')
    await notice.waitFor()
    t.match(await notice.textContent(), 'No passkey was created: you canceled, or it took too long. Try again.')
    const create = page.getByRole('button', { name: 'Create a passkey' })
    const [spinner, isFocused] = await create.evaluate((button) => [
      getComputedStyle(button, '::after').visibility,
      button === document.activeElement
    ])
    t.equal(spinner, 'hidden', 'nothing is waited for any more')
    t.ok(isFocused)
    await look(t, page, 'offer-canceled')
    await press('link', 'Not now')
    t.equal(new URL(page.url()).pathname, '/members')
    t.equal(await signedIn(), ada)
    t.equal(presses(), 3)
  })

  await t.test('a passkey canceled on the sign-in page, and the password instead', async (t) => {
    const { page, press, signIn, signedIn, presses } = await visit(t, browser)
    await press('button', 'Sign in with a passkey')
    t.match(await page.getByRole('alert').textContent(), 'No passkey was used: you canceled, or it took too long.')
    t.match(await page.title(), /^Error: /)
    await look(t, page, 'sign-in-canceled')
    await signIn()
    await press('link', 'Not now')
    t.equal(await signedIn(), ada)
    t.equal(presses(), 3)
  })

  await t.test('do not ask again', async (t) => {
    const { page, press, signIn, startAgain, signedIn, presses } = await visit(t, browser)
    await signIn()
    await press('button', 'Do not ask again')
    t.equal(new URL(page.url()).pathname, '/members')
    await startAgain()
    await signIn()
    t.equal(new URL(page.url()).pathname, '/members')
    t.equal(await signedIn(), ada)
    t.equal(presses(), 3)
  })

  await t.test('without a question, if the browser creates one for the password', async (t) => {
    const { page, signIn, countPasskeys, presses, app } = await visit(t, browser)
    // The virtual authenticator is no password manager: what it is asked without a question it is asked with one.
    await page.addInitScript(() => {
      Object.assign(PublicKeyCredential, { getClientCapabilities: async () => ({ conditionalCreate: true }) })
      const { credentials } = navigator
      const create = credentials.create.bind(credentials)
      credentials.create = ({ publicKey, ...others } = {}) => {
        const { mediation }: { readonly mediation?: unknown } = Object(others)
        if (mediation !== 'conditional' || !publicKey) throw new Error('expected no question')
        return create({ publicKey })
      }
    })
    await signIn()
    await page.waitForURL(({ pathname }) => pathname === '/members')
    t.equal(await countPasskeys(), 1)
    t.match(app.mailbox.last().subject, 'A passkey was added to your account')
    t.equal(presses(), 1)
  })

  // Chromium has the capability without Google Password Manager too, and refuses then, because nothing could keep a passkey.
  await t.test('a browser that refuses to create one without a question leaves no trace', async (t) => {
    const { page, app, press, signIn, signedIn, countPasskeys, removeAuthenticator } = await visit(t, browser)
    await page.addInitScript(() => {
      const { credentials } = navigator
      const create = credentials.create.bind(credentials)
      credentials.create = (options) => {
        const { mediation }: { readonly mediation?: unknown } = Object(options)
        const note = (outcome: string): void => sessionStorage.setItem(String(mediation), outcome)
        const created = create(options)
        created.then(
          () => note('created'),
          ({ name }: Error) => note(name)
        )
        return created
      }
    })
    await removeAuthenticator()
    const mails = app.mailbox.mails.length
    await signIn()
    await page.waitForFunction(() => sessionStorage.getItem('conditional') !== null)
    t.equal(await page.evaluate(() => sessionStorage.getItem('conditional')), 'NotSupportedError')
    t.equal(await page.getByRole('alert').count(), 0, 'nobody was asked, so nothing is shown')
    t.equal(await page.title(), await heading(page))
    await press('link', 'Not now')
    t.equal(new URL(page.url()).pathname, '/members')
    t.equal(await signedIn(), ada)
    t.same([await countPasskeys(), app.mailbox.mails.length], [0, mails])
  })

  await t.test('a browser without the capability is asked nothing', async (t) => {
    const { page, press, signIn } = await visit(t, browser)
    await page.addInitScript(() => {
      const { credentials } = navigator
      credentials.create = () => {
        sessionStorage.setItem('create', 'asked')
        return Promise.resolve(null)
      }
      const getClientCapabilities = async () => {
        sessionStorage.setItem('capabilities', 'read')
        return { conditionalCreate: false }
      }
      Object.assign(PublicKeyCredential, { getClientCapabilities })
    })
    await signIn()
    await page.waitForFunction(() => sessionStorage.getItem('capabilities') === 'read')
    t.equal(await page.evaluate(() => sessionStorage.getItem('create')), null)
    await press('link', 'Not now')
    t.equal(new URL(page.url()).pathname, '/members')
  })

  // Chromium creates one only for a password that Google Password Manager stored and used in the last five minutes
  // (passkey_upgrade_request_controller.cc). For a virtual authenticator it asks nobody, and the request stays open.
  await t.test('a request without a question ends with the page, and blocks no other', async (t) => {
    const { page, press, signIn, startAgain, countPasskeys } = await visit(t, browser)
    await page.addInitScript(() => {
      const { credentials } = navigator
      const create = credentials.create.bind(credentials)
      credentials.create = async (options) => {
        const { mediation = 'asked' }: { readonly mediation?: string } = Object(options)
        sessionStorage.setItem(mediation, 'open')
        options?.signal?.addEventListener('abort', () => sessionStorage.setItem(mediation, 'ended'))
        const credential = await create(options)
        sessionStorage.setItem(mediation, 'created')
        return credential
      }
    })
    const read = (mediation: string) => page.evaluate((name) => sessionStorage.getItem(name), mediation)
    const openOffer = async (): Promise<void> => {
      await startAgain()
      await signIn()
      t.equal(await heading(page), 'Sign in faster next time')
      await page.waitForFunction(() => sessionStorage.getItem('conditional') === 'open')
    }
    const { origin } = new URL(page.url())
    await openOffer()
    await press('link', 'Not now')
    t.equal(await read('conditional'), 'ended', 'who continues wants no passkey')
    await page.goto(`${origin}${base}/passkeys`)
    await openOffer()
    await page.goto(`${origin}${base}/passkeys`)
    t.equal(await read('conditional'), 'ended', 'a page that is left asks for nothing')
    await page.goBack()
    await page.goForward()
    await openOffer()
    await press('button', 'Do not ask again')
    t.equal(await read('conditional'), 'ended')
    t.equal(await countPasskeys(), 0)
    await page.goto(`${origin}${base}/passkey/offer?callbackUrl=/members`)
    await page.waitForFunction(() => sessionStorage.getItem('conditional') === 'open')
    await press('button', 'Create a passkey')
    t.match([await read('conditional'), await read('asked')], ['ended', 'created'])
    t.equal(await countPasskeys(), 1)
  })

  await t.test('without JavaScript, nothing is offered', async (t) => {
    const { app, page } = await visit(t, browser)
    const { origin } = new URL(page.url())
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' })
    t.teardown(() => context.close())
    const scriptless = await context.newPage()
    await scriptless.goto(page.url())
    await scriptless.getByLabel('Email address', { exact: true }).fill(ada)
    await scriptless.getByLabel('Password', { exact: true }).fill(first)
    await scriptless.getByRole('button', { name: 'Sign in', exact: true }).click()
    t.equal(scriptless.url(), `${origin}/members`)
    t.same(await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? ''), [])
    // The page of the offer does not hold anybody either.
    await scriptless.goto(`${origin}${base}/passkey/offer?callbackUrl=/members`)
    t.match(await scriptless.locator('noscript').textContent(), 'Passkeys need JavaScript')
    await scriptless.getByRole('link', { name: 'Not now' }).click()
    t.equal(scriptless.url(), `${origin}/members`)
  })
})
