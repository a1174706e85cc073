import { memoryAdapter } from '@postern/adapters/memory'
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
  stranger,
  unproven
} from './first-sign-ins.ts'
import { createFaulty, lost } from './link-faults.ts'
import { choose, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn, signIn, strategies } from './setup.ts'

// First sign-ins with an adapter without transactions that are interrupted or delayed, while the owner of the address signs in.

const turns = turnsOf(strategies, t)

const flags = [true, false] as const

for (const failsCheck of flags)
  for (const { value: strategy, test } of turns())
    test(`${strategy}: the owner claims the user of an interrupted one that is continued${failsCheck ? ', and the check fails' : ''}`, async (t) => {
      const { started, faults } = await startPlain(t, strategy)
      let isDown = false
      faults.before = async (name) => {
        isDown ||= name === 'linkAccount'
        if (isDown) lost()
      }
      await signIn(started, started.newBrowser(), stranger)
      t.ok(isDown)
      faults.before = null
      started.clock.advance(20)
      const [attacker, own] = [started.newBrowser(), started.newBrowser()]
      const { finish } = await begin(started, attacker, stranger)
      let [isClaimed, isLinked] = [false, false]
      faults.before = async (name) => {
        if (isLinked && failsCheck && name === 'readTickets') {
          isLinked = false
          lost()
        }
        if (name !== 'linkAccount' || isClaimed) return
        isClaimed = true
        await signInByMail(started, own, email)
        isLinked = true
      }
      await finish()
      t.ok(isClaimed, 'it is continued')
      t.equal(isLinked, !failsCheck)
      faults.before = null
      const id = await idByEmail(started)
      t.equal(await idIn(own), id)
      t.equal(await idIn(attacker), null)
      // Without the check, it is due at the next sign-in with the account.
      t.same(await accountsOf(started, id), failsCheck ? ['demo stranger'] : [])
      started.clock.advance(200)
      t.equal(await signInLate(started, stranger), null, 'nor later')
      t.same(await accountsOf(started, id), [])
    })

for (const { value: strategy, test } of turns())
  test(`${strategy}: an account signs in while it is linked to a user who was claimed`, async (t) => {
    const { started, faults } = await startPlain(t, strategy)
    const [first, own] = [started.newBrowser(), started.newBrowser()]
    const { finish } = await begin(started, first, stranger)
    const steps: (string | null)[] = []
    faults.before = async (name) => {
      if (name !== 'linkAccount') return
      faults.before = null
      await signInByMail(started, own, email)
      steps.push('claimed')
    }
    faults.after = async (name) => {
      if (name !== 'linkAccount') return
      faults.after = null
      steps.push(await signInLate(started, stranger))
    }
    await finish()
    t.strictSame(steps, ['claimed', null])
    const id = await idByEmail(started)
    t.equal(await idIn(own), id)
    t.equal(await idIn(first), null)
    t.strictSame(await accountsOf(started, id), [])
  })

for (const isClaimed of flags)
  for (const { value: strategy, test } of turns())
    test(`${strategy}: the process ends after the account is linked to a user who was${isClaimed ? '' : ' not'} claimed`, async (t) => {
      const { started, faults } = await startPlain(t, strategy)
      const own = started.newBrowser()
      const { finish } = await begin(started, started.newBrowser(), stranger)
      faults.before = async (name) => {
        if (name !== 'linkAccount') return
        faults.before = null
        if (isClaimed) await signInByMail(started, own, email)
      }
      const end = endNext(faults, 'after', 'linkAccount')
      const ended = finish()
      await end.isReached
      const id = await idByEmail(started)
      let checks = 0
      for (const seconds of [0, 130, 100_000, 130]) {
        started.clock.advance(seconds)
        checks = 0
        faults.before = async (name, [keys]) => {
          if (name === 'readTickets' && JSON.stringify(keys).includes('"claim"')) checks += 1
        }
        t.equal(await signInLate(started, stranger), isClaimed ? null : id, `after ${seconds} s`)
      }
      if (!isClaimed) t.equal(checks, 0, 'the check is not made after a day')
      t.strictSame(await accountsOf(started, id), isClaimed ? [] : ['demo stranger'])
      if (!isClaimed) {
        await started.app.postern.sessions.revokeAll(id)
        started.clock.advance(3)
        t.equal(await signInLate(started, stranger), id, 'all sessions ended')
        await signInByMail(started, own, email)
      }
      end.open()
      await ended
      t.equal(await idIn(own), id, 'the owner')
      t.strictSame(await accountsOf(started, id), [], 'a claim removes the account')
    })

