import { type ByLanguage, createByLanguage, type FeatureTexts, translate } from '@postern/core/feature'

/** @returns The text with a key in each language. */
export const pickText = (texts: FeatureTexts, key: string): ByLanguage<string> =>
  translate(texts, (find) => find(key) ?? '')

/** Collects texts of other features for a screen. */
export class TextCollector {
  readonly #values = new Map<string, ByLanguage<string>>()

  add(key: string, values: ByLanguage<string>): void {
    this.#values.set(key, values)
  }

  get texts(): FeatureTexts {
    const all = [...this.#values]
    const languages = all.flatMap(([, values]) => Object.keys(values))
    return createByLanguage(languages, (language) =>
      Object.fromEntries(
        all.flatMap(([key, { [language]: text }]) => (text === undefined ? [] : [[key, text] as const]))
      )
    )
  }
}
