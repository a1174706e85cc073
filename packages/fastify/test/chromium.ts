import { existsSync } from 'node:fs'
import { type Browser, chromium as engine } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const isMissing = !existsSync(executablePath)

/** Why tests with a real browser are left out, or `false`: they are not, and with `POSTERN_REQUIRE_ALL` they never are. */
export const withoutChromium: string | false =
  isMissing && !process.env['POSTERN_REQUIRE_ALL'] ? `no Chromium at ${executablePath}` : false

export async function openChromium(t: { teardown(work: () => unknown): unknown }): Promise<Browser> {
  const browser = await engine.launch({ executablePath })
  t.teardown(() => browser.close())
  return browser
}
