import { randomUUID } from 'node:crypto'
import { type Case, has, itsOptional } from './case.ts'
import { createPerson, isNone, isRefused, newAccount, newUser } from './data.ts'

/** Operations that succeed together or not at all. */
export const transactions: readonly Case[] = [
  itsOptional('createUserWithAccount', 'creates both', async (t, adapter) => {
    const [input, account] = [newUser({ emailVerified: new Date() }), newAccount({ access_token: 'access' })]
    const user = await adapter.createUserWithAccount(input, account)
    t.equal(user.email, input.email, 'the address')
    t.equal(user.emailVerified?.getTime(), input.emailVerified?.getTime(), 'when it was proven')
    t.equal((await adapter.getUser(user.id))?.email, input.email, 'the user is there')
    t.equal((await adapter.getUserByAccount(account))?.id, user.id, 'the account is there')
    if (has(adapter, 'getAccounts')) {
      t.equal((await adapter.getAccounts(user.id))[0]?.access_token, 'access', 'with its tokens')
    }
  }),

  itsOptional('createUserWithAccount', 'leaves no user if the account is taken', async (t, adapter) => {
    const ada = await createPerson(adapter)
    const [id, input] = [randomUUID(), newUser()]
    await isRefused(t, () => adapter.createUserWithAccount({ ...input, id }, ada.account), 'a taken account is refused')
    isNone(t, await adapter.getUserByEmail(input.email ?? ''), 'no user has the address')
    isNone(t, await adapter.getUser(id), 'no user has the id')
    t.equal((await adapter.getUserByAccount(ada.account))?.id, ada.user.id, 'the owner remains')
    const user = await adapter.createUserWithAccount(input, newAccount())
    t.equal(user.email, input.email, 'the next try succeeds')
  }),

  itsOptional('createUserWithAccount', 'leaves no account if the address is taken', async (t, adapter) => {
    const ada = await createPerson(adapter)
    const account = newAccount()
    await isRefused(t, () => adapter.createUserWithAccount(newUser({ email: ada.user.email }), account), 'refused')
    isNone(t, await adapter.getUserByAccount(account), 'no user has the account')
    const owner = await adapter.getUserByEmail(ada.user.email ?? '')
    t.equal(owner?.id, ada.user.id, 'the address still belongs to its user')
  })
]
