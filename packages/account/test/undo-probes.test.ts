import { generateKeyPairSync } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  ada,
  addPasskey,
  base,
  canSignIn,
  comeBack,
  createUser,
  first,
  forget,
  openAccountApplication,
  origin,
  signInByMail,
  strategies
} from './account-application.ts'
import { changeEmail, getEmail, getId, getUndoUrl, grace, isSignedIn, undo } from './email-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { answer, enroll } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator, toCose } from './software-authenticator.ts'
import { day, mallory, openSession, person, reset, thiefsPerson, third } from './undo-application.ts'

const changed = 'The email address was changed less than 7 days ago'

async function open(t: Test, strategy: (typeof strategies)[number] = 'database', options = {}) {
  const app = await openAccountApplication(t, strategy, options)
  const browser = await createUser(app)
  const id = await getId(app, ada)
  app.clock.advance(8 * day)
  return { app, browser, id }
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`${strategy}: an owner who removes the app, and adds one on a new phone, is asked to authenticate`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const id = await getId(app, ada)
    const { app: phone } = await enroll(app, browser)
    app.clock.advance(day)
    const owner = await openSession(app)
    await answer(owner, { code: phone.code() })
    app.clock.advance(31)
    await changeEmail(app, owner, grace)
    t.ok(getUndoUrl(app), 'an undo is offered, as the app is new')
    app.clock.advance(day)
    const back = await openSession(app, first, grace)
    await answer(back, { code: phone.code() })
    app.clock.advance(31)
    await back.submit(`${base}/factors/totp/remove`, { code: phone.code() })
    t.same((await app.adapter.listFactors?.(id, 'factors-totp'))?.length, 0, 'removed')
    app.clock.advance(5)
    const started = await back.submit(`${base}/factors/totp/start`, {})
    t.notMatch(started.body, changed, 'the owner is not asked to wait')
    t.match(started.location ?? '', /\/verify\?|factors\/totp/)
    const again = await openSession(app, first, grace)
    t.match(
      (await again.submit(`${base}/factors/totp/start`, {})).location ?? '',
      /factors\/totp/,
      'a new sign-in works'
    )
  })

/** A user whose only passkey is that of Auth.js. */
async function openAuthJs(t: Test, provider: string, isSeparate: boolean = true) {
  const adapter = memoryAdapter()
  // The rows are in a table of Auth.js's adapter, or in the one of Postern.
  const rows = isSeparate ? memoryAdapter() : adapter
  const authenticators = {
    getAccount: (account: string, name: string) => adapter.getAccount(account, name),
    getAuthenticator: (credentialId: string) => rows.getAuthenticator(credentialId),
    listAuthenticatorsByUserId: (userId: string) => rows.listAuthenticatorsByUserId(userId),
    updateAuthenticatorCounter: (credentialId: string, counter: number) =>
      rows.updateAuthenticatorCounter(credentialId, counter)
  }
  const app = await openAccountApplication(t, 'database', { adapter, passkey: { authenticators } })
  await signInByMail(app.newBrowser(), ada, app.mailbox)
  const id = await getId(app, ada)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const authenticator = createAuthenticator({ origin, isBackupEligible: false, isCounting: true })
  const key = Buffer.from('fbefbe'.repeat(10), 'hex')
  authenticator.passkeys.push({
    id: key.toString('base64url'),
    rpId: 'app.test',
    handle: 'random',
    key: privateKey,
    counter: 3
  })
  const row = key.toString('base64')
  await adapter.linkAccount({ provider, providerAccountId: row, type: 'webauthn', userId: id } as never)
  await rows.createAuthenticator({
    ...{ userId: id, credentialID: row, providerAccountId: row, counter: 3 },
    credentialPublicKey: toCose(publicKey).toString('base64'),
    ...{ credentialDeviceType: 'singleDevice', credentialBackedUp: false, transports: 'usb,nfc' }
  })
  return { app, id, authenticator }
}

