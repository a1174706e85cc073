import { memoryAdapter } from '@postern/adapters/memory'
import { type Browser, createBrowser } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import { signInScope, startScopes, statusWith } from '../advisories/perimeter-setup.ts'
import { createTestGate } from '../interruption-feature.ts'
import {
  cookieNames,
  fromAfar,
  getSession,
  mails,
  openLinkPage,
  origin,
  signInByForm,
  signInByMail,
  start
} from '../start.ts'
import {
  browserWith,
  type Name,
  sessionCookies,
  signInAt,
  startTwo,
  type TwoApplications
} from '../two-applications.ts'
import { address, idIn, mallory, script, signIn, startAccounts, strategies, vera, withId } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

const directions = [
  ['shop', 'admin'],
  ['admin', 'shop']
] as const

const hasSession = async (browser: Browser, name: Name): Promise<boolean> =>
  (await browser.request('GET', `/${name}/me`, { headers: script })).status === 200

/** Puts every cookie of one application into a browser of the other, under the names and paths of the other. */
function moveCookies(from: Name, to: Name, source: Browser, two: TwoApplications): Browser {
  const browser = two.newBrowser(to)
  for (const { name, value, path, ...attributes } of source.cookies.all())
    browser.cookies.set(name.replace(sessionCookies[from], sessionCookies[to]), value, {
      ...attributes,
      path: path.replace(`/${from}`, `/${to}`)
    })
  return browser
}

t.test(
  'application-1: every cookie of one application is moved to another: no session, mail or sign-in goes with them',
  async (t) => {
    for (const strategy of someStrategies()) {
      for (const [from, to] of directions) {
        const two = await startTwo(t, { strategy })
        const own = browserWith(from, await signInAt(from, two), two)
        const started = await own.submit(`/${from}/api/auth/signin/demo`, {})
        const callback = await two.issuer.authorize(started.location ?? '')
        await own.submit(`/${from}/api/auth/signin/email`, { email: address })
        const { code, url } = two.mailbox.last()
        const moved = moveCookies(from, to, own, two)
        const requests = two.issuer.requests.length
        t.notOk(await hasSession(moved, to), `${strategy}, ${from} → ${to}`)
        await moved.open(callback.replace(`/${from}/`, `/${to}/`), { headers: fromAfar })
        t.equal(two.issuer.requests.length, requests, 'no code is sent to the provider')
        await moved.submit(`/${to}/api/auth/callback/email`, { code })
        await moved.open(url.replace(`/${from}/`, `/${to}/`), { headers: fromAfar })
        t.notOk(await hasSession(moved, to))
        t.ok(await hasSession(own, from), 'the session at home stays')
      }
    }
  }
)

t.test('application-1: the mailed link of one application is opened at another', async (t) => {
  // Applications in different processes accept unbound links by default.
  for (const acceptUnbound of [undefined, true])
    for (const [from, to] of directions) {
      const asked: string[] = []
      const signIn = ({ email }: { readonly email?: { readonly verificationRequest?: boolean } | undefined }) => {
        if (!email?.verificationRequest) asked.push(to)
        return true
      }
      const two = await startTwo(t, { strategy: 'database', both: { acceptUnbound }, [to]: { callbacks: { signIn } } })
      const owner = two.newBrowser(from)
      await owner.submit(`/${from}/api/auth/signin/email`, { email: address })
      const { url } = two.mailbox.last()
      const [prefix, tag, token = ''] = (new URL(url).searchParams.get('token') ?? '').split('.')
      // The tag of the other application is in any of its own links.
      await two.newBrowser(to).submit(`/${to}/api/auth/signin/email`, { email: 'mallory@example.com' })
      const [, otherTag] = (new URL(two.mailbox.last().url).searchParams.get('token') ?? '').split('.')
      t.not(tag, otherTag)
      for (const text of [`${prefix}.${tag}.${token}`, token, `${prefix}.${otherTag}.${token}`]) {
        const visitor = two.newBrowser(to)
        const link = new URL(url.replace(`/${from}/`, `/${to}/`))
        link.searchParams.set('token', text)
        t.match((await visitor.open(link.href, { headers: fromAfar })).location, 'error=Verification')
        await visitor.submit(`/${to}/api/auth/callback/email`, { token: text, email: address })
        t.notOk(await hasSession(visitor, to), `${from} → ${to}`)
      }
      t.same(asked, [], 'signIn is not called')
      await owner.open(url, { headers: fromAfar })
      t.ok(await hasSession(owner, from), 'the link works at home')
    }
})

