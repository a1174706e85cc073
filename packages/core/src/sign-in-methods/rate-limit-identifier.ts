import { normalizeEmailAddress } from '../model/normalize-email-address.ts'
import { replaceEqualCharacters } from './equal-characters.ts'

/** Printable ASCII without spaces only needs its case normalized. */
const plain = /^[\x21-\x7e]*$/

/** White space, control and format characters (zero-width ones, soft hyphens, tags), and combining marks. */
const ignored = /[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]+/gu

/** Letters that Unicode does not decompose, but collations compare as their base letters. */
const baseLetters: Readonly<Record<string, string>> = { æ: 'ae', đ: 'd', ħ: 'h', ł: 'l', ø: 'o', œ: 'oe', ŧ: 't' }

const strokes = new RegExp(`[${Object.keys(baseLetters).join('')}]`, 'g')
const katakana = /[\u30a1-\u30f6]/g

/** Most collations compare ß as ss, `utf8mb4_general_ci` of MySQL and MariaDB as s. */
const doubledS = /ss+/g

/** Older collations compare all characters outside of the Basic Multilingual Plane as equal; drivers replace surrogates. */
const unweighted = /[\u{10000}-\u{10ffff}\p{Cs}]/gu

/** The columns of most tables are shorter. */
const maxLength = 254

/** The part of an identifier that is counted. Keys of limiters are separated by spaces, so it contains none. */
export function getRateLimitIdentifier(identifier: string): string {
  return identifier.replace(/\s+/g, '').slice(0, maxLength)
}

/**
 * The form of an identifier that is rate-limited. An application's own `normalizeIdentifier` may keep the case of an
 * address, but most mail servers deliver all spellings to one mailbox.
 */
export function getRateLimitAddress(identifier: string): string {
  return normalizeEmailAddress(identifier) ?? getRateLimitIdentifier(identifier.normalize('NFKC').toLowerCase())
}

/**
 * Maps all spellings that a database may compare as equal to one string: by compatibility, case, accents, width, kana,
 * and characters without a weight. The result is used for counting only, so it may merge more than a database does.
 */
export function normalizeIdentifier(value: string): string {
  if (plain.test(value)) return getRateLimitIdentifier(value.toLowerCase().replace(doubledS, 's'))
  // Collations compare some combining marks as letters, so these are replaced before marks are removed. Compatibility
  // characters expand up to eighteen times: the part beyond the limit is not normalized.
  const base = replaceEqualCharacters(value.toLowerCase())
    .replace(ignored, '')
    .slice(0, 4 * maxLength)
    .normalize('NFKD')
    .replace(ignored, '')
  // Converting to upper case first merges ß and ss, ı and i, and all forms of sigma.
  const folded = base.toLowerCase().toUpperCase().toLowerCase()
  const letters = folded
    .replace(ignored, '')
    .replace(strokes, (letter) => baseLetters[letter] ?? letter)
    .replace(katakana, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
    .replace(unweighted, '\ufffd')
  return getRateLimitIdentifier(letters.replace(doubledS, 's'))
}
