import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, AdapterCall } from '@postern/core'
import { settle } from './email-application.ts'

/** A store of which a call waits for other work. @param turns - The longest wait, in turns of the event loop */
export function createOverlap(inner: Adapter = memoryAdapter(), turns: number = 400) {
  let left = Number.POSITIVE_INFINITY
  let planned: (() => Promise<unknown>) | null = null
  let running: Promise<unknown> | null = null
  let before: string | null = null
  const call = async (name: string): Promise<void> => {
    left -= 1
    if (left > 0 || !planned) return
    const work = planned
    planned = null
    before = name
    let isDone = false
    running = work().finally(() => {
      isDone = true
    })
    running.catch(() => undefined)
    // Work that waits for the call continues beside it.
    await settle(() => isDone, turns)
  }
  const adapter = new Proxy(inner, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || name === 'close') return method
      const calling = async (...args: readonly unknown[]): Promise<unknown> => {
        await call(name)
        return Reflect.apply(method, target, args)
      }
      return Object.assign(calling, { ...method })
    }
  })
  return {
    adapter,
    inner,
    /** Does the work before the call with this number. */
    arm: (at: number, work: () => Promise<unknown>): void => {
      left = at
      planned = work
      before = null
    },
    /** Waits for the work. @returns The call that it came before; `null` if there were fewer calls. */
    finish: async (): Promise<string | null> => {
      planned = null
      await running?.catch(() => undefined)
      return before
    }
  }
}

/** A store that does other work before the next transaction with a call of one of these methods. */
export function createPaused(...methods: readonly AdapterCall['method'][]) {
  const inner = memoryAdapter()
  let planned: (() => Promise<unknown>) | null = null
  const adapter: Adapter = {
    ...inner,
    transact: async (calls) => {
      const work = calls.some(({ method }) => methods.includes(method)) ? planned : null
      if (work) planned = null
      await work?.()
      return inner.transact(calls)
    }
  }
  return {
    adapter,
    inner,
    arm: (work: () => Promise<unknown>): void => {
      planned = work
    },
    /** Whether the work was not done yet. */
    isArmed: (): boolean => planned !== null
  }
}
