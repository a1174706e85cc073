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

const languages: readonly Language[] = ['en', ...unread]

/** The texts of a feature, in languages that are created when they are first read. */
export const createTexts = <Key extends string>(
  en: Readonly<Record<Key, string>>,
  others: Readonly<Record<Exclude<Language, 'en'>, () => Readonly<Record<Key, string>>>>
): TextsByLanguage<Key> => createByLanguage(languages, (language) => (language === 'en' ? en : others[language]()))

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
