import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { callNumbers, turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  accountPath,
  ada,
  addPasskey,
  base,
  canSignIn,
  change,
  comeBack,
  createUser,
  first,
  openAccountApplication,
  origin,
  second,
  signIn,
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
  isSignedIn,
  undo,
  undoSubject
} from './email-application.ts'
import { createMortal } from './interrupted-store.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { answer, enroll, startWithMail } from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'
import {
  day,
  linkAcme,
  mallory,
  openSession,
  openWithOldProofs,
  person,
  reset,
  signInAtAcme,
  thiefsPerson,
  third
} from './undo-application.ts'

/** In `npm test` a test has one strategy, and the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a thief who has reset the password does not undo the change back of the owner`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const stolen = await openSession(app)
    await changeEmail(app, stolen, mallory)
    await reset(app, mallory, third)
    app.clock.advance(3600)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, ada)
    t.equal(await getEmail(app, id), ada)
    const link = getUndoUrl(app, mallory)
    t.equal((await undo(app.newBrowser(), link, { password: third })).status, 403)
    const thief = await openSession(app, third)
    t.equal((await undo(thief, link, { password: third })).status, 403, 'nor with a session')
    t.equal(await getEmail(app, id), ada)
    t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
    t.notOk(await canSignIn(app.newBrowser(), ada, third), 'the owner ends the password of the thief')
    t.equal((await undo(app.newBrowser(), link, { password: first })).status, 400, 'and the link of the thief')
  })

  test(`${strategy}: a password that a thief set just before the change does not undo the change back`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const stolen = await openSession(app)
    await change(stolen, { currentPassword: first, password: second })
    await changeEmail(app, stolen, mallory)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, ada)
    t.equal((await undo(app.newBrowser(), getUndoUrl(app, mallory), { password: second })).status, 403)
    t.equal(await getEmail(app, id), ada)
  })

  test(`${strategy}: what a thief adds before a second change proves no undo, whatever the clocks say`, async (t) => {
    const adapter = memoryAdapter()
    const { app, id } = await openWithOldProofs(t, strategy, { adapter })
    // Another process, whose clock is behind.
    const behind = await openAccountApplication(t, strategy, {
      adapter,
      runtime: { now: () => app.clock.now() - 20_000 }
    })
    const stolen = await openSession(app)
    await changeEmail(app, stolen, mallory)
    await linkAcme(app, stolen, thiefsPerson)
    const session = await openSession(behind, first, mallory)
    await changeEmail(behind, session, 'mallory2@example.com')
    t.equal(await getEmail(app, id), 'mallory2@example.com')
    for (const one of [app, behind]) {
      const thief = await signInAtAcme(one, one.newBrowser(), thiefsPerson)
      t.ok(await isSignedIn(thief))
      t.equal((await undo(thief, getUndoUrl(behind, mallory))).status, 403)
      t.equal((await undo(thief, getUndoUrl(app))).status, 403)
    }
    const owner = await signInAtAcme(app, app.newBrowser())
    t.equal((await undo(owner, getUndoUrl(app))).status, 200)
    t.equal(await getEmail(app, id), ada)
    const late = await signInAtAcme(behind, behind.newBrowser())
    t.equal((await undo(late, getUndoUrl(behind, mallory))).status, 400, 'the later link has ended')
  })

  test(`${strategy}: the mailbox that was left and a session from before the change undo nothing`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const owner = await signInAtAcme(app, app.newBrowser())
    const stolen = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, owner, grace)
    const page = await stolen.open(getUndoUrl(app))
    t.match(page.body, 'You signed in before the change', 'the user has to authenticate')
    t.equal((await undo(stolen, getUndoUrl(app))).status, 403)
    t.equal(await getEmail(app, id), grace)
  })

  test(`${strategy}: an owner with an old session confirms that it is them, and comes back to the undo`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const owner = await signInAtAcme(app, app.newBrowser())
    await changeEmail(app, await signInAtAcme(app, app.newBrowser()), mallory)
    const page = await owner.open(getUndoUrl(app))
    const signInUrl = page.html().querySelector('a[href*="/signin?"]')?.getAttribute('href') ?? ''
    const signedIn = await owner.open(signInUrl.replace(origin, ''))
    const { location } = await owner.fill(signedIn, `${base}/signout`)
    const started = await owner.fill(await owner.open(location ?? ''), `${base}/signin/acme`)
    const back = await comeBack(app, owner, started, person)
    t.equal(back.location, getUndoUrl(app))
    t.equal((await undo(owner, getUndoUrl(app))).status, 200)
    t.equal(await getEmail(app, id), ada)
  })

  test(`${strategy}: a visitor who signs in on the page of an undo comes back to it`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    await changeEmail(app, await openSession(app), mallory)
    const owner = app.newBrowser()
    const page = await owner.open(getUndoUrl(app))
    const signInUrl = page.html().querySelector('a[href*="/signin?"]')?.getAttribute('href') ?? ''
    const form = await owner.open(signInUrl.replace(origin, ''))
    const back = await comeBack(app, owner, await owner.fill(form, `${base}/signin/acme`), person)
    t.equal(back.location, getUndoUrl(app))
    await owner.open(getUndoUrl(app))
    t.equal((await undo(owner, getUndoUrl(app))).status, 200)
    t.equal(await getEmail(app, id), ada)
    t.equal((await signIn(owner, ada, first)).location, origin, 'the next sign-in does not lead to the used link')
  })

  test(`${strategy}: a session that has just linked an account proves no undo with it`, async (t) => {
    const { app, id } = await openWithOldProofs(t, strategy)
    const owner = await openSession(app)
    const stolen = await openSession(app)
    await changeEmail(app, owner, grace)
    await linkAcme(app, stolen, thiefsPerson)
    t.equal((await undo(stolen, getUndoUrl(app))).status, 403)
    t.equal(await getEmail(app, id), grace)
  })

  test(`${strategy}: a session with two factors from before the change adds no factor`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const { app: phone } = await enroll(app, await createUser(app))
    const id = await getId(app, ada)
    app.clock.advance(31)
    const owner = await openSession(app)
    await answer(owner, { code: phone.code() })
    const authenticator = createAuthenticator({ origin })
    await addPasskey(owner, authenticator)
    await app.adapter.deleteFactor?.({ type: 'factors-totp', id })
    app.clock.advance(60)
    const session = app.newBrowser()
    await signInWithPasskey(session, authenticator)
    const stolen = app.newBrowser()
    await signInWithPasskey(stolen, authenticator)
    await changeEmail(app, session, grace)
    t.match((await stolen.submit(`${base}/factors/totp/start`, {})).location, /\/verify\?.*max_age=0/)
    const factors = await stolen.open(`${base}/factors`)
    t.match([factors.status, factors.body], [200, 'less than 7 days ago'])
    t.equal(factors.html().querySelector('form[action$="/totp/start"]'), null, 'no button that is refused')
    const added = createAuthenticator({ origin })
    await addPasskey(stolen, added)
    const passkeys = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
    t.equal(passkeys.length, 2, 'a passkey to sign in with is added')
    const thief = app.newBrowser()
    await signInWithPasskey(thief, added)
    t.match((await thief.submit(`${base}/factors/totp/start`, {})).body, 'less than 7 days ago')
    await signInWithPasskey(session, authenticator)
    t.match((await session.submit(`${base}/factors/totp/start`, {})).location, /factors\/totp$/, 'the owner adds one')
  })
}

t.test(
  'an account and a passkey that were connected with the same names again are compared by what they are',
  async (t) => {
    const app = await openAccountApplication(t, 'database')
    const owner = await createUser(app)
    const id = await getId(app, ada)
    const authenticator = createAuthenticator({ origin })
    await addPasskey(owner, authenticator)
    app.clock.advance(8 * day)
    await changeEmail(app, await openSession(app), grace)
    // A thief adds a credential with the id of the owner's, after that one was removed by other means.
    const [known] = (await app.adapter.listFactors?.(id, 'passkey')) ?? []
    if (!known) throw new Error('expected a passkey')
    await app.adapter.deleteFactor?.({ type: 'passkey', id: known.id })
    await app.adapter.createFactor?.({ ...known, createdAt: new Date(app.clock.now()) })
    const thief = app.newBrowser()
    await signInWithPasskey(thief, authenticator)
    t.ok(await isSignedIn(thief))
    t.equal((await undo(thief, getUndoUrl(app))).status, 403)
    t.equal(await getEmail(app, id), grace)
  }
)

t.test('no undo is offered that nobody can prove', async (t) => {
  const app = await openAccountApplication(t, 'database')
  const owner = app.newBrowser()
  await signInByMail(owner, ada, app.mailbox)
  const { app: phone } = await enroll(app, owner)
  app.clock.advance(day)
  const back = app.newBrowser()
  await signInByMail(back, ada, app.mailbox)
  await answer(back, { code: phone.code() })
  await changeEmail(app, back, grace)
  t.equal(app.mailbox.mails.filter(({ to, subject }) => to === ada && undoSubject.test(subject)).length, 1)
  t.notMatch(app.mailbox.mails.findLast(({ to }) => to === ada)?.text ?? '', /undo\?token=/)
})

t.test('an enrollment whose session has ended leaves the earlier recovery codes', async (t) => {
  let beforeCreate: (() => Promise<unknown>) | null = null
  const inner = memoryAdapter()
  const adapter: Adapter = {
    ...inner,
    createFactor: async (factor) => {
      const act = factor.type === 'factors-totp' ? beforeCreate : null
      if (act) beforeCreate = null
      await inner.createFactor?.(factor)
      await act?.()
    }
  }
  const app = await openAccountApplication(t, 'database', { adapter })
  const { app: phone, recoveryCodes } = await enroll(app, await createUser(app))
  const id = await getId(app, ada)
  app.clock.advance(31)
  const owner = await openSession(app)
  await answer(owner, { code: phone.code() })
  // It is a second factor.
  await addPasskey(owner, createAuthenticator({ origin }))
  await inner.deleteFactor?.({ type: 'factors-totp', id })
  const { app: again, mailCode } = await startWithMail(app, owner)
  beforeCreate = () => app.auth.sessions.revokeAll(id)
  await owner.submit(`${base}/factors/totp`, { code: again.code(), mailCode })
  t.equal(beforeCreate, null, 'it overlapped')
  t.same(await inner.listFactors?.(id, 'factors-totp'), [])
  const session = await openSession(app)
  const page = await session.open(`${base}/verify?amr=mfa&callbackUrl=/`)
  await session.fill(page, `${base}/callback/password`, { email: ada, password: first })
  const wrong = await answer(session, { recoveryCode: 'AAAAA-AAAAA' })
  t.equal(wrong.location, null)
  const right = await answer(session, { recoveryCode: recoveryCodes[0] ?? '' })
  t.equal(right.location, origin, 'an earlier recovery code works')
})

t.test('a passkey that is taken back leaves no session', async (t) => {
  let afterCreate: (() => Promise<unknown>) | null = null
  const inner = memoryAdapter()
  const adapter: Adapter = {
    ...inner,
    createFactor: async (factor) => {
      await inner.createFactor?.(factor)
      const act = factor.type === 'passkey' ? afterCreate : null
      if (act) afterCreate = null
      await act?.()
    }
  }
  const app = await openAccountApplication(t, 'database', { adapter })
  const stolen = await createUser(app)
  const id = await getId(app, ada)
  const authenticator = createAuthenticator({ origin })
  const thief = app.newBrowser()
  afterCreate = async () => {
    await app.auth.sessions.revokeAll(id)
    await signInWithPasskey(thief, authenticator)
    t.notOk(await isSignedIn(thief), 'it does not sign in before the session is confirmed')
  }
  await addPasskey(stolen, authenticator)
  t.equal(afterCreate, null, 'it overlapped')
  t.same(await inner.listFactors?.(id, 'passkey'), [])
  t.notOk(await isSignedIn(thief))
})

t.test('without transactions, an undo that stops anywhere can be repeated', async (t) => {
  for (const writes of callNumbers(14)) {
    const { adapter, during } = createMortal()
    const app = await openAccountApplication(t, 'database', { adapter })
    const owner = await createUser(app)
    await linkAcme(app, owner)
    const id = await getId(app, ada)
    await changeEmail(app, await openSession(app), mallory)
    await linkAcme(app, await openSession(app, first, mallory), thiefsPerson)
    const url = getUndoUrl(app)
    const done = await during(writes, () => undo(app.newBrowser(), url, { password: first }))
    const isWhole = done < writes
    app.clock.advance(61)
    const again = await undo(app.newBrowser(), url, { password: first })
    t.equal(await getEmail(app, id), ada, `after ${writes} writes`)
    if (again.status !== 200) t.equal(again.status, 400, 'the link was used')
    t.match(await adapter.getAccounts?.(id), [{ providerAccountId: person.sub }])
    if (isWhole) break
  }
})

t.test(
  'without transactions, a second change that stops anywhere leaves what guards the undo of the first',
  async (t) => {
    for (const writes of callNumbers(14)) {
      const { adapter, during } = createMortal()
      const app = await openAccountApplication(t, 'database', { adapter })
      await linkAcme(app, await createUser(app))
      const id = await getId(app, ada)
      await changeEmail(app, await openSession(app), mallory)
      const thief = await openSession(app, first, mallory)
      await askForEmail(thief, 'mallory2@example.com')
      const token = getToken(getMail(app, 'mallory2@example.com').url)
      const done = await during(writes, () => thief.submit(`${emailPath}/confirm`, { token }))
      app.clock.advance(61)
      const account = { provider: 'acme', providerAccountId: person.sub }
      const again = await openSession(app, first, (await getEmail(app, id)) ?? '')
      await again.submit(`${accountPath}/connections/remove`, account)
      t.match(await adapter.getAccounts?.(id), [account], `after ${writes} writes`)
      t.equal((await undo(app.newBrowser(), getUndoUrl(app), { password: first })).status, 200)
      t.equal(await getEmail(app, id), ada)
      if (done < writes) break
    }
  }
)

t.test('the application does not see what a session states for an undo', async (t) => {
  const seen: object[] = []
  const { app } = await openWithOldProofs(t, 'jwt', {
    callbacks: {
      session: (parameters: { readonly session: object }) => {
        seen.push(parameters)
        return parameters.session
      }
    }
  })
  await changeEmail(app, await openSession(app), grace)
  const session = await (await openSession(app, first, grace)).open(`${base}/session`)
  t.match(session.body, grace)
  t.ok(seen.length > 0)
  t.notOk(seen.some((parameters) => 'claims' in parameters))
})

t.test('a passkey whose session ends before it is confirmed', async (t) => {
  let beforeUpdate: (() => Promise<unknown>) | null = null
  const inner = memoryAdapter()
  const adapter: Adapter = {
    ...inner,
    updateFactor: async (factor, version) => {
      const act = factor.type === 'passkey' ? beforeUpdate : null
      if (act) beforeUpdate = null
      await act?.()
      return inner.updateFactor?.(factor, version) as never
    }
  }
  const app = await openAccountApplication(t, 'database', { adapter })
  const stolen = await createUser(app)
  const id = await getId(app, ada)
  const authenticator = createAuthenticator({ origin })
  beforeUpdate = async () => {
    await app.auth.sessions.revokeAll(id)
    const page = await (await openSession(app)).open(`${base}/passkeys`)
    t.notMatch(page.body, /\/passkeys\/[\w-]{43}/, 'it is not listed yet')
  }
  await addPasskey(stolen, authenticator)
  t.equal(beforeUpdate, null, 'it overlapped')
  const thief = app.newBrowser()
  await signInWithPasskey(thief, authenticator)
  t.notOk(await isSignedIn(thief), 'the passkey was taken back')
})
