// The parts of a feature that other pages and responses show, over HTTP.
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern } from '@postern/core'
import {
  type AccountKey,
  type Authentication,
  type Feature,
  type FeatureParts,
  type FeatureRequest,
  json,
  redirect,
  SignInError,
  text
} from '@postern/core/feature'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { turnsOf } from '@postern/testkit/long'
import Fastify from 'fastify'
import t from 'tap'
import postern from '../src/index.ts'
import {
  getSession,
  mails,
  origin,
  people,
  secret,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'

const base = `${origin}/api/auth`
const german = { headers: { 'accept-language': 'de' } }

/** A feature with these parts. */
const withParts = (parts: FeatureParts): Feature => ({ id: 'vault', setup: () => parts })

const locked = withParts({
  texts: {
    en: { locked: 'The vault is locked.', wait: 'Come back tomorrow.', ask: 'Ask for a key.' },
    de: { locked: 'Der Tresor ist verschlossen.', wait: 'Kommen Sie morgen wieder.' }
  },
  errors: [
    { code: 'VaultLocked', text: 'locked', next: 'wait', status: 423 },
    { code: 'VaultKey', text: 'ask', screen: 'signin', status: 401 }
  ],
  routes: ['VaultLocked', 'VaultKey', 'VaultUnknown'].map((code) => ({
    method: 'GET',
    path: `/vault/${code}`,
    access: 'anyone',
    answers: 'html',
    run: () => {
      throw new SignInError(code)
    }
  }))
})

t.test('the error page explains an error code of a feature, in the language of the page', async (t) => {
  const { browser, app } = await start(t, { features: [locked], instances: 1 })
  const refused = await browser.open('/api/auth/vault/VaultLocked')
  t.match(refused.location, `${base}/error?error=VaultLocked&ref=`)
  const page = await browser.open(refused.location ?? '')
  t.match([page.status, page.body], [423, /The vault is locked\..*Come back tomorrow\./])
  t.match((await browser.open(refused.location ?? '', german)).body, /Der Tresor ist verschlossen\..*morgen wieder/)
  const { statusCode, body } = await app.inject({
    url: '/api/auth/vault/VaultLocked',
    headers: { 'x-auth-return-redirect': '1' }
  })
  t.match([statusCode, JSON.parse(body)], [423, { url: `${base}/error?error=VaultLocked&ref=` }])
})

t.test('the sign-in page explains an error code of a feature, in English if the language lacks the text', async (t) => {
  const { browser } = await start(t, { features: [locked], instances: 1 })
  const refused = await browser.open('/api/auth/vault/VaultKey')
  t.match(refused.location, `${base}/signin?error=VaultKey&ref=`)
  t.match((await browser.open(refused.location ?? '', german)).body, 'Ask for a key.')
  t.equal((await browser.open('/api/auth/error?error=VaultKey')).location, `${base}/signin?error=VaultKey`)
})

t.test('an error code that no feature declares keeps its page and status', async (t) => {
  const { browser } = await start(t, { features: [locked], instances: 1 })
  const refused = await browser.open('/api/auth/vault/VaultUnknown')
  t.match(refused.location, `${base}/error?error=VaultUnknown&ref=`)
  const page = await browser.open(refused.location ?? '')
  t.equal(page.status, 200)
  t.notMatch(page.body, 'vault')
})

t.test('without a renderer, the pages explain the error codes in English', async (t) => {
  const postern = createPostern({ secret, url: origin, providers: [people], features: [locked] })
  t.teardown(postern.close)
  const open = async (path: string): Promise<string> =>
    (await postern.fetch(new Request(`${base}${path}`, german))).text()
  t.match(await open('/error?error=VaultLocked'), '<p>The vault is locked. Come back tomorrow.</p>')
  t.match(await open('/signin?error=VaultKey'), '<p role="alert">Ask for a key.</p>')
})

const hidden = { name: 'from', label: '', type: 'hidden', attributes: { value: 'page' } }
const key = { name: 'key', label: 'Key', type: 'text', attributes: {} }
const keys = withParts({
  texts: {
    en: { name: 'Vault key', use: 'Use a vault key', label: 'Your key' },
    de: { name: 'Tresorschlüssel', use: 'Tresorschlüssel verwenden', label: 'Ihr Schlüssel' }
  },
  signInMethods: [
    { id: 'key', title: 'name', submit: 'use', labels: { key: 'label' }, fields: [hidden, key] },
    { id: 'ring', title: 'name', submit: undefined, labels: undefined, fields: [key] },
    { id: 'secret', hidden: true, fields: [key] }
  ].map(({ fields, ...method }) => ({
    ...method,
    name: 'Vault',
    type: 'credentials',
    form: { type: 'credentials', fields },
    verify: () => ({ kind: 'identity', providerAccountId: '1', user: { name: 'Vera', email: 'vera@example.com' } })
  }))
})

t.test('the sign-in page offers the method of a feature in the language of the page', async (t) => {
  const { browser } = await start(t, { providers: [people, keys], instances: 1 })
  const english = (await browser.open('/api/auth/signin')).body
  for (const text of ['>Use a vault key<', '>Your key<', '>Sign in with Vault key<', '>Key<']) t.match(english, text)
  const inGerman = (await browser.open('/api/auth/signin', german)).body
  for (const text of ['>Tresorschlüssel verwenden<', '>Ihr Schlüssel<', '>Mit Tresorschlüssel anmelden<'])
    t.match(inGerman, text)
})

t.test('the sign-in page omits hidden methods, which can still be used', async (t) => {
  const options = { providers: [people, keys], hiddenProviders: ['key', 'credentials'], instances: 1 }
  const { browser, app } = await start(t, options)
  const { body } = await browser.open('/api/auth/signin')
  t.match(body, 'callback/ring')
  for (const id of ['key', 'credentials', 'secret']) t.notMatch(body, `callback/${id}`)
  t.match((await app.inject('/api/auth/providers')).json(), { key: {}, credentials: {}, secret: {} })
  const signedIn = await browser.submit('/api/auth/callback/credentials', { username: 'ada', password: 'lovelace' })
  t.equal(signedIn.location, origin)
})

t.test('without a renderer, the sign-in page has the texts and hidden fields of a method', async (t) => {
  const postern = createPostern({ secret, url: origin, providers: [people, keys] })
  t.teardown(postern.close)
  const page = await (await postern.fetch(new Request(`${base}/signin`))).text()
  t.match(page, '<input type="hidden" name="from" value="page"><label>Your key <input')
  t.match(page, '<button>Use a vault key</button>')
})

const script = 'document.querySelector("[data-vault]").after(document.createElement("output"))'
const signUp = withParts({
  texts: {
    en: { create: 'Create account', title: 'Create an account', text: 'Choose a name.' },
    de: { create: 'Konto anlegen' }
  },
  signInPage: {
    script,
    connect: ['/sign-up'],
    identifierAttributes: { autocomplete: 'username webauthn', 'data-vault': 'on' },
    links: [{ title: 'create', path: '/sign-up' }]
  },
  screens: [
    { name: 'sign-up', title: 'title', component: async () => null, script, plain: () => ({ text: 'Choose a name.' }) },
    { name: 'still', title: 'title', component: async () => null, plain: () => ({ text: 'No script.' }) }
  ],
  routes: [
    { method: 'GET', path: '/sign-up', access: 'anyone', run: (request) => request.screen('sign-up', {}) },
    { method: 'GET', path: '/still', access: 'anyone', run: (request) => request.screen('still', {}) }
  ],
  signInMethods: [
    {
      id: 'own',
      name: 'Own',
      type: 'credentials',
      form: { type: 'credentials', fields: [key], identifier: 'key' },
      verify: () => ({ kind: 'identity', providerAccountId: '1', user: {} })
    }
  ]
})
const inputsWith = (body: string): readonly string[] =>
  (body.match(/<input[^>]*data-vault[^>]*>/g) ?? []).map((input) => /name="(\w+)"/.exec(input)?.[1] ?? '')

t.test('a feature adds links, attributes and a script to the sign-in page', async (t) => {
  const options = { providers: [people, mails(), keys], features: [{ ...signUp, id: 'sign-up' }], instances: 1 }
  const { browser } = await start(t, options)
  const { body, headers } = await browser.open('/api/auth/signin')
  t.match(body, '<a class="link" href="/api/auth/sign-up"><bdi>Create account</bdi></a>')
  t.match((await browser.open('/api/auth/signin', german)).body, '>Konto anlegen</bdi></a>')
  t.same(inputsWith(body), ['email', 'username'], 'the identifiers of other methods')
  t.equal(body.match(/autocomplete="username webauthn"/gi)?.length, 2)
  const [file = ''] = /\/api\/auth\/assets\/sign-up-[0-9a-f]{16}\.js/.exec(body) ?? []
  const asset = await browser.open(file)
  t.match([asset.body, asset.headers], [script, { 'cache-control': /immutable/, 'content-type': /^text\/javascript/ }])
  t.match(headers['content-security-policy'], `; script-src ${base}/assets/; connect-src ${base}/sign-up; base-uri`)
  const still = await browser.open('/api/auth/sign-up')
  t.notMatch(still.headers['content-security-policy'], 'connect-src', 'only on the sign-in page')
})

t.test('only a screen with a script may run one', async (t) => {
  const { browser } = await start(t, { features: [signUp], instances: 1 })
  const policy = async (path: string): Promise<string> =>
    String((await browser.open(path)).headers['content-security-policy'])
  t.match(await policy('/api/auth/sign-up'), 'script-src')
  t.notMatch(await policy('/api/auth/still'), 'script-src')
  t.notMatch(await policy('/api/auth/signout'), 'script-src')
})

t.test('without a renderer, the sign-in page has the links, attributes and script', async (t) => {
  const plain = createPostern({ secret, url: origin, providers: [people], features: [signUp] })
  t.teardown(plain.close)
  const response = await plain.fetch(new Request(`${base}/signin`))
  const body = await response.text()
  t.match(body, '<p><a href="/api/auth/sign-up">Create account</a></p>')
  t.match(body, /<script src="\/api\/auth\/assets\/vault-[0-9a-f]{16}\.js" defer><\/script>/)
  t.same(inputsWith(body), ['username'])
  t.match(response.headers.get('content-security-policy'), 'script-src')
})

t.test('Chromium runs the script of the sign-in page', { skip: withoutChromium }, async (t) => {
  const app = Fastify({ forceCloseConnections: true })
  await app.register(postern, {
    secret,
    session: { strategy: 'jwt' },
    providers: [people],
    features: [signUp]
  })
  t.teardown(() => app.close())
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const chromium = await openChromium()
  const page = await chromium.newPage()
  const refused: string[] = []
  page.on('console', (message) => refused.push(message.text()))
  await page.goto(`${address}/api/auth/signin`)
  await page.locator('[data-vault] + output').waitFor({ state: 'attached' })
  t.notMatch(refused.join(), 'Content Security Policy')
  // Playwright's own script is subject to this part of the policy.
  const canFetch = (path: string) =>
    page.evaluate((url) => fetch(url).then(Boolean, () => false), `${address}/api/auth${path}`)
  t.equal(await canFetch('/sign-up?some=query'), true)
  for (const path of ['/session', '/sign-up/', '/sign-up-2']) t.equal(await canFetch(path), false, path)
})

for (const { value: strategy, test } of turnsOf(['jwt', 'database'] as const, t)()) {
  test(`a feature reads what it stated about the session: ${strategy}`, async (t) => {
    const asked: Authentication[] = []
    const accounts: unknown[] = []
    const claims = (authentication: Authentication, account: AccountKey | null) => {
      asked.push(authentication)
      accounts.push(account)
      return authentication.provider?.id === 'credentials' ? { level: 2 } : null
    }
    const run = async (request: FeatureRequest) => json(await request.getClaims())
    const level = withParts({ claims, routes: [{ method: 'GET', path: '/level', access: 'anyone', run }] })
    const other: Feature = { id: 'other', setup: () => ({ claims: () => ({ level: 'secret' }) }) }
    const seen: unknown[] = []
    const started = await start(t, {
      store: 'sqlite',
      features: [level, other],
      session: { strategy },
      callbacks: {
        jwt: ({ token }) => ({ ...token, session_claims: { vault: { level: 9 } } }),
        session: ({ session, claims }) => {
          seen.push(claims)
          return session
        }
      },
      instances: 1
    })
    const { browser } = started
    const read = async (): Promise<unknown> => JSON.parse((await browser.open('/api/auth/level')).body)
    t.equal(await read(), null, 'nobody is signed in')
    await signInByForm(browser, 'grace')
    t.match(asked, [
      {
        userId: strategy === 'jwt' ? 'id-grace' : String,
        sessionId: null,
        amr: ['pwd'],
        authTime: Date,
        provider: { id: 'credentials', acr: null, amr: [], authTime: null }
      }
    ])
    t.same(await read(), { level: 2 })
    await getSession(browser)
    started.clock.advance(86_400 * 2)
    await getSession(browser)
    t.same(await read(), { level: 2 }, 'after a renewal')
    t.same(seen, Array(2).fill({ vault: { level: 2 }, other: { level: 'secret' } }))
    t.equal(asked.length, 1, 'stated once')
    await signInByMail(started, browser)
    t.equal(await read(), null, 'it stated nothing about this session')
    t.same(accounts, [
      { provider: 'credentials', providerAccountId: 'id-grace' },
      { provider: 'email', providerAccountId: 'ada@example.com' }
    ])
  })
}

t.test('a session that continues after a link states no account', async (t) => {
  const stated: unknown[] = []
  const claims = (_authentication: Authentication, account: AccountKey | null) => {
    stated.push(account)
    return null
  }
  const started = await start(t, { store: 'sqlite', features: [withParts({ claims })], instances: 1 })
  const { browser } = started
  await signInByMail(started, browser)
  await signInAtIssuer(started, browser)
  t.same(stated, [{ provider: 'email', providerAccountId: 'ada@example.com' }, null])
})

const pages = withParts({
  routes: ['/letter', '/poster'].map((path) => ({
    ...{ method: 'GET', path, access: 'anyone', isReturnPage: path === '/letter' },
    run: () => text('A page.', 200)
  }))
})

t.test('a sign-in returns to a page for visitors only if the page says so, and once', async (t) => {
  const { browser } = await start(t, { features: [pages], instances: 1 })
  const enter = (callbackUrl?: string) =>
    browser.submit('/api/auth/callback/credentials', {
      ...{ username: 'grace', password: 'lovelace' },
      ...(callbackUrl === undefined ? {} : { callbackUrl })
    })
  t.equal((await enter(`${base}/poster?token=t`)).location, origin)
  for (const other of [
    `${base}/letter/x`,
    `${base}/LETTER`,
    `${base}/letter/../poster`,
    'https://evil.test/api/auth/letter'
  ])
    t.equal((await enter(other)).location, origin, other)
  const { location } = await enter(`${base}/letter?token=t`)
  t.equal(location, `${base}/letter?token=t`)
  t.equal((await enter()).location, location, 'the browser has not been there yet')
  await browser.open('/api/auth/poster')
  t.equal((await enter()).location, location, 'nor on this page')
  await browser.open(location ?? '')
  t.notMatch(JSON.stringify(browser.cookies.all()), 'token%3Dt', 'the token of the link is forgotten')
  t.equal((await enter()).location, origin)
})

// Node, "--unhandled-rejections": a rejection that nobody handles ends the process, and is a failure of this test.
t.test('a function that must return at once may reject: it is logged, and the process continues', async (t) => {
  const reject = Object(() => Promise.reject(new Error('rejected')))
  const entries: string[] = []
  const log = (code: string, metadata: unknown): Promise<never> => {
    entries.push(`${code} ${JSON.stringify(metadata)}`)
    return reject()
  }
  const written = t.capture(console, 'error')
  const isLogged = (text: string): boolean => entries.some((entry) => entry.includes(text))
  const logger = { error: log, warn: log }
  const silent = await start(t, {
    features: [withParts({ onRefusal: reject, start: reject })],
    logger,
    instances: 1
  })
  const refused = await silent.browser.submit('/api/auth/callback/credentials', {
    username: 'grace',
    password: 'wrong'
  })
  t.match(refused.location, /error=CredentialsSignin/)
  t.equal((await signInByForm(silent.browser, 'grace')).location, origin, 'the sign-in does not depend on them')
  t.ok(isLogged('features.vault: start'))
  t.ok(isLogged('features.vault: onRefusal'))
  const broken = await start(t, { features: [withParts({ onEvent: reject })], logger, instances: 1 })
  t.match((await signInByForm(broken.browser, 'grace')).location, /error=Callback/, 'its writes are missing')
  t.ok(isLogged('features.vault: onEvent returned a promise'))
  t.match(
    written().map(({ args }) => args[0]),
    ['[postern][error][LOGGER_ERROR]']
  )
})

t.test('a claim that cannot be stated refuses the sign-in', async (t) => {
  const broken = withParts({
    claims: () => {
      throw new Error('broken')
    }
  })
  const { browser } = await start(t, { features: [broken], instances: 1 })
  t.match((await signInByForm(browser, 'grace')).location, /error=Callback/)
  t.same(await getSession(browser), {})
})

t.test('claims of database sessions need the methods of session records', (t) => {
  const { putSessionRecord: _, ...adapter } = memoryAdapter()
  const features = [withParts({ claims: () => null })]
  const open = (strategy: 'jwt' | 'database') =>
    createPostern({ secret, url: origin, providers: [], adapter, features, session: { strategy } })
  t.throws(() => open('database'), /features\.vault: .*putSessionRecord/)
  t.teardown(open('jwt').close)
  t.end()
})

t.test('a client calls a feature as @postern/react does', async (t) => {
  const run = (request: FeatureRequest) => (request.body['go'] ? redirect(`${origin}/gone`) : json(request.body))
  const path = '/notes/:id'
  const routes = (['POST', 'DELETE'] as const).map((method) => ({ method, path, access: 'anyone' as const, run }))
  const { browser } = await start(t, { features: [withParts({ routes })], instances: 1 })
  const { csrfToken } = JSON.parse((await browser.open('/api/auth/csrf')).body)
  const asking = { accept: 'application/json', 'x-auth-return-redirect': '1' }
  const headers = { ...asking, 'x-csrf-token': csrfToken }
  const call = async (method: 'POST' | 'DELETE', sent: Readonly<Record<string, string>>, body: object | null) => {
    const content = body && { 'content-type': 'application/json' }
    const options = { headers: { ...sent, ...content }, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await browser.request(method, '/api/auth/notes/1', options)
    return [response.status, JSON.parse(response.body)]
  }
  t.same(await call('POST', headers, { note: 'hi' }), [200, { note: 'hi' }])
  t.same(await call('POST', headers, { go: true }), [200, { url: `${origin}/gone` }])
  t.same(await call('DELETE', headers, null), [200, {}])
  t.same(await call('DELETE', asking, null), [400, { error: 'CsrfTokenInvalid' }])
})
