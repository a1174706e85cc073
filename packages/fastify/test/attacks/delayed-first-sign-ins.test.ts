import { memoryAdapter } from '@postern/adapters/memory'
import credentials from '@postern/core/providers/credentials'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { signInByMail } from '../start.ts'
import {
  email,
  endNext,
  idByEmail,
  owner,
  signInLate,
  startPlain,
  stopBeforeLink,
  stopNext,
  stopTwoLinks,
  stranger,
  unproven
} from './first-sign-ins.ts'
import { createFaulty, createGate, lost } from './link-faults.ts'
import { choose, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn, signIn, strategies } from './setup.ts'

// First sign-ins with an adapter without transactions, of which a call or its reply is delayed for seconds or minutes.

const turns = turnsOf(strategies, t)

for (const completes of ['the first', 'the second'] as const)
  for (const { value: strategy, test } of turns())
    test(`${strategy}: ${completes} tab of a stranger completes beside a late link of another one`, async (t) => {
      const reported = createGate()
      let isFirst = true
      const linkAccount = async (): Promise<void> => {
        if (isFirst) await reported.stop()
        isFirst = false
      }
      const { started, faults } = await startPlain(t, strategy, { events: { linkAccount } })
      const own = started.newBrowser()
      const { first, firstLink, firstTab, second, secondLink, secondTab } = await stopTwoLinks(started, faults)
      const [early, late] = completes === 'the first' ? [firstLink, secondLink] : [secondLink, firstLink]
      early.open()
      await reported.isReached
      await signInByMail(started, own, email)
      const id = await idByEmail(started)
      t.strictSame(await accountsOf(started, id), [])
      const linked = stopNext(faults, 'after', 'linkAccount')
      late.open()
      await linked.isReached
      reported.open()
      await (completes === 'the first' ? firstTab : secondTab)
      linked.open()
      await Promise.all([firstTab, secondTab])
      t.equal(await idIn(own), id)
      t.equal(await idIn(first), null)
      t.equal(await idIn(second), null)
      t.strictSame(await accountsOf(started, id), [])
    })

for (const person of [owner, unproven])
  for (const fault of ['its check fails', 'the reply is late'])
    t.test(
      `verified ${person.email_verified}: another tab signs in with the account that the first one has linked, and ${fault}`,
      async (t) => {
        const { started, faults } = await startPlain(t, 'jwt')
        const [first, second] = [started.newBrowser(), started.newBrowser()]
        const { finish } = await begin(started, first, person)
        let before: string | null = null
        faults.after = async (name) => {
          if (name !== 'linkAccount') return
          faults.after = null
          started.clock.advance(20)
          await signIn(started, second, person)
          before = await idIn(second)
          if (fault === 'the reply is late') started.clock.advance(110)
          else
            faults.before = async (name) => {
              if (name !== 'readTickets') return
              faults.before = null
              lost()
            }
        }
        await finish()
        const id = await idByEmail(started)
        t.equal(before, id)
        t.equal(await idIn(second), id)
        for (const seconds of [0, 20, 130, 3600]) {
          started.clock.advance(seconds)
          t.equal(await signInLate(started, person), id, `after ${seconds} s`)
          t.strictSame(await accountsOf(started, id), ['demo new'])
        }
      }
    )

for (const ends of [true, false])
  t.test(
    `all sessions end, after a first sign-in that ${ends ? 'was interrupted' : 'is slower than another tab'}`,
    async (t) => {
      const { started, faults } = await startPlain(t)
      const { finish } = await begin(started, started.newBrowser(), unproven)
      const gate = ends ? endNext(faults, 'after', 'linkAccount') : stopNext(faults, 'before', 'linkAccount')
      const first = finish()
      await gate.isReached
      started.clock.advance(20)
      const id = await idByEmail(started)
      t.equal(await signInLate(started, unproven), id)
      started.clock.advance(1)
      await started.app.postern.sessions.revokeAll(id)
      started.clock.advance(1)
      gate.open()
      await first
      for (const seconds of [5, 130, 130, 3600]) {
        started.clock.advance(seconds)
        t.equal(await signInLate(started, unproven), id, `after ${seconds} s`)
        t.strictSame(await accountsOf(started, id), ['demo new'])
      }
    }
  )

