import { memoryAdapter } from '@postern/adapters/memory'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getAuthentication } from './passkey-application.ts'
import { ada, getAddress, origin, signInByMail, strategies } from './password-application.ts'
import {
  type App,
  answer,
  base,
  createApp,
  enroll,
  getKey,
  getRecoveryCodes,
  mailAndReadKey,
  postEnrollment,
  readKey,
  type Strategy,
  startWithMail
} from './second-factor-application.ts'
import { copy, openStage, type Stage } from './second-factor-stage.ts'

const enrollPage = `${base}/verify/enroll`

const post = (browser: Browser, values: Readonly<Record<string, string>>): Promise<BrowserResponse> =>
  browser.submit(enrollPage, values)

interface AdaWithoutFactor extends Stage {
  readonly userId: string
  /** Requires a second factor from now on. */
  readonly require: () => void
  /** Runs once, while the next sign-in creates its session. */
  readonly runMeanwhile: (work: () => Promise<unknown>) => void
}

/** Ada has no second factor. */
async function openAda(
  t: Test,
  strategy: Strategy = 'database',
  options: Parameters<typeof openStage>[2] = {}
): Promise<AdaWithoutFactor> {
  let isRequired = false
  const waiting: (() => Promise<unknown>)[] = []
  const stage = await openStage(t, strategy, {
    ...options,
    secondFactor: { required: () => isRequired },
    session: {
      strategy,
      remember: async () => {
        await waiting.pop()?.()
        return true
      }
    }
  })
  const require = (): void => {
    isRequired = true
  }
  return { ...stage, userId: await stage.addUser(ada), require, runMeanwhile: (work) => void waiting.push(work) }
}

