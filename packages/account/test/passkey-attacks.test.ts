import { generateKeyPairSync } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { BrowserResponse } from '@postern/testkit'
import t from 'tap'
import {
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
  readOptions,
  signInWithPasskey
} from './passkey-application.ts'
import {
  createLimiter,
  first,
  forget,
  openLink,
  second,
  signInByMail,
  signIn as signInByPassword
} from './password-application.ts'
import { type Changes, type CreationOptions, createAuthenticator } from './software-authenticator.ts'

/** The code of a refused sign-in. */
const getCode = ({ location }: BrowserResponse): string | null =>
  location && new URL(location).searchParams.get('error')

const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const origins = [
  ...['https://evil.test', 'https://evil.app.test', 'https://app.test@evil.test', 'https://app.test.evil.test'],
  ...['http://app.test', 'https://app.test.', 'https://APP.test', 'https://app.test:443', 'https://app.test:8443'],
  ...['https://app.test/', 'null', '', 'android:apk-key-hash:x']
]
const domains = ['evil.test', 'test', 'evil.app.test', 'APP.TEST', 'app.test.', '']

/** What a sign-in is refused for, whatever else is right. */
const forged: Readonly<Record<string, Changes>> = {
  ...Object.fromEntries(origins.map((wrong) => [`the origin ${wrong}`, { origin: wrong }])),
  ...Object.fromEntries(domains.map((rpId) => [`the domain ${rpId}`, { rpId }])),
  'a response of another ceremony': { type: 'webauthn.create' },
  'a frame of another site': { isCrossOrigin: true },
  'another key': { key: otherKey },
  'the user handle of another user': { handle: 'AAAA' },
  'no user handle': { handle: null },
  'an empty user handle': { handle: '' }
}

t.test('a forged response signs nobody in, and changes nothing', async (t) => {
  const app = await openWithPasskey(t, 'database')
  const before = await app.adapter.listFactors?.(app.userId, 'passkey')
  for (const [name, changes] of Object.entries(forged)) {
    const browser = app.newBrowser()
    t.equal(getCode(await signInWithPasskey(browser, app.authenticator, changes)), 'PasskeyFailed', name)
    t.equal(await getAddress(browser), null, name)
  }
  t.same(await app.adapter.listFactors?.(app.userId, 'passkey'), before)
  t.ok(await canSignIn(app.newBrowser(), app.authenticator))
})

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

t.test('replay: a response signs in once', async (t) => {
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

t.test('a challenge is valid for five minutes, for the browser that asked for it', async (t) => {
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

t.test('required user verification is verified', async (t) => {
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
    ...Object.fromEntries(origins.map((wrong) => [`the origin ${wrong}`, { origin: wrong }])),
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
