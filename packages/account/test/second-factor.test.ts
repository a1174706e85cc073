import { type Feature, redirect } from '@postern/core/feature'
import { type Browser, createClock, createIssuer } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getAuthentication } from './passkey-application.ts'
import { ada, findUser, getAddress, origin, type Strategy, strategies } from './password-application.ts'
import {
  answer,
  base,
  enroll,
  getRecoveryCodes,
  openApplication,
  openWithFactor,
  signInWithPassword
} from './second-factor-application.ts'
import { type AdaStage, admit, copy, openAda, wait } from './second-factor-stage.ts'

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: set up an app, sign in with it and with a recovery code, remove it`, async (t) => {
    const opened = await openWithFactor(t, strategy)
    const { auth, app, clock, newBrowser, browser, recoveryCodes, userId, mailbox } = opened
    t.equal(recoveryCodes.length, 10)
    t.ok(recoveryCodes.every((code) => /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/.test(code)))
    t.match(mailbox.last().subject, 'Two-step verification was turned on')
    t.equal(await getAddress(browser), ada, 'the session stays')

    const other = newBrowser()
    const interrupted = await signInWithPassword(other)
    t.match(interrupted.location, /\/verify\?error=SecondFactorRequired$/)
    const page = await other.followAll(interrupted)
    t.equal(page.url, `${origin}${base}/verify/factor`)
    t.match(page.html().querySelector('input[name=code]')?.attrs, {
      autocomplete: 'one-time-code',
      inputmode: 'numeric'
    })
    const refused = await other.fill(page, 'form:has(input[name=code])', { code: app.wrongCode() })
    t.equal(refused.status, 400)
    t.match(refused.html().querySelector('[role=alert]')?.text, 'The code is wrong')
    t.equal(await getAddress(other), null)
    const code = app.code()
    t.equal(
      (await other.fill(refused, 'form:has(input[name=code])', { code: `${code.slice(0, 3)} ${code.slice(3)}` }))
        .location,
      origin
    )
    t.equal(await getAddress(other), ada)
    t.same((await getAuthentication(opened, other))?.amr, ['pwd', 'otp', 'mfa'])

    const third = newBrowser()
    await signInWithPassword(third)
    t.equal((await answer(third, { recoveryCode: recoveryCodes[0]?.toLowerCase() ?? '' })).location, origin)
    t.same((await getAuthentication(opened, third))?.amr, ['pwd', 'mfa'])
    t.match(mailbox.last().text, 'Recovery codes left: 9.')
    t.match(await auth.features.factors.list(userId), [
      { type: 'totp', lastUsedAt: Date, left: null },
      { type: 'recovery-codes', lastUsedAt: Date, left: 9 }
    ])

    clock.advance(31)
    const removed = await third.submit(`${base}/factors/totp/remove`, { code: app.code() })
    t.equal(removed.location, `${origin}${base}/factors`)
    t.same(await auth.features.factors.list(userId), [])
    t.equal(await getAddress(other), null, 'the other sessions end')
    const last = newBrowser()
    t.equal((await signInWithPassword(last)).location, origin)
    const again = await enroll(opened, last)
    t.equal(getRecoveryCodes(again.page).length, 10)
  })
}

type Provider = 'demo' | 'other'

interface LinkStage extends AdaStage {
  /** A browser that Ada trusts, in which she has signed in by the first factor. */
  readonly trusted: () => Promise<Browser>
  /** Returns from the provider with an account of somebody else. */
  readonly comeBack: (browser: Browser, provider: Provider) => Promise<void>
  readonly confirm: (browser: Browser) => Promise<string>
}

/** Ada has an app; what `demo` proves is accepted instead of it, and what `other` proves is not. */
async function openLinks(t: Test, strategy: Strategy): Promise<LinkStage> {
  const ids = ['demo', 'other'] as const
  const redirectUris = ids.map((id) => `${origin}${base}/callback/${id}`)
  const issuer = createIssuer({ redirectUris, clock: createClock() })
  const { issuer: url, clientId, clientSecret = '' } = issuer
  const stage = await openAda(t, strategy, {
    providers: ids.map((id) => ({ id, name: id, type: 'oidc', issuer: url, clientId, clientSecret })),
    runtime: { fetch: issuer.fetch },
    secondFactor: { satisfiedBy: ({ provider }) => provider?.id === 'demo' }
  })
  return {
    ...stage,
    trusted: async () => {
      const browser = await admit(stage, { trust: 'yes' })
      await browser.submit(`${base}/signout`, {})
      await stage.enter(browser, stage.userId)
      return browser
    },
    comeBack: async (browser, provider) => {
      const { location } = await browser.submit(`${base}/signin/${provider}`, {})
      const person = { sub: 'thief', email: 'thief@example.com', email_verified: true }
      const callback = await issuer.authorize(location ?? '', person)
      await browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
    },
    confirm: async (browser) => {
      const path = `${base}/verify/link`
      return (await browser.followAll(await browser.fill(await browser.open(path), path))).url
    }
  }
}

for (const { value: strategy, test } of turns())
  test(`${strategy}: a thief in a trusted browser links no account without the second factor`, async (t) => {
    const stage = await openLinks(t, strategy)
    for (const provider of ['demo', 'other'] as const) {
      const browser = await stage.trusted()
      t.same((await getAuthentication(stage, browser))?.amr, ['pwd'], 'trusted: not asked')
      await stage.comeBack(browser, provider)
      t.match(await stage.confirm(browser), `${base}/verify/factor`, provider)
      await answer(browser, { code: stage.app.wrongCode() })
      t.same(await stage.auth.accounts.list(stage.userId), [], 'nothing is linked')
      const other = stage.newBrowser()
      await stage.comeBack(other, provider)
      t.not(await getAddress(other), ada)
      await stage.auth.deleteUser(String((await findUser(stage, 'thief@example.com'))?.id))

      await answer(browser, { code: stage.app.code() })
      stage.clock.advance(31)
      t.equal((await stage.auth.accounts.list(stage.userId)).length, 1)
      t.same((await getAuthentication(stage, browser))?.amr, ['pwd', 'otp', 'mfa'])
      await stage.auth.unlink(stage.userId, { provider, providerAccountId: 'thief' })
    }
  })

t.test('a session with both factors links an account without another question', async (t) => {
  const stage = await openLinks(t, 'database')
  const browser = await admit(stage)
  await stage.comeBack(browser, 'other')
  t.notMatch(await stage.confirm(browser), '/verify/')
  t.equal((await stage.auth.accounts.list(stage.userId)).length, 1)
})

const cancelPath = `${base}/verify/cancel`

for (const { value: strategy, test } of turns())
  test(`${strategy}: a sign-in that is canceled has ended, also for a copy of its cookies`, async (t) => {
    const stage = await openAda(t, strategy)
    const browser = await wait(stage)
    const copied = copy(stage, browser)
    const canceled = await browser.submit(cancelPath, {})
    t.equal(canceled.location, `${origin}${base}/signin?callbackUrl=${encodeURIComponent(origin)}`)
    for (const each of [browser, copied]) {
      t.match((await answer(each, { code: stage.app.code() })).location, /error=Callback/)
      t.equal(await getAddress(each), null)
    }
    t.equal((await browser.submit(cancelPath, {})).location, canceled.location, 'twice')
    await stage.enter(browser, stage.userId)
    t.equal((await answer(browser, { code: stage.app.code() })).location, origin, 'the next sign-in is another one')
  })

t.test('a user who is signed in goes back to the page that asked, and stays signed in', async (t) => {
  const stage = await openAda(t)
  const browser = await admit(stage)
  await browser.open(`${base}/verify?callbackUrl=/payout&max_age=0&amr=mfa`)
  await stage.enter(browser, stage.userId)
  const page = await browser.open(`${base}/verify/factor`)
  t.notMatch(page.body, 'Use another account', 'the account is fixed')
  t.equal((await browser.submit(cancelPath, {})).location, `${origin}/payout`)
  t.not(await getAddress(browser), null)
})

t.test('only the forms of the site cancel, and only by POST', async (t) => {
  const stage = await openAda(t)
  const browser = await wait(stage)
  t.equal((await browser.open(cancelPath)).status, 404)
  const forged = await browser.request('POST', cancelPath, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'csrfToken=0'
  })
  t.match(forged.location, /\/verify\?csrf=true$/)
  t.equal((await answer(browser, { code: stage.app.code() })).location, origin, 'the sign-in waits')
})

t.test('no interruption has the path of the form that cancels', async (t) => {
  const own: Feature = {
    id: 'own',
    setup: () => ({
      interruptions: [
        { id: 'cancel', order: 400, isDue: () => false, show: () => redirect('/'), verify: () => 'passed' }
      ]
    })
  }
  await t.rejects(openApplication(t, 'database', { features: [own] }), /have this id/)
})
