import type { ByLanguage } from '../model/feature-page.ts'
import type { FeatureTexts } from './feature.ts'

/**
 * Creates a value in each language of the texts. A text that a language lacks is taken from the base language, otherwise
 * from English.
 */
export function translate<T>(
  texts: FeatureTexts,
  create: (texts: Readonly<Record<string, string>>) => T
): ByLanguage<T> {
  const others = Object.keys(texts).map((language) => {
    const base = texts[language.split('-', 1)[0] ?? '']
    return [language, create({ ...texts.en, ...base, ...texts[language] })] as const
  })
  return { ...Object.fromEntries(others), en: create(texts.en) }
}
