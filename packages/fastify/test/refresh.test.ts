import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { AccountKey, Adapter, AdapterAccount } from '@postern/core'
import github from '@postern/core/providers/github'
import { type Browser, createIssuer, type Issuer } from '@postern/testkit'
import { listen } from '@postern/testkit/hostile'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { demoIssuer, fromAfar, type Started, type StartOptions, signInAtIssuer, start } from './start.ts'

interface Refreshing extends Started {
  /** Asks a route of the application for the token. */
  readonly token: (browser?: Browser, account?: string) => Promise<{ status: number; token?: string; code?: string }>
  readonly row: () => Promise<AdapterAccount | undefined>
  /** The number of refresh requests at the issuer. */
  readonly renewals: () => number
}

function getRenewals(issuer: Issuer): number {
  return issuer.requests.filter(({ body }) => new URLSearchParams(body).get('grant_type') === 'refresh_token').length
}

async function getAccount(adapter: Adapter | undefined, email: string): Promise<AdapterAccount | undefined> {
  const user = await adapter?.getUserByEmail?.(email)
  return user ? (await adapter?.getAccounts?.(user.id))?.[0] : undefined
}

async function prepare(t: Test, options: StartOptions = {}): Promise<Refreshing> {
  const started = await start(t, { issuerOptions: { refreshTokens: true }, ...options })
  const { app, browser, adapter, issuer } = started
  app.get<{ Querystring: { account?: string } }>('/token', async (request) => {
    const { account } = request.query
    const named = account === undefined ? undefined : { providerAccountId: account }
    return { token: await request.getAccessToken('demo', named) }
  })
  app.get('/token/of/credentials', async (request) => request.getAccessToken('credentials'))
  await signInAtIssuer(started, browser)
  return {
    ...started,
    token: async (by = browser, account) => {
      const response = await by.open(account ? `/token?account=${account}` : '/token')
      return { status: response.status, ...response.json<object>() }
    },
    row: () => getAccount(adapter, 'ada@example.com'),
    renewals: () => getRenewals(issuer)
  }
}

t.test('a token that is good for more than a minute is returned as it is', async (t) => {
  const { token, row, renewals, clock } = await prepare(t)
  clock.advance(3600 - 61)
  t.same(await token(), { status: 200, token: (await row())?.access_token })
  t.equal(renewals(), 0)
})

t.test('oidcc-client-test-refresh-token: a token that is about to end is renewed and kept', async (t) => {
  const { token, row, renewals, clock, issuer } = await prepare(t)
  const before = await row()
  clock.advance(3600 - 60)
  const { token: renewed } = await token()
  const after = await row()
  t.not(renewed, before?.access_token)
  t.match(after, { access_token: renewed, expires_at: Math.floor(clock.now() / 1000) + 3600 })
  t.not(after?.refresh_token, before?.refresh_token, 'with the new refresh token')
  t.same(await token(), { status: 200, token: renewed })
  t.equal(renewals(), 1, 'and is good for a while')
  const userinfo = await issuer.fetch(issuer.metadata.userinfo_endpoint, {
    headers: { authorization: `Bearer ${renewed}` }
  })
  t.equal(userinfo.status, 200, 'the issuer accepts it')
})

t.test('a job reads and renews the token of a user, without a request', async (t) => {
  const { app, adapter, row, token, renewals, clock } = await prepare(t)
  const user = await adapter?.getUserByEmail?.('ada@example.com')
  const { getAccessToken } = app.postern
  const id = user?.id ?? ''
  t.equal(await getAccessToken(id, 'demo'), (await row())?.access_token)
  clock.advance(3600)
  const [first, second] = await Promise.all([getAccessToken(id, 'demo'), getAccessToken(id, 'demo')])
  t.equal(first, second)
  t.equal(first, (await row())?.access_token)
  t.same(await token(), { status: 200, token: first }, 'the route gets the same')
  t.equal(renewals(), 1)
  await t.rejects(getAccessToken('nobody', 'demo'), { code: 'UNKNOWN_ACCOUNT' })
  await t.rejects(getAccessToken(id, 'dem'), /did you mean demo/)
})

t.test(
  'fapi2-security-profile-final-client-refresh-token-test: each renewal uses the newest refresh token',
  async (t) => {
    const { token, renewals, clock } = await prepare(t)
    for (let count = 1; count <= 3; count++) {
      clock.advance(3600)
      t.equal((await token()).status, 200)
      t.equal(renewals(), count)
    }
  }
)

