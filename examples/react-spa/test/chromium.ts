import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import t from 'tap'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

// `npm test` sets CI to 1 on every machine; a build server sets it to true.
const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL']) || process.env['CI'] === 'true'

/** Why the tests in a browser are left out, or `false`: where everything is required, a missing browser is a failure. */
export const skip: string | false =
  existsSync(executablePath) || isRequired ? false : `no Chromium at ${executablePath}; CHROMIUM names another one`

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run'
    ]
  })
  t.teardown(() => browser.close())
  return browser
}

let opened: Promise<Browser> | null = null

/** The browser of all files of a process. */
export function openChromium(): Promise<Browser> {
  opened ??= launch()
  return opened
}

/** Adds an authenticator to a page, which Chromium simulates. The user touches it at once. @returns How to remove it */
export async function addAuthenticator(page: Page): Promise<() => Promise<unknown>> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable', { enableUI: false })
  const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...abilities, automaticPresenceSimulation: true }
  })
  return () => devTools.send('WebAuthn.disable')
}
