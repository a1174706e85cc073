import crypto from 'node:crypto'
import { secondFactor } from '@postern/account/second-factor'
import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { inTurn, times, turnsOf } from '@postern/testkit/long'
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
  origin,
  readOptions,
  strategies
} from './passkey-application.ts'
import {
  callback,
  confirm,
  getToken,
  openForSignUps,
  signUpPage,
  signUpWithPasskey
} from './passkey-sign-up-application.ts'
import { createLimiter, first, openLink, signInByMail, signUp } from './password-application.ts'
import { createApp, getKey } from './second-factor-application.ts'
import {
  type Authenticator,
  type Changes,
  type CreationOptions,
  createAuthenticator
} from './software-authenticator.ts'

/** In `npm test` a test, or a case of it, has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

const newAuthenticator = (): Authenticator => createAuthenticator({ origin })

const getList = async (app: Application, address: string = ada) =>
  app.auth.features.passkey.list((await findUser(app, address))?.id ?? '')

/** Everything of a response that may differ between two addresses of the same length, except for random values. */
function describe(response: BrowserResponse, address: string): unknown {
  const { status, location, setCookies, body, headers } = response
  const neutral = (text: string): string =>
    text
      .replaceAll(address, '<address>')
      .replaceAll(/ref=[\w-]+/g, 'ref')
      .replaceAll(/value="[0-9a-f|%]{64,}"/g, 'value')
      .replaceAll(/[\w-]{43}/g, 'random')
      .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ref')
  const cookies = setCookies.map(({ name, value, text: _, ...attributes }) => ({
    name,
    length: value.length,
    ...attributes
  }))
  return {
    status,
    location: location && neutral(location),
    headers: Object.keys(headers),
    cookies,
    body: neutral(body)
  }
}

t.test('enumeration: responses, cookies and mails are the same for known and unknown addresses', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openForSignUps(t, strategy)
    await signInByMail(app.newBrowser(), 'links@example.com', app.mailbox)
    await confirmSignUp(app, 'known@example.com', newAuthenticator())
    await app.adapter.createUser?.({ id: 'u', email: 'fresh@example.com', emailVerified: null, name: null })
    const all: unknown[] = []
    for (const address of ['known@example.com', 'links@example.com', 'fresh@example.com', 'never@example.com']) {
      const browser = app.newBrowser()
      const before = app.mailbox.mails.length
      const sent = await signUpWithPasskey(browser, address)
      const responses = [sent, await browser.follow(sent)]
      for (let count = 0; count < 6; count++) responses.push(await browser.submit(callback, { code: 'BBBBBBBB' }))
      all.push(responses.map((response) => describe(response, address)))
      t.equal(app.mailbox.mails.length - before, 1, `mails to ${address}`)
    }
    for (const one of all) t.same(one, all.at(-1), strategy)
  }
})

const getMedian = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Times are only compared in the complete long run: fewer requests prove nothing. */
const timed = 1000
const isTimed = times(1, timed) >= timed

if (isTimed)
  t.test('enumeration: a sign-up takes as long for known and unknown addresses', async (t) => {
    const { adapter, newBrowser } = await openForSignUps(t, 'database', {
      adapter: sqliteAdapter({ file: ':memory:' }),
      // The mailbox of the tests would take longer for a longer mail.
      runtime: { now: Date.now, sendMail: async () => undefined }
    })
    for (let index = 0; index < timed; index++)
      await adapter.createUser?.({
        ...{ name: null, email: `known-${index}@example.com`, emailVerified: new Date() }
      })
    const browser = newBrowser()
    const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
    const measure = async (email: string): Promise<number> => {
      const credential = createAuthenticator({ origin }).create(
        readOptions<CreationOptions>(await browser.open(signUpPage))
      )
      const start = performance.now()
      const { location } = await browser.submit(signUpPage, { email, credential, csrfToken })
      if (!location?.includes('check-mail')) throw new Error(`expected a sign-up, got ${location}`)
      return performance.now() - start
    }
    const taken: Readonly<Record<'known' | 'never', number[]>> = { known: [], never: [] }
    for (let index = 0; index < timed; index++)
      for (const kind of index % 2 === 0 ? (['known', 'never'] as const) : (['never', 'known'] as const))
        taken[kind].push(await measure(`${kind}-${index}@example.com`))
    const [known, never] = [getMedian(taken.known), getMedian(taken.never)]
    const difference = Math.abs(known - never) / Math.min(known, never)
    t.comment(`${known.toFixed(2)} ms known, ${never.toFixed(2)} ms unknown, ${(difference * 100).toFixed(1)} %`)
    t.ok(difference < 0.05 || Math.abs(known - never) < 0.2, `${(difference * 100).toFixed(1)} %`)
  })