t.test(
  'an answer without a refresh token keeps the old one, and one without an end is good until further notice',
  async (t) => {
    const { token, row, clock, issuer, renewals } = await prepare(t)
    const before = await row()
    clock.advance(3600)
    issuer.faults.tokenFields = { refresh_token: undefined, expires_in: undefined }
    t.equal((await token()).status, 200)
    t.match(await row(), { refresh_token: before?.refresh_token, expires_at: null })
    clock.advance(86_400)
    t.equal((await token()).status, 200)
    t.equal(renewals(), 1)
  }
)

for (const [module, fault] of [
  ['oidcc-client-test-refresh-token-invalid-issuer', { wrongIss: true }],
  ['oidcc-client-test-refresh-token-invalid-sub', { idTokenClaims: (claims: object) => ({ ...claims, sub: 'eve' }) }],
  ['a new ID Token with a bad signature', { badSignature: true }],
  ['a new ID Token for another client', { wrongAud: true }]
] as const) {
  t.test(`${module}: nothing of the response is used`, async (t) => {
    const { token, row, clock, issuer, log } = await prepare(t)
    const before = await row()
    clock.advance(3600)
    const requests = issuer.requests.length
    Object.assign(issuer.faults, fault)
    t.match(await token(), { status: 503, code: 'REFRESH_FAILED' })
    t.same(await row(), before)
    t.notOk(issuer.requests.slice(requests).some(({ url }) => url.endsWith('/userinfo')))
    t.match(log.join(''), /REFRESH_TOKEN_ERROR/)
    t.notMatch(log.join(''), before?.refresh_token ?? 'none')
  })
}

t.test('an ended grant is one clear error, requested once; signing in again fixes it', async (t) => {
  const started = await prepare(t)
  const { token, row, renewals, clock, issuer, browser } = started
  clock.advance(3600)
  issuer.faults.tokenError = { status: 400, body: { error: 'invalid_grant' } }
  t.match(await token(), { status: 401, code: 'GRANT_ENDED' })
  t.equal((await row())?.refresh_token, null)
  t.match(await token(), { status: 401, code: 'GRANT_ENDED' })
  t.equal(renewals(), 1)
  issuer.behave()
  await signInAtIssuer(started, browser)
  t.equal((await token()).status, 200)
})

/** Refusals that end a grant, as providers send them. */
const ends = {
  'status 200 (GitHub)': {
    status: 200,
    body: { error: 'bad_refresh_token', error_description: 'incorrect or expired' }
  },
  'another code (better-auth)': {
    status: 400,
    body: { error: 'invalid_request', error_description: 'session not found' }
  },
  'a message only (Twitch)': { status: 400, body: { status: 400, message: 'Invalid refresh token' } },
  'status 401': { status: 401, body: { error: 'invalid_token' } }
}

for (const [title, tokenError] of Object.entries(ends)) {
  t.test(`a grant that ends by ${title}: GRANT_ENDED once, and the dead token is not sent again`, async (t) => {
    const { isGrantOver } = github().hooks ?? {}
    const { token, row, renewals, clock, issuer, log } = await prepare(t, { demo: { hooks: { isGrantOver } } })
    clock.advance(3600)
    issuer.faults.tokenError = tokenError
    t.match(await token(), { status: 401, code: 'GRANT_ENDED' })
    t.equal((await row())?.refresh_token, null)
    t.match(await token(), { status: 401, code: 'GRANT_ENDED' })
    t.equal(renewals(), 1)
    const [words = ''] = Object.values(tokenError.body).filter((value) => typeof value === 'string')
    t.match(log.join(''), new RegExp(`REFRESH_TOKEN_ERROR.*the server said [^,]*${words}`, 's'))
  })
}

/** Refusals that another attempt or another configuration corrects. */
const failures = {
  'the client': { status: 401, body: { error: 'invalid_client', error_description: 'wrong secret' } },
  'a limit': { status: 429, body: { error: 'too_many_requests' } },
  'a limit with status 400': { status: 400, body: { error: 'slow_down' } },
  'the server': { status: 503, body: { error: 'invalid_grant_store_unavailable' } },
  'a page': { status: 404, body: '<html>not found' }
}

