import type { OAuthConfig } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { requireSession } from '../src/index.ts'
import { strategies } from './attacks/setup.ts'
import { fromAfar, origin, type Started, type StartOptions, start } from './start.ts'

const turns = turnsOf(strategies, t)

const now = Math.floor(Date.parse('2030-01-01T00:00:00Z') / 1000)
const html = { accept: 'text/html' }
const isAllowed = { allowedAuthorizationParams: ['prompt', 'max_age', 'acr_values', 'login_hint'] }

/** An application that shows how the user of a request was authenticated, with a guard. */
function startRequiring(
  t: Test,
  { requires, ...options }: StartOptions & { readonly requires?: OAuthConfig['requires'] }
): Promise<Started> {
  return start(t, {
    instances: 1,
    rateLimit: false,
    before: (app) => {
      app.after(() => {
        app.get('/money', { onRequest: requireSession.with({ freshWithin: 300 }) }, async () => 'money')
        app.get('/gold', { onRequest: requireSession.with({ acr: ['gold'] }) }, async () => 'gold')
        app.get('/authentication', async (request) => ({ authentication: await request.getAuthentication() }))
      })
    },
    ...options,
    demo: { ...(requires ? { requires } : {}), ...options.demo }
  })
}

interface SignedIn extends BrowserResponse {
  /** The parameters of the authorization request. */
  readonly asked: URLSearchParams
}

/** Signs in at the issuer, whose ID Token has these claims in addition. */
async function signIn({ issuer, browser }: Started, claims: object = {}, query: string = ''): Promise<SignedIn> {
  const { location } = await browser.submit(`/api/auth/signin/demo${query}`, {})
  issuer.faults.idTokenClaims = (honest) => ({ ...honest, ...claims })
  const response = await browser.open(await issuer.authorize(location ?? ''), { headers: fromAfar })
  return { ...response, asked: new URL(location ?? '').searchParams }
}

const read = async ({ browser }: Pick<Started, 'browser'>) =>
  (await browser.json<{ authentication: object | null }>('/authentication')).authentication

const open = (browser: Browser, path: string, headers: Record<string, string> = { accept: 'application/json' }) =>
  browser.request('GET', path, { headers })

/** Claims of an ID Token, and the error of the sign-in; `null` for none. */
type Case = readonly [title: string, claims: object, error: 'UnmetRequirements' | 'OAuthCallback' | null]

const unmet = 'UnmetRequirements'
const refused = 'OAuthCallback'

const times: readonly Case[] = [
  ['now', { auth_time: now }, null],
  ['at the limit', { auth_time: now - 60 }, null],
  ['with a fraction', { auth_time: now - 0.5 }, null],
  ['at the limit, as the clocks may differ', { auth_time: now - 70 }, null],
  ['in the future, as the clocks may differ', { auth_time: now + 10 }, null],
  ['missing', {}, unmet],
  ['stale', { auth_time: now - 71 }, unmet],
  ['zero', { auth_time: 0 }, unmet],
  ['in the future', { auth_time: now + 11 }, unmet],
  ['in milliseconds', { auth_time: now * 1000 }, unmet],
  ['too large', { auth_time: 1e300 }, unmet],
  ['a string', { auth_time: String(now) }, refused],
  ['a list', { auth_time: [now] }, refused],
  ['an object', { auth_time: { seconds: now } }, refused],
  ['null', { auth_time: null }, refused],
  ['true', { auth_time: true }, refused],
  ['negative', { auth_time: -now }, refused],
  ['under another name', { authTime: now, 'https://issuer.test/auth_time': now, iat: now }, unmet]
]

const classes: readonly Case[] = [
  ['one of them', { acr: 'gold' }, null],
  ['the other', { acr: 'platinum' }, null],
  ['missing', {}, unmet],
  ['another', { acr: 'silver' }, unmet],
  ['empty', { acr: '' }, unmet],
  ['in upper case', { acr: 'GOLD' }, unmet],
  ['all of them', { acr: 'gold platinum' }, unmet],
  ['with a space', { acr: ' gold' }, unmet],
  ['a list', { acr: ['gold'] }, unmet],
  ['an object', { acr: { gold: 'gold', value: 'gold' } }, unmet],
  ['a number', { acr: 2 }, unmet],
  ['null', { acr: null }, unmet],
  ['true', { acr: true }, unmet],
  ['under another name', { acrs: ['gold'], acr_values: 'gold', amr: ['gold'] }, unmet]
]

