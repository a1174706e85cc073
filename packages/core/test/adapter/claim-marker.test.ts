import t from 'tap'
import {
  isClaimPending,
  markClaim,
  markPendingClaim,
  markRevocation,
  readSessionsMark,
  wasClaimedSince
} from '../../src/adapter/claim-marker.ts'
import { markEndedSessions, readEndedSessionsMark } from '../../src/adapter/ended-sessions.ts'
import type { TicketStore } from '../../src/adapter/store.ts'
import { createTicketRows } from './ticket-rows.ts'

const start = 1_700_000_000_000
const day = 86_400_000
const user = { id: 'ada', email: 'ada@example.com' }

const fail = async (): Promise<never> => {
  throw new Error('the process has ended')
}

type Mark = (tickets: TicketStore, now: number) => Promise<unknown>

/** Runs a call whose process ends before its change with this number. @returns Whether it made as many. */
async function interrupt({ state, tickets }: ReturnType<typeof createTicketRows>, mark: Mark, at: number, now: number) {
  let changes = 0
  state.before = async () => {
    changes += 1
    if (changes >= at) await fail()
  }
  await mark(tickets, now).catch(() => undefined)
  state.before = async () => undefined
  return changes >= at
}

const marks: readonly (readonly [string, Mark])[] = [
  ['a claim', (tickets, now) => markClaim(user.id, tickets, now)],
  ['the end of all sessions', (tickets, now) => markRevocation(user.id, tickets, now)]
]

for (const [name, mark] of marks)
  t.test(`${name} stays known while the next one is recorded, and if its process ends`, async (t) => {
    for (const before of [1, 2, 3])
      for (let at = 1; at < 10; at++) {
        const setting = createTicketRows()
        const { state, tickets } = setting
        for (let count = 0; count < before; count++) await mark(tickets, start + count * 1000)
        const seen: boolean[] = []
        state.before = async () => seen.push(await wasClaimedSince(user.id, start - 1, tickets))
        await mark(tickets, start + 60_000)
        t.ok(seen.length > 0)
        t.notOk(seen.includes(false), `known before each change, after ${before}`)
        const hasFailed = await interrupt(setting, mark, at, start + 120_000)
        t.ok(await wasClaimedSince(user.id, start + 59_999, tickets), `the process ends before change ${at}`)
        if (!hasFailed) break
      }
  })

t.test('the last of several claims at once stays', async (t) => {
  for (let count = 2; count <= 6; count++) {
    const { tickets } = createTicketRows()
    await markRevocation(user.id, tickets, start)
    await Promise.all(Array.from({ length: count }, (_, index) => markClaim(user.id, tickets, start + index * 1000)))
    t.ok(await wasClaimedSince(user.id, start + (count - 1) * 1000, tickets), `${count} at once`)
  }
})

t.test('a claim that a removed secret has encrypted is replaced', async (t) => {
  const { open } = createTicketRows()
  for (const secret of ['one', 'two', 'three']) {
    for (const now of [start, start + 1]) await markClaim(user.id, open(secret), now)
    t.ok(await wasClaimedSince(user.id, start, open(secret)), secret)
  }
})

t.test(
  'the mark of sessions differs after each claim and each end of all sessions, whatever the clocks say',
  async (t) => {
    const { state, tickets } = createTicketRows()
    const seen = [await readSessionsMark(user.id, tickets)]
    for (const now of [start, start, start - 5000, start + 1000, start - 60_000])
      for (const [name, mark] of marks) {
        const during: string[] = []
        state.before = async () => during.push(await readSessionsMark(user.id, tickets))
        await mark(tickets, now)
        state.before = async () => undefined
        t.ok(during.length > 0)
        for (const value of during) t.equal(value, seen.at(-1), 'the earlier one stays until then')
        const value = await readSessionsMark(user.id, tickets)
        t.notOk(seen.includes(value), `${name} at ${now}`)
        seen.push(value)
      }
  }
)

t.test('an end of sessions after the markers of earlier ones have expired has another mark', async (t) => {
  for (const [name, mark] of marks) {
    const { rows, tickets } = createTicketRows()
    await mark(tickets, start)
    const before = await readSessionsMark(user.id, tickets)
    rows.clear()
    await mark(tickets, start + 401 * day)
    t.not(await readSessionsMark(user.id, tickets), before, name)
  }
})

