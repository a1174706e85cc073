import type { OAuthConfig } from '@postern/core'
import { guardedFetch } from '@postern/core/node'
import { type Browser, type BrowserResponse, createBrowser, fromInject } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import type { ClientMetadata } from 'oidc-provider'
import t, { type Test } from 'tap'
import { requireSession } from '../src/index.ts'
import { strategies } from './attacks/setup.ts'
import { openTwin, type Twin } from './hostile-twin.ts'
import { fromAfar, mails, origin, type Started, type StartOptions, start } from './start.ts'

const html = { accept: 'text/html' }
const script = { accept: 'application/json' }
const seconds = (): number => Math.floor(Date.now() / 1000)

interface Twinned extends Started {
  readonly twin: Twin
  /** Starts at this path, signs in there, and comes back. */
  readonly signIn: (query?: string, browser?: Browser) => Promise<BrowserResponse>
  readonly authentication: () => Promise<unknown>
}

/** An application whose provider is certified, with routes that require more than a session. */
async function startTwinned(
  t: Test,
  demo: Partial<OAuthConfig>,
  session: StartOptions['session'],
  client: Partial<ClientMetadata> = {}
): Promise<Twinned> {
  const metadata = {
    client_id: 'client',
    client_secret: 'a secret',
    redirect_uris: [`${origin}/api/auth/callback/demo`]
  }
  const twin = await openTwin([{ ...metadata, ...client }])
  t.teardown(twin.close)
  const entry: OAuthConfig = {
    id: 'demo',
    name: 'Twin',
    type: 'oidc',
    issuer: twin.issuer,
    clientId: 'client',
    clientSecret: 'a secret',
    allowInsecureRequests: true,
    ...demo
  }
  const started = await start(t, {
    providers: [entry, mails()],
    session,
    instances: 1,
    runtime: { now: Date.now, fetch: guardedFetch },
    before: (app) => {
      app.after(() => {
        app.get('/money', { onRequest: requireSession.with({ freshWithin: 300 }) }, async () => 'money')
        app.get('/gold', { onRequest: requireSession.with({ acr: ['gold'] }) }, async () => 'gold')
        app.get('/authentication', async (request) => ({ authentication: await request.getAuthentication() }))
      })
    }
  })
  // The clock of the provider is that of the machine.
  const browser = createBrowser({ origin, send: fromInject(started.app) })
  return {
    ...started,
    browser,
    twin,
    signIn: async (query = '', by = browser) => {
      const { location } = await by.submit(`/api/auth/signin/demo${query}`, {})
      const returned = await twin.visit(location ?? '')
      return by.open(returned.location ?? '', { headers: fromAfar })
    },
    authentication: async () => (await browser.json<{ authentication: unknown }>('/authentication')).authentication
  }
}

/** Requests that would weaken a requirement. */
const weaker = '?max_age=999999&acr_values=bronze&prompt=none&claims=%7B%7D'
const isAllowed = { allowedAuthorizationParams: ['max_age', 'acr_values', 'login_hint'] }

for (const { value: strategy, test } of turnsOf(strategies, t)()) {
  const session = { strategy }

  test(`${strategy}: a certified provider states what it was asked for`, async (t) => {
    const claims = JSON.stringify({ id_token: { amr: null } })
    const authorization = { params: { scope: 'openid email profile', claims } }
    const requires = { acr: ['gold', 'platinum'], amr: ['mfa'], maxAge: 60 }
    const started = await startTwinned(t, { requires, authorization }, session)
    const { twin, signIn, authentication } = started
    for (const [title, login] of [
      ['another acr', { acr: 'bronze', amr: ['pwd', 'mfa'] }],
      ['no acr', { amr: ['pwd', 'mfa'] }],
      ['another amr', { acr: 'gold', amr: ['pwd'] }],
      ['no amr', { acr: 'gold' }]
    ] as const) {
      twin.signInWith(login)
      t.match((await signIn('?prompt=login')).location, /error=UnmetRequirements/, title)
      t.equal(await authentication(), null, `${title}: no session`)
    }
    const ts = seconds()
    twin.signInWith({ acr: 'gold', amr: ['pwd', 'mfa'], ts })
    t.equal((await signIn('?prompt=login')).location, origin)
    const authTime = new Date(ts * 1000).toISOString()
    t.match(await authentication(), {
      authTime,
      amr: [],
      provider: { id: 'demo', acr: 'gold', amr: ['pwd', 'mfa'], authTime }
    })
  })

  test(`${strategy}: a certified provider asks again if its session is older than maxAge`, async (t) => {
    const started = await startTwinned(t, { requires: { maxAge: 60 }, ...isAllowed }, session)
    const { twin, signIn, authentication } = started
    // The user signed in at the provider an hour ago, and the provider says so.
    twin.signInWith({ ts: seconds() - 3600 })
    t.match((await signIn(weaker)).location, /error=UnmetRequirements/)
    t.equal(await authentication(), null)
    const before = twin.logins()
    const ts = seconds()
    twin.signInWith({ ts })
    t.equal((await signIn(weaker.replace('prompt=none&', ''))).location, origin)
    t.equal(twin.logins(), before + 1, 'max_age of the configuration is sent, not that of the query')
    t.match(await authentication(), { authTime: new Date(ts * 1000).toISOString() })
    await signIn(weaker)
    t.equal(twin.logins(), before + 1, 'a session that is new enough is not asked again')
  })

  test(`${strategy}: maxAge 0 asks every time`, async (t) => {
    const { twin, signIn } = await startTwinned(t, { requires: { maxAge: 0 } }, session)
    for (const count of [1, 2, 3]) {
      t.equal((await signIn()).location, origin)
      t.equal(twin.logins(), count)
    }
  })

  test(`${strategy}: a guard sends the user to authenticate again at a certified provider`, async (t) => {
    const started = await startTwinned(t, isAllowed, session, { require_auth_time: true })
    const { browser, twin, signIn, authentication } = started
    const open = (path: string, headers: Record<string, string>) => browser.request('GET', path, { headers })
    const startStepUp = async (path: string) => {
      const { pathname, search } = new URL((await open(path, html)).location ?? '')
      return open(pathname + search, html)
    }
    twin.signInWith({ ts: seconds() - 1000, acr: 'bronze' })
    t.equal((await signIn()).location, origin)
    t.match(await authentication(), { authTime: /Z$/ }, 'the provider states the time')
    t.equal((await open('/money', script)).status, 401)
    const page = await startStepUp('/money')
    t.match(page.body, 'Confirm that it is you')
    const logins = twin.logins()
    const stale = await signIn(weaker)
    t.equal(twin.logins(), logins + 1, 'prompt=login is sent, whatever the query says')
    t.match(stale.location, /error=UnmetRequirements/, 'a login that the provider dates back')
    const { pathname, search } = new URL(stale.location ?? '')
    const refused = await open(pathname + search, html)
    t.match(refused.body, 'Confirm that it is you')
    t.match(refused.body, 'Your way of signing in did not confirm enough.')
    twin.signInWith({ acr: 'bronze' })
    t.equal((await signIn(weaker)).location, `${origin}/money`)
    t.equal((await open('/money', script)).body, 'money')

    t.equal((await open('/gold', script)).status, 401)
    await startStepUp('/gold')
    t.match((await signIn(weaker)).location, /error=UnmetRequirements/)
    await startStepUp('/gold')
    twin.signInWith({ acr: 'gold' })
    t.equal((await signIn(weaker)).location, `${origin}/gold`, 'its session with bronze is not used')
    t.equal((await open('/gold', script)).body, 'gold')
  })
}
