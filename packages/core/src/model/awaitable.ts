/** A value, or a promise of it: `node:crypto` returns values, WebCrypto promises. */
export type Awaitable<T> = T | Promise<T>

/** Passes a value on: at once, unless it is a promise. A promise that nothing waits for takes longer than most steps. */
export function chain<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

const areThere = <T>(values: readonly Awaitable<T>[]): values is readonly T[] =>
  !values.some((value) => value instanceof Promise)

/** Waits for all values, unless none is a promise. */
export function whenAll<T>(values: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  return areThere(values) ? values : Promise.all(values)
}
