import type { ByLanguage, FeatureTexts } from '@postern/core/feature'

/** @returns The text with a key in each language that has it. */
export function pickText(texts: FeatureTexts, key: string): ByLanguage<string> {
  const found = Object.entries(texts).flatMap(([language, known]) =>
    known[key] === undefined ? [] : [[language, known[key]] as const]
  )
  return { ...Object.fromEntries(found), en: texts.en[key] ?? '' }
}

/** Collects texts of other features for a screen. */
export class TextCollector {
  readonly #others: Record<string, Record<string, string>> = {}
  readonly #english: Record<string, string> = {}

  add(key: string, values: ByLanguage<string>): void {
    for (const [language, text] of Object.entries(values))
      if (language === 'en') this.#english[key] = text
      else this.#others[language] = { ...this.#others[language], [key]: text }
  }

  get texts(): FeatureTexts {
    return { ...this.#others, en: this.#english }
  }
}
