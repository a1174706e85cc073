import { memoryAdapter } from '@postern/adapters/memory'
import type { AnyFeature, FeatureContext, FeatureWrite } from '@postern/core/feature'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { signInByForm, signInByMail } from '../start.ts'
import {
  email,
  endNext,
  idByEmail,
  owner,
  signInLate,
  stopBeforeLink,
  stopNext,
  stranger,
  unproven
} from './first-sign-ins.ts'
import {
  beforeNext,
  kindIs,
  kinds,
  link,
  loose,
  looseOther,
  other,
  ownOther,
  startKind,
  timeOutNext
} from './late-setup.ts'
import { createGate, lost } from './link-faults.ts'
import { accountsOf, begin, idIn, signIn, strategies, withId } from './setup.ts'

// After a claim, only approved accounts may sign in: those that the owner has, and no others.

const turns = turnsOf(strategies, t)

const formEmail = 'vera@example.com'

for (const kind of kinds)
  for (const { value: strategy, test } of turns())
    test(`${kind}, ${strategy}: the address changes while a claim runs`, async (t) => {
      const { started, faults, setAddress } = await startKind(t, kind, strategy)
      const [own, mal] = [started.newBrowser(), started.newBrowser()]
      await signIn(started, started.newBrowser(), stranger)
      const id = await idByEmail(started)
      started.clock.advance(5)
      // What the account pages write when a stranger confirms another address.
      const change = async () => setAddress(id, 'm@evil.test', true)
      const where = kind === 'transact' ? 'transact' : 'deleteSessions'
      beforeNext(faults, where, change)
      await signInByMail(started, own, email)
      const owned = await idIn(own)
      await signInByMail(started, mal, 'm@evil.test')
      t.notOk(owned !== null && (await idIn(mal)) === owned, 'the stranger signs in as the user of the owner')
    })

t.test('a first sign-in that is refused while a claim starts does not delete the user', async (t) => {
  const { started, faults } = await startKind(t, 'one row after the other')
  const own = started.newBrowser()
  const { link: late, tab, id } = await stopBeforeLink(started, faults, stranger)
  const starting = stopNext(faults, 'before', 'deleteTickets')
  const claim = signInByMail(started, own, email)
  await starting.isReached
  late.open()
  await tab
  starting.open()
  await claim
  t.equal(await idIn(own), id)
  t.strictSame(await accountsOf(started, id), [])
})

t.test('a first sign-in verifies the address while a claim runs: the owner connects accounts', async (t) => {
  const { started, faults } = await startKind(t, 'one row after the other')
  const [first, own] = [started.newBrowser(), started.newBrowser()]
  const verifying = stopNext(faults, 'before', 'updateUser')
  const { finish } = await begin(started, first, owner)
  const tab = finish()
  await verifying.isReached
  const ending = stopNext(faults, 'before', 'deleteSessions')
  const claim = signInByMail(started, own, email)
  await ending.isReached
  verifying.open()
  await tab
  ending.open()
  await claim
  const id = await idByEmail(started)
  t.equal(await idIn(own), id)
  for (const round of [1, 2]) {
    started.clock.advance(600)
    await signInByMail(started, own, email)
    await signIn(started, own, ownOther, link)
    t.strictSame((await accountsOf(started, id)).includes('loose other'), true, `connected ${round}`)
    started.clock.advance(600)
    t.equal(await signInLate(started, ownOther, loose), id, `signs in ${round}`)
    t.ok((await accountsOf(started, id)).includes('loose other'), `stays ${round}`)
  }
})

