import { randomUUID } from 'node:crypto'
import type { AccountEvidence } from '@postern/core'
import { type Case, has, optional } from './case.ts'
import { createPerson, hasFields, newAccount, newEvidence } from './data.ts'
import { twins } from './texts.ts'

const its = optional('evidence')

/** Which email addresses an account has proven. */
export const accountEvidence: readonly Case[] = [
  its('getAccountEvidence', 'returns what was stored, to the millisecond', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const other = { ...newAccount({ provider: 'gitlab' }), userId: ada.user.id }
    const [first, second] = [newEvidence(ada.account), newEvidence(other, { verifiedAt: new Date(1) })]
    for (const evidence of [first, second, newEvidence(bob.account)]) await adapter.putAccountEvidence(evidence)
    const found = sorted(await adapter.getAccountEvidence(ada.user.id))
    t.equal(found.length, 2, 'both rows of the user, and no other')
    for (const [i, evidence] of sorted([first, second]).entries()) hasFields(t, found[i], evidence)
    t.same(await adapter.getAccountEvidence(randomUUID()), [], 'an unknown user has none')
  }),

  its('putAccountEvidence', 'replaces evidence of the same account', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    await adapter.putAccountEvidence(newEvidence(ada.account))
    const next = newEvidence(
      { ...ada.account, userId: bob.user.id },
      { verifiedAt: new Date('2032-02-29T23:59:59.999Z') }
    )
    await adapter.putAccountEvidence(next)
    await adapter.putAccountEvidence(next)
    t.same(await adapter.getAccountEvidence(ada.user.id), [], 'the former user has none')
    const found = await adapter.getAccountEvidence(bob.user.id)
    t.equal(found.length, 1, 'one row')
    hasFields(t, found[0], next)
  }),

  its(
    'putAccountEvidence',
    'of many who store evidence of one account, one is in force',
    async (t, adapter, { callers }) => {
      const { user, account } = await createPerson(adapter)
      const all = Array.from({ length: callers }, () => newEvidence(account))
      await Promise.all(all.map(async (evidence) => adapter.putAccountEvidence(evidence)))
      const found = await adapter.getAccountEvidence(user.id)
      t.equal(found.length, 1, 'one row')
      const isOneOfThem = all.some(({ email }) => email === found[0]?.email)
      t.ok(isOneOfThem, 'which one of them stored')
    }
  ),

  its('putAccountEvidence', 'compares keys exactly', async (t, adapter) => {
    for (const [title, one, other] of twins) {
      const [ada, bob, prefix] = [await createPerson(adapter), await createPerson(adapter), randomUUID()]
      const accounts = [
        { ...newAccount({ providerAccountId: `${prefix}-${one}` }), userId: ada.user.id },
        { ...newAccount({ providerAccountId: `${prefix}-${other}` }), userId: bob.user.id },
        { ...newAccount({ providerAccountId: `${prefix}-${one}`, provider: 'GitHub' }), userId: bob.user.id }
      ] as const
      for (const account of accounts) await adapter.linkAccount(account)
      const evidence = newEvidence(accounts[0])
      await adapter.putAccountEvidence(evidence)
      for (const account of accounts.slice(1)) await adapter.putAccountEvidence(newEvidence(account))
      const found = await adapter.getAccountEvidence(ada.user.id)
      t.equal(found[0]?.email, evidence.email, `${title} makes a difference`)
      t.equal((await adapter.getAccountEvidence(bob.user.id)).length, 2, 'in the row of the other, too')
      await adapter.unlinkAccount(accounts[1])
      t.equal((await adapter.getAccountEvidence(ada.user.id)).length, 1, 'unlinking the other leaves it')
    }
  }),

  its('getAccountEvidence', 'unlinking an account deletes its evidence', async (t, adapter) => {
    const { user, account } = await createPerson(adapter)
    const other = { ...newAccount({ provider: 'gitlab' }), userId: user.id }
    await adapter.linkAccount(other)
    for (const key of [account, other]) await adapter.putAccountEvidence(newEvidence(key))
    await adapter.unlinkAccount(account)
    const left = (await adapter.getAccountEvidence(user.id)).map(({ provider }) => provider)
    t.same(left, ['gitlab'], 'only its own')
    if (!has(adapter, 'transact')) return
    await adapter.transact([{ method: 'unlinkAccount', args: [other] }])
    t.same(await adapter.getAccountEvidence(user.id), [], 'in a transaction, too')
  }),

  its('getAccountEvidence', 'deleting a user deletes the evidence of their accounts', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    for (const { account } of [ada, bob]) await adapter.putAccountEvidence(newEvidence(account))
    await adapter.deleteUser(ada.user.id)
    t.same(await adapter.getAccountEvidence(ada.user.id), [], 'none is left')
    t.equal((await adapter.getAccountEvidence(bob.user.id)).length, 1, 'the evidence of others is left')
  })
]

const sorted = (rows: readonly AccountEvidence[]): readonly AccountEvidence[] =>
  [...rows].sort((one, other) => (one.email < other.email ? -1 : 1))
