import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import {
  type AccountApplication,
  type AccountApplicationOptions,
  accountPath,
  ada,
  addPasskey,
  base,
  comeBack,
  createUser,
  first,
  openAccountApplication,
  origin,
  second,
  signIn,
  signInByMail
} from './account-application.ts'
import {
  askForEmail,
  changeEmail,
  emailPath,
  getEmail,
  getId,
  getMail,
  getToken,
  getUndoUrl,
  grace,
  isSignedIn,
  undo
} from './email-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { enroll } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'

const mallory = 'mallory@example.com'

t.test('the thief of a session cannot replace the password before the address', async (t) => {
  for (const strategy of ['database', 'jwt'] as const) {
    const app = await openAccountApplication(t, strategy)
    const thief = await createUser(app)
    const id = await getId(app, ada)
    for (const values of [{ password: second }, { password: second, currentPassword: second }]) {
      const refused = await thief.submit(`${base}/password`, values)
      t.equal(refused.status, 400, `${strategy}: the session is recent, but the current password is needed`)
      t.match(refused.html().querySelector('#currentPassword-error')?.text, 'not your current password')
    }
    await changeEmail(app, thief, mallory)
    t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
    t.equal(await getEmail(app, id), ada)
  }
})

const person = { sub: 'ada', name: 'Ada', email: ada }

/** A user with a password, a passkey and an account. */
async function openWithAll(t: Test, options: AccountApplicationOptions = {}) {
  const app = await openAccountApplication(t, 'database', options)
  const browser = await createUser(app)
  await addPasskey(browser, createAuthenticator({ origin }))
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }), person)
  return { app, id: await getId(app, ada) }
}

const disconnect = (browser: Browser): ReturnType<Browser['submit']> =>
  browser.submit(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId: 'ada' })

/** Asserts that a session cannot change the address. */
async function refuses(t: Test, app: AccountApplication, browser: Browser, about: string): Promise<void> {
  const sent = app.mailbox.mails.length
  const refused = await askForEmail(browser, mallory)
  t.equal(refused.status, 403, about)
  t.match(refused.body, /Until .* the address can only be changed after/, about)
  t.ok(refused.html().querySelector('a[href*="/verify?"]'), about)
  const page = await browser.open(emailPath)
  t.equal(page.status, 200)
  t.equal(page.html().querySelector('#email'), null, about)
  t.notOk(
    app.mailbox.mails.slice(sent).some(({ to }) => to === mallory),
    about
  )
}

t.test('a thief who removes what the owner signs in with cannot change the address', async (t) => {
  const { app, id } = await openWithAll(t)
  const thief = app.newBrowser()
  await signIn(thief, ada, first)
  await askForEmail(thief, mallory)
  t.match((await disconnect(thief)).location, /done=accountRemoved/)
  const { url } = getMail(app, mallory)
  t.equal((await thief.submit(`${emailPath}/confirm`, { token: getToken(url) })).status, 403, 'nor one that waits')
  await refuses(t, app, thief, 'the stolen session')
  app.clock.advance(1)
  const added = createAuthenticator({ origin })
  await addPasskey(thief, added)
  app.clock.advance(1)
  const other = app.newBrowser()
  await signInWithPasskey(other, added)
  t.ok(await isSignedIn(other))
  await refuses(t, app, other, 'a passkey that was added by the thief')
  await comeBack(app, other, await other.submit(`${base}/signin/acme`, { link: 'true' }), { ...person, sub: 'mallory' })
  const connected = app.newBrowser()
  await comeBack(app, connected, await connected.submit(`${base}/signin/acme`, {}), { ...person, sub: 'mallory' })
  t.ok(await isSignedIn(connected))
  await refuses(t, app, connected, 'an account that was connected by the thief')
  t.equal(await getEmail(app, id), ada)
})

t.test('the owner changes the address after a removal with an old password, or after 7 days', async (t) => {
  const { app, id } = await openWithAll(t)
  app.clock.advance(7 * 86_400)
  const again = app.newBrowser()
  await signIn(again, ada, first)
  t.match((await disconnect(again)).location, /done=accountRemoved/)
  app.clock.advance(30)
  await refuses(t, app, again, 'the session is from before the removal')
  const early = app.newBrowser()
  await signIn(early, ada, first)
  await refuses(t, app, early, 'the clock of the process that removed it may be half a minute behind')
  app.clock.advance(1)
  const known = app.newBrowser()
  await signIn(known, ada, first)
  await changeEmail(app, known, grace)
  t.equal(await getEmail(app, id), grace)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
  const later = app.newBrowser()
  await signInByMail(later, ada, app.mailbox)
  await refuses(t, app, later, 'the mailbox may be the reason')
  app.clock.advance(7 * 86_400)
  const last = app.newBrowser()
  await signInByMail(last, ada, app.mailbox)
  await changeEmail(app, last, grace)
  t.equal(await getEmail(app, id), grace)
})

t.test('a removal that is refused delays nothing', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const browser = app.newBrowser()
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), { ...person, emailVerified: true })
  const id = await getId(app, ada)
  await app.adapter.updateUser?.({ id, emailVerified: new Date(app.clock.now()) })
  await app.adapter.linkAccount?.({ userId: id, type: 'oidc', provider: 'acme', providerAccountId: 'second' })
  t.equal(
    (await browser.submit(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId: 'none' })).status,
    400
  )
  await changeEmail(app, browser, grace)
  t.equal(await getEmail(app, id), grace)
})

t.test('a removal that completes while a change waits for the lock delays the change', async (t) => {
  const inner = memoryAdapter()
  let beforeLock: (() => Promise<unknown>) | null = null
  const adapter: Adapter = {
    ...inner,
    createTicket: async (ticket) => {
      const act = ticket.kind.endsWith('email-lock') ? beforeLock : null
      if (act) beforeLock = null
      await act?.()
      return inner.createTicket?.(ticket)
    }
  }
  const { app, id } = await openWithAll(t, { adapter })
  const thief = app.newBrowser()
  await signIn(thief, ada, first)
  await askForEmail(thief, mallory)
  const { url } = getMail(app, mallory)
  beforeLock = async () => t.match((await disconnect(copy(app, thief))).location, /done=accountRemoved/)
  const refused = await thief.submit(`${emailPath}/confirm`, { token: getToken(url) })
  t.equal(beforeLock, null, 'it overlapped')
  t.match(refused.body, /Until .* the address can only be changed after/)
  t.equal(await getEmail(app, id), ada)
})

t.test('a second factor that was added in the last 7 days does not make a change final', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const thief = await createUser(app)
  const id = await getId(app, ada)
  const { app: authenticator } = await enroll(app, thief)
  const again = app.newBrowser()
  await signIn(again, ada, first)
  await again.submit(`${base}/verify/factor`, { code: authenticator.code() })
  await changeEmail(app, again, mallory)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
  t.equal(await getEmail(app, id), ada)
})
