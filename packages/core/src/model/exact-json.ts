/** The start of a number, outside of strings, that JSON.parse may round: 16 digits, or an exponent. */
const longNumber = /[:,[\s]-?\d(?:[\d.]{15}|[\d.]*e)/i

/** The longest number: written without an exponent, the largest one that a double can hold has 309 digits. */
const maxNumberLength = 400

/** A string, whose digits are no number, or the characters of a number. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|\d[\d.e+-]*/gis

/** A number has more than 400 characters. */
export class NumberLengthError extends SyntaxError {
  override readonly name: string = 'NumberLengthError'
}

/** @throws NumberLengthError if a number outside of strings is too long to be worth parsing. */
function refuseLongNumbers(text: string): void {
  for (const [part] of text.matchAll(stringOrNumber)) {
    if (part.length > maxNumberLength && !part.startsWith('"'))
      throw new NumberLengthError(`expected numbers of at most ${maxNumberLength} characters, got ${part.length}`)
  }
}

/** `/0+$/` would look for the end once for each zero (CWE-1333). */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** The digits of a number without zeros at either end, and the exponent of the first digit. */
function normalizeNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^-/, '').split(/e(.*)/s)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const leading = whole.length + fraction.length - digits.length
  return digits === '' ? '0' : `${withoutTrailingZeros(digits)}e${whole.length - leading + Number(exponent)}`
}

/** Timestamps, which never identify an account. Some providers send more digits than a number can hold. */
const times = new Set(['auth_time', 'exp', 'expires_at', 'expires_in', 'iat', 'nbf', 'updated_at'])

function isRounded(key: string, value: number, source: string): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return true
  return !times.has(key) && normalizeNumber(source) !== normalizeNumber(String(value))
}

/** Replaces a rounded number by its source text. A runtime that does not pass the source keeps the number. */
function keepDigits(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  return isRounded(key, value, context.source) ? context.source : value
}

/**
 * Parses JSON without rounding: a number beyond 2^53, or with more digits than a number can hold, becomes a string with
 * its source text.
 *
 * `JSON.parse` returns 9007199254740992 for both 9007199254740992 and 9007199254740993, which would merge two ids.
 *
 * @throws SyntaxError, NumberLengthError
 */
export function parseExactJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text)
  refuseLongNumbers(text)
  return JSON.parse(text, keepDigits)
}

/**
 * @returns The text with rounded numbers in quotes, if it is JSON, so that any parser reads them exactly.
 * @throws NumberLengthError
 */
export function quoteLongNumbers(text: string): string {
  if (!longNumber.test(text)) return text
  try {
    return JSON.stringify(parseExactJson(text))
  } catch (error) {
    if (error instanceof NumberLengthError) throw error
    return text
  }
}
