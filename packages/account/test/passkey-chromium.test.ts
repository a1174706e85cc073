/// <reference lib="dom" />
import { createBrowser, fromFetch } from '@postern/testkit'
import { follow, openChromium, press, readText, withoutChromium } from '@postern/testkit/chromium'
import { inTurn, isLong } from '@postern/testkit/long'
import type { Browser, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import {
  addAuthenticator,
  checkPage,
  getSessionEmail,
  listenForComplaints,
  openSite,
  type Site
} from './chromium-site.ts'
import { ada, base, findUser, openApplication } from './passkey-application.ts'
import { openForSignUps, signUpPage } from './passkey-sign-up-application.ts'
import { signInByMail } from './password-application.ts'

const signInWithPasskey = 'text=Sign in with a passkey'

/** A page, its application, and an authenticator that Chromium simulates. */
interface Visit extends Site {
  readonly page: Page
  readonly authenticator: Awaited<ReturnType<typeof addAuthenticator>>
  /** Signs in, and opens the page of passkeys. */
  readonly signIn: () => Promise<void>
  /** Signs out, by the loss of the cookies. */
  readonly leave: () => Promise<void>
  /** Checks the page that is shown. */
  readonly check: (t: Test, name: string) => Promise<void>
}

/** What differs between visits with JavaScript. */
interface Look {
  readonly colorScheme?: 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly locale?: string
}

let shared: Promise<Page> | null = null

/** The page that the visits share: to open another one takes longer than most of what they do. */
async function openShared(browser: Browser): Promise<Page> {
  shared ??= browser.newPage()
  const page = await shared
  // What the visitor before has begun ends, so that none of it sets a cookie any more.
  await page.goto('about:blank')
  await page.context().clearCookies()
  return page
}

async function visit(
  t: Test,
  browser: Browser,
  shown: Look = {},
  opening: Promise<Page> = openShared(browser)
): Promise<Visit> {
  const site = await openSite(t, ({ url }) => openApplication(t, 'database', { url }))
  const { url, app } = site
  const page = await opening
  const { colorScheme = null, viewport = { width: 1024, height: 768 }, locale = 'en' } = shown
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
  await page.setExtraHTTPHeaders({ 'accept-language': locale })
  const complaints = listenForComplaints(t, page)
  const authenticator = await addAuthenticator(page)
  t.teardown(authenticator.detach)
  const signIn = async (): Promise<void> => {
    const user = createBrowser({ origin: url, send: fromFetch(app.auth.fetch) })
    await signInByMail(user, ada, app.mailbox)
    await page.context().addCookies(user.cookies.all().map(({ name, value }) => ({ name, value, url })))
    await page.goto(`${url}${base}/passkeys`)
  }
  const check: Visit['check'] = async (t, name) => {
    await checkPage(t, page, `passkey-${name}`)
    t.same(complaints, [], `${name}: nothing refused by the policy`)
  }
  return { ...site, page, authenticator, signIn, leave: () => page.context().clearCookies(), check }
}

t.test('in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  await t.test('autofill signs in as soon as the user chooses a passkey', async (t) => {
    const visited = await visit(t, browser)
    const { page, url, signIn } = visited
    await signIn()
    await follow(page, 'text=Add a passkey')
    t.match(await readText(page, '.rows'), 'Passkey')
    await visited.leave()
    await page.goto(`${url}${base}/signin?callbackUrl=/members`)
    await page.waitForURL(`${url}/members`)
    t.equal((await (await page.request.get(`${url}${base}/session`)).json()).user.email, ada)
  })

  await t.test('browsers without the functions for JSON, and with the Signal API', async (t) => {
    // With a page of its own: what is added to it stays there.
    const own = browser.newPage()
    t.teardown(async () => (await own).close())
    const visited = await visit(t, browser, {}, own)
    const { page, url, app, signIn, authenticator } = visited
    await page.addInitScript(() => {
      const signals: unknown[] = JSON.parse(sessionStorage.getItem('signals') ?? '[]')
      const signal = (name: string) => async (options: unknown) => {
        signals.push([name, options])
        sessionStorage.setItem('signals', JSON.stringify(signals))
      }
      Object.assign(PublicKeyCredential, {
        parseCreationOptionsFromJSON: undefined,
        parseRequestOptionsFromJSON: undefined,
        isConditionalMediationAvailable: undefined,
        signalAllAcceptedCredentials: signal('accepted'),
        signalUnknownCredential: signal('unknown')
      })
    })
    const signals = async () => JSON.parse((await page.evaluate(() => sessionStorage.getItem('signals'))) ?? '[]')
    await signIn()
    await follow(page, 'text=Add a passkey')
    t.match(await readText(page, '.rows'), 'Passkey')
    const userId = (await app.adapter.getUserByEmail?.(ada))?.id ?? ''
    const [known] = await app.auth.features.passkey.list(userId)
    const { credentialId = '' } = known ?? {}
    t.match(await signals(), [['accepted', { rpId: 'localhost', allAcceptedCredentialIds: [credentialId] }]])
    await visited.leave()
    await page.goto(`${url}${base}/signin?callbackUrl=/members`)
    await follow(page, signInWithPasskey)
    await page.waitForURL(`${url}/members`)
    await app.adapter.deleteFactor?.({ type: 'passkey', id: known?.id ?? '' })
    await visited.leave()
    await page.goto(`${url}${base}/signin`)
    await press(page, signInWithPasskey)
    await page.getByText('This passkey is not known here.').waitFor()
    t.same((await signals()).at(-1), ['unknown', { rpId: 'localhost', credentialId }])
    await authenticator.setPresence(false)
  })

  await t.test('what the user cancels, and what exists, is explained', async (t) => {
    const visited = await visit(t, browser)
    const { page, url, signIn, authenticator, check } = visited
    await signIn()
    await follow(page, 'text=Add a passkey')
    t.match(await readText(page, '.rows'), 'Passkey')
    await press(page, 'text=Add a passkey')
    await page.getByText('This device already has a passkey for your account.').waitFor()
    await check(t, 'not-added')
    await authenticator.clear()
    await visited.leave()
    await page.route('**/passkey/options', (route) => route.abort())
    t.teardown(() => page.unrouteAll())
    await page.goto(`${url}${base}/signin`)
    await follow(page, signInWithPasskey)
    t.match(await readText(page, 'h1'), 'Sign in with a passkey')
    await press(page, signInWithPasskey)
    await page.getByText('No passkey was used: you canceled').waitFor()
    await check(t, 'cancelled')
    await page.getByText('No passkey here? Use your phone, or another way.').waitFor()
    await page.getByRole('link', { name: 'Other ways to sign in' }).waitFor()
    await page.evaluate(() => {
      const { credentials } = navigator
      const get = credentials.get.bind(credentials)
      credentials.get = (options) => {
        document.title = JSON.stringify(Object(options?.publicKey).hints)
        return get(options)
      }
    })
    await page.getByRole('button', { name: 'Use your phone' }).click()
    await page.waitForFunction(() => document.title === '["hybrid"]')
    await page.getByText('No passkey was used').waitFor()
  })

  await t.test('the sign-in page says why no passkey was used', async (t) => {
    const own = browser.newPage()
    t.teardown(async () => (await own).close())
    const visited = await visit(t, browser, { viewport: { width: 390, height: 600 } }, own)
    const { page, url, check } = visited
    const tryOn = async (path: string, text: string): Promise<void> => {
      await page.goto(`${url}${base}${path}`)
      const button = page.getByRole('button', { name: 'Sign in with a passkey' })
      const loaded = page.waitForEvent('load')
      await button.click({ noWaitAfter: true })
      await loaded
      const notice = page.getByRole('alert')
      t.match(await notice.textContent(), text)
      const box = await notice.boundingBox()
      t.ok(box && box.y >= 0 && box.y + box.height <= 600, 'inside the viewport')
      t.match(await page.title(), /^Error: /)
      t.equal(new URL(page.url()).searchParams.get('callbackUrl'), '/members', 'the way on stays')
    }
    const path = '/signin?callbackUrl=/members'
    await tryOn(path, 'No passkey was used: you canceled, or it took too long.')
    await check(t, 'sign-in-canceled')
    await page.route('**/passkey/options', async (route) => {
      const options: object = await (await route.fetch()).json()
      await route.fulfill({ json: { ...options, rpId: 'example.com' } })
    })
    await tryOn(`${path}&error=CredentialsSignin&ref=abcdefgh`, 'Passkeys do not work at this address.')
    await page.addInitScript(() => Object.assign(window, { PublicKeyCredential: undefined }))
    await tryOn(path, 'This browser cannot use passkeys here.')
  })

  const looks: Readonly<Record<string, Look>> = {
    dark: { colorScheme: 'dark' },
    phone: { viewport: { width: 360, height: 720 }, locale: 'de-DE' },
    arabic: { locale: 'ar' },
    'arabic-phone-dark': { locale: 'ar', colorScheme: 'dark', viewport: { width: 360, height: 720 } }
  }
  // The last one has everything that differs from the tests above, and is the only one in `npm test` for these screens.
  for (const [name, options] of Object.entries(looks).slice(isLong ? 0 : -1))
    await t.test(`screens: ${name}`, async (t) => {
      const visited = await visit(t, browser, options)
      const { page, url, signIn, authenticator, check } = visited
      await signIn()
      await follow(page, 'form[action$="/passkeys"] button')
      await check(t, `list-${name}`)
      await follow(page, '.rows a')
      t.equal(await page.evaluate(() => document.querySelectorAll('[name=name]').length), 1)
      await check(t, `one-${name}`)
      await visited.leave()
      await authenticator.setPresence(false)
      await page.goto(`${url}${base}/signin`)
      await check(t, `sign-in-${name}`)
    })
})

