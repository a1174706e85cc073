import type { Page } from 'playwright-core'

/** What a journey tells its test. */
export interface JourneyTest {
  equal(found: unknown, wanted: unknown, message: string): unknown
  match(found: unknown, wanted: unknown, message: string): unknown
}

/** The first heading of a page: the demo greets there. */
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
  await page.getByRole('button', { name: /Password/ }).click()
  await page.waitForURL(`${url}/`)
}

async function signOut(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.locator('#submitButton').click()
  await page.waitForURL(`${url}/`)
}

/** The same person by the same way twice, and what the application shows of them. */
const ways = [
  { way: throughProvider, name: 'Ada Lovelace', by: 'the OpenID Provider' },
  { way: throughMail, name: 'visitor@example.com', by: 'an e-mailed link' },
  { way: throughPassword, name: 'Grace Hopper', by: 'the password form' }
]

/** A person at the demo: in by each of the three ways, twice, and out again, with nothing but links and forms. */
export async function inAndOut(t: JourneyTest, page: Page, url: string): Promise<void> {
  for (const { way, name, by } of ways) {
    for (const time of ['first', 'second']) {
      await way(page, url)
      await page.goto(url)
      t.equal(await heading(page), `Hello, ${name}`, `${time} time: ${by}`)
      t.match((await page.locator('main').textContent()) ?? '', `You are signed in by ${by}.`, 'the way in is known')
      await signOut(page, url)
      t.equal(await heading(page), 'Hello, stranger', 'signed out')
    }
  }
}

/** A person who asks for a mail in one browser and opens its link in another. */
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
  t.match(new URL(elsewhere.url()).pathname, '/callback/email', 'nobody is signed in yet')
  await elsewhere.getByRole('button').click()
  await elsewhere.waitForURL(`${url}/`)
  t.equal(await heading(elsewhere), 'Hello, ada@example.com', 'signed in after one press')
}