t.test('an application sends a link of its own with the token that it received: it works there only', async (t) => {
  const sent: string[] = []
  const mail = { sendVerificationRequest: async ({ token }: { readonly token: string }) => void sent.push(token) }
  const providers = [mails(mail)]
  const two = await startTwo(t, { strategy: 'database', shop: { providers }, admin: { providers } })
  const owner = two.newBrowser('shop')
  await owner.submit('/shop/api/auth/signin/email', { email: address })
  const query = `callback/email?${new URLSearchParams({ token: sent[0] ?? '', email: address })}`
  const visitor = two.newBrowser('admin')
  t.match((await visitor.open(`/admin/api/auth/${query}`, { headers: fromAfar })).location, 'error=Verification')
  await owner.open(`/shop/api/auth/${query}`, { headers: fromAfar })
  t.ok(await hasSession(owner, 'shop'))
})

t.test('the page of one application that confirms a link is used at another, for another account', async (t) => {
  for (const strategy of someStrategies()) {
    for (const [from, to] of directions) {
      const two = await startTwo(t, { strategy })
      const browser = two.newBrowser(from)
      for (const name of [from, to]) {
        await browser.submit(`/${name}/api/auth/signin/email`, { email: address })
        await browser.open(two.mailbox.last().url, { headers: fromAfar })
      }
      const begun = await browser.submit(`/${from}/api/auth/signin/demo`, {})
      const back = await browser.open(await two.issuer.authorize(begun.location ?? '', vera), { headers: fromAfar })
      const page = await openLinkPage(browser, back)
      const link = page.html().querySelector('input[name=link]')?.getAttribute('value') ?? ''
      t.ok(link.length > 4)
      const other = await browser.submit(`/${to}/api/auth/signin/demo`, { link })
      await browser.open(await two.issuer.authorize(other.location ?? '', mallory), { headers: fromAfar })
      const user = await two.store.adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: 'mallory' })
      t.equal(user ?? null, null, `${strategy}, ${from} → ${to}`)
    }
  }
})

t.test('a link that waits at one application is confirmed at another', async (t) => {
  for (const strategy of someStrategies()) {
    for (const [from, to] of directions) {
      const two = await startTwo(t, { strategy })
      const browser = two.newBrowser(from)
      await browser.submit(`/${from}/api/auth/signin/email`, { email: address })
      await browser.open(two.mailbox.last().url, { headers: fromAfar })
      const begun = await browser.submit(`/${from}/api/auth/signin/demo`, {})
      const back = await browser.open(await two.issuer.authorize(begun.location ?? '', vera), { headers: fromAfar })
      const page = await openLinkPage(browser, back)
      const link = page.html().querySelector('input[name=link]')?.getAttribute('value') ?? ''
      const moved = moveCookies(from, to, browser, two)
      await moved.submit(`/${to}/api/auth/signin/email`, { email: address })
      await moved.open(two.mailbox.last().url, { headers: fromAfar })
      t.ok(await hasSession(moved, to), 'the same user has a session there')
      const shown = await moved.followAll(await moved.open(`/${to}/api/auth/verify/link`))
      t.notMatch(shown.body, /verify\/link|Vera/, `${strategy}, ${from} → ${to}`)
      const confirmed = await moved.submit(`/${to}/api/auth/verify/link`, { link })
      t.match(confirmed.location, `/${to}/api/auth/signin?error=Callback`)
      const owner = () => two.store.adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: 'vera' })
      t.equal(await owner(), null)
      await browser.fill(page, `/${from}/api/auth/verify/link`)
      t.equal((await owner())?.email, address, 'it is confirmed at home')
    }
  }
})

t.test('linkUrl of one application is opened with a session of another: it names nobody', async (t) => {
  const two = await startTwo(t, { strategy: 'database' })
  for (const [from, to] of directions) {
    const moved = moveCookies(from, to, browserWith(from, await signInAt(from, two), two), two)
    const page = await moved.followAll(await moved.open(`/${to}/api/auth/signin?link=demo`))
    t.notMatch(page.html().text, /ada@example\.com|grace@example\.com|Ada|grace/, `${from} → ${to}`)
  }
})

