import { generateKeyPairSync } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  ada,
  addPasskey,
  base,
  change,
  createUser,
  openAccountApplication,
  origin,
  second,
  strategies
} from './account-application.ts'
import { changeEmail, getEmail, getId, getUndoUrl, grace, isSignedIn, undo } from './email-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { createAuthenticator, toCose } from './software-authenticator.ts'
import { day, linkAcme, mallory, openSession, reset, signInAtAcme, third } from './undo-application.ts'

/** A user with an account alone, which is old. */
async function openWithAccount(t: Test, strategy: (typeof strategies)[number]) {
  const app = await openAccountApplication(t, strategy)
  const owner = await signInAtAcme(app, app.newBrowser())
  const id = (await app.adapter.getUserByEmail?.(ada))?.id ?? ''
  await app.adapter.updateUser?.({ id, emailVerified: new Date(app.clock.now()) })
  app.clock.advance(30 * day)
  return { app, owner, id }
}

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the first password of a user, set by a thief before the change, does not undo the change back`, async (t) => {
    const { app, id } = await openWithAccount(t, strategy)
    const stolen = await signInAtAcme(app, app.newBrowser())
    await change(stolen, { password: third })
    await changeEmail(app, stolen, mallory)
    t.equal(await getEmail(app, id), mallory)
    app.clock.advance(3600)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, ada)
    t.equal(await getEmail(app, id), ada, 'the owner has the address again')
    t.equal((await undo(app.newBrowser(), getUndoUrl(app, mallory), { password: third })).status, 403)
    t.equal(await getEmail(app, id), ada, 'the thief has not undone the change of the owner')
  })

  test(`${strategy}: a passkey that a thief adds before the change does not undo the change back`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    await linkAcme(app, await createUser(app))
    const id = await getId(app, ada)
    app.clock.advance(8 * day)
    const stolen = await openSession(app)
    const thiefs = createAuthenticator({ origin })
    await addPasskey(stolen, thiefs)
    await changeEmail(app, stolen, mallory)
    app.clock.advance(6.9 * day)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, ada)
    t.equal(await getEmail(app, id), ada)
    const [key] = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
    await owner.submit(`${base}/passkeys/${key?.id}/remove`, {})
    // The undo of the first change has expired, that of the second has not.
    app.clock.advance(day)
    const thief = app.newBrowser()
    await signInWithPasskey(thief, thiefs)
    const response = await undo(thief, getUndoUrl(app, mallory))
    t.equal(response.status, 403)
    t.equal(await getEmail(app, id), ada, 'the thief has not undone the change of the owner')
  })

  test(`${strategy}: the mailbox that was left alone does not undo the change`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    await linkAcme(app, await createUser(app))
    const id = await getId(app, ada)
    app.clock.advance(8 * day)
    // The thief reads the mailbox, and nothing else.
    await reset(app, ada, third)
    app.clock.advance(60)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, grace)
    t.equal(await getEmail(app, id), grace)
    t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: third })).status, 403)
    t.equal(await getEmail(app, id), grace)
  })

  test(`${strategy}: nor after the owner has replaced the password of the thief and the thief again`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    await linkAcme(app, await createUser(app))
    const id = await getId(app, ada)
    app.clock.advance(8 * day)
    await reset(app, ada, third)
    await reset(app, ada, second)
    const owner = await openSession(app, second)
    await changeEmail(app, owner, grace)
    t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: third })).status, 403)
    t.equal(await getEmail(app, id), grace)
  })
}

/** A user with a passkey of Auth.js, in an application that does not have the passkeys of Auth.js. */
async function openAuthJs(t: Test, withRows: boolean) {
  const adapter = memoryAdapter()
  const rows = memoryAdapter()
  const authenticators = {
    getAccount: (account: string, name: string) => adapter.getAccount(account, name),
    getAuthenticator: (credentialId: string) => rows.getAuthenticator(credentialId),
    listAuthenticatorsByUserId: (userId: string) => rows.listAuthenticatorsByUserId(userId),
    updateAuthenticatorCounter: (credentialId: string, counter: number) =>
      rows.updateAuthenticatorCounter(credentialId, counter)
  }
  const app = await openAccountApplication(t, 'database', {
    adapter,
    ...(withRows ? { passkey: { authenticators } } : {})
  })
  await createUser(app)
  const id = await getId(app, ada)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = Buffer.from('fbefbe'.repeat(10), 'hex')
  const row = key.toString('base64')
  await adapter.linkAccount({ provider: 'passkey', providerAccountId: row, type: 'webauthn', userId: id } as never)
  await rows.createAuthenticator({
    ...{ userId: id, credentialID: row, providerAccountId: row, counter: 3 },
    credentialPublicKey: toCose(publicKey).toString('base64'),
    ...{ credentialDeviceType: 'singleDevice', credentialBackedUp: false, transports: 'usb,nfc' }
  })
  app.clock.advance(8 * day)
  return { app, id, credentialId: key.toString('base64url') }
}

for (const withRows of [false, true])
  t.test(
    `${withRows ? 'with' : 'without'} its rows: a passkey of a thief with the credential id of an account of Auth.js proves no undo`,
    async (t) => {
      const { app, id, credentialId } = await openAuthJs(t, withRows)
      const owner = await openSession(app)
      const stolen = await openSession(app)
      await changeEmail(app, owner, grace)
      app.clock.advance(5)
      const thiefs = createAuthenticator({ origin, credentialId })
      await addPasskey(stolen, thiefs)
      const thief = app.newBrowser()
      const [added] = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
      // With its rows, the credential is stored already.
      t.equal(added === undefined, withRows)
      if (!added) return
      await signInWithPasskey(thief, thiefs)
      t.ok(await isSignedIn(thief))
      t.equal((await undo(thief, getUndoUrl(app))).status, 403)
      await thief.submit(`${base}/passkeys/${added.id}/remove`, {})
      t.same(await app.adapter.listFactors?.(id, 'passkey'), [])
      t.equal((await undo(thief, getUndoUrl(app))).status, 403)
      t.equal(await getEmail(app, id), grace)
    }
  )