const methods: readonly Case[] = [
  ['all of them', { amr: ['pwd', 'otp', 'mfa'] }, null],
  ['all of them, in another order', { amr: ['mfa', 'otp'] }, null],
  ['missing', {}, unmet],
  ['empty', { amr: [] }, unmet],
  ['one of them', { amr: ['otp'] }, unmet],
  ['in upper case', { amr: ['OTP', 'MFA'] }, unmet],
  ['a string', { amr: 'otp mfa' }, unmet],
  ['a string in a list', { amr: ['otp mfa'] }, unmet],
  ['with a number', { amr: ['otp', 'mfa', 7] }, unmet],
  ['with a list', { amr: [['otp', 'mfa']] }, unmet],
  ['with an empty value', { amr: ['otp', 'mfa', ''] }, unmet],
  ['an object', { amr: { 0: 'otp', 1: 'mfa', length: 2 } }, unmet],
  ['too many', { amr: ['otp', 'mfa', ...Array.from({ length: 15 }, () => 'x')] }, unmet],
  ['null', { amr: null }, unmet]
]

const tables: readonly (readonly [string, NonNullable<OAuthConfig['requires']>, readonly Case[]])[] = [
  ['auth_time', { maxAge: 60 }, times],
  ['acr', { acr: ['gold', 'platinum'] }, classes],
  ['amr', { amr: ['otp', 'mfa'] }, methods]
]

