type Fields = Readonly<Record<string, unknown>>

/** @returns Whether a value is a plain object: only such are merged, anything else is replaced as a whole. */
export function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** @returns The function, bound and taken at its word, or `null` for anything else; what it answers is looked at. */
export function boundFunction<F>(value: unknown, self: unknown): F | null {
  return typeof value === 'function' ? value.bind(self) : null
}

/** Merges as next-auth v4 does: objects member by member, everything else replaced; `undefined` says nothing. */
export function deepMerge(base: Fields, over: Fields): Fields {
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined || name === '__proto__') continue
    const before = merged[name]
    merged[name] = isPlain(before) && isPlain(value) ? deepMerge(before, value) : value
  }
  return merged
}
