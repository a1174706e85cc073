import { randomUUID } from 'node:crypto'
import { type Case, it } from './case.ts'
import { createPerson, hasFields, isNone, isRefused, newAccount, newSession, newUser } from './data.ts'

/** Creating, finding, updating and deleting users. */
export const users: readonly Case[] = [
  it('a created user gets an id and is found by it', async (t, adapter) => {
    const input = newUser({ image: 'https://example.com/ada.png', emailVerified: new Date() })
    const created = await adapter.createUser(input)
    t.ok(typeof created.id === 'string' && created.id !== '', 'the id is a text')
    for (const user of [created, await adapter.getUser(created.id)]) hasFields(t, user, { ...input, id: created.id })
  }),

  it('two users get two ids', async (t, adapter) => {
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    t.ok(ada.id !== bob.id, 'they differ')
  }),

  it('a user keeps the id that was requested', async (t, adapter, { ids }) => {
    const id = randomUUID()
    const user = await adapter.createUser(newUser({ id }))
    if (ids === 'given') t.equal(user.id, id, 'the id that was given')
    t.equal((await adapter.getUser(user.id))?.id, user.id, 'found by the id that was answered')
  }),

  it('unknown values are null, not undefined', async (t, adapter) => {
    const { id } = await adapter.createUser({ email: null, emailVerified: null })
    const user = await adapter.getUser(id)
    hasFields(t, user, { email: null, emailVerified: null })
  }),

  it('several users may have no address', async (t, adapter) => {
    const ada = await adapter.createUser(newUser({ email: null }))
    const bob = await adapter.createUser(newUser({ email: null }))
    t.ok(ada.id !== bob.id, 'two users')
  }),

  it('no user is found if there is none', async (t, adapter) => {
    isNone(t, await adapter.getUser(randomUUID()), 'no user of that id')
    isNone(t, await adapter.getUserByEmail(`${randomUUID()}@example.com`), 'no user of that address')
    isNone(t, await adapter.getUserByAccount(newAccount()), 'no user of that account')
  }),

  it('a user is found by exactly their address', async (t, adapter) => {
    const { id, email } = await adapter.createUser(newUser({ email: `a_b.${randomUUID()}@example.com` }))
    t.equal((await adapter.getUserByEmail(email ?? ''))?.id, id, 'the user of the address')
    for (const other of [`x${email}`, `${email}x`, '%', `${email}`.replace('_', 'x'), '']) {
      isNone(t, await adapter.getUserByEmail(other), `no one has ${JSON.stringify(other)}`)
    }
  }),

  it('an address belongs to one user', async (t, adapter) => {
    const ada = await adapter.createUser(newUser())
    await isRefused(t, () => adapter.createUser(newUser({ name: 'Eve', email: ada.email })), 'a second user is refused')
    t.equal((await adapter.getUserByEmail(ada.email ?? ''))?.name, ada.name, 'the first is unchanged')
  }),

  it('updating changes the given fields of that user only', async (t, adapter) => {
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    const emailVerified = new Date()
    const answered = await adapter.updateUser({ id: ada.id, emailVerified })
    const { id, name, email } = ada
    for (const user of [answered, await adapter.getUser(id)]) hasFields(t, user, { id, name, email, emailVerified })
    t.equal((await adapter.getUser(bob.id))?.emailVerified, null, 'another user is unchanged')
  }),

  it('updating to null empties a field', async (t, adapter) => {
    const { id } = await adapter.createUser(
      newUser({ image: 'https://example.com/ada.png', emailVerified: new Date() })
    )
    await adapter.updateUser({ id, image: null, emailVerified: null })
    const user = await adapter.getUser(id)
    hasFields(t, user, { image: null, emailVerified: null })
  }),

  it('updating no one fails and creates no one', async (t, adapter) => {
    const id = randomUUID()
    await isRefused(t, () => adapter.updateUser({ id, name: 'Nobody' }), 'an unknown id is refused')
    isNone(t, await adapter.getUser(id), 'no user was created')
  }),

  it('a user does not take the address of another', async (t, adapter) => {
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    await isRefused(t, () => adapter.updateUser({ id: bob.id, email: ada.email }), 'a taken address is refused')
    t.equal((await adapter.getUser(bob.id))?.email, bob.email, 'unchanged')
  }),

  it('a field that the store does not know does not fail', async (t, adapter) => {
    const user = { ...newUser(), locale: 'en', login: { id: 1 } }
    const { id } = await adapter.createUser(user)
    t.equal((await adapter.getUser(id))?.email, user.email, 'the user is there')
  }),

  it('deleting a user deletes their accounts and sessions', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    await adapter.deleteUser(ada.user.id)
    isNone(t, await adapter.getUser(ada.user.id), 'no user')
    isNone(t, await adapter.getUserByAccount(ada.account), 'no account')
    isNone(t, await adapter.getSessionAndUser(ada.session.sessionToken), 'no session')
    t.equal((await adapter.getUserByAccount(bob.account))?.id, bob.user.id, 'another user keeps the account')
    t.ok(await adapter.getSessionAndUser(bob.session.sessionToken), 'and the session')
    const again = await adapter.createUser(newUser({ email: ada.user.email }))
    await adapter.linkAccount({ ...ada.account, userId: again.id })
    await adapter.createSession(newSession(again.id, { sessionToken: ada.session.sessionToken }))
    t.equal((await adapter.getUserByAccount(ada.account))?.id, again.id, 'address and account are free again')
  })
]
