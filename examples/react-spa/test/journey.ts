import { follow, openChromium, press, readText, waitForTexts } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import type { Test } from 'tap'
import { buildPages, type ReactMajor, type Started, start } from './start.ts'

const pages = { 'next-auth/react': 'next-auth.html', '@postern/react': 'postern.html' } as const
export type ClientName = keyof typeof pages

/** Declares tests. */
interface Declaring {
  readonly test: (title: string, run: (t: Test) => Promise<void>) => void
}

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly url: string
  readonly server: Started
  /** How often the page read the session. */
  readonly reads: () => number
}

/** Waits until the page contains this text. */
export const shows = (page: Page, status: string, user: string = 'no one'): Promise<void> =>
  waitForTexts(page, { '#status': status, '#user': user })

/** Goes to the client's page, and watches it until the end of the test. */
async function goTo(t: Test, page: Page, server: Started, client: ClientName): Promise<Visit> {
  const faults: unknown[] = []
  let reads = 0
  const onFault = (error: Error): void => void faults.push(error)
  const onRequest = (request: Request): void => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === '/api/auth/session') reads += 1
  }
  page.on('pageerror', onFault).on('request', onRequest)
  t.teardown(() => {
    page.off('pageerror', onFault).off('request', onRequest)
    if (faults.length > 0) throw faults[0]
  })
  const url = `${server.url}/${pages[client]}`
  await page.goto(url)
  return { page, context: page.context(), url, server, reads: () => reads }
}

export async function open(t: Test, context: BrowserContext, server: Started, client: ClientName): Promise<Visit> {
  return goTo(t, await context.newPage(), server, client)
}

export async function visit(t: Test, browser: Browser, server: Started, client: ClientName): Promise<Visit> {
  const context = await browser.newContext()
  t.teardown(() => context.close())
  return open(t, context, server, client)
}

/** Empties a page of what the visitor before left: to open another one takes longer than most tests. */
export async function empty(page: Page): Promise<Page> {
  if (page.url() !== 'about:blank') await page.evaluate(() => localStorage.clear())
  // Its requests end, so that none of them sets a cookie any more.
  await page.goto('about:blank')
  await page.context().clearCookies()
  return page
}

export const ada = { username: 'ada', password: 'lovelace' }

/** Signs in without leaving the page. */
async function signInAsAda({ page }: Visit): Promise<void> {
  await page.evaluate((fields) => window.probe.signIn('credentials', { ...fields, redirect: false }), ada)
  await shows(page, 'authenticated', 'Ada Lovelace')
}

function testWithoutSession(t: Declaring, visiting: (t: Test) => Promise<Visit>): void {
  t.test('a page without a session reads it once', async (t) => {
    const { page, reads } = await visiting(t)
    await shows(page, 'unauthenticated')
    t.equal(await page.evaluate(() => window.probe.getSession()), null)
    t.match(await page.evaluate(() => window.probe.getCsrfToken()), /^[0-9a-f]{64}$/)
    t.match(await page.evaluate(() => window.probe.getProviders()), { demo: {}, email: {}, credentials: {} })
    t.ok(reads() >= 2)
  })

  t.test('a required session leads to the sign-in page, and back', async (t) => {
    const { page, url } = await visiting(t)
    await page.goto(`${url}?required`)
    await page.waitForURL('**/api/auth/signin?*')
    const { searchParams } = new URL(page.url())
    t.same(Object.fromEntries(searchParams), { error: 'SessionRequired', callbackUrl: `${url}?required` })
    await press(page, 'summary')
    await follow(page, 'form[action$="/callback/credentials"] button', {
      '#input-username-for-credentials-provider': 'grace',
      '#input-password-for-credentials-provider': 'hopper'
    })
    await page.waitForURL(`${url}?required`)
    await shows(page, 'authenticated', 'Grace Hopper')
  })

  t.test('signing in without a provider leads to the sign-in page', async (t) => {
    const { page, url } = await visiting(t)
    await page.evaluate(() => void window.probe.signIn())
    await page.waitForURL(`**/api/auth/signin?${new URLSearchParams({ callbackUrl: url })}`)
    t.match(await readText(page, 'form[action$="/signin/demo"] button'), 'Demo provider')
  })
}

