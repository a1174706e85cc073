/** What a function of the application may return: next-auth's type of the same name. */
export type Awaitable<T> = T | PromiseLike<T>

/** A value, or a promise of it: `node:crypto` returns values, WebCrypto promises. */
export type MaybePromise<T> = T | Promise<T>

/** Whether a value is a promise. Its class does not tell: applications may replace the global one. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Passes a value on: at once, unless it is a promise. A promise that nothing waits for takes longer than most steps. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value)
}

const areThere = <T>(values: readonly MaybePromise<T>[]): values is readonly T[] => !values.some(isPromise)

/** Waits for all values, unless none is a promise. */
export function whenAll<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return areThere(values) ? values : Promise.all(values)
}
