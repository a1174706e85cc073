import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { Feature, FeatureContext } from '@postern/core/feature'
import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { findPasswords, recordNewPassword } from '../src/pages/email/replaced-passwords.ts'
import { registerPasswordCheck } from '../src/password-check.ts'
import {
  type AccountApplication,
  type AccountApplicationOptions,
  ada,
  base,
  canSignIn,
  change,
  comeBack,
  createUser,
  first,
  forget,
  openAccountApplication,
  openLink,
  second,
  signIn,
  strategies
} from './account-application.ts'
import { changeEmail, getEmail, getId, getUndoUrl, isSignedIn, undo } from './email-application.ts'
import { stores } from './stores.ts'

const mallory = 'mallory@example.com'
const third = 'a third sentence to remember'
const day = 86_400

/** In `npm test` a test has one strategy on a store, and the other one on the next; in the long run each has both. */
const turns = turnsOf(strategies, t)

/** A user whose password is older than 7 days, and a thief who knows it. */
async function openWithThief(
  app: AccountApplication
): Promise<{ readonly app: AccountApplication; readonly thief: Browser; readonly id: string }> {
  await createUser(app)
  app.clock.advance(8 * day)
  return { app, thief: await openSession(app), id: await getId(app, ada) }
}

const open = async (t: Test, options: AccountApplicationOptions = {}) =>
  openWithThief(await openAccountApplication(t, 'database', options))

async function openSession(app: AccountApplication): Promise<Browser> {
  const browser = app.newBrowser()
  await signIn(browser, ada, first)
  return browser
}

/** Asserts that a password undoes the newest change and signs in, and that others do not. */
async function undoes(
  t: Test,
  { app, id }: { readonly app: AccountApplication; readonly id: string },
  password: string,
  others: readonly string[] = [second]
): Promise<void> {
  t.equal(await getEmail(app, id), mallory, 'the address was changed')
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password })).status, 200)
  t.equal(await getEmail(app, id), ada)
  t.ok(await canSignIn(app.newBrowser(), ada, password), 'the password that was typed')
  for (const other of others) t.notOk(await canSignIn(app.newBrowser(), ada, other), 'another password')
}

