import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { someSettings } from './link-faults.ts'
import { choose, getCopy, overlapEverywhere, second, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn, idOf, signIn, startAccounts, strategies, vera, withId } from './setup.ts'

/** In `npm test` a test has one strategy, and the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)
const link = { provider: 'loose', link: 'true' } as const

/** Two links of one account by one session, while all sessions end. */
for (const { value: strategy, test } of turns())
  test(`${strategy}: a second link of the same account leaves no session when the first is taken back`, async (t: Test) => {
    let count = 0
    let isArmed = false
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let afterFirst: () => Promise<unknown> = async () => undefined
    const inner = choose(memoryAdapter(), false)
    const adapter: Adapter = {
      ...inner,
      linkAccount: async (account) => {
        if (!isArmed) return inner.linkAccount?.(account) as never
        count += 1
        if (count === 1) {
          await gate
          return inner.linkAccount?.(account) as never
        }
        const result = await inner.linkAccount?.(account)
        isArmed = false
        await afterFirst()
        return result as never
      }
    }
    const started = await startOverlap(t, adapter, { session: { strategy } })
    const thief = started.browser
    await signIn(started, thief, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    started.clock.advance(1)
    const tab = getCopy(started, thief)
    const one = await begin(started, thief, second, link)
    const other = await begin(started, tab, second, link)
    isArmed = true
    const waiting = one.finish()
    for (let turns = 0; turns < 1000 && count === 0; turns++) await new Promise((resolve) => setImmediate(resolve))
    afterFirst = async () => {
      await started.app.postern.sessions.revokeAll(id)
      open()
      await waiting
    }
    await other.finish()
    // The second link was refused before it was written.
    if (isArmed) await started.app.postern.sessions.revokeAll(id)
    isArmed = false
    open()
    await waiting
    started.clock.advance(3)
    t.equal(await idIn(thief), null, 'the first browser is signed out')
    t.equal(await idIn(tab), null, 'the second browser is signed out')
    t.notOk((await accountsOf(started, id)).includes('loose two'))
    // Whether the mark stays.
    const owner = started.newBrowser()
    await signIn(started, owner, vera)
    started.clock.advance(1)
    await signIn(started, owner, second, link)
    t.ok((await accountsOf(started, id)).includes('loose two'))
  })

/** The mark that a second link of the same account leaves. */
for (const { strategy, hasTransactions } of someSettings())
  t.test(`${strategy}: who links one account twice at once signs in with it, ${hasTransactions}`, async (t: Test) => {
    const { problems } = await overlapEverywhere(async (adapter) => {
      const started = await startOverlap(t, choose(adapter, hasTransactions), { session: { strategy } })
      const owner = started.browser
      await signIn(started, owner, vera)
      const tab = getCopy(started, owner)
      const one = await begin(started, owner, second, link)
      const other = await begin(started, tab, second, link)
      const check = async () => {
        const late = started.newBrowser()
        const { location } = await signIn(started, late, second, { provider: 'loose' })
        // One of both may have taken its link back, as the other has replaced its session.
        return (await idIn(late)) !== null ? null : `refused: ${location}`
      }
      return { started, outer: one.finish, inner: other.finish, check }
    })
    t.strictSame(problems, [])
  })

/** A suspension while a link is written. */
for (const { strategy, hasTransactions } of someSettings())
  t.test(
    `${strategy}: a link that a suspension overtakes is taken back, transactions ${hasTransactions}`,
    async (t: Test) => {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const started = await startOverlap(t, choose(adapter, hasTransactions), { session: { strategy } })
        const { app, browser } = started
        await signIn(started, browser, vera)
        const id = (await idOf(started, vera.sub)) ?? ''
        started.clock.advance(1)
        const { finish } = await begin(started, browser, second, link)
        let location: string | null | undefined = ''
        const outer = async () => {
          ;({ location } = await finish())
        }
        const inner = async () => {
          if ((await accountsOf(started, id)).includes('loose two')) t.comment('linked before the suspension')
          await app.postern.users.suspend(id)
        }
        const check = async () => {
          await app.postern.users.resume(id)
          const isRefused = /error=/.test(location ?? '')
          const accounts = await accountsOf(started, id)
          const thief = started.newBrowser()
          started.clock.advance(200)
          await signIn(started, thief, second, { provider: 'loose' })
          if (!isRefused) return null
          return accounts.includes('loose two')
            ? `refused (${location}), but linked; signs in ${(await idIn(thief)) === id}`
            : null
        }
        return { started, outer, inner, check }
      })
      t.strictSame(problems, [])
    }
  )

