import type { Adapter } from '@postern/core'
import t from 'tap'
import { ada, createUser, getAddress, openAccountApplication, signInByMail } from './account-application.ts'
import { changeEmail, getEmail, getId } from './email-application.ts'
import { storesAt } from './stores.ts'

// What is written late does not undo a later change of the address.

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
