/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBrowser, freePort, fromFetch } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { follow, openChromium, press, readText, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { Browser, CDPSession, ConsoleMessage, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { ada, base, openApplication } from './passkey-application.ts'
import { signInByMail as signInWithoutChromium } from './password-application.ts'
import { serve } from './web-server.ts'

/** Where screenshots go, for a person to look at; none are made without it. */
const gallery = process.env['SCREENSHOTS']

const signInWithPasskey = 'text=Sign in with a passkey'

/** A page, its application, and an authenticator that Chromium simulates. */
interface Visit {
  readonly page: Page
  readonly url: string
  readonly app: Awaited<ReturnType<typeof openApplication>>
  readonly devTools: CDPSession
  readonly authenticatorId: string
  /** Whether the user touches the authenticator at once. */
  readonly setPresence: (isPresent: boolean) => Promise<unknown>
  /** Signs in by mail, as a user does. */
  readonly signInByMail: () => Promise<void>
  /** Signs in, and opens the page of passkeys: in `npm test` with the cookies of requests that Chromium does not make. */
  readonly signIn: () => Promise<void>
  /** Checks the page that is shown. */
  readonly check: (t: Test, name: string) => Promise<void>
}

const model = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true
} as const

/** What differs between visits with JavaScript. */
interface Look {
  readonly colorScheme?: 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly locale?: string
}

let shared: Promise<Page> | null = null

/** The page that the visits share: to open another one takes longer than most of what they do. */
async function openShared(browser: Browser): Promise<Page> {
  shared ??= browser.newPage()
  const page = await shared
  // What the visitor before has begun ends, so that none of it sets a cookie any more.
  await page.goto('about:blank')
  await page.context().clearCookies()
  return page
}

async function visit(
  t: Test,
  browser: Browser,
  look: Look = {},
  opening: Promise<Page> = openShared(browser)
): Promise<Visit> {
  const url = `http://localhost:${await freePort()}`
  const app = await openApplication(t, 'database', { url })
  await serve(t, app.auth, url)
  const page = await opening
  const context = page.context()
  const { colorScheme = null, viewport = { width: 1024, height: 768 }, locale = 'en' } = look
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
  await page.setExtraHTTPHeaders({ 'accept-language': locale })
  const complaints: string[] = []
  const onError = ({ message }: Error): void => void complaints.push(message)
  const onConsole = (message: ConsoleMessage): void => {
    if (!/the server responded with a status|ERR_FAILED/.test(message.text())) complaints.push(message.text())
  }
  page.on('pageerror', onError).on('console', onConsole)
  t.teardown(() => page.off('pageerror', onError).off('console', onConsole))
  const devTools = await context.newCDPSession(page)
  t.teardown(() => devTools.detach())
  await devTools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', { options: model })
  const setPresence = (enabled: boolean) =>
    devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  const signInByMail = async (): Promise<void> => {
    await page.goto(`${url}${base}/signin?callbackUrl=${base}/passkeys`)
    await follow(page, 'button[formaction$="/signin/email"]', { 'main [name=email]': ada })
    await page.waitForURL(/verify-request/)
    await page.goto(app.mailbox.last().url)
    if (page.url().includes('/callback/email')) await follow(page, 'form button')
    // The user, who is new, was offered a passkey.
    await page.goto(`${url}${base}/passkeys`)
  }
  const signIn = async (): Promise<void> => {
    if (isLong) return signInByMail()
    const browser = createBrowser({ origin: url, send: fromFetch(app.auth.fetch) })
    await signInWithoutChromium(browser, ada, app.mailbox)
    await context.addCookies(browser.cookies.all().map(({ name, value }) => ({ name, value, url })))
    await page.goto(`${url}${base}/passkeys`)
  }
  const check: Visit['check'] = async (t, name) => {
    const { inline, width, visible } = await page.evaluate(() => ({
      inline: document.querySelectorAll('style, [style], script:not([src])').length,
      width: document.documentElement.scrollWidth,
      visible: window.innerWidth
    }))
    t.equal(inline, 0, `${name}: nothing inline`)
    t.ok(width <= visible, `${name}: no sideways scrolling`)
    if (gallery) {
      mkdirSync(gallery, { recursive: true })
      await page.screenshot({ path: join(gallery, `passkey-${name}.png`), fullPage: true })
    }
    t.same((await runAxe(page)).found, [], `${name}: accessible`)
    t.same(complaints, [], `${name}: nothing refused by the policy`)
  }
  return { page, url, app, devTools, authenticatorId, setPresence, signInByMail, signIn, check }
}

async function signOut({ page, url }: Visit): Promise<void> {
  await page.goto(`${url}${base}/signout?callbackUrl=/`)
  await follow(page, '#submitButton')
  await page.waitForURL(`${url}/`)
}

/** Signs out; in `npm test`, by the loss of the cookies. */
const leave = (visited: Visit): Promise<void> => (isLong ? signOut(visited) : visited.page.context().clearCookies())

t.test('in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  await t.test('a passkey is added, and signs in by the button', async (t) => {
    const visited = await visit(t, browser)
    const { page, url, setPresence, signInByMail, check } = visited
    await signInByMail()
    await check(t, 'empty')
    await follow(page, 'text=Add a passkey')
    t.match(await readText(page, '.rows'), 'Passkey')
    if (isLong) await check(t, 'list')
    await follow(page, '.rows a')
    if (isLong) await check(t, 'one')
    await follow(page, 'text=Save name', { '[name=name]': 'Laptop' })
    t.match(await readText(page, '.rows a'), 'Laptop')
    await signOut(visited)
    await setPresence(false)
    await page.goto(`${url}${base}/signin?callbackUrl=/members`)
    await check(t, 'sign-in')
    await setPresence(true)
    await follow(page, signInWithPasskey)
    await page.waitForURL(`${url}/members`)
    const { user } = await (await page.request.get(`${url}${base}/session`)).json()
    t.equal(user.email, ada)
  })

  await t.test('autofill signs in as soon as the user chooses a passkey', async (t) => {
    const visited = await visit(t, browser)
    const { page, url, signIn } = visited
    await signIn()
    await follow(page, 'text=Add a passkey')
    t.match(await readText(page, '.rows'), 'Passkey')
    await leave(visited)
    await page.goto(`${url}${base}/signin?callbackUrl=/members`)
    await page.waitForURL(`${url}/members`)
    t.equal((await (await page.request.get(`${url}${base}/session`)).json()).user.email, ada)
  })

  await t.test('browsers without the functions for JSON, and with the Signal API', async (t) => {
    // With a page of its own: what is added to it stays there.
    const own = browser.newPage()
    t.teardown(async () => (await own).close())
    const visited = await visit(t, browser, {}, own)
    const { page, url, app, signIn, setPresence } = visited
    await page.addInitScript(() => {
      const signals: unknown[] = JSON.parse(sessionStorage.getItem('signals') ?? '[]')
      const signal = (name: string) => async (options: unknown) => {
        signals.push([name, options])
        sessionStorage.setItem('signals', JSON.stringify(signals))
      }
      Object.assign(PublicKeyCredential, {
        parseCreationOptionsFromJSON: undefined,
        parseRequestOptionsFromJSON: undefined,
        isConditionalMediationAvailable: undefined,
        signalAllAcceptedCredentials: signal('accepted'),
        signalUnknownCredential: signal('unknown')
      })
    })
    const signals = async () => JSON.parse((await page.evaluate(() => sessionStorage.getItem('signals'))) ?? '[]')
    await signIn()
    await follow(page, 'text=Add a passkey')
    t.match(await readText(page, '.rows'), 'Passkey')
    const userId = (await app.adapter.getUserByEmail?.(ada))?.id ?? ''
    const [known] = await app.auth.features.passkey.list(userId)
    const { credentialId = '' } = known ?? {}
    t.match(await signals(), [['accepted', { rpId: 'localhost', allAcceptedCredentialIds: [credentialId] }]])
    await leave(visited)
    await page.goto(`${url}${base}/signin?callbackUrl=/members`)
    await follow(page, signInWithPasskey)
    await page.waitForURL(`${url}/members`)
    await app.adapter.deleteFactor?.({ type: 'passkey', id: known?.id ?? '' })
    await leave(visited)
    await page.goto(`${url}${base}/signin`)
    await press(page, signInWithPasskey)
    await page.getByText('This passkey is not known here.').waitFor()
    t.same((await signals()).at(-1), ['unknown', { rpId: 'localhost', credentialId }])
    await setPresence(false)
  })

  await t.test('what the user cancels, and what exists, is explained; without JavaScript too', async (t) => {
    const visited = await visit(t, browser)
    const { page, url, signIn, devTools, authenticatorId, check } = visited
    await signIn()
    await follow(page, 'text=Add a passkey')
    t.match(await readText(page, '.rows'), 'Passkey')
    await press(page, 'text=Add a passkey')
    await page.getByText('This device already has a passkey for your account.').waitFor()
    await check(t, 'not-added')
    await devTools.send('WebAuthn.clearCredentials', { authenticatorId })
    await leave(visited)
    await page.route('**/passkey/options', (route) => route.abort())
    t.teardown(() => page.unrouteAll())
    await page.goto(`${url}${base}/signin`)
    await follow(page, signInWithPasskey)
    t.match(await readText(page, 'h1'), 'Sign in with a passkey')
    await press(page, signInWithPasskey)
    await page.getByText('No passkey was used: you canceled').waitFor()
    await check(t, 'cancelled')
    await page.getByText('No passkey here? Use your phone, or another way.').waitFor()
    await page.getByRole('link', { name: 'Other ways to sign in' }).waitFor()
    await page.evaluate(() => {
      const { credentials } = navigator
      const get = credentials.get.bind(credentials)
      credentials.get = (options) => {
        document.title = JSON.stringify(Object(options?.publicKey).hints)
        return get(options)
      }
    })
    await page.getByRole('button', { name: 'Use your phone' }).click()
    await page.waitForFunction(() => document.title === '["hybrid"]')
    await page.getByText('No passkey was used').waitFor()
    const scriptless = await browser.newPage({ javaScriptEnabled: false })
    t.teardown(() => scriptless.close())
    await scriptless.goto(`${url}${base}/signin`)
    await follow(scriptless, signInWithPasskey)
    t.match(await readText(scriptless, 'h1'), 'Sign in with a passkey')
    // Chromium parses pages as if it ran scripts.
    t.match(await readText(scriptless, 'noscript'), 'Passkeys need JavaScript')
  })

  await t.test('the sign-in page says why no passkey was used', async (t) => {
    const own = browser.newPage()
    t.teardown(async () => (await own).close())
    const visited = await visit(t, browser, { viewport: { width: 390, height: 600 } }, own)
    const { page, url, check } = visited
    const tryOn = async (path: string, text: string): Promise<void> => {
      await page.goto(`${url}${base}${path}`)
      const button = page.getByRole('button', { name: 'Sign in with a passkey' })
      const loaded = page.waitForEvent('load')
      await button.click({ noWaitAfter: true })
      await loaded
      const notice = page.getByRole('alert')
      t.match(await notice.textContent(), text)
      const box = await notice.boundingBox()
      t.ok(box && box.y >= 0 && box.y + box.height <= 600, 'inside the viewport')
      t.match(await page.title(), /^Error: /)
      t.equal(new URL(page.url()).searchParams.get('callbackUrl'), '/members', 'the way on stays')
    }
    const path = '/signin?callbackUrl=/members'
    await tryOn(path, 'No passkey was used: you canceled, or it took too long.')
    await check(t, 'sign-in-canceled')
    await page.route('**/passkey/options', async (route) => {
      const options: object = await (await route.fetch()).json()
      await route.fulfill({ json: { ...options, rpId: 'example.com' } })
    })
    await tryOn(`${path}&error=CredentialsSignin&ref=abcdefgh`, 'Passkeys do not work at this address.')
    await page.addInitScript(() => Object.assign(window, { PublicKeyCredential: undefined }))
    await tryOn(path, 'This browser cannot use passkeys here.')
  })

  const looks: Readonly<Record<string, Look>> = {
    dark: { colorScheme: 'dark' },
    phone: { viewport: { width: 360, height: 720 }, locale: 'de-DE' },
    arabic: { locale: 'ar' },
    'arabic-phone-dark': { locale: 'ar', colorScheme: 'dark', viewport: { width: 360, height: 720 } }
  }
  // The last one has everything that differs from the tests above, and is the only one in `npm test` for these screens.
  for (const [name, options] of Object.entries(looks).slice(isLong ? 0 : -1))
    await t.test(`screens: ${name}`, async (t) => {
      const visited = await visit(t, browser, options)
      const { page, url, signIn, setPresence, check } = visited
      await signIn()
      await follow(page, 'form[action$="/passkeys"] button')
      await check(t, `list-${name}`)
      await follow(page, '.rows a')
      t.equal(await page.evaluate(() => document.querySelectorAll('[name=name]').length), 1)
      await check(t, `one-${name}`)
      await leave(visited)
      await setPresence(false)
      await page.goto(`${url}${base}/signin`)
      await check(t, `sign-in-${name}`)
    })
})
