import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { type Browser, type BrowserResponse, createBrowser, fromFetch } from '@postern/testkit'
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
  wrongOrigins
} from './passkey-application.ts'
import {
  createLimiter,
  first,
  forget,
  openLink,
  second,
  signIn,
  signInByMail,
  signIn as signInByPassword
} from './password-application.ts'
import { type Changes, type CreationOptions, createAuthenticator, toCose } from './software-authenticator.ts'

const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** The code of a refused sign-in. */
const getCode = ({ location }: BrowserResponse): string | null =>
  location === null ? null : new URL(location, origin).searchParams.get('error')

t.test('what is no response at all is refused', async (t) => {
  const { newBrowser } = await openWithPasskey(t, 'jwt')
  const browser = newBrowser()
  const client = Buffer.from(JSON.stringify({ challenge: 'x' })).toString('base64url')
  for (const credential of [
    '',
    'null',
    '[]',
    '{',
    '{"id":1,"response":{}}',
    '{"id":"a b","response":{"clientDataJSON":"e30"}}',
    '{"id":"aa","response":{"clientDataJSON":5}}',
    `{"id":"aa","response":{"clientDataJSON":"${client}x"}}`,
    `"${'a'.repeat(30_000)}"`
  ]) {
    const refused = await browser.submit(`${base}/callback/passkey`, { credential })
    t.match(getCode(refused), /PasskeyFailed|PasskeyExpired/, credential.slice(0, 60))
  }
  t.equal((await browser.submit(`${base}/callback/passkey`, {})).status, 302)
})

t.test('passkey-1: a response signs in once', async (t) => {
  const { newBrowser, authenticator } = await openWithPasskey(t, 'database')
  const browser = newBrowser()
  const credential = authenticator.get(await loadOptions(browser))
  // A copy of the cookies, as malware has.
  const stolen = browser.cookies.header({ url: new URL(base, origin), method: 'GET', site: 'same-origin' }) ?? ''
  t.equal((await browser.submit(`${base}/callback/passkey`, { credential })).location, origin)
  t.equal(getCode(await browser.submit(`${base}/callback/passkey`, { credential })), 'PasskeyExpired')
  const thief = newBrowser()
  const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
  const body = `${new URLSearchParams({ credential, csrfToken })}`
  const csrf = browser.cookies.header({ url: new URL(base, origin), method: 'GET', site: 'same-origin' }) ?? ''
  const cookie = [
    ...stolen.split('; ').filter((pair) => pair.includes('challenge')),
    ...csrf.split('; ').filter((pair) => pair.includes('csrf'))
  ].join('; ')
  const replayed = await thief.post(`${base}/callback/passkey`, body, { cookie, origin })
  t.equal(getCode(replayed), 'PasskeyExpired')
})

t.test('passkey-1: a challenge is valid for five minutes, for the browser that asked for it', async (t) => {
  const { newBrowser, authenticator, clock, browser } = await openWithPasskey(t, 'database')
  const [victim, attacker] = [newBrowser(), newBrowser()]
  const credential = authenticator.get(await loadOptions(victim))
  await loadOptions(attacker)
  const refused = await attacker.submit(`${base}/callback/passkey`, { credential })
  t.equal(getCode(refused), 'PasskeyExpired', 'the challenge of another browser')
  clock.advance(301)
  t.equal(getCode(await victim.submit(`${base}/callback/passkey`, { credential })), 'PasskeyExpired', 'too late')
  t.equal(await getAddress(victim), null)
  // A challenge for adding a passkey signs nobody in, and the other way around.
  const added = readOptions<CreationOptions>(await browser.open(`${base}/passkeys`))
  const ofAdding = authenticator.get({ challenge: added.challenge, rpId: added.rp.id })
  t.equal(getCode(await browser.submit(`${base}/callback/passkey`, { credential: ofAdding })), 'PasskeyExpired')
  const { challenge } = await loadOptions(browser)
  const ofSignIn = createAuthenticator({ origin }).create({ ...added, challenge })
  t.match((await browser.submit(`${base}/passkeys`, { credential: ofSignIn })).body, 'That took too long')
  const early = authenticator.get(await loadOptions(victim))
  clock.advance(200)
  await loadOptions(victim)
  clock.advance(101)
  const late = await victim.submit(`${base}/callback/passkey`, { credential: early })
  t.equal(getCode(late), 'PasskeyExpired', 'a later challenge does not prolong an earlier one')
})

