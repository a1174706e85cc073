/** Isolates a left-to-right value within a right-to-left sentence (UAX #9, FSI and PDI). */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
