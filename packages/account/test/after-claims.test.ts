import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import {
  ada,
  createUser,
  getAddress,
  openAccountApplication,
  second,
  signIn,
  signInByMail
} from './account-application.ts'
import { changeEmail, getEmail, getId, getUndoUrl, undo } from './email-application.ts'
import { day, deleteDue, openWithGrace, schedule } from './grace-period-application.ts'
import { startEnrollment } from './second-factor-application.ts'
import { storesAt } from './stores.ts'
import { linkAcme, signInAtAcme } from './undo-application.ts'

// What a stranger has prepared on the account pages does not outlive the claim of the owner of the address.

const evil = 'mallory@example.com'

/** An adapter of which one call is reported as failed, and takes effect when the test says so. */
function createLateAdapter(inner: Adapter, isMeant: (method: string, args: readonly unknown[]) => boolean) {
  const late: { takeEffect: (() => Promise<unknown>) | null } = { takeEffect: null }
  const adapter: Adapter = Object.fromEntries(
    Object.entries(inner).map(([name, method]) => [
      name,
      typeof method !== 'function' || name === 'close'
        ? method
        : async (...args: readonly unknown[]) => {
            if (late.takeEffect || !isMeant(name, args)) return Reflect.apply(method, inner, args)
            const copy = structuredClone(args)
            late.takeEffect = async () => Reflect.apply(method, inner, copy)
            throw Object.assign(new Error('the connection closed'), { code: 'ECONNRESET' })
          }
    ])
  )
  return { adapter, late }
}

/** A stranger who has changed the address, which the application then sets to the one of the owner, who claims the user. */
async function startClaimed(t: Test, adapter: Adapter) {
  const app = await openAccountApplication(t, 'database', { adapter })
  const stranger = await createUser(app, evil, second)
  const id = await getId(app, evil)
  await changeEmail(app, stranger, 'mallory2@example.com')
  await app.adapter.updateUser?.({ id, email: ada, emailVerified: null })
  app.clock.advance(60)
  const own = app.newBrowser()
  await signInByMail(own, ada, app.mailbox)
  t.equal(await getAddress(own), ada, 'the owner has claimed the user')
  t.equal(await getAddress(stranger), null, 'the session of the stranger has ended')
  return { app, id, own }
}

const withoutTransact = ({ transact: _, ...adapter }: Adapter): Adapter => adapter

for (const [place, isAtomic] of [true, false].entries())
  for (const [name, skip, open] of storesAt(place, 4))
    t.test(
      `${name}, with${isAtomic ? '' : 'out'} transactions: an undo from before a claim is void`,
      { skip },
      async (t) => {
        const inner = await open(t)
        const { app, id, own } = await startClaimed(t, isAtomic ? inner : withoutTransact(inner))
        app.clock.advance(60)
        t.equal((await undo(app.newBrowser(), getUndoUrl(app, evil), { password: second })).status, 400)
        t.equal(await getEmail(app, id), ada, 'the address of the owner stays')
        const late = app.newBrowser()
        await signIn(late, evil, second)
        t.equal(await getAddress(late), null, 'the stranger')
        t.equal(await getAddress(own), ada, 'the owner stays signed in')
      }
    )

