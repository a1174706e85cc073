import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

// `npm test` sets CI to 1 on every machine; a build server sets it to true.
const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL']) || process.env['CI'] === 'true'

/** Why the tests in a browser are left out, or `false`: where everything is required, a missing browser is a failure. */
export const skip: string | false =
  existsSync(executablePath) || isRequired ? false : `no Chromium at ${executablePath}; CHROMIUM names another one`

export function launch(): Promise<Browser> {
  return chromium.launch({
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
}