function testCredentials(t: Declaring, visiting: (t: Test) => Promise<Visit>): void {
  t.test('credentials without a redirect', async (t) => {
    const { page, url } = await visiting(t)
    await shows(page, 'unauthenticated')
    const wrong = await page.evaluate(() =>
      window.probe.signIn('credentials', { username: 'ada', password: 'wrong', redirect: false })
    )
    t.same(wrong, { error: 'CredentialsSignin', status: 401, ok: false, url: null })
    await shows(page, 'unauthenticated')
    const right = await page.evaluate(
      (fields) => window.probe.signIn('credentials', { ...fields, redirect: false }),
      ada
    )
    t.same(right, { error: null, status: 200, ok: true, url })
    await shows(page, 'authenticated', 'Ada Lovelace')
    t.equal(page.url(), url, 'the page stays')
  })

  t.test('credentials with a redirect', async (t) => {
    const { page, url } = await visiting(t)
    await page.evaluate(() => void window.probe.signIn('credentials', { username: 'ada', password: 'wrong' }))
    await page.waitForURL('**/api/auth/signin?error=CredentialsSignin*')
    await page.goto(url)
    await page.evaluate(
      ({ fields, callbackUrl }) => void window.probe.signIn('credentials', { ...fields, callbackUrl }),
      { fields: ada, callbackUrl: `${url}?next` }
    )
    await page.waitForURL(`${url}?next`)
    await shows(page, 'authenticated', 'Ada Lovelace')
    t.equal(page.url(), `${url}?next`)
  })
}

function testEmail(t: Declaring, visiting: (t: Test) => Promise<Visit>, sender: string): void {
  const address = `ada-${sender.replaceAll(/\W/g, '-')}@example.com`

  t.test('email without a redirect', async (t) => {
    const { page, url, server } = await visiting(t)
    const result = await page.evaluate(
      ({ email, callbackUrl }) => window.probe.signIn('email', { email, callbackUrl, redirect: false }),
      { email: address, callbackUrl: `${url}?mailed` }
    )
    const verify = `${server.url}/api/auth/verify-request?provider=email&type=email`
    t.same(result, { error: null, status: 200, ok: true, url: verify })
    await shows(page, 'unauthenticated')
    await page.goto(server.linkFor(address))
    await page.waitForURL(`${url}?mailed`)
    await shows(page, 'authenticated', address)
  })

  t.test('email with a redirect', async (t) => {
    const { page, url, server } = await visiting(t)
    await page.evaluate((email) => void window.probe.signIn('email', { email }), address)
    await page.waitForURL('**/api/auth/verify-request?provider=email&type=email')
    await page.goto(server.linkFor(address))
    await page.waitForURL(url)
    await shows(page, 'authenticated', address)
    t.equal(page.url(), url)
  })

  t.test('email to an invalid address', async (t) => {
    const { page } = await visiting(t)
    const result = await page.evaluate(() => window.probe.signIn('email', { email: 'nobody', redirect: false }))
    t.match(result, { error: 'EmailSignin', url: null })
  })
}

function testProvider(t: Declaring, visiting: (t: Test) => Promise<Visit>): void {
  for (const redirect of [true, false]) {
    t.test(`the OpenID Provider, redirect: ${redirect}`, async (t) => {
      const { page, url } = await visiting(t)
      const received = page.waitForRequest((request) => new URL(request.url()).pathname === '/auth')
      await page.evaluate(
        (redirect) => void window.probe.signIn('demo', { redirect }, { login_hint: 'grace' }),
        redirect
      )
      t.equal(new URL((await received).url()).searchParams.get('login_hint'), 'grace')
      await waitForTexts(page, { a: 'Grace Hopper' })
      await follow(page, 'text=Grace Hopper')
      await page.waitForURL(url)
      await shows(page, 'authenticated', 'Grace Hopper')
      t.match(await page.evaluate(() => window.probe.getSession()), { user: { email: 'grace@example.com' } })
    })
  }
}

