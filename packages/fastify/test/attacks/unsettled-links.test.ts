import { memoryAdapter } from '@postern/adapters/memory'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { inTurn, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  afterNext,
  alone,
  createListener,
  getWriter,
  isLinked,
  link,
  lost,
  prepare,
  requireLinkable,
  settings,
  signsIn,
  someSettings,
  toName
} from './link-faults.ts'
import { getCopy, second, startOverlap } from './session-setup.ts'
import { accountsOf, address, begin, idIn, signIn, strategies, vera } from './setup.ts'

// A link that its request could not confirm: the reply of the store was lost, the process ended, or the application took long.

/** In `npm test` a test has one setting, and the next one another; in the long run each has all. */
const turns = turnsOf(settings, t)
const someStrategies = inTurn(strategies)

for (const { value: setting, test } of turns()) {
  const writer = getWriter(setting.hasTransactions)

  for (const isReadLost of [false, true])
    test(`${toName(setting)}: the reply to a link is lost while the sessions end${isReadLost ? ', and so is the next' : ''}`, async (t: Test) => {
      const { started, faults, id, endAll, browser } = await prepare(t, setting)
      const { finish } = await begin(started, browser, second, link)
      afterNext(faults, writer, async () => {
        await endAll()
        if (isReadLost)
          faults.before = async () => {
            faults.before = null
            lost()
          }
        lost()
      })
      await finish()
      t.notOk(await signsIn(started, id), 'the account does not sign in at once')
      started.clock.advance(130)
      t.notOk(await signsIn(started, id), 'nor later')
      started.clock.advance(130)
      t.notOk(await signsIn(started, id), 'nor the second time')
      t.notOk(await isLinked(started, id), 'it is removed')
      await requireLinkable(t, started, id)
    })

  test(`${toName(setting)}: the reply to a link is lost, and the owner has the account`, async (t: Test) => {
    const { started, faults, id, browser } = await prepare(t, setting)
    const { finish } = await begin(started, browser, second, link)
    afterNext(faults, writer, async () => lost())
    await finish()
    t.equal(await idIn(browser), id, 'the owner stays signed in')
    t.ok(await isLinked(started, id), 'the account is linked')
    t.ok(await signsIn(started, id), 'and signs in at once')
    started.clock.advance(130)
    t.ok(await signsIn(started, id), 'and later')
    t.ok(await isLinked(started, id))
  })

  for (const calls of [1, 2, 3, 4, 5])
    test(`${toName(setting)}: the process ends ${calls} calls after a link, while the sessions end`, async (t: Test) => {
      const { started, faults, id, endAll, browser } = await prepare(t, setting)
      const { finish } = await begin(started, browser, second, link)
      afterNext(faults, writer, async () => {
        await endAll()
        let left = calls
        faults.before = async () => {
          left -= 1
          if (left <= 0) lost()
        }
      })
      await finish().catch(() => undefined)
      faults.before = null
      faults.after = null
      t.notOk(await signsIn(started, id), 'the account does not sign in at once')
      for (const _ of [1, 2]) {
        started.clock.advance(130)
        t.notOk(await signsIn(started, id), 'nor later')
      }
      started.clock.advance(86_400 * 30)
      t.notOk(await signsIn(started, id), 'nor after a month')
      await requireLinkable(t, started, id)
    })

  for (const seconds of [70, 121, 500])
    for (const isTried of [true, false])
      test(`${toName(setting)}: a listener takes ${seconds} s while the sessions end, and the account ${isTried ? 'signs in' : 'waits'}`, async (t: Test) => {
        const { events, listen } = createListener()
        const { started, id, endAll, browser } = await prepare(t, setting, { events })
        const { finish } = await begin(started, browser, second, link)
        let wasIn = false
        listen(async () => {
          started.clock.advance(1)
          await endAll()
          started.clock.advance(seconds)
          if (isTried) wasIn = await signsIn(started, id)
        })
        await finish()
        t.notOk(wasIn, 'the account does not sign in meanwhile')
        t.notOk(await signsIn(started, id), 'nor afterwards')
        t.notOk(await isLinked(started, id), 'it is removed')
        started.clock.advance(130)
        t.notOk(await signsIn(started, id))
        await requireLinkable(t, started, id)
      })

  test(`${toName(setting)}: a link that takes long does not settle the next one`, async (t: Test) => {
    const { events, listen } = createListener()
    const { started, id, endAll, browser } = await prepare(t, setting, { events })
    const tab = getCopy(started, browser)
    const slow = await begin(started, browser, second, link)
    const next = await begin(started, tab, second, link)
    let release: () => void = () => undefined
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    let linked: () => void = () => undefined
    const hasLinked = new Promise<void>((resolve) => {
      linked = resolve
    })
    let wasIn = false
    listen(async () => {
      started.clock.advance(121)
      await started.app.postern.unlink(id, { provider: 'loose', providerAccountId: 'two' }, { sessions: 'keep' })
      listen(async () => {
        linked()
        await isReleased
        await endAll()
        wasIn = await signsIn(started, id)
        started.clock.advance(121)
        wasIn ||= await signsIn(started, id)
      })
      second2 = next.finish()
      await Promise.race([hasLinked, second2])
    })
    let second2: Promise<unknown> = Promise.resolve()
    await slow.finish()
    release()
    await second2
    t.notOk(wasIn, 'the account does not sign in before the next link is settled')
    started.clock.advance(130)
    t.notOk(await signsIn(started, id), 'nor later')
  })

  test(`${toName(setting)}: a link that was not confirmed is not the last way in`, async (t: Test) => {
    const { started, faults, id, browser } = await prepare(t, setting)
    const { finish } = await begin(started, browser, second, link)
    afterNext(faults, writer, async () => {
      let left = 2
      faults.before = async () => {
        left -= 1
        if (left <= 0) lost()
      }
    })
    await finish().catch(() => undefined)
    faults.before = null
    t.ok(await isLinked(started, id), 'the account is there')
    // A mail to the verified address is another way in.
    await started.adapter?.updateUser?.({ id, emailVerified: null })
    const removing = started.app.postern.unlink(id, { provider: 'demo', providerAccountId: vera.sub })
    await t.rejects(removing, { code: 'LAST_WAY_IN' })
  })
}

