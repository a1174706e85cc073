import { type Case, has, it, itsOptional } from './case.ts'
import { createPerson, hasFields, newAccount, newToken, newUser, race } from './data.ts'

/** Concurrent calls. */
export const races: readonly Case[] = [
  it('of many who take one token, one gets it', async (t, adapter, { callers }) => {
    const token = newToken()
    await adapter.createVerificationToken(token)
    const { winners } = await race(callers, () => adapter.useVerificationToken(token))
    t.equal(winners.filter((taken) => taken).length, 1, 'one winner')
  }),

  it('many who take one token with a wrong identifier do not use it up', async (t, adapter, { callers }) => {
    const [token, { identifier }] = [newToken(), newToken()]
    await adapter.createVerificationToken(token)
    const { winners } = await race(callers, (caller) =>
      adapter.useVerificationToken(caller === 0 ? token : { identifier, token: token.token })
    )
    t.equal(winners.filter((taken) => taken).length, 1, 'one winner, with the right token')
  }),

  it('of many users who are created with one address, one is', async (t, adapter, { callers }) => {
    const input = newUser()
    const { winners } = await race(callers, () => adapter.createUser(input))
    t.equal(winners.length, 1, 'one winner')
    t.equal((await adapter.getUserByEmail(input.email ?? ''))?.id, winners[0]?.id, 'the existing user')
  }),

  it('of many who link one account, one owns it', async (t, adapter, { callers }) => {
    const owners: string[] = []
    for (let i = 0; i < callers; i += 1) owners.push((await adapter.createUser(newUser())).id)
    const account = newAccount()
    const { winners } = await race(callers, async (caller) => {
      const userId = owners[caller] ?? ''
      await adapter.linkAccount({ ...account, userId })
      return userId
    })
    t.equal(winners.length, 1, 'one winner')
    t.equal((await adapter.getUserByAccount(account))?.id, winners[0], 'the owner')
  }),

  it('of many updates of one session, one is in force', async (t, adapter, { callers }) => {
    const { user, session } = await createPerson(adapter)
    const { sessionToken } = session
    const ends = Array.from({ length: callers }, (_, i) => session.expires.getTime() + i + 1)
    const { losers } = await race(callers, (caller) =>
      adapter.updateSession({ sessionToken, expires: new Date(ends[caller] ?? 0) })
    )
    t.equal(losers, 0, 'no call is refused')
    const found = await adapter.getSessionAndUser(sessionToken)
    t.ok(ends.includes(found?.session.expires.getTime() ?? 0), 'one of them')
    t.equal(found?.user.id, user.id, 'it still belongs to its user')
  }),

  it('two updates of one user do not undo each other', async (t, adapter) => {
    const { id } = await adapter.createUser(newUser())
    const emailVerified = new Date()
    await race(2, (caller) => adapter.updateUser(caller === 0 ? { id, emailVerified } : { id, name: 'Countess' }))
    hasFields(t, await adapter.getUser(id), { emailVerified, name: 'Countess' })
  }),

  itsOptional(
    'createUserWithAccount',
    'of many first sign-ins of one person, one succeeds',
    async (t, adapter, { callers }) => {
      const [input, account] = [newUser(), newAccount()]
      const { winners } = await race(callers, () => adapter.createUserWithAccount(input, account))
      t.equal(winners.length, 1, 'one winner')
      t.equal((await adapter.getUserByEmail(input.email ?? ''))?.id, winners[0]?.id, 'the existing user')
      t.equal((await adapter.getUserByAccount(account))?.id, winners[0]?.id, 'and owns the account')
      if (has(adapter, 'getAccounts'))
        t.equal((await adapter.getAccounts(winners[0]?.id ?? '')).length, 1, 'one account')
    }
  ),

  itsOptional('updateAccount', 'of many who expect one refresh token, one writes', async (t, adapter, { callers }) => {
    const { account } = await createPerson(adapter)
    await adapter.updateAccount({ ...account, refresh_token: 'first' })
    const { winners, losers } = await race(callers, async (caller) => {
      const next = { ...account, refresh_token: `next-${caller}` }
      return (await adapter.updateAccount(next, { refresh_token: 'first' })) === false ? null : next.refresh_token
    })
    const written = winners.filter((token) => token !== null)
    t.equal(losers, 0, 'no call is refused')
    t.equal(written.length, 1, 'one winner')
    if (has(adapter, 'getAccounts'))
      t.equal((await adapter.getAccounts(account.userId))[0]?.refresh_token, written[0], 'whose token is stored')
  }),

  itsOptional('createUserWithAccount', 'no user is left without an account', async (t, adapter, { callers }) => {
    const [account, people] = [newAccount(), Array.from({ length: callers }, () => newUser())]
    const { winners } = await race(callers, (caller) =>
      adapter.createUserWithAccount(people[caller] ?? newUser(), account)
    )
    const found = await Promise.all(people.map(({ email }) => adapter.getUserByEmail(email ?? '')))
    t.equal(winners.length, 1, 'one winner')
    t.equal(found.filter((user) => user).length, 1, 'one user')
  })
]
