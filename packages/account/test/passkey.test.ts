import { accountPages } from '@postern/account/pages'
import { passkey } from '@postern/account/passkey'
import { memoryAdapter } from '@postern/adapters/memory'
import { type Adapter, createPostern } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { createBrowser, fromFetch } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { isInstalled } from '../src/passkey/load-webauthn.ts'
import { createGate, pass } from './gate.ts'
import {
  ada,
  addPasskey,
  base,
  canSignIn,
  createUser,
  getAddress,
  loadOptions,
  openApplication,
  openWithPasskey,
  origin,
  readOptions,
  signInWithPasskey,
  strategies
} from './passkey-application.ts'
import {
  type Changes,
  type CreationOptions,
  createAuthenticator,
  type RequestOptions
} from './software-authenticator.ts'

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: sign in on the page of the button`, async (t) => {
    const { newBrowser, authenticator } = await openWithPasskey(t, strategy)
    const browser = newBrowser()
    const page = await browser.fill(await browser.open(`${base}/signin?callbackUrl=/members`), `${base}/signin/passkey`)
    t.equal(page.status, 200)
    const credential = authenticator.get(readOptions<RequestOptions>(page))
    const signedIn = await browser.fill(page, `${base}/callback/passkey`, { credential })
    t.equal(signedIn.location, `${origin}/members`)
    t.equal(await getAddress(browser), ada)
  })
}

const german = { headers: { 'accept-language': 'de' } }
const json = { accept: 'application/json' }

t.test('the sign-in page has the button, the script and the attribute for autofill', async (t) => {
  const { newBrowser } = await openApplication(t, 'jwt')
  const browser = newBrowser()
  const page = await browser.open(`${base}/signin`)
  t.match(page.body, 'Sign in with a passkey')
  t.equal(page.html().querySelector('input[name=email]')?.getAttribute('autocomplete'), 'username webauthn')
  t.match(page.headers['content-security-policy'], `connect-src ${origin}${base}/passkey/options; `)
  t.notMatch(page.headers['content-security-policy'], /unsafe|connect-src 'self'/)
  t.notOk(browser.cookies.get('__Secure-postern.passkey.challenge'), 'no challenge before the script asks for it')
  t.match((await browser.open(`${base}/signin`, german)).body, 'Mit einem Passkey anmelden')
  const listed = await browser.json<Record<string, unknown>>(`${base}/providers`)
  t.match(listed, { passkey: { id: 'passkey', type: 'webauthn' } })
  const response = await browser.request('GET', `${base}/passkey/options`)
  t.match(response.headers, { 'cache-control': /no-store/, 'content-type': /json/ })
  t.match(response.json(), { rpId: 'app.test', userVerification: 'preferred', allowCredentials: [] })
})

t.test('without JavaScript, the button leads to a page that explains what is needed', async (t) => {
  const { newBrowser, adapter } = await openApplication(t, 'jwt')
  const browser = newBrowser()
  const page = await browser.fill(await browser.open(`${base}/signin`), `${base}/signin/passkey`)
  t.match(page.html().querySelector('noscript')?.text, 'need JavaScript')
  t.match(page.headers['content-security-policy'], /script-src /)
  t.notMatch(page.headers['content-security-policy'], 'connect-src')
  const posted = await browser.fill(page, `${base}/callback/passkey`)
  t.match(posted.location, /error=PasskeyFailed/)
  t.match((await browser.follow(posted)).body, 'Passkeys need JavaScript.')
  t.same(await adapter.listEvents?.({ type: 'passkey-copied', limit: 1 }), [])
})

t.test('the page of passkeys lists them, and each is renamed and removed without JavaScript', async (t) => {
  const app = await openWithPasskey(t, 'database', {
    authenticator: { aaguid: 'd548826e-79b4-db40-a3d8-11116f7e8349' }
  })
  const { browser, userId, mailbox } = app
  const page = await browser.open(`${base}/passkeys`)
  t.match(page.body, 'Bitwarden')
  t.match(mailbox.last(), { to: ada, subject: /A passkey was added/, text: /Bitwarden/ })
  const link = page.html().querySelector('.rows a')?.getAttribute('href') ?? ''
  const one = await browser.open(link)
  const renamed = await browser.fill(one, `${link}/rename`, { name: '  My\u0000 <b>phone</b> ' })
  t.match((await browser.follow(renamed)).body, 'My &lt;b&gt;phone&lt;/b&gt;')
  t.equal((await browser.fill(one, `${link}/rename`, { name: ' ' })).status, 400)
  const thief = app.newBrowser()
  await signInWithPasskey(thief, app.authenticator)
  const removed = await browser.fill(one, `${link}/remove`)
  t.equal(removed.location, `${origin}${base}/passkeys`)
  t.match(mailbox.last(), { to: ada, subject: /A passkey was removed/, text: /My <b>phone/ })
  t.equal(await getAddress(browser), ada, 'the session stays')
  t.equal(await getAddress(thief), null, 'the others end')
  t.same(await app.auth.features.passkey.list(userId), [])
  t.equal((await browser.open(link)).location, `${origin}${base}/passkeys`, 'it is gone')
  const types = (await app.adapter.listEvents?.({ userId, limit: 10 }))?.map(({ type }) => type)
  t.same(types?.filter((type) => type.startsWith('passkey')).toSorted(), [
    'passkey-added',
    'passkey-removed',
    'passkey-renamed'
  ])
})

t.test('the options for a new passkey exclude those that the user has, and keep the random handle', async (t) => {
  const { browser, authenticator, userId } = await openWithPasskey(t, 'jwt')
  const options = readOptions<CreationOptions & Record<string, unknown>>(await browser.open(`${base}/passkeys`))
  const [first] = authenticator.passkeys
  t.match(options, {
    rp: { id: 'app.test', name: 'app.test' },
    user: { id: first?.handle, name: ada, displayName: ada },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    excludeCredentials: [{ type: 'public-key', id: first?.id, transports: ['internal', 'hybrid'] }]
  })
  t.notMatch(Buffer.from(options.user.id, 'base64url').toString('latin1'), userId)
  t.equal(Buffer.from(options.user.id, 'base64url').length, 32)
})

t.test('scripts get JSON', async (t) => {
  const { browser, authenticator, auth, userId } = await openWithPasskey(t, 'database')
  const [first] = authenticator.passkeys
  const listed = await browser.json<{ screen: string; props: { passkeys: { id: string }[] } }>(`${base}/passkeys`)
  t.match(listed, {
    screen: 'passkey/passkeys',
    props: {
      passkeys: [{ name: '', isBackedUp: true, createdAt: String, lastUsedAt: null }],
      add: { action: `${base}/passkeys`, options: { challenge: String } },
      accepted: [{ rpId: 'app.test', userId: first?.handle, allAcceptedCredentialIds: [first?.id] }]
    }
  })
  const { options } = (await browser.submit(`${base}/passkeys/options`, {}, { json: true })).json<{
    options: CreationOptions
  }>()
  const credential = createAuthenticator({ origin }).create(options)
  const added = await browser.submit(`${base}/passkeys`, { credential, name: 'Key', json: 'true' }, { json: true })
  t.match([added.status, added.json()], [200, { url: `${origin}${base}/passkeys` }])
  t.match(await auth.features.passkey.list(userId), [{ name: 'Passkey' }, { name: 'Key' }])
  const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
  const headers = { ...json, origin, 'x-csrf-token': csrfToken, 'x-auth-return-redirect': '1' }
  const [{ id = '' } = {}] = listed.props.passkeys
  t.equal((await browser.request('DELETE', `${base}/passkeys/${id}`, { headers })).status, 200)
  t.match(await auth.features.passkey.list(userId), [{ name: 'Key' }])
  for (const unknown of [id, 'x', '%00']) {
    const gone = await browser.request('DELETE', `${base}/passkeys/${unknown}`, { headers })
    t.match([gone.status, gone.json()], [404, { error: 'NotFound' }], 'RFC 9110 §15.5.5')
  }
  const removed = await browser.submit(`${base}/passkeys/${id}/remove`, { json: 'true' }, { json: true })
  t.match([removed.status, removed.json()], [404, { url: `${origin}${base}/passkeys` }])
  const start = await browser.submit(`${base}/signin/passkey`, { json: 'true' }, { json: true })
  t.match(start.json(), { screen: 'passkey/sign-in', props: { options: { rpId: 'app.test' } } })
  const failed = await browser.submit(`${base}/callback/passkey`, { json: 'true' }, { json: true })
  t.match([failed.status, failed.json()], [401, { url: /error=PasskeyFailed/ }])
})

t.test('without a renderer, passkeys are added and used on plain pages', async (t) => {
  const app = await openWithPasskey(t, 'jwt', { renderer: undefined })
  const browser = app.newBrowser()
  const page = await browser.fill(await browser.open(`${base}/signin`), `${base}/signin/passkey`)
  t.match(page.body, '<script src="')
  const credential = app.authenticator.get(readOptions<RequestOptions>(page))
  await browser.fill(page, `${base}/callback/passkey`, { credential })
  t.equal(await getAddress(browser), ada)
  const list = await browser.open(`${base}/passkeys`)
  const href = list.html().querySelector('a')?.getAttribute('href') ?? ''
  t.match((await browser.fill(await browser.open(href), `${href}/remove`)).location, '/passkeys')
})

t.test('nobody removes the last way to sign in', async (t) => {
  const app = await openWithPasskey(t, 'jwt')
  const { browser, adapter, userId, auth } = app
  // Neither a mail nor a password signs the user in.
  await adapter.updateUser?.({ id: userId, email: null })
  await adapter.deleteFactor?.({ type: 'password', id: userId })
  const [known] = await auth.features.passkey.list(userId)
  const refused = await browser.submit(`${base}/passkeys/${known?.id}/remove`, {})
  t.equal(refused.status, 400)
  t.match(refused.body, 'your only way to sign in')
  t.equal((await auth.features.passkey.list(userId)).length, 1)
  await addPasskey(browser, createAuthenticator({ origin }))
  const both = await auth.features.passkey.list(userId)
  const removals = both.map(({ id }) => browser.submit(`${base}/passkeys/${id}/remove`, {}))
  await Promise.all(removals)
  t.equal((await auth.features.passkey.list(userId)).length, 1, 'of two at once, one stays')
})

t.test('export and deletion', async (t) => {
  const { auth, adapter, userId } = await openWithPasskey(t, 'database')
  const exported = await auth.exportUser(userId)
  t.match(exported, { features: { passkey: [{ name: 'Passkey', createdAt: Date }] } })
  t.notMatch(JSON.stringify(exported), /publicKey|handle/)
  await auth.deleteUser(userId)
  t.same(await adapter.listFactors?.(userId), [])
  // The users are in another database, whose rows do not delete each other.
  const { transact: _, ...rest } = memoryAdapter()
  const apart = await openWithPasskey(t, 'jwt', { adapter: { ...rest, deleteUser: async () => undefined } })
  await apart.auth.deleteUser(apart.userId)
  t.same(await apart.adapter.listFactors?.(apart.userId), [])
})

t.test('mails are sent if there is a mail server, to a verified address', async (t) => {
  const app = await openWithPasskey(t, 'database')
  t.match(app.mailbox.last().subject, 'A passkey was added')
  app.mailbox.fail(new Error('no'))
  await addPasskey(app.browser, createAuthenticator({ origin }))
  t.equal((await app.auth.features.passkey.list(app.userId)).length, 2)
  await app.auth.close()
  t.match(app.logged, [['NOTICE_NOT_SENT']], 'it is tried again until the application is closed')
})

t.test('without a mail server, users of an own form add and use passkeys', async (t) => {
  const people = credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: name, name }) })
  const open = (strategy: 'jwt' | 'database') => {
    const auth = createPostern({
      url: origin,
      secret: 'a secret of the tests, 32 characters or more',
      adapter: memoryAdapter(),
      session: { strategy },
      rateLimit: false,
      providers: [people, passkey()],
      features: [accountPages()]
    })
    t.teardown(auth.close)
    return () => createBrowser({ origin, send: fromFetch(auth.fetch) })
  }
  const newBrowser = open('database')
  const browser = newBrowser()
  await browser.submit(`${base}/callback/credentials`, { name: 'ada' })
  t.match((await browser.open(`${base}/account`)).body, `href="${base}/passkeys"`, 'a section of the account page')
  const authenticator = createAuthenticator({ origin })
  t.equal((await addPasskey(browser, authenticator)).location, `${origin}${base}/passkeys`)
  const other = newBrowser()
  await signInWithPasskey(other, authenticator)
  t.match(await other.json(`${base}/session`), { user: { name: 'ada' } })
  // A user who is not stored has none.
  const unstored = open('jwt')()
  await unstored.submit(`${base}/callback/credentials`, { name: 'ada' })
  const refused = await unstored.open(`${base}/passkeys`)
  t.match([refused.status, refused.body], [403, 'is not stored here'])
  for (const path of ['/passkeys', '/passkeys/options', '/passkeys/x/remove'])
    t.equal((await unstored.submit(base + path, {})).status, 403, path)
})

/** The origin of an Android app: the SHA-256 hash of its certificate, in base64url. */
const androidApp = 'android:apk-key-hash:-sYXRdwJA3hvue3mKpYrOZ9zSPC7b4mbgzJmdZEDO5w'

t.test('Android apps: exact origins, which are listed nowhere', async (t) => {
  const other = androidApp.replace('-sYX', '-sYx')
  for (const options of [{ appOrigins: [androidApp] }, { rpId: 'app.test', appOrigins: [androidApp] }]) {
    const { newBrowser, authenticator } = await openWithPasskey(t, 'database', { passkey: options })
    t.ok(await canSignIn(newBrowser(), authenticator, { origin: androidApp }))
    t.ok(await canSignIn(newBrowser(), authenticator), 'and at the site')
    for (const unknown of [other, `${androidApp}=`, androidApp.slice(0, -1), 'android:apk-key-hash:'])
      t.notOk(await canSignIn(newBrowser(), authenticator, { origin: unknown }), unknown)
    t.equal((await newBrowser().open('/.well-known/webauthn')).status, 404)
  }
  const both = { rpId: 'app.test', relatedOrigins: ['https://app.example'], appOrigins: [androidApp] }
  const { newBrowser } = await openWithPasskey(t, 'database', { passkey: both })
  t.same((await newBrowser().open('/.well-known/webauthn')).json(), { origins: ['https://app.example'] })
})

/** What real apps have sent: their origins, and further members of the client data. */
const realApps: Readonly<Record<string, readonly [hash: string, client: Readonly<Record<string, unknown>>]>> = {
  'numerique-gouv/ami-notifications-api#1206': ['-jd8Tqk_R_mSBj6Xwkm_9r08EpyPE8LD22xwEbYIGoA', {}],
  'Yubico/java-webauthn-server#332': ['qvuLMyLL__vtfHay6y_KGGHYL5Qkkf5aufucFCAtWVE', {}],
  'spatie/laravel-passkeys#79': ['sjYxqUM11Op8oHJuOdbrsCqtvYvbKHhQoKBlt28dLec', {}],
  'android/security-samples#71': [
    'fbENTvCSeR-AwJV5rrrBsb98p-jEw0c5SSOMul_KwaI',
    {
      androidPackageName: 'com.afterlogic.aurora.mail',
      tokenBinding: { status: 'present', id: 'https://test.afterlogic.com' }
    }
  ]
}

t.test('Android apps as they are: passkeys are added and used there', async (t) => {
  const appOrigins = Object.values(realApps).map(([hash]) => `android:apk-key-hash:${hash}`)
  const listed = await openApplication(t, 'database', { passkey: { appOrigins } })
  const unlisted = await openWithPasskey(t, 'database')
  const browser = await createUser(listed)
  for (const [title, [hash, client]] of Object.entries(realApps)) {
    const changes = { origin: `android:apk-key-hash:${hash}`, client }
    const authenticator = createAuthenticator({ origin })
    t.equal((await addPasskey(browser, authenticator, changes)).status, 302, title)
    t.ok(await canSignIn(listed.newBrowser(), authenticator, changes), title)
    t.notOk(await canSignIn(unlisted.newBrowser(), unlisted.authenticator, changes), `${title}, not listed`)
    t.equal((await addPasskey(unlisted.browser, createAuthenticator({ origin }), changes)).status, 400, title)
  }
})

/** Members of a response that Web Authentication calls optional, or that clients add (§5.1, §5.8.1): absent, general, recommended. */
const optionalMembers: Readonly<
  Record<string, readonly [path: 'credential' | 'response' | 'client', values: readonly unknown[]]>
> = {
  rawId: ['credential', [undefined, '', 'AAAA']],
  type: ['credential', [undefined, '', 'public-key']],
  authenticatorAttachment: ['credential', [undefined, null, 'platform']],
  clientExtensionResults: ['credential', [undefined, {}, { credProps: { rk: true } }]],
  transports: ['response', [undefined, ['new-transport'], ['internal', 'hybrid']]],
  publicKeyAlgorithm: ['response', [undefined, 0, -7]],
  crossOrigin: ['client', [undefined, false, false]],
  topOrigin: ['client', [undefined, null, undefined]],
  tokenBinding: ['client', [undefined, { status: 'supported' }, undefined]],
  androidPackageName: ['client', [undefined, '', 'com.example.app']]
}

for (const [name, [path, values]] of Object.entries(optionalMembers))
  t.test(`${name} of a response is optional`, async (t) => {
    const app = await openApplication(t, 'database')
    const browser = await createUser(app)
    for (const value of values) {
      const authenticator = createAuthenticator({ origin })
      const changes: Changes = path === 'client' ? { client: { [name]: value } } : {}
      const change = (credential: string): string => {
        const all = JSON.parse(credential)
        const changed = path === 'response' ? { response: { ...all.response, [name]: value } } : { [name]: value }
        return JSON.stringify(path === 'client' ? all : { ...all, ...changed })
      }
      const page = await browser.open(`${base}/passkeys`)
      const credential = change(authenticator.create(readOptions<CreationOptions>(page), changes))
      t.equal((await browser.fill(page, `${base}/passkeys`, { credential })).status, 302, `added: ${String(value)}`)
      const other = app.newBrowser()
      const used = change(authenticator.get(await loadOptions(other), changes))
      const signedIn = await other.submit(`${base}/callback/passkey`, { credential: used })
      t.equal(signedIn.location, origin, `used: ${String(value)}`)
    }
  })

t.test('options', async (t) => {
  const start = (options: object, url: string = origin) => openApplication(t, 'jwt', { passkey: options, url })
  const wrong: readonly (readonly [options: object, message: RegExp, url?: string])[] = [
    [{ rpId: 'other.test' }, /expected rpId to be the host of https:\/\/app\.test or a domain above it/],
    [{ rpId: 'https://app.test' }, /rpId: expected a domain/],
    [{ rpId: 'test' }, /rpId: expected a domain/],
    [{ relatedOrigins: ['https://app.de'] }, /rpId: expected it with relatedOrigins/],
    [{ rpId: 'app.test', relatedOrigins: ['http://app.de'] }, /relatedOrigins: expected an origin like/],
    [{ rpId: 'app.test', relatedOrigins: ['https://app.de/'] }, /relatedOrigins: expected an origin like/],
    [{ appOrigins: ['https://app.test'] }, /appOrigins: expected android:apk-key-hash:/],
    [{ appOrigins: ['android:apk-key-hash:short'] }, /appOrigins: expected android:apk-key-hash:/],
    [{ appOrigins: [`${androidApp}=`] }, /appOrigins: expected android:apk-key-hash:/],
    [{ userVerification: 'discouraged' }, /userVerification/],
    [{ authenticators: {} }, /authenticators/],
    [{ origin }, /unknown option/],
    [{}, /expected the host of https:\/\/127\.0\.0\.1 to be a domain/, 'https://127.0.0.1'],
    [{}, /expected https/, 'http://app.test']
  ]
  for (const [options, message, url] of wrong) await t.rejects(start(options, url), { message }, String(message))
  for (const url of ['http://localhost:3000', 'https://a.b.app.test']) await t.resolves(start({}, url), url)
  await t.resolves(start({ rpId: 'app.test' }, 'https://a.app.test'))
})

t.test('a missing package is reported at registration, except in a bundle of the application', async (t) => {
  t.equal(isInstalled(), true)
  t.equal(isInstalled('@simplewebauthn/missing'), false)
  t.equal(isInstalled('@simplewebauthn/missing', 'file:///srv/app/server.js'), true)
})

t.test('related origins: a passkey of one domain is used at another one that is listed', async (t) => {
  const options = { rpId: 'app.test', relatedOrigins: ['https://app.example'] }
  const { newBrowser, authenticator } = await openWithPasskey(t, 'database', { passkey: options })
  const browser = newBrowser()
  const listed = await browser.request('GET', '/.well-known/webauthn')
  t.match(listed.headers['content-type'], /^application\/json/)
  t.same(listed.json(), { origins: ['https://app.example'] })
  t.ok(await canSignIn(newBrowser(), authenticator, { origin: 'https://app.example' }))
  t.notOk(await canSignIn(newBrowser(), authenticator, { origin: 'https://app.evil' }))
})

t.test('origins of requests: each has its domain, or the one that is configured', async (t) => {
  const hosts = { url: undefined, trustHost: ['one.test', 'sub.one.test', 'other.test'] }
  const { auth } = await openApplication(t, 'jwt', hosts)
  const load = async (host: string) => (await auth.fetch(new Request(`https://${host}${base}/passkey/options`))).json()
  for (const host of hosts.trustHost) t.match(await load(host), { rpId: host })
  const shared = await openApplication(t, 'jwt', { ...hosts, passkey: { rpId: 'one.test' } })
  const ask = async (host: string) => shared.auth.fetch(new Request(`https://${host}${base}/passkey/options`))
  t.match(await (await ask('sub.one.test')).json(), { rpId: 'one.test' })
  t.equal((await ask('other.test')).status, 500, 'a domain that cannot have the passkeys')
})

