import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { createFaulty, createGate, link, settings, toName } from './link-faults.ts'
import { choose, overlapEverywhere, second, startOverlap } from './session-setup.ts'
import { address, begin, idIn, idOf, signIn, vera, withId } from './setup.ts'

// The sessions of a user end twice, one end after the other; the second is slow, or its process ends.

const people = credentials({ credentials: { name: {} }, authorize: () => ({ id: 'form-vera', email: address }) })
const byForm = (visitor: Browser) => visitor.submit('/api/auth/callback/credentials', { name: 'x' })

/** Before which of its calls of the store the second end stops. */
const places = isLong ? [1, 2, 3, 4, 5, 6, 7, 8] : [2, 4]

for (const setting of settings)
  for (const isForm of [false, true].slice(0, setting.strategy === 'database' ? 2 : 1))
    t.test(
      `${toName(setting)}: a link that the first end has missed is not settled, form ${isForm}`,
      async (t: Test) => {
        let stops = 0
        for (const place of places) {
          const { problems } = await overlapEverywhere(async (stored) => {
            const { adapter, faults } = createFaulty(choose(stored, setting.hasTransactions))
            const options = { session: { strategy: setting.strategy }, people, callbacks: withId } as const
            const started = await startOverlap(t, adapter, options as object)
            const { browser, app, clock } = started
            await signIn(started, browser, vera)
            const id = (await idOf(started, vera.sub)) ?? ''
            clock.advance(100)
            const outer = isForm ? () => byForm(browser) : (await begin(started, browser, second, link)).finish
            const gate = createGate()
            let [isSettled, wasSettled] = [false, false]
            faults.before = async (name, [key]) => {
              // It reads its own marker after it has read that the sessions have not ended.
              if (name === 'readTicket' && String(Object(key).kind).startsWith('unsettled-link')) isSettled = true
            }
            let slow: Promise<unknown> = Promise.resolve()
            const inner = async (): Promise<void> => {
              // What was settled before is a link of a session that was valid.
              wasSettled = isSettled
              clock.advance(0.01)
              await app.postern.sessions.revokeAll(id)
              clock.advance(3)
              let calls = 0
              faults.before = async () => {
                calls += 1
                if (calls !== place) return
                faults.before = null
                stops += 1
                await gate.stop()
              }
              slow = app.postern.sessions.revokeAll(id)
              await Promise.race([gate.isReached, slow])
              faults.before = null
            }
            const check = async (): Promise<string | null> => {
              gate.open()
              await slow
              clock.advance(3)
              if ((await idIn(browser)) === id) return 'the thief is signed in'
              clock.advance(300)
              const late = started.newBrowser()
              if (isForm) await byForm(late)
              else await signIn(started, late, second, { provider: 'loose' })
              return !wasSettled && (await idIn(late)) === id ? 'the account signs in' : null
            }
            return { started, outer, inner, check }
          })
          t.strictSame(problems, [], `the second end stops before its call ${place}`)
        }
        t.ok(stops >= places.length, 'the second end was stopped')
      }
    )