for (const [name, skip, openStore] of stores)
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: the owner undoes a change with the replaced password`, { skip }, async (t) => {
      const { app, thief, id } = await openWithThief(
        await openAccountApplication(t, strategy, { adapter: await openStore(t) })
      )
      t.match((await change(thief, { password: second })).location, /changed/)
      await changeEmail(app, thief, mallory)
      const page = (await app.newBrowser().open(getUndoUrl(app))).html()
      t.ok(page.querySelector('input[type=password]'))
      t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: third })).status, 403)
      await undoes(t, { app, id }, first)
      t.notOk(await isSignedIn(thief))
      await changeEmail(app, await openSession(app), mallory)
      await undoes(t, { app, id }, first)
    })

t.test('a thief who replaces the password six times does not remove the one of the owner', async (t) => {
  const { app, thief, id } = await open(t)
  let currentPassword = first
  for (let count = 1; count <= 6; count++) {
    const password = `sentence ${count} of the thief`
    t.match((await change(thief, { currentPassword, password })).location, /changed/)
    currentPassword = password
    app.clock.advance(1)
  }
  await changeEmail(app, thief, mallory)
  await undoes(t, { app, id }, first, [currentPassword, 'sentence 1 of the thief'])
})

t.test('a password that was replaced by a reset undoes a change', async (t) => {
  const { app, id } = await open(t)
  const thief = app.newBrowser()
  await forget(thief, ada)
  await openLink(thief, app.mailbox.last(), { password: second })
  await signIn(thief, ada, second)
  await changeEmail(app, thief, mallory)
  await undoes(t, { app, id }, first)
})

t.test('the password at the change undoes it, and is restored', async (t) => {
  const { app, thief, id } = await open(t)
  await change(thief, { password: second })
  await changeEmail(app, thief, mallory)
  await change(thief, { currentPassword: second, password: third })
  await undoes(t, { app, id }, second, [first, third])
})

t.test('a session with an account from before the change restores the password at the change', async (t) => {
  const { app, thief, id } = await open(t)
  const person = { sub: 'ada', name: 'Ada', email: ada }
  await comeBack(app, thief, await thief.submit(`${base}/signin/acme`, { link: 'true' }), person)
  await change(thief, { password: second })
  await changeEmail(app, thief, mallory)
  await change(thief, { currentPassword: second, password: third })
  app.clock.advance(1)
  const owner = app.newBrowser()
  await comeBack(app, owner, await owner.submit(`${base}/signin/acme`, {}), person)
  t.equal((await undo(owner, getUndoUrl(app))).status, 200)
  t.equal(await getEmail(app, id), ada)
  t.ok(await canSignIn(app.newBrowser(), ada, second))
  t.notOk(await canSignIn(app.newBrowser(), ada, third))
})

t.test('a password that was replaced more than 7 days before the change does not undo it', async (t) => {
  for (const [wait, status] of [
    [7 * day - 1, 200],
    [8 * day, 403]
  ] as const) {
    const { app, thief, id } = await open(t)
    await change(thief, { password: second })
    app.clock.advance(wait)
    const again = app.newBrowser()
    await signIn(again, ada, second)
    await changeEmail(app, again, mallory)
    t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, status)
    t.equal(await getEmail(app, id), status === 200 ? ada : mallory)
  }
})

t.test('a wrong password counts one try, also if it is compared with several', async (t) => {
  const { app, thief, id } = await open(t)
  await change(thief, { password: second })
  await changeEmail(app, thief, mallory)
  const url = getUndoUrl(app)
  for (let count = 1; count <= 19; count++)
    t.equal((await undo(app.newBrowser(), url, { password: third })).status, 403)
  await undoes(t, { app, id }, first)
  await changeEmail(app, await openSession(app), mallory)
  const next = getUndoUrl(app)
  for (let count = 1; count <= 20; count++) await undo(app.newBrowser(), next, { password: third })
  t.match((await undo(app.newBrowser(), next, { password: first })).body, 'Too many')
  t.equal(await getEmail(app, id), mallory)
})

/** Resets the password by mail. */
async function reset(app: AccountApplication, password: string): Promise<void> {
  const browser = app.newBrowser()
  await forget(browser, ada)
  await openLink(browser, app.mailbox.last(), { password })
}

t.test('of passwords that are replaced at the same time, the one that was in use for long is kept', async (t) => {
  const inner = memoryAdapter()
  let beforeWrite: (() => Promise<void>) | null = null
  const adapter: Adapter = {
    ...inner,
    createTicket: async (ticket) => {
      const act = /(?:new|old)-password$/.test(ticket.kind) ? beforeWrite : null
      if (act) beforeWrite = null
      await act?.()
      return inner.createTicket?.(ticket)
    }
  }
  const { app, thief, id } = await open(t, { adapter })
  beforeWrite = async () => {
    await reset(app, second)
    await reset(app, third)
  }
  await change(thief, { password: 'the sentence that is too late' })
  t.equal(beforeWrite, null, 'they overlapped')
  const again = app.newBrowser()
  await signIn(again, ada, third)
  await changeEmail(app, again, mallory)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: second })).status, 403)
  await undoes(t, { app, id }, first, [second, third])
})

t.test(
  'the first password undoes a change if the user signed up with it, not if it was added to an account',
  async (t) => {
    const app = await openAccountApplication(t, 'database')
    await createUser(app)
    const userId = await getId(app, ada)
    const thief = await openSession(app)
    await change(thief, { password: second })
    await changeEmail(app, thief, mallory)
    await undoes(t, { app, id: userId }, first)
    const other = await openAccountApplication(t, 'database')
    const person = { sub: 'ada', name: 'Ada', email: ada, email_verified: true }
    const owner = other.newBrowser()
    await comeBack(other, owner, await owner.submit(`${base}/signin/acme`, {}), person)
    const id = await getId(other, ada)
    await other.adapter.updateUser?.({ id, emailVerified: new Date(other.clock.now()) })
    // The thief reads the mailbox: the owner had no password.
    await reset(other, third)
    await reset(other, second)
    const back = other.newBrowser()
    await signIn(back, ada, second)
    await changeEmail(other, back, mallory)
    t.equal((await undo(other.newBrowser(), getUndoUrl(other), { password: third })).status, 403)
    t.equal(await getEmail(other, id), mallory)
  }
)

/** Records and finds replaced passwords in a store. The factor of the password is older. */
async function openRecord(t: Test, adapter: Adapter = memoryAdapter()) {
  const contexts: FeatureContext[] = []
  const probe: Feature = {
    id: 'probe',
    needs: ['createTicket', 'readTicket', 'consumeTicket'],
    setup: (context) => {
      contexts.push(context)
      return {}
    }
  }
  const { clock } = await openAccountApplication(t, 'database', { adapter, features: [probe] })
  const [context] = contexts
  if (!context) throw new Error('expected a context')
  const { tickets, now } = context
  const api = { has: async () => true, setHash: async () => undefined }
  const check = registerPasswordCheck(api, { factorType: 'password', compare: async () => false })
  const about = { name: null, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  const factor = { ...about, type: 'password', id: 'ada', userId: 'ada', data: 'current' }
  return {
    clock,
    record: (hash: string) => recordNewPassword('ada', hash, { now, tickets }),
    find: (createdAt: Date = factor.createdAt) =>
      findPasswords('ada', [{ ...factor, createdAt }], { features: { password: check }, now, tickets }).then(
        ({ replacedPassword }) => replacedPassword
      )
  }
}

for (const [name, skip, openStore] of stores)
  t.test(`${name}: the password of the owner is kept, also among concurrent records`, { skip }, async (t) => {
    const { clock, record, find } = await openRecord(t, await openStore(t))
    await Promise.all(Array.from({ length: 5 }, () => record('owner')))
    t.equal(await find(), 'owner')
    clock.advance(8 * day)
    t.equal(await find(), null, 'it has expired')
    await record('owner')
    clock.advance(1)
    await Promise.all(Array.from({ length: 12 }, (_, count) => record(`thief ${count}`)))
    t.equal(await find(), 'owner')
  })

t.test('a password that was in use for less than 7 days is not kept', async (t) => {
  const { clock, record, find } = await openRecord(t)
  await record('owner')
  for (let count = 1; count <= 20; count++) {
    clock.advance(day)
    await record(`thief ${count}`)
    t.equal(await find(), 'owner', 'as long as new ones come')
  }
  clock.advance(8 * day)
  t.equal(await find(), null)
  await record('of the last week')
  t.equal(await find(), 'of the last week')
})

t.test('a password from before the first one of the user, and the current one, are not found', async (t) => {
  const { clock, record, find } = await openRecord(t)
  await record('of someone else')
  t.equal(await find(), 'of someone else')
  t.equal(await find(new Date(clock.now() + 1000)), null)
  const { record: recordAgain, find: findAgain } = await openRecord(t)
  await recordAgain('current')
  t.equal(await findAgain(), null)
})
