import type { ShownCaptcha } from '@postern/core/feature'
import type { ShownField } from '../sign-up-form/sign-up-fields.ts'
import type { TextKey } from './texts.ts'

/** A field of a form. */
export interface FormField {
  readonly name: 'email' | 'password' | 'currentPassword' | 'code'
  readonly label: TextKey
  /** What was typed before; never a password. */
  readonly value: string
  /** The value of `autocomplete`. */
  readonly autocomplete: 'username' | 'new-password' | 'current-password' | 'one-time-code'
  /** Why the value was refused. */
  readonly problem: TextKey | null
  readonly hint: TextKey | null
  /** The minimum length of a new password, whose strength the script shows; `null` for other fields. */
  readonly minLength: number | null
}

/** The values of every screen. The names of texts are keys. */
export interface FormProps {
  readonly title: TextKey
  readonly text: TextKey
  /** The address that the screen is about; `null` if it is typed, or unknown. */
  readonly email: string | null
  /** `null` if there is nothing to send. */
  readonly form: {
    readonly action: string
    readonly submit: TextKey
    readonly fields: readonly FormField[]
    /** The fields of the application, after the others. @defaultValue none */
    readonly ownFields?: readonly ShownField[]
    /** The captcha above the button. @defaultValue none */
    readonly captcha?: ShownCaptcha | null
    /** Hidden fields. */
    readonly values: Readonly<Record<string, string>>
  } | null
  /** Why the form was refused, if no field is the reason. */
  readonly problem: TextKey | null
  readonly links: readonly { readonly text: TextKey; readonly href: string }[]
}
