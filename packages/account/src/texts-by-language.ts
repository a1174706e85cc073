import { createRequire } from 'node:module'
import { createByLanguage } from '@postern/core/feature'
import type { Language } from '@postern/pages'

/** The texts of a feature in every language, by their keys. */
export type TextsByLanguage<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>

/** No speaker has reviewed the texts of these languages. */
export const unread: readonly Language[] = [
  'de',
  'de-informal',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'ar',
  'he',
  'ja',
  'zh',
  'ko',
  'hi'
]

/** Every language, English first. */
export const languages: readonly Language[] = ['en', ...unread]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every((text) => typeof text === 'string')

/** The languages of which the process has warned. */
const unreadable = new Set<string>()

function warn(language: string, error: unknown): void {
  if (unreadable.has(language)) return
  unreadable.add(language)
  const message = `#texts/${language}.json cannot be read: pages and mails in this language are in English`
  const detail = error instanceof Error ? error.message : ''
  process.emitWarning(message, { type: 'PosternWarning', code: 'POSTERN_TEXTS', detail })
}

/**
 * Loads a part of `texts/de.json` when it is first read, so that a language that nobody reads takes no memory.
 *
 * @returns Nothing, with a warning of the process, if the file cannot be read, for example because a bundler has omitted it.
 */
function loadTexts(language: string, part: string): Readonly<Record<string, string>> {
  try {
    // The path is in `imports` of the manifest: it is the same for sources, tests and bundles.
    const content: unknown = createRequire(import.meta.url)(`#texts/${language}.json`)
    return isRecord(content) && isTexts(content[part]) ? content[part] : {}
  } catch (error) {
    warn(language, error)
    return {}
  }
}

/**
 * The texts of a part of the files in `texts`, by language. A text that a language lacks is taken from the base language, otherwise
 * from English: `de-informal` contains what differs from `de`. Mails in Arabic and Hebrew isolate values, such as addresses and
 * times, by U+2068 and U+2069.
 */
export const createTexts = <Key extends string>(
  part: string,
  en: Readonly<Record<Key, string>>
): TextsByLanguage<Key> =>
  createByLanguage(languages, (language) => {
    if (language === 'en') return en
    const [base = language] = language.split('-', 1)
    return { ...en, ...loadTexts(base, part), ...loadTexts(language, part) }
  })

/** Changes the texts of each language. */
export const mapTexts = <Key extends string, Changed extends string>(
  texts: TextsByLanguage<Key>,
  change: (texts: Readonly<Record<Key, string>>, language: Language) => Readonly<Record<Changed, string>>
): TextsByLanguage<Changed> => createByLanguage(languages, (language) => change(texts[language], language))

/** Joins the texts of two parts of a feature. */
export const joinTexts = <One extends string, Other extends string>(
  one: TextsByLanguage<One>,
  other: TextsByLanguage<Other>
): TextsByLanguage<One | Other> => mapTexts(one, (texts, language) => ({ ...texts, ...other[language] }))
