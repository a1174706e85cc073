import { type Browser, createClock, createIssuer } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getAuthentication, strategies } from './passkey-application.ts'
import { ada, findUser, getAddress, origin, type Strategy } from './password-application.ts'
import { answer, base } from './second-factor-application.ts'
import { type AdaStage, admit, openAda } from './second-factor-stage.ts'

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

const turns = turnsOf(strategies, t)

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
