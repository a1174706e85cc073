import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { type AccountApplication, ada, createUser, openAccountApplication, strategies } from './account-application.ts'
import {
  askForEmail,
  day,
  decide,
  emailPath,
  getDecisionUrl,
  getEmail,
  getId,
  getMail,
  grace,
  isSignedIn,
  openSession,
  proveEmail,
  waitingSubject
} from './email-application.ts'
import { openBeside } from './grace-period-application.ts'
import { copy } from './second-factor-stage.ts'
import { storesAt } from './stores.ts'

const wanted = 'wanted@example.com'

/** In `npm test` a test has one strategy on a store, and the other one on the next; in the long run each has both. */
const turns = turnsOf(strategies, t)

/** Of users whose owners confirm one address at once, one gets it, and another one only changes what they have. */
async function raceForAddress(t: Test, app: AccountApplication): Promise<void> {
  const users = []
  for (const address of ['one@example.com', 'two@example.com']) {
    const browser = await createUser(app, address)
    await proveEmail(app, browser, wanted)
    users.push({ id: await getId(app, address), url: getDecisionUrl(app, address) })
  }
  const responses = await Promise.all(users.map(({ url }) => decide(app.newBrowser(), url, 'confirm')))
  for (const { url } of users) await decide(app.newBrowser(), url, 'confirm')
  const emails = await Promise.all(users.map(({ id }) => getEmail(app, id)))
  t.equal(emails.filter((email) => email === wanted).length, 1, 'one user gets the address')
  t.match(
    emails.find((email) => email !== wanted),
    /one|two/,
    'the other one keeps theirs'
  )
  t.equal(responses.filter(({ status }) => status === 200).length, 1, responses.map(({ status }) => status).join())
  app.clock.advance(8 * day)
  await app.auth.features.account.changeDueEmails()
  t.same(await Promise.all(users.map(({ id }) => getEmail(app, id))), emails, 'also later')
}

const countEvents = async ({ adapter }: AccountApplication, userId: string, named: string): Promise<number> =>
  ((await adapter.listEvents?.({ userId, limit: 100 })) ?? []).filter(({ type }) => type === named).length

/** A code, a link and the time that has come are used exactly once. */
async function changeOnce(t: Test, app: AccountApplication, beside: AccountApplication): Promise<void> {
  const browser = await createUser(app)
  const id = await getId(app, ada)
  await askForEmail(browser, grace)
  const { code } = getMail(app, grace)
  await Promise.all(Array.from({ length: 4 }, () => copy(app, browser).submit(`${emailPath}/confirm`, { code })))
  t.equal(await countEvents(app, id, 'email-change-requested'), 1, 'one code')
  const asked = app.mailbox.mails.filter(({ to, subject }) => to === ada && waitingSubject.test(subject))
  t.equal(asked.length, 1, 'the owner is asked once')
  const url = getDecisionUrl(app)
  app.clock.advance(7 * day)
  await Promise.all([
    ...[app, beside, app].map(({ auth }) => auth.features.account.changeDueEmails()),
    ...['confirm', 'confirm'].map((decision) => decide(beside.newBrowser(), url, decision as 'confirm')),
    openSession(beside)
  ])
  for (const { auth } of [app, beside]) await auth.features.account.changeDueEmails()
  t.equal(await getEmail(app, id), grace)
  t.equal(await countEvents(app, id, 'email-changed'), 1, 'one change')
  t.notOk(await isSignedIn(browser))
}

/** A change that is canceled while it is made is canceled, or made. */
async function cancelLate(t: Test, app: AccountApplication, beside: AccountApplication): Promise<void> {
  const browser = await createUser(app, 'late@example.com')
  const id = await getId(app, 'late@example.com')
  await proveEmail(app, browser, 'later@example.com')
  const url = getDecisionUrl(app, 'late@example.com')
  app.clock.advance(7 * day)
  const [count] = await Promise.all([
    app.auth.features.account.changeDueEmails(),
    decide(beside.newBrowser(), url, 'cancel')
  ])
  const isChanged = (await getEmail(app, id)) === 'later@example.com'
  t.equal(await countEvents(app, id, 'email-changed'), isChanged ? 1 : 0)
  t.equal(await countEvents(app, id, 'email-change-cancelled'), isChanged ? 0 : 1)
  t.equal(count, isChanged ? 1 : 0)
}

for (const [name, skip, open] of storesAt(0, 2))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: an address is changed once, also in races of two processes`, { skip }, async (t) => {
      const app = await openAccountApplication(t, strategy, { adapter: await open(t) })
      const beside = await openBeside(t, app, { session: { strategy } })
      await raceForAddress(t, app)
      await changeOnce(t, app, beside)
      await cancelLate(t, app, beside)
    })
