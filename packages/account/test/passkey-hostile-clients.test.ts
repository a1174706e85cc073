import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import { type Feature, text } from '@postern/core/feature'
import { type Browser, type BrowserResponse, createBrowser, fromFetch } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  type Application,
  ada,
  addPasskey,
  base,
  canSignIn,
  createUser,
  findUser,
  getAddress,
  getAuthentication,
  loadOptions,
  openApplication,
  openWithPasskey,
  origin,
  type PasskeyApplicationOptions,
  readOptions,
  signInWithPasskey,
  strategies
} from './passkey-application.ts'
import { first, signIn, signInByMail } from './password-application.ts'
import { type CreationOptions, createAuthenticator, toCose } from './software-authenticator.ts'

const turns = turnsOf(strategies, t)

const eve = 'eve@example.com'
const callback = `${base}/callback/passkey`
const passkeys = `${base}/passkeys`

const getCode = ({ location }: BrowserResponse): string | null =>
  location === null ? null : new URL(location, origin).searchParams.get('error')

const getList = async ({ auth }: Pick<Application, 'auth'>, userId: string) => auth.features.passkey.list(userId)

/** Another process with the same store, secret and clock. */
function openInstance(
  t: Parameters<typeof openApplication>[0],
  { adapter, clock, mailbox }: Application,
  strategy: 'jwt' | 'database',
  options: PasskeyApplicationOptions = {}
): Promise<Application> {
  const runtime = { now: clock.now, sendMail: mailbox.sendMail }
  return openApplication(t, strategy, { adapter, runtime, ...options })
}

const readCreation = async (browser: Browser): Promise<CreationOptions> =>
  readOptions<CreationOptions>(await browser.open(passkeys))

const getId = async (app: Application, userId: string): Promise<string> => (await getList(app, userId))[0]?.id ?? ''

