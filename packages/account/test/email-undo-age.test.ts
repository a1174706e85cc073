import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  ada,
  addPasskey,
  base,
  change,
  createUser,
  first,
  openAccountApplication,
  origin,
  second,
  signIn,
  signInByMail,
  strategies
} from './account-application.ts'
import { changeEmail, getEmail, getId, getUndoUrl, undo } from './email-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { addFactorPasskey, answer, enroll, startWithMail } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { day, linkAcme, mallory, openSession, reset, signInAtAcme, thiefsPerson, third } from './undo-application.ts'

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  for (const isSuspended of [false, true])
    test(`${strategy}: an account that a thief connects is not old after a suspension (${isSuspended})`, async (t) => {
      const app = await openAccountApplication(t, strategy)
      await linkAcme(app, await createUser(app))
      const id = await getId(app, ada)
      app.clock.advance(8 * day)
      await linkAcme(app, await openSession(app), thiefsPerson)
      if (isSuspended) {
        await app.auth.users.suspend(id)
        await app.auth.users.resume(id)
        app.clock.advance(10)
      }
      const thief = await signInAtAcme(app, app.newBrowser(), thiefsPerson)
      await changeEmail(app, thief, mallory)
      t.equal(await getEmail(app, id), mallory)
      app.clock.advance(3600)
      const owner = await signInAtAcme(app, app.newBrowser())
      t.equal((await owner.open(`${base}/account`)).status, 200, 'the owner is signed in')
      await changeEmail(app, owner, ada)
      t.equal(await getEmail(app, id), ada)
      const again = await signInAtAcme(app, app.newBrowser(), thiefsPerson)
      t.equal((await undo(again, getUndoUrl(app, mallory))).status, 403)
      t.equal(await getEmail(app, id), ada, 'the thief has not undone the change back')
    })

  for (const isDisturbed of [false, true])
    test(`${strategy}: a passkey whose addition was disturbed (${isDisturbed}) leaves nothing`, async (t) => {
      const inner = memoryAdapter()
      let between: (() => Promise<unknown>) | null = null
      const adapter: Adapter = {
        ...inner,
        createFactor: async (factor) => {
          const result = await inner.createFactor?.(factor)
          const work = between
          between = null
          if (factor.type === 'passkey') await work?.()
          return result as never
        }
      }
      const app = await openAccountApplication(t, strategy, { adapter })
      // An owner who signs in by mail.
      const mails = app.newBrowser()
      await signInByMail(mails, ada, app.mailbox)
      const id = await getId(app, ada)
      // The thief of the session leaves a passkey that no page shows.
      const stolen = copy(app, mails)
      const other = copy(app, mails)
      between = async () => {
        const [factor] = (await adapter.listFactors?.(id, 'passkey')) ?? []
        await other.submit(`${base}/passkeys/${factor?.id}/rename`, { name: 'x' })
      }
      const authenticator = createAuthenticator({ origin })
      if (isDisturbed) await addPasskey(stolen, authenticator)
      const left = (await adapter.listFactors?.(id, 'passkey')) ?? []
      const reader = app.newBrowser()
      if (isDisturbed) await signInWithPasskey(reader, authenticator)
      const isComplete = (await reader.open(`${base}/account`)).status === 200
      t.ok(left.length === 0 || isComplete, 'nothing is left that does not sign in')
      // Then the page shows the passkey, and the owner was notified of it.
      if (isComplete) return
      t.notMatch((await stolen.open(`${base}/passkeys`)).body, 'row-title', 'nothing is listed')
      app.clock.advance(8 * day)
      const owner = app.newBrowser()
      await signInByMail(owner, ada, app.mailbox)
      await linkAcme(app, owner)
      app.clock.advance(day)
      const again = app.newBrowser()
      await signInByMail(again, ada, app.mailbox)
      await changeEmail(app, again, mallory)
      t.equal(await getEmail(app, id), mallory)
      const back = await signInAtAcme(app, app.newBrowser())
      t.equal((await undo(back, getUndoUrl(app))).status, 200, 'the owner undoes the change')
      t.equal(await getEmail(app, id), ada)
    })

  test(`${strategy}: a passkey that was not confirmed is no second factor`, async (t) => {
    const inner = memoryAdapter()
    let isDead = false
    let isArmed = false
    const adapter: Adapter = {
      ...inner,
      updateFactor: async (...args) => {
        if (isArmed && args[0].type === 'passkey') isDead = true
        if (isDead) throw new Error('the process has ended')
        return inner.updateFactor?.(...args) as never
      }
    }
    let isRequired = false
    const app = await openAccountApplication(t, strategy, { adapter, secondFactor: { required: () => isRequired } })
    const owner = await createUser(app)
    const id = await getId(app, ada)
    isArmed = true
    await addFactorPasskey(app, owner, createAuthenticator({ origin }))
    isArmed = false
    isDead = false
    t.equal((await adapter.listFactors?.(id, 'passkey'))?.length, 1)
    app.clock.advance(3600)
    isRequired = true
    const browser = app.newBrowser()
    const { location } = await signIn(browser, ada, first)
    const page = await browser.followAll(await browser.open((location ?? '').replace(origin, '')))
    t.notMatch(page.body, /Use a passkey|passkeyOptions|name="options"/, 'the owner is not asked for it')
  })
}

