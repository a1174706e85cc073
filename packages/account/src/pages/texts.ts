import type { FeatureScreenProps } from '@postern/pages'
import { createTexts, type TextsByLanguage } from '../texts-by-language.ts'
import { en, type TextKey } from './texts/en.ts'
import * as languages from './texts/languages.ts'

export type { TextKey }

/** The texts of the account pages, by language. */
export const texts: TextsByLanguage<TextKey> = createTexts(en, languages)

/** The texts in the language of a page. */
export type Texts = Readonly<Record<TextKey, string>>

/** What a screen is shown with. */
export type ScreenProps<Props extends object> = FeatureScreenProps<Props, TextKey>
