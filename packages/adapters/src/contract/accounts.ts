import { randomUUID } from 'node:crypto'
import { type Case, has, it, itsOptional } from './case.ts'
import { createPerson, hasFields, isNone, isRefused, newAccount, newUser } from './data.ts'

const tokens = {
  access_token: 'access',
  refresh_token: 'refresh',
  id_token: 'id',
  token_type: 'bearer',
  scope: 'openid email',
  session_state: 'state',
  expires_at: 2_000_000_000
} as const

/** Non-standard fields and types in the token responses of providers. */
const oddTokens: Readonly<Record<string, unknown>> = {
  id_token: { header: {}, claims: {} },
  session_state: true,
  refresh_expires_in: 15_897_600,
  'not-before-policy': 0,
  created_at: new Date(),
  ok: true
}

/** Accounts and their users. */
export const accounts: readonly Case[] = [
  it('a linked account finds its user', async (t, adapter) => {
    const { user, account } = await createPerson(adapter)
    const found = await adapter.getUserByAccount(account)
    hasFields(t, found, { id: user.id, email: user.email })
  }),

  it('both members of the pair have to match', async (t, adapter) => {
    const { account } = await createPerson(adapter)
    const { provider, providerAccountId } = account
    isNone(t, await adapter.getUserByAccount({ provider: 'gitlab', providerAccountId }), 'another provider')
    isNone(t, await adapter.getUserByAccount({ provider, providerAccountId: randomUUID() }), 'another id')
    isNone(t, await adapter.getUserByAccount({ provider: providerAccountId, providerAccountId: provider }), 'swapped')
  }),

  it('one id at two providers may be two people', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await adapter.createUser(newUser())]
    const account = { ...ada.account, provider: 'gitlab', userId: bob.id }
    await adapter.linkAccount(account)
    t.equal((await adapter.getUserByAccount(ada.account))?.id, ada.user.id, 'the first')
    t.equal((await adapter.getUserByAccount(account))?.id, bob.id, 'the second')
  }),

  it('an account has one owner', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await adapter.createUser(newUser())]
    await isRefused(t, () => adapter.linkAccount({ ...ada.account, userId: bob.id }), 'a second owner is refused')
    t.equal((await adapter.getUserByAccount(ada.account))?.id, ada.user.id, 'the first stays the owner')
  }),

  it('unlinking takes away that account only', async (t, adapter) => {
    const { user, account } = await createPerson(adapter)
    const other = { ...newAccount({ provider: 'gitlab' }), userId: user.id }
    await adapter.linkAccount(other)
    await adapter.unlinkAccount({ provider: account.provider, providerAccountId: other.providerAccountId })
    t.equal((await adapter.getUserByAccount(account))?.id, user.id, 'a pair that does not exist takes nothing')
    await adapter.unlinkAccount(account)
    isNone(t, await adapter.getUserByAccount(account), 'unlinked')
    t.equal((await adapter.getUserByAccount(other))?.id, user.id, 'the other remains')
    t.equal((await adapter.getUser(user.id))?.id, user.id, 'and so does the user')
  }),

  it('fields that are unknown or of another type do not fail', async (t, adapter) => {
    const user = await adapter.createUser(newUser())
    const account = { ...newAccount(), ...tokens, ...oddTokens, expires_at: 2_000_000_000.5, userId: user.id }
    await adapter.linkAccount(account)
    t.equal((await adapter.getUserByAccount(account))?.id, user.id, 'the account is there')
    if (!has(adapter, 'getAccounts')) return
    const [stored] = await adapter.getAccounts(user.id)
    t.equal(stored?.access_token, tokens.access_token, 'what fits is kept')
    t.equal(stored?.expires_at, 2_000_000_000, 'seconds are whole')
    isNone(t, stored?.id_token, 'an object is not a string')
    isNone(t, stored?.session_state, 'a boolean is not a string')
  }),

  itsOptional('getAccounts', 'returns all accounts of that user', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const other = { ...newAccount({ provider: 'gitlab', type: 'oidc' }), ...tokens, userId: ada.user.id }
    await adapter.linkAccount(other)
    const found = await adapter.getAccounts(ada.user.id)
    const ids = found.map(({ providerAccountId }) => providerAccountId).sort()
    t.same(ids, [ada.account.providerAccountId, other.providerAccountId].sort(), 'both, and no other user’s')
    const stored = found.find(({ provider }) => provider === 'gitlab')
    hasFields(t, stored, other)
    t.equal((await adapter.getAccounts(bob.user.id)).length, 1, 'another user has their own')
    t.equal((await adapter.getAccounts(randomUUID())).length, 0, 'an unknown user has none')
  }),

  itsOptional('updateAccount', 'writes the given fields of that account only', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    await adapter.updateAccount({ ...ada.account, ...tokens })
    const { provider, providerAccountId } = ada.account
    await adapter.updateAccount({ provider, providerAccountId, access_token: 'new', refresh_token: null })
    t.equal((await adapter.getUserByAccount(ada.account))?.id, ada.user.id, 'the owner remains')
    if (!has(adapter, 'getAccounts')) return
    const [account] = await adapter.getAccounts(ada.user.id)
    t.equal(account?.access_token, 'new', 'changed')
    isNone(t, account?.refresh_token, 'emptied')
    t.equal(account?.id_token, tokens.id_token, 'left')
    t.equal(account?.expires_at, tokens.expires_at, 'left')
    t.equal(account?.type, ada.account.type, 'left')
    isNone(t, (await adapter.getAccounts(bob.user.id))[0]?.access_token, 'another user’s is unchanged')
  }),

  itsOptional('updateAccount', 'does not fail on fields that are unknown or of another type', async (t, adapter) => {
    const { user, account } = await createPerson(adapter)
    await adapter.updateAccount({ ...account, ...tokens, ...oddTokens })
    t.equal((await adapter.getUserByAccount(account))?.id, user.id, 'the account is there')
  }),

  itsOptional('updateAccount', 'creates nothing', async (t, adapter) => {
    const account = newAccount(tokens)
    await Promise.allSettled([adapter.updateAccount(account)])
    isNone(t, await adapter.getUserByAccount(account), 'no account')
  }),

  itsOptional('updateAccount', 'writes only if the refresh token is the expected one', async (t, adapter) => {
    const { account } = await createPerson(adapter)
    await adapter.updateAccount({ ...account, refresh_token: 'Refresh' })
    const write = async (refresh_token: string, expected: string | null): Promise<boolean> =>
      (await adapter.updateAccount({ ...account, refresh_token }, { refresh_token: expected })) !== false
    t.equal(await write('other', null), false, 'not without an expected token')
    t.equal(await write('other', 'refresh'), false, 'not with a similar token')
    t.equal(await write('next', 'Refresh'), true, 'with the expected token')
    t.equal(await write('other', 'Refresh'), false, 'not with the previous token')
    if (has(adapter, 'getAccounts'))
      t.equal((await adapter.getAccounts(account.userId))[0]?.refresh_token, 'next', 'written once')
    t.equal(await write('next', 'next'), true, 'the same token again is written too')
    await adapter.unlinkAccount(account)
    t.equal(await write('other', 'next'), false, 'not if the account no longer exists')
  }),

  itsOptional('updateAccount', 'may expect that there is no refresh token', async (t, adapter) => {
    const { account } = await createPerson(adapter)
    const none = { refresh_token: null }
    const wrong = { refresh_token: 'refresh' }
    t.equal(await adapter.updateAccount({ ...account, refresh_token: 'next' }, wrong), false, 'not if one was expected')
    t.ok((await adapter.updateAccount({ ...account, refresh_token: 'next' }, none)) !== false, 'the first is written')
    t.equal(await adapter.updateAccount({ ...account, refresh_token: 'last' }, none), false, 'and then no other')
  })
]
