import { randomUUID } from 'node:crypto'
import type { AdapterCall } from '@postern/core'
import { type Case, has, optional } from './case.ts'
import { createPerson, hasFields, isDuplicate, isNone, newEvent, newFactor, newUser, race } from './data.ts'

const its = optional('factors')

/** Factors and events in a transaction. */
export const factorTransactions: readonly Case[] = [
  its('transact', 'creates, updates and deletes factors, and adds events', async (t, adapter) => {
    if (!has(adapter, 'listEvents')) return
    const { user } = await createPerson(adapter)
    const [created, updated, deleted] = [newFactor(user.id), newFactor(user.id), newFactor(user.id)]
    for (const factor of [updated, deleted]) await adapter.createFactor(factor)
    const next = { ...updated, data: `v1.${randomUUID()}` }
    const events = [newEvent({ userId: user.id }), newEvent({ userId: user.id })]
    const calls: readonly AdapterCall[] = [
      { method: 'createFactor', args: [created] },
      { method: 'updateFactor', args: [next, 1] },
      { method: 'updateFactor', args: [created, created.version] },
      { method: 'deleteFactor', args: [deleted] },
      { method: 'deleteFactor', args: [deleted] },
      { method: 'addEvents', args: [events] },
      { method: 'addEvents', args: [[]] }
    ]
    t.equal(await adapter.transact(calls), true, 'the transaction is committed')
    hasFields(t, await adapter.getFactor(created), { ...created, version: 2 })
    hasFields(t, await adapter.getFactor(updated), { ...next, version: 2 })
    isNone(t, await adapter.getFactor(deleted), 'a factor no longer exists')
    t.equal((await adapter.listEvents({ userId: user.id, limit: 10 })).length, 2, 'the events are stored')
  }),

  its('transact', 'does nothing if a factor has another version or no longer exists', async (t, adapter) => {
    if (!has(adapter, 'listEvents')) return
    const { user } = await createPerson(adapter)
    const [created, updated, deleted] = [newFactor(user.id), newFactor(user.id), newFactor(user.id)]
    for (const factor of [updated, deleted]) await adapter.createFactor(factor)
    const id = randomUUID()
    const calls: readonly AdapterCall[] = [
      { method: 'createUser', args: [newUser({ id })] },
      { method: 'createFactor', args: [created] },
      { method: 'updateFactor', args: [{ ...updated, data: 'v1' }, 1] },
      { method: 'deleteFactor', args: [deleted] },
      { method: 'addEvents', args: [[newEvent({ userId: user.id })]] }
    ]
    const failing: readonly AdapterCall[] = [
      { method: 'updateFactor', args: [updated, 5] },
      { method: 'updateFactor', args: [newFactor(user.id), 1] },
      { method: 'deleteFactor', args: [newFactor(user.id)], isRequired: true }
    ]
    for (const one of failing)
      for (const batch of [
        [one, ...calls],
        [...calls, one]
      ]) {
        t.equal(await adapter.transact(batch), false, `${one.method} rolls the transaction back`)
        isNone(t, await adapter.getUser(id), 'no user')
        isNone(t, await adapter.getFactor(created), 'no new factor')
        for (const factor of [updated, deleted]) hasFields(t, await adapter.getFactor(factor), factor)
        t.same(await adapter.listEvents({ userId: user.id, limit: 10 }), [], 'no event')
      }
  }),

  its('transact', 'undoes its calls if a factor or an event exists', async (t, adapter) => {
    if (!has(adapter, 'addEvents')) return
    const { user } = await createPerson(adapter)
    const [factor, event] = [newFactor(user.id), newEvent()]
    await adapter.createFactor(factor)
    await adapter.addEvents([event])
    const deletion: AdapterCall = { method: 'deleteFactor', args: [factor] }
    const creation: AdapterCall = { method: 'createFactor', args: [newFactor(user.id, { id: factor.id })] }
    await isDuplicate(t, () => adapter.transact([creation, deletion]), 'the pair is taken')
    hasFields(t, await adapter.getFactor(factor), factor)
    const addition: AdapterCall = { method: 'addEvents', args: [[newEvent({ id: event.id })]] }
    await isDuplicate(t, () => adapter.transact([deletion, addition]), 'the id is taken')
    hasFields(t, await adapter.getFactor(factor), factor)
    t.equal(await adapter.transact([deletion, creation]), true, 'a pair that was deleted is free again')
  })
]

/** Concurrent calls for one factor. */
export const factorRaces: readonly Case[] = [
  its('updateFactor', 'of many who expect one version, one writes', async (t, adapter, { callers }) => {
    const { user } = await createPerson(adapter)
    const factor = newFactor(user.id)
    await adapter.createFactor(factor)
    const { winners, losers } = await race(callers, async () => {
      const next = { ...factor, data: `v1.${randomUUID()}` }
      return (await adapter.updateFactor(next, 1)) ? next : null
    })
    t.equal(losers, 0, 'no call fails')
    const [next, ...others] = winners.flatMap((one) => one ?? [])
    t.equal(others.length, 0, 'one writes')
    hasFields(t, await adapter.getFactor(factor), { ...factor, ...next, version: 2 })
  }),

  its('deleteFactor', 'of many callers, one deletes the factor', async (t, adapter, { callers }) => {
    const { user } = await createPerson(adapter)
    const factor = newFactor(user.id)
    await adapter.createFactor(factor)
    const { winners, losers } = await race(callers, () => adapter.deleteFactor(factor))
    t.equal(losers, 0, 'no call fails')
    t.equal(winners.filter((isDeleted) => isDeleted).length, 1, 'one deletes it')
  }),

  its('createFactor', 'of many who create one pair, one succeeds', async (t, adapter, { callers }) => {
    const { user } = await createPerson(adapter)
    const id = randomUUID()
    const { winners } = await race(callers, async () => {
      const factor = newFactor(user.id, { id })
      await adapter.createFactor(factor)
      return factor
    })
    t.equal(winners.length, 1, 'one succeeds')
    const [factor] = winners
    if (factor && has(adapter, 'getFactor')) hasFields(t, await adapter.getFactor(factor), factor)
  }),

  its('transact', 'of many concurrent calls that expect one version, one succeeds', async (t, adapter, { callers }) => {
    if (!has(adapter, 'listEvents')) return
    const { user } = await createPerson(adapter)
    const factor = newFactor(user.id)
    await adapter.createFactor(factor)
    const { winners, losers } = await race(callers, () =>
      adapter.transact([
        { method: 'updateFactor', args: [{ ...factor, data: `v1.${randomUUID()}` }, 1] },
        { method: 'addEvents', args: [[newEvent({ userId: user.id })]] }
      ])
    )
    t.equal(losers, 0, 'no call fails')
    t.equal(winners.filter((isDone) => isDone).length, 1, 'one is committed')
    t.equal((await adapter.getFactor(factor))?.version, 2, 'one update')
    t.equal((await adapter.listEvents({ userId: user.id, limit: callers + 1 })).length, 1, 'one event')
  })
]
