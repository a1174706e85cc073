import { randomUUID } from 'node:crypto'
import type { EventQuery, EventRecord } from '@postern/core'
import { type Case, has, optional } from './case.ts'
import { createPerson, hasFields, isDuplicate, newEvent, newFactor } from './data.ts'
import { twins } from './texts.ts'

const its = optional('events')

/** Long before any event that others have left in the store. */
const long = new Date('1990-01-01T00:00:00.000Z')
const later = new Date('1990-01-01T00:00:00.001Z')

const getIds = (events: readonly EventRecord[]): readonly string[] => events.map(({ id }) => id)
const at = (milliseconds: number): Date => new Date(1_900_000_000_000 + milliseconds)

const ascending = (one: number, other: number): number => one - other

/** Reads all pages of a list. */
async function readPages(
  list: (query: EventQuery) => readonly EventRecord[] | Promise<readonly EventRecord[]>,
  query: EventQuery
): Promise<readonly (readonly EventRecord[])[]> {
  const pages: (readonly EventRecord[])[] = []
  for (let before: EventRecord | undefined; ; ) {
    const page = await list({ ...query, before })
    if (page.length === 0) return pages
    pages.push(page)
    before = page.at(-1)
  }
}

/** Security events. */
export const events: readonly Case[] = [
  its('addEvents', 'stores events as they are', async (t, adapter) => {
    const type = randomUUID()
    const nothing = { userId: null, sessionId: null, ip: null, userAgent: null, provider: null, requestId: null }
    const stored = [
      newEvent({ type, time: at(3), userId: randomUUID(), data: '{"reason":"Schlüssel 👩"}' }),
      newEvent({ type, time: at(2), ...nothing, data: null }),
      newEvent({ type, time: at(1), id: `${randomUUID()}${'x'.repeat(219)}`, data: 'x'.repeat(16_383) })
    ]
    await adapter.addEvents(stored)
    await adapter.addEvents([])
    const found = await adapter.listEvents({ type, limit: 10 })
    t.equal(found.length, stored.length, 'all of them')
    for (const [i, event] of stored.entries()) hasFields(t, found[i], event)
  }),

  its('addEvents', 'truncates client data, and keeps the event', async (t, adapter) => {
    const [type, long] = [randomUUID(), 'x'.repeat(100_000)]
    await adapter.addEvents([newEvent({ type, userAgent: long, requestId: long })])
    const [found] = await adapter.listEvents({ type, limit: 1 })
    for (const text of [found?.userAgent, found?.requestId])
      t.ok(text && long.startsWith(text), 'the beginning of the text is stored')
  }),

  its('addEvents', 'stores all events or none', async (t, adapter) => {
    const type = randomUUID()
    const [taken, other] = [newEvent({ type }), newEvent({ type })]
    await adapter.addEvents([taken])
    await isDuplicate(t, () => adapter.addEvents([other, { ...other, id: taken.id }]), 'an id is taken')
    await isDuplicate(t, () => adapter.addEvents([other, other]), 'an id is there twice')
    t.same(getIds(await adapter.listEvents({ type, limit: 10 })), [taken.id], 'none was stored')
  }),

  its('listEvents', 'selects by user and type, the newest first', async (t, adapter) => {
    const [ada, bob, type, otherType] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const [first, second, third, fourth] = [
      newEvent({ type, userId: ada, time: at(1) }),
      newEvent({ type, userId: bob, time: at(2) }),
      newEvent({ type: otherType, userId: ada, time: at(3) }),
      newEvent({ type, userId: ada, time: at(4) })
    ]
    await adapter.addEvents([second, fourth, first, third])
    const found = async (query: EventQuery) => getIds(await adapter.listEvents(query))
    t.same(await found({ userId: ada, limit: 10 }), getIds([fourth, third, first]), 'of a user')
    t.same(await found({ type, limit: 10 }), getIds([fourth, second, first]), 'of a type')
    t.same(await found({ userId: ada, type, limit: 10 }), getIds([fourth, first]), 'of both')
    t.same(await found({ userId: ada, limit: 2 }), getIds([fourth, third]), 'at most so many')
    t.same(await found({ userId: ada, before: third, limit: 10 }), getIds([first]), 'older than another')
    const absent = { id: randomUUID(), time: at(4) }
    t.same((await found({ userId: ada, before: absent, limit: 10 })).slice(-2), getIds([third, first]), 'or than none')
    t.same(await found({ userId: randomUUID(), limit: 10 }), [], 'an unknown user has none')
    t.ok((await adapter.listEvents({ limit: 4 })).length === 4, 'of all users')
  }),

  its('listEvents', 'pages return each event once, even of one moment', async (t, adapter) => {
    const type = randomUUID()
    const added = Array.from({ length: 20 }, (_, i) => newEvent({ type, time: at(Math.floor(i / 7)) }))
    await adapter.addEvents(added)
    for (const limit of [1, 3, 7, 20]) {
      const pages = await readPages((query) => adapter.listEvents(query), { type, limit })
      t.equal(pages.length, Math.ceil(20 / limit), `pages of ${limit}`)
      const found = pages.flat()
      t.same([...getIds(found)].sort(), [...getIds(added)].sort(), 'each once')
      const times = found.map(({ time }) => -time.getTime())
      t.same(times, [...times].sort(ascending), 'the newest first')
    }
  }),

  its('listEvents', 'compares users and types exactly', async (t, adapter) => {
    for (const [title, one, other] of twins) {
      const prefix = randomUUID()
      const event = newEvent({ userId: `${prefix}-${one}`, type: `${prefix}-${one}` })
      const twin = newEvent({ userId: `${prefix}-${other}`, type: `${prefix}-${other}` })
      await adapter.addEvents([event, twin])
      const byUser = await adapter.listEvents({ userId: `${prefix}-${one}`, limit: 10 })
      const byType = await adapter.listEvents({ type: `${prefix}-${one}`, limit: 10 })
      t.same(getIds(byUser), [event.id], `${title} makes a difference in a user`)
      t.same(getIds(byType), [event.id], `${title} makes a difference in a type`)
    }
  }),

  its('addEvents', 'deleting a user leaves their events, without the address and the browser', async (t, adapter) => {
    const [{ user }, { user: other }] = [await createPerson(adapter), await createPerson(adapter)]
    const [event, another] = [newEvent({ userId: user.id }), newEvent({ userId: other.id })]
    await adapter.addEvents([event, another])
    await adapter.deleteUser(user.id)
    const [left, ...more] = await adapter.listEvents({ userId: user.id, limit: 10 })
    t.same(more, [], 'it is left')
    hasFields(t, left, { ...event, ip: null, userAgent: null })
    hasFields(t, (await adapter.listEvents({ userId: other.id, limit: 10 }))[0], another)
  }),

  its('deleteEvents', 'deletes old events, the oldest first and some at a time', async (t, adapter) => {
    while ((await adapter.deleteEvents(later, 1000)) > 0);
    const type = randomUUID()
    const old = Array.from({ length: 5 }, (_, i) => newEvent({ type, time: new Date(long.getTime() - i) }))
    const [atThatMoment, recent] = [newEvent({ type, time: later }), newEvent({ type })]
    await adapter.addEvents([...old, atThatMoment, recent])
    t.equal(await adapter.deleteEvents(later, 2), 2, 'two at a time')
    const left = [recent, atThatMoment, ...old.slice(0, 3)]
    t.same(getIds(await adapter.listEvents({ type, limit: 10 })), getIds(left), 'the oldest')
    t.equal(await adapter.deleteEvents(later, 2), 2, 'two more')
    t.equal(await adapter.deleteEvents(later, 2), 1, 'the last')
    t.equal(await adapter.deleteEvents(later, 2), 0, 'nothing is left')
    t.same(getIds(await adapter.listEvents({ type, limit: 10 })), getIds([recent, atThatMoment]), 'newer ones are')
    await adapter.deleteEvents(new Date(later.getTime() + 1), 1)
  }),

  its('deleteExpired', 'leaves events and factors', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    await adapter.addEvents([newEvent({ userId: user.id, time: long })])
    if (has(adapter, 'createFactor')) await adapter.createFactor(newFactor(user.id, { createdAt: long }))
    await adapter.deleteExpired(later, 1000)
    t.equal((await adapter.listEvents({ userId: user.id, limit: 10 })).length, 1, 'the event is left')
    if (has(adapter, 'listFactors')) t.equal((await adapter.listFactors(user.id)).length, 1, 'the factor is left')
    while ((await adapter.deleteEvents(later, 1000)) > 0);
  })
]