/** An adapter that records what writes, each call on its own. */
function recording(written: string[]): Adapter {
  const { transact: _, createUserWithAccount: _together, ...adapter } = memoryAdapter()
  const record = ([name, method]: [string, unknown]): [string, unknown] => [
    name,
    typeof method !== 'function' || /^(find|get|list|read)/.test(name)
      ? method
      : (...args: unknown[]) => {
          written.push(name)
          return method.apply(adapter, args)
        }
  ]
  return { ...adapter, ...Object.fromEntries(Object.entries(adapter).map(record)) }
}

for (const { value: strategy, test } of turns())
  test(`${strategy}: interruptions and the callback apply to passkeys`, async (t) => {
    let isAllowed = true
    const callbacks = { signIn: () => isAllowed }
    const written: string[] = []
    const app = await openWithPasskey(t, strategy, {
      features: [createGate('passkey')],
      callbacks,
      adapter: recording(written)
    })
    const browser = app.newBrowser()
    written.length = 0
    t.match((await signInWithPasskey(browser, app.authenticator)).location, '/verify?error=VerificationRequired')
    t.same(
      written.filter((name) => !/Ticket$|^countTry$|^delete(?:Events|Expired)$/.test(name)),
      ['updateFactor'],
      'nothing is written but the counter, and the cleanup'
    )
    t.equal(await getAddress(browser), null)
    await pass(browser)
    t.equal(await getAddress(browser), ada)
    const pending = app.newBrowser()
    await signInWithPasskey(pending, app.authenticator)
    const [known] = await app.auth.features.passkey.list(app.userId)
    await app.browser.submit(`${base}/passkeys/${known?.id}/remove`, {})
    await pass(pending)
    t.equal(await getAddress(pending), null, 'the passkey was removed in the meantime')
    isAllowed = false
    await addPasskey(app.browser, app.authenticator)
    t.match((await signInWithPasskey(app.newBrowser(), app.authenticator)).location, 'AccessDenied')
  })

t.test('the sign-in page explains why no passkey was used, and the log has the code', async (t) => {
  const app = await openApplication(t, 'jwt')
  for (const [error, text] of [
    ['PasskeyCancelled', 'No passkey was used: you canceled, or it took too long.'],
    ['PasskeyWrongDomain', 'Passkeys do not work at this address.'],
    ['PasskeyUnsupported', 'This browser cannot use passkeys here.']
  ] as const) {
    const page = await app.newBrowser().open(`${base}/signin?error=${error}`)
    t.match(page.html().querySelector('#notice strong')?.text, text)
    t.match(app.logged.at(-1), ['ERROR_PAGE', { error }])
  }
})
