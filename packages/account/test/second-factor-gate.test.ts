import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, OAuthConfig, Postern } from '@postern/core'
import { type Feature, redirect } from '@postern/core/feature'
import credentials from '@postern/core/providers/credentials'
import { type Browser, type BrowserResponse, createIssuer, type Issuer } from '@postern/testkit'
import { inTurn, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  addPasskey,
  getAuthentication,
  openApplication as openWithPasskeys,
  signInWithPasskey
} from './passkey-application.ts'
import { type Application, ada, base, first, getAddress, origin, signIn, strategies } from './password-application.ts'
import {
  answer,
  createUser,
  type FactorApplication,
  type FactorApplicationOptions,
  openApplication,
  openWithFactor,
  type Strategy,
  signInWithBoth
} from './second-factor-application.ts'
import { type Authenticator, createAuthenticator } from './software-authenticator.ts'

interface Stage extends FactorApplication {
  readonly issuer: Issuer
  readonly authenticator: Authenticator
}

/** An application with every kind of sign-in, whose user Ada has set up an app. */
async function openAll(t: Test, strategy: Strategy, options: FactorApplicationOptions = {}): Promise<Stage> {
  let opened: (Application & { readonly userId: string }) | null = null
  const clock = { now: () => opened?.clock.now() ?? 0 }
  const issuer = createIssuer({ redirectUris: [`${origin}${base}/callback/demo`], clock })
  const form = credentials({
    credentials: { username: {}, password: { type: 'password' } },
    authorize: () => (opened ? { id: opened.userId, email: ada } : null)
  })
  const demo: OAuthConfig = {
    ...{ id: 'demo', name: 'Demo', type: 'oidc', issuer: issuer.issuer, allowDangerousEmailAccountLinking: true },
    ...{ clientId: issuer.clientId, clientSecret: issuer.clientSecret ?? '' },
    authorization: { params: { scope: 'openid email profile' } },
    hooks: { isEmailAuthority: () => true }
  }
  const own: Feature = {
    id: 'own',
    setup: () => ({
      routes: [
        {
          method: 'POST',
          path: '/own',
          access: 'anyone',
          run: async (request) => {
            const auth: Pick<Postern, 'signIn'> | undefined = opened?.auth
            const outcome = await auth?.signIn(request, opened?.userId ?? '', { amr: ['pwd'] })
            return redirect(outcome?.url ?? '', outcome?.cookies)
          }
        }
      ]
    })
  }
  const application = await openWithFactor(t, strategy, {
    ...options,
    providers: [form, demo],
    features: [own],
    runtime: { fetch: issuer.fetch }
  })
  opened = application
  const authenticator = createAuthenticator({ origin, isUserVerifying: false })
  await signInWithBoth(application)
  await addPasskey(application.browser, authenticator)
  return { ...application, issuer, authenticator }
}

/** How the sign-ins of each kind begin. */
const waysIn = {
  'a provider': async ({ issuer }, browser) => {
    const { location } = await browser.submit(`${base}/signin/demo`, {})
    const person = { sub: 'ada', name: 'Ada', email: ada, email_verified: true }
    const callback = await issuer.authorize(location ?? '', person)
    return browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
  },
  'a mailed link': async ({ mailbox }, browser) => {
    await browser.submit(`${base}/signin/email`, { email: ada })
    return browser.open(mailbox.last().url)
  },
  'a mailed code': async ({ mailbox }, browser) => {
    await browser.submit(`${base}/signin/email`, { email: ada })
    return browser.submit(`${base}/callback/email`, { code: mailbox.last().code })
  },
  'a form': (_stage, browser) =>
    browser.submit(`${base}/callback/credentials`, { username: 'ada', password: 'lovelace' }),
  'a password': (_stage, browser) => signIn(browser, ada, first),
  'a passkey that did not verify the user': ({ authenticator }, browser) => signInWithPasskey(browser, authenticator),
  'the application': (_stage, browser) => browser.submit(`${base}/own`, {})
} satisfies Readonly<Record<string, (stage: Stage, browser: Browser) => Promise<BrowserResponse>>>

