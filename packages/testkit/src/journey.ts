import type { Page } from 'playwright-core'

/** The assertions that a journey uses. */
export interface JourneyTest {
  equal(found: unknown, requested: unknown, message: string): unknown
  match(found: unknown, requested: unknown, message: string): unknown
  ok(found: unknown, message: string): unknown
}

/** The first heading of a page, in which the demo greets the user. */
export const heading = (page: Page): Promise<string | null> => page.locator('h1').textContent()

async function throughProvider(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/members`)
  await page.getByRole('button', { name: /Demo provider/ }).click()
  await page.locator('button[value=ada]').click()
  await page.waitForURL(`${url}/members`)
}

async function throughMail(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/api/auth/signin?callbackUrl=/`)
  await page.locator('#input-email-for-email-provider').fill('Visitor@Example.com')
  await page.getByRole('button', { name: /Email/ }).click()
  await page.waitForURL(/verify-request/)
  await page.goto(`${url}/inbox`)
  await page.locator('ol a').first().click()
  await page.frameLocator('iframe').getByRole('link').first().click()
  await page.waitForURL(`${url}/`)
}

async function throughPassword(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/api/auth/signin?callbackUrl=/`)
  await page.locator('#input-username-for-credentials-provider').fill('grace')
  await page.locator('#input-password-for-credentials-provider').fill('hopper')
  await page.getByRole('button', { name: /Test user/ }).click()
  await page.waitForURL(`${url}/`)
}

async function signOut(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.locator('#submitButton').click()
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
      await page.goto(url)
      t.equal(await heading(page), `Hello, ${name}`, `${time} time: ${by}`)
      t.match(
        (await page.locator('main').textContent()) ?? '',
        `You are signed in by ${by}.`,
        'the sign-in method is known'
      )
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
  await page.locator('#input-email-for-email-provider').fill('ada@example.com')
  await page.getByRole('button', { name: /Email/ }).click()
  await page.goto(`${url}/inbox`)
  await page.locator('ol a').first().click()
  const link = await page.frameLocator('iframe').getByRole('link').first().getAttribute('href')
  await elsewhere.goto(link ?? '')
  t.match((await elsewhere.locator('main').textContent()) ?? '', 'ada@example.com', 'the page names the address')
  t.match(new URL(elsewhere.url()).pathname, '/callback/email', 'no user is signed in yet')
  await elsewhere.getByRole('button').click()
  await elsewhere.waitForURL(`${url}/`)
  t.equal(await heading(elsewhere), 'Hello, ada@example.com', 'signed in after one press')
}