/** An account that a visitor has created with a passkey, in the browser that is signed in. */
async function confirmSignUp(app: Application, address: string, authenticator: Authenticator): Promise<Browser> {
  const browser = app.newBrowser()
  await signUpWithPasskey(browser, address, authenticator)
  await confirm(browser, app.mailbox.last().url)
  return browser
}

t.test('pre-hijack: the passkey is discarded if the address is that of a verified user by then', async (t) => {
  for (const isVerified of [true, false])
    for (const isCode of [true, false])
      for (const strategy of someStrategies()) {
        const app = await openForSignUps(t, strategy)
        const [browser, authenticator] = [app.newBrowser(), newAuthenticator()]
        await signUpWithPasskey(browser, ada, authenticator)
        const { url, code } = app.mailbox.last()
        const emailVerified = isVerified ? new Date(app.clock.now()) : null
        await app.adapter.createUser?.({ id: '1', name: 'Ada', email: ada, emailVerified })
        const user = await findUser(app, ada)
        t.match((await app.newBrowser().open(url)).body, isVerified ? 'is not used' : 'has not signed up')
        const page = await (isCode ? browser.submit(callback, { code }) : browser.open(url))
        if (isVerified) t.match(page.body, 'passkey that you created is not used')
        if (isVerified || !isCode) await browser.fill(page, 'form')
        t.equal(await getAddress(browser), ada)
        t.match(await findUser(app, ada), { id: user?.id, emailVerified: Date })
        // Nobody has proven the address before: what is in this browser is the owner's.
        t.equal((await getList(app)).length, isVerified ? 0 : 1)
        app.clock.advance(60)
        t.equal(await canSignIn(app.newBrowser(), authenticator), !isVerified)
      }
})

t.test(
  'pre-hijack: an owner who has signed up too, and opens the link of the attacker, creates a passkey',
  async (t) => {
    for (const order of ['before', 'after'] as const)
      for (const strategy of someStrategies()) {
        const app = await openForSignUps(t, strategy)
        const [owner, stolen, own] = [app.newBrowser(), newAuthenticator(), newAuthenticator()]
        if (order === 'after') await signUpWithPasskey(owner, ada)
        await signUpWithPasskey(app.newBrowser(), ada, stolen)
        const { url, code } = app.mailbox.last()
        if (order === 'before') await signUpWithPasskey(owner, ada)
        t.match((await owner.submit(callback, { code })).body, 'code is wrong', 'a code of another browser')
        t.match((await confirm(owner, url, own)).location, origin)
        t.ok(await canSignIn(app.newBrowser(), own), order)
        t.notOk(await canSignIn(app.newBrowser(), stolen), order)
      }
  }
)

t.test('the passkey of a sign-up for an unverified user is that of a new user if the user is deleted', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openForSignUps(t, strategy)
    const user = { id: '1', name: 'Ada', email: ada, emailVerified: null }
    await app.adapter.createUser?.(user)
    const [browser, authenticator] = [app.newBrowser(), newAuthenticator()]
    await signUpWithPasskey(browser, ada, authenticator)
    await app.auth.deleteUser((await findUser(app, ada))?.id ?? '')
    t.match((await browser.open(app.mailbox.last().url)).body, 'This creates your account')
    await confirm(browser, app.mailbox.last().url)
    t.equal(await getAddress(browser), ada)
    app.clock.advance(60)
    t.ok(await canSignIn(app.newBrowser(), authenticator))
    t.match(
      (await browser.open(`${base}/passkey/check-mail`)).location,
      /passkey\/sign-up/,
      'the browser has no sign-up'
    )
  }
})