t.test('two tabs: each has a challenge', async (t) => {
  const { newBrowser, authenticator } = await openWithPasskey(t, 'database')
  const browser = newBrowser()
  const [first, second] = [await loadOptions(browser), await loadOptions(browser)]
  t.not(first.challenge, second.challenge)
  for (const options of [first, second]) {
    const credential = authenticator.get(options)
    t.equal((await browser.submit(`${base}/callback/passkey`, { credential })).location, origin)
  }
  // A browser that asks all the time keeps a few, so that the cookie stays small.
  const before = await loadOptions(browser)
  for (let count = 0; count < 20; count++) await loadOptions(browser)
  t.equal(
    getCode(await browser.submit(`${base}/callback/passkey`, { credential: authenticator.get(before) })),
    'PasskeyExpired'
  )
  t.ok((browser.cookies.get('__Secure-postern.passkey.challenge') ?? '').length < 3000)
})

t.test('user verification is recorded, and never assumed', async (t) => {
  const verified = { isUserVerified: true }
  const unverified = { isUserVerified: false }
  /** The `amr` of a sign-in, by what the authenticator did when it created the passkey, and what it does now. */
  const getAmr = async (created: Changes, used: Changes): Promise<readonly string[] | undefined> => {
    const app = await openApplication(t, 'database')
    const browser = await createUser(app)
    const authenticator = createAuthenticator({ origin })
    await addPasskey(browser, authenticator, created)
    const other = app.newBrowser()
    await signInWithPasskey(other, authenticator, { isBackupEligible: created.isBackupEligible ?? true, ...used })
    return (await getAuthentication(app, other))?.amr
  }
  t.same(await getAmr(verified, verified), ['swk', 'mfa'])
  t.same(await getAmr(verified, unverified), ['swk'], 'downgraded')
  t.same(await getAmr(unverified, verified), ['swk'], 'a thief of the key may have set its PIN')
  t.same(await getAmr({ ...verified, isBackupEligible: false }, verified), ['hwk', 'mfa'])
})

t.test('passkey-1: required user verification is verified', async (t) => {
  const options = { passkey: { userVerification: 'required' } } as const
  const { newBrowser, authenticator, browser } = await openWithPasskey(t, 'database', options)
  t.equal((await loadOptions(browser)).userVerification, 'required')
  const refused = await signInWithPasskey(newBrowser(), authenticator, { isUserVerified: false })
  t.equal(getCode(refused), 'PasskeyFailed')
  t.ok(await canSignIn(newBrowser(), authenticator))
  const other = createAuthenticator({ origin })
  t.equal((await addPasskey(browser, other, { isUserVerified: false })).status, 400)
  t.equal((await addPasskey(browser, other)).status, 302)
})

/** Authenticators that state another eligibility for backup than when they created the passkey. */
const changedEligibility: readonly (readonly [title: string, isBackupEligible: boolean])[] = [
  ['KeePassXC 2.7.11, then 2.7.12 (keepassxreboot/keepassxc#13239)', false],
  ['iCloud Keychain before and after it synchronizes (supabase/auth#2732)', false],
  ['Bitwarden that stated none (bitwarden/clients#7943)', false],
  ['iOS and macOS in 2022 (w3c/webauthn#1791)', true]
]

t.test('a passkey whose backup eligibility has changed is refused, and the page says how to go on', async (t) => {
  for (const [title, isBackupEligible] of changedEligibility) {
    const app = await openWithPasskey(t, 'database', { authenticator: { isBackupEligible } })
    const browser = app.newBrowser()
    const changes = { isBackupEligible: !isBackupEligible }
    const refused = await signInWithPasskey(browser, app.authenticator, changes)
    t.equal(getCode(refused), 'PasskeyChanged', title)
    const page = await browser.follow(refused)
    t.match(page.body, 'This passkey has changed since it was added')
    t.match(page.body, 'add it again')
    t.notMatch(page.body, 'Try again')
    t.equal(await getAddress(browser), null)
  }
})

