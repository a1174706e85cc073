import { createMailbox, type Mailbox } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  type AccountApplication,
  type AccountApplicationOptions,
  accountPath,
  ada,
  addPasskey,
  base,
  createLimiter,
  createUser,
  findUser,
  first,
  getNotice,
  openAccountApplication,
  origin,
  second,
  signIn,
  signInByMail,
  strategies
} from './account-application.ts'
import {
  changeEmail,
  getId,
  getMail,
  getToken,
  grace,
  isSignedIn,
  openSession,
  reset,
  settle
} from './email-application.ts'
import {
  approvePath,
  cancelPath,
  countEvents,
  day,
  decideDeletion,
  deleteDue,
  deletedSubject,
  deletePath,
  getDeletionUrl,
  keep,
  linkPath,
  openBeside,
  openWithGrace,
  schedule,
  scheduledSubject
} from './grace-period-application.ts'
import { signInWithPasskey } from './passkey-application.ts'
import { answer, enroll } from './second-factor-application.ts'
import { copy } from './second-factor-stage.ts'
import { createAuthenticator } from './software-authenticator.ts'

const turns = turnsOf(strategies, t)

interface Pending {
  readonly deleteAt: string
  readonly factorUrl: string | null
  readonly approveAction: string | null
}

const readPending = async (browser: { readonly json: <T>(path: string) => Promise<T> }): Promise<Pending | null> =>
  (await browser.json<{ readonly props: { readonly pending: Pending | null } }>(deletePath)).props.pending

const open = async (test: Test, options?: AccountApplicationOptions) => {
  const app = await openAccountApplication(test, 'database', options)
  const browser = await createUser(app)
  return { app, browser, id: await getId(app, ada) }
}

