import t from 'tap'
import type { Adapter } from '../../src/adapter/adapter.ts'
import type { Ticket, TicketKey } from '../../src/adapter/ticket.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'
import { encrypt } from './encrypt.ts'

const unavailable = { code: 'StoreUnavailable' }
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

const newTicket = (kind: string, id: string): Ticket => ({
  ...{ kind, id, userId: null, data: `${kind} ${id}`, tries: 0 },
  expires: new Date(1_900_000_000_123)
})
const [deletion, change, reset] = [
  newTicket('deletion', 'ada'),
  newTicket('email-change', 'ada'),
  newTicket('reset', 'ada')
]

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
    return encrypt(store, secrets)
  }
  const { readTickets, ...withoutReadTickets } = adapter
  return { rows, methods, store: open(adapter, secrets), poor: open(withoutReadTickets, secrets), open, adapter }
}

t.test('one query reads several tickets, in the order of the keys', async (t) => {
  const { rows, methods, store, poor } = setUp()
  for (const ticket of [deletion, change, reset]) await store.tickets?.create(ticket)
  t.not(rows[1]?.data, change.data, 'the data is encrypted')
  const keys = [reset, newTicket('email-change', 'bob'), deletion, change].map(({ kind, id }) => ({ kind, id }))
  t.strictSame(await store.tickets?.readAll(keys), [reset, null, deletion, change])
  t.same(methods.splice(0), ['readTickets'])
  t.strictSame(await poor.tickets?.readAll(keys), [reset, null, deletion, change])
  t.same(methods.splice(0), ['readTicket', 'readTicket', 'readTicket', 'readTicket'], 'without the method')
  t.strictSame(await store.tickets?.readAll(keys.slice(0, 1)), [reset])
  t.same(methods.splice(0), ['readTicket'], 'one key')
})

t.test('tickets of a removed secret are missing', async (t) => {
  const { store, open, adapter } = setUp()
  for (const ticket of [deletion, change]) await store.tickets?.create(ticket)
  const later = open(adapter, ['another secret'])
  t.strictSame(await later.tickets?.readAll([deletion, change]), [null, null])
})

t.test('an adapter that fails, or returns something else, reads nothing as missing', async (t) => {
  const results: readonly unknown[] = [
    null,
    undefined,
    {},
    [null],
    [{ ...deletion, expires: 'never' }],
    [{ ...deletion, id: 'ADA' }],
    [change, { ...deletion, id: 'ada ' }],
    [{ ...deletion, kind: 'Deletion' }],
    [reset]
  ]
  for (const result of results) {
    const { store } = setUp({ readTickets: async () => result as never })
    await t.rejects(async () => store.tickets?.readAll([deletion, change]), unavailable, JSON.stringify(result))
  }
  const fails = async (): Promise<never> => Promise.reject(new Error('down'))
  const { store } = setUp({ readTickets: fails })
  await t.rejects(async () => store.tickets?.readAll([deletion, change]), unavailable)
  const { poor } = setUp({ readTicket: async ({ kind }) => (kind === 'email-change' ? fails() : null) })
  await t.rejects(async () => poor.tickets?.readAll([deletion, change]), unavailable)
})