for (const { value: strategy, test } of turns())
  test(`${strategy}: a stranger creates the user while the owner does`, async (t) => {
    const { started, faults } = await startPlain(t, strategy)
    const [first, second, attacker] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
    const tabs = [
      await begin(started, first, owner, { provider: 'loose' }),
      await begin(started, second, owner, { provider: 'loose' })
    ] as const
    const { finish } = await begin(started, attacker, stranger)
    const beforeUser = stopNext(faults, 'before', 'createUser')
    const firstTab = tabs[0].finish()
    await beforeUser.isReached
    const beforeLink = stopNext(faults, 'before', 'linkAccount')
    const attack = finish()
    await beforeLink.isReached
    await tabs[1].finish()
    beforeLink.open()
    await attack
    beforeUser.open()
    await firstTab
    const id = await idByEmail(started)
    t.equal(await idIn(attacker), null)
    t.equal(await idIn(second), id)
    t.equal(await idIn(first), id)
    t.strictSame(await accountsOf(started, id), ['loose new'])
    t.equal(await signInLate(started, stranger), null, 'nor later')
  })

t.test('a tab of the owner is written while another tab claims the user', async (t) => {
  const { started, faults } = await startPlain(t)
  const second = started.newBrowser()
  const tabs = [await begin(started, started.newBrowser(), owner), await begin(started, second, owner)] as const
  const afterUser = stopNext(faults, 'after', 'createUser')
  const firstTab = tabs[0].finish()
  await afterUser.isReached
  const beforeLink = stopNext(faults, 'before', 'linkAccount')
  const secondTab = tabs[1].finish()
  await beforeLink.isReached
  afterUser.open()
  await firstTab
  const id = await idByEmail(started)
  t.strictSame(await accountsOf(started, id), ['demo new'], 'the account proves the address, too')
  beforeLink.open()
  await secondTab
  t.strictSame(await accountsOf(started, id), ['demo new'])
  t.equal(await idIn(second), id)
  t.equal(await signInLate(started, owner), id)
})

for (const [isStillLinked, hasSignedIn] of [
  [true, true],
  [false, false]
] as const)
  t.test(
    `a tab of a stranger links the account after the owner has claimed the user, and another one has ${isStillLinked ? 'signed in' : 'continued'}`,
    async (t) => {
      const { started, faults } = await startPlain(t)
      const own = started.newBrowser()
      const tabs = [
        await begin(started, started.newBrowser(), stranger),
        await begin(started, started.newBrowser(), stranger)
      ] as const
      const first = stopNext(faults, 'before', 'linkAccount')
      const firstTab = tabs[0].finish()
      await first.isReached
      const id = await idByEmail(started)
      const second = isStillLinked ? stopNext(faults, 'before', 'linkAccount') : null
      const secondTab = tabs[1].finish()
      if (second) {
        // Both were planned before either is linked; the check of the first one is still due when the account signs in.
        await second.isReached
        const afterLink = stopNext(faults, 'after', 'linkAccount')
        first.open()
        await afterLink.isReached
        t.equal(await signInLate(started, stranger), id)
        afterLink.open()
        await firstTab
      } else await secondTab
      t.strictSame(await accountsOf(started, id), ['demo stranger'])
      started.clock.advance(40)
      await signInByMail(started, own, email)
      t.strictSame(await accountsOf(started, id), [])
      started.clock.advance(40)
      let found: string | null = id
      faults.after = async (name) => {
        if (name !== 'linkAccount') return
        faults.after = null
        found = await signInLate(started, stranger)
      }
      ;(second ?? first).open()
      await Promise.all([firstTab, secondTab])
      t.equal(found, null, hasSignedIn ? 'the marker stays beside a sign-in' : 'each tab has a marker of its own')
      t.strictSame(await accountsOf(started, id), [])
      t.equal(await idIn(own), id)
      t.equal(await signInLate(started, stranger), null, 'nor later')
    }
  )

