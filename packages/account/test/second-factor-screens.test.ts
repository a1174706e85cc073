import type { SecondFactorOptions } from '@postern/account/second-factor'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import { recoveryCodesKey } from '../src/second-factor/stored-recovery-codes.ts'
import { accountPath, openAccountApplication } from './account-application.ts'
import { addPasskey } from './passkey-application.ts'
import { ada, origin } from './password-application.ts'
import { base, openWithFactor, signInWithPassword } from './second-factor-application.ts'
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
    t.equal(await getSummary(browser), '', 'the account page does not know')
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
  t.match(text, 'Sign in another way, or contact the people who run this site.')

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

t.test('who has recovery codes is advised to look for them', async (t) => {
  const app = await openWithFactor(t, 'database')
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  t.match(
    await openLost(browser),
    /lost my phone and my codes.*Lost your phone and your codes\?.*Look for the recovery/
  )
})
