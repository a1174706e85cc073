import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  accountPath,
  ada,
  addPasskey,
  base,
  change,
  comeBack,
  createUser,
  first,
  openAccountApplication,
  origin,
  signInByMail,
  strategies
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
  undo
} from './email-application.ts'
import { gate, pass } from './gate.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { createApp, mailAndReadKey, startWithMail } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'
import {
  day,
  linkAcme,
  mallory,
  openSession,
  openWithOldProofs,
  person,
  signInAtAcme,
  thiefsPerson,
  third
} from './undo-application.ts'

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: an account that a thief connects before the change does not undo the change back`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const stolen = await openSession(app)
    await linkAcme(app, stolen, thiefsPerson)
    await changeEmail(app, stolen, mallory)
    app.clock.advance(3600)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, ada)
    await owner.submit(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId: 'mallory' })
    const thief = await signInAtAcme(app, app.newBrowser(), thiefsPerson)
    t.equal((await undo(thief, getUndoUrl(app, mallory))).status, 403)
    t.equal(await getEmail(app, id), ada)
  })

  test(`${strategy}: the thief of the mailbox alone, who has added a passkey, does not undo the change of the owner`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const thief = app.newBrowser()
    await signInByMail(thief, ada, app.mailbox)
    const thiefs = createAuthenticator({ origin })
    await addPasskey(thief, thiefs)
    app.clock.advance(60)
    await changeEmail(app, await openSession(app), grace)
    t.equal(await getEmail(app, id), grace)
    const again = app.newBrowser()
    await signInWithPasskey(again, thiefs)
    t.equal((await undo(again, getUndoUrl(app))).status, 403)
    t.equal(await getEmail(app, id), grace)
  })

  test(`${strategy}: a sign-in that was interrupted before a change, and completes after it, proves no undo`, async (t) => {
    const app = await openAccountApplication(t, strategy, { features: [gate] })
    const owner = await createUser(app)
    await pass(owner)
    await linkAcme(app, owner)
    await pass(owner)
    const id = await getId(app, ada)
    t.equal((await app.adapter.getAccounts?.(id))?.length, 1)
    app.clock.advance(8 * day)
    const session = await openSession(app)
    await pass(session)
    const browser = app.newBrowser()
    await signInAtAcme(app, browser)
    const stolen = copy(app, browser)
    app.clock.advance(5)
    await changeEmail(app, session, grace)
    t.equal(await getEmail(app, id), grace)
    app.clock.advance(60)
    await pass(stolen)
    t.equal((await undo(stolen, getUndoUrl(app))).status, 403)
    t.equal(await getEmail(app, id), grace)
  })
}

t.test(
  'an application on the same store that hides the section of the address keeps what undoes a change',
  async (t) => {
    const adapter = memoryAdapter()
    const { app, id } = await openWithOldProofs(t, 'database', { adapter })
    const runtime = { now: app.clock.now, sendMail: app.mailbox.sendMail }
    const beside = await openAccountApplication(t, 'database', {
      adapter,
      runtime,
      accountPages: { hidden: ['account/email'] }
    })
    await changeEmail(app, await openSession(app), mallory)
    const stolen = await openSession(beside, first, mallory)
    await stolen.submit(`${accountPath}/connections/remove`, { provider: 'acme', providerAccountId: 'ada' })
    t.same((await adapter.getAccounts?.(id))?.length, 1, 'the account stays')
    await startWithMail(app, stolen)
    t.not(app.mailbox.last().to, mallory, 'the code does not go to the thief')
  }
)

t.test(
  'without transactions, a change that the store refuses leaves no undo that asks for a sign-in without an end',
  async (t) => {
    const inner = memoryAdapter()
    let refuses = false
    const adapter: Adapter = Object.fromEntries(
      Object.entries(inner)
        .filter(([name]) => name !== 'transact' && name !== 'atomically')
        .map(([name, method]) => [
          name,
          name !== 'updateUser'
            ? method
            : async (user: { readonly email?: string }) => {
                if (refuses && user.email) throw Object.assign(new Error('duplicate key'), { code: '23505' })
                return inner.updateUser?.(user as never)
              }
        ])
    )
    const { app, id } = await openWithOldProofs(t, 'database', { adapter })
    await changeEmail(app, await openSession(app), grace)
    const session = await openSession(app, first, grace)
    await askForEmail(session, 'grace2@example.com')
    refuses = true
    await session.submit(`${emailPath}/confirm`, {
      token: getToken(getMail(app, 'grace2@example.com').url)
    })
    refuses = false
    t.equal(await getEmail(app, id), grace)
    const again = await openSession(app, first, grace)
    t.match((await again.submit(`${base}/factors/totp/start`, {})).location, /factors\/totp$/)
  }
)

t.test('a user without a password who sets one, and is robbed, undoes the change with it', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const owner = app.newBrowser()
  await signInByMail(owner, ada, app.mailbox)
  const id = await getId(app, ada)
  await change(owner, { password: third })
  app.clock.advance(day)
  await changeEmail(app, await openSession(app, third), mallory)
  t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: third })).status, 200)
  t.equal(await getEmail(app, id), ada)
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: an owner who must set up a second factor on the way undoes the change`, async (t) => {
    let isRequired = false
    const { app, id } = await openWithOldProofs(t, strategy, { secondFactor: { required: () => isRequired } })
    await changeEmail(app, await openSession(app), mallory)
    const url = getUndoUrl(app)
    isRequired = true
    const owner = app.newBrowser()
    const page = await owner.open(url)
    const signInUrl = page.html().querySelector('a[href*="/signin?"]')?.getAttribute('href') ?? ''
    const form = await owner.open(signInUrl.replace(origin, ''))
    await comeBack(app, owner, await owner.fill(form, `${base}/signin/acme`), person)
    const key = await mailAndReadKey(owner)
    t.equal(app.mailbox.last().to, ada)
    const phone = createApp(key, app.clock.now)
    await owner.submit(`${base}/verify/enroll`, { code: phone.code(), mailCode: app.mailbox.last().code })
    const done = await owner.submit(`${base}/verify/enroll`, { saved: 'yes' })
    t.equal(done.location, url, 'back to the undo')
    t.equal((await undo(owner, url)).status, 200)
    t.equal(await getEmail(app, id), ada)
    t.same(await app.adapter.listFactors?.(id, 'factors-totp'), [])
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: an interrupted sign-in from before a change enrolls nobody with the mailbox that was left`, async (t) => {
    let isRequired = false
    const { app, id } = await openWithOldProofs(t, strategy, { secondFactor: { required: () => isRequired } })
    const session = await openSession(app)
    isRequired = true
    const browser = await signInAtAcme(app, app.newBrowser())
    const stolen = copy(app, browser)
    isRequired = false
    await changeEmail(app, session, grace)
    t.equal(await getEmail(app, id), grace)
    isRequired = true
    const count = app.mailbox.mails.length
    await stolen.submit(`${base}/verify/enroll`, { send: 'mail' })
    t.equal(app.mailbox.mails.length, count, 'no code is mailed')
    t.equal((await undo(stolen, getUndoUrl(app))).status, 403)
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: an owner whose account proves the undo is not asked without an end to authenticate`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, grace)
    const asked = await owner.submit(`${base}/factors/totp/start`, {})
    t.match(asked.location, /max_age=0/)
    const page = await owner.open((asked.location ?? '').replace(origin, ''))
    const form = page.status === 200 ? page : await owner.follow(page)
    await comeBack(app, owner, await owner.fill(form, `${base}/signin/acme`), person)
    const { app: phone, mailCode } = await startWithMail(app, owner)
    await owner.submit(`${base}/factors/totp`, { code: phone.code(), mailCode })
    t.equal((await app.adapter.listFactors?.(id, 'factors-totp'))?.length, 1)
    t.equal((await undo(owner, getUndoUrl(app))).status, 200, 'the claims survive the end of the other sessions')
  })
