/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { follow, followInFrame, press, readText } from './chromium-page.ts'

/** The button of the sign-in page that sends a mail, alone or beside a password. */
export const mailButton = 'button[formaction$="/signin/email"], form[action$="/signin/email"] button'

/** The assertions that a journey uses. */
export interface JourneyTest {
  equal(found: unknown, requested: unknown, message: string): unknown
  match(found: unknown, requested: unknown, message: string): unknown
  ok(found: unknown, message: string): unknown
}

/** The first heading of a page, in which the demo greets the user. */
export const heading = (page: Page): Promise<string> => readText(page, 'h1')

async function throughProvider(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/members`)
  await follow(page, 'text=Sign in with Demo provider')
  await follow(page, 'button[value=ada]')
  await page.waitForURL(`${url}/members`)
}

async function throughMail(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/api/auth/signin?callbackUrl=/`)
  await follow(page, mailButton, { 'main input[type=email]': 'Visitor@Example.com' })
  await page.waitForURL(/verify-request/)
  await page.goto(`${url}/inbox`)
  await follow(page, 'ol a')
  await followInFrame(page, 'a')
  await page.waitForURL(`${url}/`)
}

async function throughPassword(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/api/auth/signin?callbackUrl=/`)
  await press(page, 'summary')
  await follow(page, 'form[action$="/callback/credentials"] button', {
    '#input-username-for-credentials-provider': 'grace',
    '#input-password-for-credentials-provider': 'hopper'
  })
  await page.waitForURL(`${url}/`)
}

/** Opens the front page, unless it is the page that is shown. */
async function openFront(page: Page, url: string): Promise<void> {
  if (page.url() !== `${url}/`) await page.goto(url)
}

async function signOut(page: Page, url: string): Promise<void> {
  await openFront(page, url)
  await follow(page, 'text=Sign out')
  await follow(page, '#submitButton')
  await page.waitForURL(`${url}/`)
}

/** Two sign-ins of the same user with each provider, and what the application shows. */
const methods = [
  { method: throughProvider, name: 'Ada Lovelace', by: 'the OpenID Provider' },
  { method: throughMail, name: 'visitor@example.com', by: 'an emailed link' },
  { method: throughPassword, name: 'Grace Hopper', by: 'the form for test users' }
]

/** Records the requests of a page to other hosts than the demo's. */
function remoteRequests(page: Page): readonly string[] {
  const remote: string[] = []
  page.on('request', (request) => {
    const { hostname, protocol, href } = new URL(request.url())
    if (hostname !== 'localhost' && protocol !== 'data:') remote.push(href)
  })
  return remote
}

/**
 * Signs a user in with each of the three providers and out again, with links and forms only, and without a request to
 * another host: at first, and by default a second time.
 */
export async function inAndOut(
  t: JourneyTest,
  page: Page,
  url: string,
  times: readonly string[] = ['first', 'second']
): Promise<void> {
  const remote = remoteRequests(page)
  for (const { method, name, by } of methods) {
    for (const time of times) {
      await method(page, url)
      await openFront(page, url)
      t.equal(await heading(page), `Hello, ${name}`, `${time} time: ${by}`)
      t.match(await readText(page, 'main'), `You are signed in by ${by}.`, 'the sign-in method is known')
      await signOut(page, url)
      t.equal(await heading(page), 'Hello, stranger', 'signed out')
    }
  }
  t.equal(remote.join(' '), '', 'nothing remote was requested')
}

const getText = async (address: string): Promise<string> => (await fetch(address)).text()

async function openSample(t: JourneyTest, url: string, name: string): Promise<void> {
  const screen = await getText(`${url}/screens/${name}?language=ar&scheme=dark`)
  t.match(screen, '<html lang="ar" dir="rtl">', name)
  const [, style = ''] = /href="([^"]+\.css)"/.exec(screen) ?? []
  const sheet = await fetch(url + style)
  t.equal(sheet.status, 200, 'the style sheet of a sample is there')
  t.match(await sheet.text(), /^:root\{color-scheme:dark;/, 'in the scheme that was chosen')
}

/** Opens every link on the demo's front page, and each of these screens. */
export async function lookAround(t: JourneyTest, url: string, screens: readonly string[]): Promise<void> {
  const front = await getText(url)
  const links = [...front.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path.replaceAll('&#38;', '&'))
  t.ok(links.includes('/screens'), 'the screens are linked')
  t.ok(links.length > 12, `${links.length} links`)
  const documented = [200, 401, 403, 429, 500]
  for (const path of links) {
    const { status, headers } = await fetch(url + path)
    t.ok(documented.includes(status), `${path}: ${status}`)
    t.ok(headers.get('content-type'), path)
  }
  const gallery = await getText(`${url}/screens?language=ar&scheme=dark`)
  for (const name of screens) {
    t.match(gallery, `src="/screens/${name}?language=ar&#38;scheme=dark"`, `${name} is shown`)
    await openSample(t, url, name)
  }
  t.equal((await fetch(`${url}/screens/constructor`)).status, 404, 'no such screen')
  t.equal((await fetch(`${url}/screens/assets/0000000000000000.css`)).status, 404, 'no such style sheet')
  const unknown = await getText(`${url}/screens/confirm?language=xx&scheme=%22%3E`)
  t.match(unknown, '<html lang="en"', 'English for a language that is not there')
}

/** Requests a mail in one browser and opens its link in another. */
export async function linkElsewhere(
  t: JourneyTest,
  [page, elsewhere]: readonly [Page, Page],
  url: string
): Promise<void> {
  await page.goto(`${url}/api/auth/signin`)
  await follow(page, mailButton, { 'main input[type=email]': 'ada@example.com' })
  await page.goto(`${url}/inbox`)
  await follow(page, 'ol a')
  const link = await page
    .frames()
    .at(-1)
    ?.evaluate(() => document.querySelector('a')?.href)
  await elsewhere.goto(link ?? '')
  t.match(await readText(elsewhere, 'main'), 'ada@example.com', 'the page names the address')
  t.match(new URL(elsewhere.url()).pathname, '/callback/email', 'no user is signed in yet')
  await follow(elsewhere, 'button')
  await elsewhere.waitForURL(`${url}/`)
  t.equal(await heading(elsewhere), 'Hello, ada@example.com', 'signed in after one press')
}