const [createPasskey, emailField] = ['text=Create a passkey', 'main [name=email]']

/** The pages of two people, which all tests share: to open others takes longer than most of what the tests do. */
const people: Partial<Record<Person, Promise<Page>>> = {}
type Person = 'visitor' | 'other'

async function openPage(browser: Browser, person: Person): Promise<Page> {
  people[person] ??= browser.newPage()
  const page = await people[person]
  // What the test before has begun ends, so that none of it sets a cookie any more.
  await page.goto('about:blank')
  await page.context().clearCookies()
  return page
}

async function openSignUps(t: Test, browser: Browser) {
  const site = await openSite(t, ({ url }) => openForSignUps(t, 'database', { url }))
  const complaints: (readonly string[])[] = []

  /** A browser of a person, with an authenticator that Chromium simulates. */
  const open = async (person: Person = 'visitor', look: Look = {}) => {
    const page = await openPage(browser, person)
    const { colorScheme = null, viewport = { width: 1280, height: 720 }, locale = 'en' } = look
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await page.setExtraHTTPHeaders({ 'accept-language': locale })
    complaints.push(listenForComplaints(t, page))
    const { listCredentials, setVerified, detach } = await addAuthenticator(page)
    t.teardown(detach)
    return { page, listCredentials, setVerified }
  }

  /** Checks the page that is shown. */
  const check = async (page: Page, name: string): Promise<void> => {
    await checkPage(t, page, `passkey-sign-up-${name}`)
    t.same(complaints.flat(), [], `${name}: nothing refused by the policy`)
  }
  return { ...site, open, check }
}

