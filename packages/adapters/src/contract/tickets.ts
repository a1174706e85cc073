import { randomUUID } from 'node:crypto'
import type { Ticket, TicketKey } from '@postern/core'
import { type Case, optional } from './case.ts'
import { createPerson, hasFields, isDuplicate, isNone, newTicket } from './data.ts'
import { twins } from './texts.ts'

const its = optional('tickets')

/** Pending operations. */
export const tickets: readonly Case[] = [
  its('readTicket', 'returns a ticket as it was stored', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const stored = [
      newTicket({ userId: user.id, tries: 3, expires: new Date('2031-02-03T04:05:06.789Z') }),
      newTicket({ userId: null, data: '' }),
      newTicket({ id: 'x'.repeat(255), kind: `k${randomUUID()}` }),
      newTicket({ data: `${'x'.repeat(16_380)}👩` }),
      newTicket({ expires: new Date(Date.now() - 60_000) })
    ]
    for (const ticket of stored) await adapter.createTicket(ticket)
    for (const ticket of stored) {
      const { kind, id } = ticket
      hasFields(t, await adapter.readTicket({ kind, id }), ticket)
      hasFields(t, await adapter.readTicket({ kind, id }), ticket)
    }
    isNone(t, await adapter.readTicket({ kind: 'invitation', id: randomUUID() }), 'an unknown id has none')
  }),

  its('readTickets', 'returns the tickets that exist, each once', async (t, adapter) => {
    const id = randomUUID()
    const stored = [
      newTicket({ id, tries: 3, expires: new Date('2031-02-03T04:05:06.789Z') }),
      newTicket({ id, kind: 'reset', expires: new Date(Date.now() - 60_000) }),
      newTicket({ kind: `k${randomUUID()}`, id: 'x'.repeat(255) })
    ]
    const [one, other, long] = stored.map(({ kind, id }) => ({ kind, id }))
    if (!one || !other || !long) return
    // Same kind or same id as one of them, but not its pair.
    await adapter.createTicket(newTicket({ kind: 'reset' }))
    await adapter.createTicket(newTicket({ id, kind: 'other' }))
    for (const ticket of stored) await adapter.createTicket(ticket)
    const none = { kind: 'invitation', id: randomUUID() }
    const cases: readonly (readonly [keys: readonly TicketKey[], expected: readonly Ticket[]])[] = [
      [[], []],
      [[none], []],
      [[one], stored.slice(0, 1)],
      [[other, none, one], stored.slice(0, 2)],
      [[long, other, one], stored],
      [[one, other, one], stored.slice(0, 2)],
      [[...Array.from({ length: 97 }, () => ({ ...none, id: randomUUID() })), long, other, one], stored]
    ]
    for (const [keys, expected] of cases) {
      const found = await adapter.readTickets(keys)
      t.equal(found.length, expected.length, `${expected.length} of ${keys.length} keys`)
      for (const ticket of expected) {
        const same = found.find(({ kind, id }) => kind === ticket.kind && id === ticket.id)
        hasFields(t, same, ticket)
      }
    }
    for (const [title, text, twin] of twins) {
      const prefix = randomUUID()
      const ticket = newTicket({ id: `${prefix}-${text}` })
      await adapter.createTicket(ticket)
      const keys = [{ kind: ticket.kind, id: `${prefix}-${twin}` }, { kind: 'Invitation', id: ticket.id }, none]
      t.same(await adapter.readTickets(keys), [], `${title} makes a difference`)
    }
  }),

  its('createTicket', 'refuses a pair that exists, expired or not', async (t, adapter) => {
    for (const expires of [new Date(Date.now() + 60_000), new Date(Date.now() - 60_000)]) {
      const ticket = newTicket({ expires })
      await adapter.createTicket(ticket)
      await isDuplicate(t, () => adapter.createTicket(newTicket({ id: ticket.id })), 'the second is refused')
      await isDuplicate(t, () => adapter.createTicket(ticket), 'the same again is refused')
      await adapter.createTicket({ ...ticket, kind: 'reset' })
      hasFields(t, await adapter.readTicket(ticket), ticket)
    }
  }),

  its('createTicket', 'compares keys exactly', async (t, adapter) => {
    for (const [title, one, other] of twins) {
      const prefix = randomUUID()
      const ticket = newTicket({ id: `${prefix}-${one}` })
      const twin = newTicket({ id: `${prefix}-${other}` })
      await adapter.createTicket(ticket)
      isNone(t, await adapter.readTicket(twin), `${title} makes a difference`)
      isNone(t, await adapter.consumeTicket(twin), 'the twin consumes nothing')
      isNone(t, await adapter.consumeTicket({ kind: 'Invitation', id: ticket.id }), 'nor does another kind')
      isNone(t, await adapter.countTry(twin), 'and counts no attempt')
      await adapter.createTicket(twin)
      hasFields(t, await adapter.consumeTicket(twin), twin)
      hasFields(t, await adapter.readTicket(ticket), ticket)
    }
  }),

  its('consumeTicket', 'returns a ticket once, expired or not', async (t, adapter) => {
    for (const expires of [new Date('2031-02-03T04:05:06.789Z'), new Date(Date.now() - 60_000)]) {
      const ticket = newTicket({ expires })
      await adapter.createTicket(ticket)
      hasFields(t, await adapter.consumeTicket({ kind: ticket.kind, id: ticket.id }), ticket)
      isNone(t, await adapter.consumeTicket(ticket), 'it is consumed')
      isNone(t, await adapter.readTicket(ticket), 'and no longer there')
      await adapter.createTicket(ticket)
      hasFields(t, await adapter.consumeTicket(ticket), ticket)
    }
  }),

  its('countTry', 'returns the new count', async (t, adapter) => {
    const ticket = newTicket({ tries: 2 })
    const other = newTicket()
    for (const one of [ticket, other]) await adapter.createTicket(one)
    for (const count of [3, 4]) t.equal(await adapter.countTry({ kind: ticket.kind, id: ticket.id }), count, `${count}`)
    hasFields(t, await adapter.consumeTicket(ticket), { ...ticket, tries: 4 })
    hasFields(t, await adapter.consumeTicket(other), other)
    isNone(t, await adapter.countTry(ticket), 'a ticket that no longer exists counts nothing')
  }),

  its('putTicket', 'replaces a ticket that is unchanged', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const first = newTicket({ tries: 2 })
    t.equal(await adapter.putTicket(first, null), true, 'it is created')
    hasFields(t, await adapter.readTicket(first), { ...first, dueAt: null })
    t.equal(await adapter.putTicket({ ...first, data: 'v1.other' }, null), false, 'but not a second time')
    const { kind, id } = first
    const second = newTicket({ kind, id, userId: user.id, dueAt: new Date('2031-02-03T04:05:06.789Z') })
    for (const changed of [{ data: 'v1.other' }, { tries: 3 }, { userId: user.id }, { expires: new Date(0) }])
      t.equal(await adapter.putTicket(second, { ...first, ...changed }), false, `not if it had ${Object.keys(changed)}`)
    hasFields(t, await adapter.readTicket(first), first)
    t.equal(await adapter.putTicket(second, first), true, 'it is replaced')
    hasFields(t, await adapter.readTicket(first), second)
    t.equal(await adapter.putTicket(first, first), false, 'once')
    t.equal(await adapter.putTicket({ ...first, data: 'v1.third' }, second), true, 'by the next one')
    const gone = newTicket()
    t.equal(await adapter.putTicket(gone, gone), false, 'a missing ticket is not replaced')
    isNone(t, await adapter.readTicket(gone), 'nor created')
  }),

  its('listDueTickets', 'returns the tickets of a kind that are due', async (t, adapter) => {
    const kind = `k${randomUUID()}`
    const at = (second: number): Date => new Date(Date.UTC(2031, 1, 3, 4, 5, second, 789))
    // Whether they have expired does not matter.
    const expires = new Date(Date.now() - 60_000)
    const due = [3, 1, 2].map((second) => newTicket({ kind, dueAt: at(second), expires }))
    const others = [newTicket({ kind }), newTicket({ kind, dueAt: null }), newTicket({ dueAt: at(1) })]
    for (const ticket of [...due, ...others]) await adapter.createTicket(ticket)
    const list = async (now: Date, max: number) => (await adapter.listDueTickets(kind, now, max)).map(({ id }) => id)
    t.same(await list(new Date(at(1).getTime() - 1), 10), [], 'none before its time')
    t.same(await list(at(2), 10), [due[1]?.id, due[2]?.id], 'those whose time has come, the earliest first')
    t.same(await list(at(9), 2), [due[1]?.id, due[2]?.id], 'at most as many as asked for')
    const [first] = await adapter.listDueTickets(kind, at(9), 1)
    hasFields(t, first, { ...newTicket(due[1]), dueAt: at(1) })
  }),

  its('deleteTickets', 'deletes the tickets of a user, of one kind or all', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const reset = newTicket({ userId: ada.user.id, kind: 'reset' })
    const others = [newTicket({ userId: ada.user.id }), newTicket({ userId: ada.user.id, kind: 'Reset' })]
    const foreign = [newTicket({ userId: bob.user.id, kind: 'reset' }), newTicket({ kind: 'reset' })]
    for (const ticket of [reset, ...others, ...foreign]) await adapter.createTicket(ticket)
    await adapter.deleteTickets(ada.user.id, 'reset')
    isNone(t, await adapter.readTicket(reset), 'those of the kind are deleted')
    for (const ticket of others) hasFields(t, await adapter.readTicket(ticket), ticket)
    await adapter.deleteTickets(ada.user.id)
    for (const ticket of others) isNone(t, await adapter.readTicket(ticket), 'all are deleted')
    await adapter.deleteTickets(ada.user.id)
    for (const ticket of foreign) hasFields(t, await adapter.readTicket(ticket), ticket)
  }),

  its('createTicket', 'deleting a user deletes their tickets', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const all = [newTicket({ userId: ada.user.id }), newTicket({ userId: bob.user.id }), newTicket()]
    for (const ticket of all) await adapter.createTicket(ticket)
    await adapter.deleteUser(ada.user.id)
    const found = await Promise.all(all.map(async (ticket) => (await adapter.readTicket(ticket))?.id ?? null))
    t.same(found, [null, all[1]?.id, all[2]?.id], 'but no others')
  })
]
