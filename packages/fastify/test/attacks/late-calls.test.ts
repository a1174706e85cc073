import { memoryAdapter } from '@postern/adapters/memory'
import type { NewUser } from '@postern/core'
import type { AnyFeature } from '@postern/core/feature'
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
import { demoAccount, kinds, link, loose, looseOther, other, ownOther, startKind, timeOutNext } from './late-setup.ts'
import { createFaulty, createGate } from './link-faults.ts'
import { choose, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn, signIn, strategies } from './setup.ts'

// A call of the store times out, and takes effect minutes after its request has failed: before, while or after the owner of the
// address claims the user.

const turns = turnsOf(strategies, t)

const isLinkMarker = ([ticket]: readonly unknown[]): boolean => String(Object(ticket).kind).startsWith('unsettled-link')

for (const kind of kinds)
  for (const { value: strategy, test } of turns())
    test(`${kind}, ${strategy}: a link times out, is made again, and takes effect after a claim`, async (t) => {
      const { started, faults } = await startKind(t, kind, strategy)
      const [first, own] = [started.newBrowser(), started.newBrowser()]
      await signIn(started, first, stranger)
      const id = await idByEmail(started)
      started.clock.advance(1)
      const takeEffect = timeOutNext(started, faults, kind === 'transact' ? 'transact' : 'linkAccount')
      await signIn(started, first, other, link)
      t.strictSame(await accountsOf(started, id), ['demo stranger'])
      started.clock.advance(125)
      await signIn(started, first, stranger)
      await signIn(started, first, other, link)
      t.strictSame(await accountsOf(started, id), ['demo stranger', 'loose other'])
      started.clock.advance(5)
      await signInByMail(started, own, email)
      t.equal(await idIn(own), id)
      t.strictSame(await accountsOf(started, id), [])
      started.clock.advance(40)
      await takeEffect().catch(() => undefined)
      for (const seconds of [0, 130, 500 * 86_400]) {
        started.clock.advance(seconds)
        t.not(await signInLate(started, other, loose), id, `after ${seconds} s`)
      }
      t.strictSame(await accountsOf(started, id), [])
    })

for (const { value: strategy, test } of turns())
  test(`${strategy}: a session links while a claim runs; a first sign-in with the account is late`, async (t) => {
    const { started, faults } = await startPlain(t, strategy)
    const [second, own] = [started.newBrowser(), started.newBrowser()]
    const { link: late, tab: slow } = await stopBeforeLink(started, faults, stranger)
    started.clock.advance(125)
    await signIn(started, second, stranger)
    const id = await idByEmail(started)
    t.equal(await idIn(second), id)
    started.clock.advance(5)
    const ending = stopNext(faults, 'before', strategy === 'jwt' ? 'revoke' : 'deleteSessions')
    const claim = signInByMail(started, own, email)
    await ending.isReached
    await signIn(started, second, stranger, { link: 'true' })
    ending.open()
    await claim
    t.equal(await idIn(own), id)
    t.strictSame(await accountsOf(started, id), [])
    late.open()
    await slow
    t.strictSame(await accountsOf(started, id), [])
    for (const seconds of [0, 130]) {
      started.clock.advance(seconds)
      t.not(await signInLate(started, stranger), id, `after ${seconds} s`)
    }
  })

t.test('a claim is interrupted, a session links, and another claim completes; a first sign-in is late', async (t) => {
  const { started, faults } = await startPlain(t)
  const [second, own] = [started.newBrowser(), started.newBrowser()]
  const { link: late, tab: slow } = await stopBeforeLink(started, faults, stranger)
  started.clock.advance(125)
  await signIn(started, second, stranger)
  const id = await idByEmail(started)
  started.clock.advance(5)
  const end = endNext(faults, 'before', 'deleteSessions')
  const claim = signInByMail(started, own, email)
  await end.isReached
  end.open()
  await claim
  t.equal(await idIn(own), null)
  t.equal(await idIn(second), id)
  started.clock.advance(60)
  await signIn(started, second, stranger, { link: 'true' })
  t.strictSame(await accountsOf(started, id), ['demo stranger'])
  t.equal(await signInLate(started, stranger), null, 'nobody signs in until the claim is complete')
  started.clock.advance(60)
  await signInByMail(started, own, email)
  t.equal(await idIn(own), id)
  t.strictSame(await accountsOf(started, id), [])
  late.open()
  await slow
  t.strictSame(await accountsOf(started, id), [])
  started.clock.advance(130)
  t.not(await signInLate(started, stranger), id)
})