t.test('a claim is interrupted, and the application verifies another address of the user', async (t) => {
  const { started, faults, setAddress } = await startKind(t, 'createUserWithAccount')
  const own = started.newBrowser()
  await signIn(started, started.newBrowser(), unproven)
  const id = await idByEmail(started)
  started.clock.advance(5)
  const end = endNext(faults, 'before', 'deleteSessions')
  const claim = signInByMail(started, own, email)
  await end.isReached
  end.open()
  await claim
  started.clock.advance(5)
  await setAddress(id, 'new2@example.com', true)
  await signInByMail(started, own, 'new2@example.com')
  t.equal(await idIn(own), id)
  await signIn(started, own, ownOther, link)
  started.clock.advance(600)
  t.equal(await signInLate(started, ownOther, loose), id)
  t.strictSame(await accountsOf(started, id), ['loose other'])
})

t.test('of two claims, the slower one waits for a listener while the owner connects an account', async (t) => {
  const gate = createGate()
  let isFirst = true
  const { started } = await startKind(t, 'createUserWithAccount', 'database', {
    events: {
      claimUser: async ({ phase }: { phase: string }) => {
        if (phase !== 'after' || !isFirst) return
        isFirst = false
        await gate.stop()
      }
    }
  })
  const [own, tab] = [started.newBrowser(), started.newBrowser()]
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  started.clock.advance(1)
  const slow = signInByMail(started, tab, email)
  await Promise.race([gate.isReached, slow])
  await signInByMail(started, own, email)
  t.equal(await idIn(own), id)
  await signIn(started, own, ownOther, link)
  t.equal(await signInLate(started, ownOther, loose), id)
  gate.open()
  await slow
  started.clock.advance(600)
  t.equal(await signInLate(started, ownOther, loose), id, 'the account that the owner has connected signs in')
  t.strictSame(await accountsOf(started, id), ['loose other'])
})

t.test('the mark of a claim is removed late, after another one is complete', async (t) => {
  const { started, faults } = await startKind(t, 'createUserWithAccount')
  const own = started.newBrowser()
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  started.clock.advance(1)
  // The first attempt ends before the address is verified.
  const end = endNext(faults, 'before', 'updateUser')
  const one = signInByMail(started, own, email)
  await end.isReached
  end.open()
  await one
  const takeEffect = timeOutNext(started, faults, 'consumeTicket', kindIs('claim-end'))
  await signInByMail(started, own, email)
  t.equal(await idIn(own), null)
  await signInByMail(started, own, email)
  t.equal(await idIn(own), id)
  await signIn(started, own, ownOther, link)
  t.equal(await signInLate(started, ownOther, loose), id)
  started.clock.advance(60)
  await takeEffect()
  t.equal(await signInLate(started, ownOther, loose), id)
  for (const round of [1, 2]) {
    await signInByMail(started, own, email)
    await signIn(started, own, ownOther, link)
    started.clock.advance(600)
    t.equal(await signInLate(started, ownOther, loose), id, `again ${round}`)
  }
})

/** A feature that users can sign in with, and its context. */
function createKeys() {
  const contexts: FeatureContext[] = []
  const feature: AnyFeature = {
    id: 'keys',
    setup: (context) => {
      contexts.push(context)
      return { waysIn: () => 1 }
    }
  }
  return { feature, commit: async (writes: readonly FeatureWrite[]) => contexts[0]?.commit(writes) }
}

t.test('writes of a feature are rolled back: the account stays, and signs in', async (t) => {
  const { feature, commit } = createKeys()
  const { started } = await startKind(t, 'transact', 'database', { features: [feature] })
  const own = started.newBrowser()
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  started.clock.advance(1)
  await signInByMail(started, own, email)
  await signIn(started, own, ownOther, link)
  t.equal(await signInLate(started, ownOther, loose), id)
  const done = await commit([
    { method: 'unlinkAccount', args: [looseOther] },
    { method: 'consumeTicket', args: [{ kind: 'none', id: 'none' }] }
  ])
  t.equal(done, false, 'nothing was written')
  t.strictSame(await accountsOf(started, id), ['loose other'])
  started.clock.advance(200)
  t.equal(await signInLate(started, ownOther, loose), id)
  t.strictSame(await accountsOf(started, id), ['loose other'])
})

