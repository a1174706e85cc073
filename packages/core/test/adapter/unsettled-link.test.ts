import t from 'tap'
import type { SignInMarkerKind } from '../../src/adapter/sign-in-markers.ts'
import { never, type Ticket } from '../../src/adapter/ticket.ts'
import { getLinkState, hasUnsettledLink, markUnsettledLink, settleLink } from '../../src/adapter/unsettled-link.ts'
import { createTicketRows } from './ticket-rows.ts'

const now = Date.UTC(2026, 0, 1)

const marker = (kind: SignInMarkerKind, seconds: number): Ticket => ({
  ...{ kind, id: 'link', userId: null, tries: 0, expires: never },
  data: `${now - seconds * 1000} random`
})

/** A case: the markers, how many seconds ago the account was approved, and the state. */
const cases: readonly (readonly [
  title: string,
  one: Ticket | null,
  other: Ticket | null,
  removal: Ticket | null,
  approved: number | null,
  state: string
])[] = [
  ['none', null, null, null, null, 'settled'],
  ['a session links the account', marker('unsettled-link', 5), null, null, null, 'in-progress'],
  ['a session linked it, and nobody confirmed it', marker('unsettled-link', 130), null, null, null, 'abandoned'],
  ['the same in the second slot', null, marker('unsettled-link-2', 130), null, null, 'abandoned'],
  [
    'a link in progress, after another',
    marker('unsettled-link', 130),
    marker('unsettled-link-2', 5),
    null,
    null,
    'in-progress'
  ],
  ['another link was approved since', marker('unsettled-link', 130), null, null, 20, 'settled'],
  ['another link was approved at the same time', marker('unsettled-link', 130), null, null, 130, 'settled'],
  ['another link was approved before', marker('unsettled-link', 130), null, null, 140, 'abandoned'],
  ['a clock that is ahead', marker('unsettled-link', -20), null, null, null, 'in-progress'],
  ['a clock that was ahead by a day', marker('unsettled-link', -86_400), null, null, null, 'abandoned'],
  ['it was removed', null, null, marker('removed-link', 5), null, 'in-progress'],
  ['it was removed minutes ago', null, null, marker('removed-link', 130), null, 'settled']
]

for (const [title, one, other, removal, approved, state] of cases)
  t.test(title, async (t) => {
    const markers = new Map<SignInMarkerKind, Ticket | null>([
      ['unsettled-link', one],
      ['unsettled-link-2', other],
      ['removed-link', removal]
    ])
    const time = approved === null ? 0 : now - approved * 1000
    t.equal(getLinkState(markers, { isMissing: false, approvedEpoch: '', time, epoch: '' }, now), state)
  })

t.test('a marker that is created late does not count against the link that was settled meanwhile', async (t) => {
  const account = { provider: 'demo', providerAccountId: 'ada' }
  const { tickets, rows } = createTicketRows()
  const store = { tickets }
  const linked = { account, userId: 'user' }
  const isUnsettled = () => hasUnsettledLink(account, 'user', { tickets, now: now + 200_000 })
  await markUnsettledLink(account, 'user', { store, now })
  const late = new Map(rows)
  rows.clear()
  const link = await markUnsettledLink(account, 'user', { store, now: now + 1 })
  t.ok(await isUnsettled())
  t.ok(await settleLink(link, linked, { store, now: now + 2 }))
  t.notOk(await isUnsettled())
  for (const [key, row] of late) rows.set(key, row)
  t.notOk(await isUnsettled())
})

t.test('a third link within a day replaces the marker of the first one', async (t) => {
  const account = { provider: 'demo', providerAccountId: 'ada' }
  const { tickets, rows } = createTicketRows()
  const store = { tickets }
  for (const minutes of [0, 3, 6]) await markUnsettledLink(account, 'user', { store, now: now + minutes * 60_000 })
  t.equal(rows.size, 2)
  await t.rejects(markUnsettledLink(account, 'user', { store, now: now + 7 * 60_000 }), {
    code: 'OAuthAccountNotLinked'
  })
})