for (const provider of ['passkey', 'webauthn']) {
  t.test(`${provider}: a passkey of Auth.js from before the change proves its undo`, async (t) => {
    const { app, id, authenticator } = await openAuthJs(t, provider)
    const owner = app.newBrowser()
    const response = await signInWithPasskey(owner, authenticator)
    t.equal(response.location, origin, JSON.stringify(app.logged))
    await changeEmail(app, copy(app, owner), mallory)
    app.clock.advance(60)
    const again = app.newBrowser()
    await signInWithPasskey(again, authenticator)
    t.ok(await isSignedIn(again))
    t.equal((await undo(again, getUndoUrl(app))).status, 200)
    t.equal(await getEmail(app, id), ada)
  })
  t.test(`${provider}: a passkey of Auth.js from before the change enrolls at a sign-in`, async (t) => {
    const { app, authenticator } = await openAuthJs(t, provider)
    const owner = app.newBrowser()
    await signInWithPasskey(owner, authenticator)
    await changeEmail(app, owner, grace)
    app.clock.advance(60)
    const again = app.newBrowser()
    await signInWithPasskey(again, authenticator)
    t.notMatch((await again.submit(`${base}/factors/totp/start`, {})).body, changed, 'on the page')
    await again.open(`${base}/verify?amr=mfa&callbackUrl=/`)
    t.match((await signInWithPasskey(again, authenticator)).location, /SecondFactorEnrollmentRequired/)
    t.equal((await again.open(`${base}/verify/enroll`)).status, 200, 'at the sign-in')
  })
}

t.test('a user with a passkey of Auth.js in the store of Postern signs in, and undoes a change', async (t) => {
  const { app, authenticator } = await openAuthJs(t, 'passkey', false)
  const browser = app.newBrowser()
  const response = await signInWithPasskey(browser, authenticator)
  t.equal(response.location, origin, 'with the passkey')
  await signInByMail(browser, ada, app.mailbox)
  t.ok(await isSignedIn(browser), 'by mail')
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: a second change of the thief does not keep the owner from undoing the first, with an account`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const owner = app.newBrowser()
    await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, {}), person)
    const id = (await app.adapter.getUserByEmail?.(ada))?.id ?? ''
    await app.adapter.updateUser?.({ id, emailVerified: new Date(app.clock.now()) })
    app.clock.advance(30 * day)
    await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, {}), person)
    const stolen = copy(app, owner)
    app.clock.advance(1)
    // The thief has the copy of the session, and mailboxes of their own.
    await changeEmail(app, stolen, mallory)
    t.equal(await getEmail(app, id), mallory)
    await comeBack(app, stolen, await stolen.submit(`${base}/signin/acme`, { link: 'true' }), thiefsPerson)
    await changeEmail(app, stolen, 'mallory2@example.com')
    t.equal(await getEmail(app, id), 'mallory2@example.com')
    app.clock.advance(60)
    // The owner reads the mail, and signs in with the account that they always had.
    const again = app.newBrowser()
    await comeBack(app, again, await again.submit(`${base}/signin/acme`, {}), person)
    t.ok(await isSignedIn(again))
    const beside = app.newBrowser()
    await comeBack(app, beside, await beside.submit(`${base}/signin/acme`, {}), thiefsPerson)
    t.ok(await isSignedIn(beside))
    for (const url of [getUndoUrl(app), getUndoUrl(app, mallory)])
      t.equal((await undo(beside, url)).status, 403, 'the thief signs in with an account from before the second change')
    t.equal((await undo(again, getUndoUrl(app))).status, 200)
    t.equal(await getEmail(app, id), ada, 'the change of the thief is undone')
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: a second change of the thief does not keep the owner from undoing the first, with a passkey`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const owner = app.newBrowser()
    await signInByMail(owner, ada, app.mailbox)
    const id = await getId(app, ada)
    const owners = createAuthenticator({ origin })
    await addPasskey(owner, owners)
    app.clock.advance(30 * day)
    await signInWithPasskey(owner, owners)
    const stolen = copy(app, owner)
    app.clock.advance(1)
    await changeEmail(app, stolen, mallory)
    const thiefs = createAuthenticator({ origin })
    const [known] = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
    await addPasskey(stolen, thiefs)
    await changeEmail(app, stolen, 'mallory2@example.com')
    t.equal(await getEmail(app, id), 'mallory2@example.com')
    app.clock.advance(60)
    const again = app.newBrowser()
    await signInWithPasskey(again, owners)
    t.ok(await isSignedIn(again))
    const beside = app.newBrowser()
    await signInWithPasskey(beside, thiefs)
    t.ok(await isSignedIn(beside))
    for (const url of [getUndoUrl(app), getUndoUrl(app, mallory)])
      t.equal((await undo(beside, url)).status, 403, 'the thief signs in with a passkey from before the second change')
    t.equal((await undo(again, getUndoUrl(app))).status, 200)
    t.match(await app.adapter.listFactors?.(id, 'passkey'), [{ id: known?.id }], 'the passkey of the thief is removed')
    t.equal(await getEmail(app, id), ada, 'the change of the thief is undone')
  })

