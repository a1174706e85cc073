import { isJsonObject } from '../model/json-object.ts'

/** What a query or a body said, by name. Only a text that came once counts as that text; see `textOf`. */
export type Fields = Readonly<Record<string, unknown>>

const noFields: Fields = Object.freeze(Object.create(null))

/** A body that could not be read; `status` is what the caller is told. */
export class BodyError extends Error {
  override readonly name: string = 'BodyError'
  readonly status: 400 | 413 | 415

  constructor(status: 400 | 413 | 415, message: string) {
    super(message)
    this.status = status
  }
}

/** @returns The field where it came once and as a text, else `null`. */
export function textOf(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}

/**
 * Without a prototype, so that every name is one like any other. V8 reads and copies it as any other object; what
 * `Object.create(null)` makes takes six times as long.
 */
export function emptyFields<T>(): Record<string, T> {
  return Object.setPrototypeOf({}, null)
}

/** @returns Fields by name, on an object without a prototype; a name that came twice holds the list of its values. */
export function fieldsOf(pairs: Iterable<readonly [string, unknown]>): Fields {
  const fields: Record<string, unknown> = emptyFields()
  let count = 0
  for (const [name, value] of pairs) {
    const earlier = fields[name]
    fields[name] = earlier === undefined ? value : Array.isArray(earlier) ? [...earlier, value] : [earlier, value]
    // A list grows by copying: a bound keeps a body of many equal names cheap.
    if (++count > 1000) throw new BodyError(413, 'expected at most 1000 fields')
  }
  return count === 0 ? noFields : fields
}

/** @returns The fields of an urlencoded text. */
export function parseForm(text: string): Fields {
  return text === '' ? noFields : fieldsOf(new URLSearchParams(text))
}

/** @returns The fields of a JSON object. */
export function parseJson(text: string): Fields {
  if (text === '') return noFields
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BodyError(400, 'expected JSON')
  }
  if (!isJsonObject(value)) throw new BodyError(400, 'expected a JSON object')
  return fieldsOf(Object.entries(value))
}

/** @throws BodyError for a type that is neither a form nor JSON. */
export function parseBody(contentType: string | null, text: string): Fields {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (text === '' && !type) return noFields
  if (type === 'application/x-www-form-urlencoded') return parseForm(text)
  if (type === 'application/json') return parseJson(text)
  throw new BodyError(415, 'expected application/x-www-form-urlencoded or application/json')
}
