import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

export {
  type Control,
  type Fields,
  fill,
  follow,
  followInFrame,
  press,
  readText,
  type Texts,
  waitForTexts
} from './chromium-page.ts'

/** Debian's builds. The shell is Chromium without windows, and takes less CPU time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The environment variable `CHROMIUM` names another one. */
export const chromiumPath: string =
  process.env['CHROMIUM'] ?? installed.find((path) => existsSync(path)) ?? '/usr/bin/chromium'

// `npm test` sets CI to 1 on every machine; a build server sets it to true.
const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL']) || process.env['CI'] === 'true'

/** Why tests with a real browser are skipped, or `false`: where everything is required, a missing browser is a failure. */
export const withoutChromium: string | false =
  existsSync(chromiumPath) || isRequired ? false : `no Chromium at ${chromiumPath}; CHROMIUM names another one`

/**
 * Parts of the browser that no test uses. Each window starts processes for them, which take half of the time, and so does
 * each sandboxed frame, as that of a mail.
 */
const unused = [
  'IsolateSandboxedIframes',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'InitialWebUI',
  'WebUIReloadButton'
]

async function launch(): Promise<Browser> {
  // Loaded here: programs that test nothing use this file too.
  const { t } = await import('tap')
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    timeout: 60_000,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', `--disable-features=${unused.join(',')}`]
  })
  t.teardown(() => browser.close())
  return browser
}

let opened: Promise<Browser> | null = null

/** The browser that all files of a process share, which is closed after their tests. Each test opens contexts of its own. */
export function openChromium(): Promise<Browser> {
  opened ??= launch()
  return opened
}
