import { existsSync } from 'node:fs'
import { type Browser, chromium as engine } from 'playwright-core'
import t from 'tap'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const isMissing = !existsSync(executablePath)

/** Why tests with a real browser are left out, or `false`: they are not, and with `POSTERN_REQUIRE_ALL` they never are. */
export const withoutChromium: string | false =
  isMissing && !process.env['POSTERN_REQUIRE_ALL'] ? `no Chromium at ${executablePath}` : false

async function launch(): Promise<Browser> {
  const browser = await engine.launch({ executablePath })
  t.teardown(() => browser.close())
  return browser
}

let opened: Promise<Browser> | null = null

/** The browser of all files of a process. */
export function openChromium(): Promise<Browser> {
  opened ??= launch()
  return opened
}