for (const kind of kinds)
  for (const how of ['its process ends', 'its link is late'] as const)
    t.test(`${kind}: unlink restores an account that a claim has removed, and ${how}`, async (t) => {
      const { started, faults } = await startKind(t, kind)
      const [first, own] = [started.newBrowser(), started.newBrowser()]
      await signIn(started, first, stranger)
      const id = await idByEmail(started)
      await signIn(started, first, other, link)
      t.strictSame(await accountsOf(started, id), ['demo stranger', 'loose other'])
      const removing = stopNext(faults, 'before', 'unlinkAccount')
      const unlinking = started.app.postern.unlink(id, demoAccount('stranger')).catch(() => undefined)
      await removing.isReached
      const verifying = stopNext(faults, 'before', 'updateUser')
      const claim = signInByMail(started, own, email)
      await Promise.race([verifying.isReached, claim])
      const restoring = createGate()
      const takeEffect = how === 'its link is late' ? timeOutNext(started, faults, 'linkAccount') : null
      if (!takeEffect)
        faults.before = async (name) => {
          if (name !== 'linkAccount') return
          faults.before = null
          await restoring.stop()
        }
      removing.open()
      await Promise.race([takeEffect ? unlinking : restoring.isReached, unlinking])
      verifying.open()
      await claim
      const end = takeEffect ? null : endNext(faults, 'after', 'linkAccount')
      restoring.open()
      await Promise.race([end?.isReached ?? unlinking, unlinking])
      await takeEffect?.().catch(() => undefined)
      t.equal(await idIn(own), id)
      for (const seconds of [0, 130, 3600]) {
        started.clock.advance(seconds)
        t.not(await signInLate(started, stranger), id, `after ${seconds} s`)
      }
      end?.open()
      await unlinking
    })

for (const ends of [false, true])
  t.test(`three tabs, of which the last one is late${ends ? ', and its process ends' : ''}`, async (t) => {
    const { started, faults } = await startPlain(t)
    const own = started.newBrowser()
    const { link: first, tab: firstTab } = await stopBeforeLink(started, faults, stranger)
    started.clock.advance(125)
    const { firstLink, firstTab: secondTab, secondLink, secondTab: thirdTab } = await stopTwoLinks(started, faults)
    first.open()
    await firstTab
    firstLink.open()
    await secondTab
    const id = await idByEmail(started)
    t.strictSame(await accountsOf(started, id), ['demo stranger'])
    started.clock.advance(5)
    await signInByMail(started, own, email)
    t.strictSame(await accountsOf(started, id), [])
    const end = ends ? endNext(faults, 'after', 'linkAccount') : createGate()
    secondLink.open()
    await (ends ? end.isReached : thirdTab)
    for (const seconds of [0, 130]) {
      started.clock.advance(seconds)
      t.equal(await signInLate(started, stranger), null, `after ${seconds} s`)
    }
    t.strictSame(await accountsOf(started, id), [])
    end.open()
    await thirdTab
    t.equal(await idIn(own), id)
  })

