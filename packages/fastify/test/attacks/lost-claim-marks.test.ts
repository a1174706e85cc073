import { memoryAdapter } from '@postern/adapters/memory'
import { callNumbers, some, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { signInByMail } from '../start.ts'
import { email, endNext, idByEmail, signInLate, stopNext, stranger } from './first-sign-ins.ts'
import { demoAccount, kindIs, kinds, link, loose, other, ownOther, timeOutNext } from './late-setup.ts'
import { lateStores, startStore } from './late-stores.ts'
import { createGate, lost } from './link-faults.ts'
import { accountsOf, idIn, signIn, strategies } from './setup.ts'

// The start of a claim removes the mark of the last one. If that takes effect after the claim, no account becomes free, and those of
// the owner stay.

const turns = turnsOf(strategies, t)
const plain = 'one row after the other'

/** In `npm test`, each test has one store. */
const onStores = turnsOf(lateStores, t)

for (const { value, test } of onStores()) {
  const { name, skip, ...store } = value
  test(`${name}: the mark of a claim is removed late, and a first sign-in connects its account late`, {
    skip
  }, async (t: Test) => {
    const { started, faults } = await startStore(t, store, plain)
    const own = started.newBrowser()
    const connect = timeOutNext(started, faults, 'linkAccount')
    await signIn(started, started.newBrowser(), stranger)
    const id = await idByEmail(started)
    started.clock.advance(1)
    const end = endNext(faults, 'before', 'updateUser')
    const interrupted = signInByMail(started, own, email)
    await end.isReached
    end.open()
    await interrupted
    const unmark = timeOutNext(started, faults, 'consumeTicket', kindIs('claim-end'))
    await signInByMail(started, own, email)
    t.equal(await idIn(own), null)
    await signInByMail(started, own, email)
    t.equal(await idIn(own), id, 'the owner has claimed the user')
    await signIn(started, own, ownOther, link)
    started.clock.advance(60)
    await unmark()
    await connect()
    for (const seconds of [0, 130]) {
      started.clock.advance(seconds)
      t.not(await signInLate(started, stranger), id, `the stranger, after ${seconds} s`)
    }
    t.equal(await signInLate(started, ownOther, loose), id, 'the account of the owner')
    for (const seconds of [0, 130]) {
      started.clock.advance(seconds)
      t.not(await signInLate(started, stranger), id, `the stranger, after ${seconds} s`)
    }
    t.strictSame(await accountsOf(started, id), ['loose other'])
  })

  test(`${name}: of two claims at once, the process of the slower one ends after it has removed the mark`, {
    skip
  }, async (t: Test) => {
    const { started, faults } = await startStore(t, store, plain)
    const [own, tab] = [started.newBrowser(), started.newBrowser()]
    const connect = timeOutNext(started, faults, 'linkAccount')
    await signIn(started, started.newBrowser(), stranger)
    const id = await idByEmail(started)
    started.clock.advance(1)
    const verifying = stopNext(faults, 'before', 'updateUser')
    const fast = signInByMail(started, own, email)
    await verifying.isReached
    const gate = createGate()
    faults.before = async (method, [key]) => {
      if (method !== 'consumeTicket' || Object(key).kind !== 'claim-end') return
      faults.before = null
      await gate.stop()
    }
    const slow = signInByMail(started, tab, email)
    await gate.isReached
    verifying.open()
    await fast
    t.equal(await idIn(own), id, 'the owner has claimed the user')
    faults.after = async (method) => {
      if (method !== 'consumeTicket') return
      faults.after = null
      lost()
    }
    gate.open()
    await slow
    faults.after = null
    started.clock.advance(60)
    await connect()
    for (const seconds of [0, 130]) {
      started.clock.advance(seconds)
      t.not(await signInLate(started, stranger), id, `the stranger, after ${seconds} s`)
    }
    // The mark is missing when the owner connects an account: it is refused once, and connected again.
    await signIn(started, own, ownOther, link)
    if ((await signInLate(started, ownOther, loose)) !== id) {
      await signInLate(started, ownOther, loose)
      await signIn(started, own, ownOther, link)
    }
    t.equal(await signInLate(started, ownOther, loose), id, 'the account of the owner')
    t.not(await signInLate(started, stranger), id)
  })
}

t.test('a claim starts after another one is complete, and its process ends', async (t) => {
  const { started, faults, inner } = await startStore(t, { open: async () => memoryAdapter() }, plain)
  const [own, tab] = [started.newBrowser(), started.newBrowser()]
  const connect = timeOutNext(started, faults, 'linkAccount')
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  started.clock.advance(1)
  const gate = createGate()
  faults.before = async (method, [key]) => {
    if (method !== 'readTicket' || Object(key).kind !== 'pending-claim') return
    faults.before = null
    await gate.stop()
  }
  const slow = signInByMail(started, tab, email)
  await gate.isReached
  await signInByMail(started, own, email)
  await signIn(started, own, ownOther, link)
  started.clock.advance(1)
  let isMarked = false
  faults.before = async (method, [key]) => {
    isMarked ||= method === 'consumeTicket' && Object(key).kind === 'claim-end'
  }
  faults.after = async (method) => {
    if (!isMarked || method !== 'consumeTicket') return
    faults.after = null
    lost()
  }
  gate.open()
  await slow
  faults.before = null
  t.ok(isMarked)
  started.clock.advance(200)
  t.equal(await signInLate(started, ownOther, loose), id, 'the account of the owner')
  await inner.updateUser?.({ id, email: 'changed@example.com', emailVerified: new Date(started.clock.now()) })
  await connect()
  for (const seconds of [0, 130]) {
    started.clock.advance(seconds)
    t.not(await signInLate(started, stranger), id, `the stranger, after ${seconds} s`)
  }
  t.equal(await signInLate(started, ownOther, loose), id, 'the account of the owner')
})

t.test('an approval from before the last claim does not become valid when the mark is lost', async (t) => {
  const { started, inner } = await startStore(t, { open: async () => memoryAdapter() }, plain)
  const [first, own] = [started.newBrowser(), started.newBrowser()]
  await signIn(started, started.newBrowser(), stranger)
  const id = await idByEmail(started)
  await signInByMail(started, first, email)
  await signIn(started, first, ownOther, link)
  const row = (await inner.getAccounts?.(id))?.find(({ provider }) => provider === 'loose')
  const bytes = new TextEncoder().encode(JSON.stringify(['loose', 'other']))
  const approvalId = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  const approval = await inner.readTicket?.({ kind: 'approved-account', id: approvalId })
  if (!row || !approval) throw new Error('expected an approved account')
  await inner.updateUser?.({ id, email, emailVerified: null })
  started.clock.advance(60)
  await signInByMail(started, own, email)
  t.equal(await idIn(own), id, 'the owner has claimed the user')
  await signIn(started, own, { ...ownOther, sub: 'mine' }, link)
  started.clock.advance(60)
  await inner.consumeTicket?.({ kind: 'claim-end', id })
  await inner.linkAccount?.(row)
  await inner.createTicket?.(approval)
  started.clock.advance(200)
  t.not(await signInLate(started, ownOther, loose), id, 'who had the user before')
  for (const seconds of [0, 130]) {
    started.clock.advance(seconds)
    t.equal(await signInLate(started, { ...ownOther, sub: 'mine' }, loose), id, 'the account of the owner')
  }
})

const restored = lateStores.flatMap((store) => kinds.map((kind) => ({ store, kind })))

for (const { store, kind } of some(restored, ({ store, kind }) => [store.name, kind], 1))
  t.test(
    `${store.name}, ${kind}: the mark is removed late, and unlink restores an account late`,
    { skip: store.skip },
    async (t: Test) => {
      const { started, faults, inner } = await startStore(t, store, kind)
      const [first, own] = [started.newBrowser(), started.newBrowser()]
      await signIn(started, first, stranger)
      const id = await idByEmail(started)
      await signIn(started, first, other, link)
      started.clock.advance(1)
      const removing = stopNext(faults, 'before', 'unlinkAccount')
      const unlinking = started.app.postern.unlink(id, demoAccount('stranger')).catch(() => undefined)
      await removing.isReached
      const verifying = stopNext(faults, 'before', 'updateUser')
      const claim = signInByMail(started, own, email)
      await Promise.race([verifying.isReached, claim])
      const restore = timeOutNext(started, faults, 'linkAccount')
      removing.open()
      await unlinking
      faults.before = null
      verifying.open()
      await claim
      // The address becomes unverified again, and the owner claims the user again.
      await inner.updateUser?.({ id, email, emailVerified: null })
      started.clock.advance(5)
      const isAtomic = kind === 'transact'
      const unmark = timeOutNext(
        started,
        faults,
        isAtomic ? 'transact' : 'consumeTicket',
        isAtomic ? () => true : kindIs('claim-end')
      )
      for (const _ of [1, 2]) await signInByMail(started, own, email)
      t.equal(await idIn(own), id, 'the owner has claimed the user')
      started.clock.advance(60)
      await unmark().catch(() => undefined)
      await restore().catch(() => undefined)
      for (const seconds of [0, 130]) {
        started.clock.advance(seconds)
        t.not(await signInLate(started, stranger), id, `the stranger, after ${seconds} s`)
      }
    }
  )

for (const kind of kinds)
  for (const { value: strategy, test } of turns())
    test(`${kind}, ${strategy}: each write of a claim takes effect late, after the next claim`, async (t: Test) => {
      const problems: string[] = []
      for (const position of callNumbers()) {
        const memory = memoryAdapter()
        const { started, faults, inner } = await startStore(t, { open: async () => memory }, kind, strategy)
        const [own, tab] = [started.newBrowser(), started.newBrowser()]
        const connect = kind === plain ? timeOutNext(started, faults, 'linkAccount') : null
        await signIn(started, started.newBrowser(), stranger)
        const id = await idByEmail(started)
        started.clock.advance(1)
        await tab.submit('/api/auth/signin/email', { email })
        const { url } = started.mailbox.last()
        let count = 0
        let where = ''
        let late: (() => Promise<unknown>) | null = null
        faults.before = async (method, args) => {
          if (/^(?:get|read|list)/.test(method) || count++ !== position) return
          faults.before = null
          const copy = structuredClone(args)
          where = `${method} ${String(Object(args[0]).kind ?? '')}`
          late = async () => Reflect.apply(Reflect.get(inner, method) as () => unknown, inner, copy)
          lost()
        }
        await tab.open(url, { headers: { 'sec-fetch-site': 'cross-site' } })
        faults.before = null
        if (!late) break
        started.clock.advance(5)
        for (let tries = 0; tries < 2 && (await idIn(own)) !== id; tries++) await signInByMail(started, own, email)
        await signIn(started, own, ownOther, link)
        started.clock.advance(60)
        await (late as () => Promise<unknown>)().catch(() => undefined)
        if ((await signInLate(started, ownOther, loose)) !== id)
          problems.push(`${position} ${where}: the owner's account`)
        await connect?.().catch(() => undefined)
        for (const seconds of [0, 130]) {
          started.clock.advance(seconds)
          if ((await signInLate(started, stranger)) === id) problems.push(`${position} ${where}: the stranger`)
        }
        if (!(await accountsOf(started, id)).includes('loose other')) problems.push(`${position} ${where}: removed`)
        await signInByMail(started, own, email)
        if ((await idIn(own)) !== id) problems.push(`${position} ${where}: the owner is out`)
      }
      t.strictSame(problems, [])
    })
