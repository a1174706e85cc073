import type { InputHTMLAttributes, ReactElement } from 'react'
import { noticeId } from './notice.tsx'

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly hint?: string
  /** Whether the notice of the screen is about this field. */
  readonly isExplained: boolean
  /** Whether the previous input is known to be wrong. */
  readonly isWrong: boolean
  readonly input: InputHTMLAttributes<HTMLInputElement> & { readonly 'data-letters'?: number }
}

/** An input with its label, hint and error, linked for assistive technology. */
export function Field({ id, label, hint, isExplained, isWrong, input }: FieldProps): ReactElement {
  const isCheck = input.type === 'checkbox'
  // A checkbox has no invalid value.
  const descriptions = [isExplained && !isCheck ? noticeId : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div className={isCheck ? 'field field-check' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <input
        className={isCheck ? undefined : 'input'}
        {...input}
        id={id}
        {...(descriptions && { 'aria-describedby': descriptions })}
        {...(isWrong && !isCheck && { 'aria-invalid': true })}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
