import type { Awaitable } from '../model/awaitable.ts'
import { serializeError } from './serialize-error.ts'

/** A function of the application did not finish within its time limit. */
export class TimeoutError extends Error {
  override readonly name: string = 'TimeoutError'
  /** Marks it as a system error, whose message users never see. */
  readonly code: string = 'ETIMEDOUT'

  constructor(callee: string, milliseconds: number) {
    super(`${callee} did not respond within ${milliseconds} ms`)
  }
}

/** A function of the application threw, or returned a value of the wrong type; the message names the function. */
export class UserCodeError extends Error {
  override readonly name: string = 'UserCodeError'
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/**
 * Handles the rejection of what a function returned that must return at once: the function may be `async`, and a rejection that
 * nobody handles ends the process.
 *
 * @returns Whether it returned a promise.
 */
export function handleRejection(result: unknown, onRejection: (error: unknown) => void = () => undefined): boolean {
  if (!isThenable(result)) return false
  result.then(undefined, onRejection)
  return true
}

/**
 * Waits for a result up to a time limit. A result that is not a promise needs no timer.
 *
 * @throws TimeoutError
 */
export function withTimeout<T>(callee: string, result: Awaitable<T>, milliseconds: number): Awaitable<T> {
  if (!isThenable(result)) return result
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError(callee, milliseconds)), milliseconds)
    result.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      }
    )
  })
}

/** @returns The function with a time limit. It throws a `TimeoutError`; its own errors pass unchanged. */
export function withTimeLimit<A extends readonly unknown[], R>(
  callee: string,
  call: (...args: A) => Awaitable<R>,
  milliseconds: number
): (...args: A) => Awaitable<R> {
  return (...args) => withTimeout(callee, call(...args), milliseconds)
}

/** @returns The function with a time limit. It throws a `UserCodeError` that names it. */
export function wrapCallback<A extends readonly unknown[], R>(
  callee: string,
  call: (...args: A) => Awaitable<R>,
  milliseconds: number
): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await withTimeout(callee, call(...args), milliseconds)
    } catch (cause) {
      throw cause instanceof TimeoutError ? cause : new UserCodeError(`${callee} threw`, { cause: describable(cause) })
    }
  }
}

/** @returns The function, whose result must be a non-empty string. */
export function stringCallback<A extends readonly unknown[]>(
  callee: string,
  call: (...args: A) => Awaitable<unknown>,
  milliseconds: number
): (...args: A) => Promise<string> {
  const callback = wrapCallback(callee, call, milliseconds)
  return async (...args) => {
    const result = await callback(...args)
    if (typeof result !== 'string' || result === '')
      throw new UserCodeError(`${callee} returned ${describeKind(result)}, not a string`)
    return result
  }
}

/** @returns A description of the type of the value, which does not include the value. */
export function describeKind(value: unknown): string {
  if (value === '') return 'an empty string'
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Wraps thrown values that are not errors, so that they are logged too. */
function describable(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(serializeError(thrown).message)
}
