import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter } from '@postern/core'

/** Milliseconds after which an unreleased lease is free again: its process is assumed to have crashed. */
export const leaseTime = 15_000
/** The minimum milliseconds between two attempts to acquire a lease, to which a random jitter is added. */
const lookEvery = 20
const jitter = 60

/** The statements of a lease. */
export interface LeaseStatements {
  /** Acquires the lease if it is free or expired. Returns whether that succeeded. */
  readonly acquire: (key: string, owner: string) => Promise<boolean>
  readonly release: (key: string, owner: string) => Promise<unknown>
}

/** Creates the method that coordinates processes. */
export function createLease({ acquire, release }: LeaseStatements): Required<Adapter>['withLease'] {
  return async (key, work) => {
    const owner = randomUUID()
    while (!(await acquire(key, owner))) await delay(lookEvery + Math.random() * jitter)
    try {
      return await work()
    } finally {
      // The work is done even if the lease cannot be released; it then expires.
      await release(key, owner).catch(() => null)
    }
  }
}