for (const [title, tokenError] of Object.entries(failures)) {
  t.test(`a refusal because of ${title} is no end: the refresh token is kept`, async (t) => {
    const { token, row, renewals, clock, issuer, log } = await prepare(t)
    const before = await row()
    clock.advance(3600)
    issuer.faults.tokenError = tokenError
    for (const _ of [1, 2]) t.match(await token(), { status: 503, code: 'REFRESH_FAILED' })
    t.same(await row(), before)
    t.equal(renewals(), 2)
    if (typeof tokenError.body === 'object') t.ok(log.join('').includes(tokenError.body.error), 'the log has the code')
    issuer.behave()
    t.equal((await token()).status, 200)
  })
}

t.test('while the provider is out of reach, a token that has not ended is still given', async (t) => {
  const { token, row, clock, issuer } = await prepare(t)
  const before = await row()
  issuer.faults.unreachable = true
  clock.advance(3600 - 30)
  t.same(await token(), { status: 200, token: before?.access_token })
  clock.advance(30)
  t.match(await token(), { status: 503, code: 'REFRESH_FAILED' })
  t.same(await row(), before, 'and nothing is forgotten')
  issuer.behave()
  // An instance that has never read the provider's metadata remembers the failed request for a few seconds.
  clock.advance(30)
  t.equal((await token()).status, 200)
})

t.test('an account without a refresh token ends with its access token', async (t) => {
  const { token, clock } = await prepare(t, { issuerOptions: { refreshTokens: false } })
  clock.advance(3600 - 1)
  t.equal((await token()).status, 200)
  clock.advance(1)
  t.match(await token(), { status: 401, code: 'GRANT_ENDED' })
})

t.test('without a session or the account, the error gives the reason', async (t) => {
  const { token, newBrowser, browser } = await prepare(t)
  t.match(await token(newBrowser()), { status: 401, code: 'SIGNED_OUT' })
  t.match(await token(browser, 'eve'), { status: 404, code: 'UNKNOWN_ACCOUNT' })
  t.match((await browser.open('/token/of/credentials')).json(), { statusCode: 404, code: 'UNKNOWN_ACCOUNT' })
})

t.test('a user with several accounts of one provider must choose one', async (t) => {
  const started = await prepare(t)
  const { token, issuer, browser } = started
  await signInAtIssuer(started, browser, { sub: 'ada at work', email: 'ada@work.example' })
  t.match(await token(), { status: 404, code: 'UNKNOWN_ACCOUNT', message: /several/ })
  const [one, other] = [await token(browser, 'ada'), await token(browser, 'ada%20at%20work')]
  t.equal(one.status, 200)
  t.equal(other.status, 200)
  t.not(one.token, other.token)
  t.equal(getRenewals(issuer), 0)
})

t.test('an adapter that lacks the methods is an error that names them', async (t) => {
  const { getAccounts: _, withLease: __, ...adapter } = memoryAdapter()
  const { token } = await prepare(t, { adapter })
  t.match(await token(), {
    status: 500,
    code: 'ADAPTER_INCOMPLETE',
    message: 'expected an adapter with the methods getAccounts, withLease'
  })
})

t.test('tokens of a concurrent sign-in are not overwritten', async (t) => {
  const { token, row, clock, issuer, adapter } = await prepare(t)
  clock.advance(3600)
  const newer = { provider: 'demo', providerAccountId: 'ada', access_token: 'newer', refresh_token: 'newest' }
  issuer.faults.result = async (response) => {
    await adapter?.updateAccount?.(newer)
    return response
  }
  t.equal((await token()).status, 200)
  t.match(await row(), newer)
})