/** Counters of one passkey on several devices (reports on vaults and on iCloud Keychain). */
const synchronized: Readonly<Record<string, readonly number[]>> = {
  'another device that does not count': [1, 50, 0, 0],
  'an older vault': [1, 50, 12, 13],
  'two devices with one counter each': [1, 2, 1, 2, 3, 2],
  'no counter': [0, 0, 0],
  'Bitwarden counts, Keyguard does not (AChep/keyguard-app#635)': [50, 0, 51],
  'Touch ID, after a counter of 1 (passwordless-id/webauthn#38)': [1, 0, 0],
  'Password Safe offline uses a counter again (pwsafe/pwsafe#1505)': [5, 5, 6],
  'from Bitwarden into KeePassXC (keepassxreboot/keepassxc#13323)': [7, 8, 0, 0]
}

for (const [title, counters] of Object.entries(synchronized))
  t.test(`the counter of a synchronized passkey is a signal, no proof: ${title}`, async (t) => {
    const options = { authenticator: { isCounting: true, isBackupEligible: true } }
    const { newBrowser, authenticator, adapter, mailbox, userId } = await openWithPasskey(t, 'database', options)
    const sent = mailbox.mails.length
    for (const counter of counters) t.ok(await canSignIn(newBrowser(), authenticator, { counter }), `${counter}`)
    t.equal(mailbox.mails.length, sent)
    t.same(await adapter.listEvents?.({ type: 'passkey-copied', limit: 1 }), [])
    const [factor] = (await adapter.listFactors?.(userId, 'passkey')) ?? []
    t.ok(factor?.lastUsedAt)
  })

t.test('a counter that goes backwards refuses, is recorded, and is reported by mail once', async (t) => {
  const options = {
    authenticator: { isCounting: true, isBackupEligible: false },
    rateLimit: { limiter: createLimiter() }
  }
  const { newBrowser, authenticator, adapter, mailbox, userId } = await openWithPasskey(t, 'database', options)
  t.ok(await canSignIn(newBrowser(), authenticator))
  t.ok(await canSignIn(newBrowser(), authenticator, { counter: 7 }), 'it may skip')
  for (const counter of [7, 6, 0]) {
    const sent = mailbox.mails.length
    t.equal(getCode(await signInWithPasskey(newBrowser(), authenticator, { counter })), 'PasskeyFailed', `${counter}`)
    t.equal(mailbox.mails.length - sent, counter === 7 ? 1 : 0)
  }
  t.match(mailbox.last(), { to: ada, subject: /may have been copied/ })
  t.equal((await adapter.listEvents?.({ type: 'passkey-copied', limit: 10 }))?.length, 3)
  t.ok(await canSignIn(newBrowser(), authenticator, { counter: 8 }), 'the original still works')
  const [factor] = (await adapter.listFactors?.(userId, 'passkey')) ?? []
  t.ok(factor?.lastUsedAt)
})

t.test('limit-2: while a username is under attack, a passkey, a mailed link and a reset stay open', async (t) => {
  const rateLimit = { limiter: createLimiter(), credentialsPerIdentifier: { points: 3, seconds: 3600 } }
  const { newBrowser, authenticator, mailbox } = await openWithPasskey(t, 'database', { rateLimit })
  for (let guess = 0; guess < 5; guess++) await signInByPassword(newBrowser(), ada, second)
  const refused = await signInByPassword(newBrowser(), ada, first)
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers['retry-after']) <= 30)
  t.ok(await canSignIn(newBrowser(), authenticator))
  const mailed = newBrowser()
  await signInByMail(mailed, ada, mailbox)
  t.equal(await getAddress(mailed), ada)
  const forgetful = newBrowser()
  await forget(forgetful, ada)
  const reset = await openLink(forgetful, mailbox.last(), { password: second })
  t.equal(reset.location, `${origin}${base}/password/changed`)
})

t.test('two sign-ins with one counter at once: one is refused', async (t) => {
  const options = { authenticator: { isCounting: true, isBackupEligible: false } }
  const { newBrowser, authenticator } = await openWithPasskey(t, 'database', options)
  const browsers = Array.from({ length: 5 }, newBrowser)
  const credentials = await Promise.all(
    browsers.map(async (browser) => authenticator.get(await loadOptions(browser), { counter: 3 }))
  )
  const all = await Promise.all(
    browsers.map((browser, at) => browser.submit(`${base}/callback/passkey`, { credential: credentials[at] ?? '' }))
  )
  t.equal(all.filter(({ location }) => location === origin).length, 1)
})

