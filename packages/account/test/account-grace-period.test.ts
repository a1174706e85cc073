import { mock } from 'node:test'
import { auditLog } from '@postern/account/audit-log'
import { accountPages } from '@postern/account/pages'
import { memoryAdapter } from '@postern/adapters/memory'
import { type Adapter, type AuthRequest, createPostern, type UserSession } from '@postern/core'
import type { Feature } from '@postern/core/feature'
import type { Browser, BrowserResponse, Person } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  type AccountApplication,
  accountPath,
  ada,
  addPasskey,
  base,
  comeBack,
  createLimiter,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  getCookies,
  getNotice,
  openLink,
  origin,
  second,
  signIn,
  signInByMail,
  signUp,
  strategies
} from './account-application.ts'
import { changeEmail, getId, grace, isSignedIn, runTurns, settle, waitFor } from './email-application.ts'
import {
  cancelPath,
  countEvents,
  day,
  deleteByLink,
  deleteDue,
  deletedSubject,
  deletePath,
  findMails,
  keep,
  openBeside,
  openWithGrace,
  schedule,
  scheduledSubject
} from './grace-period-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { answer, enroll } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { storesAt } from './stores.ts'

const turns = turnsOf(strategies, t)

const json = { accept: 'application/json' }
const kind = 'account.deletion'
const deleteAt = '2030-01-31T00:00:00.000Z'

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the sessions end in the transaction that schedules the deletion`, async (t) => {
    const adapter = memoryAdapter()
    const { transact } = adapter
    const commits: string[][] = []
    const recording: typeof transact = (calls) => {
      commits.push(calls.map(({ method }) => method))
      return transact?.call(adapter, calls) ?? Promise.resolve()
    }
    const app = await openWithGrace(t, strategy, { adapter: { ...adapter, transact: recording } })
    const browser = await createUser(app)
    commits.length = 0
    await schedule(browser)
    t.notOk(await isSignedIn(browser))
    const [change, ...others] = commits.filter((methods) => methods.includes('advanceUser'))
    t.ok(change?.includes('createTicket'))
    t.same(others, [], 'there is one change')
  })

  test(`${strategy}: the account is deleted after the grace period, which ends all sessions at once`, async (t) => {
    const app = await openWithGrace(t, strategy)
    const browser = await createUser(app)
    const other = app.newBrowser()
    await signIn(other, ada, first)
    const id = await getId(app, ada)
    t.match((await browser.open(deletePath)).html().querySelector('main')?.text, /on January 31, 2030/)

    const page = await browser.fill(await browser.open(deletePath), deletePath, { confirmation: 'DELETE' })
    t.equal(page.html().querySelector('h1')?.text, 'Your account will be deleted')
    t.match(page.html().querySelector('.lead')?.text, /January 31, 2030 at 12:00\sAM UTC/)
    t.notOk(await isSignedIn(browser))
    t.notOk(await isSignedIn(other))
    const [mail, ...more] = await findMails(app, scheduledSubject)
    t.match(mail, {
      to: ada,
      text: /January 31, 2030 at 00:00 UTC[\s\S]*sign in before then/,
      url: /\/api\/auth\/account$/
    })
    t.equal(more.length, 0)

    app.clock.advance(30 * day - 1)
    t.equal(await deleteDue(app), 0)
    t.ok(await findUser(app, ada))
    app.clock.advance(1)
    t.equal(await deleteDue(app), 1)
    t.equal(await findUser(app, ada), null)
    t.match(await findMails(app, deletedSubject), [{ to: ada }])
    t.equal(await countEvents(app, id, 'deletion-scheduled'), 1)
    t.equal(await deleteDue(app), 0)
    t.same(await app.adapter.listFactors?.(id), [], 'the hooks of other features ran')
  })

  test(`${strategy}: a sign-in shows the deletion, and only the button keeps the account`, async (t) => {
    const app = await openWithGrace(t, strategy)
    await schedule(await createUser(app))
    const id = await getId(app, ada)
    const browser = app.newBrowser()
    await signIn(browser, ada, first)
    for (const path of [accountPath, deletePath]) {
      const page = await browser.open(path)
      t.match(getNotice(page), /will be deleted on January 31, 2030/, path)
      t.equal(page.html().querySelector(`form[action="${cancelPath}"] button`)?.text, 'Keep the account', path)
    }
    t.match(await browser.json(deletePath, { headers: json }), {
      props: { action: null, verifyUrl: null, pending: { deleteAt, keepAction: cancelPath } }
    })
    t.match(await browser.json(accountPath, { headers: json }), { props: { deletion: { deleteAt } } })
    t.match(await app.auth.exportUser(id), { features: { account: { deletion: { deleteAt } } } })

    // No fresh sign-in is needed.
    app.clock.advance(day)
    const kept = await browser.fill(await browser.open(accountPath), cancelPath)
    t.equal(getNotice(await browser.follow(kept)), 'Your account is kept.')
    t.equal(getNotice(await browser.open(accountPath)), null)
    t.match(await app.auth.exportUser(id), { features: { account: { deletion: null } } })
    t.match(await findMails(app, /is kept/), [{ to: ada }])
    t.equal((await keep(browser)).status, 302, 'again')
    t.equal(await countEvents(app, id, 'deletion-cancelled'), 1)
    app.clock.advance(40 * day)
    t.equal(await deleteDue(app), 0)
    t.ok(await findUser(app, ada))
  })

  test(`${strategy}: a sign-in after the grace period deletes the account, and is refused`, async (t) => {
    const app = await openWithGrace(t, strategy)
    await schedule(await createUser(app))
    const id = await getId(app, ada)
    const browser = app.newBrowser()
    await signIn(browser, ada, first)
    app.clock.advance(30 * day)
    const late = app.newBrowser()
    const response = await signIn(late, ada, first)
    t.match(response.location, /error=AccountDeleted/)
    t.match((await late.follow(response)).body, /as its user asked for it/)
    t.equal(await getAddress(late), null)
    t.equal(await app.adapter.getUser?.(id), null)
    t.notOk(await isSignedIn(browser))
    t.match(await findMails(app, deletedSubject), [{ to: ada }])
    await signUp(late, ada, first)
    t.equal(await deleteDue(app), 0, 'a new user with the same address stays')
  })
}

t.test('it is too late to keep the account after the grace period', async (t) => {
  const app = await openWithGrace(t, 'database')
  await schedule(await createUser(app))
  app.clock.advance(30 * day - 60)
  const browser = app.newBrowser()
  await signIn(browser, ada, first)
  app.clock.advance(60)
  const page = await keep(browser)
  t.equal(page.html().querySelector('h1')?.text, 'Your account has been deleted')
  t.equal(await findUser(app, ada), null)
})

t.test('an address from before the deletion was scheduled is notified of the deletion', async (t) => {
  const app = await openWithGrace(t, 'database')
  await schedule(await createUser(app))
  const browser = app.newBrowser()
  await signIn(browser, ada, first)
  await changeEmail(app, browser, grace)
  app.clock.advance(31 * day)
  t.equal(await deleteDue(app), 1)
  t.same((await findMails(app, deletedSubject)).map(({ to }) => to).toSorted(), [ada, grace])
})

t.test('a deletion outlives the suspension of its user; a user who was deleted is no problem', async (t) => {
  const app = await openWithGrace(t, 'database')
  await schedule(await createUser(app))
  const id = await getId(app, ada)
  await app.auth.users.suspend(id)
  app.clock.advance(31 * day)
  t.equal(await deleteDue(app), 1)
  t.equal(await findUser(app, ada), null)
  t.equal((await findMails(app, deletedSubject)).length, 1)

  await schedule(await createUser(app))
  await app.auth.deleteUser(await getId(app, ada))
  app.clock.advance(31 * day)
  t.equal(await deleteDue(app), 0)
  t.equal((await findMails(app, deletedSubject)).length, 1)
  t.same(
    app.logged.filter(([code]) => code === 'SCHEDULED_DELETION_ERROR'),
    []
  )
})

t.test('a deletion that its user cancels during a suspension does not wait again', async (t) => {
  const adapter = memoryAdapter()
  let first = async (): Promise<unknown> => undefined
  const transact: typeof adapter.transact = async (calls) => {
    const work = first
    first = async () => undefined
    await work()
    return adapter.transact(calls)
  }
  const app = await openWithGrace(t, 'database', { adapter: { ...adapter, transact } })
  const browser = await createUser(app)
  await schedule(browser)
  await signInByMail(browser, ada, app.mailbox)
  const id = await getId(app, ada)
  first = () => keep(browser)
  await app.auth.users.suspend(id)
  t.equal(await countEvents(app, id, 'deletion-cancelled'), 1)
  app.clock.advance(31 * day)
  t.equal(await deleteDue(app), 0)
  t.ok(await findUser(app, ada), 'the user is there')
})

t.test('the owner of the address takes over the user, and the deletion of somebody else is canceled', async (t) => {
  const app = await openWithGrace(t, 'database')
  const browser = await createUser(app)
  const id = await getId(app, ada)
  await app.adapter.updateUser?.({ id, emailVerified: null })
  await schedule(browser)
  await signInByMail(app.newBrowser(), ada, app.mailbox)
  t.equal(await countEvents(app, id, 'deletion-scheduled'), 1)
  app.clock.advance(31 * day)
  t.equal(await deleteDue(app), 0)
  t.ok(await findUser(app, ada))
})

t.test('a timer deletes the users, until the application closes', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const app = await openWithGrace(t, 'database')
  for (const address of [ada, grace, 'late@example.com']) {
    await schedule(await createUser(app, address))
    app.clock.advance(day)
  }
  const isDeleted = (address: string): boolean =>
    app.mailbox.mails.some(({ to, subject }) => to === address && deletedSubject.test(subject))
  app.clock.advance(27 * day)
  mock.timers.tick(60_000)
  await waitFor(() => isDeleted(ada))
  t.equal(await findUser(app, ada), null)
  t.ok(await findUser(app, grace))
  app.clock.advance(day)
  await waitFor(() => {
    // The next timer starts once the run has ended.
    mock.timers.tick(600_000)
    return isDeleted(grace)
  })
  t.equal(await findUser(app, grace), null)
  await app.auth.close()
  app.clock.advance(day)
  mock.timers.tick(600_000)
  await runTurns(1000)
  t.ok(await findUser(app, 'late@example.com'))
})

t.test('a deletion that fails is repeated, and others are not delayed', async (t) => {
  const memory = memoryAdapter()
  let failing = ''
  const transact: typeof memory.transact = async (calls) => {
    if (calls.some(({ method, args }) => method === 'deleteUser' && args[0] === failing))
      throw new Error('the disk is full')
    return (await memory.transact?.(calls)) ?? false
  }
  const adapter = { ...memory, transact }
  const app = await openWithGrace(t, 'database', { adapter })
  for (const address of [ada, grace]) await schedule(await createUser(app, address))
  failing = await getId(app, ada)
  app.clock.advance(35 * day)
  t.equal(await deleteDue(app), 1)
  t.ok(await findUser(app, ada))
  t.match(app.logged.find(([code]) => code === 'SCHEDULED_DELETION_ERROR')?.[1], {})
  failing = ''
  // For a minute, the run that has begun it may still be at it.
  app.clock.advance(61)
  t.equal(await deleteDue(app), 1)
  t.equal(await findUser(app, ada), null)
  t.equal((await findMails(app, deletedSubject)).length, 2)
})

t.test('an application that did not run for months deletes, and one whose clock was wrong', async (t) => {
  const app = await openWithGrace(t, 'database')
  await schedule(await createUser(app))
  app.clock.advance(200 * day)
  t.equal(await deleteDue(app), 1)
  app.clock.advance(400 * day)
  t.equal(await deleteDue(app), 0)
  app.clock.advance(-400 * day)
  await schedule(await createUser(app))
  app.clock.advance(30 * day)
  t.equal(await deleteDue(app), 1)
})

t.test('another number of days applies to later deletions', async (t) => {
  const app = await openWithGrace(t, 'database', { accountPages: { deletionGracePeriod: 90 } })
  await schedule(await createUser(app))
  const beside = await openBeside(t, app, { accountPages: { deletionGracePeriod: 1 } })
  await schedule(await createUser(beside, grace))
  app.clock.advance(day)
  t.equal(await deleteDue(app), 1)
  t.equal(await findUser(app, grace), null)
  t.ok(await findUser(app, ada))
  app.clock.advance(89 * day)
  t.equal(await deleteDue(beside), 1)
})

t.test('more deletions than one page that cannot be made do not prevent others', async (t) => {
  const adapter = memoryAdapter()
  const app = await openWithGrace(t, 'database', { adapter })
  await schedule(await createUser(app))
  const ticket = await adapter.readTicket?.(
    (await adapter.listDueTickets(kind, new Date(8e15), 1))[0] ?? { kind, id: '' }
  )
  t.ok(ticket)
  app.clock.advance(30 * day)
  for (let index = 0; index < 250; index++)
    await adapter.createTicket({ ...Object(ticket), id: `other ${index}`, userId: 'nobody', dueAt: new Date(0) })
  t.equal(await deleteDue(app), 1)
  t.equal(await findUser(app, ada), null)
})

t.test('an adapter without listDueTickets: a warning at start, and the deletion at a sign-in', async (t) => {
  const { listDueTickets: _, ...adapter } = memoryAdapter()
  const app = await openWithGrace(t, 'database', { adapter })
  await schedule(await createUser(app))
  await createUser(app, grace)
  t.ok(app.logged.some(([code]) => code === 'DUE_TICKETS_NOT_LISTED'))
  app.clock.advance(30 * day)
  t.equal(await deleteDue(app), 0)
  t.ok(await findUser(app, ada))
  await signIn(app.newBrowser(), ada, first)
  t.equal(await findUser(app, ada), null)
  t.ok(await findUser(app, grace))
})

t.test('without the option, with the section hidden, and with wrong values', async (t) => {
  const app = await openWithGrace(t, 'database', { accountPages: { deletionGracePeriod: undefined } })
  t.equal(await deleteDue(app), 0)
  const browser = await createUser(app)
  const page = await deleteByLink(app, browser)
  t.equal(page.html().querySelector('h1')?.text, 'Your account has been deleted')
  const hidden = await openWithGrace(t, 'database', { accountPages: { hidden: ['account/delete'] } })
  t.equal((await keep(await createUser(hidden))).status, 404)
  t.equal(await deleteDue(hidden), 0)
  const open = (deletionGracePeriod: unknown, adapter: Adapter = memoryAdapter()) =>
    createPostern({
      url: 'https://app.test',
      secret: 'a secret of the tests, 32 characters or more',
      adapter,
      providers: [],
      features: [
        accountPages({ hidden: ['account/email'], ...(Object({ deletionGracePeriod }) as object) }),
        auditLog()
      ]
    })
  for (const wrong of [0, 91, 1.5, '7', null])
    t.throws(
      () => open(wrong),
      { message: /deletionGracePeriod: expected a whole number from 1 to 90/ },
      JSON.stringify(wrong)
    )
  const { createTicket: _, ...incomplete } = memoryAdapter()
  t.throws(() => open(7, incomplete), { message: /createTicket/ })
})

t.test('the page and its forms are in German, and work without a renderer', async (t) => {
  const app = await openWithGrace(t, 'database')
  const headers = { 'accept-language': 'de' }
  const browser = await createUser(app)
  await browser.submit(deletePath, { confirmation: 'LÖSCHEN' }, { headers })
  const [mail] = await findMails(app, /wird gelöscht/)
  t.match(mail, { to: ada, text: /behalten/ })
  const other = app.newBrowser()
  await signIn(other, ada, first)
  t.match((await other.open(accountPath, { headers })).body, /Konto behalten/)
  app.clock.advance(30 * day)
  t.equal(await deleteDue(app), 1)
  await settle(() => app.mailbox.mails.some(({ subject }) => /wurde gelöscht/.test(subject)))
  t.match(await findMails(app, /wurde gelöscht/), [{ to: ada }], 'in the language of the request')
})

const mallory = 'mallory@example.com'
const person: Person = { sub: 'ada', name: 'Ada', email: ada, email_verified: true }
const sessionCookie = '__Secure-next-auth.session-token'
const devicesPath = `${accountPath}/devices`

/** A request of the application, with the cookies of a browser. */
const createRequest = (browser: Browser): AuthRequest => ({
  ...{ method: 'POST', path: '/callback/application', query: {}, body: {}, headers: {} },
  ...{ origin, cookies: getCookies(browser), client: '192.0.2.1', clientsBehindIp: 1, id: 'request' }
})

type SetCookies = Awaited<ReturnType<AccountApplication['auth']['signIn']>>['cookies']

function storeCookies(browser: Browser, cookies: SetCookies): void {
  for (const [name, { value }] of cookies) {
    if (value === '') browser.cookies.delete(name)
    else browser.cookies.set(name, value, { secure: true })
  }
}

async function impersonate({ auth }: AccountApplication, admin: Browser, userId: string): Promise<void> {
  const { cookies } = await auth.users.impersonate(createRequest(admin), userId, { reason: 'a test' })
  storeCookies(admin, cookies)
}

/** When the account of a user will be deleted, in ISO 8601; `null` if its deletion is not scheduled. */
async function getDeletion({ auth }: AccountApplication, userId: string): Promise<string | null> {
  const { features } = await auth.exportUser(userId)
  const { deletion }: { deletion?: { deleteAt: string } | null } = { ...Object(features)['account'] }
  return deletion?.deleteAt ?? null
}

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the thief of an old session schedules nothing, and cancels nothing after it has ended`, async (t) => {
    const app = await openWithGrace(t, strategy)
    const owner = await createUser(app)
    const id = await getId(app, ada)
    const thief = copy(app, owner)
    app.clock.advance(601)
    t.match((await schedule(thief)).location, /\/verify\?/)
    const asJson = await thief.submit(
      deletePath,
      { confirmation: 'DELETE' },
      { headers: { ...json, 'x-auth-return-redirect': '1' }, json: true }
    )
    t.equal(asJson.status, 401)
    t.equal(await getDeletion(app, id), null)
    await signIn(owner, ada, first)
    t.equal((await schedule(owner)).status, 200)
    for (const response of [await keep(thief), await keep(owner), await schedule(thief)])
      t.match((await thief.open(response.location ?? '')).location, /signin/)
    t.equal(await getDeletion(app, id), '2030-01-31T00:10:01.000Z')
    t.equal(await countEvents(app, id, 'deletion-scheduled'), 1)
  })

  test(`${strategy}: a sign-in whose second factor comes after the time is refused`, async (t) => {
    const app = await openWithGrace(t, strategy)
    const owner = await createUser(app)
    const id = await getId(app, ada)
    const { app: authenticator } = await enroll(app, owner)
    await schedule(owner)
    const deleteAt = Date.parse((await getDeletion(app, id)) ?? '')
    app.clock.set(new Date(deleteAt - 5000))
    const late = app.newBrowser()
    t.match((await signIn(late, ada, first)).location, /verify/)
    app.clock.set(new Date(deleteAt))
    const response = await answer(late, { code: authenticator.code() })
    t.match(response.location ?? response.body, /AccountDeleted|has been deleted/)
    t.notOk(await isSignedIn(late))
    t.equal(await app.adapter.getUser?.(id), null)
  })

  test(`${strategy}: a user with a second factor keeps an account that a thief has scheduled for deletion`, async (t) => {
    const app = await openWithGrace(t, strategy)
    const owner = await createUser(app)
    const id = await getId(app, ada)
    const { app: authenticator } = await enroll(app, owner)
    await schedule(copy(app, owner))
    t.notOk(await isSignedIn(owner))
    await signIn(owner, ada, first)
    const refused = await owner.open((await keep(owner)).location ?? '')
    t.match(refused.location, /signin|verify/, 'the password alone keeps nothing')
    t.ok(await getDeletion(app, id))
    app.clock.advance(60)
    await answer(owner, { code: authenticator.code() })
    t.match((await keep(owner)).location, /deletionCancelled/)
    t.equal(await getDeletion(app, id), null)
  })
}

