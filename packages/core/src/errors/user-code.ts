import { describe } from './serialize-error.ts'

type Awaitable<T> = T | Promise<T>

/** A function that is not ours did not answer within its time. */
export class LateError extends Error {
  override readonly name: string = 'LateError'
  /** As of a system error: visitors are told nothing of it. */
  readonly code: string = 'ETIMEDOUT'

  constructor(callee: string, milliseconds: number) {
    super(`${callee} did not answer within ${milliseconds} ms`)
  }
}

/** A function that is not ours threw, or returned something else than it promised; the message names it. */
export class ForeignError extends Error {
  override readonly name: string = 'ForeignError'
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/**
 * Waits for an answer, and no longer than it may take. An answer that is there at once costs no timer.
 *
 * @throws LateError
 */
export function inTime<T>(callee: string, answer: Awaitable<T>, milliseconds: number): Awaitable<T> {
  if (!isThenable(answer)) return answer
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new LateError(callee, milliseconds)), milliseconds)
    answer.then(
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

/** @returns The function, which answers in time or throws a `LateError`; what it throws itself passes. */
export function bounded<A extends readonly unknown[], R>(
  callee: string,
  call: (...args: A) => Awaitable<R>,
  milliseconds: number
): (...args: A) => Awaitable<R> {
  return (...args) => inTime(callee, call(...args), milliseconds)
}

/** @returns The function, which answers in time or throws a `ForeignError` that names it. */
export function named<A extends readonly unknown[], R>(
  callee: string,
  call: (...args: A) => Awaitable<R>,
  milliseconds: number
): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await inTime(callee, call(...args), milliseconds)
    } catch (cause) {
      throw cause instanceof LateError ? cause : new ForeignError(`${callee} threw`, { cause: describable(cause) })
    }
  }
}

/** @returns The function, whose answer has to be a text that is not empty. */
export function textual<A extends readonly unknown[]>(
  callee: string,
  call: (...args: A) => Awaitable<unknown>,
  milliseconds: number
): (...args: A) => Promise<string> {
  const answering = named(callee, call, milliseconds)
  return async (...args) => {
    const answer = await answering(...args)
    if (typeof answer !== 'string' || answer === '')
      throw new ForeignError(`${callee} returned ${kindOf(answer)}, not a text`)
    return answer
  }
}

/** @returns What came, without saying more of it than its kind. */
export function kindOf(value: unknown): string {
  if (value === '') return 'an empty text'
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Some throw what is no error; the log tells of that too. */
function describable(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describe(thrown).message)
}
