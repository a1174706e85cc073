// The methods of Auth.js for WebAuthn, on every adapter.
import { randomUUID } from 'node:crypto'
import type { Adapter } from '@postern/core'
import type { Test } from 'tap'
import type { AuthenticatorMethods } from '../src/authenticators.ts'

export type AuthJsAdapter = Required<
  Pick<Adapter, 'createUser' | 'deleteUser' | 'getUser' | 'linkAccount' | 'close' | 'getAccounts'>
> &
  AuthenticatorMethods

/** Tests the methods of an adapter, and closes it. */
export async function testAuthenticators(parent: Test, adapter: AuthJsAdapter): Promise<void> {
  parent.teardown(() => adapter.close())
  const createUser = async () => {
    const { id } = await adapter.createUser({ email: `${randomUUID()}@example.com`, emailVerified: null })
    return id
  }
  const create = async (userId: string, transports?: string | null) => {
    const credentialID = randomUUID()
    await adapter.linkAccount({ provider: 'webauthn', providerAccountId: credentialID, type: 'webauthn', userId })
    return adapter.createAuthenticator({
      credentialID,
      providerAccountId: credentialID,
      userId,
      counter: 7,
      credentialBackedUp: true,
      credentialDeviceType: 'multiDevice',
      credentialPublicKey: randomUUID(),
      ...(transports === undefined ? {} : { transports })
    })
  }

  await parent.test('getAccount', async (t) => {
    const { userId, credentialID } = await create(await createUser())
    const key = { provider: 'webauthn', providerAccountId: credentialID }
    t.match(await adapter.getAccount(credentialID, 'webauthn'), { ...key, type: 'webauthn', userId })
    t.equal(await adapter.getAccount(credentialID, 'other'), null)
    t.equal(await adapter.getAccount('other', 'webauthn'), null)
  })

  await parent.test('createAuthenticator and getAuthenticator', async (t) => {
    const userId = await createUser()
    for (const transports of ['usb,ble,nfc', null, undefined]) {
      const created = await create(userId, transports)
      t.match(created, { userId, counter: 7, credentialBackedUp: true })
      t.same(await adapter.getAuthenticator(created.credentialID), created)
    }
    const { credentialID } = await create(userId)
    const existing = { ...(await create(userId)), credentialID }
    await t.rejects(adapter.createAuthenticator(existing), { name: 'DuplicateError' })
    t.equal(await adapter.getAuthenticator('other'), null)
  })

  await parent.test('listAuthenticatorsByUserId', async (t) => {
    const [one, other] = [await createUser(), await createUser()]
    const ofOne = [await create(one), await create(one)]
    const ofOther = [await create(other)]
    const ids = (list: readonly { readonly credentialID: string }[]) => list.map((each) => each.credentialID).sort()
    t.same(ids(await adapter.listAuthenticatorsByUserId(one)), ids(ofOne))
    t.same(await adapter.listAuthenticatorsByUserId(other), ofOther)
    t.same(await adapter.listAuthenticatorsByUserId('nobody'), [])
    await adapter.deleteUser(one)
    t.same(await adapter.listAuthenticatorsByUserId(one), [], 'a deleted user has none')
  })

  await parent.test('updateAuthenticatorCounter', async (t) => {
    const created = await create(await createUser())
    const { credentialID } = created
    t.same(await adapter.updateAuthenticatorCounter(credentialID, 8), { ...created, counter: 8 })
    t.same(await adapter.getAuthenticator(credentialID), { ...created, counter: 8 })
    const counters = [9, 10, 11]
    await Promise.all(counters.map((counter) => adapter.updateAuthenticatorCounter(credentialID, counter)))
    t.ok(counters.includes((await adapter.getAuthenticator(credentialID))?.counter ?? 0))
    await t.rejects(adapter.updateAuthenticatorCounter('other', 1), { message: /expected the id of a stored/ })
  })

  await parent.test('an account may expire after 2038', async (t) => {
    const userId = await createUser()
    const account = { provider: 'demo', providerAccountId: randomUUID(), type: 'oauth' as const, userId }
    await adapter.linkAccount({ ...account, expires_at: 2_592_000_000 })
    t.match(await adapter.getAccounts(userId), [{ ...account, expires_at: 2_592_000_000 }])
  })
}