t.test('an interrupted sign-in of one application is continued at another', async (t) => {
  for (const strategy of someStrategies()) {
    for (const [from, to] of directions) {
      const gates = { shop: createTestGate(), admin: createTestGate() }
      const two = await startTwo(t, {
        strategy,
        shop: { features: [gates.shop.feature] },
        admin: { features: [gates.admin.feature] }
      })
      const browser = two.newBrowser(from)
      await browser.submit(`/${from}/api/auth/signin/email`, { email: address })
      await browser.open(two.mailbox.last().url, { headers: fromAfar })
      t.equal(gates[from].asked.length, 1, 'the sign-in is interrupted')
      t.notOk(await hasSession(browser, from))
      const moved = moveCookies(from, to, browser, two)
      await moved.submit(`/${to}/api/auth/verify/ask`, { answer: 'yes' })
      t.notOk(await hasSession(moved, to), `${strategy}, ${from} → ${to}`)
      await browser.submit(`/${from}/api/auth/verify/ask`, { answer: 'yes' })
      t.ok(await hasSession(browser, from), 'at home it continues')
    }
  }
})

t.test('the API of one registration acts on the session of another that shares secret and store', async (t) => {
  for (const strategy of someStrategies()) {
    const adapter = memoryAdapter()
    const registration = { adapter, session: { strategy } }
    const app = await startScopes(t, { a: registration, b: registration }, (scope) => {
      scope.get('/update', async (request) => ({ done: await scope.postern.updateSession(request, { name: 'x' }) }))
      scope.get('/token', async (request) => ({ done: await scope.postern.getToken(request) }))
      scope.get('/others', async (request) => ({
        done: (await scope.postern.sessions.revokeOthers(request)) ?? 'done'
      }))
      scope.get('/access', async (request) => ({ done: await request.getAccessToken('credentials') }))
    })
    const own = await signInScope(app, 'a')
    const second = await signInScope(app, 'a')
    for (const path of ['update', 'token', 'others', 'access']) {
      for (const cookie of [`__Secure-b=${own.token}`, `__Secure-a=${own.token}`]) {
        const reply = await app.inject({ url: `/b/${path}`, headers: { host: 'app.test', ...script, cookie } })
        const { done = null } = reply.json<{ done?: unknown }>()
        t.equal(done, null, `${strategy}, ${path}: ${reply.body.slice(0, 60)}`)
        t.equal(reply.headers['set-cookie'], undefined, 'and sets no cookie')
      }
    }
    for (const { token } of [own, second]) t.equal(await statusWith(app, 'a', token), 200, 'every session remains')
  }
})

t.test('one application id with two secrets, or one secret with two ids', async (t) => {
  for (const strategy of someStrategies()) {
    const adapter = memoryAdapter()
    const other = 'another secret of these tests, long enough'
    const common = { adapter, session: { strategy } }
    const app = await startScopes(t, {
      a: { ...common, applicationId: 'one' },
      b: { ...common, applicationId: 'one', secret: other },
      c: { ...common, applicationId: 'two' },
      d: { ...common, applicationId: 'one' }
    })
    const { token } = await signInScope(app, 'a')
    t.equal(await statusWith(app, 'd', token), 200, 'the same application')
    for (const name of ['b', 'c']) t.equal(await statusWith(app, name, token), 401, `${strategy}, ${name}`)
  }
})

t.test('the secret is replaced: sessions, sign-ins, mails and tokens of the old one end', async (t) => {
  for (const strategy of someStrategies()) {
    const adapter = memoryAdapter()
    const session = { strategy }
    const before = await startAccounts(t, { adapter, session })
    const after = await startAccounts(t, { adapter, session, secret: 'a new secret of the tests, long enough' })
    const { browser, mailbox, issuer } = before
    await signInByMail(before, browser, address)
    const begun = await browser.submit('/api/auth/signin/demo', {})
    await browser.submit('/api/auth/signin/email', { email: address })
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const copyTo = () => {
      const copy = after.newBrowser()
      for (const { name, value, ...attributes } of browser.cookies.all()) copy.cookies.set(name, value, attributes)
      return copy
    }
    t.equal(await idIn(copyTo()), null, `${strategy}: the session`)
    const pending = copyTo()
    await pending.open(await issuer.authorize(begun.location ?? '', vera), { headers: fromAfar })
    t.equal(await idIn(pending), null, 'the sign-in at the provider')
    const mail = copyTo()
    await mail.submit('/api/auth/callback/email', { code: mailbox.last().code })
    await mail.open(mailbox.last().url, { headers: fromAfar })
    t.equal(await idIn(mail), null, 'the mail')
    const form = copyTo()
    await form.submit('/api/auth/callback/credentials', { csrfToken, username: 'ada', password: 'lovelace' })
    t.equal(await idIn(form), null, 'the CSRF token')
  }
})