/** An interruption of sign-ins, which any form passes. */
function createWait() {
  const feature: Feature = {
    id: 'wait',
    setup: () => ({
      screens: [{ name: 'wait', title: 'wait', component: async () => () => null, plain: () => ({ text: 'wait' }) }],
      texts: { en: { wait: 'Wait' } },
      interruptions: [
        {
          ...{ id: 'wait', order: 500, isDue: () => wait.isDue, verify: () => 'passed' },
          show: (_signIn, request) => request.screen('wait', {})
        }
      ]
    })
  }
  const wait = { feature, isDue: false }
  return wait
}

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a sign-in that waits at an interruption ends with its passkey`, async (t) => {
    const wait = createWait()
    const app = await openWithPasskey(t, strategy, { features: [wait.feature] })
    wait.isDue = true
    const thief = app.newBrowser()
    const pending = await signInWithPasskey(thief, app.authenticator)
    t.match(pending.location, '/verify')
    t.equal(await getAddress(thief), null)
    await app.browser.submit(`${passkeys}/${await getId(app, app.userId)}/remove`, {})
    t.same(await getList(app, app.userId), [])
    await thief.followAll(await thief.submit(`${base}/verify/wait`, {}))
    t.equal(await getAddress(thief), null)
    wait.isDue = false
    t.notOk(await canSignIn(app.newBrowser(), app.authenticator))
  })
}

t.test('login CSRF: the sign-in needs the token and the origin', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const victim = app.newBrowser()
  const credential = app.authenticator.get(await loadOptions(victim))
  const { csrfToken } = await victim.json<{ csrfToken: string }>(`${base}/csrf`)
  const other = await app.newBrowser().json<{ csrfToken: string }>(`${base}/csrf`)
  await victim.submit(callback, { credential, csrfToken: '' })
  await victim.submit(callback, { credential, csrfToken: other.csrfToken })
  await victim.submit(
    callback,
    { credential, csrfToken },
    { headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' } }
  )
  await victim.submit(
    callback,
    { credential, csrfToken },
    { headers: { origin: 'https://evil.app.test', 'sec-fetch-site': 'same-site' } }
  )
  await victim.open(`${callback}?${new URLSearchParams({ credential, csrfToken })}`)
  await victim.post(callback, JSON.stringify({ credential }), { 'content-type': 'text/plain' })
  t.equal(await getAddress(victim), null)
  await victim.submit(callback, { credential, csrfToken })
  t.equal(await getAddress(victim), ada, 'the response itself is good')
})

t.test('every POST and DELETE needs the token and the origin', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const { browser, userId } = app
  const id = await getId(app, userId)
  const credential = createAuthenticator({ origin }).create(await readCreation(browser))
  const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
  const site = { origin: 'https://evil.app.test', 'sec-fetch-site': 'same-site' }
  const posts = [passkeys, `${passkeys}/options`, `${passkeys}/${id}/rename`, `${passkeys}/${id}/remove`]
  for (const path of posts) {
    const fields = { credential, name: 'x' }
    const results = [
      await browser.submit(path, { ...fields, csrfToken: 'no' }),
      await browser.submit(path, { ...fields, csrfToken: 'no' }, { json: true }),
      await browser.submit(path, { ...fields, csrfToken }, { headers: site }),
      await browser.post(path, JSON.stringify(fields), { 'content-type': 'text/plain', ...site })
    ]
    for (const { body } of results) t.notMatch(body, 'challenge')
  }
  t.not((await browser.request('DELETE', `${passkeys}/${id}`)).status, 200)
  t.not(
    (await browser.request('DELETE', `${passkeys}/${id}`, { headers: { 'x-csrf-token': csrfToken, ...site } })).status,
    200
  )
  t.match(await getList(app, userId), [{ id, name: 'Passkey' }])
  t.equal((await getList(app, userId)).length, 1)
})

t.test('challenges: those of one application are of no use in another that shares its secret and store', async (t) => {
  const app = await openWithPasskey(t, 'database')
  // The attacker copies the cookies.
  const start = app.newBrowser()
  const options = await loadOptions(start)
  for (const others of [{ applicationId: 'other' }, { basePath: '/other/auth' }]) {
    const second = await openInstance(t, app, 'database', others)
    const path = 'basePath' in others ? '/other/auth' : base
    const attacker = createBrowser({ origin, send: fromFetch(second.auth.fetch), clock: app.clock, basePath: path })
    for (const { name, value } of start.cookies.all()) attacker.cookies.set(name, value, { path: '/', secure: true })
    await attacker.submit(`${path}/callback/passkey`, { credential: app.authenticator.get(options) })
    t.equal((await attacker.json<{ user?: object }>(`${path}/session`)).user, undefined, JSON.stringify(others))
  }
})

t.test('session swap: a passkey is added to the user who asked, or to nobody', async (t) => {
  const app = await openWithPasskey(t, 'jwt')
  const victim = await createUser(app, eve)
  const eveId = (await findUser(app, eve))?.id ?? ''
  // The attacker's registration cookies and response, in the browser of the victim.
  const credential = createAuthenticator({ origin }).create(await readCreation(app.browser))
  for (const { name, value, ...attributes } of app.browser.cookies.all())
    if (name.includes('passkey')) victim.cookies.set(name, value, attributes)
  await victim.submit(passkeys, { credential })
  t.same(await getList(app, eveId), [])
  // The browser of Ada signs in as Eve between start and finish.
  const mine = createAuthenticator({ origin }).create(await readCreation(app.browser))
  await signIn(app.browser, eve, first)
  t.equal(await getAddress(app.browser), eve)
  await app.browser.submit(passkeys, { credential: mine })
  t.same(await getList(app, eveId), [])
  t.equal((await getList(app, app.userId)).length, 1)
})

t.test('the options tell nothing about users', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const path = `${base}/passkey/options`
  const read = async (browser: Browser, query: string = ''): Promise<object> => {
    const { challenge: _, ...rest } = await browser.json<{ challenge: string }>(`${path}${query}`)
    return rest
  }
  const unknown = await read(app.newBrowser())
  t.same(await read(app.browser), unknown, 'a user with passkeys')
  for (const query of [`?email=${ada}`, `?username=${ada}`, `?userId=${app.userId}`, `?identifier=${ada}`])
    t.same(await read(app.newBrowser(), query), unknown)
  const browser = app.newBrowser()
  const known = await browser.submit(`${base}/signin/passkey`, { email: ada, json: 'true' }, { json: true })
  t.notMatch(known.body, app.authenticator.passkeys[0]?.id)
})

t.test('a wrong response for a known passkey tells no more than one for an unknown passkey', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const [mine] = app.authenticator.passkeys
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const wrong = await signInWithPasskey(app.newBrowser(), app.authenticator, { key })
  const stranger = createAuthenticator({ origin })
  stranger.passkeys.push({
    id: randomBytes(32).toString('base64url'),
    rpId: 'app.test',
    handle: mine?.handle ?? '',
    key,
    counter: 0
  })
  const unknown = await signInWithPasskey(app.newBrowser(), stranger)
  t.same(
    [getCode(wrong), getCode(unknown)],
    ['PasskeyFailed', 'PasskeyUnknown'],
    'ids are random, and no secret to their owner'
  )
  t.same(await app.adapter.listEvents?.({ type: 'passkey-copied', limit: 1 }), [])
})

t.test('a thief without the key moves no counter and sends no mail', async (t) => {
  const app = await openWithPasskey(t, 'database', { authenticator: { isCounting: true, isBackupEligible: false } })
  t.ok(await canSignIn(app.newBrowser(), app.authenticator))
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const mails = app.mailbox.mails.length
  for (const counter of [0, 1, 4294967295])
    await signInWithPasskey(app.newBrowser(), app.authenticator, { key, counter })
  await signInWithPasskey(app.newBrowser(), app.authenticator, { counter: 4294967295, origin: 'https://evil.test' })
  await signInWithPasskey(app.newBrowser(), app.authenticator, { counter: 4294967295, handle: 'AAAA' })
  t.equal(app.mailbox.mails.length, mails)
  t.same(await app.adapter.listEvents?.({ type: 'passkey-copied', limit: 1 }), [])
  t.ok(await canSignIn(app.newBrowser(), app.authenticator))
})

type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<number | string, Cbor>

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [encode(key), encode(one)])])
  const list = value as readonly Cbor[]
  return Buffer.concat([head(4, list.length), ...list.map(encode)])
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

interface Parts {
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly id: Buffer
  readonly flags: number
  readonly aaguid: Buffer
  readonly cose: Buffer
  readonly after: Buffer
  /** Returns the format and the statement. */
  readonly attest: (signed: { data: Buffer; client: Buffer; key: KeyObject }) => readonly [string, Cbor]
  readonly object: Buffer
  readonly jsonId: string
}

/** A registration, of which each part can be replaced. */
function forge({ challenge, user }: CreationOptions, parts: Partial<Parts> = {}) {
  const keys = parts.keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { id = randomBytes(32), flags = 0x5d, aaguid = Buffer.alloc(16), after = Buffer.alloc(0) } = parts
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false }))
  const size = Buffer.from([id.length >> 8, id.length & 255])
  const about = Buffer.from([flags, 0, 0, 0, 0])
  const cose = parts.cose ?? toCose(keys.publicKey)
  const data = Buffer.concat([sha256('app.test'), about, aaguid, size, id, cose, after])
  const [fmt, statement] = parts.attest?.({ data, client, key: keys.privateKey }) ?? ['none', new Map()]
  const attestation = new Map<string, Cbor>([
    ['fmt', fmt],
    ['attStmt', statement],
    ['authData', data]
  ])
  const object = parts.object ?? encode(attestation)
  const jsonId = parts.jsonId ?? id.toString('base64url')
  const credential = JSON.stringify({
    id: jsonId,
    rawId: jsonId,
    type: 'public-key',
    response: { clientDataJSON: client.toString('base64url'), attestationObject: object.toString('base64url') }
  })
  const stored = { id: id.toString('base64url'), rpId: 'app.test', handle: user.id, key: keys.privateKey, counter: 0 }
  return { credential, stored }
}

/** Signs in with a forged passkey. */
async function canSignInWith(app: Application, stored: ReturnType<typeof forge>['stored']): Promise<boolean> {
  const authenticator = createAuthenticator({ origin })
  authenticator.passkeys.push(stored)
  return canSignIn(app.newBrowser(), authenticator)
}

t.test('malformed registrations are refused, without an error of the application', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ed = generateKeyPairSync('ed25519')
  const cose = (entries: readonly (readonly [number, Cbor])[]): Buffer => encode(new Map(entries))
  const point = randomBytes(32)
  const { n = '' } = rsa.publicKey.export({ format: 'jwk' })
  const { x = '' } = ed.publicKey.export({ format: 'jwk' })
  const bad: Record<string, Partial<Parts>> = {
    'an id with other characters': { jsonId: '../../x' },
    'no user presence': { flags: 0x5c },
    'backed up, and not eligible': { flags: 0x55 },
    'no credential': { flags: 0x1d },
    'extensions that are missing': { flags: 0xdd },
    'bytes after the key': { after: Buffer.from('0102', 'hex') },
    'no CBOR': { object: Buffer.from('ff00ff', 'hex') },
    'an empty object': { object: encode(new Map()) },
    'a nested object': { object: Buffer.alloc(9000, 0x81) },
    'a map of 2^32 entries': { object: Buffer.from('bbffffffffffffffff', 'hex') },
    'an unknown format': { attest: () => ['other', new Map()] },
    'a statement with the format none': { attest: () => ['none', new Map([['x', 1]])] },
    'packed, with a wrong signature': {
      attest: () => [
        'packed',
        new Map<string, Cbor>([
          ['alg', -7],
          ['sig', randomBytes(70)]
        ])
      ]
    },
    'an unknown algorithm': {
      cose: cose([
        [1, 2],
        [3, -999],
        [-1, 1],
        [-2, point],
        [-3, point]
      ])
    },
    ES512: {
      cose: cose([
        [1, 2],
        [3, -36],
        [-1, 3],
        [-2, point],
        [-3, point]
      ])
    },
    'a symmetric key': {
      cose: cose([
        [1, 4],
        [3, 5],
        [-1, point]
      ])
    },
    RS1: {
      cose: cose([
        [1, 3],
        [3, -65535],
        [-1, Buffer.from(n, 'base64url')],
        [-2, Buffer.from([1, 0, 1])]
      ])
    }
  }
  for (const [name, parts] of Object.entries(bad)) {
    const { credential, stored } = forge(await readCreation(app.browser), parts)
    const { status } = await app.browser.submit(passkeys, { credential })
    t.equal(status, 400, name)
    t.notOk(await canSignInWith(app, stored), name)
    t.equal((await getList(app, app.userId)).length, 1, name)
  }
  const keys = {
    Ed25519: cose([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, Buffer.from(x, 'base64url')]
    ])
  }
  for (const [name, key] of Object.entries(keys)) {
    await app.browser.submit(passkeys, { credential: forge(await readCreation(app.browser), { cose: key }).credential })
    t.equal((await getList(app, app.userId)).length, 2, name)
  }
})

t.test('malformed responses of a sign-in are refused, without an error of the application', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const good = async (browser: Browser): Promise<Record<string, unknown>> =>
    JSON.parse(app.authenticator.get(await loadOptions(browser)))
  const changes: Record<string, (one: Record<string, unknown>) => unknown> = {
    'an array': (one) => [one],
    'an id with padding': (one) => ({ ...one, id: `${one['id']}=` }),
    'an id in upper case': (one) => ({ ...one, id: String(one['id']).toUpperCase() }),
    'an id of a prototype': (one) => ({ ...one, id: '__proto__' }),
    'an empty handle': (one) => ({ ...one, response: { ...Object(one['response']), userHandle: '' } }),
    'a handle that is a list': (one) => ({ ...one, response: { ...Object(one['response']), userHandle: ['x'] } }),
    'a handle with padding': (one) => ({
      ...one,
      response: { ...Object(one['response']), userHandle: `${Object(one['response']).userHandle}=` }
    }),
    'a signature that is empty': (one) => ({ ...one, response: { ...Object(one['response']), signature: '' } }),
    'data that is too short': (one) => ({
      ...one,
      response: { ...Object(one['response']), authenticatorData: 'AAAA' }
    }),
    'data with more bytes': (one) => ({
      ...one,
      response: { ...Object(one['response']), authenticatorData: `${Object(one['response']).authenticatorData}AAAA` }
    }),
    'client data that is null': (one) => ({
      ...one,
      response: { ...Object(one['response']), clientDataJSON: Buffer.from('null').toString('base64url') }
    })
  }
  for (const [name, change] of Object.entries(changes)) {
    const browser = app.newBrowser()
    const response = await browser.submit(callback, { credential: JSON.stringify(change(await good(browser))) })
    t.match(getCode(response), /^Passkey/, name)
    t.equal(await getAddress(browser), null, name)
  }
  // Duplicate members: what is verified is what is used.
  const browser = app.newBrowser()
  const text = JSON.stringify(await good(browser))
  const { id: mine } = JSON.parse(text)
  await browser.submit(callback, { credential: text.replace('{', `{"id":"${randomBytes(32).toString('base64url')}",`) })
  t.equal(await getAddress(browser), ada, `the last member counts: ${mine}`)
  // JSON clients send the field as text; an object is no credential.
  const script = app.newBrowser()
  const { csrfToken } = await script.json<{ csrfToken: string }>(`${base}/csrf`)
  const body = JSON.stringify({ csrfToken, credential: await good(script) })
  const headers = { origin, 'content-type': 'application/json', accept: 'application/json' }
  const refused = await script.request('POST', callback, { headers, body })
  t.match(refused.status < 500, true)
  t.equal(await getAddress(script), null)
})

t.test('collisions: nobody registers the credential id of another user, at once or later', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const attacker = await createUser(app, eve)
  const eveId = (await findUser(app, eve))?.id ?? ''
  const id = Buffer.from(app.authenticator.passkeys[0]?.id ?? '', 'base64url')
  for (const jsonId of [id.toString('base64url'), 'AAAA']) {
    const { credential } = forge(await readCreation(attacker), { id, jsonId })
    t.equal((await attacker.submit(passkeys, { credential })).status, 400)
  }
  t.same(await getList(app, eveId), [])
  t.ok(await canSignIn(app.newBrowser(), app.authenticator))
  // Two users with one new id at once.
  const shared = randomBytes(32)
  const [mine, theirs] = [
    forge(await readCreation(app.browser), { id: shared }),
    forge(await readCreation(attacker), { id: shared })
  ]
  await Promise.all([
    app.browser.submit(passkeys, { credential: mine.credential }),
    attacker.submit(passkeys, { credential: theirs.credential })
  ])
  const counts = [(await getList(app, app.userId)).length - 1, (await getList(app, eveId)).length]
  t.same(counts.toSorted(), [0, 1])
})

t.test('routes of a passkey of another user tell and change nothing', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const attacker = await createUser(app, eve)
  const id = await getId(app, app.userId)
  const unknown = randomBytes(32).toString('base64url')
  const { csrfToken } = await attacker.json<{ csrfToken: string }>(`${base}/csrf`)
  const ask = async (own: string) => {
    const headers = { origin, 'x-csrf-token': csrfToken, accept: 'application/json' }
    const responses = [
      await attacker.open(`${passkeys}/${own}`),
      await attacker.submit(`${passkeys}/${own}/rename`, { name: 'x' }),
      await attacker.submit(`${passkeys}/${own}/remove`, {}),
      await attacker.request('DELETE', `${passkeys}/${own}`, { headers })
    ]
    return responses.map(({ status, location, body }) => [status, location, body])
  }
  t.same(await ask(id), await ask(unknown))
  t.match(await getList(app, app.userId), [{ id, name: 'Passkey' }])
  for (const odd of ['..%2f..', '%00', 'x'.repeat(3000), '__proto__', 'options'])
    t.ok((await attacker.open(`${passkeys}/${odd}`)).status < 500, odd)
})

t.test('names: no markup, no placeholders, no lines in mails', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const name = '<img src=x onerror=1>{url}{site}\r\nBcc: eve@example.com\u202e\ud800'
  const options = await readCreation(app.browser)
  await app.browser.submit(passkeys, { credential: createAuthenticator({ origin }).create(options), name })
  const mail = app.mailbox.last()
  t.notMatch(mail.html, '<img src=x')
  t.notMatch(mail.text, /^Bcc/m)
  t.match(mail.text, '{url}{site}')
  t.notMatch((await app.browser.open(passkeys)).body, '<img src=x')
  t.notMatch(mail.text, '\u202e')
})

t.test('trusted hosts: a challenge and a response of one host do not work at another', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const hosts = await openInstance(t, app, 'database', {
    url: undefined,
    trustHost: ['https://app.test', 'https://b.app.test', 'https://other.test']
  })
  for (const at of ['https://b.app.test', 'https://other.test']) {
    const browser = createBrowser({ origin: at, send: fromFetch(hosts.auth.fetch), clock: app.clock })
    const options = await loadOptions(browser)
    t.equal(options.rpId, new URL(at).hostname)
    await browser.submit(callback, { credential: app.authenticator.get(options, { rpId: 'app.test', origin }) })
    await browser.submit(callback, {
      credential: app.authenticator.get(await loadOptions(browser), { origin: at, rpId: 'app.test' })
    })
    await browser.submit(callback, { credential: app.authenticator.get(await loadOptions(browser), { origin: at }) })
    t.equal(await getAddress(browser), at === origin ? ada : await getAddress(browser))
  }
})

/** A row of Auth.js with its account, and the passkey. */
async function addRow(
  app: Application,
  adapter: ReturnType<typeof memoryAdapter>,
  userId: string,
  provider = 'passkey'
) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const credentialID = id.toString('base64')
  const account = { provider, providerAccountId: credentialID, type: 'webauthn', userId } as const
  await adapter.linkAccount(account)
  await adapter.createAuthenticator({
    ...{ userId, credentialID, providerAccountId: credentialID, counter: 0, transports: 'usb' },
    credentialPublicKey: toCose(keys.publicKey).toString('base64'),
    ...{ credentialDeviceType: 'singleDevice', credentialBackedUp: false }
  })
  const authenticator = createAuthenticator({ origin, isBackupEligible: false })
  const stored = { id: id.toString('base64url'), rpId: 'app.test', handle: 'any', key: keys.privateKey, counter: 0 }
  authenticator.passkeys.push(stored)
  t.ok(await canSignIn(app.newBrowser(), authenticator))
  return { account, authenticator, id, keys }
}

t.test('Auth.js: nobody takes the credential id of a row, and a reclaim ends it', async (t) => {
  const adapter = memoryAdapter()
  const app = await openApplication(t, 'database', { adapter, passkey: { authenticators: adapter } })
  await createUser(app)
  const ada1 = (await findUser(app, ada))?.id ?? ''
  const { authenticator, id } = await addRow(app, adapter, ada1)
  const attacker = await createUser(app, eve)
  const { credential } = forge(await readCreation(attacker), { id })
  t.equal((await attacker.submit(passkeys, { credential })).status, 400)
  t.same(await getList(app, (await findUser(app, eve))?.id ?? ''), [])
  await app.auth.users.suspend(ada1)
  t.notOk(await canSignIn(app.newBrowser(), authenticator))
  await app.auth.users.resume(ada1)
  t.ok(await canSignIn(app.newBrowser(), authenticator))
  await adapter.updateUser({ id: ada1, emailVerified: null })
  const owner = app.newBrowser()
  await signInByMail(owner, ada, app.mailbox)
  t.equal(await getAddress(owner), ada)
  t.notOk(await canSignIn(app.newBrowser(), authenticator), 'it may be of someone else')
})

t.test('paths that a script of the sign-in page may connect to cannot change the policy', async (t) => {
  const at = (path: string): Feature => ({
    id: 'odd',
    setup: () => ({
      routes: [
        {
          method: 'GET',
          path: '/odd',
          access: 'anyone',
          run: () => text('odd', 200)
        }
      ],
      signInPage: { script: '1', connect: [path] }
    })
  })
  for (const path of [
    '/odd; script-src *',
    'https://evil.test',
    '/odd https://evil.test',
    '/session',
    '/odd/../session',
    ''
  ])
    await t.rejects(async () => openApplication(t, 'jwt', { features: [at(path)] }), path)
})

for (const provider of ['passkey', 'webauthn'])
  t.test(`unlink does not remove the account of the only passkey: ${provider}`, async (t) => {
    const adapter = memoryAdapter()
    const app = await openApplication(t, 'database', { adapter, passkey: { authenticators: adapter } })
    await createUser(app)
    const userId = (await findUser(app, ada))?.id ?? ''
    const { account, authenticator } = await addRow(app, adapter, userId, provider)
    await adapter.updateUser({ id: userId, email: null })
    await adapter.deleteFactor({ type: 'password', id: userId })
    await t.rejects(app.auth.unlink(userId, account), { code: 'LAST_WAY_IN' })
    t.ok(await isSignedInBy(app, authenticator), 'the user can still sign in')
  })

/** Whether anybody is signed in, with or without an address. */
async function isSignedInBy(app: Application, authenticator: ReturnType<typeof createAuthenticator>): Promise<boolean> {
  const browser = app.newBrowser()
  await signInWithPasskey(browser, authenticator)
  return (await getAuthentication(app, browser)) !== null
}

t.test('a thief of the password does not get mfa with a passkey of their own', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const owner = app.newBrowser()
  await signInWithPasskey(owner, app.authenticator)
  t.ok((await getAuthentication(app, owner))?.amr.includes('mfa'), 'the owner has a passkey with user verification')
  const thief = app.newBrowser()
  await signIn(thief, ada, first)
  t.same((await getAuthentication(app, thief))?.amr, ['pwd'])
  const own = createAuthenticator({ origin })
  await addPasskey(thief, own).catch(() => null)
  const again = app.newBrowser()
  await signInWithPasskey(again, own).catch(() => null)
  t.notOk((await getAuthentication(app, again))?.amr.includes('mfa'))
})

t.test('credential ids have 1 to 1023 bytes', async (t) => {
  const app = await openWithPasskey(t, 'database')
  for (const size of [0, 1024, 1100, 9000]) {
    const id = randomBytes(size)
    const { credential } = forge(await readCreation(app.browser), { id, jsonId: 'AAAA' })
    await app.browser.submit(passkeys, { credential })
    t.equal((await getList(app, app.userId)).length, 1, `${size} bytes`)
    for (const { id: one, credentialId } of await getList(app, app.userId))
      if (Buffer.from(credentialId, 'base64url').length === size)
        await app.browser.submit(`${passkeys}/${one}/remove`, {})
  }
})
