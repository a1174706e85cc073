/// <reference lib="dom" />
import { createServer } from 'node:http'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { answer } from './password-server.ts'
import { type Application, ada, base, createApp, first, openApplication } from './second-factor-application.ts'

t.setTimeout(300_000)

/** The application on a port of this machine. */
async function serve(t: Test): Promise<Application & { readonly url: string }> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const bound = server.address()
  const url = `http://localhost:${typeof bound === 'object' ? bound?.port : 0}`
  const app = await openApplication(t, 'database', { url, runtime: { now: Date.now } })
  server.on('request', (request, response) => answer(request, response, { origin: url, fetch: app.auth.fetch }))
  return { ...app, url }
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function findViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate(
    (values) => axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] }),
    tags
  )
  if (passes.length < 10) throw new Error(`axe-core looked at ${passes.length} rules only`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}

/** What leaves the page at 320 pixels. */
const getOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

t.test('every page is accessible, fits a phone, and works without JavaScript', { skip: withoutChromium }, async (t) => {
  const app = await serve(t)
  const browser = await openChromium()
  for (const [colorScheme, locale] of [
    ['light', 'en'],
    ['dark', 'de']
  ] as const) {
    const address = `${locale}.${ada}`
    const context = await browser.newContext({ locale, colorScheme, reducedMotion: 'reduce', bypassCSP: false })
    t.teardown(() => context.close())
    const page = await context.newPage()
    await page.setViewportSize({ width: 320, height: 640 })
    const look = async (name: string): Promise<void> => {
      t.same(await findViolations(page), [], `${locale} ${name}`)
      t.ok((await getOverflow(page)) <= 0, `${locale} ${name} fits`)
    }
    const press = async (selector: string): Promise<void> => {
      await page.click(selector)
      await page.waitForLoadState()
    }
    await page.goto(`${app.url}${base}/password/sign-up`)
    await page.fill('main input[name=email]', address)
    await page.fill('main input[name=password]', first)
    await press('main form button')
    await page.goto(app.mailbox.last().url)
    await press('main form button')
    await page.goto(`${app.url}${base}/factors`)
    await look('without an app')
    await press('main form button')
    await look('enroll, before the mail')
    await press('main form button')
    await look('enroll')
    const key = createApp((await page.textContent('main code')) ?? '', Date.now)
    const mailCode = app.mailbox.last().code
    await page.fill('input[name=mailCode]', mailCode)
    await page.fill('input[name=code]', key.wrongCode())
    await press('main form button')
    await look('enroll, refused')
    t.equal(await page.evaluate(() => document.activeElement?.id), 'code', 'the field has the focus')
    await page.fill('input[name=mailCode]', mailCode)
    await page.fill('input[name=code]', key.code())
    await press('main form button')
    await look('recovery codes')
    const codes = ((await page.textContent('main pre')) ?? '').split('\n')
    await page.goto(`${app.url}${base}/factors`)
    await look('with an app')
    await context.clearCookies()
    await page.goto(`${app.url}${base}/signin`)
    const form = 'form[action$="/callback/password"]'
    await page.fill(`${form} input[name=email]`, address)
    await page.fill(`${form} input[name=password]`, first)
    await press(`${form} button`)
    await look('challenge')
    await page.fill('input[name=code]', key.wrongCode())
    await press('form:has(input[name=code]) button')
    await look('challenge, refused')
    await press('summary')
    await look('challenge, recovery code')
    await page.fill('input[name=recoveryCode]', codes[0] ?? '')
    await press('main details form button')
    await page.goto(`${app.url}${base}/factors`)
    t.match(await page.textContent('main'), locale === 'de' ? 'Wiederherstellungscodes: 9.' : 'Recovery codes left: 9.')
  }
})