t.test('a link, a code and a credential are used once', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openForSignUps(t, strategy)
    const browser = await confirmSignUp(app, ada, newAuthenticator())
    const { url, code } = app.mailbox.last()
    await app.auth.deleteUser((await findUser(app, ada))?.id ?? '')
    for (const from of [browser, app.newBrowser()]) {
      t.match((await from.open(url)).body, 'Already done')
      t.match((await from.submit(callback, { token: getToken(url) })).body, 'Already done')
      t.equal(await getAddress(from), null)
      t.equal((await from.submit(callback, { code })).status, 400)
    }
    const page = await browser.open(signUpPage)
    const credential = newAuthenticator().create(readOptions<CreationOptions>(page))
    await browser.fill(page, signUpPage, { email: ada, credential })
    const used = await browser.submit(signUpPage, { email: 'grace@example.com', credential })
    t.match([used.status, used.body], [400, /took too long/])
    await signUpWithPasskey(browser, 'grace@example.com')
    t.equal((await browser.submit(callback, { token: getToken(app.mailbox.last().url), credential })).location, origin)
    t.equal(await findUser(app, ada), null)
  }
})

t.test('a challenge is valid for the browser and the use that it was issued for', async (t) => {
  const app = await openForSignUps(t, 'database')
  const owner = await createUser(app, 'grace@example.com')
  const toAdd = readOptions<CreationOptions>(await owner.open(`${base}/passkeys`))
  const refused = async (browser: Browser, options: CreationOptions, title: string): Promise<void> => {
    const credential = newAuthenticator().create(options)
    t.match((await browser.submit(signUpPage, { email: ada, credential })).body, /took too long/, title)
  }
  await refused(owner, toAdd, 'a challenge for a passkey of the signed-in user')
  const { challenge } = await loadOptions(owner)
  await refused(owner, { ...toAdd, challenge }, 'a challenge of a sign-in')
  const toSignUp = readOptions<CreationOptions>(await app.newBrowser().open(signUpPage))
  await refused(app.newBrowser(), toSignUp, 'a challenge of another browser')
  const own = readOptions<CreationOptions>(await owner.open(signUpPage))
  const added = await owner.submit(`${base}/passkeys`, { credential: newAuthenticator().create(own) })
  t.equal(added.status, 400, 'a challenge of a sign-up adds no passkey to the signed-in user')
  app.clock.advance(301)
  await refused(owner, own, 'after five minutes')
  t.same(await getList(app, 'grace@example.com'), [])
})

/** What a sign-up is refused for, whatever else is right. */
const forged: Readonly<Record<string, Changes>> = {
  'a page of another origin': { origin: 'https://evil.test' },
  'another domain': { rpId: 'evil.test' },
  'a response of another ceremony': { type: 'webauthn.get' },
  'a frame of another site': { isCrossOrigin: true },
  'no verification of the user': { isUserVerified: false }
}

t.test('a forged or downgraded response signs nobody up, on either page', async (t) => {
  const app = await openForSignUps(t, 'database', { passkey: { userVerification: 'required' } })
  await signUpWithPasskey(app.newBrowser(), ada)
  const { url } = app.mailbox.last()
  for (const [name, changes] of Object.entries(forged)) {
    const browser = app.newBrowser()
    const sent = await signUpWithPasskey(browser, 'grace@example.com', newAuthenticator(), changes)
    t.match([sent.status, sent.body], [400, /could not be added/], name)
    const confirmed = await confirm(app.newBrowser(), url, newAuthenticator(), changes)
    t.match([confirmed.status, confirmed.body], [400, /could not be added/], name)
  }
  t.equal(app.mailbox.mails.length, 1)
  t.equal(await findUser(app, ada), null)
})

