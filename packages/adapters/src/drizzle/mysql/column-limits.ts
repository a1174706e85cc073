import type { Limit } from '../fit-columns.ts'

/** The limits of a column, and how it compares strings. */
export interface ColumnLimits extends Limit {
  /** Whether the column distinguishes all strings, including case, accents and trailing spaces. */
  readonly comparesExactly: boolean
  /** The names of its character set and its collation; `null` for other types. */
  readonly textType: { readonly charset: string; readonly collation: string } | null
}

/** Reads the limits of a column from its row of `information_schema.columns`. */
export function getColumnLimits({
  type,
  characters,
  bytes,
  charset,
  collation
}: Readonly<Record<string, unknown>>): ColumnLimits {
  const toNumber = (value: unknown) => (value === null ? null : Number(value))
  return {
    greatest: type === 'int' ? 2 ** 31 - 1 : null,
    characters: toNumber(characters),
    // In a single-byte character set, the UTF-8 length does not matter.
    bytes: charset === 'latin1' || charset === 'ascii' ? null : toNumber(bytes),
    lacking: lacking.get(`${charset}`) ?? null,
    textType: collation === null ? null : { charset: `${charset}`, collation: `${collation}` },
    comparesExactly: collation === null || exactCollation.test(`${collation}`)
  }
}

/** Collations that compare bytes without padding. */
const exactCollation = /^binary$|_(nopad|0900)_bin$/

/** MySQL's latin1 is Windows-1252, with control characters in its gaps. */
const latin1 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))

const beyondBasic = /[\u{10000}-\u{10ffff}]/gu

/** The characters that a character set lacks; for other sets, the server decides. */
const lacking: ReadonlyMap<string, RegExp> = new Map([
  ['utf8mb3', beyondBasic],
  ['utf8', beyondBasic],
  ['ucs2', beyondBasic],
  ['latin1', new RegExp(`[^${latin1.replaceAll(/[\]\\^-]/g, '\\$&')}]`, 'gu')],
  ['ascii', /[^\0-\u007f]/gu]
])
