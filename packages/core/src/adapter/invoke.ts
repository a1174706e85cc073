import { describe } from '../errors/serialize-error.ts'
import { inTime, LateError } from '../errors/user-code.ts'
import { redacted, textsIn } from '../errors/redact.ts'
import type { Logger } from '../model/logger.ts'
import { type Check, withTextIds } from './validators.ts'
import { StoreError } from './store.ts'
import { UserIds } from './user-id-codec.ts'

export interface StoreSettings {
  readonly isDebugging: boolean
  /** Milliseconds that a method may take. */
  readonly timeout: number
}

type Call<T> = (...args: readonly unknown[]) => Promise<T>

/** Ways to call the methods of what is not ours: bounded in time, failures logged, answers checked. */
export interface Calls<M extends string> {
  /** Whatever it answers. */
  readonly any: (name: M) => Call<unknown>
  readonly done: (name: M) => Call<void>
  readonly one: <T>(name: M, is: Check<T>) => Call<T>
  readonly maybe: <T>(name: M, is: Check<T>) => Call<T | null>
}

/** Asks in time; a question about a user that fails is asked once more with the other spelling of the id. */
function asking<M extends string>(
  target: { readonly [N in M]?: unknown },
  timeout: number
): (name: M, args: readonly unknown[]) => Promise<unknown> {
  const ids = new UserIds()
  const ask = async (name: M, args: readonly unknown[]): Promise<unknown> => {
    const method: unknown = target[name]
    if (typeof method !== 'function') throw new StoreError(name, 'the adapter does not have this method')
    const answer: unknown = await inTime(`adapter.${name}`, method.apply(target, args), timeout)
    ids.learn(name, answer)
    return answer
  }
  const askAgain = async (error: unknown, name: M, args: readonly unknown[]): Promise<unknown> => {
    const id = error instanceof LateError ? null : ids.another(name, args)
    const user = id === null ? null : await ask(name, [id]).catch(() => null)
    // Somebody who was found is an answer; that nobody was is none, to a question that failed before.
    return user ?? Promise.reject(error)
  }
  return (name, args) => ask(name, ids.spelt(name, args)).catch((error: unknown) => askAgain(error, name, args))
}

/** A failure is logged under next-auth's code and becomes a `StoreError`. */
export function callsTo<M extends string>(
  target: { readonly [N in M]?: unknown },
  logger: Logger,
  { isDebugging, timeout }: StoreSettings
): Calls<M> {
  const ask = asking(target, timeout)
  const call = async (name: M, args: readonly unknown[]): Promise<unknown> => {
    if (isDebugging) logger.debug(`adapter_${name}`, {})
    try {
      return await ask(name, args)
    } catch (error) {
      // Database libraries quote the values of a statement that failed: tokens and addresses.
      const cause = redacted(error, textsIn(args))
      logger.error(`adapter_error_${name}`, describe(cause))
      const isLate = error instanceof LateError
      throw cause instanceof StoreError ? cause : new StoreError(name, 'the store did not answer', cause, isLate)
    }
  }
  const refuse = (name: M): never => {
    throw new StoreError(name, 'the answer does not have the promised shape')
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
