import { createByLanguage } from '../model/by-language.ts'
import type { ByLanguage } from '../model/feature-page.ts'
import type { FeatureTexts } from './feature.ts'

/** Finds a text of a language by its key. */
export type FindText = (key: string) => string | undefined

/**
 * Creates a value in each language of the texts. A text that a language lacks is taken from the base language, otherwise
 * from English.
 */
export const translate = <T>(texts: FeatureTexts, create: (findText: FindText) => T): ByLanguage<T> =>
  createByLanguage(Object.keys(texts), (language) => {
    const [own, base] = [texts[language], texts[language.split('-', 1)[0] ?? '']]
    return create((key) => own?.[key] ?? base?.[key] ?? texts.en[key])
  })