/** One look in `npm test`, all of them in the long run. */
const someLooks = inTurn<Look>([
  { viewport: { width: 320, height: 640 }, locale: 'ar', colorScheme: 'dark' },
  { viewport: { width: 1024, height: 768 } }
])

t.test('a sign-up with a passkey in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()

  await t.test('a visitor creates an account, confirms it, and signs in with the passkey', async (t) => {
    const { url, app, open, check } = await openSignUps(t, browser)
    const { page, listCredentials } = await open()
    await page.goto(`${url}${base}/signin`)
    await follow(page, 'text=Create an account with a passkey')
    t.equal(page.url(), `${url}${signUpPage}`)
    await press(page, createPasskey)
    t.same(await listCredentials(), [], 'the browser asks for the address first')
    await follow(page, createPasskey, { [emailField]: ada })
    t.match(await readText(page, 'h1'), 'Check your email')
    if (isLong) await check(page, 'check-mail')
    t.match(await listCredentials(), [{ userName: ada, userDisplayName: ada, rpId: 'localhost' }])
    t.equal(await findUser(app, ada), null)
    await page.goto(app.mailbox.last().url)
    await check(page, 'confirm')
    await follow(page, 'text=Confirm and sign in')
    t.equal(page.url(), `${url}/`)
    t.equal(await getSessionEmail(page, url), ada)
    await page.goto(`${url}${base}/signout?callbackUrl=/`)
    await follow(page, '#submitButton')
    t.equal(page.url(), `${url}/`)
    t.equal(await getSessionEmail(page, url), undefined)
    // The virtual authenticator chooses in the autofill at once.
    await page.goto(`${url}${base}/signin?callbackUrl=/members`)
    await page.waitForURL(`${url}/members`)
    t.equal(await getSessionEmail(page, url), ada)
  })

  await t.test('the link in another browser creates a passkey there; who refuses can try again', async (t) => {
    const { url, app, open, check } = await openSignUps(t, browser)
    const first = await open()
    await first.page.goto(`${url}${signUpPage}`)
    await first.setVerified(false)
    await press(first.page, createPasskey, { [emailField]: ada })
    await first.page.getByText('No passkey was created: you canceled').waitFor()
    t.same(await first.listCredentials(), [])
    await check(first.page, 'cancelled')
    await first.setVerified(true)
    await follow(first.page, createPasskey)
    t.match(await readText(first.page, 'h1'), 'Check your email')
    const { page, listCredentials } = await open('other')
    await page.goto(app.mailbox.last().url)
    t.match(await readText(page, 'main'), 'This browser has not signed up.')
    if (isLong) await check(page, 'create')
    await follow(page, createPasskey)
    t.equal(page.url(), `${url}/`)
    t.equal(await getSessionEmail(page, url), ada)
    const [credential] = await listCredentials()
    t.equal(credential?.userName, ada)
    const stored = await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? '')
    t.same(
      stored.map(({ credentialId }) => credentialId),
      [Buffer.from(credential?.credentialId ?? '', 'base64').toString('base64url')]
    )
  })

  for (const look of someLooks())
    await t.test(`screens: ${JSON.stringify(look)}`, async (t) => {
      const { url, app, open, check } = await openSignUps(t, browser)
      const { page } = await open('visitor', look)
      await page.goto(`${url}${signUpPage}`)
      await check(page, 'sign-up')
      await follow(page, 'form[action$="/passkey/sign-up"] button', { [emailField]: ada })
      t.equal(await page.evaluate(() => document.querySelectorAll('[name=code]').length), 1)
      await check(page, 'check-mail')
      const other = await open('other', look)
      await other.page.goto(app.mailbox.last().url)
      await check(other.page, 'create')
    })
})
