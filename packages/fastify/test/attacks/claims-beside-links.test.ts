import { memoryAdapter } from '@postern/adapters/memory'
import t, { type Test } from 'tap'
import { signInByMail } from '../start.ts'
import { email, idByEmail, signInLate, startPlain, stopBeforeLink, stopNext, stranger } from './first-sign-ins.ts'
import { createFaulty, createGate, lost } from './link-faults.ts'
import { choose, startOverlap } from './session-setup.ts'
import { accountsOf, idIn, signIn } from './setup.ts'

// The owner of an address claims the user that a stranger has created, while the stranger's sessions change its accounts.

const kinds = ['transact', 'createUserWithAccount', 'one row at a time'] as const

/** An application whose adapter has transactions, creates a user with the account, or makes one row at a time. */
async function startKind(t: Test, kind: (typeof kinds)[number]) {
  const chosen = choose(memoryAdapter(), kind === 'transact')
  const { createUserWithAccount: _, ...plain } = chosen
  const { adapter, faults } = createFaulty(kind === 'one row at a time' ? plain : chosen)
  return { started: await startOverlap(t, adapter, { session: { strategy: 'database' } }), faults }
}

for (const kind of kinds)
  t.test(`${kind}: sessions link an account during a claim, each after it was searched for`, async (t) => {
    const { started, faults } = await startKind(t, kind)
    const [first, second, own] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
    await signIn(started, first, stranger)
    const id = await idByEmail(started)
    started.clock.advance(1)
    const ending = stopNext(faults, 'before', 'deleteSessions')
    const claim = signInByMail(started, own, email)
    await Promise.race([ending.isReached, claim])
    await signIn(started, first, stranger, { link: 'true' })
    const ended = stopNext(faults, 'after', 'deleteSessions')
    ending.open()
    await Promise.race([ended.isReached, claim])
    await signIn(started, second, stranger)
    const again = stopNext(faults, 'before', 'deleteSessions')
    ended.open()
    await Promise.race([again.isReached, claim])
    await signIn(started, second, stranger, { link: 'true' })
    again.open()
    await claim
    t.equal(await idIn(own), id)
    t.equal(await idIn(second), null)
    started.clock.advance(130)
    t.not(await signInLate(started, stranger), id)
    t.strictSame(await accountsOf(started, id), [])
  })

for (const kind of kinds)
  t.test(
    `${kind}: an account is disconnected, and given back as the last way to sign in, during a claim`,
    async (t) => {
      const { started, faults } = await startKind(t, kind)
      const [first, own] = [started.newBrowser(), started.newBrowser()]
      await signIn(started, first, stranger)
      const id = await idByEmail(started)
      await signIn(started, first, { ...stranger, sub: 'other' }, { provider: 'loose', link: 'true' })
      t.strictSame(await accountsOf(started, id), ['demo stranger', 'loose other'])
      // Both accounts were counted.
      const removing = stopNext(faults, 'before', 'unlinkAccount')
      const key = { provider: 'demo', providerAccountId: 'stranger' }
      const unlinking = started.app.postern.unlink(id, key).catch(() => undefined)
      await removing.isReached
      const verifying = stopNext(faults, 'before', 'updateUser')
      const claim = signInByMail(started, own, email)
      await Promise.race([verifying.isReached, claim])
      removing.open()
      await unlinking
      verifying.open()
      await claim
      t.equal(await idIn(own), id)
      started.clock.advance(130)
      t.not(await signInLate(started, stranger), id)
      t.strictSame(await accountsOf(started, id), [])
    }
  )

t.test('a claim is refused while the adapter does not remove the accounts of others', async (t) => {
  const { createUserWithAccount: _, ...plain } = choose(memoryAdapter(), false)
  let isBroken = true
  const unlinkAccount: typeof plain.unlinkAccount = async (key) => (isBroken ? undefined : plain.unlinkAccount?.(key))
  const started = await startOverlap(t, { ...plain, unlinkAccount }, { session: { strategy: 'database' } })
  const own = started.newBrowser()
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  const { location } = await signInByMail(started, own, email)
  t.match(location, /error=OAuthAccountNotLinked/)
  t.equal(await idIn(own), null)
  t.equal((await started.adapter?.getUser?.(id))?.emailVerified, null)
  isBroken = false
  await signInByMail(started, own, email)
  t.equal(await idIn(own), id)
  t.strictSame(await accountsOf(started, id), [])
})

t.test('an account is given back as the last way to sign in after a claim', async (t) => {
  const { started, faults } = await startPlain(t)
  const [first, own] = [started.newBrowser(), started.newBrowser()]
  await signIn(started, first, stranger)
  const id = await idByEmail(started)
  await signIn(started, first, { ...stranger, sub: 'other' }, { provider: 'loose', link: 'true' })
  const removing = stopNext(faults, 'before', 'unlinkAccount')
  const unlinking = started.app.postern.unlink(id, { provider: 'demo', providerAccountId: 'stranger' })
  await removing.isReached
  // Another process removes the other account.
  await started.adapter?.unlinkAccount?.({ provider: 'loose', providerAccountId: 'other' })
  const restoring = stopNext(faults, 'before', 'linkAccount')
  removing.open()
  await restoring.isReached
  await signInByMail(started, own, email)
  restoring.open()
  await unlinking
  t.strictSame(await accountsOf(started, id), [])
  t.equal(await signInLate(started, stranger), null)
  t.equal(await idIn(own), id)
})

for (const ends of [false, true])
  t.test(`an end of all sessions that ${ends ? 'fails' : 'is slow'} does not hide a claim`, async (t) => {
    const { started, faults } = await startPlain(t)
    const own = started.newBrowser()
    const { link: late, tab: slow } = await stopBeforeLink(started, faults, stranger)
    const id = await idByEmail(started)
    const revoke = async () => started.app.postern.sessions.revokeAll(id).catch(() => undefined)
    for (const seconds of [1, 1, 1]) {
      await revoke()
      started.clock.advance(seconds)
    }
    const isMarker = (name: string, [ticket]: readonly unknown[], method: string): boolean =>
      name === method && /^(?:claim|revocation)/.test(String(Object(ticket).kind))
    const [consume, create] = [createGate(), createGate()]
    faults.before = async (name, args) => {
      if (!isMarker(name, args, 'consumeTicket')) return
      faults.before = null
      await consume.stop()
    }
    const revoking = revoke()
    await consume.isReached
    started.clock.advance(1)
    await signInByMail(started, own, email)
    t.equal(await idIn(own), id)
    faults.before = async (name, args) => {
      if (!isMarker(name, args, 'createTicket')) return
      faults.before = null
      await create.stop()
      if (ends) lost()
    }
    consume.open()
    await create.isReached
    if (ends) create.open()
    late.open()
    await slow
    create.open()
    await revoking
    started.clock.advance(130)
    t.equal(await signInLate(started, stranger), null)
    t.strictSame(await accountsOf(started, id), [])
  })