const someStrategies = inTurn(strategies)

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`factor-1: ${strategy}: no way to sign in passes without the second factor`, async (t) => {
    const stage = await openAll(t, strategy)
    for (const [name, begin] of Object.entries(waysIn)) {
      const browser = stage.newBrowser()
      t.match((await begin(stage, browser)).location, /\/verify\?error=SecondFactorRequired$/, name)
      t.equal(await getAddress(browser), null, name)
      t.equal((await browser.open(`${base}/factors`)).status, 302, `${name}: no page of the account`)
      stage.clock.advance(31)
      t.equal((await answer(browser, { code: stage.app.code() })).location, origin, name)
      t.equal(await getAddress(browser), ada, name)
      const amr = (await getAuthentication(stage, browser))?.amr ?? []
      t.ok(amr.includes('otp') && amr.includes('mfa'), `${name}: ${amr.join(' ')}`)
    }
  })

t.test('a passkey that verified the user is not asked for a second factor', async (t) => {
  const app = await openWithFactor(t, 'database')
  const authenticator = createAuthenticator({ origin })
  await signIn(app.browser, ada, first)
  await answer(app.browser, { code: app.app.code() })
  await addPasskey(app.browser, authenticator)
  const browser = app.newBrowser()
  t.equal((await signInWithPasskey(browser, authenticator)).location, origin)
  t.same((await getAuthentication(app, browser))?.amr, ['swk', 'mfa'])
  const again = app.newBrowser()
  await signInWithPasskey(again, authenticator, { isUserVerified: false })
  t.equal(await getAddress(again), null, 'without user verification it is one factor')
})

t.test('satisfiedBy skips the second factor; anything else that it does refuses', async (t) => {
  let satisfiedBy: () => unknown = () => true
  const app = await openAll(t, 'database', {
    secondFactor: { satisfiedBy: ({ provider }) => (provider?.id === 'demo' ? satisfiedBy() : false) as boolean }
  })
  const begin = (): Promise<BrowserResponse> => waysIn['a provider'](app, app.newBrowser())
  t.equal((await begin()).location, origin)
  const mistakes: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new Error('a mistake')
    },
    'returns a promise': async () => true,
    rejects: () => Promise.reject(new Error('nobody handles it')),
    'returns nothing': () => undefined,
    'returns a text': () => 'true'
  }
  for (const [name, mistake] of Object.entries(mistakes)) {
    satisfiedBy = mistake
    t.match((await begin()).location, /\/signin\?error=/, name)
  }
  satisfiedBy = () => false
  t.match((await begin()).location, /\/verify\?error=/)
})

/** Counts the calls of an adapter. */
function countCalls(adapter: Adapter): { readonly adapter: Adapter; readonly take: () => readonly string[] } {
  const calls: string[] = []
  const count = (name: string, method: unknown): unknown =>
    typeof method === 'function'
      ? (...args: readonly unknown[]) => {
          // The cleanup runs in the background, an hour after the last one.
          if (!name.startsWith('deleteE')) calls.push(name)
          return Reflect.apply(method, adapter, args)
        }
      : method
  const counted = Object.fromEntries(Object.entries(adapter).map(([name, method]) => [name, count(name, method)]))
  return { adapter: counted as never, take: () => calls.splice(0).toSorted() }
}

t.test('a user without a factor costs one indexed read per sign-in, and none per session', async (t) => {
  const getCalls = async (openCounted: (adapter: Adapter) => Promise<Application>) => {
    const { adapter, take } = countCalls(memoryAdapter())
    const browser = await createUser(await openCounted(adapter))
    take()
    t.equal((await signIn(browser, ada, first)).location, origin)
    const signedIn = take()
    await getAddress(browser)
    return { signedIn, read: take() }
  }
  for (const strategy of someStrategies()) {
    const before = await getCalls((adapter) => openWithPasskeys(t, strategy, { adapter }))
    for (const required of [false, () => false]) {
      const { signedIn, read } = await getCalls((adapter) =>
        openApplication(t, strategy, { adapter, secondFactor: { required } })
      )
      // The query for a suspension also reads when the sessions of the user were last ended, before and after the sign-in.
      const joined = before.signedIn.map((name) => (name === 'readTicket' ? 'readTickets' : name))
      t.same(signedIn, [...joined, 'listFactors'].toSorted(), strategy)
      t.same(read, before.read, strategy)
    }
  }
})
