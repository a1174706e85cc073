import t from 'tap'
import { reserveVersion } from '../../src/sessions/kept-session.ts'
import { createTicketRows } from '../adapter/ticket-rows.ts'

const now = 1_700_000_000_000
const later = now + 600_000
const ada = { userId: 'ada', version: 5 }

t.test('one session reserves a version, as often as it likes', async (t) => {
  const { tickets } = createTicketRows()
  t.ok(await reserveVersion({ ...ada, id: 'one' }, tickets, now))
  t.notOk(await reserveVersion({ ...ada, id: 'two' }, tickets, now), 'another session')
  t.ok(await reserveVersion({ ...ada, id: 'one' }, tickets, now), 'the same session')
  t.ok(await reserveVersion({ ...ada, version: 6, id: 'two' }, tickets, now), 'another version')
  t.ok(await reserveVersion({ ...ada, userId: 'bob', id: 'two' }, tickets, now), 'another user')
})

t.test('a reservation expires', async (t) => {
  const { tickets } = createTicketRows()
  await reserveVersion({ ...ada, id: 'one' }, tickets, now)
  t.notOk(await reserveVersion({ ...ada, id: 'two' }, tickets, later - 1))
  t.ok(await reserveVersion({ ...ada, id: 'two' }, tickets, later))
  t.notOk(await reserveVersion({ ...ada, id: 'one' }, tickets, later))
})

t.test('of two sessions that replace an expired reservation at once, one reserves it', async (t) => {
  for (let at = 1; at <= 3; at++) {
    const { state, tickets } = createTicketRows()
    await reserveVersion({ ...ada, id: 'old' }, tickets, now)
    const reserved: string[] = []
    const reserve = async (id: string): Promise<void> => {
      if (await reserveVersion({ ...ada, id }, tickets, later)) reserved.push(id)
    }
    let calls = 0
    state.before = async () => {
      calls += 1
      if (calls !== at) return
      await reserve('inner')
    }
    await reserve('outer')
    t.strictSame(reserved, ['inner'], `before change ${at}`)
  }
})
