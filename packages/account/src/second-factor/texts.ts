import type { FeatureScreenProps } from '@postern/pages'
import { type MailedCodeTextKey, mailedCodeTexts } from '../mail/mailed-code-texts.ts'
import { type FailureTextKey, failureTexts } from '../passkey/failure-texts.ts'
import { createTexts, joinTexts, type TextsByLanguage } from '../texts-by-language.ts'
import { en, type TextKey as OwnTextKey } from './en.ts'

export type TextKey = OwnTextKey | FailureTextKey | MailedCodeTextKey

const own: TextsByLanguage<OwnTextKey> = createTexts('secondFactor', en)

export const texts: TextsByLanguage<TextKey> = joinTexts(failureTexts, joinTexts(mailedCodeTexts, own))

/** The texts in the language of a page. */
export type Texts = Readonly<Record<TextKey, string>>

/** What a screen is shown with. */
export type ScreenProps<Props extends object> = FeatureScreenProps<Props, TextKey>
