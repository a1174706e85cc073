import { type Feature, redirect } from '@postern/core/feature'
import type { Browser } from '@postern/testkit'
import t from 'tap'
import { addPasskey, getAuthentication } from './passkey-application.ts'
import {
  ada,
  change,
  createLimiter,
  createUser,
  first,
  forget,
  getAddress,
  openLink,
  origin,
  second,
  signIn,
  signInByMail
} from './password-application.ts'
import {
  answer,
  base,
  enroll,
  type FactorApplication,
  openWithFactor,
  signInWithBoth,
  signInWithPassword
} from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

const cookie = '__Host-postern.factors.device'

/** A browser that Ada trusts, which is signed out. */
async function trust(app: FactorApplication): Promise<Browser> {
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  app.clock.advance(61)
  await answer(browser, { code: app.app.code(), trust: 'yes' })
  await browser.submit(`${base}/signout`, {})
  return browser
}

const isAsked = async (browser: Browser, password: string = first): Promise<boolean> =>
  (await signIn(browser, ada, password)).location !== origin

t.test('a trusted browser is not asked, for 30 days, and proves nothing', async (t) => {
  const app = await openWithFactor(t, 'database')
  const browser = await trust(app)
  t.type(browser.cookies.get(cookie), 'string')
  t.notOk(await isAsked(browser))
  t.same((await getAuthentication(app, browser))?.amr, ['pwd'])
  t.ok(await isAsked(app.newBrowser()), 'another browser')

  const guard = await browser.open(`${base}/verify?callbackUrl=/&amr=mfa`)
  await browser.fill(guard, `${base}/callback/password`, { email: ada, password: first })
  const step = await browser.open(`${base}/verify/factor`)
  t.match(step.body, 'authenticator app', 'a guard asks in a trusted browser too')
  t.equal(step.html().querySelector('input[name=trust]'), null)
  app.clock.advance(31)
  await answer(browser, { code: app.app.code(), trust: 'yes' })
  t.same((await getAuthentication(app, browser))?.amr, ['pwd', 'otp', 'mfa'])
  app.clock.advance(29 * 86_400)
  t.notOk(await isAsked(browser))
  app.clock.advance(86_400)
  t.ok(await isAsked(browser), 'after 30 days')
})

t.test('without the checkbox, and with a recovery code, a browser is not trusted', async (t) => {
  const app = await openWithFactor(t, 'jwt')
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  await answer(browser, { code: app.app.code() })
  t.equal(browser.cookies.get(cookie), null)
  await signInWithPassword(browser)
  await answer(browser, { recoveryCode: app.recoveryCodes[0] ?? '', trust: 'yes' })
  t.equal(browser.cookies.get(cookie), null)
})

t.test('trustDeviceFor 0 turns it off', async (t) => {
  const app = await openWithFactor(t, 'database', { secondFactor: { trustDeviceFor: 0 } })
  const browser = app.newBrowser()
  const page = await browser.followAll(await signInWithPassword(browser))
  t.equal(page.html().querySelector('input[name=trust]'), null)
  await answer(browser, { code: app.app.code(), trust: 'yes' })
  t.equal(browser.cookies.get(cookie), null)
  t.ok(await isAsked(browser))
})

/** What ends the trust in a browser. */
const ends: Readonly<Record<string, (app: FactorApplication) => Promise<unknown>>> = {
  'a change of the password': async (app) => {
    await signInWithBoth(app)
    await change(app.browser, { password: second })
  },
  'a reset of the password': async ({ newBrowser, mailbox }) => {
    const other = newBrowser()
    await forget(other, ada)
    await openLink(other, mailbox.last(), { password: second })
  },
  'new recovery codes': async (app) => {
    await signInWithBoth(app)
    await app.browser.submit(`${base}/factors/recovery-codes`, { code: app.app.code() })
  },
  'a new passkey': async (app) => {
    await signInWithBoth(app)
    await addPasskey(app.browser, createAuthenticator({ origin }))
  },
  'the end of all sessions': ({ auth, userId }) => auth.sessions.revokeAll(userId),
  'a suspension': async ({ auth, userId }) => {
    await auth.users.suspend(userId)
    await auth.users.resume(userId)
  },
  'another app': async (app) => {
    app.clock.advance(31)
    await app.browser.submit(`${base}/factors/totp/remove`, { code: app.app.code() })
    await enroll(app, app.browser)
  }
}

t.test('a sign-in that replaces an imported hash does not end the trust in a browser', async (t) => {
  const verifyLegacy = (hash: string, typed: string): boolean => hash === `legacy:${typed}`
  const app = await openWithFactor(t, 'database', { password: { verifyLegacy } })
  await app.auth.features.password.setHash(app.userId, `legacy:${first}`)
  const browser = app.newBrowser()
  await signInByMail(browser, ada, app.mailbox)
  app.clock.advance(61)
  await answer(browser, { code: app.app.code(), trust: 'yes' })
  await browser.submit(`${base}/signout`, {})
  const key = { type: 'password', id: app.userId }
  const { version } = (await app.adapter.getFactor?.(key)) ?? {}
  t.ok(await isAsked(app.newBrowser()))
  t.not((await app.adapter.getFactor?.(key))?.version, version, 'the hash was replaced')
  t.notOk(await isAsked(browser))
})

