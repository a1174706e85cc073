import type { LanguagePreference } from '../model/renderer.ts'
import { type AuthRequest, getHeader } from './request.ts'

/** The cookie with which an application sets the user's language: a tag such as `de` or `pt-BR`. */
export const languageCookie: string = 'postern.language'

const maxHeaderLength = 512
const maxTagLength = 35
const maxLanguages = 20
const maxCachedPreferences = 200

const quality = /^[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*$/i

interface Range {
  readonly tag: string
  readonly quality: number
}

/** @returns The tag in canonical form (BCP 47), or `null` if it is invalid. */
export function toCanonicalTag(tag: string): string | null {
  if (tag.length > maxTagLength) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/** Parses one range of the header; a malformed range gets quality 0. */
function parseLanguageRange(text: string): Range {
  const semicolon = text.indexOf(';')
  if (semicolon < 0) return { tag: text.trim(), quality: 1 }
  const [, weight = '0'] = quality.exec(text.slice(semicolon)) ?? []
  return { tag: text.slice(0, semicolon).trim(), quality: Number(weight) }
}

/**
 * Parses an Accept-Language header (RFC 9110 §12.5.4).
 *
 * @returns The tags, in order of preference, without `*`.
 */
export function acceptedLanguages(header: string): readonly string[] {
  const texts = header.slice(0, maxHeaderLength).split(',')
  // A truncated tag could be read as another language.
  if (header.length > maxHeaderLength) texts.pop()
  const ranges = texts.slice(0, maxLanguages).map(parseLanguageRange)
  const wished = ranges.filter(({ tag, quality }) => quality > 0 && tag !== '*')
  return wished.sort((one, other) => other.quality - one.quality).flatMap(({ tag }) => toCanonicalTag(tag) ?? [])
}

const kept = new Map<string, LanguagePreference>()

/** @returns The user's languages. Equal preferences share one object, so that values derived from it can be cached. */
export function getLanguagePreference(request: Pick<AuthRequest, 'headers' | 'cookies'>): LanguagePreference {
  const chosen = request.cookies.get(languageCookie)
  const header = getHeader(request, 'accept-language') ?? ''
  const key = chosen === undefined ? header : `${chosen}\n${header}`
  const known = kept.get(key)
  if (known) return known
  const languages = [...new Set([toCanonicalTag(chosen ?? '') ?? [], acceptedLanguages(header)].flat())]
  const preference: LanguagePreference = Object.freeze({ languages: Object.freeze(languages) })
  if (kept.size >= maxCachedPreferences) kept.clear()
  kept.set(key, preference)
  return preference
}
