import type { ShownCaptcha } from '@postern/core/feature'
import type { ShownField } from '../sign-up-form/sign-up-fields.ts'
import { type CreationOptions, toCredentialFields } from './ceremony-options.ts'
import type { TextKey } from './texts.ts'

/** A field that the user fills in. */
export interface SignUpField {
  readonly name: 'email' | 'code'
  /** What was typed before. */
  readonly value: string
  /** Why the value was refused. */
  readonly problem: TextKey | null
}

/** The form of a screen of the sign-up. */
export interface SignUpForm {
  readonly action: string
  readonly submit: TextKey
  readonly field: SignUpField | null
  /** The fields of the application, after the others. @defaultValue none */
  readonly ownFields?: readonly ShownField[]
  /** The captcha above the button. @defaultValue none */
  readonly captcha?: ShownCaptcha | null
  /** For `navigator.credentials.create`, if the form has a new passkey; the name of its user is the typed address. */
  readonly options: CreationOptions | null
  /** Hidden fields. */
  readonly values: Readonly<Record<string, string>>
}

/** The values of every screen of the sign-up. The names of texts are keys. */
export interface SignUpProps {
  readonly title: TextKey
  readonly text: TextKey
  /** The address that the screen is about; `null` if it is typed, or unknown. */
  readonly email: string | null
  /** `null` if there is nothing to send. */
  readonly form: SignUpForm | null
  /** Why the passkey was refused. */
  readonly problem: TextKey | null
  readonly link: { readonly text: TextKey; readonly href: string } | null
}

/** The hidden fields of a form: those of a passkey are for the script. */
export function getHiddenFields({ options, values }: SignUpForm): Readonly<Record<string, string>> {
  return { ...values, ...(options && toCredentialFields(options)) }
}
