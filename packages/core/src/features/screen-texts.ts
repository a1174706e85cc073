/** The strings of a value, at any depth. */
function* listStrings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* listStrings(part)
}

/** @returns The texts whose keys are among the values of a screen, for clients that draw the screen themselves. */
export function pickScreenTexts(
  props: object,
  texts: Readonly<Record<string, string>>
): Readonly<Record<string, string>> {
  const keys = new Set(listStrings(props))
  return Object.fromEntries(Object.entries(texts).filter(([key]) => keys.has(key)))
}