t.test('the second cookie of a plain session is missing, or is of another session', async (t) => {
  const session = { strategy: 'database', storage: 'plain' } as const
  const started = await start(t, { instances: 1, session, rateLimit: false, callbacks: withId })
  const { newBrowser } = started
  const getCookies = async (name: string) => {
    const browser = newBrowser()
    const before = new Set(browser.cookies.all().map((cookie) => cookie.name))
    await signInByForm(browser, name)
    return browser.cookies
      .all()
      .filter((cookie) => !before.has(cookie.name) && !/csrf|callback-url|last-method/.test(cookie.name))
  }
  const [own, other] = [await getCookies('vera'), await getCookies('mallory')]
  t.equal(own.length, 2, 'a session has two cookies')
  const read = async (cookies: typeof own) => {
    const browser = newBrowser()
    for (const { name, value } of cookies) browser.cookies.set(name, value, { secure: true })
    return (await getSession(browser)).user?.name ?? null
  }
  const token = (cookies: typeof own) => cookies.filter(({ name }) => name === cookieNames.sessionToken)
  const proof = (cookies: typeof own) => cookies.filter(({ name }) => name !== cookieNames.sessionToken)
  t.equal(await read(own), 'vera')
  t.equal(await read(token(own)), null)
  t.equal(await read(proof(own)), null)
  t.equal(await read([...token(own), ...proof(other)]), null)
  t.equal(await read([...token(other), ...proof(own)]), null)
  t.equal(await read([...token(own), ...proof(own).map((cookie) => ({ ...cookie, value: '' }))]), null)
})

