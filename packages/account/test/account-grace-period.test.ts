import { mock } from 'node:test'
import { auditLog } from '@postern/account/audit-log'
import { accountPages } from '@postern/account/pages'
import { memoryAdapter } from '@postern/adapters/memory'
import { type Adapter, createPostern } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import {
  accountPath,
  ada,
  createUser,
  findUser,
  first,
  getAddress,
  getNotice,
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
  const adapter = {
    ...memory,
    deleteUser: async (id: string) => {
      if (id === failing) throw new Error('the disk is full')
      return memory.deleteUser?.(id)
    }
  }
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

t.test('entries that were encrypted with a secret which was removed do not hide later ones', async (t) => {
  const app = await openWithGrace(t, 'database')
  await schedule(await createUser(app))
  const rotated = await openBeside(t, app, { secret: 'another secret of the tests, 32 characters or more' })
  await schedule(await createUser(rotated, grace))
  app.clock.advance(33 * day)
  t.equal(await deleteDue(rotated), 1)
  t.equal(await findUser(app, grace), null)
  t.equal(await deleteDue(app), 1)
  t.equal(await findUser(app, ada), null)
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
