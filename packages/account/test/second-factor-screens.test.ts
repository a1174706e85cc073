import type { SecondFactorOptions } from '@postern/account/second-factor'
import type { Browser, BrowserResponse } from '@postern/testkit'
import t, { type Test } from 'tap'
import { recoveryCodesKey } from '../src/second-factor/stored-recovery-codes.ts'
import { accountPath, getRows, openAccountApplication } from './account-application.ts'
import { addPasskey } from './passkey-application.ts'
import { ada, origin } from './password-application.ts'
import {
  type App,
  answer,
  base,
  enroll,
  openWithFactor,
  signInWithPassword,
  startEnrollment
} from './second-factor-application.ts'
import { openStage, type Stage } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'

interface Scene extends Stage {
  readonly userId: string
  readonly browser: Browser
}

/** An application with account pages, whose user has a passkey that counts as two factors, and no app. */
async function openWithPasskey(t: Test, secondFactor: SecondFactorOptions = {}): Promise<Scene> {
  const stage = await openStage(t, 'database', { secondFactor }, openAccountApplication)
  const userId = await stage.addUser(ada)
  const browser = stage.newBrowser()
  await stage.enter(browser, userId, 'pwd mfa')
  await addPasskey(browser, createAuthenticator({ origin }))
  return { ...stage, userId, browser }
}

/** Whether a sign-in by one factor is asked for the second one. */
async function isAsked({ newBrowser, enter, outcomes }: Stage, userId: string): Promise<boolean> {
  await enter(newBrowser(), userId)
  return outcomes.at(-1) === 'pending'
}

/** The section of the account page, without its title. */
async function getSummary(browser: Browser): Promise<string> {
  const rows = (await browser.open(accountPath)).html().querySelectorAll('main li.row')
  const title = 'Two-step verification'
  const [row = ''] = rows.map(({ text }) => text.trim()).filter((text) => text.startsWith(title))
  return row.slice(title.length)
}

const getPage = async (browser: Browser): Promise<string> => (await browser.open(`${base}/factors`)).body

const getCodesPage = async (browser: Browser): Promise<string> =>
  (await browser.open(`${base}/factors/recovery-codes`)).html().querySelector('main')?.text ?? ''

const notAsked = 'you are not asked for a passkey'

t.test('a passkey that no sign-in is asked for is not two-step verification', async (t) => {
  const scene = await openWithPasskey(t)
  const { userId, browser } = scene
  t.notOk(await isAsked(scene, userId))
  t.equal(await getSummary(browser), 'Off')
  t.match(await getPage(browser), notAsked)

  await scene.addApp(userId)
  t.ok(await isAsked(scene, userId))
  t.equal(await getSummary(browser), 'On')
  t.notMatch(await getPage(browser), notAsked)
})

t.test('a passkey that every sign-in is asked for is two-step verification', async (t) => {
  const scene = await openWithPasskey(t, { required: true })
  const { userId, browser } = scene
  t.ok(await isAsked(scene, userId))
  t.equal(await getSummary(browser), 'On')
  t.notMatch(await getPage(browser), notAsked)
})

for (const isRequired of [true, false])
  t.test(`the page of factors asks a function, which returns ${isRequired}`, async (t) => {
    const scene = await openWithPasskey(t, { required: async () => isRequired })
    const { userId, browser } = scene
    t.equal(await isAsked(scene, userId), isRequired)
    t.equal(await getSummary(browser), 'No authenticator app is set up.', 'the account page does not know')
    t.equal((await getPage(browser)).includes(notAsked), !isRequired)
  })

t.test('a passkey of one factor is no two-step verification', async (t) => {
  const stage = await openStage(t, 'database', {}, openAccountApplication)
  const userId = await stage.addUser(ada)
  const browser = stage.newBrowser()
  await stage.enter(browser, userId)
  await addPasskey(browser, createAuthenticator({ origin }))
  t.equal(await getSummary(browser), 'Off')
  t.notMatch(await getPage(browser), notAsked)
})

const challengePath = `${base}/verify/factor`

/** The page for users who have lost what they are asked for, after the label of its link. */
async function openLost(browser: Browser): Promise<string> {
  const [link] = (await browser.open(challengePath)).html().querySelectorAll('main a[href$="?lost=yes"]')
  const page = (await browser.open(link?.getAttribute('href') ?? '')).html()
  return `${link?.text} ${page.querySelector('title')?.text} ${page.querySelector('main')?.text}`
}

