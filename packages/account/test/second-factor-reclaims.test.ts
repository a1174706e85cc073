import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, OAuthConfig } from '@postern/core'
import type { Feature, FeatureContext } from '@postern/core/feature'
import { type Browser, type BrowserResponse, createClock, createIssuer, type Issuer } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { recoveryCodesKey } from '../src/second-factor/stored-recovery-codes.ts'
import { createSecret, createTotpData, totpKey } from '../src/second-factor/stored-totp.ts'
import {
  type Application,
  ada,
  base,
  findUser,
  forget,
  getAddress,
  openLink,
  origin,
  second,
  signUp,
  strategies
} from './password-application.ts'
import { openApplication, type Strategy } from './second-factor-application.ts'

/** An application in which an attacker has set up a second factor for a user with the address of somebody else. */
interface Stage extends Application {
  readonly issuer: Issuer
  readonly userId: string
  /** The methods of each transaction. */
  readonly transactions: readonly (readonly string[])[]
  readonly listTypes: () => Promise<readonly string[]>
}

function recordTransactions(adapter: Adapter): { readonly adapter: Adapter; readonly transactions: string[][] } {
  const transactions: string[][] = []
  const transact: Adapter['transact'] = async (calls) => {
    transactions.push(calls.map(({ method }) => method))
    return (await adapter.transact?.(calls)) ?? false
  }
  return { adapter: { ...adapter, transact }, transactions }
}

/** The factors that someone may set up for a user who has no address yet. */
async function addFactors(userId: string, context: FeatureContext): Promise<void> {
  const about = { userId, name: null, createdAt: new Date(context.now()), lastUsedAt: null, version: 0 }
  const data = JSON.stringify({ set: 'a', codes: [{ index: 'AB', hash: '' }] })
  await context.factors.create({
    ...totpKey(userId),
    ...about,
    data: createTotpData(createSecret(context.randomBytes), 0)
  })
  await context.factors.create({ ...recoveryCodesKey(userId), ...about, data })
}

async function openStage(t: Test, strategy: Strategy): Promise<Stage> {
  const contexts: FeatureContext[] = []
  const probe: Feature = {
    id: 'probe',
    setup: (context) => {
      contexts.push(context)
      return {}
    }
  }
  const { adapter, transactions } = recordTransactions(memoryAdapter())
  const issuer = createIssuer({ redirectUris: [`${origin}${base}/callback/demo`], clock: createClock() })
  const demo: OAuthConfig = {
    ...{ id: 'demo', name: 'Demo', type: 'oidc', issuer: issuer.issuer, verifiesEmail: true },
    ...{ clientId: issuer.clientId, clientSecret: issuer.clientSecret ?? '' },
    authorization: { params: { scope: 'openid email profile' } },
    allowDangerousEmailAccountLinking: true
  }
  const runtime = { fetch: issuer.fetch }
  const app = await openApplication(t, strategy, { adapter, providers: [demo], features: [probe], runtime })
  const user = { name: null, image: null, email: ada, emailVerified: null }
  const userId = (await adapter.createUser?.(user as never))?.id ?? ''
  const [context] = contexts
  if (!context) throw new Error('expected the context')
  await addFactors(userId, context)
  const listTypes = async (): Promise<readonly string[]> =>
    ((await adapter.listFactors?.(userId)) ?? []).map(({ type }) => type).toSorted()
  return { ...app, issuer, userId, transactions, listTypes }
}

async function signInAtProvider({ issuer }: Stage, browser: Browser): Promise<BrowserResponse> {
  const { location } = await browser.submit(`${base}/signin/demo`, {})
  const callback = await issuer.authorize(location ?? '', {
    ...{ sub: 'ada', name: 'Ada', email: ada, email_verified: true }
  })
  return browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
}

/** How the owner of the address proves it and signs in. */
const ways: Readonly<Record<string, (stage: Stage, owner: Browser) => Promise<BrowserResponse>>> = {
  'a mailed link': async ({ mailbox }, owner) => {
    await owner.submit(`${base}/signin/email`, { email: ada })
    return owner.open(mailbox.last().url)
  },
  'a mailed code': async ({ mailbox }, owner) => {
    await owner.submit(`${base}/signin/email`, { email: ada })
    return owner.submit(`${base}/callback/email`, { code: mailbox.last().code })
  },
  'an invitation, at a provider': async (stage, owner) => {
    await stage.auth.invite(stage.userId, { expiresIn: 3600 })
    return signInAtProvider(stage, owner)
  },
  'a mailed link, after a provider that may not join': async (stage, owner) => {
    const refused = await signInAtProvider(stage, owner)
    if (!refused.location?.includes('error=OAuthAccountNotLinked')) throw new Error(`got ${refused.location}`)
    await owner.submit(`${base}/signin/email`, { email: ada })
    return owner.open(stage.mailbox.last().url)
  },
  'an invitation, by mail': async (stage, owner) => {
    await stage.auth.invite(stage.userId, { expiresIn: 3600 })
    await owner.submit(`${base}/signin/email`, { email: ada })
    return owner.open(stage.mailbox.last().url)
  },
  'the link of a sign-up with a password': async ({ mailbox }, owner) => {
    await signUp(owner, ada, second)
    return openLink(owner, mailbox.last())
  },
  'the link for a forgotten password': async ({ mailbox }, owner) => {
    await forget(owner, ada)
    return openLink(owner, mailbox.last())
  }
}

const turns = turnsOf(strategies, t)

for (const [way, prove] of Object.entries(ways))
  for (const { value: strategy, test } of turns())
    test(`${strategy}: the owner of an address is not asked for the factor of an attacker, by ${way}`, async (t) => {
      const stage = await openStage(t, strategy)
      const owner = stage.newBrowser()
      const response = await prove(stage, owner)
      t.notMatch(response.location, /\/verify/)
      t.equal(await getAddress(owner), ada)
      t.equal((await findUser(stage, ada))?.id, stage.userId, 'the user of the attacker')
      t.notMatch((await stage.listTypes()).join(), /factors-/, 'the factors of the attacker are gone')
      const deleting = stage.transactions.filter((methods) => methods.includes('deleteFactor'))
      const [claim = []] = deleting
      t.equal(claim.filter((method) => method === 'deleteFactor').length, 2, 'both, in one transaction')
    })
