import { and, eq, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { MySqlColumn } from 'drizzle-orm/mysql-core'

type Text = string | Placeholder

/** Whether a column's character set has all characters of a text. */
export type Holds = (column: MySqlColumn, text: string) => boolean

/** Makes the condition that a column holds exactly one of these texts, or exactly this text. */
export type IsExactly = (column: MySqlColumn, ...texts: readonly [Text, ...Text[]]) => SQL | undefined

/**
 * Makes the way of asking for a text.
 *
 * Most collations take texts for equal that differ in case, accents or spaces at the end, and tables that others made
 * have such collations: the bytes decide. The plain comparison beside it is there for the index; a server refuses it
 * for a text that the column could not hold, which is compared with nothing instead.
 */
export function createIsExactly(holds: Holds): IsExactly {
  return (column, text, ...others) => {
    const mapToDriverValue = (value: string) => (holds(column, value) ? value : null)
    const texts = [text, ...others]
    const list = (members: readonly SQLWrapper[]) => sql.join([...members], sql`, `)
    const plain = list(texts.map((text) => sql.param(text, { mapToDriverValue })))
    const bytes = list(texts.map(bytesOf))
    if (others.length === 0) return and(eq(column, plain), sql`${bytesOf(column)} = ${bytes}`)
    return sql`${column} in (${plain}) and ${bytesOf(column)} in (${bytes})`
  }
}

/** Whether a column holds anything but exactly this text. */
export function isNotExactly(column: MySqlColumn, text: string): SQL {
  return sql`${bytesOf(column)} <> ${bytesOf(text)}`
}

function bytesOf(text: MySqlColumn | Text): SQL {
  return sql`cast(convert(${text} using utf8mb4) as binary)`
}