function testSession(t: Declaring, visiting: (t: Test) => Promise<Visit>): void {
  t.test('signing out without a redirect', async (t) => {
    const visit = await visiting(t)
    await signInAsAda(visit)
    const result = await visit.page.evaluate(() => window.probe.signOut({ redirect: false }))
    t.same(result, { url: visit.url })
    await shows(visit.page, 'unauthenticated')
  })

  t.test('signing out with a redirect', async (t) => {
    const visit = await visiting(t)
    const { page, url } = visit
    await signInAsAda(visit)
    await page.evaluate((callbackUrl) => void window.probe.signOut({ callbackUrl }), `${url}?bye`)
    await page.waitForURL(`${url}?bye`)
    await shows(page, 'unauthenticated')
    t.equal(await page.evaluate(() => window.probe.getSession()), null)
  })

  t.test('an update changes the session, permanently', async (t) => {
    const visit = await visiting(t)
    const { page } = visit
    t.equal(await page.evaluate(() => window.probe.update({ name: 'Eve' })), undefined, 'no user is signed in')
    await signInAsAda(visit)
    t.match(await page.evaluate(() => window.probe.update({ name: 'Augusta' })), { user: { name: 'Augusta' } })
    await shows(page, 'authenticated', 'Augusta')
    await page.reload()
    await shows(page, 'authenticated', 'Augusta')
  })
}

function testReturn(t: Declaring, visiting: (t: Test) => Promise<Visit>): void {
  // With a page of its own: the clock of this one stands still.
  t.test('coming back to the page reads the session', async (t) => {
    const visit = await visiting(t)
    const { page, context } = visit
    await signInAsAda(visit)
    await context.clearCookies()
    await page.clock.setFixedTime(Date.now() + 61_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await shows(page, 'unauthenticated')
    t.equal(await page.evaluate(() => window.probe.getSession()), null)
  })
}

/** The browser, and a server with the pages of both clients. */
/** The pages of all files of the process. */
const built: Partial<Record<ReactMajor, Promise<string>>> = {}

export async function prepare(t: Test, major: ReactMajor): Promise<{ browser: Browser; server: Started }> {
  const browser = await openChromium()
  built[major] ??= buildPages('test/pages', Object.values(pages), major)
  const server = await start(await built[major])
  t.teardown(() => server.close())
  return { browser, server }
}

/** In the page, the client of next-auth does the same as the other one: `npm test` has these with Postern’s only. */
const sameInPage: readonly string[] = [
  'a required session leads to the sign-in page, and back',
  'credentials with a redirect',
  'email with a redirect',
  'the OpenID Provider, redirect: false',
  'signing out with a redirect',
  'coming back to the page reads the session'
]

/** The tests of a page with a client: the result is the same for both clients. */
export async function runJourney(t: Test, client: ClientName, major: ReactMajor): Promise<void> {
  const { browser, server } = await prepare(t, major)
  const context = await browser.newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  const visiting = async (t: Test): Promise<Visit> => goTo(t, await empty(page), server, client)
  t.test('the page shows the session state', async (t) => {
    const { page } = await visiting(t)
    t.equal((await page.evaluate(() => window.probe.version)).split('.')[0], major)
  })
  const declaring: Declaring = {
    test: (title, run) => {
      if (isLong || client === '@postern/react' || !sameInPage.includes(title)) t.test(title, run)
    }
  }
  testWithoutSession(declaring, visiting)
  testCredentials(declaring, visiting)
  testEmail(declaring, visiting, client)
  testProvider(declaring, visiting)
  testSession(declaring, visiting)
  testReturn(declaring, (t) => visit(t, browser, server, client))
}