/** Signs in, and sets up the required app up to the recovery codes. */
async function confirmRequired({ clock, mailbox }: Stage, browser: Browser): Promise<App> {
  await signInByMail(browser, ada, mailbox)
  const app = createApp(getKey(await browser.open(enrollPage)), clock.now)
  await post(browser, { code: app.code() })
  return app
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a required enrollment ends the sessions of who only knows the password`, async (t) => {
    const stage = await openAda(t, strategy)
    const [thief, owner] = [stage.newBrowser(), stage.newBrowser()]
    await stage.enter(thief, stage.userId)
    t.equal(await getAddress(thief), ada)
    stage.require()
    await confirmRequired(stage, owner)
    t.equal(await getAddress(thief), ada, 'until it is complete')
    t.equal((await post(owner, { saved: 'yes' })).location, origin)
    t.equal(await getAddress(owner), ada)
    t.equal(await getAddress(thief), null)
  })

  test(`${strategy}: a guard that enrolls a user ends the other sessions, and copies of this one`, async (t) => {
    const stage = await openAda(t, strategy)
    const [owner, other] = [stage.newBrowser(), stage.newBrowser()]
    for (const browser of [owner, other]) await stage.enter(browser, stage.userId)
    const before = copy(stage, owner)
    await owner.open(`${base}/verify?callbackUrl=/&amr=mfa`)
    await stage.enter(owner, stage.userId)
    const app = createApp(await mailAndReadKey(owner), stage.clock.now)
    await post(owner, { code: app.code(), mailCode: stage.mailbox.last().code })
    t.equal((await post(owner, { saved: 'yes' })).location, origin)
    t.same((await getAuthentication(stage, owner))?.amr, ['pwd', 'otp', 'mfa'])
    for (const browser of [other, before]) t.equal(await getAddress(browser), null)
    stage.clock.advance(31)
    await stage.enter(other, stage.userId)
    t.equal((await answer(other, { code: app.code() })).location, origin)
    t.equal(await getAddress(owner), ada)
  })

  test(`${strategy}: a sign-in that overlaps a required enrollment keeps no session`, async (t) => {
    const { readTickets, ...withoutReadTickets } = memoryAdapter()
    for (const adapter of [memoryAdapter(), withoutReadTickets]) {
      const stage = await openAda(t, strategy, { adapter })
      const [thief, owner] = [stage.newBrowser(), stage.newBrowser()]
      stage.runMeanwhile(async () => {
        stage.require()
        await confirmRequired(stage, owner)
        t.equal((await post(owner, { saved: 'yes' })).location, origin)
      })
      t.match((await stage.enter(thief, stage.userId)).location, /error=/)
      t.match(await stage.auth.features.factors.list(stage.userId), [{ type: 'totp' }, {}])
      t.equal(await getAddress(thief), null)
      t.equal(await getAddress(owner), ada)
    }
  })

  test(`${strategy}: a sign-in that overlaps an enrollment keeps no session, whatever the clocks say`, async (t) => {
    for (const difference of [-2000, 0]) {
      const stage = await openAda(t, strategy)
      const runtime = { now: () => stage.clock.now() + difference, sendMail: stage.mailbox.sendMail }
      const process = await openStage(t, strategy, { adapter: stage.adapter, runtime })
      const [thief, owner] = [stage.newBrowser(), process.newBrowser()]
      await process.enter(owner, stage.userId)
      stage.runMeanwhile(async () => {
        const { app, mailCode } = await startWithMail(stage, owner)
        await postEnrollment(owner, { code: app.code(), mailCode })
      })
      t.match((await stage.enter(thief, stage.userId)).location, /error=/)
      t.match(await stage.auth.features.factors.list(stage.userId), [{ type: 'totp' }, {}])
      t.equal(await getAddress(thief), null, `${difference}`)
      t.equal(await getAddress(owner), ada)
    }
  })
}

t.test('who only knows the password does not end the enrollment of the owner by starting others', async (t) => {
  const stage = await openAda(t)
  const [owner, thief, guarded] = [stage.newBrowser(), stage.newBrowser(), stage.newBrowser()]
  for (const browser of [owner, thief, guarded]) await stage.enter(browser, stage.userId)
  await guarded.open(`${base}/verify?callbackUrl=/&amr=mfa`)
  await stage.enter(guarded, stage.userId)
  const key = await mailAndReadKey(guarded)
  const { app, mailCode } = await startWithMail(stage, owner)
  await thief.submit(`${base}/factors/totp/start`, {})
  t.equal(await readKey(guarded), key)
  t.equal(getRecoveryCodes(await postEnrollment(owner, { code: app.code(), mailCode })).length, 10)
})

t.test('of two enrollments that are saved at once, one signs in, and its codes are those that work', async (t) => {
  const stage = await openAda(t)
  stage.require()
  const browsers = [stage.newBrowser(), stage.newBrowser()]
  const apps: App[] = []
  for (const browser of browsers) apps.push(await confirmRequired(stage, browser))
  await Promise.all(browsers.map((browser) => post(browser, { saved: 'yes' })))
  const addresses = await Promise.all(browsers.map(getAddress))
  t.equal(addresses.filter((address) => address === ada).length, 1)
  stage.clock.advance(31)
  const next = stage.newBrowser()
  await stage.enter(next, stage.userId)
  t.equal((await answer(next, { code: apps[addresses.indexOf(ada)]?.code() ?? '' })).location, origin)
})

t.test('an app that is set up while another one waits to be saved keeps its recovery codes', async (t) => {
  const stage = await openAda(t)
  const [owner, waiting] = [stage.newBrowser(), stage.newBrowser()]
  await stage.enter(owner, stage.userId)
  stage.require()
  await confirmRequired(stage, waiting)
  const { recoveryCodes } = await enroll(stage, owner)
  t.match((await post(waiting, { saved: 'yes' })).location, /error=Callback/)
  t.equal(await getAddress(waiting), null)
  const next = stage.newBrowser()
  await stage.enter(next, stage.userId)
  t.equal((await answer(next, { recoveryCode: recoveryCodes[9] ?? '' })).location, origin)
})
