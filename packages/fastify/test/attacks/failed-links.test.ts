import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import t, { type Test } from 'tap'
import { choose, second, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn, idOf, signIn, strategies, vera, withId } from './setup.ts'

const link = { provider: 'loose', link: 'true' } as const

/** What fails after an account was linked, for the strategies in which it is called. */
const failures = [
  { method: 'callbacks.jwt', strategies: ['jwt'], transactions: [true, false] },
  { method: 'createSession', strategies: ['database'], transactions: [false] }
] as const

for (const { method, ...cases } of failures)
  for (const strategy of strategies.filter((one) => (cases.strategies as readonly string[]).includes(one)))
    for (const hasTransactions of cases.transactions)
      for (const ends of [true, false])
        t.test(
          `${strategy}: ${method} fails after a link, transactions ${hasTransactions}, sessions end ${ends}`,
          async (t: Test) => {
            const inner = choose(memoryAdapter(), hasTransactions)
            let afterLink: (() => Promise<unknown>) | null = null
            const fail = async (): Promise<void> => {
              const act = afterLink
              afterLink = null
              await act?.()
            }
            const adapter: Adapter = {
              ...inner,
              createSession: async (session) => {
                if (method === 'createSession') await fail()
                return (await inner.createSession?.(session)) as never
              }
            }
            const started = await startOverlap(t, adapter, {
              session: { strategy },
              callbacks: {
                ...withId,
                jwt: async ({ token }) => {
                  if (method === 'callbacks.jwt') await fail()
                  return token
                }
              }
            })
            const { app, browser, clock } = started
            await signIn(started, browser, vera)
            const id = (await idOf(started, vera.sub)) ?? ''
            clock.advance(1)
            const { finish } = await begin(started, browser, second, link)
            let wasLinked = false
            afterLink = async () => {
              wasLinked = (await accountsOf(started, id)).includes('loose two')
              clock.advance(0.01)
              if (ends) await app.postern.sessions.revokeAll(id)
              throw new Error('outage')
            }
            await finish()
            t.ok(wasLinked, 'the account was linked')
            t.notOk((await accountsOf(started, id)).includes('loose two'), 'the account is removed again')
            if (!ends) {
              await signIn(started, browser, second, link)
              t.ok((await accountsOf(started, id)).includes('loose two'), 'the owner links it again')
              return
            }
            clock.advance(130)
            const late = started.newBrowser()
            await signIn(started, late, second, { provider: 'loose' })
            t.not(await idIn(late), id, 'the account does not sign in')
          }
        )
