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

/** Joins the texts of two parts of a feature. */
export function joinTexts<One extends string, Other extends string>(
  one: TextsByLanguage<One>,
  other: TextsByLanguage<Other>
): TextsByLanguage<One | Other> {
  const join = (language: Language): Readonly<Record<One | Other, string>> => ({ ...one[language], ...other[language] })
  return {
    en: join('en'),
    de: join('de'),
    'de-informal': join('de-informal'),
    fr: join('fr'),
    es: join('es'),
    pt: join('pt'),
    it: join('it'),
    nl: join('nl'),
    pl: join('pl'),
    tr: join('tr'),
    ar: join('ar'),
    he: join('he'),
    ja: join('ja'),
    zh: join('zh'),
    ko: join('ko'),
    hi: join('hi')
  }
}
