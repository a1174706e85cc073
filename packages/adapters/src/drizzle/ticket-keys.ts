import type { TicketKey } from '@postern/core'

/** Creates a value for each number of keys, on first use. */
export function lazyByCount<T>(create: (count: number) => T): (count: number) => T {
  const all = new Map<number, T>()
  return (count) => {
    const value = all.get(count) ?? create(count)
    all.set(count, value)
    return value
  }
}

/** The names of the parameters of each key. */
export function keyParameters(count: number): readonly { readonly kind: string; readonly id: string }[] {
  return Array.from({ length: count }, (_, index) => ({ kind: `kind${index}`, id: `id${index}` }))
}

/** The values of these parameters. */
export function bindKeys(keys: readonly TicketKey[]): Record<string, string> {
  return Object.fromEntries(
    keys.flatMap(({ kind, id }, index) => [
      [`kind${index}`, kind],
      [`id${index}`, id]
    ])
  )
}
