/** Characters. */
export const maxNameLength = 64

/** @returns A typed name without control characters and surrounding spaces; `null` if nothing is left. */
export function normalizeName(text: string | null): string | null {
  const name = (text ?? '')
    .slice(0, 4 * maxNameLength)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
  return [...name].slice(0, maxNameLength).join('') || null
}
