/** Joins the parts of a name that are there: a missing part is `undefined`, `null` or empty. @returns `null` without any. */
export function joinName(...parts: readonly unknown[]): string | null {
  const given = parts.filter((part) => typeof part === 'string' && part.trim() !== '')
  return given.length > 0 ? given.join(' ') : null
}
