/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@postern/testkit'
import { runAxe } from '@postern/testkit/axe'
import { fill, follow, openChromium, press } from '@postern/testkit/chromium'
import type { BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import type { Test } from 'tap'
import { type Application, ada, base, first } from './password-application.ts'
import { serve } from './web-server.ts'

/** Where screenshots go, for a person to look at; none are made without it. */
const gallery = process.env['SCREENSHOTS']

/** An application on a port of this machine. */
export interface Site<T extends Application = Application> {
  readonly app: T
  readonly url: string
  /** Sets the clock of the application ahead, in seconds. */
  readonly advance: (seconds: number) => void
}

/** Serves an application, which gets the URL and the clock of the site. */
export async function openSite<T extends Application>(
  t: Test,
  open: (options: { readonly url: string; readonly runtime: { readonly now: () => number } }) => Promise<T>
): Promise<Site<T>> {
  const url = `http://localhost:${await freePort()}`
  let ahead = 0
  const advance = (seconds: number): void => {
    ahead += seconds * 1000
  }
  const now = (): number => Date.now() + ahead
  const opened = await open({ url, runtime: { now } })
  const app = { ...opened, clock: { ...opened.clock, now, advance } }
  await serve(t, app.auth, url)
  return { app, url, advance }
}

/** An authenticator that verifies its user, and that the user touches at once. */
const model = {
  ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
  ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
}

/** Gives the device of a page an authenticator, which Chromium simulates. */
export async function addAuthenticator(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', { options: model })
  return {
    /** Otherwise, the authenticator refuses. */
    setVerified: (isUserVerified: boolean) =>
      devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Whether the user touches it at once. */
    setPresence: (enabled: boolean) =>
      devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    listCredentials: async () => (await devTools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    clear: () => devTools.send('WebAuthn.clearCredentials', { authenticatorId }),
    detach: () => devTools.detach(),
    /** Chromium asks its own authenticators then. */
    removeAuthenticator: () => devTools.send('WebAuthn.disable')
  }
}

/** Requires that axe-core finds nothing on a page. */
export async function look(t: Test, page: Page, name: string): Promise<void> {
  if (gallery) {
    mkdirSync(gallery, { recursive: true })
    await page.screenshot({ path: join(gallery, `${name}.png`), fullPage: true })
  }
  t.same((await runAxe(page)).found, [], `${name}: accessible`)
}

/** Requires that a page has nothing inline, no sideways scrolling, and nothing that axe-core finds. */
export async function checkPage(t: Test, page: Page, name: string): Promise<void> {
  const { inline, width, visible } = await page.evaluate(() => ({
    inline: document.querySelectorAll('style, [style], script:not([src])').length,
    width: document.documentElement.scrollWidth,
    visible: window.innerWidth
  }))
  t.equal(inline, 0, `${name}: nothing inline`)
  t.ok(width <= visible, `${name}: no sideways scrolling`)
  await look(t, page, name)
}

/** What the scripts of a page throw and the browser logs during a test, such as what the policy refuses. */
export function listenForComplaints(t: Test, page: Page): readonly string[] {
  const complaints: string[] = []
  const onError = ({ message }: Error): void => void complaints.push(message)
  const onConsole = (message: ConsoleMessage): void => {
    if (!/the server responded with a status|ERR_FAILED/.test(message.text())) complaints.push(message.text())
  }
  page.on('pageerror', onError).on('console', onConsole)
  t.teardown(() => page.off('pageerror', onError).off('console', onConsole))
  return complaints
}

/** The address that is signed in. */
export async function getSessionEmail(page: Page, url: string): Promise<string | undefined> {
  const response = await page.request.get(`${url}${base}/session`)
  const session: { readonly user?: { readonly email?: string } } = await response.json()
  return session.user?.email
}

/** A visitor with a phone, who uses what a screen shows, by role and name, and counts the presses. */
export interface Visitor {
  readonly page: Page
  readonly presses: () => number
  /** Presses what leads to another page, anywhere or in a group. */
  readonly press: (role: 'button' | 'link', name: string, within?: 'group') => Promise<void>
  /** Presses what changes this page. */
  readonly touch: (role: 'button' | 'text', name: string) => Promise<void>
  readonly type: (label: string, text: string) => Promise<void>
  /** Signs in with the password of Ada. */
  readonly signIn: () => Promise<void>
  readonly getHeading: () => Promise<string | null>
  /** Requires an error, inside 600 pixels. */
  readonly says: (text: string) => Promise<void>
  readonly isSignedInAs: () => Promise<string | undefined>
  /** Opens what was mailed, as a mail program does. */
  readonly openMail: () => Promise<void>
}

/** A phone at the page from which the task begins. @param options.prepare - Runs before the page is opened. */
export async function openPhone(
  t: Test,
  { url, app }: Site,
  path: string,
  options: BrowserContextOptions & { readonly prepare?: (page: Page) => Promise<unknown> } = {}
): Promise<Visitor> {
  const { prepare, ...others } = options
  const viewport = { width: 390, height: 700 }
  const context = await (await openChromium()).newContext({ viewport, locale: 'en', ...others })
  t.teardown(() => context.close())
  const page = await context.newPage()
  await prepare?.(page)
  await page.goto(`${url}${base}${path}`)
  let count = 0
  const pressAndFollow: Visitor['press'] = async (role, name, within) => {
    count += 1
    if (!within) return follow(page, `${role}=${name}`)
    const loaded = page.waitForEvent('load')
    await page.getByRole(within).getByRole(role, { name, exact: true }).first().click({ noWaitAfter: true })
    await loaded
  }
  const type = (label: string, text: string): Promise<void> => fill(page, { [`label=${label}`]: text })
  return {
    page,
    presses: () => count,
    press: pressAndFollow,
    touch: async (role, name) => {
      count += 1
      await press(page, `${role}=${name}`)
    },
    type,
    signIn: async () => {
      await type('Email address', ada)
      await type('Password', first)
      await pressAndFollow('button', 'Sign in')
    },
    getHeading: () => page.getByRole('heading', { level: 1 }).textContent(),
    says: async (text) => {
      const notice = page.getByRole('alert')
      await notice.waitFor()
      t.match(await notice.textContent(), text)
      const box = await notice.boundingBox()
      t.ok(box && box.y >= 0 && box.y + box.height <= 600, `inside 600 pixels: ${text}`)
    },
    isSignedInAs: () => getSessionEmail(page, url),
    openMail: async () => void (await page.goto(app.mailbox.last().url))
  }
}
