/** The types of a provider's values are not guaranteed: only strings and `null` are stored in text columns. */
export function pickTexts<K extends string>(
  source: { readonly [P in K]?: unknown },
  names: readonly K[]
): { [P in K]?: string | null } {
  const texts: { [P in K]?: string | null } = {}
  for (const name of names) {
    const value: unknown = source[name]
    if (typeof value === 'string' || value === null) texts[name] = value
  }
  return texts
}
