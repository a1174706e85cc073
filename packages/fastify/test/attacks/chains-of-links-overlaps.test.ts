import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { overlapEverywhere, second, startOverlap } from './session-setup.ts'
import { begin, idIn, idOf, signIn, strategies, vera } from './setup.ts'

const pairs = [
  ['a link of a thief', 'the owner who ends the others'],
  ['the owner who ends the others', 'a link of a thief'],
  ['the owner who ends the others', 'the owner who ends the others']
] as const

/** In `npm test` a pair has one strategy, and the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  for (const [outer, inner] of pairs)
    test(`${strategy}: ${outer}, and anywhere within it ${inner}`, async (t) => {
      const { calls, problems } = await overlapEverywhere(async (adapter) => {
        const started = await startOverlap(t, adapter, { session: { strategy } })
        const owner = started.browser
        const thief = started.newBrowser()
        await signIn(started, owner, vera)
        await signIn(started, thief, vera)
        const id = await idOf(started, vera.sub)
        started.clock.advance(0.05)
        const { finish } = await begin(started, thief, second, { provider: 'loose', link: 'true' })
        const run = (name: string) => (name === 'a link of a thief' ? finish() : owner.open('/sign-out-others'))
        const check = async () => {
          // A thief without a session may sign up with the account.
          const [isOwner, isThief] = [(await idIn(owner)) === id, (await idIn(thief)) === id]
          return isOwner && !isThief ? null : `owner ${isOwner}, thief ${isThief}`
        }
        return { started, outer: () => run(outer), inner: () => run(inner), check }
      })
      t.ok(calls > 5, `${calls} calls`)
      t.strictSame(problems, [])
    })
