/** Keeps a value that may be written from left to right in one piece within a sentence that is not (UAX #9, FSI and PDI). */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
