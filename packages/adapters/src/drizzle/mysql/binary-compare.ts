import { and, type Column, eq, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

type Text = string | Placeholder

/** Whether a column's character set has all characters of a string. */
export type Holds = (column: Column, text: string) => boolean

/** Creates the condition that a column equals one of these strings byte for byte. */
export type IsExactly = (column: Column, ...texts: readonly [Text, ...Text[]]) => SQL | undefined

/**
 * Creates the comparison for strings.
 *
 * Most collations treat strings that differ in case, accents or trailing spaces as equal, and third-party tables use
 * such collations, so the bytes are compared. The additional plain comparison uses the index. A server rejects it for a
 * string that the column cannot contain, which is replaced by `null`.
 */
export function createBinaryCompare(holds: Holds): IsExactly {
  return (column, text, ...others) => {
    const mapToDriverValue = (value: string) => (holds(column, value) ? value : null)
    const texts = [text, ...others]
    const list = (members: readonly SQLWrapper[]) => sql.join([...members], sql`, `)
    const plain = list(texts.map((text) => sql.param(text, { mapToDriverValue })))
    const bytes = list(texts.map(getBytes))
    if (others.length === 0) return and(eq(column, plain), sql`${getBytes(column)} = ${bytes}`)
    return sql`${column} in (${plain}) and ${getBytes(column)} in (${bytes})`
  }
}

/** The condition that a column does not equal this string byte for byte. */
export function isNotExactly(column: Column, text: string): SQL {
  return sql`${getBytes(column)} <> ${getBytes(text)}`
}

/** The bytes of a text in UTF-8. */
export function getBytes(text: Column | Text): SQL {
  return sql`cast(convert(${text} using utf8mb4) as binary)`
}
