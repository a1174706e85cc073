import type { FeatureScreenProps } from '@postern/pages'
import { type FormTextKey, formTexts } from '../sign-up-form/form-texts.ts'
import { createTexts as createOwnTexts, joinTexts, mapTexts, type TextsByLanguage } from '../texts-by-language.ts'
import { en, type TextKey as OwnTextKey } from './en.ts'

export type TextKey = OwnTextKey | FormTextKey

const own: TextsByLanguage<OwnTextKey> = createOwnTexts('password', en)

const all: TextsByLanguage<TextKey> = joinTexts(formTexts, own)

/** @returns The texts for a minimum length. */
export function createTexts(minLength: number): TextsByLanguage<TextKey> {
  const fill = (text: string): string => text.replace('{minLength}', String(minLength))
  return mapTexts(all, (texts) => ({
    ...texts,
    passwordHint: fill(texts.passwordHint),
    tooShort: fill(texts.tooShort)
  }))
}

/** The texts in the language of a page. */
export type Texts = Readonly<Record<TextKey, string>>

/** What a screen is shown with. */
export type ScreenProps<Props extends object> = FeatureScreenProps<Props, TextKey>