for (const { value: strategy, test } of turns())
  for (const days of [6.5, 8.5])
    test(`${strategy}: a password that was in use for ${days} days is a proof only if that is long enough`, async (t) => {
      const app = await openAccountApplication(t, strategy)
      await createUser(app)
      const id = await getId(app, ada)
      app.clock.advance(8 * day)
      // The start of a day.
      app.clock.advance(day - ((app.clock.now() / 1000) % day) + 60)
      const owner = await openSession(app)
      await change(owner, { currentPassword: first, password: second })
      app.clock.advance(days * day)
      // The thief reads the mailbox.
      await reset(app, ada, third)
      const thief = await openSession(app, third)
      await changeEmail(app, thief, mallory)
      t.equal(await getEmail(app, id), mallory)
      const byOld = (await undo(app.newBrowser(), getUndoUrl(app), { password: second })).status
      t.equal(byOld, days > 8 ? 200 : 403, 'the password of the owner')
      const byOlder = byOld === 200 ? 403 : (await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status
      t.equal(byOlder, days > 8 ? 403 : 200, 'the one before')
    })

t.test('a recovery code that is used while an enrollment is taken back works once', async (t) => {
  let beforeCreate: (() => Promise<unknown>) | null = null
  const inner = memoryAdapter()
  const adapter: Adapter = {
    ...inner,
    createFactor: async (factor) => {
      const act = factor.type === 'factors-totp' ? beforeCreate : null
      if (act) beforeCreate = null
      await act?.()
      await inner.createFactor?.(factor)
    }
  }
  const app = await openAccountApplication(t, 'database', { adapter })
  const { app: phone, recoveryCodes } = await enroll(app, await createUser(app))
  const id = await getId(app, ada)
  app.clock.advance(31)
  const owner = await openSession(app)
  await answer(owner, { code: phone.code() })
  await addPasskey(owner, createAuthenticator({ origin }))
  await inner.deleteFactor?.({ type: 'factors-totp', id })
  const use = async (): Promise<string | null> => {
    const session = await openSession(app)
    const page = await session.open(`${base}/verify?amr=mfa&callbackUrl=/`)
    await session.fill(page, `${base}/callback/password`, { email: ada, password: first })
    return (await answer(session, { recoveryCode: recoveryCodes[0] ?? '' })).location
  }
  const { app: again, mailCode } = await startWithMail(app, owner)
  beforeCreate = async () => {
    t.equal(await use(), origin, 'the code works')
    await app.auth.sessions.revokeAll(id)
  }
  await owner.submit(`${base}/factors/totp`, { code: again.code(), mailCode })
  t.equal(beforeCreate, null, 'it overlapped')
  t.same(await inner.listFactors?.(id, 'factors-totp'), [])
  t.equal(await use(), null, 'the code was used')
})
