/** A JSON object whose fields are checked one by one. */
export type Fields = Readonly<Record<string, unknown>>

/** @throws SyntaxError the text is not JSON. @throws TypeError it is not an object. */
export function parseFields(text: string): Fields {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null) return { ...value }
  throw new TypeError('expected a JSON object')
}

export function readText(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value
  throw new TypeError(`expected ${name}`)
}

export function readNumber(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value === 'number') return value
  throw new TypeError(`expected ${name}`)
}

export function readOptionalText(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}
