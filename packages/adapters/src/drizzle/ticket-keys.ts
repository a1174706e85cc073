import type { TicketKey } from '@postern/core'

/** The maximum number of keys for which a prepared statement is kept, and of one statement to SQLite. */
export const maxKeys = 100

/** Creates a value for each number of keys, on first use. It keeps no values of larger numbers, which clients choose. */
export function lazyByCount<T>(create: (count: number) => T): (count: number) => T {
  const all = new Map<number, T>()
  return (count) => {
    const value = all.get(count) ?? create(count)
    if (count <= maxKeys) all.set(count, value)
    return value
  }
}

/** Divides keys into lists of at most `maxKeys`, each key once. */
export function toChunks(keys: readonly TicketKey[]): readonly (readonly TicketKey[])[] {
  const distinct = [...new Map(keys.map((key) => [JSON.stringify([key.kind, key.id]), key])).values()]
  return Array.from({ length: Math.ceil(distinct.length / maxKeys) }, (_, index) =>
    distinct.slice(index * maxKeys, (index + 1) * maxKeys)
  )
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
