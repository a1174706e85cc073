import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { LeaseMethods } from '../methods.ts'
import type { Answer, Run } from './statements.ts'
import type { TableAccess } from './table-access.ts'

/** Milliseconds after which an unreleased lease is free again: its process is assumed to have crashed. */
export const leaseTime = 15_000
/** The minimum milliseconds between two attempts to acquire a lease, to which a random jitter is added. */
const lookEvery = 20
const jitter = 60

/**
 * Creates the method that coordinates processes.
 *
 * @param acquire - Acquires the lease if it is free or expired. Returns whether that succeeded.
 */
export function leaseMethods(
  { tables: { posternLocks: locks }, statements }: TableAccess,
  run: Run,
  acquire: (key: string, owner: string) => Answer<boolean>
): LeaseMethods {
  const release = statements.delete(locks, { key: locks.key, owner: locks.owner })
  return {
    withLease: async (key, work) => {
      const owner = randomUUID()
      while (!(await run(() => acquire(key, owner)))) await delay(lookEvery + Math.random() * jitter)
      try {
        return await work()
      } finally {
        // The work is done even if the lease cannot be released; it then expires.
        await run(() => release({ key, owner })).catch(() => null)
      }
    }
  }
}