for (const [isAtomic, isSetLate] of [
  [true, false],
  [false, false],
  [true, true],
  [false, true]
])
  t.test(
    `with${isAtomic ? '' : 'out'} transactions: the owner claims the user while an undo ${isSetLate ? 'has begun' : 'is written'}`,
    async (t) => {
      const memory = isAtomic ? memoryAdapter() : withoutTransact(memoryAdapter())
      let claim: (() => Promise<unknown>) | null = null
      let setAddress: (() => unknown) | null = null
      const isUndo = (call: unknown): boolean => Object(call).email === evil
      const adapter: Adapter = Object.fromEntries(
        Object.entries(memory).map(([name, method]) => [
          name,
          async (...args: readonly unknown[]) => {
            const [given] = args
            if (claim && setAddress && name === 'deleteSessions') {
              await setAddress()
              setAddress = null
            }
            const calls = name === 'transact' ? (given as readonly { readonly args: readonly unknown[] }[]) : []
            const run = claim
            if (run && (name === 'updateUser' ? isUndo(given) : calls.some(({ args: [user] }) => isUndo(user)))) {
              claim = null
              await run()
            }
            return Reflect.apply(method, memory, args)
          }
        ])
      )
      const app = await openAccountApplication(t, 'database', { adapter })
      const first = app.newBrowser()
      await signInByMail(first, evil, app.mailbox)
      const id = await getId(app, evil)
      const mallory = { sub: 'mallory', name: 'M', email: evil }
      await linkAcme(app, first, mallory)
      app.clock.advance(8 * day)
      await changeEmail(app, await signInAtAcme(app, app.newBrowser(), mallory), 'mallory2@example.com')
      const stranger = await signInAtAcme(app, app.newBrowser(), mallory)
      setAddress = () => memory.updateUser?.({ id, email: ada, emailVerified: null })
      if (!isSetLate) await setAddress()
      app.clock.advance(60)
      const own = app.newBrowser()
      let isClaimed = false
      claim = async () => {
        await signInByMail(own, ada, app.mailbox)
        isClaimed = (await getAddress(own)) === ada
      }
      t.not((await undo(stranger, getUndoUrl(app, evil))).status, 200)
      t.ok(isClaimed, 'the owner has claimed the user meanwhile')
      t.equal(await getEmail(app, id), ada)
      const late = app.newBrowser()
      await signInByMail(late, evil, app.mailbox)
      t.not(await getId(app, evil), id, 'the stranger')
      t.equal(await getAddress(stranger), null)
      await signInByMail(own, ada, app.mailbox)
      t.equal(await getAddress(own), ada, 'the owner')
      t.equal(await getId(app, ada), id)
    }
  )

t.test('an undo from before a claim does not keep the owner from a second factor', async (t) => {
  const [[, , open] = []] = storesAt(0, 4)
  if (!open) throw new Error('expected a store')
  const { app, own } = await startClaimed(t, await open(t))
  const before = app.mailbox.mails.length
  const page = await startEnrollment(own)
  t.equal(page.status, 200)
  t.ok(app.mailbox.mails.slice(before).every(({ to }) => to === ada))
})

for (const [name, skip, open] of storesAt(2, 4))
  t.test(`${name}: a deletion that a stranger has scheduled is written after a claim`, { skip }, async (t) => {
    let id = ''
    const { adapter, late } = createLateAdapter(
      withoutTransact(await open(t)),
      (method, [ticket]) => id !== '' && method === 'createTicket' && Object(ticket).userId === id
    )
    const app = await openWithGrace(t, 'database', { adapter })
    const stranger = await signInAtAcme(app, app.newBrowser(), { sub: 'mallory', name: 'M', email: ada })
    id = await getId(app, ada)
    await schedule(stranger)
    t.ok(late.takeEffect)
    app.clock.advance(5)
    const own: Browser = app.newBrowser()
    await signInByMail(own, ada, app.mailbox)
    t.equal(await getAddress(own), ada)
    app.clock.advance(60)
    await late.takeEffect?.()
    for (let days = 0; days < 32; days += 8) {
      app.clock.advance(8 * day)
      await own.open('/api/auth/session')
    }
    await deleteDue(app)
    t.ok(await app.adapter.getUser?.(id), 'the user of the owner is not deleted')
    t.equal(await getAddress(own), ada)
  })

for (const [name, skip, open] of storesAt(3, 4))
  t.test(`${name}: a sign-in by mail to the address before a change takes effect late`, { skip }, async (t) => {
    let isArmed = false
    const isWrite = (method: string): boolean => method === 'transact' || method === 'updateUser'
    const { adapter, late } = createLateAdapter(await open(t), (method) => isArmed && isWrite(method))
    const app = await openAccountApplication(t, 'database', { adapter })
    const owner = await createUser(app)
    const id = await getId(app, ada)
    isArmed = true
    await signInByMail(app.newBrowser(), ada, app.mailbox)
    isArmed = false
    app.clock.advance(5)
    await changeEmail(app, owner, 'new@example.com')
    app.clock.advance(60)
    await late.takeEffect?.().catch(() => undefined)
    t.equal(await getEmail(app, id), 'new@example.com', 'the new address stays')
    const thief = app.newBrowser()
    await signInByMail(thief, ada, app.mailbox)
    t.notOk((await getAddress(thief)) === ada && (await getId(app, ada)) === id, 'who reads the earlier mailbox')
  })
