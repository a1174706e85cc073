import { setImmediate as turn } from 'node:timers/promises'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { type Browser, createRandom } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { settings, toName } from './link-faults.ts'
import { choose, getCopy, isAlive, startOverlap } from './session-setup.ts'
import { idOf, signIn, vera } from './setup.ts'

// Sessions of one user that end each other at the same moment, with their calls of the store in random orders.

const rounds = times(60, 3000)

/** How often the event loop turns until a request that makes no call is taken to wait for something else. */
const patience = 400

/** At least 0, and less than 1. */
type Random = () => number

/** Lets the calls of a store through one at a time, in an order that a seed decides. */
function createSchedule(inner: Adapter, random: Random) {
  const waiting: (() => void)[] = []
  let isHeld = false
  const held = (method: unknown) => {
    if (typeof method !== 'function') return method
    return async (...args: readonly unknown[]): Promise<unknown> => {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      return Reflect.apply(method, inner, args)
    }
  }
  const adapter: Adapter = Object.fromEntries(
    Object.entries(inner).map(([name, method]) => [name, name === 'close' ? method : held(method)])
  )
  const runAll = async (work: readonly (() => Promise<unknown>)[]): Promise<void> => {
    isHeld = true
    let running = work.length
    const all = work.map(async (run) => {
      await run().catch(() => undefined)
      running -= 1
    })
    while (running > 0) {
      for (let turns = 0; turns < patience && waiting.length < running; turns++) await turn()
      const [next] = waiting.splice(Math.floor(random() * waiting.length), 1)
      next?.()
    }
    isHeld = false
    await Promise.all(all)
  }
  return { adapter, runAll }
}

for (const [seed, setting] of settings.entries())
  t.test(`${toName(setting)}: the session that has ended the others is alone, in any order`, async (t: Test) => {
    const bytes = createRandom(seed)
    const random: Random = () => (bytes(1)[0] ?? 0) / 256
    const { adapter, runAll } = createSchedule(memoryAdapter(), random)
    const options = { session: { strategy: setting.strategy } }
    const started = await startOverlap(t, choose(adapter, setting.hasTransactions), options)
    const { clock, app } = started
    const problems = new Set<string>()
    const seen = { stays: 0, nobody: 0 }
    for (let round = 0; round < rounds; round++) {
      const sessions = await Promise.all(
        Array.from({ length: 1 + Math.floor(random() * 3) }, async (_, index) => {
          const browser = started.newBrowser()
          await signIn(started, browser, vera)
          return { name: `session ${index}`, copies: [browser], hasSucceeded: false }
        })
      )
      const id = (await idOf(started, vera.sub)) ?? ''
      clock.advance(3)
      const work = sessions.flatMap((session) =>
        Array.from({ length: 1 + Math.floor(random() * 2) }, () => {
          const copy = getCopy(started, session.copies[0] as Browser)
          session.copies.push(copy)
          return async () => {
            const { status } = await copy.request('GET', '/sign-out-others')
            if (status === 200) session.hasSucceeded = true
          }
        })
      )
      const endsAll = random() < 0.3
      if (endsAll) work.push(() => app.postern.sessions.revokeAll(id))
      await runAll(work)
      clock.advance(3)
      const alive: string[] = []
      for (const { name, copies } of sessions)
        if ((await Promise.all(copies.map(isAlive))).includes(true)) alive.push(name)
      const succeeded = sessions.filter(({ hasSucceeded }) => hasSucceeded).map(({ name }) => name)
      seen[alive.length > 0 ? 'stays' : 'nobody'] += 1
      const about = `round ${round}, ${sessions.length} sessions, ${work.length} requests`
      if (alive.length > 1) problems.add(`${about}: ${alive.join()} stay`)
      if (succeeded.some((name) => alive.some((other) => other !== name)))
        problems.add(`${about}: ${succeeded.join()} succeeded`)
      if (endsAll && alive.length > 0) problems.add(`${about}: ${alive.join()} outlives the end of all`)
      if (!endsAll && sessions.length === 1 && alive.length === 0) problems.add(`${about}: it has ended itself`)
    }
    t.strictSame([...problems], [])
    t.ok(seen.stays > 0 && seen.nobody > 0, `both happen: ${JSON.stringify(seen)}`)
  })