for (const [claim, requires, cases] of tables) {
  t.test(`${claim} of the ID Token decides`, async (t) => {
    const started = await startRequiring(t, { requires })
    // The refused ones come first, so that nobody is stored.
    for (const [title, claims, error] of cases.toSorted(([, , one], [, , other]) => Number(!one) - Number(!other))) {
      const visitor = { ...started, browser: started.newBrowser() }
      const { location } = await signIn(visitor, claims)
      if (error === null) t.equal(location, origin, title)
      else t.match(location, new RegExp(`/signin\\?error=${error}&`), title)
      t.equal((await read(visitor)) !== null, error === null, `${title}: session`)
      if (error !== null) t.equal(await started.adapter?.getUserByEmail?.('ada@example.com'), null, `${title}: no user`)
    }
  })
}

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  test(`${strategy}: a refused sign-in is explained, and creates and links nothing`, async (t) => {
    const started = await startRequiring(t, { session, requires: { acr: 'gold', amr: ['mfa'], maxAge: 60 } })
    const { browser, adapter, log } = started
    const { location, asked } = await signIn(started, { acr: 'silver', amr: ['mfa'], auth_time: now })
    t.equal(asked.get('acr_values'), 'gold')
    t.equal(asked.get('max_age'), '60')
    t.equal(asked.get('amr'), null, 'no parameter asks for it')
    const { pathname, search } = new URL(location ?? '')
    const page = await open(browser, pathname + search, html)
    t.equal(page.status, 200)
    t.match(page.body, 'Your way of signing in did not confirm enough.')
    t.match(log.join(''), /demo: acr: expected gold, got silver/)
    t.equal(await adapter?.getUserByAccount?.({ provider: 'demo', providerAccountId: 'ada' }), null)
    await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
    const before = await read(started)
    t.match((await signIn(started, { acr: 'silver' })).location, /error=UnmetRequirements/)
    t.same(await read(started), before, 'the session of a user who links the account stays')
  })

  test(`${strategy}: neither a query nor other parameters of the provider weaken it`, async (t) => {
    const weaker = { max_age: '99999', acr_values: 'bronze', prompt: 'none' }
    const query = `?${new URLSearchParams(weaker)}&claims=%7B%7D&max_age=1&acr_values%5B%5D=x`
    const both = { ...isAllowed, authorization: { params: { scope: 'openid email', ...weaker, claims: '{}' } } }
    for (const [title, demo] of [
      ['a query', {}],
      ['a query with allowed parameters', isAllowed],
      ['parameters', { authorization: both.authorization }],
      ['parameters of the URL', { authorization: `https://issuer.test/authorize?${new URLSearchParams(weaker)}` }],
      ['both', both]
    ] as const) {
      for (const given of ['', query, `?${new URLSearchParams(weaker)}`]) {
        const started = await startRequiring(t, { session, requires: { acr: ['gold'], maxAge: 60 }, demo })
        const stale = await signIn(started, { auth_time: now - 99_999, acr: 'bronze' }, given)
        t.same(stale.asked.getAll('max_age'), ['60'], title)
        t.same(stale.asked.getAll('acr_values'), ['gold'], title)
        t.match(stale.location, /error=UnmetRequirements/, title)
        t.equal(await read(started), null, title)
        t.equal((await signIn(started, { auth_time: now, acr: 'gold' }, given)).location, origin, title)
      }
    }
  })

  test(`${strategy}: maxAge 0 is sent, and means now`, async (t) => {
    const started = await startRequiring(t, { session, requires: { maxAge: 0 } })
    const { location, asked } = await signIn(started, { auth_time: now - 11 })
    t.equal(asked.get('max_age'), '0')
    t.match(location, /error=UnmetRequirements/)
    t.match((await signIn(started)).location, /error=UnmetRequirements/)
    t.equal((await signIn(started, { auth_time: now - 1 })).location, origin)
  })

  test(`${strategy}: only the ID Token counts`, async (t) => {
    const met = { auth_time: now, acr: 'gold', amr: ['mfa'] }
    const requires = { maxAge: 60, acr: 'gold', amr: ['mfa'] }
    for (const demo of [
      {},
      { idToken: false },
      { profile: (profile) => ({ id: String(profile['sub']), ...met }) }
    ] satisfies Partial<OAuthConfig>[]) {
      const started = await startRequiring(t, { session, requires, demo })
      started.issuer.faults.userinfo = (claims) => Response.json({ ...claims, ...met })
      started.issuer.faults.tokenFields = met
      t.match((await signIn(started)).location, /error=UnmetRequirements/)
      t.equal(await read(started), null)
      t.equal((await signIn(started, met)).location, origin)
    }
  })

  test(`${strategy}: tokens of a token.request function are checked in the same way`, async (t) => {
    const requires = { maxAge: 60, acr: ['gold'] }
    const met = { auth_time: now, acr: 'gold' }
    const exchange: NonNullable<Extract<OAuthConfig['token'], object>['request']> = async ({ client }) => ({
      tokens: { ...(await client.callback()), ...met, auth_time: now }
    })
    const started = await startRequiring(t, { session, requires, demo: { token: { request: exchange } } })
    const { asked, location } = await signIn(started)
    t.equal(asked.get('max_age'), '60')
    t.match(location, /error=UnmetRequirements/)
    t.match((await signIn(started, { ...met, auth_time: now - 71 })).location, /error=UnmetRequirements/)
    t.match((await signIn(started, { ...met, acr: ['gold'] })).location, /error=UnmetRequirements/)
    t.equal(await read(started), null)
    t.equal((await signIn(started, met)).location, origin)
  })

  test(`${strategy}: client metadata is checked too, and does not replace requires`, async (t) => {
    for (const [client, claims, error] of [
      [{ require_auth_time: true }, {}, refused],
      [{ require_auth_time: true }, { auth_time: now - 61 - 10 }, unmet],
      [{ default_max_age: 9999 }, {}, refused],
      [{ default_max_age: 9999 }, { auth_time: now - 61 - 10 }, unmet],
      [{ default_max_age: 30 }, { auth_time: now - 50 }, refused],
      [{ default_max_age: 30, require_auth_time: true }, { auth_time: now - 20 }, null]
    ] as const) {
      const started = await startRequiring(t, { session, requires: { maxAge: 60 }, demo: { client } })
      const { location, asked } = await signIn(started, claims)
      t.equal(asked.get('max_age'), '60')
      if (error) t.match(location, new RegExp(`error=${error}`), JSON.stringify({ client, claims }))
      else t.equal(location, origin)
      t.equal((await read(started)) !== null, error === null)
    }
  })

  test(`${strategy}: a refreshed ID Token does not change how the user was authenticated`, async (t) => {
    const started = await startRequiring(t, {
      session,
      requires: { maxAge: 60, acr: ['gold'] },
      issuerOptions: { refreshTokens: true }
    })
    const { app, browser, clock, issuer } = started
    app.get('/token', async (request) => ({ token: await request.getAccessToken('demo') }))
    await signIn(started, { auth_time: now, acr: 'gold' })
    const before = await read(started)
    const token = async () => (await browser.json<{ token?: string }>('/token')).token
    for (const claims of [
      { auth_time: now + 3600, acr: 'platinum', amr: ['mfa'] },
      { auth_time: now, acr: 'gold' },
      {}
    ]) {
      const previous = await token()
      clock.advance(3600)
      issuer.faults.idTokenClaims = (honest) => ({ ...honest, ...claims })
      t.not(await token(), previous, 'the refresh succeeds')
      t.same(await read(started), before)
      t.equal((await open(browser, '/money')).status, 401, 'a refresh is not fresh')
    }
  })

  test(`${strategy}: a provider that reports that it cannot meet them`, async (t) => {
    const started = await startRequiring(t, { session, requires: { acr: ['gold'] } })
    started.issuer.faults.callbackError = 'unmet_authentication_requirements'
    t.match((await signIn(started)).location, /error=UnmetRequirements/)
  })

  test(`${strategy}: a guard adds to what the provider requires`, async (t) => {
    const started = await startRequiring(t, { session, requires: { maxAge: 600, acr: ['silver', 'gold'] } })
    const { browser } = started
    await signIn(started, { auth_time: now - 400, acr: 'silver' })
    const stepUp = async (path: string) => {
      const { pathname, search } = new URL((await open(browser, path, html)).location ?? '')
      return open(browser, pathname + search, html)
    }
    await stepUp('/money')
    const first = await signIn(started, { auth_time: now - 400, acr: 'gold' }, '?prompt=none&max_age=9999')
    t.same(
      ['max_age', 'acr_values', 'prompt'].map((name) => first.asked.get(name)),
      ['300', 'silver gold', 'login']
    )
    t.match(first.location, /error=UnmetRequirements/)
    await stepUp('/money')
    t.match((await signIn(started, { auth_time: now, acr: 'bronze' })).location, /error=UnmetRequirements/)
    await stepUp('/gold')
    const second = await signIn(started, { auth_time: now - 500, acr: 'silver' })
    t.same(
      ['max_age', 'acr_values', 'prompt'].map((name) => second.asked.get(name)),
      ['600', 'gold', 'login']
    )
    t.match(second.location, /error=UnmetRequirements/)
    await stepUp('/gold')
    t.equal((await signIn(started, { auth_time: now - 500, acr: 'gold' })).location, `${origin}/gold`)
    t.equal((await open(browser, '/gold')).status, 200)
    t.equal((await open(browser, '/money')).status, 401)
  })

  test(`${strategy}: a provider whose requires excludes what a guard requires is not offered`, async (t) => {
    const started = await startRequiring(t, { session, requires: { acr: ['silver'] } })
    const { browser } = started
    await signIn(started, { acr: 'silver' })
    const { pathname, search } = new URL((await open(browser, '/gold', html)).location ?? '')
    t.notMatch((await open(browser, pathname + search, html)).body, '/signin/demo')
    t.match((await signIn(started, { acr: 'gold' })).location, /error=UnmetRequirements/)
    t.match((await signIn(started, { acr: 'silver' })).location, /error=UnmetRequirements/)
  })

  test(`${strategy}: assumeFresh confirms what the provider does not state, and nothing else`, async (t) => {
    const plain = { type: 'oauth', idToken: false, checks: ['pkce', 'state'] } satisfies Partial<OAuthConfig>
    for (const [title, demo] of [
      ['with ID Tokens', { assumeFresh: true }],
      ['without', { ...plain, assumeFresh: true }]
    ] as const) {
      const started = await startRequiring(t, { session, demo })
      const { browser, clock } = started
      await signIn(started)
      t.equal((await open(browser, '/money')).status, 200, title)
      clock.advance(301)
      const { pathname, search } = new URL((await open(browser, '/money', html)).location ?? '')
      t.match((await open(browser, pathname + search, html)).body, '/signin/demo', title)
      t.equal((await signIn(started)).location, `${origin}/money`, title)
      t.equal((await open(browser, '/money')).status, 200, title)
    }
    for (const auth_time of [now - 301, now + 3600, now * 1000]) {
      const started = await startRequiring(t, { session, demo: { assumeFresh: true } })
      await signIn(started, { auth_time })
      t.equal((await open(started.browser, '/money')).status, 401, `the provider states ${auth_time - now}`)
    }
    const strict = await startRequiring(t, { session, requires: { maxAge: 60 }, demo: { assumeFresh: true } })
    t.match((await signIn(strict)).location, /error=UnmetRequirements/, 'requires is verified')
  })
}
