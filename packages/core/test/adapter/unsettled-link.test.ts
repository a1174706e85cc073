import t from 'tap'
import { markClaim, markRevocation } from '../../src/adapter/claim-marker.ts'
import type { SignInMarkerKind } from '../../src/adapter/sign-in-markers.ts'
import { never, type Ticket } from '../../src/adapter/ticket.ts'
import { getLinkState, hasUnsettledLink, markUnsettledLink } from '../../src/adapter/unsettled-link.ts'
import { createTicketRows } from './ticket-rows.ts'

const now = Date.UTC(2026, 0, 1)

const marker = (kind: SignInMarkerKind, seconds: number, writer = ''): Ticket => ({
  ...{ kind, id: 'link', userId: null, tries: 0, expires: never },
  data: `${now - seconds * 1000} random${writer && ` ${writer}`}`
})

const unapproved = { isMissing: false, time: 0, epoch: '' }

/** A case: the markers, the state, and how many seconds ago the first sign-in began that may be confirmed. */
const cases: readonly (readonly [
  title: string,
  one: Ticket | null,
  other: Ticket | null,
  removal: Ticket | null,
  kind: string,
  seconds: number | null
])[] = [
  ['none', null, null, null, 'settled', null],
  ['a session links the account', marker('unsettled-link', 5), null, null, 'in-progress', null],
  ['a session linked it, and nobody confirmed it', marker('unsettled-link', 130), null, null, 'abandoned', null],
  ['a first sign-in links it', marker('unsettled-link', 5, 'first-sign-in'), null, null, 'in-progress', 5],
  ['a first sign-in ended', null, marker('unsettled-link-2', 130, 'first-sign-in'), null, 'abandoned', 130],
  [
    'two tabs: the check is due since the first one',
    marker('unsettled-link', 5, 'first-sign-in'),
    marker('unsettled-link-2', 130, 'first-sign-in'),
    null,
    'in-progress',
    130
  ],
  [
    'a session links it after a first sign-in',
    marker('unsettled-link', 130, 'first-sign-in'),
    marker('unsettled-link-2', 5),
    null,
    'in-progress',
    null
  ],
  [
    'a first sign-in links it after a session',
    marker('unsettled-link', 130),
    marker('unsettled-link-2', 130, 'first-sign-in'),
    null,
    'abandoned',
    null
  ],
  ['it was removed', null, null, marker('removed-link', 5), 'in-progress', null],
  ['it was removed minutes ago', null, null, marker('removed-link', 130), 'settled', null],
  [
    'it was removed, and a first sign-in links it again',
    marker('unsettled-link', 5, 'first-sign-in'),
    null,
    marker('removed-link', 5),
    'in-progress',
    null
  ]
]

for (const [title, one, other, removal, kind, seconds] of cases)
  t.test(title, async (t) => {
    const markers = new Map<SignInMarkerKind, Ticket | null>([
      ['unsettled-link', one],
      ['unsettled-link-2', other],
      ['removed-link', removal]
    ])
    const firstSignInSince = seconds === null ? null : now - seconds * 1000
    t.strictSame(getLinkState(markers, unapproved, now), { kind, firstSignInSince })
  })

t.test('a link of a first sign-in is settled if the user was not claimed since', async (t) => {
  const account = { provider: 'demo', providerAccountId: 'ada' }
  const { tickets } = createTicketRows()
  const isUnsettled = () => hasUnsettledLink(account, 'user', { tickets, now })
  await markUnsettledLink(account, 'user', { store: { tickets }, now, isFirstSignIn: true })
  t.notOk(await isUnsettled())
  await markRevocation('user', tickets, now + 1)
  t.notOk(await isUnsettled())
  await markClaim('user', tickets, now + 2)
  t.ok(await isUnsettled())
  for (const seconds of [60, 120, 180]) await markRevocation('user', tickets, now + seconds * 1000)
  t.ok(await isUnsettled(), 'the claim stays known')
  await markUnsettledLink(account, 'other', { store: { tickets }, now })
  t.ok(await hasUnsettledLink(account, 'other', { tickets, now }), 'the link of a session is not')
})
