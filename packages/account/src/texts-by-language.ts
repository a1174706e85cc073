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