for (const end of ['a claim', 'an end of all sessions'] as const)
  t.test(`the removal of the marker of an earlier link is late, and removes that of a later one; ${end}`, async (t) => {
    const { started, faults } = await startPlain(t)
    const [first, own] = [started.newBrowser(), started.newBrowser()]
    await signIn(started, first, stranger)
    const id = await idByEmail(started)
    started.clock.advance(1)
    const takeEffect = timeOutNext(started, faults, 'consumeTicket', ([key]) => Object(key).kind === 'unsettled-link')
    await signIn(started, first, other, link)
    started.clock.advance(130)
    await signIn(started, first, stranger)
    await signInLate(started, other, loose)
    await signIn(started, first, other, link)
    await started.app.postern.unlink(id, looseOther)
    started.clock.advance(1)
    await signIn(started, first, stranger)
    const linking = stopNext(faults, 'before', 'linkAccount')
    const slow = signIn(started, first, other, link)
    await linking.isReached
    started.clock.advance(5)
    if (end === 'a claim') await signInByMail(started, own, email)
    else await started.app.postern.sessions.revokeAll(id)
    await takeEffect()
    linking.open()
    await slow
    t.strictSame(await accountsOf(started, id), end === 'a claim' ? [] : ['demo stranger'])
    started.clock.advance(130)
    t.not(await signInLate(started, other, loose), id)
  })

for (const kind of kinds)
  t.test(`${kind}: the marker of a link is created after the next link was settled: the account stays`, async (t) => {
    const { started, faults } = await startKind(t, kind)
    const first = started.newBrowser()
    await signIn(started, first, unproven)
    const id = await idByEmail(started)
    started.clock.advance(1)
    const isInTransaction = kind === 'transact'
    const takeEffect = isInTransaction ? null : timeOutNext(started, faults, 'createTicket', isLinkMarker)
    await signIn(started, first, ownOther, link)
    if (takeEffect) t.strictSame(await accountsOf(started, id), ['demo new'])
    await signIn(started, first, unproven)
    await signIn(started, first, ownOther, link)
    t.strictSame(await accountsOf(started, id), ['demo new', 'loose other'])
    started.clock.advance(1)
    await started.app.postern.unlink(id, demoAccount(unproven.sub))
    t.equal(await signInLate(started, ownOther, loose), id)
    await takeEffect?.()
    for (const seconds of [5, 130, 130, 90_000]) {
      started.clock.advance(seconds)
      t.equal(await signInLate(started, ownOther, loose), id, `after ${seconds} s`)
      t.strictSame(await accountsOf(started, id), ['loose other'])
    }
  })

t.test('an account that was disconnected does not return by a late first sign-in', async (t) => {
  const { started, faults } = await startPlain(t)
  const second = started.newBrowser()
  const { link: late, tab: slow } = await stopBeforeLink(started, faults, unproven)
  started.clock.advance(125)
  await signIn(started, second, unproven)
  const id = await idByEmail(started)
  await signIn(started, second, ownOther, link)
  started.clock.advance(1)
  await started.app.postern.unlink(id, demoAccount(unproven.sub))
  started.clock.advance(60)
  late.open()
  await slow
  t.strictSame(await accountsOf(started, id), ['loose other'])
  t.not(await signInLate(started, unproven), id)
})

/** A feature that users can sign in with. */
const keys: AnyFeature = { id: 'keys', setup: () => ({ waysIn: () => 1 }) }

t.test('an account that was disconnected does not continue an interrupted first sign-in', async (t) => {
  const { started, faults } = await startPlain(t, 'database', { features: [keys] })
  const second = started.newBrowser()
  const { finish } = await begin(started, started.newBrowser(), unproven)
  const end = endNext(faults, 'after', 'linkAccount')
  const first = finish()
  await end.isReached
  started.clock.advance(20)
  await signIn(started, second, unproven)
  const id = await idByEmail(started)
  t.equal(await idIn(second), id)
  started.clock.advance(20)
  await started.app.postern.unlink(id, demoAccount(unproven.sub))
  t.strictSame(await accountsOf(started, id), [])
  started.clock.advance(200)
  t.not(await signInLate(started, unproven), id)
  t.strictSame(await accountsOf(started, id), [])
  end.open()
  await first
})

