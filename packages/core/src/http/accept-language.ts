import type { Wish } from '../model/renderer.ts'
import { type AuthRequest, headerOf } from './request.ts'

/** The cookie by which an application says in which language its visitor reads: a tag like `de` or `pt-BR`. */
export const languageCookie: string = 'postern.language'

const longestHeader = 512
const longestTag = 35
const mostLanguages = 20
const mostKept = 200

const quality = /^[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*$/i

interface Range {
  readonly tag: string
  readonly quality: number
}

/** @returns The tag as BCP 47 writes it, or nothing for what is none. */
function canonical(tag: string): readonly string[] {
  if (tag.length > longestTag) return []
  try {
    return Intl.getCanonicalLocales(tag)
  } catch {
    return []
  }
}

/** One range of the header; what is not said in the standard's way is not wished for. */
function rangeOf(text: string): Range {
  const semicolon = text.indexOf(';')
  if (semicolon < 0) return { tag: text.trim(), quality: 1 }
  const [, weight = '0'] = quality.exec(text.slice(semicolon)) ?? []
  return { tag: text.slice(0, semicolon).trim(), quality: Number(weight) }
}

/**
 * Reads an Accept-Language header (RFC 9110 §12.5.4).
 *
 * @returns The tags, best first, without `*`, which wishes for nothing.
 */
export function acceptedLanguages(header: string): readonly string[] {
  const texts = header.slice(0, longestHeader).split(',')
  // What was cut off in the middle might read as another language.
  if (header.length > longestHeader) texts.pop()
  const ranges = texts.slice(0, mostLanguages).map(rangeOf)
  const wished = ranges.filter(({ tag, quality }) => quality > 0 && tag !== '*')
  return wished.sort((one, other) => other.quality - one.quality).flatMap(({ tag }) => canonical(tag))
}

const kept = new Map<string, Wish>()

/** @returns What the visitor wishes; one object for each wish, so that what follows from it can be kept. */
export function wishOf(request: Pick<AuthRequest, 'headers' | 'cookies'>): Wish {
  const chosen = request.cookies.get(languageCookie)
  const header = headerOf(request, 'accept-language') ?? ''
  const key = chosen === undefined ? header : `${chosen}\n${header}`
  const known = kept.get(key)
  if (known) return known
  const languages = [...new Set([...canonical(chosen ?? ''), ...acceptedLanguages(header)])]
  const wish: Wish = Object.freeze({ languages: Object.freeze(languages) })
  if (kept.size >= mostKept) kept.clear()
  kept.set(key, wish)
  return wish
}
