import { isObject } from '../model/json-object.ts'

type Fields = Readonly<Record<string, unknown>>

/** @returns Whether a value is a plain object: only plain objects are merged, other values are replaced. */
export function isPlain(value: unknown): value is Fields {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * @returns The bound function, or `null` for any other value. Its type is not checked; its results must be validated.
 */
export function boundFunction<F>(value: unknown, self: unknown): F | null {
  return typeof value === 'function' ? value.bind(self) : null
}

/** Merges like next-auth v4: plain objects by property, other values replaced; `undefined` is ignored. */
export function deepMerge(base: Fields, over: Fields): Fields {
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined || name === '__proto__') continue
    const before = merged[name]
    merged[name] = isPlain(before) && isPlain(value) ? deepMerge(before, value) : value
  }
  return merged
}
