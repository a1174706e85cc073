import { createTexts, type TextsByLanguage } from '../texts-by-language.ts'

/** The texts of the forms of a sign-up that the features share. */
const en = {
  captchaFailed: 'The check that you are a person failed. Try again.',
  fieldInvalid: 'This is missing or invalid.'
}

export type FormTextKey = keyof typeof en

export const formTexts: TextsByLanguage<FormTextKey> = createTexts('signUpForm', en)
