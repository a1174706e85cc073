import { randomUUID } from 'node:crypto'
import type { AdapterCall } from '@postern/core'
import { type Case, has, optional } from './case.ts'
import {
  createPerson,
  hasFields,
  isDuplicate,
  isNone,
  newEvidence,
  newTicket,
  newToken,
  newUser,
  race
} from './data.ts'

const its = optional('tickets')

/** Tickets in a transaction. */
export const ticketTransactions: readonly Case[] = [
  its('transact', 'stores evidence, and creates, consumes and deletes tickets', async (t, adapter) => {
    if (!has(adapter, 'getAccountEvidence')) return
    const { user, account } = await createPerson(adapter)
    const [consumed, created, deleted] = [newTicket(), newTicket(), newTicket({ userId: user.id, kind: 'reset' })]
    const left = newTicket({ userId: user.id })
    for (const ticket of [consumed, deleted, left]) await adapter.createTicket(ticket)
    const calls: readonly AdapterCall[] = [
      { method: 'consumeTicket', args: [consumed] },
      { method: 'putAccountEvidence', args: [newEvidence(account)] },
      { method: 'putAccountEvidence', args: [newEvidence(account, { email: 'ada@example.com' })] },
      { method: 'createTicket', args: [created] },
      { method: 'deleteTickets', args: [user.id, 'reset'] }
    ]
    t.equal(await adapter.transact(calls), true, 'the transaction is committed')
    for (const ticket of [consumed, deleted]) isNone(t, await adapter.readTicket(ticket), 'the ticket no longer exists')
    for (const ticket of [created, left]) hasFields(t, await adapter.readTicket(ticket), ticket)
    const [evidence] = await adapter.getAccountEvidence(user.id)
    t.equal(evidence?.email, 'ada@example.com', 'the evidence is stored')
  }),

  its('transact', 'does nothing if a ticket no longer exists', async (t, adapter) => {
    if (!has(adapter, 'getAccountEvidence')) return
    const [id, token] = [randomUUID(), newToken()]
    const { user, account } = await createPerson(adapter)
    const [there, created, gone] = [newTicket({ userId: user.id }), newTicket(), newTicket()]
    await adapter.createTicket(there)
    await adapter.createVerificationToken(token)
    const calls: readonly AdapterCall[] = [
      { method: 'useVerificationToken', args: [token] },
      { method: 'consumeTicket', args: [there] },
      { method: 'createUser', args: [newUser({ id })] },
      { method: 'putAccountEvidence', args: [newEvidence(account)] },
      { method: 'createTicket', args: [created] },
      { method: 'deleteTickets', args: [user.id] }
    ]
    const absent: AdapterCall = { method: 'consumeTicket', args: [gone] }
    for (const batch of [
      [absent, ...calls],
      [...calls, absent]
    ]) {
      t.equal(await adapter.transact(batch), false, 'the transaction is rolled back')
      isNone(t, await adapter.getUser(id), 'no user')
      isNone(t, await adapter.readTicket(created), 'no new ticket')
      hasFields(t, await adapter.readTicket(there), there)
      t.same(await adapter.getAccountEvidence(user.id), [], 'no evidence')
    }
    t.ok(await adapter.useVerificationToken(token), 'the one-time token is left')
  }),

  its('transact', 'does nothing if a ticket that it replaces has changed', async (t, adapter) => {
    if (!has(adapter, 'putTicket')) return
    const [replaced, created] = [newTicket(), newTicket()]
    await adapter.putTicket(replaced, null)
    const next = newTicket({ id: replaced.id })
    const calls: readonly AdapterCall[] = [
      { method: 'putTicket', args: [created, null] },
      { method: 'putTicket', args: [next, replaced] }
    ]
    await adapter.countTry(replaced)
    t.equal(await adapter.transact(calls), false, 'the transaction is rolled back')
    hasFields(t, await adapter.readTicket(replaced), { ...replaced, tries: 1 })
    isNone(t, await adapter.readTicket(created), 'no new ticket')
    await adapter.putTicket(replaced, { ...replaced, tries: 1 })
    t.equal(await adapter.transact(calls), true, 'it is made if the ticket is as expected')
    hasFields(t, await adapter.readTicket(replaced), next)
    hasFields(t, await adapter.readTicket(created), created)
    t.equal(await adapter.transact(calls), false, 'once')
  }),

  its('transact', 'undoes its calls if a ticket exists', async (t, adapter) => {
    const [taken, consumed] = [newTicket(), newTicket()]
    for (const ticket of [taken, consumed]) await adapter.createTicket(ticket)
    const calls: readonly AdapterCall[] = [
      { method: 'consumeTicket', args: [consumed] },
      { method: 'createTicket', args: [newTicket({ id: taken.id })] }
    ]
    await isDuplicate(t, () => adapter.transact(calls), 'the pair is taken')
    for (const ticket of [taken, consumed]) hasFields(t, await adapter.readTicket(ticket), ticket)
  })
]