for (const ends of [true, false])
  for (const { value: strategy, test } of turns())
    test(`${strategy}: a stranger's account is linked minutes late, after a claim${ends ? ', and the process ends' : ''}`, async (t) => {
      const { started, faults } = await startPlain(t, strategy)
      const [first, second, own] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
      const { link: late, tab: slow } = await stopBeforeLink(started, faults, stranger, first)
      started.clock.advance(130)
      await signIn(started, second, stranger)
      const id = await idByEmail(started)
      t.equal(await idIn(second), id)
      started.clock.advance(5)
      await signInByMail(started, own, email)
      t.equal(await idIn(second), null)
      const linked = (ends ? endNext : stopNext)(faults, 'after', 'linkAccount')
      late.open()
      await linked.isReached
      for (const seconds of ends ? [0, 200, 90_000] : [0]) {
        started.clock.advance(seconds)
        t.equal(await signInLate(started, stranger), null, `after ${seconds} s`)
      }
      if (ends) t.strictSame(await accountsOf(started, id), [])
      linked.open()
      await slow
      t.equal(await idIn(first), null)
      started.clock.advance(130)
      t.equal(await signInLate(started, stranger), null)
      t.strictSame(await accountsOf(started, id), [])
      await signInByMail(started, own, email)
      t.equal(await idIn(own), id)
      await signIn(started, own, stranger, { link: 'true' })
      t.equal(await signInLate(started, stranger), id, 'the owner may connect it')
    })

t.test(
  'the reply that confirms a sign-in is minutes late, while the account is linked again and removed',
  async (t) => {
    const { started, faults } = await startPlain(t)
    const [third, own] = [started.newBrowser(), started.newBrowser()]
    const { finish } = await begin(started, third, stranger)
    const { first, firstLink, firstTab, secondLink, secondTab } = await stopTwoLinks(started, faults)
    firstLink.open()
    await firstTab
    const id = await idByEmail(started)
    t.equal(await idIn(first), id)
    // The third one finds the account, and is about to create its session.
    const creating = stopNext(faults, 'before', 'createSession')
    const thirdTab = finish()
    await creating.isReached
    await signInByMail(started, own, email)
    t.strictSame(await accountsOf(started, id), [])
    const confirmed = createGate()
    let isLinked = false
    faults.after = async (name) => {
      if (name === 'linkAccount') {
        isLinked = true
        creating.open()
        await confirmed.isReached
      } else if (isLinked && name === 'updateAccount') {
        faults.after = null
        await confirmed.stop()
      }
    }
    secondLink.open()
    await secondTab
    t.strictSame(await accountsOf(started, id), [])
    started.clock.advance(130)
    confirmed.open()
    await thirdTab
    t.equal(await idIn(own), id)
    t.equal(await idIn(third), null)
  }
)

for (const at of ['its reply', 'its marker'] as const)
  t.test(`a session connects the account of a first sign-in, ${at} is late, and a claim came between`, async (t) => {
    const { started, faults } = await startPlain(t)
    const own = started.newBrowser()
    const { finish } = await begin(started, started.newBrowser(), unproven)
    const gate = createGate()
    const stopAtMarker = async (name: string, [ticket]: readonly unknown[]): Promise<void> => {
      if (name !== 'createTicket' || Object(ticket).kind !== 'first-sign-in-created') return
      faults.before = null
      await gate.stop()
    }
    const late = at === 'its reply' ? stopNext(faults, 'after', 'linkAccount') : gate
    if (at === 'its marker') faults.before = stopAtMarker
    const first = finish()
    await late.isReached
    started.clock.advance(125)
    await signInByMail(started, own, email)
    const id = await idByEmail(started)
    t.strictSame(await accountsOf(started, id), [])
    started.clock.advance(5)
    await signIn(started, own, unproven, { link: 'true' })
    t.equal(await signInLate(started, unproven), id)
    late.open()
    await first
    for (const seconds of [0, 130, 130]) {
      started.clock.advance(seconds)
      t.equal(await signInLate(started, unproven), id, `after ${seconds} s`)
      t.strictSame(await accountsOf(started, id), ['demo new'])
    }
  })

t.test('a third tab of a stranger does not take the marker of the first one, which is late', async (t) => {
  const { started, faults } = await startPlain(t)
  const own = started.newBrowser()
  const third = started.newBrowser()
  const { first, firstLink, firstTab, second, secondLink, secondTab } = await stopTwoLinks(started, faults)
  const marking = createGate()
  faults.before = async (name, [ticket]) => {
    if (name === 'createTicket' && Object(ticket).kind === 'first-sign-in-created') await marking.stop()
  }
  const thirdTab = signIn(started, third, stranger)
  await Promise.race([marking.isReached, thirdTab])
  faults.before = null
  secondLink.open()
  await secondTab
  const id = await idByEmail(started)
  started.clock.advance(1)
  await signInByMail(started, own, email)
  t.strictSame(await accountsOf(started, id), [])
  let late: string | null = id
  faults.after = async (name) => {
    if (name !== 'linkAccount') return
    faults.after = null
    late = await signInLate(started, stranger)
  }
  firstLink.open()
  await firstTab
  marking.open()
  await thirdTab
  t.equal(await idIn(own), id)
  t.strictSame([...(await Promise.all([first, second, third].map(idIn))), late], [null, null, null, null])
  t.strictSame(await accountsOf(started, id), [])
})