t.test('a claim that failed does not let an interrupted first sign-in continue', async (t) => {
  const { started, faults } = await startPlain(t)
  const { finish } = await begin(started, started.newBrowser(), stranger)
  const end = endNext(faults, 'before', 'linkAccount')
  const ended = finish()
  await end.isReached
  faults.before = async (name) => {
    if (name === 'updateUser') lost()
  }
  const own = started.newBrowser()
  await signInByMail(started, own, email)
  faults.before = null
  const id = await idByEmail(started)
  started.clock.advance(60)
  t.equal(await signInLate(started, stranger), null)
  t.strictSame(await accountsOf(started, id), [])
  await signInByMail(started, own, email)
  t.equal(await idIn(own), id)
  end.open()
  await ended
  t.strictSame(await accountsOf(started, id), [])
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: the reply of the store to the account of a claimed user is lost`, async (t) => {
    const { started, faults } = await startPlain(t, strategy)
    const [first, own] = [started.newBrowser(), started.newBrowser()]
    const { finish } = await begin(started, first, stranger)
    const beforeLink = stopNext(faults, 'before', 'linkAccount')
    faults.after = async (name) => {
      if (name === 'linkAccount') lost()
    }
    const interrupted = finish()
    await beforeLink.isReached
    await signInByMail(started, own, email)
    beforeLink.open()
    await interrupted
    faults.after = null
    const id = await idByEmail(started)
    t.equal(await idIn(own), id)
    t.equal(await idIn(first), null)
    t.equal(await signInLate(started, stranger), null)
    t.strictSame(await accountsOf(started, id), [])
  })

t.test('an adapter without deleteUser fails to link the account of a new user', async (t) => {
  const { createUserWithAccount: _, deleteUser: __, ...plain } = choose(memoryAdapter(), false)
  const { adapter, faults } = createFaulty(plain)
  const started = await startOverlap(t, adapter, { session: { strategy: 'database' } })
  faults.before = async (name) => {
    if (name === 'linkAccount') lost()
  }
  await signIn(started, started.newBrowser(), unproven)
  faults.before = null
  t.equal(await signInLate(started, unproven), await idByEmail(started))
})

t.test('a first sign-in that failed can be continued, and nobody waits for it', async (t) => {
  const { started, faults } = await startPlain(t)
  faults.before = async (name) => {
    if (['deleteUser', 'linkAccount'].includes(name)) lost()
  }
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  t.strictSame(await accountsOf(started, id), [])
  let reads = 0
  faults.before = async (name, [keys]) => {
    if (name === 'readTickets' && JSON.stringify(keys).includes('first-sign-in')) reads += 1
  }
  t.equal(await signInLate(started, stranger), id)
  t.equal(reads, 1)
})

for (const person of [owner, stranger])
  t.test(`${person.sub}: the reply of the store to the new user is lost`, async (t) => {
    const { started, faults } = await startPlain(t)
    faults.after = async (name) => {
      if (name !== 'createUser') return
      faults.after = null
      lost()
    }
    const first = started.newBrowser()
    await signIn(started, first, person)
    const id = await idByEmail(started)
    // Only a proven address shows that a user without a marker is of this sign-in.
    const expected = person.email_verified ? id : null
    t.equal(await idIn(first), expected)
    t.equal(await signInLate(started, person), expected)
  })

t.test(
  'of five tabs, which have four markers, the last one ends, and the others do not remove its marker',
  async (t) => {
    const { started, faults } = await startPlain(t)
    const gates = []
    const tabs = []
    for (let count = 0; count < 5; count++) {
      const { finish } = await begin(started, started.newBrowser(), owner)
      const gate = stopNext(faults, 'before', 'createUser')
      tabs.push(finish())
      await gate.isReached
      gates.push(gate)
    }
    const end = endNext(faults, 'after', 'createUser')
    gates.pop()?.open()
    await end.isReached
    for (const gate of gates) gate.open()
    started.clock.advance(20)
    await Promise.all(tabs.slice(0, -1))
    const id = await idByEmail(started)
    t.equal(await signInLate(started, owner), id)
    end.open()
    await Promise.all(tabs)
  }
)

t.test('the owner connects the account that a first sign-in is linking', async (t) => {
  const { started, faults } = await startPlain(t)
  const { link: beforeLink, tab: first } = await stopBeforeLink(started, faults, stranger)
  const own = started.newBrowser()
  await signInByMail(started, own, email)
  const id = await idByEmail(started)
  await signIn(started, own, stranger, { link: 'true' })
  beforeLink.open()
  await first
  for (const seconds of [0, 130]) {
    started.clock.advance(seconds)
    t.strictSame(await accountsOf(started, id), ['demo stranger'])
    t.equal(await signInLate(started, stranger), id)
  }
})

/** A first sign-in whose process ends before or after it links the account. */
async function interrupt(
  { started, faults }: Awaited<ReturnType<typeof startPlain>>,
  when: 'after' | 'before',
  person: typeof owner
): Promise<string> {
  let isOver = false
  faults.before = async (name) => {
    isOver ||= when === 'before' && name === 'linkAccount'
    if (isOver) lost()
  }
  faults.after = async (name) => {
    isOver ||= name === 'linkAccount'
    if (isOver) lost()
  }
  await signIn(started, started.newBrowser(), person)
  faults.before = null
  faults.after = null
  return idByEmail(started)
}

for (const days of [1, 401])
  t.test(
    `the account of a claimed user that was linked by an interrupted first sign-in, after ${days} days`,
    async (t) => {
      const { started, faults } = await startPlain(t)
      const { finish } = await begin(started, started.newBrowser(), stranger)
      const beforeLink = stopNext(faults, 'before', 'linkAccount')
      const end = endNext(faults, 'after', 'linkAccount')
      const first = finish()
      await beforeLink.isReached
      const own = started.newBrowser()
      await signInByMail(started, own, email)
      beforeLink.open()
      await end.isReached
      faults.before = async () => lost()
      end.open()
      await first
      faults.before = null
      const id = await idByEmail(started)
      t.strictSame(await accountsOf(started, id), ['demo stranger'])
      started.clock.advance(days * 86_400)
      await started.adapter?.deleteExpired?.(new Date(started.clock.now()), 1000)
      t.equal(await signInLate(started, stranger), null)
      t.strictSame(await accountsOf(started, id), [])
    }
  )

for (const when of ['before', 'after'] as const)
  t.test(
    `an interruption ${when} the link, and the application makes the address unverified after a claim`,
    async (t) => {
      const plain = await startPlain(t)
      const { started } = plain
      const id = await interrupt(plain, when, stranger)
      started.clock.advance(60)
      const own = started.newBrowser()
      await signInByMail(started, own, email)
      t.equal(await idIn(own), id)
      started.clock.advance(3600)
      await started.adapter?.updateUser?.({ id, emailVerified: null })
      t.equal(await signInLate(started, stranger), null)
      t.strictSame(await accountsOf(started, id), [])
    }
  )

t.test('all sessions end after the address was verified without a claim', async (t) => {
  const plain = await startPlain(t)
  const { started } = plain
  const id = await interrupt(plain, 'after', unproven)
  started.clock.advance(20)
  t.equal(await signInLate(started, unproven), id)
  await started.adapter?.updateUser?.({ id, emailVerified: new Date(started.clock.now()) })
  started.clock.advance(600)
  await started.app.postern.sessions.revokeAll(id)
  started.clock.advance(600)
  t.equal(await signInLate(started, unproven), id)
  t.strictSame(await accountsOf(started, id), ['demo new'])
})

t.test('an account that the next sign-in confirms counts as a way to sign in', async (t) => {
  const plain = await startPlain(t)
  const { started } = plain
  const id = await interrupt(plain, 'after', unproven)
  started.clock.advance(20)
  const browser = started.newBrowser()
  await signIn(started, browser, unproven)
  await signIn(started, browser, { ...owner, sub: 'second' }, { provider: 'loose', link: 'true' })
  t.strictSame(await accountsOf(started, id), ['demo new', 'loose second'])
  started.clock.advance(3600)
  await started.app.postern.unlink(id, { provider: 'loose', providerAccountId: 'second' })
  t.equal(await signInLate(started, unproven), id)
})

t.test(
  'an invitation is redeemed beside a link that was never confirmed, and the reply of the store is lost',
  async (t) => {
    const { started, faults } = await startPlain(t, 'database', { demo: { verifiesEmail: true } })
    const own = started.newBrowser()
    await signInByMail(started, own, email)
    const id = await idByEmail(started)
    faults.before = async (name) => {
      if (name === 'linkAccount') lost()
    }
    await signIn(started, own, owner, { link: 'true' })
    faults.before = null
    started.clock.advance(600)
    await started.app.postern.invite(id, { expiresIn: 60 })
    faults.after = async (name) => {
      if (name !== 'linkAccount') return
      faults.after = null
      lost()
    }
    for (const seconds of [0, 5, 130]) {
      started.clock.advance(seconds)
      t.equal(await signInLate(started, owner), id, `after ${seconds} s`)
      t.strictSame(await accountsOf(started, id), ['demo new'])
    }
  }
)

for (const person of [owner, unproven])
  t.test(
    `verified ${person.email_verified}: the owner returns a year after an interrupted first sign-in`,
    async (t) => {
      const plain = await startPlain(t, 'jwt')
      const { started } = plain
      const id = await interrupt(plain, 'after', person)
      for (const seconds of [20, 401 * 86_400, 130]) {
        started.clock.advance(seconds)
        t.equal(await signInLate(started, person), id, `after ${seconds} s`)
        t.strictSame(await accountsOf(started, id), ['demo new'])
      }
    }
  )

t.test('the store refuses the account of a new user', async (t) => {
  for (const isKept of [false, true]) {
    const { started, faults } = await startPlain(t)
    faults.before = async (name) => {
      if (name === 'linkAccount') throw Object.assign(new Error('value too long'), { code: '22001' })
      if (isKept && name === 'deleteUser') lost()
    }
    const { status, location } = await signIn(started, started.newBrowser(), owner)
    t.equal(status, isKept ? 503 : 302)
    if (!isKept) t.match(location, /error=OAuthCreateAccount/)
  }
})