interface Method {
  readonly name: string
  /** Gives the signed-in user what the method needs. */
  readonly prepare?: (app: AccountApplication, browser: Browser) => Promise<unknown>
  readonly enter: (app: AccountApplication, browser: Browser, userId: string) => Promise<unknown>
}

function createMethods(): readonly Method[] {
  const authenticator = createAuthenticator({ origin })
  return [
    { name: 'a password', enter: (_, browser) => signIn(browser, ada, first) },
    {
      name: 'a new password',
      enter: async (app, browser) => {
        await forget(browser, ada)
        const reset = app.mailbox.mails.findLast(({ text }) => text.includes('/password/reset?'))
        await openLink(browser, { url: reset?.url ?? '' }, { password: second })
        return signIn(browser, ada, second)
      }
    },
    { name: 'a mailed link', enter: (app, browser) => signInByMail(browser, ada, app.mailbox) },
    {
      name: 'a provider',
      prepare: async (app, browser) =>
        comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }), person),
      enter: async (app, browser) => comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), person)
    },
    {
      name: 'a passkey',
      prepare: (_, browser) => addPasskey(browser, authenticator),
      enter: (_, browser) => signInWithPasskey(browser, authenticator)
    },
    {
      name: 'a function of the application',
      enter: async ({ auth, clock }, browser, userId) => {
        // A form that arrives in the millisecond in which the sessions end came before it.
        clock.advance(1)
        storeCookies(browser, (await auth.signIn(createRequest(browser), userId)).cookies)
      }
    }
  ]
}

