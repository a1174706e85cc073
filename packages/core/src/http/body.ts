import { isJsonObject } from '../model/json-object.ts'

/** The fields of a query or a body, by name. A field counts as text only if it occurs once; see `getText`. */
export type Fields = Readonly<Record<string, unknown>>

const noFields: Fields = Object.freeze(Object.create(null))

/** The body cannot be read; `status` is the HTTP status of the response. */
export class BodyError extends Error {
  override readonly name: string = 'BodyError'
  readonly status: 400 | 413 | 415

  constructor(status: 400 | 413 | 415, message: string) {
    super(message)
    this.status = status
  }
}

/** @returns The field if it occurs once and is a string, otherwise `null`. */
export function getText(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}

/**
 * Has no prototype, so that no name is special. V8 reads and copies it like any other object; the result of
 * `Object.create(null)` takes six times as long.
 */
export function emptyFields<T>(): Record<string, T> {
  return Object.setPrototypeOf({}, null)
}

const maxFields = 1000
const tooManyFields = (): BodyError => new BodyError(413, `expected at most ${maxFields} fields`)

/**
 * @returns Fields by name, on an object without a prototype; a name that occurs several times has an array of values.
 */
export function toFields(pairs: Iterable<readonly [string, unknown]>): Fields {
  const fields: Record<string, unknown> = emptyFields()
  let count = 0
  for (const [name, value] of pairs) {
    const earlier = fields[name]
    fields[name] = earlier === undefined ? value : Array.isArray(earlier) ? [...earlier, value] : [earlier, value]
    // Arrays grow by copying: the limit keeps a body with many equal names cheap.
    if (++count > maxFields) throw tooManyFields()
  }
  return count === 0 ? noFields : fields
}

/** Whether a text has more separators than a form may have fields. */
function hasTooManyFields(text: string): boolean {
  let count = 0
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) if (++count > maxFields) return true
  return false
}

/** @returns The fields of an urlencoded string. @throws BodyError if there are too many, before they take time */
export function parseForm(text: string): Fields {
  if (hasTooManyFields(text)) throw tooManyFields()
  return text === '' ? noFields : toFields(new URLSearchParams(text))
}

/** Names that change the prototype of an object that they are copied to. */
const prototypeNames: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** @throws BodyError if an object contains a name that changes prototypes. */
function refusePrototypeName(name: string, value: unknown): unknown {
  if (prototypeNames.includes(name)) throw new BodyError(400, `unexpected name in JSON: ${name}`)
  return value
}

/**
 * Parses the fields of a JSON object. The names `__proto__`, `constructor` and `prototype` are refused at every level,
 * because the application may copy the fields to its own objects.
 *
 * @throws BodyError
 */
export function parseJson(text: string): Fields {
  if (text === '') return noFields
  let value: unknown
  try {
    value = JSON.parse(text, refusePrototypeName)
  } catch (error) {
    throw error instanceof BodyError ? error : new BodyError(400, 'expected JSON')
  }
  if (!isJsonObject(value)) throw new BodyError(400, 'expected a JSON object')
  return toFields(Object.entries(value))
}

/** @throws BodyError if the type is neither a form nor JSON. */
export function parseBody(contentType: string | null, text: string): Fields {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (text === '' && !type) return noFields
  if (type === 'application/x-www-form-urlencoded') return parseForm(text)
  if (type === 'application/json') return parseJson(text)
  throw new BodyError(415, 'expected application/x-www-form-urlencoded or application/json')
}