for (const { value: encryptTokens, test } of turnsOf([false, true], t)()) {
  const how = encryptTokens ? ', encrypted' : ''
  /** An adapter that compares the refresh token while it writes; another user may write just before. */
  const comparing = (before: (plain: Adapter) => unknown): { adapter: Adapter; results: unknown[] } => {
    const plain: Adapter = memoryAdapter()
    const results: unknown[] = []
    const stored = async ({ provider, providerAccountId }: AccountKey): Promise<AdapterAccount | undefined> => {
      const user = await plain.getUserByAccount?.({ provider, providerAccountId })
      return (await plain.getAccounts?.(user?.id ?? ''))?.[0]
    }
    const updateAccount: Adapter['updateAccount'] = async (row, expected) => {
      if (!expected) return plain.updateAccount?.(row)
      await before(plain)
      const isExpected = (await stored(row))?.refresh_token === expected.refresh_token
      results.push(isExpected)
      return isExpected && plain.updateAccount?.(row)
    }
    return { adapter: { ...plain, updateAccount }, results }
  }

  test(`renewed tokens are written if the old refresh token is still stored${how}`, async (t) => {
    const { adapter, results } = comparing(() => undefined)
    const { token, row, clock } = await prepare(t, { adapter, account: { encryptTokens } })
    const before = await row()
    clock.advance(3600)
    t.equal((await token()).status, 200)
    t.same(results, [true])
    const after = await row()
    t.not(after?.refresh_token, before?.refresh_token)
    t.same(await token(), await token(), 'and they are found there')
  })

  test(`tokens of a sign-in that is concurrent with the write remain${how}`, async (t) => {
    const newer = { provider: 'demo', providerAccountId: 'ada', access_token: 'newer', refresh_token: 'newest' }
    const { adapter, results } = comparing((plain) => plain.updateAccount?.(newer))
    const { token, row, clock } = await prepare(t, { adapter, account: { encryptTokens } })
    clock.advance(3600)
    t.equal((await token()).status, 200)
    t.same(results, [false])
    t.match(await row(), newer)
  })
}

t.test('fifty that ask at once get one token for one call', async (t) => {
  const { token, renewals, clock } = await prepare(t)
  clock.advance(3600)
  const results = await Promise.all(Array.from({ length: 50 }, () => token()))
  t.same(new Set(results.map(({ status }) => status)), new Set([200]))
  t.equal(new Set(results.map(({ token }) => token)).size, 1)
  t.equal(renewals(), 1)
})

t.test('fifty that ask at once in two processes get one token for one call', async (t) => {
  const server = await listen()
  t.teardown(server.close)
  const issuer = createIssuer({ issuer: server.origin, refreshTokens: true })
  server.serve(issuer.fetch)
  const file = join(t.testdir(), 'store.sqlite')
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const started = await start(t, {
    adapter,
    runtime: { now: Date.now, fetch: issuer.fetch },
    providers: [demoIssuer(issuer)]
  })
  const { browser } = started
  const response = await browser.submit('/api/auth/signin/demo', {})
  await browser.open(await issuer.authorize(response.location ?? ''), { headers: fromAfar })
  await adapter.updateAccount({
    provider: 'demo',
    providerAccountId: 'ada',
    expires_at: Math.floor(Date.now() / 1000) - 1
  })
  const cookie = browser.cookies.header({ url: new URL(browser.origin), method: 'GET', site: null }) ?? ''
  const children = [1, 2].map(() =>
    fork(join(import.meta.dirname, 'refresh-process.js'), [file, server.origin, cookie])
  )
  t.teardown(() => children.map((child) => child.kill()))
  await Promise.all(children.map((child) => once(child, 'message')))
  const results = children.map((child) => once(child, 'message'))
  for (const child of children) child.send('go')
  const tokens = (await Promise.all(results)).flatMap(([message]: string[][]) => message ?? [])
  t.equal(tokens.length, 50)
  t.equal(new Set(tokens).size, 1)
  t.match(await getAccount(adapter, 'ada@example.com'), { access_token: tokens[0] })
  t.equal(getRenewals(issuer), 1)
})

t.test('storage-1: tokens are encrypted in the store if the application enables it', async (t) => {
  const { token, row, clock, adapter } = await prepare(t, { account: { encryptTokens: true } })
  const stored = await row()
  for (const name of ['access_token', 'refresh_token', 'id_token'] as const) t.match(stored?.[name] ?? '', /^s1\./)
  const { token: first } = await token()
  t.match(first ?? '', /^[\w-]{32}$/, 'the application gets the token itself')
  clock.advance(3600)
  const { token: second } = await token()
  t.not(second, first)
  t.notMatch(JSON.stringify(await row()), second ?? 'none')
  await adapter?.updateAccount?.({
    provider: 'demo',
    providerAccountId: 'ada',
    access_token: 'plain',
    expires_at: null
  })
  t.same(await token(), { status: 200, token: 'plain' }, 'previously written tokens are read unchanged')
})
