import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { choose, getCopy, second, startOverlap, third } from './session-setup.ts'
import { accountsOf, begin, idIn, idOf, signIn, strategies, vera } from './setup.ts'

const link = { provider: 'loose', link: 'true' } as const
const mallory = { sub: 'mallory', name: 'Mallory', email: 'mallory@example.com', email_verified: true }

const cases = [true, false].flatMap((hasTransactions) =>
  strategies.flatMap((strategy) =>
    (['two users', 'two tabs', 'two sessions'] as const).map((kind) => ({ hasTransactions, strategy, kind }))
  )
)

for (const { hasTransactions, strategy, kind } of some(cases, (one) => Object.values(one)))
  t.test(`${strategy}: ${kind} link, unlink and link an account, transactions ${hasTransactions}`, async (t: Test) => {
    const inner = choose(memoryAdapter(), hasTransactions)
    let beforeClear: (() => Promise<unknown>) | null = null
    let afterLink: (() => Promise<unknown>) | null = null
    const adapter: Adapter = {
      ...inner,
      consumeTicket: async (key) => {
        if (key.kind === 'unsettled-link') {
          const act = beforeClear
          beforeClear = null
          await act?.()
        }
        return (await inner.consumeTicket?.(key)) as never
      }
    }
    // The listener of the application pauses the second link.
    const started = await startOverlap(t, adapter, {
      session: { strategy },
      events: {
        linkAccount: async () => {
          const act = afterLink
          afterLink = null
          await act?.()
        }
      }
    })
    const thief = started.browser
    await signIn(started, thief, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    const own = kind === 'two tabs' ? getCopy(started, thief) : started.newBrowser()
    if (kind !== 'two tabs') await signIn(started, own, kind === 'two users' ? mallory : vera)
    started.clock.advance(1)
    const one = await begin(started, own, second, link)
    const other = await begin(started, thief, second, link)
    const late = started.newBrowser()
    let wasIn = false
    let release: () => void = () => undefined
    const cleared = new Promise<void>((resolve) => {
      release = resolve
    })
    let linked: () => void = () => undefined
    const hasLinked = new Promise<void>((resolve) => {
      linked = resolve
    })
    let second2: Promise<unknown> = Promise.resolve()
    beforeClear = async () => {
      // The first link is written, and is about to be settled.
      const ownId = kind === 'two users' ? ((await idOf(started, 'mallory')) ?? '') : id
      await started.app.postern.unlink(ownId, { provider: 'loose', providerAccountId: 'two' })
      afterLink = async () => {
        linked()
        await cleared
        started.clock.advance(0.01)
        await started.app.postern.sessions.revokeAll(id)
        started.clock.advance(3)
        await signIn(started, late, second, { provider: 'loose' })
        wasIn = (await idIn(late)) === id
        if (wasIn) await signIn(started, late, third, link)
      }
      second2 = other.finish()
      await Promise.race([hasLinked, second2])
    }
    await one.finish()
    release()
    await second2
    started.clock.advance(3)
    const accounts = await accountsOf(started, id)
    t.notOk(wasIn, 'nobody signs in with the link before it is settled')
    t.strictSame(
      accounts.filter((one) => !one.startsWith('demo')),
      [],
      'nothing is left'
    )
    const afterwards = started.newBrowser()
    await signIn(started, afterwards, third, { provider: 'loose' })
    t.notOk((await idIn(afterwards)) === id, 'the thief does not sign in later')
  })

for (const strategy of strategies)
  for (const isOther of [true, false])
    t.test(
      `${strategy}: the link of ${isOther ? 'another user' : 'another tab'} that fails does not clear the marker of another link`,
      async (t: Test) => {
        const inner = choose(memoryAdapter(), false)
        let isArmed = false
        let count = 0
        let open: () => void = () => undefined
        const gate = new Promise<void>((resolve) => {
          open = resolve
        })
        let afterSecond: () => Promise<unknown> = async () => undefined
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
            await afterSecond()
            return result as never
          }
        }
        const started = await startOverlap(t, adapter, { session: { strategy } })
        const thief = started.browser
        await signIn(started, thief, vera)
        const id = (await idOf(started, vera.sub)) ?? ''
        let own = getCopy(started, thief)
        if (isOther) {
          own = started.newBrowser()
          await signIn(started, own, mallory)
        }
        started.clock.advance(1)
        const one = await begin(started, own, second, link)
        const other = await begin(started, thief, second, link)
        const late = started.newBrowser()
        let wasIn = false
        afterSecond = async () => {
          isArmed = false
          started.clock.advance(0.01)
          await started.app.postern.sessions.revokeAll(id)
          started.clock.advance(3)
          open()
          await waiting
          await signIn(started, late, second, { provider: 'loose' })
          wasIn = (await idIn(late)) === id
          if (wasIn) await signIn(started, late, third, link)
        }
        isArmed = true
        const waiting = one.finish()
        for (let turns = 0; turns < 1000 && count === 0; turns++) await new Promise((resolve) => setImmediate(resolve))
        await other.finish()
        // The second link may be refused before it writes.
        if (isArmed) await afterSecond()
        started.clock.advance(3)
        const accounts = await accountsOf(started, id)
        t.notOk(wasIn, 'nobody signs in with the link before it is settled')
        t.notOk(accounts.includes('loose two'))
        t.strictSame(
          accounts.filter((one) => !one.startsWith('demo')),
          [],
          'nothing is left'
        )
        t.notOk((await idIn(late)) === id)
        const afterwards = started.newBrowser()
        await signIn(started, afterwards, third, { provider: 'loose' })
        t.notOk((await idIn(afterwards)) === id, 'the thief does not sign in later')
      }
    )