/** Concurrent calls for one ticket. */
export const ticketRaces: readonly Case[] = [
  its('consumeTicket', 'of many callers, one receives the ticket', async (t, adapter, { callers }) => {
    const ticket = newTicket()
    await adapter.createTicket(ticket)
    const { winners, losers } = await race(callers, () => adapter.consumeTicket(ticket))
    t.equal(losers, 0, 'no call fails')
    t.equal(winners.filter((found) => found).length, 1, 'one receives it')
  }),

  its('countTry', 'many callers receive different counts', async (t, adapter, { callers }) => {
    const ticket = newTicket()
    await adapter.createTicket(ticket)
    const { winners } = await race(callers, () => adapter.countTry(ticket))
    const counts = winners.map(Number).sort((one, other) => one - other)
    const expected = Array.from({ length: callers }, (_, i) => i + 1)
    t.same(counts, expected, 'each count once')
  }),

  its('putTicket', 'of many who replace one ticket, one succeeds', async (t, adapter, { callers }) => {
    const ticket = newTicket()
    const created = await race(callers, () => adapter.putTicket(newTicket({ id: ticket.id }), null))
    t.equal(created.losers, 0, 'no call fails')
    t.equal(created.winners.filter((isDone) => isDone).length, 1, 'one creates it')
    const before = await adapter.readTicket(ticket)
    const next = Array.from({ length: callers }, () => newTicket({ id: ticket.id }))
    const { winners, losers } = await race(callers, (caller) =>
      adapter.putTicket(next[caller] ?? ticket, before ?? ticket)
    )
    t.equal(losers, 0, 'no call fails')
    const made = next.filter((_, caller) => winners[caller])
    t.equal(made.length, 1, 'one replaces it')
    t.equal((await adapter.readTicket(ticket))?.data, made[0]?.data, 'whose ticket is stored')
  }),

  its('createTicket', 'of many who create one pair, one succeeds', async (t, adapter, { callers }) => {
    const id = randomUUID()
    const { winners } = await race(callers, async () => {
      const ticket = newTicket({ id })
      await adapter.createTicket(ticket)
      return ticket
    })
    t.equal(winners.length, 1, 'one succeeds')
    t.equal((await adapter.readTicket(newTicket({ id })))?.data, winners[0]?.data, 'whose ticket is stored')
  }),

  its('transact', 'of many concurrent calls that consume one ticket, one succeeds', async (t, adapter, { callers }) => {
    const ticket = newTicket()
    await adapter.createTicket(ticket)
    const ids = Array.from({ length: callers }, () => randomUUID())
    const { winners, losers } = await race(callers, (caller) =>
      adapter.transact([
        { method: 'consumeTicket', args: [ticket] },
        { method: 'createUser', args: [newUser({ id: ids[caller] ?? randomUUID() })] }
      ])
    )
    t.equal(losers, 0, 'no call fails')
    t.equal(winners.filter((isDone) => isDone).length, 1, 'one is committed')
    const users = await Promise.all(ids.map(async (id) => adapter.getUser(id)))
    t.equal(users.filter((user) => user).length, 1, 'one user')
  })
]