t.test('who has no recovery codes is not advised to look for them', async (t) => {
  const { userId, newBrowser, enter, addApp, context } = await openWithPasskey(t, { required: true })
  const browser = newBrowser()
  await enter(browser, userId)
  const text = await openLost(browser)
  t.notMatch(text, /code/i)
  t.match(text, /Lost your phone or your passkey\?.*Lost your phone or your passkey\?/)
  t.match(text, /Contact the people who run this site\..*Cancel/, 'every other way asks for the same')
  t.notMatch(text, /another way|Sign in/)

  await addApp(userId)
  t.notMatch(await openLost(browser), /code/i, 'an imported app has no codes')
  const empty = {
    name: null,
    lastUsedAt: null,
    version: 0,
    createdAt: new Date(),
    data: JSON.stringify({ set: 'all', codes: [] })
  }
  await context.factors.create({ ...recoveryCodesKey(userId), userId, ...empty })
  t.notMatch(await openLost(browser), /code/i, 'all codes are used')
})

t.test('a way to sign in that may need no second factor is another way', async (t) => {
  const { userId, newBrowser, enter } = await openWithPasskey(t, { required: true, satisfiedBy: () => false })
  const browser = newBrowser()
  await enter(browser, userId)
  t.match(await openLost(browser), /Sign in another way, or contact the people who run this site\..*Sign in/)
})

t.test('who has recovery codes is advised to look for them', async (t) => {
  const app = await openWithFactor(t, 'database')
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  t.match(
    await openLost(browser),
    /lost my phone and my codes.*Lost your phone and your codes\?.*Look for the recovery/
  )
})

t.test('no recovery codes are not few, and none stop working', async (t) => {
  const stage = await openStage(t, 'database', {}, openAccountApplication)
  const userId = await stage.addUser(ada)
  const browser = stage.newBrowser()
  await stage.addApp(userId)
  await stage.enter(browser, userId, 'pwd mfa')
  const none = /You have no recovery codes. Create new ones/
  const wrong = /few recovery codes|left: 0|will stop working|or recovery code/
  for (const page of [await getPage(browser), await getCodesPage(browser)]) {
    t.match(page, none, 'an imported app has no codes')
    t.notMatch(page, wrong)
  }
  const codes = { set: 'all', codes: [] }
  const about = { userId, name: null, lastUsedAt: null, version: 0, createdAt: new Date(), data: JSON.stringify(codes) }
  await stage.context.factors.create({ ...recoveryCodesKey(userId), ...about })
  for (const page of [await getPage(browser), await getCodesPage(browser), await getSummary(browser)]) {
    t.match(page, none, 'all codes are used')
    t.notMatch(page, wrong)
  }
})

const getAppPage = async (browser: Browser): Promise<string> =>
  (await browser.open(`${base}/factors/totp`)).html().querySelector('main')?.text ?? ''

/** Removes the app of a user. @returns The mail about it. */
async function removeApp(
  { auth, mailbox }: Pick<Stage, 'auth' | 'mailbox'>,
  browser: Browser,
  app: App
): Promise<string> {
  const removed = await browser.submit(`${base}/factors/totp/remove`, { code: app.code() })
  t.equal(removed.location, `${origin}${base}/factors`)
  await auth.close()
  const { subject, text } = mailbox.last()
  return `${subject}: ${text}`
}

t.test('no recovery codes are removed with an app', async (t) => {
  const stage = await openStage(t)
  const userId = await stage.addUser(ada)
  const app = await stage.addApp(userId)
  const browser = stage.newBrowser()
  await stage.enter(browser, userId, 'pwd mfa')
  const page = await getAppPage(browser)
  t.match(page, 'You are signed out everywhere else.')
  t.notMatch(page, /recovery/i)
  const mail = await removeApp(stage, browser, app)
  t.match(mail, /^Two-step verification was turned off.*The authenticator app was removed/s)
  t.notMatch(mail, /recovery/i)
})

t.test('recovery codes are removed with an app', async (t) => {
  const scene = await openWithFactor(t, 'database')
  t.match(
    await getAppPage(scene.browser),
    'Your recovery codes are removed too, and you are signed out everywhere else.'
  )
  t.match(
    await removeApp(scene, scene.browser, scene.app),
    /^Two-step verification was turned off.*The authenticator app and the recovery codes were removed/s
  )
})

for (const required of [true, async () => true])
  t.test(`two-step verification stays on with a passkey that ${typeof required} asks for`, async (t) => {
    const scene = await openWithPasskey(t, { required })
    const { userId, browser } = scene
    const mail = await removeApp(scene, browser, await scene.addApp(userId))
    const activity = getRows(await browser.open(`${accountPath}/activity`))
    t.ok(activity.includes('Authenticator app removed'), `${activity}`)
    t.notMatch(`${activity}`, 'turned off')
    t.match(mail, /^The authenticator app was removed from your account/)
    t.notMatch(mail, /turned off|recovery/)
  })

