import type { FeatureScreenProps } from '@postern/pages'
import { type FormTextKey, formTexts } from '../sign-up-form/form-texts.ts'
import { createTexts, joinTexts, type TextsByLanguage } from '../texts-by-language.ts'
import { type FailureTextKey, failureTexts } from './failure-texts.ts'
import { en, type TextKey as OwnTextKey } from './texts/en.ts'
import * as languages from './texts/languages.ts'

export type TextKey = OwnTextKey | FailureTextKey | FormTextKey

const own: TextsByLanguage<OwnTextKey> = createTexts(en, languages)

export const texts: TextsByLanguage<TextKey> = joinTexts(joinTexts(formTexts, failureTexts), own)

/** The texts in the language of a page. */
export type Texts = Readonly<Record<TextKey, string>>

/** What a screen is shown with. */
export type ScreenProps<Props extends object> = FeatureScreenProps<Props, TextKey>
