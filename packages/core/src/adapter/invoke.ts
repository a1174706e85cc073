import { InvalidKeyError } from '../errors/invalid-value-error.ts'
import { redacted, textsIn } from '../errors/redact.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { TimeoutError, withTimeout } from '../errors/user-code.ts'
import type { Logger } from '../model/logger.ts'
import { prepareCall } from './call-arguments.ts'
import { StoreError } from './store.ts'
import { UserIdCodec } from './user-id-codec.ts'
import { type Check, withTextIds } from './validators.ts'

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

/** Calls a method with its time limit. A failed query for a user is repeated once with the id as a number. */
function asking<M extends string>(
  target: { readonly [N in M]?: unknown },
  timeout: number
): (name: M, args: readonly unknown[]) => Promise<unknown> {
  const ids = new UserIdCodec()
  const ask = async (name: M, args: readonly unknown[]): Promise<unknown> => {
    const method: unknown = target[name]
    if (typeof method !== 'function') throw new StoreError(name, 'the adapter does not have this method')
    const result: unknown = await withTimeout(`adapter.${name}`, method.apply(target, args), timeout)
    ids.learn(name, result)
    return result
  }
  const askAgain = async (error: unknown, name: M, args: readonly unknown[]): Promise<unknown> => {
    const others = error instanceof TimeoutError ? null : ids.another(name, args)
    const user = others && (await ask(name, others).catch(() => null))
    // Accept the retry only if it finds a user.
    return user ?? Promise.reject(error)
  }
  return (name, args) => ask(name, ids.spelt(name, args)).catch((error: unknown) => askAgain(error, name, args))
}

/** Creates the invoker. A failure is logged under next-auth's code and becomes a `StoreError`. */
export function createInvoker<M extends string>(
  target: { readonly [N in M]?: unknown },
  logger: Logger,
  { isDebugging, timeout }: StoreSettings
): Invoker<M> {
  const ask = asking(target, timeout)
  const call = async (name: M, args: readonly unknown[]): Promise<unknown> => {
    if (isDebugging) logger.debug(`adapter_${name}`, {})
    try {
      const prepared = prepareCall(name, args)
      return prepared.kind === 'call' ? await ask(name, prepared.args) : prepared.result
    } catch (error) {
      if (error instanceof InvalidKeyError) throw new StoreError(name, null, error)
      // Database libraries quote the values of a failed statement, including tokens and addresses.
      const cause = redacted(error, textsIn(args))
      logger.error(`adapter_error_${name}`, serializeError(cause))
      const isLate = error instanceof TimeoutError
      throw cause instanceof StoreError ? cause : new StoreError(name, null, cause, isLate)
    }
  }
  const refuse = (name: M): never => {
    throw new StoreError(name, 'the result does not have the expected shape')
  }
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
        const value = withTextIds(await call(name, args))
        return is(value) ? value : refuse(name)
      },
    maybe:
      (name, is) =>
      async (...args) => {
        const value = withTextIds(await call(name, args))
        if (value === null || value === undefined) return null
        return is(value) ? value : refuse(name)
      }
  }
}