t.test('a passkey that did not verify the user is accepted as one factor', async (t) => {
  const app = await openForSignUps(t, 'database')
  const authenticator = newAuthenticator()
  const browser = app.newBrowser()
  await signUpWithPasskey(browser, ada, authenticator, { isUserVerified: false })
  await confirm(browser, app.mailbox.last().url)
  const [factor] = (await app.adapter.listFactors?.((await findUser(app, ada))?.id ?? '', 'passkey')) ?? []
  t.ok(factor)
  const other = app.newBrowser()
  t.ok(await canSignIn(other, authenticator))
  t.same((await getAuthentication(app, other))?.amr, ['swk'])
})

t.test('an attestation with a certificate is refused', async (t) => {
  const app = await openForSignUps(t, 'database')
  const browser = app.newBrowser()
  const page = await browser.open(signUpPage)
  const credential = JSON.parse(newAuthenticator().create(readOptions<CreationOptions>(page)))
  const object = Buffer.from(credential.response.attestationObject, 'base64url').toString('hex')
  const hex = (text: string): string => Buffer.from(text).toString('hex')
  const none = `64${hex('none')}67${hex('attStmt')}a0`
  const packed = `66${hex('packed')}67${hex('attStmt')}a3${`63${hex('alg')}26`}${`63${hex('sig')}4100`}${`63${hex('x5c')}814100`}`
  t.ok(object.includes(none))
  credential.response.attestationObject = Buffer.from(object.replace(none, packed), 'hex').toString('base64url')
  const sent = await browser.fill(page, signUpPage, { email: ada, credential: JSON.stringify(credential) })
  t.match([sent.status, sent.body], [400, /could not be added/])
  t.match(app.logged, [['PASSKEY_REFUSED', { message: 'expected no attestation' }]])
})

t.test('a credential that another user has is refused, at the sign-up and when the address is proven', async (t) => {
  for (const strategy of someStrategies()) {
    const app = await openForSignUps(t, strategy)
    const credentialId = Buffer.from('the credential of grace').toString('base64url')
    const grace = createAuthenticator({ origin, credentialId })
    const mallory = createAuthenticator({ origin, credentialId })
    const browser = app.newBrowser()
    await signUpWithPasskey(browser, ada, mallory)
    const { url, code } = app.mailbox.last()
    await addPasskey(await createUser(app, 'grace@example.com'), grace)
    t.match((await browser.submit(callback, { code })).body, 'no longer works')
    t.match((await confirm(browser, url)).body, 'no longer works')
    t.equal(await findUser(app, ada), null)
    t.match((await signUpWithPasskey(app.newBrowser(), ada, mallory)).body, 'added before')
    t.ok(await canSignIn(app.newBrowser(), grace))
    t.notOk(await canSignIn(app.newBrowser(), mallory))
  }
})

t.test('a user whose credential id was taken in the same moment is not created', async (t) => {
  const app = await openForSignUps(t, 'database')
  const credentialId = Buffer.from('one credential').toString('base64url')
  const addresses = Array.from({ length: 10 }, (_, index) => `user-${index}@example.com`)
  const browsers = []
  for (const address of addresses) {
    const browser = app.newBrowser()
    await signUpWithPasskey(browser, address, createAuthenticator({ origin, credentialId }))
    const csrf = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
    browsers.push({ browser, fields: { token: getToken(app.mailbox.last().url), ...csrf } })
  }
  await Promise.all(browsers.map(({ browser, fields }) => browser.submit(callback, fields)))
  const users = await Promise.all(addresses.map((address) => findUser(app, address)))
  t.equal(users.filter((user) => user !== null).length, 1)
  const signedIn = await Promise.all(browsers.map(({ browser }) => getAddress(browser)))
  t.equal(signedIn.filter((address) => address !== null).length, 1)
})

