import t from 'tap'
import type { Adapter } from '../../src/adapter/adapter.ts'
import { withEncryptedTickets } from '../../src/adapter/encrypted-tickets.ts'
import { getMarker, readSignInMarkers } from '../../src/adapter/sign-in-markers.ts'
import { createSuspension } from '../../src/adapter/suspension-marker.ts'
import type { Ticket, TicketKey } from '../../src/adapter/ticket.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'
import { keyRing } from '../../src/tokens/keys.ts'

const unavailable = { code: 'StoreUnavailable' }
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

const newTicket = (kind: string, id: string): Ticket => ({
  ...{ kind, id, userId: null, data: `${kind} ${id}`, tries: 0 },
  expires: new Date(1_900_000_000_123)
})
const suspension = createSuspension('ada', 1_700_000_000_123)
const claim = newTicket('claim', 'ada')
const ended = newTicket('ended-sessions', 'ada')

/** An adapter whose rows tests may change, and the methods that were called. */
function setUp(changes: Pick<Adapter, 'readTicket' | 'readTickets'> = {}, secrets: readonly string[] = ['a secret']) {
  const rows: Ticket[] = []
  const methods: string[] = []
  const find = ({ kind, id }: TicketKey): Ticket | null =>
    rows.find((row) => row.kind === kind && row.id === id) ?? null
  const adapter: Adapter = {
    createTicket: async (ticket) => rows.push(ticket),
    readTicket: async (key) => {
      methods.push('readTicket')
      return find(key)
    },
    readTickets: async (keys) => {
      methods.push('readTickets')
      // In another order than that of the keys.
      return keys.flatMap((key) => find(key) ?? []).toReversed()
    },
    countTry: async () => null,
    consumeTicket: async () => null,
    deleteTickets: async () => undefined,
    ...changes
  }
  const open = (adapter: Adapter, secrets: readonly string[]) => {
    const store = wrapAdapter(adapter, logger, { isDebugging: false, timeout: 1000 })
    return withEncryptedTickets(store, keyRing(secrets, 'ticket'))
  }
  const { readTickets, ...withoutReadTickets } = adapter
  return { rows, methods, store: open(adapter, secrets), poor: open(withoutReadTickets, secrets), open, adapter }
}

t.test('one query reads several tickets, in the order of the keys', async (t) => {
  const { rows, methods, store, poor } = setUp()
  for (const ticket of [suspension, claim, ended]) await store.tickets?.create(ticket)
  t.equal(rows[1]?.data, claim.data, 'a time, which is no secret')
  const keys = [ended, newTicket('claim', 'bob'), suspension, claim].map(({ kind, id }) => ({ kind, id }))
  t.strictSame(await store.tickets?.readAll(keys), [ended, null, suspension, claim])
  t.same(methods.splice(0), ['readTickets'])
  t.strictSame(await poor.tickets?.readAll(keys), [ended, null, suspension, claim])
  t.same(methods.splice(0), ['readTicket', 'readTicket', 'readTicket', 'readTicket'], 'without the method')
  t.strictSame(await store.tickets?.readAll(keys.slice(0, 1)), [ended])
  t.same(methods.splice(0), ['readTicket'], 'one key')
})

t.test('tickets of a removed secret are missing; those that refuse a sign-in are not', async (t) => {
  const { store, open, adapter } = setUp()
  const pending = newTicket('pending-sign-in', 'ada')
  const all = [suspension, claim, ended, pending]
  for (const ticket of all) await store.tickets?.create(ticket)
  const later = open(adapter, ['another secret'])
  t.strictSame(await later.tickets?.readAll(all), [suspension, claim, ended, null])
})

t.test('an adapter that fails, or returns something else, reads nothing as missing', async (t) => {
  const results: readonly unknown[] = [
    null,
    undefined,
    {},
    [null],
    [{ ...suspension, expires: 'never' }],
    [{ ...suspension, id: 'ADA' }],
    [claim, { ...suspension, id: 'ada ' }],
    [{ ...suspension, kind: 'Suspension' }],
    [ended]
  ]
  for (const result of results) {
    const { store } = setUp({ readTickets: async () => result as never })
    await t.rejects(async () => store.tickets?.readAll([suspension, claim]), unavailable, JSON.stringify(result))
  }
  const fails = async (): Promise<never> => Promise.reject(new Error('down'))
  const { store } = setUp({ readTickets: fails })
  await t.rejects(async () => store.tickets?.readAll([suspension, claim]), unavailable)
  const { poor } = setUp({ readTicket: async ({ kind }) => (kind === 'claim' ? fails() : null) })
  await t.rejects(async () => poor.tickets?.readAll([suspension, claim]), unavailable)
})

t.test(
  'without `readTickets`, a ticket under another spelling of its key suspends, as with `readTicket`',
  async (t) => {
    const spelling = { ...suspension, id: 'ADA' }
    const { poor } = setUp({ readTicket: async ({ kind }) => (kind === 'suspension' ? spelling : null) })
    const markers = await readSignInMarkers({ id: 'ada' }, ['claim', 'suspension'], poor)
    t.strictSame(getMarker(markers, 'suspension'), spelling)
    t.equal(getMarker(markers, 'claim'), null)
  }
)

t.test('a marker that was not read does not count as missing', async (t) => {
  const { store, methods } = setUp()
  for (const ticket of [suspension, claim, ended]) await store.tickets?.create(ticket)
  const markers = await readSignInMarkers({ id: 'ada' }, ['suspension', 'ended-sessions'], store)
  t.strictSame(getMarker(markers, 'suspension'), suspension)
  t.strictSame(getMarker(markers, 'ended-sessions'), ended)
  t.throws(() => getMarker(markers, 'claim'), TypeError)
  methods.length = 0
  for (const [user, tickets] of [
    [null, store],
    [{ id: 'ada' }, null],
    [{ id: 'ada' }, { tickets: null }]
  ] as const)
    t.equal(getMarker(await readSignInMarkers(user, ['claim', 'suspension'], tickets), 'suspension'), null)
  t.same(methods, [], 'a new user, or a store without tickets')
})