/** The mark of a link expires while a listener of the application takes long. */
for (const seconds of [60, 121, 600])
  for (const { strategy, hasTransactions } of someSettings())
    t.test(
      `${strategy}: nobody stays signed in with a link that is taken back late, transactions ${hasTransactions}, ${seconds}`,
      async (t: Test) => {
        let onLink: (() => Promise<unknown>) | null = null
        const run = async () => {
          const work = onLink
          onLink = null
          await work?.()
        }
        const started = await startOverlap(t, choose(memoryAdapter(), hasTransactions), {
          session: { strategy },
          events: { linkAccount: run },
          callbacks: {
            ...withId,
            jwt: async ({ token }) => {
              await run()
              return token
            }
          }
        })
        const thief = started.browser
        await signIn(started, thief, vera)
        const id = (await idOf(started, vera.sub)) ?? ''
        started.clock.advance(1)
        const { finish } = await begin(started, thief, second, link)
        const late = started.newBrowser()
        let isIn = false
        onLink = async () => {
          if (!(await accountsOf(started, id)).includes('loose two')) return
          started.clock.advance(0.01)
          await started.app.postern.sessions.revokeAll(id)
          started.clock.advance(seconds)
          await signIn(started, late, second, { provider: 'loose' })
          isIn = (await idIn(late)) === id
        }
        const { location } = await finish()
        started.clock.advance(3)
        t.comment(location, isIn, await idIn(thief), await accountsOf(started, id))
        t.notOk((await accountsOf(started, id)).includes('loose two'))
        t.notOk((await idIn(late)) === id, 'the thief is not signed in')
      }
    )
void sqliteAdapter
void startAccounts

/** A second link of the same account replaces the mark: in between, there is none. */
for (const { value: strategy, test } of turns())
  test(`${strategy}: nobody signs in with an account while a second link replaces the mark`, async (t: Test) => {
    const inner = choose(memoryAdapter(), false)
    let isArmed = false
    let consumes = 0
    let isGap = false
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let inGap: () => Promise<unknown> = async () => undefined
    let gapDone: () => void = () => undefined
    const done = new Promise<void>((resolve) => {
      gapDone = resolve
    })
    let onLinked: () => Promise<unknown> = async () => undefined
    const adapter: Adapter = {
      ...inner,
      linkAccount: async (account) => {
        const result = await inner.linkAccount?.(account)
        if (isArmed) {
          isArmed = false
          await onLinked()
        }
        return result as never
      },
      consumeTicket: async (key) => {
        if (!(isArmed && key.kind === 'unsettled-link')) return (await inner.consumeTicket?.(key)) as never
        consumes += 1
        if (consumes !== 1) return (await inner.consumeTicket?.(key)) as never
        await gate
        isGap = true
        const result = await inner.consumeTicket?.(key)
        await inGap()
        gapDone()
        return result as never
      }
    }
    const started = await startOverlap(t, adapter, { session: { strategy } })
    const thief = started.browser
    await signIn(started, thief, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    started.clock.advance(1)
    const tab = getCopy(started, thief)
    const late = started.newBrowser()
    const one = await begin(started, thief, second, link)
    const other = await begin(started, tab, second, link)
    inGap = async () => {
      await signIn(started, late, second, { provider: 'loose' })
    }
    onLinked = async () => {
      await started.app.postern.sessions.revokeAll(id)
      started.clock.advance(3)
      release()
      for (let turns = 0; turns < 200 && !isGap; turns++) await new Promise((resolve) => setImmediate(resolve))
      await (isGap ? done : null)
    }
    isArmed = true
    const waiting = one.finish()
    for (let turns = 0; turns < 1000 && consumes === 0; turns++) await new Promise((resolve) => setImmediate(resolve))
    await other.finish()
    await waiting
    started.clock.advance(3)
    const accounts = await accountsOf(started, id)
    t.comment(consumes, accounts)
    t.notOk(accounts.includes('loose two'))
    t.notOk((await idIn(late)) === id, 'the thief is not signed in')
  })
