import { InvalidKeyError } from '../errors/invalid-value-error.ts'
import { redacted, textsIn } from '../errors/redact.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { TimeoutError, withTimeout } from '../errors/user-code.ts'
import type { Logger } from '../model/logger.ts'
import { prepareCall } from './call-arguments.ts'
import { StoreError } from './store.ts'
import type { TextIds } from './text-ids.ts'

/** Whether a result has the promised shape. */
export type Check<T> = (value: unknown) => value is T

export interface StoreSettings {
  readonly isDebugging: boolean
  /** The time limit of a method, in milliseconds. */
  readonly timeout: number
}

type Call<T> = (...args: readonly unknown[]) => Promise<T>

/** Calls third-party methods: with a time limit, logged failures and validated results. */
export interface Invoker<M extends string> {
  /** Accepts any result. */
  readonly any: (name: M) => Call<unknown>
  readonly done: (name: M) => Call<void>
  readonly one: <T>(name: M, is: Check<T>) => Call<T>
  readonly maybe: <T>(name: M, is: Check<T>) => Call<T | null>
}

type Target<M extends string> = { readonly [N in M]?: unknown }

/** Creates the call of a method. A failure is logged under next-auth's code and becomes a `StoreError`. */
function createCall<M extends string>(
  target: Target<M>,
  logger: Logger,
  { isDebugging, timeout }: StoreSettings,
  ids: TextIds | null
): (name: M, args: readonly unknown[]) => Promise<unknown> {
  return async (name, args) => {
    if (isDebugging) logger.debug(`adapter_${name}`, {})
    try {
      const prepared = prepareCall(name, args)
      if (prepared.kind === 'nothing') return prepared.result
      const method: unknown = target[name]
      if (typeof method !== 'function') throw new StoreError(name, 'the adapter does not have this method')
      const result: unknown = ids
        ? ids.call(name, prepared.args, (all) => method.apply(target, all))
        : method.apply(target, prepared.args)
      return await withTimeout(`adapter.${name}`, result, timeout)
    } catch (error) {
      if (error instanceof InvalidKeyError) throw new StoreError(name, null, error)
      // Database libraries quote the values of a failed statement, including tokens and addresses.
      const cause = redacted(error, textsIn(args))
      logger.error(`adapter_error_${name}`, serializeError(cause))
      const isLate = error instanceof TimeoutError
      throw cause instanceof StoreError ? cause : new StoreError(name, null, cause, isLate)
    }
  }
}

function refuse(name: string): never {
  throw new StoreError(name, 'the result does not have the expected shape')
}

/** @param ids - `null` if all ids of the target are strings. */
export function createInvoker<M extends string>(
  target: Target<M>,
  logger: Logger,
  settings: StoreSettings,
  ids: TextIds | null
): Invoker<M> {
  const call = createCall(target, logger, settings, ids)
  return {
    any:
      (name) =>
      (...args) =>
        call(name, args),
    done:
      (name) =>
      async (...args) => {
        await call(name, args)
      },
    one:
      (name, is) =>
      async (...args) => {
        const value = await call(name, args)
        return is(value) ? value : refuse(name)
      },
    maybe:
      (name, is) =>
      async (...args) => {
        const value = await call(name, args)
        if (value === null || value === undefined) return null
        return is(value) ? value : refuse(name)
      }
  }
}