t.test('a challenge whose commit has lost its reply is used up, and signs nobody in later', async (t) => {
  const inner = memoryAdapter()
  let isArmed = false
  const adapter: Adapter = {
    ...inner,
    transact: async (calls) => {
      const isCommitted = await inner.transact(calls)
      if (isArmed && calls.some(({ method }) => method === 'updateFactor'))
        throw Object.assign(new Error('the connection closed'), { code: 'ECONNRESET' })
      return isCommitted
    }
  }
  const { newBrowser, authenticator } = await openWithPasskey(t, 'database', { adapter })
  const browser = newBrowser()
  const credential = authenticator.get(await loadOptions(browser))
  const send = (): Promise<BrowserResponse> => browser.submit(`${base}/callback/passkey`, { credential })
  isArmed = true
  t.equal((await send()).status, 503)
  isArmed = false
  t.equal(getCode(await send()), 'PasskeyExpired')
  t.equal(await getAddress(browser), null)
  t.ok(await canSignIn(newBrowser(), authenticator), 'with another challenge')
})

t.test('a removed passkey, and one of a deleted or suspended user, sign nobody in', async (t) => {
  const removed = await openWithPasskey(t, 'database')
  const [known] = await removed.auth.features.passkey.list(removed.userId)
  await removed.browser.submit(`${base}/passkeys/${known?.id}/remove`, {})
  t.equal(getCode(await signInWithPasskey(removed.newBrowser(), removed.authenticator)), 'PasskeyUnknown')

  const suspended = await openWithPasskey(t, 'jwt')
  await suspended.auth.users.suspend(suspended.userId)
  t.equal(getCode(await signInWithPasskey(suspended.newBrowser(), suspended.authenticator)), 'UserSuspended')
  const unproven = await signInWithPasskey(suspended.newBrowser(), suspended.authenticator, { key: otherKey })
  t.equal(getCode(unproven), 'PasskeyFailed', 'only who has the key learns of it')
  await suspended.auth.users.resume(suspended.userId)
  t.ok(await canSignIn(suspended.newBrowser(), suspended.authenticator))
  await suspended.auth.deleteUser(suspended.userId)
  t.equal(getCode(await signInWithPasskey(suspended.newBrowser(), suspended.authenticator)), 'PasskeyUnknown')

  // The application deleted only the row of the user.
  const { deleteUser: _, ...adapter } = memoryAdapter()
  let isGone = false
  const hiding: Adapter = {
    ...adapter,
    getUser: async (id) => (isGone ? null : ((await adapter.getUser?.(id)) ?? null)),
    findUserVersion: async (by) => (isGone ? null : ((await adapter.findUserVersion?.(by)) ?? null))
  }
  const orphaned = await openWithPasskey(t, 'jwt', { adapter: hiding })
  isGone = true
  t.equal(getCode(await signInWithPasskey(orphaned.newBrowser(), orphaned.authenticator)), 'PasskeyUnknown')
})

t.test('a passkey that is removed while it signs in', async (t) => {
  const adapter = memoryAdapter()
  let work: () => Promise<unknown> = async () => undefined
  const getFactor: Adapter['getFactor'] = async (key) => {
    const found = (await adapter.getFactor?.(key)) ?? null
    const act = work
    work = async () => undefined
    await act()
    return found
  }
  const app = await openWithPasskey(t, 'database', { adapter: { ...adapter, getFactor } })
  const [known] = await app.auth.features.passkey.list(app.userId)
  work = async () => app.browser.submit(`${base}/passkeys/${known?.id}/remove`, {})
  const browser = app.newBrowser()
  t.equal(getCode(await signInWithPasskey(browser, app.authenticator)), 'PasskeyUnknown')
  t.equal(await getAddress(browser), null)
})

t.test('a reclaim ends the passkeys that were added before the address was verified', async (t) => {
  const app = await openApplication(t, 'database')
  // A user without an address adds a passkey; later someone enters the address of another person.
  const browser = await createUser(app, 'eve@example.com')
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  const id = (await findUser(app, 'eve@example.com'))?.id ?? ''
  await app.adapter.updateUser?.({ id, email: ada, emailVerified: null })
  t.ok(await canSignIn(app.newBrowser(), authenticator))
  const owner = app.newBrowser()
  await signInByMail(owner, ada, app.mailbox)
  t.equal(await getAddress(owner), ada)
  t.equal(getCode(await signInWithPasskey(app.newBrowser(), authenticator)), 'PasskeyUnknown')
})