const countScheduled = ({ mailbox }: Pick<AccountApplication, 'mailbox'>): number =>
  mailbox.mails.filter(({ subject }) => scheduledSubject.test(subject)).length

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: the owner of the address deletes the account at once, in any browser`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const other = await openSession(app)
    const page = await browser.open(deletePath)
    t.match(page.html().text, /are deleted on January 8, 2030.*until then, you can sign in and keep the account/is)
    const asked = await browser.fill(page, deletePath, { confirmation: 'delete' })
    const shown = await browser.follow(asked)
    t.match(shown.html().text, /will be deleted on January 8, 2030.*open the email that we sent to you/is)
    t.ok(await findUser(app, ada))
    for (const session of [browser, other]) {
      t.match((await session.open(accountPath)).body, 'Keep the account', 'each session shows it')
      t.ok(await isSignedIn(session))
    }
    const url = getDeletionUrl(app)
    t.match(getMail(app, ada, scheduledSubject).text, 'You do not have to sign in for it.')
    const reader = app.newBrowser()
    for (const _ of ['a scanner', 'the owner']) t.match((await reader.open(url)).body, 'Delete my account')
    t.match((await reader.open(`${url}&decision=confirm`)).status, 200)
    t.ok(await findUser(app, ada), 'opening the link changes nothing')
    const deleted = await decideDeletion(reader, url, 'confirm')
    t.equal(deleted.html().querySelector('h1')?.text, 'Your account has been deleted')
    t.equal(await findUser(app, ada), null)
    for (const session of [browser, other]) t.notOk(await isSignedIn(session))
    for (const repeated of [await reader.open(url), await decideDeletion(reader, url, 'confirm')]) {
      t.equal(repeated.html().querySelector('h1')?.text, 'Your account has been deleted', 'a second click says so')
      t.notMatch(repeated.body, 'Back to your account')
    }
    await settle(() => deletedSubject.test(app.mailbox.last().subject))
    t.match(getMail(app, ada, deletedSubject).text, 'was deleted on')
    app.clock.advance(8 * day)
    t.equal(await deleteDue(app), 0)
  })

  test(`${strategy}: without the confirmation, the account is deleted after seven days`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    await schedule(browser)
    app.clock.advance(7 * day - 1)
    t.equal(await deleteDue(app), 0)
    app.clock.advance(1)
    t.equal(await deleteDue(app), 1)
    t.equal(await findUser(app, ada), null)
    t.notOk(await isSignedIn(browser))
  })

  test(`${strategy}: a second factor that is given for the deletion deletes at once`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const browser = await createUser(app)
    const { app: authenticator } = await enroll(app, browser)
    t.match((await schedule(browser)).location, /\/verify\?.*amr=mfa/, 'it also asks for both factors first')
    const giveFactor = async (): Promise<void> => {
      await signIn(browser, ada, first)
      app.clock.advance(31)
      await answer(browser, { code: authenticator.code() })
    }
    await giveFactor()
    await schedule(browser)
    const pending = await readPending(browser)
    t.match(pending, { approveAction: null, factorUrl: /\/verify\?.*max_age=0&amr=mfa/ })
    t.equal((await browser.submit(approvePath, {})).status, 403, 'the one from before does not count')
    t.ok(await findUser(app, ada))
    t.equal((await browser.open(pending?.factorUrl ?? '')).status, 200)
    await giveFactor()
    t.match(await readPending(browser), { approveAction: approvePath, factorUrl: null })
    app.clock.advance(601)
    t.equal((await browser.submit(approvePath, {})).status, 403, 'ten minutes later')
    await giveFactor()
    const deleted = await browser.fill(await browser.open(deletePath), approvePath)
    t.equal(deleted.html().querySelector('h1')?.text, 'Your account has been deleted')
    t.equal(await findUser(app, ada), null)
    await app.auth.close()
    t.match(getMail(app, ada, deletedSubject).text, 'If it was not you')
  })

  test(`${strategy}: the thief of a session or of the password waits, and the owner keeps the account`, async (t) => {
    for (const steal of [
      async (app: AccountApplication, owner: Awaited<ReturnType<typeof createUser>>) => copy(app, owner),
      (app: AccountApplication) => openSession(app)
    ])
      for (const way of ['the link', 'a session', 'a new password'] as const) {
        const app = await openAccountApplication(t, strategy)
        const owner = await createUser(app)
        const thief = await steal(app, owner)
        const id = await getId(app, ada)
        await schedule(thief)
        t.equal((await thief.submit(approvePath, {})).status, 403)
        const ticketId = getToken(getDeletionUrl(app)).slice(0, 43)
        for (const token of ['', ticketId, ticketId + 'A'.repeat(43), 'A'.repeat(86), id])
          t.equal((await thief.submit(linkPath, { token, decision: 'confirm' })).status, 400, token)
        t.equal((await thief.submit(linkPath, { decision: 'confirm' })).status, 400)
        await schedule(thief)
        t.ok(await findUser(app, ada), 'asking twice deletes nothing')
        if (way === 'the link') {
          const kept = await decideDeletion(app.newBrowser(), getDeletionUrl(app), 'cancel')
          t.match(kept.body, 'Your account is kept.')
          t.match(kept.body, '>Deletion of the account canceled</h1>', 'not the heading of the page that deletes it')
        } else {
          if (way === 'a new password') await reset(app, ada, second)
          const session = await openSession(app, way === 'a new password' ? second : first)
          t.equal(getNotice(await session.follow(await keep(session))), 'Your account is kept.')
        }
        const ownLink = getDeletionUrl(app)
        for (const repeated of [await thief.open(ownLink), await decideDeletion(thief, ownLink, 'confirm')])
          t.match({ status: repeated.status, body: repeated.body }, { status: 200, body: 'Your account is kept.' })
        t.equal(await countEvents(app, id, 'deletion-cancelled'), 1)
        app.clock.advance(8 * day)
        t.equal(await deleteDue(app), 0)
        t.ok(await findUser(app, ada), way)
      }
  })

  test(`${strategy}: the thief of the mailbox deletes no account with two factors`, async (t) => {
    const app = await openAccountApplication(t, strategy)
    const owner = await createUser(app)
    await enroll(app, owner)
    const thief = app.newBrowser()
    await signInByMail(thief, ada, app.mailbox)
    await schedule(thief)
    await reset(app, ada, second)
    await schedule(await openSession(app, second))
    t.equal(countScheduled(app), 0, 'no mail has a link')
    t.ok(await findUser(app, ada))
    app.clock.advance(8 * day)
    t.equal(await deleteDue(app), 0)
  })
}

t.test('a passkey of one factor, and one without two-step verification, delete nothing at once', async (t) => {
  for (const options of [{ secondFactor: null }, {}]) {
    const { app, browser: thief } = await open(t, options)
    const own = createAuthenticator({ origin })
    await addPasskey(thief, own)
    await schedule(thief)
    app.clock.advance(1)
    await signInWithPasskey(thief, own)
    t.equal((await thief.submit(approvePath, {})).status, 403)
    t.ok(await findUser(app, ada))
  }
})

t.test('the owner of an earlier address keeps the account, and deletes nothing', async (t) => {
  const { app, browser } = await open(t)
  await schedule(browser)
  const url = getDeletionUrl(app)
  await changeEmail(app, browser, grace)
  t.equal((await decideDeletion(app.newBrowser(), url, 'confirm')).status, 400)
  t.ok(await findUser(app, grace))
  t.equal((await decideDeletion(app.newBrowser(), url, 'cancel')).status, 200)
  t.equal(await readPending(browser), null)
})

t.test('the link waits for the end of a suspension, and a reclaim ends it', async (t) => {
  const { app, browser, id } = await open(t)
  await schedule(browser)
  await app.auth.users.suspend(id)
  t.equal((await decideDeletion(app.newBrowser(), getDeletionUrl(app), 'confirm')).status, 400)
  t.ok(await findUser(app, ada))
  await app.auth.users.resume(id)
  t.ok(await readPending(await openSession(app)), 'it still waits')
  await app.adapter.updateUser?.({ id, emailVerified: null })
  await signInByMail(app.newBrowser(), ada, app.mailbox)
  t.equal((await decideDeletion(app.newBrowser(), getDeletionUrl(app), 'confirm')).status, 400)
  t.ok(await findUser(app, ada))
})

t.test('the link is of no use to another user, and its forms need their values', async (t) => {
  const { app, browser, id } = await open(t)
  const other = await createUser(app, grace, second)
  await schedule(browser)
  const url = getDeletionUrl(app)
  const token = getToken(url)
  t.equal(await readPending(other), null)
  t.equal((await other.submit(approvePath, { userId: id })).status, 400)
  await other.submit(cancelPath, { userId: id })
  t.ok(await readPending(browser))
  t.equal((await other.submit(linkPath, { token })).status, 200, 'no decision is none')
  t.equal((await other.submit(linkPath, { token, decision: 'delete' })).status, 200)
  t.match((await other.submit(linkPath, { token, decision: 'confirm', csrfToken: '' })).location, /csrf=true/)
  await other.request('POST', `${linkPath}?token=${token}&decision=confirm`)
  t.ok(await findUser(app, ada))
  await decideDeletion(other, url, 'confirm')
  t.equal(await findUser(app, ada), null)
  t.ok(await isSignedIn(other), 'it ends no session of another user')
})

t.test('of confirmations at the same time, one deletes', async (t) => {
  const { app, browser } = await open(t)
  const beside = await openBeside(t, app, { accountPages: { deletionGracePeriod: undefined } })
  await schedule(browser)
  const url = getDeletionUrl(app)
  const pages = await Promise.all([app, beside, app].map((one) => decideDeletion(one.newBrowser(), url, 'confirm')))
  for (const { status, body } of pages) if (status === 200) t.match(body, 'Your account has been deleted')
  if (await findUser(app, ada)) await decideDeletion(app.newBrowser(), url, 'confirm')
  t.equal(await findUser(app, ada), null)
  await Promise.all([app, beside].map(({ auth }) => auth.close()))
  t.equal(app.mailbox.mails.filter(({ subject }) => deletedSubject.test(subject)).length, 1)
})

t.test('a link does not call an account kept whose deletion was scheduled again', async (t) => {
  const { app, browser } = await open(t)
  await schedule(browser)
  const url = getDeletionUrl(app)
  const reader = app.newBrowser()
  await decideDeletion(reader, url, 'cancel')
  t.match((await reader.open(url)).body, '<title>Deletion of the account canceled</title>')
  await schedule(browser)
  const isGone = async (): Promise<void> => {
    const page = await reader.open(url)
    t.match({ status: page.status, body: page.body }, { status: 400, body: '<title>This link no longer works</title>' })
  }
  await isGone()
  await decideDeletion(reader, getDeletionUrl(app), 'confirm')
  t.equal(await findUser(app, ada), null)
  await isGone()
})

t.test('a link repeats what became of the account until a day after the deletion', async (t) => {
  for (const decision of ['confirm', 'cancel'] as const) {
    const { app, browser } = await open(t)
    await schedule(browser)
    const url = getDeletionUrl(app)
    await decideDeletion(app.newBrowser(), url, decision)
    app.clock.advance(8 * day - 1)
    t.equal((await app.newBrowser().open(url)).status, 200)
    app.clock.advance(1)
    t.equal((await app.newBrowser().open(url)).status, 400)
  }
})

t.test('the page promises the end of the sessions only if they end', async (t) => {
  const sentence = 'You are signed out on every device.'
  const waiting = await open(t)
  t.notMatch((await waiting.browser.open(deletePath)).body, sentence)
  const [app, once] = [await openWithGrace(t, 'database'), await open(t)]
  t.match((await (await createUser(app)).open(deletePath)).body, sentence)
  await once.app.adapter.updateUser?.({ id: once.id, emailVerified: null })
  t.match((await once.browser.open(deletePath)).body, sentence)
})

t.test('a link does not offer to keep an account that cannot be kept any more', async (t) => {
  const { app, browser } = await open(t)
  await schedule(browser)
  const [url, reader] = [getDeletionUrl(app), app.newBrowser()]
  app.clock.advance(7 * day - 1)
  t.match((await reader.open(url)).body, 'Keep the account')
  app.clock.advance(1)
  const shown = await reader.open(url)
  t.match([shown.status, shown.html().querySelector('h1')?.text], [400, 'This link no longer works'])
  t.ok(await findUser(app, ada), 'opening the link changes nothing')
  await deleteDue(app)
  t.equal((await reader.open(url)).html().querySelector('h1')?.text, 'Your account has been deleted')
})

t.test('the notice about a wrong word does not part the sentence from its list', async (t) => {
  const { browser } = await open(t)
  const { body } = await browser.submit(deletePath, { confirmation: 'no' })
  t.match(body, /When you confirm it:<\/p><ul>.*Type the word exactly/s)
})

t.test('without a proven address, nobody could be asked: the account is deleted at once', async (t) => {
  const { app, browser, id } = await open(t)
  await app.adapter.updateUser?.({ id, emailVerified: null })
  t.match(await browser.json(deletePath), { props: { deleteAt: null } })
  t.match((await schedule(browser)).body, 'Your account has been deleted')
  t.equal(await findUser(app, ada), null)
  t.equal(countScheduled(app), 0)
})

t.test('a mail server that refuses the mail to the owner leaves no deletion that nobody could cancel', async (t) => {
  const mailbox = createMailbox()
  let isDown = false
  const sendMail: Mailbox['sendMail'] = async (server, message) => {
    if (isDown) throw new Error('down')
    return mailbox.sendMail(server, message)
  }
  const app = { ...(await openAccountApplication(t, 'database', { runtime: { sendMail } })), mailbox }
  const browser = await createUser(app)
  isDown = true
  t.match((await schedule(browser)).location, 'error=EmailSignin')
  t.equal(await readPending(browser), null)
  isDown = false
  await schedule(browser)
  t.ok(getDeletionUrl(app))
})

t.test('the thief of the password does not use up the deletions of the owner', async (t) => {
  const { app, browser } = await open(t, { rateLimit: { limiter: createLimiter() } })
  await signIn(browser, ada, first)
  const thief = await openSession(app)
  // Each deletion and each cancellation is a mail: 10 in an hour, and 40 with all known devices.
  for (let count = 0; count < 10; count++) {
    await schedule(thief)
    await keep(thief)
  }
  await schedule(thief)
  t.equal(await readPending(browser), null)
  await schedule(browser)
  t.ok(await readPending(browser))
})

t.test('neither a link nor a second factor shortens a grace period', async (t) => {
  const app = await openWithGrace(t, 'database')
  const browser = await createUser(app)
  const { app: authenticator } = await enroll(app, browser)
  await schedule(browser)
  await signIn(browser, ada, first)
  app.clock.advance(31)
  await answer(browser, { code: authenticator.code() })
  t.match(await readPending(browser), { factorUrl: null, approveAction: null, isMailed: false })
  t.equal((await browser.submit(approvePath, {})).status, 404)
  t.equal((await browser.submit(linkPath, { decision: 'confirm' })).status, 404)
  t.notMatch(getDeletionUrl(app), 'token')
  const beside = await openBeside(t, app, { accountPages: { deletionGracePeriod: undefined } })
  const other = copy(beside, browser)
  t.match(await readPending(other), { factorUrl: null, approveAction: null })
  t.equal((await other.submit(approvePath, {})).status, 400, 'also not in a process without it')
  t.ok(await findUser(app, ada))
})

t.test('the link is in German, and works without a renderer', async (t) => {
  const { app, browser } = await open(t)
  const headers = { 'accept-language': 'de' }
  await browser.submit(deletePath, { confirmation: 'LÖSCHEN' }, { headers })
  t.match((await browser.open(deletePath, { headers })).body, /öffnen Sie die .* geschickt haben/)
  const { url, html } = getMail(app, ada, /wird gelöscht/)
  t.match(html, 'Bestätigen oder abbrechen')
  t.match((await app.newBrowser().open(url, { headers })).body, 'Mein Konto löschen')
  t.match(await app.newBrowser().json(url), { screen: 'account/deletion-confirm', props: { deleteAt: String } })
  t.equal((await app.newBrowser().submit(`${base}/account/delete/confirm`, { token: 'x' })).status, 400)
})
