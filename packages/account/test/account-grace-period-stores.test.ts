import { auditLog } from '@postern/account/audit-log'
import { isLong, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { type AccountApplication, ada, createUser, first, signIn, strategies } from './account-application.ts'
import { getId } from './email-application.ts'
import {
  countEvents,
  day,
  deleteDue,
  deletedSubject,
  findMails,
  keep,
  openBeside,
  openWithGrace,
  schedule,
  scheduledSubject
} from './grace-period-application.ts'
import { copy } from './second-factor-stage.ts'
import { storesAt } from './stores.ts'

/** In `npm test` a test has one strategy on a store, and the other one on the next; in the long run each has both. */
const turns = turnsOf(strategies, t)

const addresses = Array.from({ length: isLong ? 7 : 3 }, (_, index) => `user${index}@example.com`)

/** Of concurrent requests, one schedules the deletion. */
async function scheduleTwice(t: Test, app: AccountApplication): Promise<string> {
  const browser = await createUser(app)
  const id = await getId(app, ada)
  const responses = await Promise.all(Array.from({ length: 4 }, () => schedule(copy(app, browser))))
  t.ok(responses.some(({ status }) => status === 200))
  t.equal(await countEvents(app, id, 'deletion-scheduled'), 1, 'one event')
  t.equal((await findMails(app, scheduledSubject)).length, 1, 'one mail')
  return id
}

/** Deletions of one day wait beside each other, also if they are scheduled at once. */
async function scheduleMany(t: Test, app: AccountApplication): Promise<readonly string[]> {
  const browsers = []
  for (const address of addresses) browsers.push(await createUser(app, address))
  const ids = await Promise.all(addresses.map((address) => getId(app, address)))
  const responses = await Promise.all(browsers.map(schedule))
  t.same(
    responses.map(({ status }) => status),
    addresses.map(() => 200)
  )
  return ids
}

for (const [name, skip, open] of storesAt(0, 2))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: accounts are deleted once, also in races of applications`, { skip }, async (t) => {
      const app = await openWithGrace(t, strategy, { adapter: await open(t), features: [auditLog()] })
      const others = { applicationId: 'another', session: { strategy }, features: [auditLog()] }
      const beside = await openBeside(t, app, others)
      const id = await scheduleTwice(t, app)
      const ids = await scheduleMany(t, app)
      const [keeping = ''] = addresses
      const [kept = '', ...left] = ids
      app.clock.advance(30 * day - 1)
      const browser = app.newBrowser()
      await signIn(browser, keeping, first)
      t.equal(await deleteDue(beside), 0)
      const cancelled = await Promise.all([keep(browser), keep(copy(app, browser))])
      t.same(
        cancelled.map(({ status }) => status),
        [302, 302],
        'the second one finds it done'
      )
      t.equal(await countEvents(app, kept, 'deletion-cancelled'), 1)
      t.equal((await schedule(browser)).status, 200, 'neither ended the session')

      app.clock.advance(1)
      const deleted = await Promise.all([deleteDue(app), deleteDue(beside), deleteDue(app), deleteDue(beside)])
      // Each leaves those to the next run that the other one was deleting.
      const all = deleted.reduce((sum, count) => sum + count, (await deleteDue(app)) + (await deleteDue(beside)))
      t.equal(all, left.length + 1, 'each is deleted once')
      for (const gone of [id, ...left]) {
        t.notOk(await app.adapter.getUser?.(gone))
        t.equal(await countEvents(app, gone, 'delete'), 1)
      }
      t.ok(await app.adapter.getUser?.(kept), 'scheduled again, for later')
      const mails = await findMails(app, deletedSubject)
      t.same(mails.map(({ to }) => to).toSorted(), [ada, ...addresses.slice(1)].toSorted(), 'one mail each')

      app.clock.advance(29 * day)
      await signIn(browser, keeping, first)
      app.clock.advance(day)
      const [count, late] = await Promise.all([deleteDue(beside), keep(browser)])
      t.notOk(late.location?.includes('deletionCancelled'), 'it is too late')
      t.ok(count + (await deleteDue(app)) <= 1)
      t.notOk(await app.adapter.getUser?.(kept))
      t.equal((await findMails(app, deletedSubject)).length, addresses.length + 1)
    })

for (const [name, skip, open] of storesAt(1, 2))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: of a cancellation and a deletion, one wins`, { skip }, async (t) => {
      const app = await openWithGrace(t, strategy, { adapter: await open(t) })
      const beside = await openBeside(t, app, { session: { strategy } })
      let now = app.clock.now()
      const early = await openBeside(t, app, { session: { strategy }, runtime: { now: () => now } })
      const browser = await createUser(app)
      const id = await getId(app, ada)
      await schedule(browser)
      app.clock.advance(30 * day - 1)
      now = app.clock.now()
      const other = early.newBrowser()
      await signIn(other, ada, first)
      app.clock.advance(1)
      // The clock of one process is behind: for it, the deletion is not due yet.
      const [count, kept] = await Promise.all([deleteDue(beside), keep(other)])
      const user = await app.adapter.getUser?.(id)
      if (kept.location?.includes('deletionCancelled')) t.match([user, count], [{ id }, 0], 'the account is kept')
      else t.ok(!user || count === 0, 'the account is deleted, now or with the next run')
      await deleteDue(beside)
      t.equal(Boolean(await app.adapter.getUser?.(id)), (await countEvents(app, id, 'deletion-cancelled')) === 1)
    })