t.test('a reset with the mailbox of the thief that is running during the undo leaves no password', async (t) => {
  const inner = memoryAdapter()
  let before: (() => Promise<void>) | null = null
  const adapter = {
    ...inner,
    updateFactor: async (...args: Parameters<typeof inner.updateFactor>) => {
      const run = before
      before = null
      await run?.()
      return inner.updateFactor(...args)
    }
  }
  const { app, id } = await open(t, 'database', { adapter })
  await changeEmail(app, await openSession(app), mallory)
  const thief = app.newBrowser()
  await forget(thief, mallory)
  const page = await thief.open(app.mailbox.last().url)
  before = async () => {
    t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200, 'the owner undoes')
  }
  await thief.fill(page, 'form', { password: third })
  t.equal(await getEmail(app, id), ada)
  t.notOk(await canSignIn(app.newBrowser(), ada, third), 'the thief is not in the account')
  t.ok(await canSignIn(app.newBrowser(), ada, first), 'the owner is not locked out')
})

t.test('the thief does not undo it when the owner changes the address back', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const owner = app.newBrowser()
  await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, {}), person)
  const id = (await app.adapter.getUserByEmail?.(ada))?.id ?? ''
  await app.adapter.updateUser?.({ id, emailVerified: new Date(app.clock.now()) })
  app.clock.advance(30 * day)
  await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, {}), person)
  const stolen = copy(app, owner)
  app.clock.advance(1)
  await changeEmail(app, stolen, mallory)
  await comeBack(app, stolen, await stolen.submit(`${base}/signin/acme`, { link: 'true' }), thiefsPerson)
  await changeEmail(app, stolen, 'mallory2@example.com')
  app.clock.advance(60)
  const again = app.newBrowser()
  await comeBack(app, again, await again.submit(`${base}/signin/acme`, {}), person)
  await again.submit(`${base}/account/devices/end-others`, {})
  t.notOk(await isSignedIn(stolen), 'the stolen session has ended')
  await changeEmail(app, again, ada)
  t.equal(await getEmail(app, id), ada, 'the owner has the address again')
  app.clock.advance(60)
  const thief = app.newBrowser()
  await comeBack(app, thief, await thief.submit(`${base}/signin/acme`, {}), thiefsPerson)
  t.equal((await undo(thief, getUndoUrl(app, 'mallory2@example.com'))).status, 403)
  t.equal(await getEmail(app, id), ada)
})

t.test('a sign-in with the password of the thief that is running during the undo does not stay', async (t) => {
  const inner = memoryAdapter()
  let before: (() => Promise<void>) | null = null
  const adapter = {
    ...inner,
    createSession: async (...args: Parameters<typeof inner.createSession>) => {
      const run = before
      before = null
      await run?.()
      return inner.createSession(...args)
    }
  }
  const { app, id } = await open(t, 'database', { adapter })
  await changeEmail(app, await openSession(app), mallory)
  await reset(app, mallory, third)
  before = async () => {
    app.clock.advance(1)
    t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200, 'the owner undoes')
  }
  const thief = await openSession(app, third, mallory)
  t.equal(await getEmail(app, id), ada)
  t.notOk(await isSignedIn(thief), 'the thief is not in the account')
})