for (const { value: strategy, test } of turns())
  for (const { name, prepare, enter } of createMethods())
    test(`${strategy}: ${name} does not keep the account by itself, and signs nobody in after the time`, async (t) => {
      const app = await openWithGrace(t, strategy)
      const owner = await createUser(app)
      const id = await getId(app, ada)
      await prepare?.(app, owner)
      t.equal((await schedule(owner)).status, 200)
      await findMails(app, scheduledSubject)
      const during = app.newBrowser()
      await enter(app, during, id)
      t.equal(await getAddress(during), ada, 'during the grace period')
      t.ok(await getDeletion(app, id), 'the sign-in keeps nothing')
      await findMails(app, /New sign-in/)
      app.clock.advance(30 * day)
      const late = app.newBrowser()
      const entered = await enter(app, late, id).catch((error: unknown) => error)
      t.equal(await getAddress(late), null, JSON.stringify(entered))
      // A new password deletes nobody, but its sign-in does.
      t.equal(await app.adapter.getUser?.(id), null)
      t.notOk(await isSignedIn(during))
      t.equal(await deleteDue(app), 0)
    })

t.test('forged forms and clients without cookies schedule and cancel nothing', async (t) => {
  const app = await openWithGrace(t, 'database')
  const owner = await createUser(app)
  const id = await getId(app, ada)
  const other = await createUser(app, mallory, second)
  const { csrfToken } = await other.json<{ csrfToken: string }>(`${base}/csrf`)
  const stranger = app.newBrowser()
  const typed = { confirmation: 'DELETE' }
  const post = async (path: string): Promise<readonly BrowserResponse[]> => [
    await owner.submit(path, { ...typed, csrfToken: '' }),
    await owner.submit(path, { ...typed, csrfToken }),
    await owner.submit(path, typed, { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' } }),
    await owner.submit(path, typed, { headers: { 'sec-fetch-site': 'same-site', origin: 'https://x.app.test' } }),
    await owner.post(path, 'confirmation=DELETE'),
    await owner.request('POST', path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(typed) }),
    await owner.request('GET', `${path}?confirmation=DELETE`, { headers: json }),
    await owner.request('HEAD', path),
    await stranger.submit(path, { ...typed, userId: id, id }),
    await stranger.request('POST', path, {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${id}` },
      body: JSON.stringify({ ...typed, userId: id })
    })
  ]
  for (const response of await post(deletePath)) t.ok(response.status < 500, `${response.status}`)
  t.equal(await getDeletion(app, id), null)
  t.ok(await isSignedIn(owner))
  await schedule(owner)
  await signIn(owner, ada, first)
  for (const response of await post(cancelPath)) t.ok(response.status < 500, `${response.status}`)
  t.equal(await getDeletion(app, id), '2030-01-31T00:00:00.000Z')
})

t.test('the form takes one word as text, and no id of another user', async (t) => {
  const app = await openWithGrace(t, 'database')
  const owner = await createUser(app)
  const id = await getId(app, ada)
  const thief = await createUser(app, mallory, second)
  const thiefId = await getId(app, mallory)
  const { csrfToken } = await thief.json<{ csrfToken: string }>(`${base}/csrf`)
  for (const confirmation of [['DELETE'], { word: 'DELETE' }, 1, true, null, '', 'DELET', 'DELETE DELETE']) {
    const body = JSON.stringify({ confirmation, csrfToken })
    const headers = { ...json, 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' }
    const { status } = await thief.request('POST', deletePath, { headers, body })
    t.equal(status, 400, JSON.stringify(confirmation))
  }
  t.equal(await getDeletion(app, thiefId), null)
  await thief.submit(deletePath, { confirmation: 'DELETE', userId: id, id, user: id })
  t.equal(await getDeletion(app, id), null)
  t.ok(await getDeletion(app, thiefId))
  await schedule(owner)
  await signIn(thief, mallory, second)
  await thief.submit(cancelPath, { userId: id, id, user: id })
  t.ok(await getDeletion(app, id))
  t.equal(await getDeletion(app, thiefId), null)
})

/** A feature whose own deletion of what it has of a user waits until the test continues. */
function createSlowFeature() {
  let [reach, continueNow] = [(): void => undefined, (): void => undefined]
  const isReached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const mayContinue = new Promise<void>((resolve) => {
    continueNow = resolve
  })
  const onUserDelete = (): Promise<void> => {
    reach()
    return mayContinue
  }
  const feature: Feature = { id: 'slow', setup: () => ({ onUserDelete }) }
  return { feature, isReached, continueNow: () => continueNow() }
}

for (const seconds of [0, 61])
  t.test(`a deletion that runs is not canceled, also if it takes long: ${seconds} s`, async (t) => {
    const { feature, isReached, continueNow } = createSlowFeature()
    const app = await openWithGrace(t, 'database', { features: [feature] })
    await schedule(await createUser(app))
    const id = await getId(app, ada)
    app.clock.advance(30 * day - 10)
    // The clock of another process is behind: the deletion is not due for it.
    const behind = app.clock.now()
    let offset = 0
    const beside = await openBeside(t, app, { runtime: { now: () => behind + offset } })
    const browser = beside.newBrowser()
    await signIn(browser, ada, first)
    const csrf = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
    app.clock.advance(10)
    const running = deleteDue(app)
    await isReached
    app.clock.advance(seconds)
    offset = seconds * 1000
    let isAnswered = false
    const kept = browser.submit(cancelPath, csrf).finally(() => {
      isAnswered = true
    })
    await settle(() => isAnswered)
    continueNow()
    const response = await kept
    t.ok(response.status < 500, `${response.status}`)
    t.notMatch(response.location ?? '', /deletionCancelled/)
    t.equal(await running, 1)
    t.equal(await app.adapter.getUser?.(id), null)
    t.equal(await countEvents(app, id, 'deletion-cancelled'), 0)
    t.equal(await deleteDue(app), 0)
  })

for (const { value: strategy, test } of turns())
  test(`${strategy}: a clock that is set back deletes nobody early, and makes no sign-in recent`, async (t) => {
    const app = await openWithGrace(t, strategy)
    const browser = await createUser(app)
    const id = await getId(app, ada)
    app.clock.advance(-day)
    await schedule(browser)
    t.equal(await getDeletion(app, id), null, 'a session from the future changes nothing')
    app.clock.advance(day)
    await signIn(browser, ada, first)
    await schedule(browser)
    app.clock.advance(-20 * day)
    t.equal(await deleteDue(app), 0)
    app.clock.advance(50 * day - 1)
    t.equal(await deleteDue(app), 0)
    t.ok(await app.adapter.getUser?.(id))
    app.clock.advance(1)
    t.equal(await deleteDue(app), 1)
  })

t.test('a user who was deleted and created again with the same id by the application stays', async (t) => {
  const app = await openWithGrace(t, 'database')
  await schedule(await createUser(app))
  const user = await findUser(app, ada)
  await app.auth.deleteUser(user?.id ?? '')
  await app.adapter.createUser?.({ ...user, id: user?.id ?? '', email: mallory, emailVerified: null })
  const id = await getId(app, mallory)
  app.clock.advance(31 * day)
  t.equal(await deleteDue(app), 0)
  t.ok(await app.adapter.getUser?.(id))
})

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the list of another user has no session of the request`, async (t) => {
    const app = await openWithGrace(t, strategy)
    const { sessions } = app.auth
    await createUser(app)
    for (let count = 0; count < 3; count++) await signIn(app.newBrowser(), ada, first)
    const id = await getId(app, ada)
    const thief = await createUser(app, mallory, second)
    const thiefId = await getId(app, mallory)
    for (const limit of [1, 2, 4]) {
      const listed = await sessions.list(id, createRequest(thief), { limit })
      t.equal(listed.length, limit)
      t.ok(listed.every(({ userId, isCurrent }) => userId === id && isCurrent === false))
    }
    const own = await sessions.list(thiefId, createRequest(thief), { limit: 1 })
    t.match(own, [{ userId: thiefId, isCurrent: true }])
    await impersonate(app, thief, id)
    t.same(await sessions.list(thiefId, createRequest(thief)), [{ ...own[0], isCurrent: false }])
    const seen = await sessions.list(id, createRequest(thief), { limit: 1 })
    t.match(seen, [{ userId: id, isCurrent: true, actor: { userId: thiefId } }], 'the session of the request')
  })

  test(`${strategy}: with more sessions than the page shows, each can be ended, and all others`, async (t) => {
    const app = await openWithGrace(t, strategy)
    const owner = await createUser(app)
    const id = await getId(app, ada)
    const others: Browser[] = []
    for (let count = 0; count < 55; count++) {
      app.clock.advance(10)
      const browser = app.newBrowser()
      await signIn(browser, ada, first)
      others.push(browser)
    }
    const readDevices = async (browser: Browser) => {
      const { props } = await browser.json<{ props: { devices: readonly UserSession[]; hasMore: boolean } }>(
        devicesPath
      )
      return props
    }
    const { devices, hasMore } = await readDevices(owner)
    t.same([devices.length, hasMore, devices[0]?.isCurrent], [50, true, true])
    const all = await app.auth.sessions.list(id)
    const hidden = all.filter(({ id }) => !devices.some((device) => device.id === id))
    t.equal(hidden.length, 6)
    t.match((await owner.submit(`${devicesPath}/end`, { id: hidden[0]?.id ?? '' })).location, /deviceEnded/)
    t.notOk(await isSignedIn(others[5] ?? owner), 'a session that the page did not show')
    t.ok(await isSignedIn(others[4] ?? owner))
    await owner.submit(`${devicesPath}/end-others`, {})
    for (const browser of others) t.notOk(await isSignedIn(browser))
    t.ok(await isSignedIn(owner))
    t.match(await readDevices(owner), { devices: [{ isCurrent: true }], hasMore: false })
  })
}

t.test('the cookie of Auth.js with the token of an impersonation links no account', async (t) => {
  const session = { strategy: 'database', readAuthJsCookies: true } as const
  for (const linking of [{}, { linking: { signedIn: 'link' } as const }]) {
    const app = await openWithGrace(t, 'database', { session, ...linking })
    await createUser(app)
    const id = await getId(app, ada)
    const admin = await createUser(app, mallory, second)
    await impersonate(app, admin, id)
    admin.cookies.set('__Secure-authjs.session-token', admin.cookies.get(sessionCookie) ?? '', { secure: true })
    admin.cookies.delete(sessionCookie)
    t.equal(await getAddress(admin), ada)
    const own: Person = { sub: 'mallory', name: 'Mallory' }
    const back = await comeBack(app, admin, await admin.submit(`${base}/signin/acme`, {}), own)
    const page = await admin.followAll(back)
    if (page.body.includes(`${base}/verify/link`)) await admin.fill(page, `${base}/verify/link`)
    t.same(await app.adapter.getAccounts?.(id), [], `${back.status} ${back.location}`)
    const beside = app.newBrowser()
    await comeBack(app, beside, await beside.submit(`${base}/signin/acme`, {}), own)
    t.not(await getAddress(beside), ada)
    await admin.submit(`${base}/signout`, {})
    t.equal((await app.auth.sessions.list(await getId(app, mallory))).length, 0, 'signing out ends both sessions')
  }
})

t.test('a thief who schedules and cancels in turn does not flood the mailbox of the owner', async (t) => {
  const app = await openWithGrace(t, 'database', { rateLimit: { limiter: createLimiter() } })
  const thief = await createUser(app)
  await schedule(await createUser(app, mallory, second))
  const statuses: number[] = []
  for (let count = 0; count < 12; count++) {
    statuses.push((await schedule(thief)).status)
    await signIn(thief, ada, first)
    await keep(thief)
  }
  t.same(statuses.slice(-3), [200, 429, 429])
  const mails = [...(await findMails(app, scheduledSubject)), ...(await findMails(app, /is kept/))]
  t.equal(mails.filter(({ to }) => to === ada).length, 20)
})

for (const [name, skip, open] of storesAt(1, 3))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: of concurrent sign-ins after the time, none succeeds, and one mail is sent`, {
      skip
    }, async (t) => {
      const app = await openWithGrace(t, strategy, { adapter: await open(t), features: [auditLog()] })
      const owner = await createUser(app)
      const id = await getId(app, ada)
      await t.test('no limit of a list is a query that the store refuses', async (t) => {
        for (const limit of [2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER])
          t.equal((await app.auth.sessions.list(id, undefined, { limit })).length, 1, `${limit}`)
        for (const limit of [2 ** 53, 1e19, 1e21, Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN, -1, 0, 0.5])
          await t.rejects(app.auth.sessions.list(id, undefined, { limit }), TypeError, `${limit}`)
      })
      await schedule(owner)
      const during = app.newBrowser()
      await signIn(during, ada, first)
      const [password, mail] = [app.newBrowser(), app.newBrowser()]
      const link = async (): Promise<BrowserResponse> => {
        await mail.submit(`${base}/signin/email`, { email: ada })
        return mail.open(app.mailbox.mails.findLast(({ text }) => text.includes('/callback/email?'))?.url ?? '')
      }
      app.clock.advance(30 * day)
      const responses = await Promise.all([signIn(password, ada, first), link(), keep(during), keep(copy(app, during))])
      for (const { status, location, body } of responses)
        t.ok(status < 500, `${status} ${location} ${body.slice(0, 200)}`)
      t.equal(await app.adapter.getUser?.(id), null)
      for (const browser of [password, during]) t.notOk(await isSignedIn(browser))
      t.equal(await countEvents(app, id, 'delete'), 1)
      t.equal(await deleteDue(app), 0)
      t.same(
        (await findMails(app, deletedSubject)).map(({ to }) => to),
        [ada]
      )
    })

for (const { value: strategy, test } of turns())
  test(`${strategy}: what is refused to an administrator tells the user nothing of their browser`, async (t) => {
    const app = await openWithGrace(t, strategy, { features: [auditLog()] })
    const owner = await createUser(app)
    const id = await getId(app, ada)
    const admin = await createUser(app, mallory, second)
    await impersonate(app, admin, id)
    const headers = { accept: 'text/html', 'user-agent': 'Browser of the administrator' }
    for (const { method, path } of app.auth.routes) {
      if (path.includes('signout')) continue
      const url = base + path.replace(/:\w+/, path.startsWith('/verify') ? 'factor' : 'acme')
      await (method === 'GET' ? admin.open(url, { headers }) : admin.submit(url, { email: ada }, { headers }))
    }
    await admin.submit(`${base}/callback/password`, { email: mallory, password: second }, { headers })
    t.equal(await getAddress(admin), ada)
    await admin.submit(`${base}/signout`, {}, { headers })
    const activity = await owner.open(`${accountPath}/activity`, { headers: json })
    const data = await owner.submit(`${accountPath}/data`, {})
    for (const { body, status } of [activity, data]) {
      t.equal(status, 200)
      t.notMatch(body, 'Browser of the administrator')
    }
    t.match(activity.body, 'impersonation-end')
  })

t.test('no page says that an account was kept whose deletion has happened meanwhile', async (t) => {
  const adapter = memoryAdapter()
  let reads = 0
  let work: () => Promise<unknown> = async () => undefined
  const readTicket: Adapter['readTicket'] = async (key) => {
    // The second time, the session and the row of the user are known to be in force.
    if (key.kind === 'account.deletion' && ++reads === 2) await work()
    return adapter.readTicket?.(key)
  }
  const app = await openWithGrace(t, 'jwt', { adapter: { ...adapter, readTicket } })
  const browser = await createUser(app)
  const id = await getId(app, ada)
  await schedule(browser)
  app.clock.advance(1)
  await signIn(browser, ada, first)
  reads = 0
  work = () => app.auth.deleteUser(id)
  const kept = await keep(browser)
  t.equal(await adapter.getUser?.(id), null)
  t.match(kept.body, 'Your account has been deleted', kept.location ?? 'no redirect')
})
