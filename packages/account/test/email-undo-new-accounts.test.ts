import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { ada, base, comeBack } from './account-application.ts'
import { changeEmail, getEmail, getUndoUrl, isSignedIn, undo } from './email-application.ts'
import {
  linkAcme,
  mallory,
  openSession,
  openWithOldProofs,
  person,
  signInAtAcme,
  thiefsPerson
} from './undo-application.ts'

for (const isProvider of [true, false])
  t.test(
    `an account of a ${isProvider ? 'provider' : 'form'} that a thief connects does not undo the change back of the owner`,
    async (t) => {
      const form = credentials({ credentials: { name: {} }, authorize: () => ({ id: 'form-mallory', email: ada }) })
      const { app, id } = await openWithOldProofs(t, 'database', { providers: [form] })
      const stolen = await openSession(app)
      if (isProvider) await linkAcme(app, stolen, thiefsPerson)
      else {
        await stolen.submit(`${base}/callback/credentials`, { name: 'x' })
      }
      await changeEmail(app, stolen, mallory)
      t.equal(await getEmail(app, id), mallory)
      app.clock.advance(3600)
      const owner = await signInAtAcme(app, app.newBrowser())
      await changeEmail(app, owner, ada)
      t.equal(await getEmail(app, id), ada, 'the owner has changed it back')
      const thief = app.newBrowser()
      if (isProvider) await signInAtAcme(app, thief, thiefsPerson)
      else await thief.submit(`${base}/callback/credentials`, { name: 'x' })
      t.ok(await isSignedIn(thief))
      const result = await undo(thief, getUndoUrl(app, mallory))
      t.equal(result.status, 403, 'the thief does not undo it')
      t.equal(await getEmail(app, id), ada)
    }
  )

t.test(
  'without transactions, an account that is being linked during the change does not undo the change back',
  async (t) => {
    const inner = memoryAdapter()
    let afterLink: (() => Promise<unknown>) | null = null
    const plain: Adapter = Object.fromEntries(
      Object.keys(inner)
        .filter((name) => name !== 'transact' && name !== 'atomically')
        .map((name) => [name, Reflect.get(inner, name)])
    )
    const adapter: Adapter = {
      ...plain,
      linkAccount: async (account) => {
        const result = await inner.linkAccount?.(account)
        const act = afterLink
        afterLink = null
        await act?.()
        return result as never
      }
    }
    const { app, id } = await openWithOldProofs(t, 'database', { adapter })
    const stolen = await openSession(app)
    const tab = await openSession(app)
    afterLink = () => changeEmail(app, tab, mallory)
    await linkAcme(app, stolen, thiefsPerson)
    t.equal(await getEmail(app, id), mallory)
    app.clock.advance(3600)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, ada)
    t.equal(await getEmail(app, id), ada, 'the owner has changed it back')
    const thief = await signInAtAcme(app, app.newBrowser(), thiefsPerson)
    t.equal((await undo(thief, getUndoUrl(app, mallory))).status, 403, 'the thief does not undo it')
    t.equal(await getEmail(app, id), ada)
  }
)

t.test('an account whose listener of linkAccount takes long does not undo the change back', async (t) => {
  const inner = memoryAdapter()
  let afterLink: (() => Promise<unknown>) | null = null
  const adapter: Adapter = Object.fromEntries(
    Object.keys(inner)
      .filter((name) => name !== 'transact' && name !== 'atomically')
      .map((name) => [name, Reflect.get(inner, name)])
  )
  const { app, id } = await openWithOldProofs(t, 'jwt', {
    adapter,
    events: {
      linkAccount: async () => {
        const act = afterLink
        afterLink = null
        await act?.()
      }
    }
  })
  const stolen = await openSession(app)
  const tab = await openSession(app)
  afterLink = () => changeEmail(app, tab, mallory)
  await linkAcme(app, stolen, thiefsPerson)
  t.equal(await getEmail(app, id), mallory)
  const owner = await signInAtAcme(app, app.newBrowser())
  await changeEmail(app, owner, ada)
  const thief = await signInAtAcme(app, app.newBrowser(), thiefsPerson)
  t.equal((await undo(thief, getUndoUrl(app, mallory))).status, 403, 'the thief does not undo it')
  t.equal(await getEmail(app, id), ada)
})

const turns = turnsOf(['jwt', 'database'] as const, t)

for (const { value: strategy, test } of turns())
  for (const behind of [0, 5])
    test(`${strategy}: a process whose clock is ${behind} s behind ends the sessions during a link`, async (t) => {
      let onLink: (() => Promise<unknown>) | null = null
      const { app, id } = await openWithOldProofs(t, strategy, {
        events: {
          linkAccount: async () => {
            const act = onLink
            onLink = null
            await act?.()
          }
        }
      })
      const stolen = await openSession(app)
      app.clock.advance(60)
      onLink = async () => {
        app.clock.advance(0.01 - behind)
        await app.auth.sessions.revokeAll(id)
        app.clock.advance(behind)
      }
      const response = (await linkAcme(app, stolen, thiefsPerson)) as { location: string }
      const accounts = ((await app.adapter.getAccounts?.(id)) ?? []).map((one) => one.providerAccountId)
      app.clock.advance(100)
      t.equal(/error=/.test(response.location), !accounts.includes('mallory'), 'refused, and not linked')
    })

t.test('an owner whose browser is signed in as somebody else signs out, and undoes the change', async (t) => {
  const { app, id } = await openWithOldProofs(t)
  await changeEmail(app, await openSession(app), mallory)
  const browser = app.newBrowser()
  const url = getUndoUrl(app)
  await browser.open(url)
  await signInAtAcme(app, browser, { ...thiefsPerson, sub: 'other', email: 'other@example.com' })
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), person)
  await browser.submit(`${base}/signout`, {})
  await signInAtAcme(app, browser, person)
  t.equal((await undo(browser, url)).status, 200)
  t.not(await getEmail(app, id), mallory)
})
