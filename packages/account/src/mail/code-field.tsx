import { Field } from '@postern/pages'
import type { ReactElement } from 'react'

interface CodeFieldProps {
  readonly name: 'code' | 'mailCode' | 'recoveryCode'
  /** Distinguishes the fields of several forms. @defaultValue `name` */
  readonly id?: string
  readonly label: string
  readonly hint?: string
  /** Whether the notice of the screen is about this field. */
  readonly isWrong: boolean
  /** Whether the field has the focus when the page is shown. @defaultValue `false` */
  readonly hasFocus?: boolean
  /** @defaultValue `true` */
  readonly isRequired?: boolean
  /** Whether it has digits only. @defaultValue `false` */
  readonly isNumeric?: boolean
  /** What was typed, if it was right. @defaultValue nothing */
  readonly value?: string
}

/** A field for a code, which may be pasted with spaces. */
export function CodeField(props: CodeFieldProps): ReactElement {
  const { name, id = name, label, hint, isWrong, hasFocus = false, isRequired = true, isNumeric = false, value } = props
  const input = {
    name,
    type: 'text',
    autoComplete: name === 'recoveryCode' ? 'off' : 'one-time-code',
    autoCapitalize: isNumeric ? 'none' : 'characters',
    autoFocus: hasFocus,
    spellCheck: false,
    required: isRequired,
    defaultValue: value,
    ...(isNumeric && { inputMode: 'numeric' as const })
  }
  return <Field id={id} label={label} isExplained={isWrong} isWrong={isWrong} input={input} {...(hint && { hint })} />
}
