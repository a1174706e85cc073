import type { PosternOptions } from '@postern/core'
import { load } from './load.ts'

/** Milliseconds that startup waits for the store. After that, requests wait. */
const maxWaitMilliseconds = 5000

/** Tables that are missing, columns that cannot be read, and settings of connections: a retry would not help. */
const permanentCodes: readonly unknown[] = ['Schema', 'ColumnType', 'Setting']

const isPermanent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && permanentCodes.includes(error.code)

/** An optional method of adapters: `ready()` resolves when the store accepts queries. */
interface Preparing {
  readonly ready: () => unknown
}

function isPreparing(adapter: object | undefined): adapter is Preparing {
  return adapter !== undefined && 'ready' in adapter && typeof adapter.ready === 'function'
}

/**
 * Waits until the store accepts queries, if its adapter has `ready()`.
 *
 * A slow store does not prevent the application from starting; requests that need it get 503 until it is available.
 *
 * @throws The adapter's error with the code `'Schema'`, `'ColumnType'` or `'Setting'`: a retry would not help.
 */
export async function awaitStore({ adapter, logger }: PosternOptions): Promise<void> {
  if (!isPreparing(adapter)) return
  const notReady = (reason: string): void =>
    logger?.error?.('ADAPTER_NOT_READY', `sign-in returns 503 until the store is available: ${reason}`)
  const { setTimeout: delay }: typeof import('node:timers/promises') = load('node:timers/promises')
  const patience = new AbortController()
  const ready = (async () => adapter.ready())()
  const late = delay(maxWaitMilliseconds, false, { signal: patience.signal, ref: false })
  try {
    const isInTime = await Promise.race([ready.then(() => true), late])
    if (!isInTime) notReady(`no response within ${maxWaitMilliseconds} ms`)
  } catch (error) {
    if (isPermanent(error)) throw error
    notReady(error instanceof Error ? error.message : 'a value that is not an Error was thrown')
  } finally {
    patience.abort()
    // A failure after the timeout is reported by the next request that uses the store.
    for (const over of [ready, late]) over.catch(() => undefined)
  }
}
