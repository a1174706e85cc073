import { setImmediate as turn } from 'node:timers/promises'
import { createRandom } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import t from 'tap'
import type { TicketStore } from '../../src/adapter/store.ts'
import {
  isReserved,
  type Reservation,
  releaseVersion,
  reserveForEnd,
  reserveVersion
} from '../../src/sessions/kept-session.ts'
import { createTicketRows } from '../adapter/ticket-rows.ts'

const now = 1_700_000_000_000
const second = 1000
const ada = { userId: 'ada', version: 5 }

t.test('one session reserves a version, as often as it likes', async (t) => {
  const { tickets } = createTicketRows()
  const reservation = await reserveVersion({ ...ada, id: 'one' }, tickets, now)
  t.ok(reservation)
  t.equal(await reserveVersion({ ...ada, id: 'two' }, tickets, now), null, 'another session')
  t.strictSame(await reserveVersion({ ...ada, id: 'one' }, tickets, now), reservation, 'the same session')
  t.ok(await reserveVersion({ ...ada, version: 6, id: 'two' }, tickets, now), 'another version')
  t.ok(await reserveVersion({ ...ada, userId: 'bob', id: 'two' }, tickets, now), 'another user')
})

t.test('a reservation counts for 30 seconds, and refuses others for 60', async (t) => {
  const { tickets } = createTicketRows()
  const first = await reserveVersion({ ...ada, id: 'one' }, tickets, now)
  if (!first) throw new Error('expected a reservation')
  t.ok(await isReserved(first, tickets, now + 29 * second))
  t.notOk(await isReserved(first, tickets, now + 30 * second))
  t.equal(await reserveVersion({ ...ada, id: 'two' }, tickets, now + 59 * second), null)
  t.ok(await reserveVersion({ ...ada, id: 'two' }, tickets, now + 60 * second))
  t.equal(await reserveVersion({ ...ada, id: 'one' }, tickets, now + 60 * second), null)
})

t.test('a session that tries again after 20 seconds has the whole time', async (t) => {
  const { tickets } = createTicketRows()
  const first = await reserveVersion({ ...ada, id: 'one' }, tickets, now)
  t.strictSame(await reserveVersion({ ...ada, id: 'one' }, tickets, now + 19 * second), first, 'it has 11 s left')
  const later = now + 20 * second
  const again = await reserveVersion({ ...ada, id: 'one' }, tickets, later)
  if (!first || !again) throw new Error('expected two reservations')
  t.ok(await isReserved(again, tickets, later + 29 * second))
  t.ok(await isReserved(first, tickets, later), 'so does a request that has the first one')
  t.notOk(await isReserved(first, tickets, now + 30 * second), 'which is not prolonged')
  t.strictSame(await reserveVersion({ ...ada, id: 'one' }, tickets, later), again, 'and shares it')
  t.equal(await reserveVersion({ ...ada, id: 'two' }, tickets, now + 60 * second), null, 'after the first one')
  t.equal(await reserveVersion({ ...ada, id: 'two' }, tickets, later + 59 * second), null)
})

t.test('a reservation that is deleted, or replaced, is lost', async (t) => {
  const { rows, tickets } = createTicketRows()
  const first = await reserveVersion({ ...ada, id: 'one' }, tickets, now)
  if (!first) throw new Error('expected a reservation')
  rows.clear()
  t.notOk(await isReserved(first, tickets, now))
  const again = await reserveVersion({ ...ada, id: 'one' }, tickets, now)
  t.notOk(await isReserved(first, tickets, now), 'also if the same session reserves it again')
  if (!again) throw new Error('expected another one')
  await releaseVersion(first, tickets)
  t.ok(await isReserved(again, tickets, now), 'only its own is released')
  await releaseVersion(again, tickets)
  t.ok(await reserveVersion({ ...ada, id: 'two' }, tickets, now), 'released')
})

t.test('processes share reservations while a secret is replaced', async (t) => {
  const { open } = createTicketRows()
  const reservation = await reserveVersion({ ...ada, id: 'one' }, open('the next secret'), now)
  if (!reservation) throw new Error('expected a reservation')
  t.equal(await reserveVersion({ ...ada, id: 'two' }, open('a secret'), now), null)
  t.strictSame(await reserveVersion({ ...ada, id: 'one' }, open('a secret'), now), reservation)
  t.ok(await isReserved(reservation, open('a secret'), now))
})

t.test('an end of all sessions takes the version from every session, also one that is raised meanwhile', async (t) => {
  const { tickets } = createTicketRows()
  const earlier = await reserveVersion({ ...ada, id: 'one' }, tickets, now)
  if (!earlier) throw new Error('expected a reservation')
  const versions = [5, 6, 6, 6]
  const getVersion = async (): Promise<number> => versions.shift() ?? 6
  await reserveForEnd({ userId: 'ada', getVersion }, tickets, now)
  t.notOk(await isReserved(earlier, tickets, now))
  t.equal(await reserveVersion({ ...ada, version: 6, id: 'one' }, tickets, now), null)
})

/** Waits before each call until a test lets it through. */
function hold(tickets: TicketStore, waiting: (() => void)[]): TicketStore {
  const turnUp = () => new Promise<void>((resolve) => waiting.push(resolve))
  return {
    ...tickets,
    create: async (ticket) => {
      await turnUp()
      return tickets.create(ticket)
    },
    read: async (key) => {
      await turnUp()
      return tickets.read(key)
    },
    consume: async (key) => {
      await turnUp()
      return tickets.consume(key)
    }
  }
}

for (const ids of [
  ['one', 'two'],
  ['one', 'one', 'two'],
  ['one', 'two', 'three']
])
  for (const age of [null, 45, 60])
    t.test(
      `${ids.join()} at once, after ${age === null ? 'none' : `one's of ${age} s ago`}: one holds it`,
      async (t) => {
        const bytes = createRandom()
        const problems: string[] = []
        for (let round = 0; round < times(60, 300); round++) {
          const { tickets } = createTicketRows()
          const at = now + (age ?? 0) * second
          if (age !== null) await reserveVersion({ ...ada, id: 'one' }, tickets, now)
          const waiting: (() => void)[] = []
          let running = ids.length
          const reserve = async (id: string): Promise<Reservation | null> => {
            const reservation = await reserveVersion({ ...ada, id }, hold(tickets, waiting), at)
            running -= 1
            return reservation
          }
          const all = ids.map(reserve)
          while (running > 0) {
            while (waiting.length < running) await turn()
            const [byte = 0] = bytes(1)
            waiting.splice(byte % waiting.length, 1)[0]?.()
          }
          const reservations = await Promise.all(all)
          const holders = new Set<string>()
          for (const [index, reservation] of reservations.entries())
            if (reservation && (await isReserved(reservation, tickets, at))) holders.add(ids[index] ?? '')
          if (holders.size !== 1) problems.push(`round ${round}: ${[...holders].join() || 'nobody'}`)
        }
        t.strictSame(problems, [])
      }
    )