t.test('the CSRF cookie and token of another browser, or only one of them', async (t) => {
  const started = await startAccounts(t)
  const { newBrowser } = started
  const [victim, thief] = [newBrowser(), newBrowser()]
  await signIn(started, victim, vera)
  const own = (await victim.json<{ csrfToken: string }>('/api/auth/csrf')).csrfToken
  const { csrfToken } = await thief.json<{ csrfToken: string }>('/api/auth/csrf')
  const asJson = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const hash = (victim.cookies.get(cookieNames.csrfToken) ?? '').split(/%7C|\|/)[1] ?? ''
  const bodies: readonly (readonly [string, Record<string, string>, string?])[] = [
    [`csrfToken=${csrfToken}`, form],
    [`csrfToken=${hash}`, form],
    [`csrfToken=${own}&csrfToken=${own}`, form],
    [`csrfToken[]=${own}`, form],
    [`csrftoken=${own}`, form],
    [JSON.stringify({ csrfToken: [own] }), asJson],
    [JSON.stringify({ csrfToken: { toString: own } }), asJson],
    [`{"__proto__":{"csrfToken":"${own}"}}`, asJson],
    ['', form, `?csrfToken=${own}`],
    ['', { ...form, 'x-csrf-token': csrfToken, 'csrf-token': own }],
    [`csrfToken=${own.slice(0, -1)}`, form],
    [`csrfToken=${own.toUpperCase()}`, form],
    [`csrfToken=${own}%00`, form],
    [`csrfToken=+${own}`, form]
  ]
  for (const [body, headers, query = ''] of bodies) {
    for (const path of ['/api/auth/signout', '/api/auth/callback/credentials']) {
      const fields = path.endsWith('credentials') ? '&username=mallory&password=lovelace' : ''
      const sent = body.startsWith('{')
        ? body.replace(/^\{/, '{"username":"mallory","password":"lovelace",')
        : `${body}${fields}`
      await victim.post(`${path}${query}`, sent, headers)
      t.ok(await idIn(victim), `${path}: ${body.slice(0, 20)}`)
      t.match(await getSession(victim), { user: { email: address } })
    }
  }
})

t.test('a logout token for another client, or another provider, ends the sessions of a user', async (t) => {
  const started = await startAccounts(t, { loose: { clientId: 'another-client' } })
  const { browser, issuer, clock } = started
  await signIn(started, browser, vera)
  const now = Math.floor(clock.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = {
    iss: issuer.issuer,
    aud: issuer.clientId,
    iat: now,
    exp: now + 120,
    jti: 'once',
    sub: 'vera',
    events
  }
  const send = async (provider: string, changes: object) => {
    const token = await issuer.sign({ ...claims, ...changes }, { typ: 'logout+jwt' })
    await browser.post(`/api/auth/backchannel-logout/${provider}`, `${new URLSearchParams({ logout_token: token })}`)
  }
  await send('demo', { aud: 'another-client', jti: '1' })
  await send('loose', { aud: 'another-client', jti: '2' })
  await send('loose', { jti: '3' })
  await send('demo', { iss: 'https://evil.test', jti: '4' })
  await send('demo', { nonce: 'x', jti: '5' })
  await send('demo', { sub: 'VERA', jti: '6' })
  await send('demo', { sub: ['vera'], jti: '7' })
  t.ok(await idIn(browser), 'the session stays')
  await send('demo', { jti: '8' })
  t.equal(await idIn(browser), null, 'the right token ends it')
})

t.test('a browser of one origin gets the response for a host of another', async (t) => {
  const { app } = await start(t, { instances: 1 })
  for (const host of [
    'evil.test',
    'app.test.evil.test',
    'app.test@evil.test',
    'app.test:8443',
    'APP.TEST',
    'app.test.'
  ]) {
    const { headers, body } = await app.inject({ url: '/api/auth/signin', headers: { host, accept: 'text/html' } })
    t.notMatch(body, /evil\.test|:8443/, host)
    t.notMatch(String(headers.location ?? ''), /evil\.test/)
    const { payload } = await app.inject({ url: '/api/auth/providers', headers: { host } })
    for (const url of payload.match(/https?:\/\/[^"]+/g) ?? []) t.ok(url.startsWith(`${origin}/`), url)
  }
})

t.test(
  'a mailed link is opened at a provider, or an application, whose normalizeIdentifier refuses the address',
  async (t) => {
    const normalizeIdentifier = (value: string): string => {
      if (!value.endsWith('@corp.test')) throw new Error('not an address of the company')
      return value
    }
    const started = await startAccounts(t, { providers: [mails(), mails({ id: 'strict', normalizeIdentifier })] })
    await started.browser.submit('/api/auth/signin/email', { email: address })
    await started.browser.open(started.mailbox.last().url.replace('/callback/email', '/callback/strict'))
    t.equal(await idIn(started.browser), null)
    const two = await startTwo(t, { strategy: 'database', admin: { providers: [mails({ normalizeIdentifier })] } })
    await two.newBrowser('shop').submit('/shop/api/auth/signin/email', { email: address })
    const visitor = two.newBrowser('admin')
    const page = await visitor.open(two.mailbox.last().url.replace('/shop/', '/admin/'), { headers: fromAfar })
    if (page.status === 200) await visitor.fill(page, 'form[method=post]')
    t.notOk(await hasSession(visitor, 'admin'))
  }
)

t.test('a sign-in starts at one host of an application and is finished at another', async (t) => {
  const started = await start(t, {
    instances: 1,
    url: undefined,
    trustHost: [origin, 'https://other.test'],
    issuerOptions: { redirectUris: [`${origin}/api/auth/callback/demo`, 'https://other.test/api/auth/callback/demo'] }
  })
  const { browser, send, issuer, clock } = started
  const begun = await browser.submit('/api/auth/signin/demo', {})
  const callback = await issuer.authorize(begun.location ?? '')
  const other = createBrowser({ origin: 'https://other.test', send, clock })
  for (const { name, value, ...attributes } of browser.cookies.all()) other.cookies.set(name, value, attributes)
  await other.open(callback.replace(origin, 'https://other.test'), { headers: fromAfar })
  t.same(await getSession(other), {})
  t.equal(issuer.requests.filter(({ method }) => method === 'POST').length, 0, 'no code is sent to the provider')
})