t.test('each end of sessions has another mark, whatever the clocks say', async (t) => {
  const { state, open } = createTicketRows()
  const seen: (string | null)[] = [await readEndedSessionsMark(user.id, open())]
  t.strictSame(seen, [null], 'none yet')
  for (const [secret, now] of [
    ['one', start],
    ['one', start],
    ['two', start - 5000],
    ['two', start + 86_400_000],
    ['three', 0]
  ] as const) {
    const during: (string | null)[] = []
    state.before = async () => during.push(await readEndedSessionsMark(user.id, open('none of them')))
    await markEndedSessions(user.id, open(secret), now)
    t.ok(during.length > 0)
    for (const mark of during) t.equal(mark, seen.at(-1), 'the earlier one stays until then')
    const mark = await readEndedSessionsMark(user.id, open('none of them'))
    t.notOk(seen.includes(mark))
    seen.push(mark)
  }
})

t.test('of ends of sessions at once, each changes the mark', async (t) => {
  const { state, rows, tickets } = createTicketRows()
  for (const count of [9, 19]) {
    await Promise.all(Array.from({ length: 10 }, () => markEndedSessions(user.id, tickets, start)))
    t.equal(rows.get('ended-sessions ada')?.tries, count, 'the first one creates the ticket, and each other one counts')
  }
  state.before = fail
  await t.rejects(markEndedSessions(user.id, tickets, start), { code: 'StoreUnavailable' })
})

t.test('the mark also changes if the adapter does not count', async (t) => {
  for (const counted of [null, undefined]) {
    const { adapter, open } = createTicketRows()
    adapter.countTry = () => counted
    const seen = new Set<string | null>()
    for (let end = 1; end <= 3; end++) {
      await markEndedSessions(user.id, open(), start)
      seen.add(await readEndedSessionsMark(user.id, open()))
      t.equal(seen.size, end)
    }
  }
})

t.test('a claim whose data is not a time counts from when it was written', async (t) => {
  const { tickets } = createTicketRows()
  const expires = new Date(start + 400 * day)
  await tickets.create({ kind: 'claim', id: user.id, userId: null, data: 'unknown', tries: 0, expires })
  t.ok(await wasClaimedSince(user.id, start - 1, tickets))
  t.notOk(await wasClaimedSince(user.id, start, tickets))
  await markClaim(user.id, tickets, start)
  t.ok(await wasClaimedSince(user.id, start, tickets))
})

t.test('a claim that is not complete stays known after its secret was removed, and from each start', async (t) => {
  const { rows, open } = createTicketRows()
  await markPendingClaim(user, open('one'), start)
  t.ok(await isClaimPending(user, open('two')))
  await markPendingClaim(user, open('two'), start)
  t.ok(await isClaimPending(user, open('two')))
  await markPendingClaim(user, open('two'), start + 399 * day)
  const expires = rows.get('pending-claim ada')?.expires.getTime() ?? 0
  t.ok(expires > start + 700 * day, 'it expires 400 days after the last start')
})

t.test('a claim that is not complete stays known while it starts again', async (t) => {
  for (let at = 1; at < 10; at++) {
    const setting = createTicketRows()
    const { state, tickets } = setting
    await markPendingClaim(user, tickets, start)
    const seen: boolean[] = []
    state.before = async () => seen.push(await isClaimPending(user, tickets))
    await markPendingClaim(user, tickets, start + 1000)
    t.notOk(seen.includes(false), 'while it starts again')
    state.before = async () => undefined
    const hasFailed = await interrupt(setting, (store, now) => markPendingClaim(user, store, now), at, start + 2000)
    t.ok(await isClaimPending(user, tickets), `the process ends before change ${at}`)
    if (!hasFailed) break
  }
  const { tickets } = createTicketRows()
  await markPendingClaim(user, tickets, start)
  await markPendingClaim({ ...user, email: 'new@example.com' }, tickets, start)
  t.notOk(await isClaimPending(user, tickets))
  t.ok(await isClaimPending({ ...user, email: 'new@example.com' }, tickets), 'of another address')
})
