import { generateKeyPairSync } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import type { BrowserResponse } from '@postern/testkit'
import t from 'tap'
import {
  ada,
  addPasskey,
  base,
  canSignIn,
  createUser,
  findUser,
  getAuthentication,
  openApplication,
  origin,
  readOptions,
  signInWithPasskey
} from './passkey-application.ts'
import { type CreationOptions, createAuthenticator, toCose } from './software-authenticator.ts'

const getCode = ({ location }: BrowserResponse): string | null =>
  location && new URL(location).searchParams.get('error')

const toBase64 = (text: string): string => Buffer.from(text, 'base64url').toString('base64')

/** An application with a user whose passkey Auth.js has stored. */
async function openWithRow(t: Parameters<typeof openApplication>[0], provider: string = 'passkey') {
  const adapter = memoryAdapter()
  const app = await openApplication(t, 'database', { adapter, passkey: { authenticators: adapter } })
  const browser = await createUser(app)
  const userId = (await findUser(app, ada))?.id ?? ''
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const authenticator = createAuthenticator({ origin, isBackupEligible: false, isCounting: true })
  // Bytes whose base64 differs from base64url.
  const id = Buffer.from('fbefbe'.repeat(10), 'hex').toString('base64url')
  authenticator.passkeys.push({ id, rpId: 'app.test', handle: 'random', key: privateKey, counter: 3 })
  const account = { provider, providerAccountId: toBase64(id), type: 'webauthn', userId } as const
  await adapter.linkAccount(account)
  await adapter.createAuthenticator({
    ...{ userId, credentialID: toBase64(id), providerAccountId: toBase64(id), counter: 3 },
    credentialPublicKey: toCose(publicKey).toString('base64'),
    ...{ credentialDeviceType: 'singleDevice', credentialBackedUp: false, transports: 'usb,nfc' }
  })
  return { ...app, adapter, browser, userId, authenticator, account, id }
}

for (const provider of ['passkey', 'webauthn'])
  t.test(`sign in with a row of Auth.js: ${provider}`, async (t) => {
    const app = await openWithRow(t, provider)
    const browser = app.newBrowser()
    t.equal((await signInWithPasskey(browser, app.authenticator)).location, origin)
    t.same((await getAuthentication(app, browser))?.amr, ['hwk'], 'whether it verified the user then is unknown')
    t.match(await app.adapter.getAuthenticator(toBase64(app.id)), { counter: 4 })
    t.equal(getCode(await signInWithPasskey(browser, app.authenticator, { counter: 4 })), 'PasskeyFailed')
    t.equal((await app.adapter.listEvents({ type: 'passkey-copied', limit: 5 })).length, 1)
  })

t.test('a row whose account was removed, or belongs to another user, signs nobody in', async (t) => {
  const app = await openWithRow(t)
  const { adapter, account } = app
  await adapter.unlinkAccount(account)
  t.equal(getCode(await signInWithPasskey(app.newBrowser(), app.authenticator)), 'PasskeyUnknown')
  await createUser(app, 'eve@example.com')
  const eve = await findUser(app, 'eve@example.com')
  await adapter.linkAccount({ ...account, userId: eve?.id ?? '' })
  t.equal(getCode(await signInWithPasskey(app.newBrowser(), app.authenticator)), 'PasskeyUnknown')
})

t.test('rows of Auth.js are listed, excluded and counted, and cannot be changed', async (t) => {
  const app = await openWithRow(t)
  const page = await app.browser.open(`${base}/passkeys`)
  t.equal(page.html().querySelector('.rows a'), null)
  t.match(readOptions<CreationOptions>(page), { excludeCredentials: [{ id: app.id, transports: ['usb', 'nfc'] }] })
  t.match(await app.auth.features.passkey.list(app.userId), [{ credentialId: app.id, createdAt: null }])
  const own = createAuthenticator({ origin })
  await addPasskey(app.browser, own)
  t.equal((await app.auth.features.passkey.list(app.userId)).length, 2)
  t.ok(await canSignIn(app.newBrowser(), own))
})
