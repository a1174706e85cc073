import { randomUUID } from 'node:crypto'
import type { Factor } from '@postern/core'
import { type Case, optional } from './case.ts'
import { createPerson, hasFields, isDuplicate, isNone, newFactor } from './data.ts'
import { twins } from './texts.ts'

const its = optional('factors')

const getNames = (factors: readonly Factor[]): readonly (string | null)[] => factors.map(({ name }) => name)

/** What users authenticate with. */
export const factors: readonly Case[] = [
  its('getFactor', 'returns a factor as it was stored', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const stored = [
      newFactor(user.id, { version: 7, lastUsedAt: new Date('2031-02-03T05:05:06.999Z') }),
      newFactor(user.id, { name: null, data: '' }),
      newFactor(user.id, { id: 'x'.repeat(255), type: `t${randomUUID()}` }),
      newFactor(user.id, { name: 'Schlüssel 👩', data: `${'x'.repeat(16_380)}👩` })
    ]
    for (const factor of stored) await adapter.createFactor(factor)
    for (const factor of stored) hasFields(t, await adapter.getFactor({ type: factor.type, id: factor.id }), factor)
    isNone(t, await adapter.getFactor({ type: 'totp', id: randomUUID() }), 'an unknown id has none')
  }),

  its('createFactor', 'refuses a pair that exists', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const factor = newFactor(ada.user.id)
    await adapter.createFactor(factor)
    const { id } = factor
    await isDuplicate(t, () => adapter.createFactor(newFactor(bob.user.id, { id })), 'the second is refused')
    await isDuplicate(t, () => adapter.createFactor(factor), 'the same again is refused')
    await adapter.createFactor({ ...factor, type: 'passkey' })
    hasFields(t, await adapter.getFactor(factor), factor)
  }),

  its('createFactor', 'compares keys exactly', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    for (const [title, one, other] of twins) {
      const prefix = randomUUID()
      const factor = newFactor(user.id, { id: `${prefix}-${one}` })
      const twin = newFactor(user.id, { id: `${prefix}-${other}` })
      await adapter.createFactor(factor)
      for (const key of [twin, { ...factor, type: 'Totp' }]) {
        isNone(t, await adapter.getFactor(key), `${title} makes a difference`)
        t.equal(await adapter.updateFactor(key, 1), false, 'the twin updates nothing')
        t.equal(await adapter.deleteFactor(key), false, 'and deletes nothing')
      }
      await adapter.createFactor(twin)
      hasFields(t, await adapter.getFactor(twin), twin)
      hasFields(t, await adapter.getFactor(factor), factor)
    }
  }),

  its('listFactors', 'returns the factors of a user, of one type or all, the oldest first', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const at = (milliseconds: number) => ({ createdAt: new Date(1_900_000_000_000 + milliseconds) })
    const passkey = { type: 'passkey', name: 'second', ...at(2) }
    const all = [
      newFactor(ada.user.id, { name: 'third', ...at(3) }),
      newFactor(ada.user.id, { name: 'first', ...at(1) }),
      newFactor(ada.user.id, passkey),
      newFactor(ada.user.id, { ...passkey, type: 'Passkey', name: 'fourth', ...at(4) }),
      newFactor(bob.user.id, passkey)
    ]
    for (const factor of all) await adapter.createFactor(factor)
    t.same(getNames(await adapter.listFactors(ada.user.id)), ['first', 'second', 'third', 'fourth'], 'all')
    t.same(getNames(await adapter.listFactors(ada.user.id, 'totp')), ['first', 'third'], 'of one type')
    const [found, ...others] = await adapter.listFactors(ada.user.id, 'passkey')
    t.equal(others.length, 0, 'a type that differs in case is another')
    hasFields(t, found, all[2] ?? {})
    t.same(await adapter.listFactors(ada.user.id, 'unknown'), [], 'none of an unknown type')
    t.same(await adapter.listFactors(randomUUID()), [], 'an unknown user has none')
  }),

  its('updateFactor', 'writes if the version is the expected one', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const [factor, other] = [newFactor(user.id), newFactor(user.id)]
    for (const one of [factor, other]) await adapter.createFactor(one)
    const lastUsedAt = new Date('2031-02-03T06:05:06.001Z')
    const next = { ...factor, name: 'New phone', data: `v1.${randomUUID()}`, lastUsedAt }
    for (const version of [0, 2]) t.equal(await adapter.updateFactor(next, version), false, `not version ${version}`)
    hasFields(t, await adapter.getFactor(factor), factor)
    t.equal(await adapter.updateFactor({ ...next, createdAt: new Date(0), version: 9 }, 1), true, 'it is written')
    hasFields(t, await adapter.getFactor(factor), { ...next, version: 2 })
    t.equal(await adapter.updateFactor(next, 1), false, 'the version has changed')
    t.equal(await adapter.updateFactor({ ...next, name: null, lastUsedAt: null }, 2), true, 'fields can be emptied')
    hasFields(t, await adapter.getFactor(factor), { ...next, name: null, lastUsedAt: null, version: 3 })
    hasFields(t, await adapter.getFactor(other), other)
  }),

  its('updateFactor', 'changes no factor of another user, and none that no longer exists', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const factor = newFactor(ada.user.id)
    await adapter.createFactor(factor)
    t.equal(await adapter.updateFactor({ ...factor, userId: bob.user.id, data: 'v1' }, 1), false, 'another user')
    hasFields(t, await adapter.getFactor(factor), factor)
    await adapter.deleteFactor(factor)
    t.equal(await adapter.updateFactor(factor, 1), false, 'it no longer exists')
    isNone(t, await adapter.getFactor(factor), 'and is not restored')
  }),

  its('deleteFactor', 'deletes a factor, and returns whether it was there', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const [factor, other] = [newFactor(user.id), newFactor(user.id)]
    for (const one of [factor, other]) await adapter.createFactor(one)
    t.equal(await adapter.deleteFactor({ type: factor.type, id: factor.id }), true, 'it was')
    t.equal(await adapter.deleteFactor(factor), false, 'it no longer is')
    isNone(t, await adapter.getFactor(factor), 'it no longer exists')
    hasFields(t, await adapter.getFactor(other), other)
  }),

  its('createFactor', 'deleting a user deletes their factors', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    for (const { user } of [ada, bob]) await adapter.createFactor(newFactor(user.id))
    await adapter.deleteUser(ada.user.id)
    t.same(await adapter.listFactors(ada.user.id), [], 'none is left')
    t.equal((await adapter.listFactors(bob.user.id)).length, 1, 'those of others are')
  })
]