t.test('prove-2: a user with an unverified address cannot add a passkey; one without an address can', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  const id = (await findUser(app, ada))?.id ?? ''
  const options = readOptions<CreationOptions>(await browser.open(`${base}/passkeys`))
  await app.adapter.updateUser?.({ id, emailVerified: null })
  const unverified = await browser.open(`${base}/passkeys`)
  t.match([unverified.status, unverified.body], [200, 'verify your email address first'])
  t.equal((await browser.submit(`${base}/passkeys/options`, {}, { json: true })).status, 400)
  const credential = createAuthenticator({ origin }).create(options)
  t.equal((await browser.submit(`${base}/passkeys`, { credential })).status, 400)
  t.same(await app.auth.features.passkey.list(id), [])
  await app.adapter.updateUser?.({ id, email: null })
  const authenticator = createAuthenticator({ origin })
  await addPasskey(browser, authenticator)
  t.equal((await app.auth.features.passkey.list(id)).length, 1)
})

t.test('changes need a recent sign-in and the CSRF token, and concern own passkeys', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const { browser, clock } = app
  const [known] = await app.auth.features.passkey.list(app.userId)
  const one = `${base}/passkeys/${known?.id}`
  const other = await createUser(app, 'eve@example.com')
  for (const path of [one, `${one}/rename`, `${one}/remove`]) {
    const refused = path === one ? await other.open(path) : await other.submit(path, { name: 'x' })
    t.equal(refused.location, `${origin}${base}/passkeys`, `${path} of another user`)
  }
  const options = readOptions<CreationOptions>(await browser.open(`${base}/passkeys`))
  const credential = createAuthenticator({ origin }).create(options)
  for (const path of [`${base}/passkeys`, `${one}/rename`, `${one}/remove`, `${base}/passkeys/options`])
    t.match((await browser.post(path, 'name=x', { origin })).status, /30\d|400/, `${path} without a token`)
  clock.advance(601)
  for (const [path, fields] of [
    [`${base}/passkeys`, { credential }],
    [`${one}/rename`, { name: 'x' }],
    [`${one}/remove`, {}],
    [`${base}/passkeys/options`, {}]
  ] as const) {
    const asked = await browser.submit(path, fields)
    t.match(asked.location, `${origin}${base}/verify?callbackUrl=`, path)
  }
  const page = await browser.open(`${base}/passkeys`)
  t.equal(page.html().querySelector('input[name=options]'), null, 'no form')
  t.match(page.body, 'Confirm that it is you')
  t.match(await app.auth.features.passkey.list(app.userId), [{ name: known?.name }])
  t.equal((await app.auth.features.passkey.list(app.userId)).length, 1)
  const json = { headers: { accept: 'application/json', 'x-auth-return-redirect': '1' } }
  const script = await browser.submit(`${base}/passkeys/options`, { callbackUrl: '/settings' }, json)
  t.equal(script.status, 401)
  t.match(new URL(script.json<{ url: string }>().url).searchParams.get('callbackUrl'), `${origin}/settings`)
})

t.test('a forged registration is refused', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  for (const [name, changes] of Object.entries({
    ...Object.fromEntries(wrongOrigins.map((wrong) => [`the origin ${wrong}`, { origin: wrong }])),
    'another domain': { rpId: 'evil.test' },
    'another ceremony': { type: 'webauthn.get' },
    'a frame': { isCrossOrigin: true }
  })) {
    const refused = await addPasskey(browser, createAuthenticator({ origin }), changes)
    t.equal(refused.status, 400, name)
    t.match(refused.body, 'could not be added', name)
  }
  const authenticator = createAuthenticator({ origin })
  const page = await browser.open(`${base}/passkeys`)
  const credential = authenticator.create(readOptions<CreationOptions>(page))
  t.equal((await browser.fill(page, `${base}/passkeys`, { credential })).status, 302)
  t.match((await browser.fill(page, `${base}/passkeys`, { credential })).body, 'That took too long', 'replayed')
  t.equal((await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? '')).length, 1)
})

const eve = 'eve@example.com'
const callback = `${base}/callback/passkey`
const passkeys = `${base}/passkeys`

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