t.test('programs that open the link, such as mail scanners, change nothing', async (t) => {
  const adapter = memoryAdapter()
  const writes: string[] = []
  const watched = new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || /^(get|list|read|is|find)/.test(String(name))) return method
      return (...args: readonly unknown[]): unknown => {
        writes.push(String(name))
        return Reflect.apply(method, target, args)
      }
    }
  })
  const app = await openForSignUps(t, 'database', { adapter: watched })
  const [browser, authenticator] = [app.newBrowser(), newAuthenticator()]
  const views = app.newBrowser()
  for (let count = 0; count < 3; count++) await views.open(signUpPage)
  t.same(writes, [], 'views of the page store nothing')
  await signUpWithPasskey(browser, ada, authenticator)
  const { url } = app.mailbox.last()
  writes.length = 0
  for (const scanner of [app.newBrowser(), browser]) {
    t.equal((await scanner.open(url)).status, 200)
    t.equal((await scanner.open(url, { headers: { 'sec-purpose': 'prefetch' } })).status, 200)
    await scanner.request('HEAD', url)
    const page = await scanner.open(url)
    t.match(page.headers, { 'cache-control': /no-store/, 'referrer-policy': /^(no-referrer|strict-origin)$/ })
  }
  t.same(writes, [])
  await confirm(browser, url)
  t.equal(await getAddress(browser), ada)
  t.ok(await canSignIn(app.newBrowser(), authenticator))
})

t.test(
  'cookie-2: forms need their CSRF token, and the cookie of a sign-up cannot come from another host',
  async (t) => {
    const app = await openForSignUps(t, 'database')
    const browser = app.newBrowser()
    const options = readOptions<CreationOptions>(await browser.open(signUpPage))
    const credential = newAuthenticator().create(options)
    await browser.submit(signUpPage, { email: ada, credential, csrfToken: 'wrong' })
    t.same(app.mailbox.mails, [])
    const sent = await browser.submit(signUpPage, { email: ada, credential })
    const [cookie] = sent.setCookies.filter(({ name }) => name.includes('sign-up'))
    t.match(cookie, { name: /^__Host-/, path: '/', httpOnly: true, secure: true })
    await browser.submit(callback, { token: getToken(app.mailbox.last().url), csrfToken: 'wrong' })
    t.equal(await findUser(app, ada), null)
  }
)

const grace = 'grace@example.com'
const enrollPage = `${base}/verify/enroll`

const createUserWith = async ({ createUser }: Application['adapter'], emailVerified: Date | null) =>
  createUser?.({ name: null, email: ada, emailVerified })

