import type { FeatureScreenProps } from '@postern/pages'
import { createTexts, type TextsByLanguage } from '../texts-by-language.ts'
import { en, type TextKey } from './en.ts'

export type { TextKey }

/** The texts of the account pages, by language. */
export const texts: TextsByLanguage<TextKey> = createTexts('pages', en)

/** The texts in the language of a page. */
export type Texts = Readonly<Record<TextKey, string>>

/** What a screen is shown with. */
export type ScreenProps<Props extends object> = FeatureScreenProps<Props, TextKey>