t.test('two-step verification is off with a passkey that no sign-in asks for', async (t) => {
  const scene = await openWithPasskey(t)
  const { userId, browser } = scene
  t.match(await removeApp(scene, browser, await scene.addApp(userId)), /^Two-step verification was turned off/)
})

/** Whether the boxes that trust the browser are checked. */
const getTrust = (page: BrowserResponse): readonly boolean[] =>
  page
    .html()
    .querySelectorAll('input[name=trust]')
    .map((box) => box.hasAttribute('checked'))

t.test('the choice to trust the browser stays after a wrong code', async (t) => {
  const { userId, newBrowser, enter, addApp } = await openWithPasskey(t)
  const app = await addApp(userId)
  const browser = newBrowser()
  await enter(browser, userId)
  t.same(getTrust(await browser.open(challengePath)), [false, false])
  t.same(getTrust(await answer(browser, { code: app.wrongCode(), trust: 'yes' })), [true, true])
  t.same(getTrust(await answer(browser, { credential: '{}', trust: 'yes' })), [true, true])
  t.same(getTrust(await answer(browser, { code: app.wrongCode() })), [false, false], 'and that not to')
})

t.test('the choice to trust the browser stays while a code is mailed', async (t) => {
  const { addUser, addApp, newBrowser, enter, clock, mailbox } = await openStage(t)
  const userId = await addUser(ada)
  const app = await addApp(userId)
  const browser = newBrowser()
  let page: BrowserResponse | null = null
  for (let count = 1; count <= 30; count++) {
    if (count === 1 || count % 3 === 0) await enter(browser, userId)
    if (count > 20) clock.advance(31)
    page = await answer(browser, { code: app.wrongCode(), trust: 'yes' })
  }
  if (!page) throw new Error('expected a page')
  t.match(page.body, 'Send code by email')
  const sent = await browser.fill(page, challengePath)
  t.same(getTrust(sent), [true])
  t.same(getTrust(await browser.fill(sent, challengePath, { mailCode: 'BBBBBBBB', code: app.code() })), [true])
  clock.advance(31)
  const done = await browser.fill(sent, challengePath, { mailCode: mailbox.last().code, code: app.code() })
  t.equal(done.location, origin)
  t.type(browser.cookies.get('__Host-postern.factors.device'), 'string')
})

/** Types a wrong mailed code until none is asked for any more. @returns The last page. */
async function typeWrongCodes(form: BrowserResponse, browser: Browser): Promise<BrowserResponse> {
  const getField = (page: BrowserResponse) => page.html().querySelector('[name=mailCode]')
  let page = form
  for (let count = 0; count < 7 && getField(page); count++) {
    t.notMatch(page.html().querySelector('.notice')?.text, 'no longer works')
    page = await browser.fill(page, 'form:has(input[name=mailCode])', { mailCode: 'BBBBBBBB' })
  }
  return page
}

/** The notice, and what the page offers to do. */
const getNext = (page: BrowserResponse): readonly (string | undefined)[] => [
  page.html().querySelector('.notice-problem')?.text,
  page.html().querySelector('[name=mailCode]')?.outerHTML,
  page.html().querySelector('form:has([name=send]) .button, form[action$="/code"] .button')?.text
]

const isGone = ['The code from the email no longer works. Get a new one. ', undefined, 'Send code by email']

t.test('a mailed code that no attempt is left for is not looked for in the latest email', async (t) => {
  const stage = await openStage(t)
  const userId = await stage.addUser(ada)
  const browser = stage.newBrowser()
  await stage.enter(browser, userId)
  const path = `${base}/passkeys`
  const passkeys = await browser.followAll(await browser.fill(await browser.open(path), `${path}/code`))
  t.same(getNext(await typeWrongCodes(passkeys, browser)), isGone, 'before a passkey is added')

  const send = async (): Promise<BrowserResponse> =>
    browser.fill(await startEnrollment(browser), `${base}/factors/totp`)
  const form = await send()
  t.same(getNext(await typeWrongCodes(form, browser)), isGone, 'before an app is set up')
  const another = await browser.fill(form, 'form:has(input[name=mailCode])', { mailCode: 'BBBBBBBB' })
  t.same(getNext(another), isGone, 'in another tab')
})

t.test('a user without a password is not advised to change one', async (t) => {
  const stage = await openStage(t)
  const userId = await stage.addUser(ada)
  const browser = stage.newBrowser()
  await stage.enter(browser, userId)
  await enroll(stage, browser)
  await browser.submit(`${base}/factors/recovery-codes`, {})
  await stage.auth.close()
  const texts = stage.mailbox.mails.map(({ text }) => text)
  t.ok(texts.length >= 2)
  for (const text of texts) t.notMatch(text, /password/)
})