for (const [name, end] of Object.entries(ends))
  t.test(`${name} ends the trust in a browser`, async (t) => {
    const app = await openWithFactor(t, 'database')
    const browser = await trust(app)
    t.notOk(await isAsked(browser))
    app.clock.advance(1)
    await end(app)
    await browser.submit(`${base}/signout`, {})
    const isChanged = name.endsWith('of the password')
    t.match((await signIn(browser, ada, isChanged ? second : first)).location, /SecondFactorRequired/)
    t.equal(await getAddress(browser), null)
  })

t.test('the browser that makes a change stays trusted and known, for as long as it was', async (t) => {
  const app = await openWithFactor(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const other = await trust(app)
  const browser = app.newBrowser()
  await signInWithPassword(browser)
  app.clock.advance(61)
  await answer(browser, { code: app.app.code(), trust: 'yes' })
  const known = browser.cookies.get('__Secure-postern.device')
  t.match((await change(browser, { password: second })).location, '/password/changed')
  t.not(browser.cookies.get('__Secure-postern.device'), known, 'the device has the new version')
  await browser.submit(`${base}/signout`, {})
  const isTrusted = async (one: Browser): Promise<boolean> => {
    await signIn(one, ada, second)
    return (await getAddress(one)) === ada
  }
  t.ok(await isTrusted(browser))
  t.notOk(await isTrusted(other))
  app.clock.advance(30 * 86_400)
  await browser.submit(`${base}/signout`, {})
  t.notOk(await isTrusted(browser), 'the time is that of before')
})

// Versions are compared, never clocks: a browser that is trusted after an end of sessions stays trusted.
t.test('a browser that is trusted in the second after an end of sessions stays trusted', async (t) => {
  for (const seconds of [0, 1, 29]) {
    const app = await openWithFactor(t, 'database')
    const before = await trust(app)
    app.clock.advance(31)
    await app.auth.sessions.revokeAll(app.userId)
    app.clock.advance(seconds)
    const browser = app.newBrowser()
    await signInWithPassword(browser)
    await answer(browser, { code: app.app.code(), trust: 'yes' })
    await browser.submit(`${base}/signout`, {})
    t.notOk(await isAsked(browser), `${seconds} s after it`)
    t.ok(await isAsked(before), 'a browser from before it')
    await app.auth.sessions.revokeAll(app.userId)
    await browser.submit(`${base}/signout`, {})
    t.ok(await isAsked(browser), 'after the next end')
  }
})

t.test('the cookie of one user is of no use to another', async (t) => {
  const app = await openWithFactor(t, 'database')
  const browser = await trust(app)
  const grace = await createUser(app, 'grace@example.com', second)
  const own = await enroll(app, grace)
  const response = await signIn(browser, 'grace@example.com', second)
  t.match(response.location, /SecondFactorRequired/)
  app.clock.advance(31)
  await answer(browser, { code: own.app.code(), trust: 'yes' })
  await browser.submit(`${base}/signout`, {})
  t.notOk(await isAsked(browser), 'the browser stays trusted for both')
  t.equal((await signIn(browser, 'grace@example.com', second)).location, origin)
})

/** Adds a factor of its own to a sign-in. */
function createOwnFactor(order: number): { readonly feature: Feature; isDue: boolean } {
  const own = { isDue: false }
  const feature: Feature = {
    id: 'own',
    needs: ['createFactor'],
    setup: () => ({
      interruptions: [
        {
          id: 'own',
          order,
          isDue: () => own.isDue,
          show: () => redirect('/own'),
          verify: () => ({ kind: 'passed', newFactors: [{ id: 'one', type: 'own', name: null, data: 'own' }] })
        }
      ]
    })
  }
  return Object.assign(own, { feature })
}

for (const [order, when] of [
  [150, 'before'],
  [400, 'after']
] as const)
  t.test(`a browser that is trusted ${when} its sign-in adds a factor stays trusted`, async (t) => {
    const own = createOwnFactor(order)
    const app = await openWithFactor(t, 'database', { features: [own.feature] })
    const other = await trust(app)
    app.clock.advance(31)
    own.isDue = true
    const browser = app.newBrowser()
    await signInWithPassword(browser)
    const steps = [
      () => browser.submit(`${base}/verify/own`, {}),
      () => answer(browser, { code: app.app.code(), trust: 'yes' })
    ]
    for (const step of order === 150 ? steps : steps.toReversed()) await step()
    t.equal(await getAddress(browser), ada)
    own.isDue = false
    await browser.submit(`${base}/signout`, {})
    t.notOk(await isAsked(browser))
    t.ok(await isAsked(other), 'the factors are others than when this one was trusted')
  })
