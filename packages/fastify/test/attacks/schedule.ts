import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import type { Adapter } from '@postern/core'
import { createRandom } from '@postern/testkit'

/** How often the event loop turns until a request that makes no call is taken to wait for something else. */
const patience = 400

/** At least 0, and less than 1. */
export type Random = () => number

/** Numbers that are the same for each run. */
export function createNumbers(seed: number): Random {
  const bytes = createRandom(seed)
  return () => {
    const [high = 0, low = 0] = bytes(2)
    return (high * 256 + low) / 65_536
  }
}

/** Lets the calls of a store through one at a time, in a random order. */
export interface Schedule {
  readonly adapter: Adapter
  /** Runs all work at once, and waits for it. */
  readonly runAll: (work: readonly (() => Promise<unknown>)[]) => Promise<void>
}

interface WaitingCall {
  /** Which work makes the call. */
  readonly work: number | undefined
  readonly go: () => void
}

/** How likely another work goes on after a call: often each makes some calls in a row, and some wait for long. */
const changes = [1, 0.3, 0.1, 0.03]

/** Creates a schedule for the calls of an adapter. */
export function createSchedule(inner: Adapter, random: Random): Schedule {
  const current = new AsyncLocalStorage<number>()
  const waiting: WaitingCall[] = []
  let isHeld = false
  const hold = (method: unknown) => {
    if (typeof method !== 'function') return method
    return async (...args: readonly unknown[]): Promise<unknown> => {
      if (isHeld) await new Promise<void>((go) => waiting.push({ work: current.getStore(), go }))
      return Reflect.apply(method, inner, args)
    }
  }
  const adapter: Adapter = Object.fromEntries(
    Object.entries(inner).map(([name, method]) => [name, name === 'close' ? method : hold(method)])
  )
  const runAll: Schedule['runAll'] = async (work) => {
    isHeld = true
    let running = work.length
    const all = work.map(async (run, index) => {
      await current.run(index, run).catch(() => undefined)
      running -= 1
    })
    const change = changes[Math.floor(random() * changes.length)] ?? 1
    let last: number | undefined
    while (running > 0) {
      for (let turns = 0; turns < patience && waiting.length < running; turns++) await turn()
      const same = random() < change ? -1 : waiting.findIndex((call) => call.work === last)
      const [next] = waiting.splice(same === -1 ? Math.floor(random() * waiting.length) : same, 1)
      last = next?.work
      next?.go()
    }
    isHeld = false
    await Promise.all(all)
  }
  return { adapter, runAll }
}
