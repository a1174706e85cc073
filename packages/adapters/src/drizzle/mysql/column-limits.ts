import type { Limit } from '../fit-columns.ts'

/** What a column has room for, and what it makes of it. */
export interface Room extends Limit {
  /** Whether no two texts are one to the column: case, accents and spaces at the end make a difference. */
  readonly tellsApart: boolean
}

/** What a row of `information_schema.columns` says of the column. */
export function roomOf({ type, characters, bytes, charset, collation }: Readonly<Record<string, unknown>>): Room {
  const toNumber = (value: unknown) => (value === null ? null : Number(value))
  return {
    greatest: type === 'int' ? 2 ** 31 - 1 : null,
    characters: toNumber(characters),
    // Where each character is a byte, those of UTF-8 say nothing.
    bytes: charset === 'latin1' || charset === 'ascii' ? null : toNumber(bytes),
    lacking: lacking.get(`${charset}`) ?? null,
    tellsApart: collation === null || telling.test(`${collation}`)
  }
}

/** Collations that compare the bytes, and pad nothing. */
const telling = /^binary$|_(nopad|0900)_bin$/

/** MySQL's latin1 is Windows-1252, with controls where that has nothing. */
const latin1 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))

const beyondBasic = /[\u{10000}-\u{10ffff}]/gu

/** The characters that are not in a character set; of others than these the server decides. */
const lacking: ReadonlyMap<string, RegExp> = new Map([
  ['utf8mb3', beyondBasic],
  ['utf8', beyondBasic],
  ['ucs2', beyondBasic],
  ['latin1', new RegExp(`[^${latin1.replaceAll(/[\]\\^-]/g, '\\$&')}]`, 'gu')],
  ['ascii', /[^\0-\u007f]/gu]
])