t.test('attack: spellings of an address that is too long do not avoid the limit of its mails', async (t) => {
  const app = await openForSignUps(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const count = async (spell: (index: number) => string): Promise<number> => {
    const before = app.mailbox.mails.length
    for (let index = 0; index < 8; index++) await signUpWithPasskey(app.newBrowser(), spell(index))
    return app.mailbox.mails.length - before
  }
  t.equal(await count((index) => `${ada}${' '.repeat(330 - index)}${index}`), 0)
  t.equal(await count((index) => `${' '.repeat(index)}${ada.toUpperCase()}`), 5)
})

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: attack: a sign-up in a browser that is signed in as somebody else`, async (t) => {
    const app = await openForSignUps(t, strategy)
    const browser = await createUser(app, grace)
    const old = new Map(browser.cookies.all().map(({ name, value }) => [name, value]))
    const before = await findUser(app, grace)
    const [own, stolen] = [newAuthenticator(), newAuthenticator()]
    // The attacker has sent the link of a sign-up for an address of their own.
    await signUpWithPasskey(app.newBrowser(), ada, stolen)
    const page = await browser.open(app.mailbox.last().url)
    t.match(page.body, ada, 'the page names the address')
    t.equal(await getAddress(browser), grace)
    await confirm(browser, app.mailbox.last().url, own)
    t.equal(await getAddress(browser), ada)
    t.not((await findUser(app, ada))?.id, before?.id)
    t.same(await findUser(app, grace), before)
    t.same(await getList(app, grace), [])
    t.notOk(await canSignIn(app.newBrowser(), stolen))
    const copy = app.newBrowser()
    for (const [name, value] of old) copy.cookies.set(name, value, { path: '/', secure: true })
    t.equal(await getAddress(copy), null, 'the earlier session has ended')
  })
}

t.test('attack: codes and links of both kinds of sign-ups in one browser', async (t) => {
  const app = await openForSignUps(t, 'database')
  const [browser, authenticator] = [app.newBrowser(), newAuthenticator()]
  await signUp(browser, grace, first)
  const byPassword = app.mailbox.last()
  await signUpWithPasskey(browser, ada, authenticator)
  const byPasskey = app.mailbox.last()
  await browser.submit(callback, { code: byPassword.code })
  await browser.submit(`${base}/callback/password-sign-up`, { code: byPasskey.code })
  await browser.submit(`${base}/callback/password-sign-up`, { token: getToken(byPasskey.url) })
  await browser.submit(callback, { token: getToken(byPassword.url) })
  t.same([await findUser(app, ada), await findUser(app, grace)], [null, null])
  await confirm(browser, byPasskey.url)
  t.equal(await getAddress(browser), ada)
  await openLink(browser, byPassword)
  t.equal(await getAddress(browser), grace)
  t.same(await getList(app, grace), [])
  const other = app.newBrowser()
  await canSignIn(other, authenticator)
  t.equal(await getAddress(other), ada)
})

t.test('enumeration: a wrong code costs as many hashes for known and unknown addresses', async (t) => {
  const app = await openForSignUps(t, 'database')
  await signInByMail(app.newBrowser(), grace, app.mailbox)
  const byPasskey = async (address: string): Promise<number> => {
    const browser = app.newBrowser()
    await signUpWithPasskey(browser, address)
    return countHashes(() => browser.submit(callback, { code: 'BBBBBBBB' }))
  }
  const byPassword = async (address: string): Promise<number> => {
    const browser = app.newBrowser()
    await signUp(browser, address, first)
    return countHashes(() => browser.submit(`${base}/callback/password-sign-up`, { code: 'BBBBBBBB' }))
  }
  const countHashes = async (work: () => Promise<unknown>): Promise<number> => {
    const calls = t.capture(crypto, 'createHmac', crypto.createHmac)
    await work()
    calls.restore()
    return calls().length
  }
  for (const count of [byPasskey, byPassword]) {
    await count('first@example.com')
    const unknown = await count('never@example.com')
    t.ok(unknown > 0)
    t.equal(await count(grace), unknown)
  }
})

t.test('attack: what happens while a sign-up waits at the enrollment of a second factor', async (t) => {
  const credentialId = Buffer.from('the credential').toString('base64url')
  const events: Readonly<Record<string, (app: Application) => Promise<unknown>>> = {
    nothing: async () => undefined,
    'an unverified user gets the address': ({ adapter }) => createUserWith(adapter, null),
    'another user gets the credential': async (app) =>
      addPasskey(await createUser(app, grace), createAuthenticator({ origin, credentialId }))
  }
  for (const [index, [name, act]] of Object.entries(events).entries()) {
    let isRequired = true
    const features = [secondFactor({ required: () => isRequired })]
    const app = await openForSignUps(t, strategies[index % 2] ?? 'jwt', { features })
    const [browser, authenticator] = [app.newBrowser(), createAuthenticator({ origin, credentialId })]
    await signUpWithPasskey(browser, ada, authenticator)
    t.match((await confirm(browser, app.mailbox.last().url)).location, /verify/)
    const page = await browser.open(enrollPage)
    await browser.submit(enrollPage, { code: createApp(getKey(page), app.clock.now).code() })
    t.equal(await findUser(app, ada), null)
    isRequired = false
    await act(app)
    isRequired = true
    await browser.submit(enrollPage, { saved: '1' })
    const isComplete = name === 'nothing'
    t.equal(await getAddress(browser), isComplete ? ada : null, name)
    t.equal((await getList(app)).length, isComplete ? 1 : 0, name)
    t.equal(await canSignIn(app.newBrowser(), authenticator), isComplete, name)
  }
})
