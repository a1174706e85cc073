import type { PosternOptions } from '@postern/core'
import { load } from './load.ts'

/** Milliseconds that a start waits for the store; afterwards requests do. */
const longestWait = 5000

const isSchema = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'Schema'

/** What an adapter may have besides the methods of its contract: `ready()` waits until the store can be asked. */
interface Preparing {
  readonly ready: () => unknown
}

function isPreparing(adapter: object | undefined): adapter is Preparing {
  return adapter !== undefined && 'ready' in adapter && typeof adapter.ready === 'function'
}

/**
 * Waits until the store can be asked, where its adapter can tell.
 *
 * A store that is late does not keep the application from starting: whoever needs it is answered 503 until it is there.
 *
 * @throws The adapter's error with the code `'Schema'`: tables are not as they have to be, which time does not mend.
 */
export async function awaitStore({ adapter, logger }: PosternOptions): Promise<void> {
  if (!isPreparing(adapter)) return
  const notReady = (reason: string): void =>
    logger?.error?.('ADAPTER_NOT_READY', `sign-in answers 503 until the store is there: ${reason}`)
  const { setTimeout: delay }: typeof import('node:timers/promises') = load('node:timers/promises')
  const patience = new AbortController()
  const ready = (async () => adapter.ready())()
  const late = delay(longestWait, false, { signal: patience.signal, ref: false })
  try {
    const isInTime = await Promise.race([ready.then(() => true), late])
    if (!isInTime) notReady(`no answer within ${longestWait} ms`)
  } catch (error) {
    if (isSchema(error)) throw error
    notReady(error instanceof Error ? error.message : 'something that is no error was thrown')
  } finally {
    patience.abort()
    // What comes too late is told by the next who asks.
    for (const over of [ready, late]) over.catch(() => undefined)
  }
}