for (const kind of kinds)
  t.test(`${kind}: a feature removes an account, which a late call connects again`, async (t) => {
    const { feature, commit } = createKeys()
    const { started, memory } = await startKind(t, kind, 'database', { features: [feature] })
    const own = started.newBrowser()
    await signIn(started, started.newBrowser(), stranger)
    const id = await idByEmail(started)
    await signInByMail(started, own, email)
    await signIn(started, own, ownOther, link)
    t.equal(await signInLate(started, ownOther, loose), id)
    t.ok(await commit([{ method: 'unlinkAccount', args: [looseOther] }]))
    await memory.linkAccount({ ...looseOther, type: 'oidc', userId: id })
    t.not(await signInLate(started, ownOther, loose), id)
    t.strictSame(await accountsOf(started, id), [])
  })

t.test('the store refuses to remove an account: it stays, and signs in', async (t) => {
  const { started, faults } = await startKind(t, 'createUserWithAccount')
  const own = started.newBrowser()
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  started.clock.advance(1)
  await signInByMail(started, own, email)
  await signIn(started, own, ownOther, link)
  faults.before = async (name) => {
    if (name === 'unlinkAccount') {
      faults.before = null
      throw Object.assign(new Error('a trigger refuses it'), { code: '23000' })
    }
  }
  await started.app.postern.unlink(id, looseOther).catch(() => undefined)
  t.strictSame(await accountsOf(started, id), ['loose other'])
  started.clock.advance(200)
  t.equal(await signInLate(started, ownOther, loose), id)
  t.strictSame(await accountsOf(started, id), ['loose other'])
})

for (const kind of ['transact', 'createUserWithAccount'] as const)
  t.test(`${kind}: a first sign-in is slow, and its account is connected again late, after a claim`, async (t) => {
    const gate = createGate()
    let isFirst = true
    const events = {
      linkAccount: async () => {
        if (!isFirst) return
        isFirst = false
        await gate.stop()
      }
    }
    const { started, faults } = await startKind(
      t,
      kind,
      'jwt',
      kind === 'transact'
        ? {
            callbacks: {
              jwt: async ({ token }) => {
                await events.linkAccount()
                return token
              },
              session: withId.session
            }
          }
        : { events }
    )
    const [slowTab, second, own] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
    const { finish } = await begin(started, slowTab, stranger)
    const slow = finish()
    await gate.isReached
    const id = await idByEmail(started)
    started.clock.advance(1)
    await signIn(started, second, stranger)
    t.equal(await idIn(second), id)
    await signIn(started, second, other, link)
    t.strictSame(await accountsOf(started, id), ['demo stranger', 'loose other'])
    await started.app.postern.unlink(id, { provider: 'demo', providerAccountId: 'stranger' })
    started.clock.advance(3)
    await signIn(started, second, other, loose)
    t.equal(await idIn(second), id)
    const takeEffect = timeOutNext(started, faults, kind === 'transact' ? 'transact' : 'linkAccount')
    await signIn(started, second, stranger, { link: 'true' })
    t.strictSame(await accountsOf(started, id), ['loose other'])
    started.clock.advance(5)
    await signInByMail(started, own, email)
    t.equal(await idIn(own), id)
    t.strictSame(await accountsOf(started, id), [])
    started.clock.advance(60)
    await takeEffect()
    gate.open()
    await slow
    t.equal(await idIn(own), id)
    t.not(await idIn(slowTab), id, 'the stranger')
    started.clock.advance(130)
    t.not(await idIn(slowTab), id, 'the stranger later')
  })

