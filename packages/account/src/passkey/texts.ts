import type { FeatureScreenProps } from '@postern/pages'
import { type MailedCodeTextKey, mailedCodeTexts } from '../mail/mailed-code-texts.ts'
import { type FormTextKey, formTexts } from '../sign-up-form/form-texts.ts'
import { createTexts, joinTexts, type TextsByLanguage } from '../texts-by-language.ts'
import { en, type TextKey as OwnTextKey } from './en.ts'
import { type FailureTextKey, failureTexts } from './failure-texts.ts'

export type TextKey = OwnTextKey | FailureTextKey | FormTextKey | MailedCodeTextKey

const own: TextsByLanguage<OwnTextKey> = createTexts('passkey', en)

export const texts: TextsByLanguage<TextKey> = joinTexts(
  joinTexts(formTexts, failureTexts),
  joinTexts(mailedCodeTexts, own)
)

/** The texts in the language of a page. */
export type Texts = Readonly<Record<TextKey, string>>

/** What a screen is shown with. */
export type ScreenProps<Props extends object> = FeatureScreenProps<Props, TextKey>
