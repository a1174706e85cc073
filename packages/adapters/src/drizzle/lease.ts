import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter } from '@postern/core'

/** Milliseconds after which a lease is free again although nobody gave it back: its process is taken for dead. */
export const leaseTime = 15_000
/** Milliseconds between two looks at a lease that somebody else holds: at least, and up to as many more. */
const lookEvery = 20
const jitter = 60

/** The two statements of a lease: who holds what. */
export interface LeaseStatements {
  /** Whether the lease was free, or its time over, and is now the owner's. */
  readonly take: (key: string, owner: string) => Promise<boolean>
  readonly giveBack: (key: string, owner: string) => Promise<unknown>
}

/** Makes the method that keeps processes apart. */
export function createLease({ take, giveBack }: LeaseStatements): Required<Adapter>['withLease'] {
  return async (key, work) => {
    const owner = randomUUID()
    while (!(await take(key, owner))) await delay(lookEvery + Math.random() * jitter)
    try {
      return await work()
    } finally {
      // The work is done whatever becomes of the lease, which ends by itself.
      await giveBack(key, owner).catch(() => null)
    }
  }
}