t.test('unlink does not approve an account that it restores, and that had no approval', async (t) => {
  const { started, faults, memory, setAddress } = await startKind(t, 'createUserWithAccount')
  const [first, own] = [started.newBrowser(), started.newBrowser()]
  await signIn(started, first, stranger)
  const id = await idByEmail(started)
  const late = timeOutNext(started, faults, 'linkAccount')
  await signIn(started, first, other, link)
  started.clock.advance(130)
  await signInByMail(started, own, email)
  await signIn(started, own, { ...unproven, sub: 'k' }, link)
  await late()
  t.strictSame(await accountsOf(started, id), ['loose k', 'loose other'])
  // An unverified address is no way to sign in.
  await setAddress(id, email, false)
  beforeNext(faults, 'unlinkAccount', async () => memory.unlinkAccount({ provider: 'loose', providerAccountId: 'k' }))
  await started.app.postern.unlink(id, looseOther).catch(() => undefined)
  await setAddress(id, email, true)
  started.clock.advance(200)
  t.not(await signInLate(started, other, loose), id)
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: a second claim, while an account is connected and approved late`, async (t) => {
    const gate = createGate()
    let isArmed = false
    const { started, faults, setAddress } = await startKind(t, 'createUserWithAccount', strategy, {
      events: {
        claimUser: async ({ phase }: { phase: string }) => {
          if (phase !== 'after' || !isArmed) return
          isArmed = false
          await gate.stop()
        }
      }
    })
    const [alice, bob] = [started.newBrowser(), started.newBrowser()]
    await signIn(started, started.newBrowser(), stranger)
    const id = await idByEmail(started)
    await signInByMail(started, alice, email)
    t.equal(await idIn(alice), id)
    // The application changes the address of Alice to one that she has not proven.
    await setAddress(id, 'bob@example.com', false)
    const late = timeOutNext(started, faults, 'linkAccount')
    await signIn(started, alice, other, link)
    started.clock.advance(130)
    await signInByMail(started, started.newBrowser(), 'nobody@example.com')
    const approving = createGate()
    faults.before = async (name, args) => {
      if (name !== 'createTicket' || Object(args[0]).kind !== 'approved-account') return
      faults.before = null
      await approving.stop()
    }
    const slow = signIn(started, alice, other, link)
    await Promise.race([approving.isReached, slow])
    started.clock.advance(5)
    isArmed = true
    const claim = signInByMail(started, bob, 'bob@example.com')
    await Promise.race([gate.isReached, claim])
    t.strictSame(await accountsOf(started, id), [])
    approving.open()
    await slow
    await late()
    const x = started.newBrowser()
    await signIn(started, x, other, loose)
    gate.open()
    await claim
    t.equal(await idIn(bob), id)
    t.not(await idIn(x), id, 'the session of the stranger')
    t.not(await signInLate(started, other, loose), id)
    t.not(await idIn(x), id, 'the session of the stranger')
  })

t.test('two tabs of the owner: the first sign-in of one, and the join of the other', async (t) => {
  const { started, faults } = await startKind(t, 'one row after the other')
  const [first, second] = [started.newBrowser(), started.newBrowser()]
  const { finish: finishFirst } = await begin(started, first, owner)
  const { finish: finishSecond } = await begin(started, second, owner)
  // The first tab has created the user, and is slow.
  const creating = stopNext(faults, 'after', 'createUser')
  const tab1 = finishFirst()
  await creating.isReached
  started.clock.advance(20)
  const linking2 = createGate()
  const linked1 = createGate()
  let linkAccounts = 0
  faults.before = async (name) => {
    if (name === 'linkAccount' && ++linkAccounts === 1) await linking2.stop()
  }
  const tab2 = finishSecond()
  await Promise.race([linking2.isReached, tab2])
  faults.after = async (name) => {
    if (name !== 'linkAccount') return
    faults.after = null
    await linked1.stop()
  }
  creating.open()
  await Promise.race([linked1.isReached, tab1])
  const id = await idByEmail(started)
  t.strictSame(await accountsOf(started, id), ['demo new'])
  linking2.open()
  await tab2
  linked1.open()
  await tab1
  t.strictSame(await accountsOf(started, id), ['demo new'])
  started.clock.advance(200)
  t.equal(await signInLate(started, owner), id)
})

t.test('a claim fails in its transaction: the accounts of a user who was claimed before stay', async (t) => {
  const { started, faults, setAddress } = await startKind(t, 'transact', 'jwt')
  const own = started.newBrowser()
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  started.clock.advance(1)
  await signInByMail(started, own, email)
  await signIn(started, own, ownOther, link)
  t.equal(await signInLate(started, ownOther, loose), id)
  // The application marks the address as unverified, and a mail sign-in fails.
  await setAddress(id, email, false)
  faults.before = async (name) => {
    if (name === 'transact') lost()
  }
  await signInByMail(started, started.newBrowser(), email)
  faults.before = null
  t.strictSame(await accountsOf(started, id), ['loose other'])
  started.clock.advance(300)
  t.equal(await signInLate(started, ownOther, loose), id)
  t.strictSame(await accountsOf(started, id), ['loose other'])
})

t.test('deleteUser keeps the approval of an account that another user has connected since', async (t) => {
  const { started, faults } = await startKind(t, 'createUserWithAccount')
  const [own, mover] = [started.newBrowser(), started.newBrowser()]
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  await signInByMail(started, own, email)
  const k = { sub: 'k', name: 'K', email: 'k@example.com', email_verified: false }
  await signIn(started, mover, k, loose)
  const old = (await idIn(mover)) ?? ''
  started.clock.advance(5)
  const deleting = stopNext(faults, 'after', 'deleteUser')
  const removal = started.app.postern.deleteUser(old)
  await deleting.isReached
  await signInByMail(started, own, email)
  await signIn(started, own, k, link)
  t.equal(await signInLate(started, k, loose), id)
  deleting.open()
  await removal
  started.clock.advance(200)
  t.equal(await signInLate(started, k, loose), id)
  t.strictSame(await accountsOf(started, id), ['loose k'])
})

for (const kind of kinds)
  for (const signedIn of ['link', 'confirm'] as const)
    for (const { value: strategy, test } of turns())
      test(`${kind}, ${strategy}, ${signedIn}: what a user does who was claimed`, async (t) => {
        const { started, setAddress } = await startKind(t, kind, strategy, { linking: { signedIn } })
        const [own, second] = [started.newBrowser(), started.newBrowser()]
        await signIn(started, started.newBrowser(), stranger)
        const id = await idByEmail(started)
        started.clock.advance(1)
        await signInByMail(started, own, email)
        t.equal(await idIn(own), id)
        await signIn(started, own, owner, { link: 'true' })
        await signIn(started, own, ownOther, link)
        started.clock.advance(60)
        t.equal(await signInLate(started, ownOther, loose), id, 'connected')
        t.equal(await signInLate(started, unproven), id, 'connected, unproven now')
        // The application changes the address to a verified one.
        await setAddress(id, 'two@example.com', true)
        t.equal(await signInLate(started, ownOther, loose), id, 'after an address change')
        // It changes the address to an unverified one, whose owner claims the user.
        await setAddress(id, 'three@example.com', false)
        t.equal(await signInLate(started, ownOther, loose), id, 'unverified')
        await signInByMail(started, second, 'three@example.com')
        t.equal(await idIn(second), id)
        t.strictSame(await accountsOf(started, id), [])
        await signIn(started, second, ownOther, link)
        started.clock.advance(60)
        t.equal(await signInLate(started, ownOther, loose), id, 'connected again')
        // The account moves to another user, and back.
        await started.app.postern.unlink(id, looseOther)
        const moved = { ...ownOther, email: 'moved@example.com' }
        const b = started.newBrowser()
        await signIn(started, b, moved, loose)
        const to = (await idIn(b)) ?? ''
        t.not(to, id)
        t.ok(to)
        started.clock.advance(60)
        t.equal(await signInLate(started, moved, loose), to, 'moved')
        await started.app.postern.deleteUser(to)
        await signInByMail(started, second, 'three@example.com')
        await signIn(started, second, ownOther, link)
        started.clock.advance(60)
        t.equal(await signInLate(started, ownOther, loose), id, 'and back')
      })

for (const kind of kinds)
  t.test(`${kind}: a claim keeps the account that has proven the address`, async (t) => {
    const { started } = await startKind(t, kind)
    const [first, own] = [started.newBrowser(), started.newBrowser()]
    await signIn(started, first, unproven)
    const id = await idByEmail(started)
    await signIn(started, first, { ...owner, sub: 'k' }, link)
    started.clock.advance(5)
    await signInByMail(started, own, email)
    t.equal(await idIn(own), id)
    started.clock.advance(60)
    t.equal(await signInLate(started, { ...unproven, sub: 'k' }, loose), id, 'kept')
  })

for (const kind of kinds)
  for (const { value: strategy, test } of turns())
    test(`${kind}, ${strategy}: joins and invitations of a user who was claimed`, async (t) => {
      const { started, setAddress } = await startKind(t, kind, strategy, {
        loose: { allowDangerousEmailAccountLinking: true, verifiesEmail: true }
      })
      const own = started.newBrowser()
      await signIn(started, started.newBrowser(), stranger)
      const id = await idByEmail(started)
      started.clock.advance(1)
      await signInByMail(started, own, email)
      t.equal(await signInLate(started, owner, loose), id, 'joins')
      started.clock.advance(200)
      t.equal(await signInLate(started, unproven, loose), id, 'signs in later, unproven')
      // The application changes the address, and an invited account that proves it joins.
      await setAddress(id, 'inv@example.com', false)
      await started.app.postern.invite(id, { expiresIn: 3600 })
      const inv = { sub: 'inv', name: 'I', email: 'inv@example.com', email_verified: true }
      t.equal(await signInLate(started, inv, loose), id, 'invited')
      started.clock.advance(200)
      t.equal(await signInLate(started, { ...inv, email_verified: false }, loose), id, 'later')
      await setAddress(id, 'zz@example.com', true)
      started.clock.advance(200)
      t.equal(await signInLate(started, inv, loose), id, 'later, another address')
    })

for (const { value: strategy, test } of turns())
  test(`${strategy}: an adapter without readTickets`, async (t) => {
    const { readTickets: _, ...memory } = memoryAdapter()
    const { started } = await startKind(t, 'one row after the other', strategy, {}, memory as never)
    const own = started.newBrowser()
    await signIn(started, started.newBrowser(), stranger)
    const id = await idByEmail(started)
    started.clock.advance(1)
    await signInByMail(started, own, email)
    await signIn(started, own, ownOther, link)
    started.clock.advance(60)
    t.equal(await signInLate(started, ownOther, loose), id)
  })

for (const kind of kinds)
  t.test(`${kind}: the account of a form, with database sessions`, async (t) => {
    const { started } = await startKind(t, kind)
    const [first, own] = [started.newBrowser(), started.newBrowser()]
    await signInByForm(first, 'vera')
    const id = (await started.adapter?.getUserByEmail?.(formEmail))?.id ?? ''
    t.equal(await idIn(first), id)
    started.clock.advance(100)
    await signInByMail(started, own, formEmail)
    t.equal(await idIn(own), id)
    t.equal(await idIn(first), null)
    t.strictSame(await accountsOf(started, id), [])
    const late = started.newBrowser()
    await signInByForm(late, 'vera')
    t.not(await idIn(late), id)
    started.clock.advance(100)
    await signInByMail(started, own, formEmail)
    await signInByForm(own, 'vera')
    t.equal(await idIn(own), id, 'restored')
    started.clock.advance(200)
    const again = started.newBrowser()
    await signInByForm(again, 'vera')
    t.equal(await idIn(again), id, 'signs in')
  })
