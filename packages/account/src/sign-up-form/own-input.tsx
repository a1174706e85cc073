import { Field } from '@postern/pages'
import type { ReactElement } from 'react'
import type { ShownField } from './sign-up-fields.ts'

interface OwnInputProps {
  readonly field: ShownField
  readonly hasFocus: boolean
  readonly texts: Readonly<Record<string, string>>
}

/** A field of the application, with its error beside it. */
export function OwnInput({ field, hasFocus, texts }: OwnInputProps): ReactElement {
  const { name, label, type, isRequired, options, hint, autocomplete, value, problem } = field
  const find = (key: string): string => texts[key] ?? key
  const typed =
    type === 'checkbox' ? { defaultChecked: value === true, value: 'on' } : { defaultValue: String(value ?? '') }
  return (
    <Field
      id={name}
      label={find(label)}
      isExplained={false}
      isWrong={problem !== null}
      error={problem && find(problem)}
      input={{ name, type, required: isRequired, autoComplete: autocomplete, autoFocus: hasFocus, ...typed }}
      options={options?.map((option) => ({ value: option.value, label: find(option.label) })) ?? null}
      {...(hint && { hint: find(hint) })}
    />
  )
}
