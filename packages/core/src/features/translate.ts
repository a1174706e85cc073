import type { ByLanguage } from '../model/feature-page.ts'
import type { FeatureTexts } from './feature.ts'

type Texts = Readonly<Record<string, string>>

/** The complete texts of each language. A feature has the same texts for all its mails, errors and methods. */
const completeTexts = new WeakMap<FeatureTexts, readonly (readonly [language: string, texts: Texts])[]>()

function complete(texts: FeatureTexts): readonly (readonly [language: string, texts: Texts])[] {
  const found = completeTexts.get(texts)
  if (found) return found
  const created = Object.keys(texts).map((language) => {
    const base = texts[language.split('-', 1)[0] ?? '']
    return [language, { ...texts.en, ...base, ...texts[language] }] as const
  })
  completeTexts.set(texts, created)
  return created
}

/**
 * Creates a value in each language of the texts. A text that a language lacks is taken from the base language, otherwise
 * from English.
 */
export function translate<T>(texts: FeatureTexts, create: (texts: Texts) => T): ByLanguage<T> {
  const others = complete(texts).map(([language, own]) => [language, create(own)] as const)
  return { ...Object.fromEntries(others), en: create(texts.en) }
}