for (const strategy of someStrategies())
  t.test(`${strategy}: a link that was not confirmed stays so when the secret is replaced`, async (t: Test) => {
    const setting = { strategy, hasTransactions: false }
    const { started, faults, id, endAll, browser } = await prepare(t, setting)
    const { finish } = await begin(started, browser, second, link)
    afterNext(faults, 'linkAccount', async () => {
      await endAll()
      faults.before = async () => lost()
    })
    await finish().catch(() => undefined)
    faults.before = null
    t.ok(await isLinked(started, id))
    const other = await startOverlap(t, started.adapter ?? memoryAdapter(), {
      session: { strategy },
      secret: 'another secret, which replaces the one before'
    })
    other.clock.advance(300)
    const late = other.newBrowser()
    await signIn(other, late, second, alone)
    t.notOk((await idIn(late)) === id)
  })

for (const hasTransactions of [true, false])
  t.test(
    `a form that is submitted twice while it links signs in at once, transactions ${hasTransactions}`,
    async (t) => {
      const people = credentials({ credentials: { name: {} }, authorize: () => ({ id: 'form-vera', email: address }) })
      const byForm = (visitor: Browser) => visitor.submit('/api/auth/callback/credentials', { name: 'x' })
      const options = { people } as object
      const { started, faults, id, browser } = await prepare(t, { strategy: 'database', hasTransactions }, options)
      const tab = getCopy(started, browser)
      let again: Promise<unknown> | null = null
      faults.before = async (name) => {
        if (name !== getWriter(hasTransactions)) return
        faults.before = null
        again = byForm(tab)
        await again
      }
      await byForm(browser)
      await again
      t.ok((await accountsOf(started, id)).includes('credentials form-vera'))
      started.clock.advance(3)
      const later = started.newBrowser()
      await byForm(later)
      t.equal(await idIn(later), id, 'the form signs in')
      started.clock.advance(130)
      await byForm(later)
      t.equal(await idIn(later), id, 'and later')
      t.ok((await accountsOf(started, id)).includes('credentials form-vera'))
    }
  )

t.test('an account that was removed again may get a user of its own', async (t: Test) => {
  for (const setting of someSettings()) {
    const { started, id, endAll, browser } = await prepare(t, setting)
    const { finish } = await begin(started, browser, second, link)
    await endAll()
    await finish()
    for (const seconds of [0, 130, 130]) {
      started.clock.advance(seconds)
      const own = started.newBrowser()
      await signIn(started, own, second, alone)
      const found = await idIn(own)
      t.ok(found !== null && found !== id, `${toName(setting)}: after ${seconds} s`)
    }
  }
})
