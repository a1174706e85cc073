import crypto from 'node:crypto'
import { secondFactor } from '@postern/account/second-factor'
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
  origin,
  strategies
} from './passkey-application.ts'
import { callback, confirm, getToken, openForSignUps, signUpWithPasskey } from './passkey-sign-up-application.ts'
import { createLimiter, first, openLink, signInByMail, signUp } from './password-application.ts'
import { createApp, getKey } from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

const grace = 'grace@example.com'
const enrollPage = `${base}/verify/enroll`
const newAuthenticator = () => createAuthenticator({ origin })

const createUserWith = async ({ createUser }: Application['adapter'], emailVerified: Date | null) =>
  createUser?.({ name: null, email: ada, emailVerified })

const getList = async (app: Application, address: string = ada) =>
  app.auth.features.passkey.list((await findUser(app, address))?.id ?? '')

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
    const calls = t.capture(crypto, 'hash', crypto.hash)
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