t.test('the address of a new user is verified late, after the application has changed it', async (t) => {
  const { started, faults } = await startPlain(t)
  const [first, own] = [started.newBrowser(), started.newBrowser()]
  const takeEffect = timeOutNext(started, faults, 'updateUser')
  await signIn(started, first, { sub: 'm', name: 'M', email: 'm@evil.test', email_verified: true })
  const id = (await idIn(first)) ?? ''
  t.ok(id)
  started.clock.advance(5)
  await started.adapter?.updateUser?.({ id, email, emailVerified: null })
  await takeEffect()
  await signInByMail(started, own, email)
  const owned = await idByEmail(started)
  t.not(await idIn(first), owned)
  t.strictSame(await accountsOf(started, owned), [])
})

t.test('of two claims at once, the slower one keeps what the owner has connected since', async (t) => {
  const { started, faults } = await startPlain(t)
  const [own, tab] = [started.newBrowser(), started.newBrowser()]
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  started.clock.advance(1)
  const ending = stopNext(faults, 'before', 'deleteSessions')
  const slow = signInByMail(started, tab, email)
  await ending.isReached
  await signInByMail(started, own, email)
  t.equal(await idIn(own), id)
  await signIn(started, own, unproven, link)
  t.strictSame(await accountsOf(started, id), ['loose new'])
  ending.open()
  await slow
  t.equal(await idIn(tab), id)
  t.strictSame(await accountsOf(started, id), ['loose new'])
  started.clock.advance(130)
  t.equal(await signInLate(started, unproven, loose), id)
})

t.test('a first link is late, and the store would give the id of its user to another one', async (t) => {
  // One more than the largest id, as that of an INTEGER PRIMARY KEY of SQLite.
  const ids = new Set<number>()
  const memory = memoryAdapter()
  const reusing = {
    createUser: async (user: NewUser) => {
      const id = Math.max(0, ...ids) + 1
      ids.add(id)
      return memory.createUser({ ...user, id: String(id) })
    },
    deleteUser: async (id: string) => {
      ids.delete(Number(id))
      return memory.deleteUser(id)
    }
  }
  const { createUserWithAccount: _, ...plain } = choose({ ...memory, ...reusing }, false)
  const { adapter, faults } = createFaulty(plain)
  const started = await startOverlap(t, adapter, { session: { strategy: 'database' } })
  const mallory = { ...stranger, email: 'm@evil.test' }
  const own = started.newBrowser()
  const takeEffect = timeOutNext(started, faults, 'linkAccount')
  await signIn(started, started.newBrowser(), mallory)
  await signInByMail(started, own, email)
  const id = await idIn(own)
  t.ok(id)
  started.clock.advance(60)
  await takeEffect()
  t.not(await signInLate(started, mallory), id)
})

t.test('an account that proves the address signs in after a claim, whenever it was connected', async (t) => {
  const { started } = await startPlain(t)
  const own = started.newBrowser()
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  await signInByMail(started, own, email)
  const row = { userId: id, type: 'oidc', provider: 'demo', providerAccountId: owner.sub } as const
  await started.adapter?.linkAccount?.(row)
  t.equal(await signInLate(started, owner), id)
  t.equal(await signInLate(started, unproven), id, 'it is approved')
})

for (const kind of kinds)
  for (const { value: strategy, test } of turns())
    test(`${kind}, ${strategy}: who was claimed may connect, disconnect and connect accounts`, async (t) => {
      const { started } = await startKind(t, kind, strategy)
      const own = started.newBrowser()
      await signIn(started, started.newBrowser(), stranger)
      const id = await idByEmail(started)
      for (const round of [1, 2]) {
        await signInByMail(started, own, email)
        t.equal(await idIn(own), id)
        await signIn(started, own, ownOther, link)
        for (const seconds of [0, 130]) {
          started.clock.advance(seconds)
          t.equal(await signInLate(started, ownOther, loose), id, `${round}, after ${seconds} s`)
        }
        await started.app.postern.unlink(id, looseOther)
        t.strictSame(await accountsOf(started, id), [])
      }
      t.not(await signInLate(started, ownOther, loose), id)
    })
