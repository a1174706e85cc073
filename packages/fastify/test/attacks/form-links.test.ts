import { memoryAdapter } from '@postern/adapters/memory'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import { choose, overlapEverywhere, startOverlap } from './session-setup.ts'
import { accountsOf, address, idIn, idOf, signIn, vera, withId } from './setup.ts'

/** A form that finds a person with the address of the user, and an account of their own. */
const people = credentials({ credentials: { name: {} }, authorize: () => ({ id: 'form-vera', email: address }) })
const byForm = (visitor: Browser) => visitor.submit('/api/auth/callback/credentials', { name: 'x' })

for (const hasTransactions of [true, false])
  t.test(`the link of a form that is refused leaves no account, transactions ${hasTransactions}`, async (t: Test) => {
    const { problems } = await overlapEverywhere(async (adapter) => {
      const options = { session: { strategy: 'database' }, people, callbacks: withId } as const
      const started = await startOverlap(t, choose(adapter, hasTransactions), options)
      const { app, browser } = started
      await signIn(started, browser, vera)
      const id = (await idOf(started, vera.sub)) ?? ''
      started.clock.advance(1)
      let location: string | null | undefined = ''
      const outer = async () => {
        ;({ location } = await byForm(browser))
      }
      const check = async () => {
        const accounts = await accountsOf(started, id)
        started.clock.advance(200)
        const thief = started.newBrowser()
        await byForm(thief)
        const isIn = (await idIn(thief)) === id
        return /error=/.test(location ?? '') && (isIn || accounts.length > 1)
          ? `refused (${location}), but ${accounts}; signs in later: ${isIn}`
          : null
      }
      return { started, outer, inner: () => app.postern.sessions.revokeAll(id), check }
    })
    t.strictSame(problems, [])
  })

for (const hasTransactions of [true, false])
  t.test(
    `the marker of a form that links slowly outlives a sign-in that has found the account, transactions ${hasTransactions}`,
    async (t: Test) => {
      let onLink: (() => Promise<unknown>) | null = null
      let onRemember: (() => Promise<unknown>) | null = null
      const options = {
        session: {
          strategy: 'database',
          remember: async () => {
            const act = onRemember
            onRemember = null
            await act?.()
            return true
          }
        },
        people,
        callbacks: withId,
        events: {
          linkAccount: async () => {
            const act = onLink
            onLink = null
            await act?.()
          }
        }
      } as const
      const started = await startOverlap(t, choose(memoryAdapter(), hasTransactions), options)
      const { app, browser } = started
      await signIn(started, browser, vera)
      const id = (await idOf(started, vera.sub)) ?? ''
      started.clock.advance(1)
      const thief = started.newBrowser()
      let late: Promise<unknown> = Promise.resolve()
      let first: Promise<unknown> = Promise.resolve()
      onLink = async () => {
        started.clock.advance(0.01)
        await app.postern.sessions.revokeAll(id)
        started.clock.advance(59)
        await new Promise<void>((resolve) => {
          onRemember = async () => {
            resolve()
            await first
            started.clock.advance(2)
          }
          late = byForm(thief).finally(resolve)
        })
      }
      first = byForm(browser)
      await first
      await late
      started.clock.advance(1)
      t.notOk((await accountsOf(started, id)).some((one) => one.startsWith('credentials')))
      t.notOk((await idIn(thief)) === id, 'nobody signs in by an account that is not linked')
    }
  )
