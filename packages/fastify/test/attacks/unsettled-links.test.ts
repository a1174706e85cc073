import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import type { Started, start } from '../start.ts'
import { choose, getCopy, second, startOverlap } from './session-setup.ts'
import { accountsOf, address, begin, idIn, idOf, type Strategy, signIn, strategies, vera } from './setup.ts'

// A link that its request could not confirm: the reply of the store was lost, the process ended, or the application took long.

const link = { provider: 'loose', link: 'true' } as const
const alone = { provider: 'loose' } as const

/** The method that writes a link. */
const getWriter = (hasTransactions: boolean) => (hasTransactions ? 'transact' : 'linkAccount')

interface Faults {
  /** Runs before a call takes effect. */
  before: ((method: string) => Promise<unknown>) | null
  /** Runs after a call has taken effect, and before its reply. */
  after: ((method: string) => Promise<unknown>) | null
}

const lost = (): never => {
  throw Object.assign(new Error('the connection closed'), { code: 'ECONNRESET' })
}

/** An adapter whose calls fail when a test says so. */
function createFaulty(inner: Adapter): { readonly adapter: Adapter; readonly faults: Faults } {
  const faults: Faults = { before: null, after: null }
  const entries = Object.entries(inner).map(([name, method]) => [
    name,
    async (...args: readonly unknown[]) => {
      await faults.before?.(name)
      const result: unknown = await Reflect.apply(method, inner, args)
      await faults.after?.(name)
      return result
    }
  ])
  return { adapter: Object.fromEntries(entries), faults }
}

/** Runs work after the next call of a method. */
function afterNext(faults: Faults, method: string, work: () => Promise<unknown>): void {
  faults.after = async (name) => {
    if (name !== method) return
    faults.after = null
    await work()
  }
}

/** A listener of the application that does what a test says, once. */
function createListener() {
  let work: (() => Promise<unknown>) | null = null
  const linkAccount = async (): Promise<void> => {
    const act = work
    work = null
    await act?.()
  }
  const listen = (act: () => Promise<unknown>): void => {
    work = act
  }
  return { events: { linkAccount }, listen }
}

interface Setting {
  readonly strategy: Strategy
  readonly hasTransactions: boolean
}

const settings: readonly Setting[] = strategies.flatMap((strategy) =>
  [true, false].map((hasTransactions) => ({ strategy, hasTransactions }))
)
const toName = ({ strategy, hasTransactions }: Setting): string =>
  `${strategy}, with${hasTransactions ? '' : 'out'} transactions`

/** A user who is signed in, and about to connect an account. */
async function prepare(t: Test, { strategy, hasTransactions }: Setting, options: Parameters<typeof start>[1] = {}) {
  const { adapter, faults } = createFaulty(choose(memoryAdapter(), hasTransactions))
  const started = await startOverlap(t, adapter, { session: { strategy }, ...options })
  await signIn(started, started.browser, vera)
  const id = (await idOf(started, vera.sub)) ?? ''
  started.clock.advance(1)
  const endAll = async (): Promise<void> => {
    started.clock.advance(0.01)
    await started.app.postern.sessions.revokeAll(id)
    started.clock.advance(3)
  }
  return { started, faults, id, endAll, browser: started.browser }
}

/** Whether the account signs in as the user. */
async function signsIn(started: Started, id: string): Promise<boolean> {
  const late = started.newBrowser()
  await signIn(started, late, second, alone)
  return (await idIn(late)) === id
}

const isLinked = async (started: Started, id: string): Promise<boolean> =>
  (await accountsOf(started, id)).includes('loose two')

/** The owner connects the account, and signs in with it, at once or later. */
async function requireLinkable(t: Test, started: Started, id: string): Promise<void> {
  // The account that was removed has got a user of its own since.
  const other = await idOf(started, 'two', 'loose')
  if (other !== null && other !== id) await started.adapter?.deleteUser?.(other)
  const own = started.newBrowser()
  await signIn(started, own, vera)
  await signIn(started, own, second, link)
  t.ok(await isLinked(started, id), 'the owner connects the account')
  started.clock.advance(130)
  t.ok(await signsIn(started, id), 'and signs in with it')
  t.ok(await isLinked(started, id), 'and it stays')
}

for (const setting of settings) {
  const writer = getWriter(setting.hasTransactions)

  for (const isReadLost of [false, true])
    t.test(
      `${toName(setting)}: the reply to a link is lost while the sessions end${isReadLost ? ', and so is the next' : ''}`,
      async (t: Test) => {
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
      }
    )

  t.test(`${toName(setting)}: the reply to a link is lost, and the owner has the account`, async (t: Test) => {
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
    t.test(
      `${toName(setting)}: the process ends ${calls} calls after a link, while the sessions end`,
      async (t: Test) => {
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
      }
    )

  for (const seconds of [70, 121, 500])
    for (const isTried of [true, false])
      t.test(
        `${toName(setting)}: a listener takes ${seconds} s while the sessions end, and the account ${isTried ? 'signs in' : 'waits'}`,
        async (t: Test) => {
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
        }
      )

  t.test(`${toName(setting)}: a link that takes long does not settle the next one`, async (t: Test) => {
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

  t.test(`${toName(setting)}: a link that was not confirmed is not the last way in`, async (t: Test) => {
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
    if (!(await isLinked(started, id))) return
    // A mail to the verified address is another way in.
    await started.adapter?.updateUser?.({ id, emailVerified: null })
    const removing = started.app.postern.unlink(id, { provider: 'demo', providerAccountId: vera.sub })
    await t.rejects(removing, { code: 'LAST_WAY_IN' })
  })
}

for (const strategy of strategies)
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
  for (const setting of settings) {
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