for (const [title, fails] of [
  ['an adapter without deleteUser', null],
  ['deleteUser fails', 'deleteUser'],
  ['getAccounts fails', 'getAccounts']
] as const)
  t.test(`the reply to the link of an unverified owner is minutes late: ${title}`, async (t) => {
    const { createUserWithAccount: _, deleteUser: __, ...without } = choose(memoryAdapter(), false)
    const { createUserWithAccount: ___, ...plain } = choose(memoryAdapter(), false)
    const { adapter, faults } = createFaulty(fails ? plain : without)
    const started = await startOverlap(t, adapter, { session: { strategy: 'database' } })
    faults.after = async (name) => {
      if (name !== 'linkAccount') return
      faults.after = null
      started.clock.advance(130)
      faults.before = async (name) => {
        if (name === fails) lost()
      }
    }
    await signIn(started, started.newBrowser(), unproven)
    faults.before = null
    const id = await idByEmail(started)
    for (const seconds of [5, 130, 3600]) {
      started.clock.advance(seconds)
      t.equal(await signInLate(started, unproven), id, `after ${seconds} s`)
    }
  })

t.test('two tabs sign in by a form at once for the first time', async (t) => {
  const people = credentials({
    credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
    authorize: ({ username }) => ({ id: `id-${username}`, name: String(username), email })
  })
  const { started, faults } = await startPlain(t, 'database', { people })
  const [first, second] = [started.newBrowser(), started.newBrowser()]
  const fields = { username: 'x', password: 'y' }
  const beforeUser = stopNext(faults, 'before', 'createUser')
  const secondTab = second.submit('/api/auth/callback/credentials', fields)
  await beforeUser.isReached
  const beforeLink = stopNext(faults, 'before', 'linkAccount')
  const firstTab = first.submit('/api/auth/callback/credentials', fields)
  await beforeLink.isReached
  faults.before = async (name, [keys]) => {
    if (name === 'readTickets' && JSON.stringify(keys).includes('first-sign-in')) beforeLink.open()
  }
  beforeUser.open()
  await Promise.all([firstTab, secondTab])
  const id = await idByEmail(started)
  t.equal(await idIn(first), id)
  t.equal(await idIn(second), id)
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: two tabs of a stranger find the account that a third one links late`, async (t) => {
    const { started, faults } = await startPlain(t, strategy)
    const own = started.newBrowser()
    const browser = started.newBrowser()
    const { link: late, tab: slow } = await stopBeforeLink(started, faults, stranger, browser)
    started.clock.advance(125)
    const { first, firstLink, firstTab, second, secondLink, secondTab } = await stopTwoLinks(started, faults)
    const id = await idByEmail(started)
    await signInByMail(started, own, email)
    late.open()
    await slow
    firstLink.open()
    await firstTab
    secondLink.open()
    await secondTab
    t.strictSame(await Promise.all([browser, first, second].map(idIn)), [null, null, null])
    t.equal(await idIn(own), id)
    started.clock.advance(130)
    t.equal(await signInLate(started, stranger), null)
    t.strictSame(await accountsOf(started, id), [])
  })

for (const completes of ['second', 'third'] as const)
  t.test(`an account is linked minutes late, after the ${completes} of three tabs has completed`, async (t) => {
    const { started, faults } = await startPlain(t)
    const own = started.newBrowser()
    const { link: late, tab: slow } = await stopBeforeLink(started, faults, stranger)
    started.clock.advance(125)
    // The third one replaces the marker of the first one.
    const { firstLink, firstTab, secondLink, secondTab } = await stopTwoLinks(started, faults)
    const links = completes === 'second' ? [firstLink, secondLink] : [secondLink, firstLink]
    links[0]?.open()
    await (completes === 'second' ? firstTab : secondTab)
    links[1]?.open()
    await Promise.all([firstTab, secondTab])
    const id = await idByEmail(started)
    t.strictSame(await accountsOf(started, id), ['demo stranger'])
    started.clock.advance(5)
    await signInByMail(started, own, email)
    const end = endNext(faults, 'after', 'linkAccount')
    late.open()
    await end.isReached
    t.equal(await signInLate(started, stranger), null)
    end.open()
    await slow
    started.clock.advance(130)
    t.equal(await signInLate(started, stranger), null)
    t.strictSame(await accountsOf(started, id), [])
  })

t.test('an account is linked late that was removed before a claim', async (t) => {
  const { started, faults } = await startPlain(t)
  const [first, second, own] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
  const { link: late, tab: slow } = await stopBeforeLink(started, faults, stranger, first)
  started.clock.advance(125)
  await signIn(started, second, stranger)
  const id = await idByEmail(started)
  await signIn(started, second, { ...stranger, sub: 'other' }, { provider: 'loose', link: 'true' })
  started.clock.advance(1)
  await started.app.postern.unlink(id, { provider: 'demo', providerAccountId: 'stranger' })
  t.strictSame(await accountsOf(started, id), ['loose other'])
  started.clock.advance(5)
  await signInByMail(started, own, email)
  t.strictSame(await accountsOf(started, id), [])
  late.open()
  await slow
  t.equal(await idIn(own), id)
  t.equal(await idIn(first), null)
  started.clock.advance(130)
  t.equal(await signInLate(started, stranger), null)
  t.strictSame(await accountsOf(started, id), [])
})

for (const ends of [false, true])
  t.test(
    `a stranger connects the account that it links late, before a claim${ends ? ', and the process ends' : ''}`,
    async (t) => {
      const { started, faults } = await startPlain(t)
      const [second, own] = [started.newBrowser(), started.newBrowser()]
      const { link: late, tab: slow } = await stopBeforeLink(started, faults, stranger)
      started.clock.advance(125)
      await signIn(started, second, stranger)
      const id = await idByEmail(started)
      const other = { ...stranger, sub: 'other' }
      await signIn(started, second, other, { provider: 'loose', link: 'true' })
      started.clock.advance(1)
      await started.app.postern.unlink(id, { provider: 'demo', providerAccountId: 'stranger' })
      started.clock.advance(5)
      await signIn(started, second, other, { provider: 'loose' })
      await signIn(started, second, stranger, { link: 'true' })
      t.strictSame(await accountsOf(started, id), ['demo stranger', 'loose other'])
      started.clock.advance(5)
      await signInByMail(started, own, email)
      const end = ends ? endNext(faults, 'after', 'linkAccount') : createGate()
      late.open()
      end.open()
      await slow
      t.equal(await idIn(own), id)
      started.clock.advance(130)
      t.equal(await signInLate(started, stranger), null)
      t.strictSame(await accountsOf(started, id), [])
    }
  )

/** The next link: its reply is lost, and the row, which the call writes later. */
function loseNextLink(faults: Parameters<typeof stopNext>[0]) {
  const gate = createGate()
  const lostCall: { row: unknown } = { row: null }
  faults.before = async (name, [row]) => {
    if (name !== 'linkAccount') return
    faults.before = null
    lostCall.row = row
    await gate.stop()
    lost()
  }
  return { gate, lostCall }
}

t.test(
  'the reply to a link is lost while another tab has linked the account, and the call takes effect after a claim',
  async (t) => {
    const { started, faults } = await startPlain(t)
    const own = started.newBrowser()
    const { finish } = await begin(started, started.newBrowser(), stranger)
    const { gate, lostCall } = loseNextLink(faults)
    const slow = finish()
    await gate.isReached
    started.clock.advance(11)
    const id = await signInLate(started, stranger)
    gate.open()
    await slow
    started.clock.advance(5)
    await signInByMail(started, own, email)
    t.equal(await idIn(own), id)
    await started.adapter?.linkAccount?.(lostCall.row as never)
    for (const seconds of [0, 130]) {
      started.clock.advance(seconds)
      t.equal(await signInLate(started, stranger), null, `after ${seconds} s`)
    }
    t.strictSame(await accountsOf(started, id ?? ''), [])
  }
)

for (const links of ['a first sign-in', 'a session'])
  t.test(
    `the reply to a link of ${links} is lost while another user has the account, and the call takes effect later`,
    async (t) => {
      const { started, faults } = await startPlain(t)
      const [elsewhere, first, own] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
      await signIn(started, elsewhere, { sub: 'm', name: 'M', email: 'm@evil.test', email_verified: true })
      const otherId = (await idIn(elsewhere)) ?? ''
      const isSession = links === 'a session'
      if (isSession) await signIn(started, first, stranger)
      const account = { ...stranger, sub: 'moved' }
      const { finish } = await begin(started, first, account, { provider: 'loose', link: isSession ? 'true' : '' })
      const { gate, lostCall } = loseNextLink(faults)
      const slow = finish()
      await gate.isReached
      await signIn(started, elsewhere, account, { provider: 'loose', link: 'true' })
      t.ok((await accountsOf(started, otherId)).includes('loose moved'))
      started.clock.advance(1)
      await signInByMail(started, own, email)
      const id = await idByEmail(started)
      gate.open()
      await slow
      t.equal(await idIn(own), id)
      started.clock.advance(5)
      await started.app.postern.unlink(otherId, { provider: 'loose', providerAccountId: 'moved' })
      await started.adapter?.linkAccount?.(lostCall.row as never)
      for (const seconds of [5, 130]) {
        started.clock.advance(seconds)
        t.not(await signInLate(started, account, { provider: 'loose' }), id, `after ${seconds} s`)
      }
      t.strictSame(await accountsOf(started, id), [])
    }
  )
